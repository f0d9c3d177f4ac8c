//! WebSocket session of one client, from opening to close.

use super::events::{Event, Teller, Told, TooMany, queue};
use super::hub::Listener;
use super::outbox::{self, DisconnectReason, Outbox};
use super::subscription::{LONGEST, NoSubscription, Order, SUBSCRIBE, Subscription, UNSUBSCRIBE, fresh_id, named};
use crate::guard::memory::{Memory, Share};
use crate::guard::project::Project;
use crate::rpc::answer::{Answer, compose, error};
use crate::rpc::ask::{Asker, CallResult, NoResult};
use crate::rpc::question::{Question, object};
use crate::rpc::served::Served;
use crate::{AppState, Failure};
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, close_code};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, SplitStream, StreamExt};
use portico_terms::{ChainId, Namespace};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// Interval of pings to the client.
const PING: Duration = Duration::from_secs(30);

/// Time without a message after which a client without subscriptions is disconnected.
const IDLE: Duration = Duration::from_secs(600);

/// Number of messages of one client that are answered concurrently; further ones wait.
const MOST_AT_ONCE: usize = 32;

/// A message needs memory twice: as received and as forwarded.
const COPIES: usize = 2;

/// Size limit of a response, in bytes. A socket keeps a buffer of its longest message, and moves the rest of a message for each
/// piece that a client reads.
const ANSWER_LIMIT: usize = 4 * 1024 * 1024;

const NO_ROOM: &str = "The server has too many large requests open. Try again in a few seconds.";

/// RFC 6455 7.4 and its registry: reconnect now, perhaps to another node of this server, or reconnect later.
const SERVICE_RESTART: u16 = 1012;
const TRY_AGAIN_LATER: u16 = 1013;

/// Error codes of JSON-RPC 2.0 and EIP-1474.
const PARSE: i64 = -32700;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL: i64 = -32603;
const LIMIT_EXCEEDED: i64 = -32005;

pub(super) struct Session {
    state: AppState,
    project: Arc<Project>,
    chain: ChainId,
    subscriptions: HashMap<Arc<str>, Subscription>,
    tell: Teller,
    told: Told,
}

/// Reason for the end of a session.
enum End {
    /// The connection is gone.
    Gone,
    Close(u16, String),
}

impl From<DisconnectReason> for End {
    fn from(left: DisconnectReason) -> End {
        let most = outbox::MOST / (1024 * 1024);
        match left {
            DisconnectReason::Gone => End::Gone,
            DisconnectReason::Slow => {
                End::Close(close_code::POLICY, format!("Reading too slowly, with {most} MiB waiting. Connect again."))
            }
            DisconnectReason::Full => End::Close(TRY_AGAIN_LATER, NO_ROOM.into()),
        }
    }
}

impl From<TooMany> for End {
    fn from(TooMany: TooMany) -> End {
        DisconnectReason::Slow.into()
    }
}

/// Result of the work on a message.
enum Done {
    /// The response, if one is due.
    Answered(Option<Answer>),
    /// The message is about a subscription and was charged.
    Charged(Bytes, Result<Share, Failure>),
}

/// Work in progress. The session waits for none of it: its events must not pile up.
type Working = FuturesUnordered<BoxFuture<'static, Done>>;

impl Drop for Session {
    fn drop(&mut self) {
        for (id, subscription) in self.subscriptions.drain() {
            self.state.proxy().hubs.leave(&self.chain, subscription.params, id);
        }
    }
}

impl Session {
    pub(super) fn new(state: AppState, project: Project, chain: ChainId) -> Session {
        let (tell, told) = queue();
        Session { state, project: Arc::new(project), chain, subscriptions: HashMap::new(), tell, told }
    }

    pub(super) async fn run(mut self, socket: WebSocket) {
        let (sink, mut stream) = socket.split();
        let mut outbox = Outbox::new(sink, &self.memory());
        if let End::Close(code, reason) = self.converse(&mut stream, &mut outbox).await {
            outbox.close(code, &reason).await;
        }
    }

    async fn converse(&mut self, stream: &mut SplitStream<WebSocket>, outbox: &mut Outbox) -> End {
        let state = self.state.clone();
        let mut stop = std::pin::pin!(state.stop_begun());
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        let (mut there, mut asked_at) = (true, Instant::now());
        let mut working: Working = FuturesUnordered::new();
        loop {
            // Requests of a client that does not read its responses are not read either.
            let listens = outbox.has_room();
            let done = tokio::select! {
                () = &mut stop => return End::Close(close_code::AWAY, "The server is stopping. Connect again.".into()),
                message = stream.next(), if listens && working.len() < MOST_AT_ONCE => {
                    there = true;
                    let body = match message {
                        Some(Ok(Message::Text(text))) => text.into(),
                        Some(Ok(Message::Binary(bytes))) => bytes,
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return End::Gone,
                    };
                    asked_at = Instant::now();
                    self.hear(body, &working)
                }
                Some(done) = working.next(), if listens => self.done(outbox, done),
                told = self.told.next() => match told {
                    Ok((id, event)) => self.notify(outbox, &id, event),
                    Err(too_many) => Err(too_many.into()),
                },
                sent = outbox.send(), if outbox.is_busy() => sent.map_err(End::from),
                _ = ping.tick() => {
                    let idle = self.subscriptions.is_empty() && working.is_empty() && asked_at.elapsed() >= IDLE;
                    if idle {
                        return End::Close(close_code::NORMAL, "Closed after ten quiet minutes. Connect again.".into());
                    }
                    if listens && !std::mem::take(&mut there) {
                        return End::Gone;
                    }
                    outbox.ping(&[]).map_err(End::from)
                }
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    /// Starts the work on a message.
    fn hear(&self, body: Bytes, working: &Working) -> Result<(), End> {
        let served = self.served()?;
        let (state, project) = (self.state.clone(), self.project.clone());
        let work = if self.order(&body).is_some() {
            charge(state, project, body).boxed()
        } else {
            answer(state, project, served, body).boxed()
        };
        working.push(work);
        Ok(())
    }

    fn done(&mut self, outbox: &mut Outbox, done: Done) -> Result<(), End> {
        match done {
            Done::Answered(answer) => answer.map_or(Ok(()), |answer| say(outbox, answer)),
            Done::Charged(body, charged) => {
                let served = self.served()?;
                let Some(order) = self.order(&body) else { return Ok(()) };
                let answer = match charged {
                    Ok(_room) => self.obey(&served, &order),
                    Err(failure) => Some(("error", error(LIMIT_EXCEEDED, failure.description()))),
                };
                match (order.id, answer) {
                    (Some(id), Some((field, value))) => say(outbox, written(id, field, &value)),
                    _ => Ok(()),
                }
            }
        }
    }

    fn served(&self) -> Result<Arc<Served>, End> {
        let gone = || End::Close(SERVICE_RESTART, format!("The chain {} isn't served here any more", self.chain));
        self.state.chain(&self.chain).ok_or_else(gone)
    }

    /// The message, if it is about a subscription and the chain and project allow subscriptions.
    fn order<'b>(&self, body: &'b Bytes) -> Option<Order<'b>> {
        let text = std::str::from_utf8(body).ok().filter(|text| text.contains("subscribe"))?;
        object(text).filter(|order| self.takes(order))
    }

    /// Whether the message is about a subscription, and the chain and project allow subscriptions.
    fn takes(&self, order: &Order<'_>) -> bool {
        let allowed = self.project.methods();
        order.jsonrpc == "2.0"
            && order.has_usable_id()
            && self.chain.namespace() == Namespace::Eip155
            && [SUBSCRIBE, UNSUBSCRIBE].contains(&order.method.as_ref())
            && (allowed.is_empty() || allowed.iter().any(|method| method.covers(SUBSCRIBE)))
    }

    fn memory(&self) -> Memory {
        self.state.memory().of(self.project.visitor())
    }

    /// Handles a subscription order. `None` for a new subscription, which is answered when a node accepts it.
    fn obey(&mut self, served: &Arc<Served>, order: &Order<'_>) -> Option<(&'static str, String)> {
        let refused = |code, sentence: &str| Some(("error", error(code, sentence)));
        if order.method == UNSUBSCRIBE {
            let left = named(order).and_then(|id| self.subscriptions.remove_entry(id.as_str()));
            let known = left.is_some();
            if let Some((id, subscription)) = left {
                self.state.proxy().hubs.leave(&self.chain, subscription.params, id);
            }
            return Some(("result", known.to_string()));
        }
        let most = self.state.proxy().subscriptions_per_socket;
        if self.subscriptions.len() >= most {
            let sentence = format!("This WebSocket has reached its limit of {most} subscriptions. End one first.");
            return refused(LIMIT_EXCEEDED, &sentence);
        }
        if served.socket_nodes().is_empty() {
            return refused(
                INTERNAL,
                &format!("No node of the chain {} supports subscriptions. Poll instead.", self.chain),
            );
        }
        let subscription = match Subscription::new(order, self.memory().share()) {
            Ok(subscription) => subscription,
            Err(NoSubscription::OfNoKind) => {
                return refused(INVALID_PARAMS, "Subscribe to newHeads, logs or newPendingTransactions");
            }
            Err(NoSubscription::TooLong) => {
                return refused(
                    INVALID_PARAMS,
                    &format!("Use at most {LONGEST} bytes of parameters for a subscription"),
                );
            }
            Err(NoSubscription::Full) => return refused(LIMIT_EXCEEDED, NO_ROOM),
        };
        let proxy = self.state.proxy();
        let visitor = self.project.visitor();
        let own = visitor.map(|visitor| proxy.subscriptions_of.take(visitor, 1));
        if own.as_ref().is_some_and(Option::is_none) {
            return refused(LIMIT_EXCEEDED, "You have too many subscriptions. End one first.");
        }
        let Ok(place) = proxy.subscriptions.clone().try_acquire_owned() else {
            return refused(LIMIT_EXCEEDED, "The server has too many subscriptions. Try again later.");
        };
        let subscription = subscription.at((own.flatten(), place));
        let Some(id) = fresh_id() else { return refused(INTERNAL, "Couldn't create an id. Try again.") };
        let id: Arc<str> = id.into();
        let listener = Listener { id: id.clone(), tell: self.tell.clone() };
        self.state.proxy().hubs.listen(&self.state, &self.chain, subscription.params.clone(), listener);
        self.subscriptions.insert(id, subscription);
        None
    }

    /// Sends an event of a subscription to the client.
    fn notify(&mut self, outbox: &mut Outbox, id: &str, event: Event) -> Result<(), End> {
        // Events of a removed subscription are dropped.
        let Some(subscription) = self.subscriptions.get_mut(id) else { return Ok(()) };
        match event {
            Event::Taken => match subscription.asked_by.take() {
                Some(asked_by) => say(outbox, written(&asked_by, "result", &format!("\"{id}\""))),
                None => Ok(()),
            },
            Event::Refused(error) => {
                let asked_by = self.subscriptions.remove(id).and_then(|subscription| subscription.asked_by);
                asked_by.map_or(Ok(()), |asked_by| say(outbox, written(&asked_by, "error", &error)))
            }
            Event::Happened(result) => {
                let params = format!(r#"{{"subscription":"{id}","result":{result}}}"#);
                let text = format!(r#"{{"jsonrpc":"2.0","method":"eth_subscription","params":{params}}}"#);
                Ok(outbox.queue(text)?)
            }
            Event::Lost => Err(End::Close(
                SERVICE_RESTART,
                format!("No node of the chain {} supports subscriptions. Poll instead.", self.chain),
            )),
        }
    }
}

/// Charges a message about a subscription. A visitor above its rate hears so after a while.
async fn charge(state: AppState, project: Arc<Project>, body: Bytes) -> Done {
    let mut room = state.memory().of(project.visitor()).share();
    let charged = async {
        room.grow(body.len())?;
        room.memory().arrived(body.len()).await?;
        project.spend(&state, 1).await
    };
    let charged = charged.await;
    Done::Charged(body, charged.map(|()| room))
}

/// Answers a message like a POST body.
async fn answer(state: AppState, project: Arc<Project>, served: Arc<Served>, body: Bytes) -> Done {
    Done::Answered(answer_to(&state, &project, &served, &body).await)
}

async fn answer_to(state: &AppState, project: &Project, served: &Arc<Served>, body: &Bytes) -> Option<Answer> {
    let refused = |code, sentence: &str| Some(written(RawValue::NULL, "error", &error(code, sentence)).into());
    let mut room = state.memory().of(project.visitor()).share();
    if room.grow(COPIES * body.len()).is_err() {
        return refused(LIMIT_EXCEEDED, NO_ROOM);
    }
    if let Err(behind) = room.memory().arrived(body.len()).await {
        return refused(LIMIT_EXCEEDED, Failure::from(behind).description());
    }
    let Ok(text) = std::str::from_utf8(body) else { return refused(PARSE, "Send the message as UTF-8 text") };
    let mut question = match Question::read(text, served, project.methods()) {
        Ok(question) => question,
        Err(failure) => return refused(PARSE, failure.description()),
    };
    let room = Arc::new(room);
    let asker = Asker { state, served, body, room: &room, fresh: false };
    asker.part(&mut question).await;
    if let Err(failure) = project.spend(state, question.cost()).await {
        return refused(LIMIT_EXCEEDED, failure.description());
    }
    let say_of_all = |said: CallResult| compose(&question, &served.id, |_| Some(&said), room.memory().share()).ok();
    let answer = match asker.ask(&question).await {
        Ok(answer) if answer.as_ref().len() > ANSWER_LIMIT => {
            let sentence = "The answer is longer than 4 MiB. Send the call by POST instead.";
            say_of_all(CallResult::Error(Bytes::from(error(INTERNAL, sentence)).into()))?
        }
        Ok(answer) => answer,
        Err(NoResult::ForLackOfMemory) => {
            return refused(LIMIT_EXCEEDED, "The response is too large now. Try again in a few seconds.");
        }
        Err(unanswered) => say_of_all(CallResult::NoResult(unanswered))?,
    };
    (!answer.as_ref().is_empty()).then_some(answer)
}

fn say(outbox: &mut Outbox, answer: impl Into<Answer>) -> Result<(), End> {
    Ok(outbox.say(answer)?)
}

fn written(id: &RawValue, field: &str, value: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"{field}":{value}}}"#).into_bytes()
}
