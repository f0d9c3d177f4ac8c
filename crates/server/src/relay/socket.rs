//! WebSocket session of one relay client, from opening to close.

use super::auth::Admitted;
use super::fetched::Fetched;
use super::flying::PublishInFlight;
use super::hub::Inbox;
use super::id::{self, Topic};
use super::message::Message;
use super::perform::{Ask, Caller, Done, hear, perform, refusal};
use super::unread::{Unread, due};
use super::{Client, Relay, fault::Fault, metrics, now, table};
use crate::AppState;
use crate::guard::memory::Memory;
use crate::rpc::outbox::{DisconnectReason, Outbox};
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, close_code};
use futures_util::future::{BoxFuture, Fuse, FusedFuture};
use futures_util::stream::{FuturesUnordered, SplitStream, StreamExt};
use futures_util::{FutureExt, SinkExt};
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

/// Read buffer of a socket, kept small for idle clients.
pub(super) const READ_BUFFER: usize = 4 * 1024;

/// Limit of the socket's own buffer for unsent data, in bytes.
pub(super) const WRITE_BUFFER: usize = 8 * 1024 * 1024;

/// Interval of pings; a client that sends nothing until the next one is disconnected. Clients that receive nothing for 31 seconds may
/// consider the relay dead.
const PING: Duration = Duration::from_secs(30);

/// Number of requests of one client that are handled concurrently; further ones are not read yet.
const MOST_AT_ONCE: usize = 32;

/// A client that exceeds a rate limit is not heard for this long: reading its messages only to refuse them would cost the others.
const PAUSE: Duration = Duration::from_secs(1);

/// Number of messages per page when reading the mailbox.
const PAGE: usize = 16;

/// Delay after which a client that does not subscribe gets its earlier subscriptions back. Most clients do subscribe, and they
/// acknowledge messages that arrive before without looking at them.
const RESUME_AFTER: Duration = Duration::from_secs(5);

/// Time limit for sending the close frame to a rejected client.
const GOODBYE: Duration = Duration::from_secs(5);

/// Time limit for the last responses to each client on shutdown.
const LAST_ANSWERS: Duration = Duration::from_secs(10);

/// On shutdown clients are disconnected one per millisecond, so that they do not all reconnect to the next node at once, but within
/// this many milliseconds in all.
const SPREAD: u32 = 20_000;

/// Size limit of a frame: two messages, as `wc_approveSession` carries, and the JSON around them.
pub(super) fn frame_limit(message: usize) -> usize {
    2 * message + 64 * 1024
}

/// Number of WebSockets of one visitor that take messages of full length: what has arrived of a message is in memory. Further ones take
/// messages of this many bytes, as most have less than four thousand.
pub(super) const LONG: usize = 32;
pub(super) const SHORT_LIMIT: usize = 64 * 1024;

/// Sends the reason and closes the socket.
pub(super) async fn refuse(mut socket: WebSocket, code: u16, reason: String) {
    // RFC 6455 5.5: a control frame holds 125 bytes, two of them the code.
    let mut end = reason.len().min(123);
    while !reason.is_char_boundary(end) {
        end -= 1;
    }
    let frame = Frame::Close(Some(CloseFrame { code, reason: reason[..end].into() }));
    // A client that does not read the close frame is gone anyway.
    let _ = timeout(GOODBYE, async {
        socket.send(frame).await?;
        while let Some(Ok(_)) = socket.recv().await {}
        socket.flush().await
    })
    .await;
}

pub(super) struct Session {
    state: AppState,
    relay: Arc<Relay>,
    caller: Caller,
    inbox: Arc<Inbox>,
    told: UnboundedReceiver<Arc<Message>>,
    flying: PublishInFlight,
    unread: Unread,
    /// End of the pause after an exceeded rate limit.
    paused_until: Option<Instant>,
}

type Read = Fuse<BoxFuture<'static, Result<Vec<table::Waiting>, Fault>>>;

enum End {
    Gone,
    Close(u16, &'static str),
}

impl From<DisconnectReason> for End {
    fn from(left: DisconnectReason) -> End {
        match left {
            DisconnectReason::Gone => End::Gone,
            DisconnectReason::Slow => End::Close(close_code::POLICY, "Reading too slowly. Connect again."),
            DisconnectReason::Full => {
                End::Close(TRY_AGAIN_LATER, "The server is busy. Connect again in a few seconds.")
            }
        }
    }
}

/// Close code of RFC 6455 7.4 and its registry.
const TRY_AGAIN_LATER: u16 = 1013;

impl Session {
    pub(super) fn new(state: AppState, relay: Arc<Relay>, admitted: Admitted, visitor: IpAddr) -> Session {
        let client: Arc<Client> = relay.client(admitted.client, &admitted.did);
        let (inbox, told) = Inbox::new(admitted.client, relay.joined.nothing(visitor));
        let caller = Caller {
            client,
            visitor,
            payer: admitted.payer,
            origin: admitted.origin,
            inbox: Some(inbox.clone()),
            fetched: Arc::new(Fetched::default()),
        };
        relay.sockets.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Session {
            state,
            relay,
            caller,
            inbox,
            told,
            flying: PublishInFlight::default(),
            unread: Unread::default(),
            paused_until: None,
        }
    }

    pub(super) async fn run(mut self, socket: WebSocket) {
        let _counted = metrics::Counted::begin();
        let (sink, mut stream) = socket.split();
        let mut outbox = Outbox::new(sink, &self.memory());
        let end = self.converse(&mut stream, &mut outbox).await;
        self.relay.hub.leave_all(&self.inbox);
        if let End::Close(code, reason) = end {
            outbox.close(code, reason).await;
        }
    }

    fn memory(&self) -> Memory {
        self.state.memory().of(Some(self.caller.visitor))
    }

    async fn converse(&mut self, stream: &mut SplitStream<WebSocket>, outbox: &mut Outbox) -> End {
        let state = self.state.clone();
        let inbox = self.inbox.clone();
        let mut stop = std::pin::pin!(state.stop_begun().fuse());
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        let mut there = true;
        let mut answers: FuturesUnordered<BoxFuture<'static, Done>> = FuturesUnordered::new();
        let mut read: Read = Fuse::terminated();
        let mut resume = std::pin::pin!(sleep_until(Instant::now() + RESUME_AFTER).fuse());
        let mut leave = std::pin::pin!(Fuse::terminated());
        loop {
            if read.is_terminated() && outbox.has_room() {
                read = self.read_on();
            }
            let listens = outbox.has_room();
            let hears = listens && !stop.is_terminated() && answers.len() < MOST_AT_ONCE && self.paused_until.is_none();
            let done: Result<(), End> = tokio::select! {
                () = &mut stop => {
                    leave.set(sleep_until(Instant::now() + self.turn()).fuse());
                    Ok(())
                }
                () = &mut leave => {
                    last_answers(&mut answers, outbox).await;
                    return End::Close(close_code::AWAY, "The server is stopping. Connect again.");
                }
                message = stream.next(), if hears => {
                    there = true;
                    match message {
                        Some(Ok(Frame::Text(text))) => self.hear(outbox, text.as_str(), &answers),
                        Some(Ok(Frame::Binary(_))) => say(outbox, refusal("0", Fault::Serialization)),
                        Some(Ok(Frame::Ping(_))) => continue,
                        Some(Ok(Frame::Pong(mark))) => {
                            self.arrived(&mark);
                            continue;
                        }
                        Some(Ok(Frame::Close(_))) | None => return End::Gone,
                        // The frame is too large, or a text frame is not valid UTF-8.
                        Some(Err(_)) => return End::Close(close_code::SIZE, "Send a shorter message, as text"),
                    }
                }
                Some(done) = answers.next(), if listens => self.done(outbox, done),
                Some(message) = self.told.recv(), if listens => {
                    inbox.taken(&message);
                    self.push(outbox, &message)
                }
                found = &mut read => self.found(outbox, found),
                () = &mut resume => {
                    answers.push(resumed(self.relay.clone(), self.caller.clone()).boxed());
                    Ok(())
                }
                () = due(self.unread.again_at()) => {
                    self.unread.again();
                    Ok(())
                }
                () = due(self.paused_until) => {
                    self.paused_until = None;
                    Ok(())
                }
                () = inbox.woken() => Ok(()),
                sent = outbox.send(), if outbox.is_busy() => sent.map_err(End::from),
                _ = ping.tick() => {
                    if hears && !std::mem::take(&mut there) {
                        return End::Gone;
                    }
                    outbox.ping(&[]).map_err(End::from)
                }
            };
            if let Err(end) = done {
                return end;
            }
            let is_idle = self.inbox.is_empty() && self.unread.is_empty() && !outbox.is_busy();
            if is_idle && !self.flying.is_full() {
                self.unread.add(self.inbox.take_behind());
            }
        }
    }

    /// Delay of this client's disconnection on shutdown.
    fn turn(&self) -> Duration {
        let sockets = u32::try_from(self.relay.sockets()).unwrap_or(u32::MAX).clamp(1, SPREAD);
        let key = self.caller.client.id.0;
        Duration::from_millis(u64::from(u32::from_be_bytes([key[0], key[1], key[2], key[3]]) % sockets))
    }

    fn hear(
        &mut self,
        outbox: &mut Outbox,
        text: &str,
        answers: &FuturesUnordered<BoxFuture<'static, Done>>,
    ) -> Result<(), End> {
        match hear(text) {
            Ask::Done(done) => self.done(outbox, done),
            Ask::Perform(asked) => {
                // A request in progress counts against the memory limit.
                let mut share = self.memory().share();
                if share.grow(text.len()).is_err() {
                    return say(outbox, refusal(&asked.0, Fault::TooManyRequests));
                }
                let done = perform(self.relay.clone(), self.caller.clone(), asked);
                answers.push(done.map(move |done| (done, drop(share)).0).boxed());
                Ok(())
            }
        }
    }

    fn done(
        &mut self,
        outbox: &mut Outbox,
        Done { text, listens, fetched, acknowledged, overrun }: Done,
    ) -> Result<(), End> {
        if overrun {
            self.paused_until = Some(Instant::now() + PAUSE);
        }
        if let Some(taken) = acknowledged.and_then(|id| self.flying.land(id)) {
            metrics::acknowledged();
            self.relay.mailbox().take(self.caller.orderer(), vec![taken]);
        }
        if self.relay.shared.spans_processes() {
            self.unread.look_again(&listens);
        }
        self.unread.add(listens);
        text.map_or(Ok(()), |text| say(outbox, text))?;
        if !fetched.is_empty() {
            outbox.ping(&self.caller.fetched.send(fetched).to_be_bytes())?;
        }
        Ok(())
    }

    /// Deletes the fetched messages that this pong confirms from the mailbox.
    fn arrived(&mut self, mark: &[u8]) {
        let arrived = self.caller.fetched.arrived(mark);
        arrived.iter().for_each(|(topic, message)| self.flying.fetched(*topic, *message));
        if !arrived.is_empty() {
            self.relay.mailbox().take(self.caller.orderer(), arrived);
        }
    }

    /// Sends a message to the client, unless it was sent before or fetched.
    fn push(&mut self, outbox: &mut Outbox, message: &Message) -> Result<(), End> {
        let left = !self.inbox.has_joined(message.topic);
        if left || message.expires_at <= now() || self.caller.fetched.has(message.topic, message.id) {
            return Ok(());
        }
        if self.flying.is_full() {
            self.inbox.put_off(message.topic);
            return Ok(());
        }
        let Some(request) = self.flying.fly(message.topic, message.id) else { return Ok(()) };
        let subscription = id::subscription(message.topic, &self.caller.client.did);
        let data = message.json();
        say(
            outbox,
            format!(
                r#"{{"id":{request},"jsonrpc":"2.0","method":"irn_subscription","params":{{"id":"{subscription}","data":{data}}}}}"#
            ),
        )
    }

    /// Starts reading the next page of the mailboxes, if there is one.
    fn read_on(&mut self) -> Read {
        let inbox = &self.inbox;
        let Some((topics, after)) = self.unread.next(table::AT_ONCE, |topic| inbox.has_joined(topic)) else {
            return Fuse::terminated();
        };
        let (relay, client) = (self.relay.clone(), self.caller.client.id);
        let read = async move {
            if after == 0 {
                // A message is pushed before it is stored, so one that did not fit into the inbox may still be queued. If that write fails,
                // the message was never accepted.
                let _ = relay.mailbox().settled().await;
            }
            let found = table::waiting(&relay.database, client, &topics, (after, PAGE), now()).await;
            found.map_err(super::failed)
        };
        read.boxed().fuse()
    }

    fn found(&mut self, outbox: &mut Outbox, found: Result<Vec<table::Waiting>, Fault>) -> Result<(), End> {
        let Ok(found) = found else {
            return Err(End::Close(TRY_AGAIN_LATER, "Couldn't read the mailbox. Connect again."));
        };
        self.unread.was_read(found.last().map(|(place, _)| *place).filter(|_| found.len() == PAGE));
        for (_, message) in &found {
            self.push(outbox, message)?;
        }
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.relay.sockets.fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
        self.relay.hub.leave_all(&self.inbox);
        self.relay.leave(&self.caller.client);
    }
}

/// Restores the subscriptions that the client had before it connected.
async fn resumed(relay: Arc<Relay>, caller: Caller) -> Done {
    // If they cannot be read, the client still gets its messages when it subscribes.
    let Ok(known) = relay.topics_of(&caller.client).await else { return Done::default() };
    let mut topics: Vec<Topic> = known.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
    if let Some(inbox) = &caller.inbox {
        topics.retain(|topic| !inbox.has_joined(*topic) && relay.hub.join(*topic, inbox));
    }
    Done { listens: topics, ..Done::default() }
}

/// Sends the responses to requests received before the shutdown.
async fn last_answers(answers: &mut FuturesUnordered<BoxFuture<'static, Done>>, outbox: &mut Outbox) {
    let all = async {
        while let Some(done) = answers.next().await {
            if let Some(text) = done.text {
                say(outbox, text).ok()?;
            }
        }
        while outbox.is_busy() {
            outbox.send().await.ok()?;
        }
        Some(())
    };
    // A slower client publishes again.
    let _ = timeout(LAST_ANSWERS, all).await;
}

fn say(outbox: &mut Outbox, text: String) -> Result<(), End> {
    Ok(outbox.queue(text)?)
}
