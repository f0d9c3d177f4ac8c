//! WebSocket session of one client, from opening to close.

use super::dialect::Dialect;
use super::events::{Event, Teller, Told, TooMany, queue};
use super::hub::Listener;
use super::outbox::{self, DisconnectReason, Outbox};
use super::subscription::{LONGEST, NoSubscription, Order, Subscription, named};
use super::work::{
    Done, INTERNAL, INVALID_PARAMS, LIMIT_EXCEEDED, METHOD_NOT_FOUND, NO_ROOM, Working, answer, charge, written,
};
use crate::AppState;
use crate::guard::memory::Memory;
use crate::guard::project::Project;
use crate::rpc::answer::{Answer, error};
use crate::rpc::question::object;
use crate::rpc::served::Served;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, close_code};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, SplitStream, StreamExt};
use portico_terms::ChainId;
use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

/// Interval of pings to the client.
const PING: Duration = Duration::from_secs(30);

/// Time without a message after which a client without subscriptions is disconnected.
const IDLE: Duration = Duration::from_secs(600);

/// Number of messages of one client that are answered concurrently; further ones wait.
const MOST_AT_ONCE: usize = 32;

/// RFC 6455 7.4 and its registry: reconnect now, perhaps to another node of this server, or reconnect later.
const SERVICE_RESTART: u16 = 1012;
const TRY_AGAIN_LATER: u16 = 1013;

pub(super) struct Session {
    state: AppState,
    project: Arc<Project>,
    chain: ChainId,
    /// `None` on a chain without subscriptions.
    dialect: Option<Dialect>,
    subscriptions: HashMap<Arc<str>, Subscription>,
    /// Time of the next look for subscriptions that end without an event; none of them ends before.
    next_end: Option<Instant>,
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
        let dialect = Dialect::of(&chain);
        let (project, subscriptions, next_end) = (Arc::new(project), HashMap::new(), None);
        Session { state, project, chain, dialect, subscriptions, next_end, tell, told }
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
                () = until(self.next_end) => self.end_old(outbox),
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
                let Some((dialect, order)) = self.order(&body) else { return Ok(()) };
                let answer = match charged {
                    Ok(_room) => self.obey(&served, dialect, &order),
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
    fn order<'b>(&self, body: &'b Bytes) -> Option<(Dialect, Order<'b>)> {
        let dialect = self.dialect?;
        let text = std::str::from_utf8(body).ok().filter(|text| text.contains("ubscribe"))?;
        let order = object(text).filter(|order| self.takes(dialect, order))?;
        Some((dialect, order))
    }

    /// Whether the message is about a subscription, and the project allows subscriptions.
    fn takes(&self, dialect: Dialect, order: &Order<'_>) -> bool {
        let allowed = self.project.methods();
        order.jsonrpc == "2.0"
            && order.has_usable_id()
            && dialect.own_method(&order.method).is_some()
            && (allowed.is_empty() || allowed.iter().any(|method| method.covers(dialect.subscribe())))
    }

    fn memory(&self) -> Memory {
        self.state.memory().of(self.project.visitor())
    }

    /// Handles a subscription order. `None` for a new subscription, which is answered when a node accepts it.
    fn obey(&mut self, served: &Served, dialect: Dialect, order: &Order<'_>) -> Option<(&'static str, String)> {
        let refused = |code, sentence: &str| Some(("error", error(code, sentence)));
        if let Some(own) = dialect.own_method(&order.method).filter(|own| order.method != *own) {
            let sentence = format!("The chain {} has no {}. Use {own}.", self.chain, order.method);
            return refused(METHOD_NOT_FOUND, &sentence);
        }
        if order.method == dialect.unsubscribe() {
            let known = named(dialect, order).is_some_and(|id| self.leave(&id));
            return match dialect {
                // In the words of Solana's nodes.
                Dialect::Solana if !known => refused(INVALID_PARAMS, "Invalid subscription id."),
                Dialect::Eip155 | Dialect::Solana => Some(("result", known.to_string())),
            };
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
        let subscription = match Subscription::new(dialect, order, self.memory().share()) {
            Ok(subscription) => subscription,
            Err(NoSubscription::OfNoKind(sentence)) => return refused(INVALID_PARAMS, sentence),
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
        let Some(id) = proxy.hubs.fresh_id(dialect) else {
            return refused(INTERNAL, "Couldn't create an id. Try again.");
        };
        let id: Arc<str> = id.into();
        let listener = Listener { id: id.clone(), tell: self.tell.clone() };
        proxy.hubs.listen(&self.state, (&self.chain, dialect), subscription.params.clone(), listener);
        self.next_end = self.next_end.or(subscription.ends);
        self.subscriptions.insert(id, subscription);
        None
    }

    /// Ends the subscription with this id. Returns whether there was one.
    fn leave(&mut self, id: &str) -> bool {
        let left = self.subscriptions.remove_entry(id);
        let known = left.is_some();
        if let Some((id, subscription)) = left {
            self.state.proxy().hubs.leave(&self.chain, subscription.params, id);
        }
        known
    }

    /// Ends the subscriptions whose event didn't come in their lifetime. The protocol has no message for it, unless no node has accepted one yet.
    fn end_old(&mut self, outbox: &mut Outbox) -> Result<(), End> {
        let now = Instant::now();
        let is_old = |subscription: &Subscription| subscription.ends.is_some_and(|end| end <= now);
        let mut unanswered = Vec::new();
        for (id, subscription) in self.subscriptions.extract_if(|_, subscription| is_old(subscription)) {
            unanswered.extend(subscription.asked_by);
            self.state.proxy().hubs.leave(&self.chain, subscription.params, id);
        }
        self.next_end = self.subscriptions.values().filter_map(|subscription| subscription.ends).min();
        let refused = error(INTERNAL, "No node accepted the subscription in time. Poll instead.");
        unanswered.iter().try_for_each(|asked_by| say(outbox, written(asked_by, "error", &refused)))
    }

    /// Sends an event of a subscription to the client.
    fn notify(&mut self, outbox: &mut Outbox, id: &str, event: Event) -> Result<(), End> {
        // Events of a removed subscription are dropped.
        let Some(subscription) = self.subscriptions.get_mut(id) else { return Ok(()) };
        match event {
            Event::Taken => match subscription.asked_by.take() {
                Some(asked_by) => say(outbox, written(&asked_by, "result", id)),
                None => Ok(()),
            },
            Event::Refused(error) => {
                let asked_by = self.subscriptions.remove(id).and_then(|subscription| subscription.asked_by);
                asked_by.map_or(Ok(()), |asked_by| say(outbox, written(&asked_by, "error", &error)))
            }
            Event::Happened(result) => {
                let Some(dialect) = self.dialect else { return Ok(()) };
                if dialect.ends_with_event() {
                    self.subscriptions.remove(id);
                }
                Ok(outbox.queue(dialect.notify(id, &result))?)
            }
            Event::Lost => Err(End::Close(
                SERVICE_RESTART,
                format!("No node of the chain {} supports subscriptions. Poll instead.", self.chain),
            )),
        }
    }
}

fn say(outbox: &mut Outbox, answer: impl Into<Answer>) -> Result<(), End> {
    Ok(outbox.say(answer)?)
}

/// Waits for this time, or forever.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}
