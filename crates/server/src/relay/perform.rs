//! Executes the methods of the relay, for requests by WebSocket and by POST.

use super::fault::Fault;
use super::fetched::Fetched;
use super::hub::Inbox;
use super::id::{self, MessageId, Topic};
use super::limits::Who;
use super::mailbox::Orderer;
use super::message::Message;
use super::request::{ClientMessage, Form, Publication, Refused, RelayCall, read};
use super::share::Payer;
use super::{Client, Relay, auth, failed, metrics, now, table};
use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};

/// Maximum number of messages in a fetch response, and of bytes, but at least one message.
const PAGE: usize = 32;
const PAGE_BYTES: usize = 1024 * 1024;

/// The client that sent a request.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) client: Arc<Client>,
    pub(super) visitor: IpAddr,
    pub(super) payer: Payer,
    /// Origin of the page that opened the connection.
    pub(super) origin: Option<Arc<str>>,
    /// Inbox of the client's socket; `None` for a POST, which receives no messages.
    pub(super) inbox: Option<Arc<Inbox>>,
    /// Messages that the client fetched and may not have received yet.
    pub(super) fetched: Arc<Fetched>,
}

impl Caller {
    fn who(&self) -> Who {
        Who { client: self.client.id, visitor: self.visitor }
    }

    pub(super) fn orderer(&self) -> Orderer {
        Orderer { client: self.client.id, visitor: self.visitor, payer: self.payer }
    }
}

/// Result of a request: the response and what to do next.
#[derive(Default)]
pub(super) struct Done {
    /// The response; `None` if none is due.
    pub(super) text: Option<String>,
    /// Topics whose mailboxes are to be delivered now.
    pub(super) listens: Vec<Topic>,
    /// Messages in the response. They are deleted from the mailbox once the client has received them.
    pub(super) fetched: Vec<(Topic, MessageId)>,
    /// Request id of a message that the client acknowledged.
    pub(super) acknowledged: Option<u64>,
    /// Whether a rate limit was exceeded.
    pub(super) overrun: bool,
}

/// A parsed message from a client, before slow work starts: this part is done at once and in order of arrival.
pub(super) enum Ask {
    /// Needs no further work.
    Done(Done),
    /// Needs asynchronous work: id, call and metrics name.
    Perform(Box<(String, RelayCall, &'static str)>),
}

/// Parses a message from a client.
pub(super) fn hear(text: &str) -> Ask {
    match read(text) {
        Ok((ClientMessage::Request(id, call), name)) => Ask::Perform(Box::new((id.get().into(), call, name))),
        Ok((ClientMessage::Acknowledged(id), _)) => Ask::Done(Done { acknowledged: Some(id), ..Done::default() }),
        Ok((ClientMessage::Nothing, _)) => Ask::Done(Done::default()),
        Err(Refused { id, fault }) => {
            metrics::asked("unread", fault.tag());
            Ask::Done(Done { text: Some(refusal(&id, fault)), ..Done::default() })
        }
    }
}

/// Error response to a request.
pub(super) fn refusal(id: &str, fault: Fault) -> String {
    format!(r#"{{"id":{id},"jsonrpc":"2.0","error":{}}}"#, fault.json())
}

/// Executes a request and writes the response.
pub(super) async fn perform(relay: Arc<Relay>, caller: Caller, asked: Box<(String, RelayCall, &'static str)>) -> Done {
    let (id, call, name) = *asked;
    let mut done = Done::default();
    let result = relay.perform(&caller, call, &mut done).await;
    metrics::asked(name, result.as_ref().map_or_else(|fault| fault.tag(), |_| "done"));
    done.overrun = matches!(result, Err(Fault::TooManyRequests));
    done.text = Some(match result {
        Ok(result) => format!(r#"{{"id":{id},"jsonrpc":"2.0","result":{result}}}"#),
        Err(fault) => refusal(&id, fault),
    });
    done
}

/// Approximate number of SQL statements of a call. Publishing counts none, as it has a limit of its own.
fn statements(call: &RelayCall) -> usize {
    match call {
        RelayCall::Publish(_) | RelayCall::WatchRegister(_) | RelayCall::WatchUnregister(_) => 0,
        RelayCall::Subscribe { topics, .. } | RelayCall::Unsubscribe(topics) | RelayCall::Fetch(topics) => {
            topics.len().div_ceil(table::AT_ONCE)
        }
        RelayCall::Receive(receipts) => receipts.len().div_ceil(table::AT_ONCE),
        RelayCall::CreateTopic(_) | RelayCall::ListenAndPublish(..) => 1,
    }
}

/// Maximum length of an attestation, a JWT about the page's origin, in bytes.
const MOST_ATTESTED: usize = 4 * 1024;

impl Relay {
    /// Executes a call and returns its result as JSON.
    async fn perform(&self, caller: &Caller, call: RelayCall, done: &mut Done) -> Result<String, Fault> {
        self.limits.ask(caller.who(), statements(&call)).await?;
        match call {
            RelayCall::Publish(publications) => self.publish(caller, publications).await.map(|()| "true".into()),
            RelayCall::Subscribe { topics, form } => self.subscribe(caller, topics, form, done).await,
            RelayCall::Unsubscribe(topics) => self.unsubscribe(caller, topics).await.map(|()| "true".into()),
            RelayCall::Fetch(topics) => self.fetch(caller, &topics, done).await,
            RelayCall::Receive(receipts) => {
                let stored = self.mailbox().take_stored(caller.orderer(), receipts);
                stored.done().await.map(|()| "true".into())
            }
            RelayCall::WatchRegister(token) => {
                auth::watch(&token, auth::Watch::Register, self).and(Err(Fault::NoWebhooks))
            }
            // Always succeeds, as no webhook can be registered.
            RelayCall::WatchUnregister(token) => {
                auth::watch(&token, auth::Watch::Unregister, self).map(|()| "true".into())
            }
            RelayCall::CreateTopic(topic) => self.listen(caller, topic, done).await.map(|()| "true".into()),
            RelayCall::ListenAndPublish(topic, publications) => {
                self.listen(caller, topic, done).await?;
                self.publish(caller, publications).await.map(|()| "true".into())
            }
        }
    }

    /// Pushes and stores all messages; fails if one cannot be stored.
    async fn publish(&self, caller: &Caller, publications: Vec<Publication>) -> Result<(), Fault> {
        for publication in &publications {
            let Publication { message, ttl, attestation, .. } = publication;
            if message.len() > self.config.max_message
                || attestation.as_ref().is_some_and(|said| said.len() > MOST_ATTESTED)
            {
                return Err(Fault::PayloadSizeExceeded);
            }
            match *ttl {
                0 => return Err(Fault::TtlTooShort),
                ttl if ttl > self.config.max_ttl => return Err(Fault::TtlTooLong),
                _ => {}
            }
        }
        self.limits.publish(caller.who(), publications.iter().map(|publication| publication.message.len())).await?;
        let mut stored = Vec::with_capacity(publications.len());
        for publication in publications {
            let message = Arc::new(self.message(caller, publication).await?);
            // A message that was stored before is not stored again; one that is being stored is awaited.
            let room = self.mailbox().room_for(caller.visitor, &message).await?;
            let (order, is_new) = self.mailbox().publish(&message, Some(room));
            if is_new {
                metrics::published();
                self.push(&message);
            }
            stored.push(order);
        }
        let mut all = Ok(());
        for order in stored {
            all = order.done().await.and(all);
        }
        all
    }

    async fn message(&self, caller: &Caller, publication: Publication) -> Result<Message, Fault> {
        let id = MessageId::of(&publication.message);
        let attestation = self.attested(caller.origin.as_deref(), &publication, id).await?;
        let Publication { topic, message, ttl, tag, .. } = publication;
        let published_at = now();
        let lives = i64::try_from(ttl.saturating_mul(1000)).unwrap_or(i64::MAX);
        Ok(Message {
            topic,
            id,
            publisher: caller.client.id,
            tag,
            published_at,
            expires_at: published_at.saturating_add(lives),
            attestation,
            payer: caller.payer,
            body: message.into_boxed_str(),
        })
    }

    async fn subscribe(
        &self,
        caller: &Caller,
        topics: Vec<Topic>,
        form: Form,
        done: &mut Done,
    ) -> Result<String, Fault> {
        let taken = self.listen_to_all(caller, &topics).await?;
        let id = |topic: &Topic| format!("\"{}\"", id::subscription(*topic, &caller.client.did));
        done.listens.extend(topics.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(topic, _)| *topic));
        let all = taken.iter().all(|taken| *taken);
        match form {
            Form::One | Form::Many if !all => Err(Fault::SubscriberLimitExceeded),
            Form::One => topics.first().map(id).ok_or(Fault::BatchEmpty),
            Form::Many => Ok(format!("[{}]", topics.iter().map(id).collect::<Vec<_>>().join(","))),
            Form::ManyBlocking => {
                let of = |(topic, taken): (&Topic, &bool)| match taken {
                    true => format!(r#"{{"id":{}}}"#, id(topic)),
                    false => format!(r#"{{"error":{}}}"#, Fault::SubscriberLimitExceeded.json()),
                };
                Ok(format!("[{}]", topics.iter().zip(&taken).map(of).collect::<Vec<_>>().join(",")))
            }
        }
    }

    async fn listen(&self, caller: &Caller, topic: Topic, done: &mut Done) -> Result<(), Fault> {
        let taken = self.listen_to_all(caller, &[topic]).await?;
        if taken.first() != Some(&true) {
            return Err(Fault::SubscriberLimitExceeded);
        }
        done.listens.push(topic);
        Ok(())
    }

    /// Subscribes to all topics; returns for each whether it was accepted. Completes once stored: anything published after the response
    /// is stored for this client, whichever node it is published on.
    async fn listen_to_all(&self, caller: &Caller, topics: &[Topic]) -> Result<Vec<bool>, Fault> {
        let known = self.topics_of(&caller.client).await?;
        let fresh: Vec<Topic> = {
            let known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let mut fresh: Vec<Topic> = topics.iter().filter(|topic| !known.contains(topic)).copied().collect();
            fresh.sort_unstable();
            fresh.dedup();
            if known.len() + fresh.len() > self.config.topics_per_client {
                return Err(Fault::SubscribeFailed);
            }
            fresh
        };
        self.limits.come_to(caller.who(), fresh.len()).await?;
        // From here on new messages are pushed. Stored ones are read afterwards, so that none is lost in between.
        if let Some(inbox) = &caller.inbox
            && !topics.iter().all(|topic| self.hub.join(*topic, inbox))
        {
            fresh.iter().for_each(|topic| self.hub.leave(*topic, inbox));
            return Err(Fault::SubscribeFailed);
        }
        let stored = if fresh.is_empty() {
            // Messages pushed before the inbox joined are stored by now, so the following read finds them.
            self.mailbox().settled().await.map(|()| Vec::new())
        } else {
            self.mailbox().subscribe(caller.orderer(), fresh.clone()).done().await
        };
        let refused: Vec<Topic> = match &stored {
            Ok(taken) => fresh.iter().zip(taken).filter(|(_, taken)| !**taken).map(|(topic, _)| *topic).collect(),
            Err(_) => fresh.clone(),
        };
        if let Some(inbox) = &caller.inbox {
            refused.iter().for_each(|topic| self.hub.leave(*topic, inbox));
        }
        stored?;
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(fresh.iter().filter(|topic| !refused.contains(topic)));
        Ok(topics.iter().map(|topic| !refused.contains(topic)).collect())
    }

    async fn unsubscribe(&self, caller: &Caller, topics: Vec<Topic>) -> Result<(), Fault> {
        if let Some(inbox) = &caller.inbox {
            topics.iter().for_each(|topic| self.hub.leave(*topic, inbox));
        }
        let known = self.topics_of(&caller.client).await?;
        {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            for topic in &topics {
                known.remove(topic);
            }
        }
        self.mailbox().unsubscribe(caller.orderer(), topics).done().await
    }

    /// Fetched messages are deleted once the client has received them; until then this socket does not get them again.
    async fn fetch(&self, caller: &Caller, topics: &[Topic], done: &mut Done) -> Result<String, Fault> {
        // A client that only fetches counts as present too.
        self.topics_of(&caller.client).await?;
        // A pong during the read would drop its messages from the list although the rows read still contain them.
        let had = caller.fetched.all();
        // Deletions of messages that were just acknowledged must be written first.
        self.mailbox().settled().await?;
        let mut found = Vec::new();
        for topics in topics.chunks(table::AT_ONCE) {
            self.gather(caller, topics, &had, &mut found).await?;
            if is_enough(&found) {
                break;
            }
        }
        let mut bytes = 0;
        let fits = |(place, (_, message)): &(usize, table::Waiting)| {
            bytes += message.size();
            *place == 0 || (*place < PAGE && bytes <= PAGE_BYTES)
        };
        let all = found.len();
        let page: Vec<Message> =
            found.into_iter().enumerate().take_while(fits).map(|(_, (_, message))| message).collect();
        let has_more = page.len() < all;
        done.fetched = page.iter().map(|message| (message.topic, message.id)).collect();
        let messages = page.iter().map(Message::json).collect::<Vec<_>>().join(",");
        Ok(format!(r#"{{"messages":[{messages}],"hasMore":{has_more}}}"#))
    }

    /// Reads pending messages of these topics until there are enough, skipping those sent to the client already. Reads page by page, as
    /// there may be hundreds of mebibytes that the client fetched but never confirmed.
    async fn gather(
        &self,
        caller: &Caller,
        topics: &[Topic],
        had: &HashSet<(Topic, MessageId)>,
        found: &mut Vec<table::Waiting>,
    ) -> Result<(), Fault> {
        let is_new = |topic, id| !had.contains(&(topic, id)) && !caller.fetched.has(topic, id);
        let mut after = 0;
        while !is_enough(found) {
            let limit = PAGE + 1;
            let some = table::waiting(&self.database, caller.client.id, topics, (after, limit), now()).await;
            let some = some.map_err(failed)?;
            let last = some.last().map(|(place, _)| *place).filter(|_| some.len() == limit);
            found.extend(some.into_iter().filter(|(_, message)| is_new(message.topic, message.id)));
            match last {
                Some(place) => after = place,
                None => break,
            }
        }
        Ok(())
    }
}

/// Whether the messages fill more than one page, by number or by bytes.
fn is_enough(found: &[table::Waiting]) -> bool {
    let bytes: usize = found.iter().map(|(_, message)| message.size()).sum();
    found.len() > PAGE || (found.len() > 1 && bytes > PAGE_BYTES)
}
