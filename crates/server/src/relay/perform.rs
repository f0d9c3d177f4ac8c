//! What each method does, whether it came by WebSocket or was posted.

use super::fault::Fault;
use super::fetched::Fetched;
use super::hub::Inbox;
use super::id::{self, MessageId, Topic};
use super::limits::Who;
use super::message::Message;
use super::request::{Form, Heard, Publication, Refused, RelayCall, read};
use super::{Client, Relay, auth, failed, metrics, now, table};
use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};

/// So many messages are fetched at once, and so many bytes, at least one.
const PAGE: usize = 32;
const PAGE_BYTES: usize = 1024 * 1024;

/// Who asks.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) client: Arc<Client>,
    pub(super) visitor: IpAddr,
    /// None where there is no socket to tell anything on.
    pub(super) inbox: Option<Arc<Inbox>>,
    /// What it fetched and may not have got.
    pub(super) fetched: Arc<Fetched>,
}

impl Caller {
    fn who(&self) -> Who {
        Who { client: self.client.id, visitor: self.visitor }
    }
}

/// What is to be said and done.
#[derive(Default)]
pub(super) struct Done {
    /// The answer; none where none is due.
    pub(super) text: Option<String>,
    /// Topics whose mailboxes are to be delivered now.
    pub(super) listens: Vec<Topic>,
    /// What the answer holds of the mailbox: it leaves it when the client has the answer.
    pub(super) fetched: Vec<(Topic, MessageId)>,
    /// The message told under this id is with the client.
    pub(super) acknowledged: Option<u64>,
}

/// What was heard, before any of it is done: so much can be done at once, in the order in which it came.
pub(super) enum Ask {
    /// Answered already.
    Done(Done),
    /// Takes time.
    Perform(Box<(String, RelayCall, &'static str)>),
}

/// Reads what was said.
pub(super) fn hear(text: &str) -> Ask {
    match read(text) {
        Ok((Heard::Request(id, call), name)) => Ask::Perform(Box::new((id.get().into(), call, name))),
        Ok((Heard::Acknowledged(id), _)) => Ask::Done(Done { acknowledged: Some(id), ..Done::default() }),
        Ok((Heard::Nothing, _)) => Ask::Done(Done::default()),
        Err(Refused { id, fault }) => {
            metrics::asked("unread", fault.tag());
            Ask::Done(Done { text: Some(refusal(&id, fault)), ..Done::default() })
        }
    }
}

/// The answer that refuses.
pub(super) fn refusal(id: &str, fault: Fault) -> String {
    format!(r#"{{"id":{id},"jsonrpc":"2.0","error":{}}}"#, fault.json())
}

/// Does what was asked for and writes the answer.
pub(super) async fn perform(relay: Arc<Relay>, caller: Caller, asked: Box<(String, RelayCall, &'static str)>) -> Done {
    let (id, call, name) = *asked;
    let mut done = Done::default();
    let result = relay.perform(&caller, call, &mut done).await;
    metrics::asked(name, result.as_ref().map_or_else(|fault| fault.tag(), |_| "done"));
    done.text = Some(match result {
        Ok(result) => format!(r#"{{"id":{id},"jsonrpc":"2.0","result":{result}}}"#),
        Err(fault) => refusal(&id, fault),
    });
    done
}

/// About how many statements it takes, beside publishing, which has a limit of its own.
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

impl Relay {
    /// The result, as JSON.
    async fn perform(&self, caller: &Caller, call: RelayCall, done: &mut Done) -> Result<String, Fault> {
        self.limits.ask(caller.who(), statements(&call)).await?;
        match call {
            RelayCall::Publish(publications) => self.publish(caller, publications).await.map(|()| "true".into()),
            RelayCall::Subscribe { topics, form } => self.subscribe(caller, topics, form, done).await,
            RelayCall::Unsubscribe(topics) => self.unsubscribe(caller, topics).await.map(|()| "true".into()),
            RelayCall::Fetch(topics) => self.fetch(caller, &topics, done).await,
            RelayCall::Receive(receipts) => {
                let stored = self.mailbox().take_stored(caller.client.id, receipts);
                stored.done().await.map(|()| "true".into())
            }
            RelayCall::WatchRegister(token) => {
                auth::watch(&token, auth::Watch::Register, self).and(Err(Fault::NoWebhooks))
            }
            // Nothing was ever registered.
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

    /// Pushes and stores all of them; fails where one cannot be stored.
    async fn publish(&self, caller: &Caller, publications: Vec<Publication>) -> Result<(), Fault> {
        for publication in &publications {
            let Publication { message, ttl, attestation, .. } = publication;
            if message.len() > self.config.max_message
                || attestation.as_ref().is_some_and(|said| said.len() > self.config.max_message)
            {
                return Err(Fault::PayloadSizeExceeded);
            }
            match *ttl {
                0 => return Err(Fault::TtlTooShort),
                ttl if ttl > self.config.max_ttl => return Err(Fault::TtlTooLong),
                _ => {}
            }
        }
        self.limits.publish(caller.who(), publications.len()).await?;
        let mut stored = Vec::with_capacity(publications.len());
        for publication in publications {
            let message = Arc::new(self.message(caller, publication));
            // A message that everyone has had is not stored again; one that is being stored is waited for.
            let room = self.mailbox().room_for(&message).await;
            let (order, is_new) = self.mailbox().publish(&message, room);
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

    fn message(&self, caller: &Caller, publication: Publication) -> Message {
        let Publication { topic, message, ttl, tag, attestation } = publication;
        let published_at = now();
        let lives = i64::try_from(ttl.saturating_mul(1000)).unwrap_or(i64::MAX);
        Message {
            topic,
            id: MessageId::of(&message),
            publisher: caller.client.id,
            tag,
            published_at,
            expires_at: published_at.saturating_add(lives),
            attestation: attestation.map(String::into_boxed_str),
            body: message.into_boxed_str(),
        }
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

    /// Subscribes to all of them; of each whether its topic takes one more. Answered when it is stored: what is published after the
    /// answer is kept for this client, wherever it is published.
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
        // What arrives from now on is told; what waited is read afterwards, so that nothing falls between.
        if let Some(inbox) = &caller.inbox {
            topics.iter().for_each(|topic| self.hub.join(*topic, inbox));
        }
        let stored = if fresh.is_empty() {
            // What was told before the inbox was there is stored by now, and is read.
            self.mailbox().settled().await.map(|()| Vec::new())
        } else {
            self.mailbox().subscribe(caller.client.id, fresh.clone()).done().await
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
        self.mailbox().unsubscribe(caller.client.id, topics).done().await
    }

    /// What is fetched leaves the mailbox when the client has it; until then this socket is not given it again.
    async fn fetch(&self, caller: &Caller, topics: &[Topic], done: &mut Done) -> Result<String, Fault> {
        // Who only ever fetches is here too.
        self.topics_of(&caller.client).await?;
        // A pong that comes while the mailbox is read takes its messages off the list, and the mailbox that is read still has them.
        let had = caller.fetched.all();
        // What was acknowledged just now is not told again.
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

    /// What waits on these topics and is not with the client already, until there is enough. It is read by the page: of what a client
    /// fetched and never confirms there may be hundreds of mebibytes.
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

/// Whether there is more than one page, by number or by bytes.
fn is_enough(found: &[table::Waiting]) -> bool {
    let bytes: usize = found.iter().map(|(_, message)| message.size()).sum();
    found.len() > PAGE || (found.len() > 1 && bytes > PAGE_BYTES)
}
