//! One client's WebSocket, from its opening to its end.

use super::auth::Admitted;
use super::fetched::Fetched;
use super::flying::Flying;
use super::hub::Inbox;
use super::id::{self, Topic};
use super::message::Message;
use super::perform::{Ask, Caller, Done, hear, perform, refusal};
use super::unread::{Unread, due};
use super::{Client, Relay, fault::Fault, metrics, now, table};
use crate::AppState;
use crate::rpc::outbox::{Left, Outbox};
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, close_code};
use futures_util::future::{BoxFuture, Fuse, FusedFuture};
use futures_util::stream::{FuturesUnordered, SplitStream, StreamExt};
use futures_util::{FutureExt, SinkExt};
use std::net::IpAddr;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

/// A socket that says nothing takes no more than this to be read.
pub(super) const READ_BUFFER: usize = 4 * 1024;

/// What the socket itself may hold of what was not sent yet.
pub(super) const WRITE_BUFFER: usize = 8 * 1024 * 1024;

/// How often the client is asked whether it is there; who says nothing until the next time is given up. Clients that hear nothing for 31
/// seconds may think the relay dead.
const PING: Duration = Duration::from_secs(30);

/// So many requests of one client are worked on at once; more wait to be read.
const MOST_AT_ONCE: usize = 32;

/// The mailbox is read in pages of so many messages.
const PAGE: usize = 16;

/// A client that comes back and does not say to what it listens is told what it listened to before. Not at once: most clients do say, and
/// what they are told before that they acknowledge without looking at it.
const RESUME_AFTER: Duration = Duration::from_secs(5);

/// A client that is refused gets this long to hear why.
const GOODBYE: Duration = Duration::from_secs(5);

/// At the end of the server each client gets this long for the answers that are on their way.
const LAST_ANSWERS: Duration = Duration::from_secs(10);

/// Clients are told to go one a millisecond, so that they do not all come to the next node at once; faster where there are so many that it
/// would take longer than this many milliseconds.
const SPREAD: u32 = 20_000;

/// What one frame may hold: two messages, as `wc_approveSession` carries, and what stands around them.
pub(super) fn frame_limit(message: usize) -> usize {
    2 * message + 64 * 1024
}

/// Says why, and goes.
pub(super) async fn refuse(mut socket: WebSocket, code: u16, reason: String) {
    // RFC 6455 5.5: a control frame holds 125 bytes, two of them the code.
    let mut end = reason.len().min(123);
    while !reason.is_char_boundary(end) {
        end -= 1;
    }
    let frame = Frame::Close(Some(CloseFrame { code, reason: reason[..end].into() }));
    // Who does not hear it is gone.
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
    flying: Flying,
    unread: Unread,
}

type Read = Fuse<BoxFuture<'static, Result<Vec<table::Waiting>, Fault>>>;

enum End {
    Gone,
    Close(u16, &'static str),
}

impl From<Left> for End {
    fn from(left: Left) -> End {
        match left {
            Left::Gone => End::Gone,
            Left::Slow => End::Close(close_code::POLICY, "You read too slowly"),
            Left::Full => End::Close(TRY_AGAIN_LATER, "The server has too much to say at the moment"),
        }
    }
}

/// RFC 6455 7.4 and its registry.
const TRY_AGAIN_LATER: u16 = 1013;

impl Session {
    pub(super) fn new(state: AppState, relay: Arc<Relay>, admitted: Admitted, visitor: IpAddr) -> Session {
        let client: Arc<Client> = relay.client(admitted.client, &admitted.did);
        let (inbox, told) = Inbox::new(admitted.client);
        let caller = Caller { client, visitor, inbox: Some(inbox.clone()), fetched: Arc::new(Fetched::default()) };
        relay.sockets.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Session { state, relay, caller, inbox, told, flying: Flying::default(), unread: Unread::default() }
    }

    pub(super) async fn run(mut self, socket: WebSocket) {
        let _counted = metrics::Counted::begin();
        let (sink, mut stream) = socket.split();
        let mut outbox = Outbox::new(sink, self.state.memory());
        let end = self.converse(&mut stream, &mut outbox).await;
        self.relay.hub.leave_all(&self.inbox);
        if let End::Close(code, reason) = end {
            outbox.close(code, reason).await;
        }
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
            let hears = listens && !stop.is_terminated() && answers.len() < MOST_AT_ONCE;
            let done: Result<(), End> = tokio::select! {
                () = &mut stop => {
                    leave.set(sleep_until(Instant::now() + self.turn()).fuse());
                    Ok(())
                }
                () = &mut leave => {
                    last_answers(&mut answers, outbox).await;
                    return End::Close(close_code::AWAY, "The server stops; connect again");
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
                        // A frame that is too large, or no text though it says so.
                        Some(Err(_)) => return End::Close(close_code::SIZE, "The message is too long or no text"),
                    }
                }
                Some(done) = answers.next(), if listens => self.done(outbox, done),
                Some(message) = self.told.recv(), if listens => {
                    inbox.taken(&message);
                    self.tell(outbox, &message)
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

    /// When this client is told to go.
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
                // What waits for its turn takes memory of all.
                let mut share = self.state.memory().share();
                if share.grow(text.len()).is_err() {
                    return say(outbox, refusal(&asked.0, Fault::TooManyRequests));
                }
                let done = perform(self.relay.clone(), self.caller.clone(), asked);
                answers.push(done.map(move |done| (done, drop(share)).0).boxed());
                Ok(())
            }
        }
    }

    fn done(&mut self, outbox: &mut Outbox, Done { text, listens, fetched, acknowledged }: Done) -> Result<(), End> {
        if let Some(taken) = acknowledged.and_then(|id| self.flying.land(id)) {
            metrics::acknowledged();
            self.relay.mailbox().take(self.caller.client.id, vec![taken]);
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

    /// What was fetched before this pong's ping leaves the mailbox.
    fn arrived(&mut self, mark: &[u8]) {
        let arrived = self.caller.fetched.arrived(mark);
        arrived.iter().for_each(|(topic, message)| self.flying.fetched(*topic, *message));
        if !arrived.is_empty() {
            self.relay.mailbox().take(self.caller.client.id, arrived);
        }
    }

    /// Tells the client of a message, unless it was told already, or fetched it.
    fn tell(&mut self, outbox: &mut Outbox, message: &Message) -> Result<(), End> {
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

    /// Reads the next page of the mailboxes, if there is one.
    fn read_on(&mut self) -> Read {
        let inbox = &self.inbox;
        let Some((topics, after)) = self.unread.next(table::AT_ONCE, |topic| inbox.has_joined(topic)) else {
            return Fuse::terminated();
        };
        let (relay, client) = (self.relay.clone(), self.caller.client.id);
        let read = async move {
            if after == 0 {
                // A message is told before it is stored: what did not fit into the inbox may be on its way. Where that fails nothing
                // came of it.
                let _ = relay.mailbox().settled().await;
            }
            let found = table::waiting(&relay.database, client, &topics, (after, PAGE), now()).await;
            found.map_err(super::failed)
        };
        read.boxed().fuse()
    }

    fn found(&mut self, outbox: &mut Outbox, found: Result<Vec<table::Waiting>, Fault>) -> Result<(), End> {
        let Ok(found) = found else {
            return Err(End::Close(TRY_AGAIN_LATER, "The mailbox cannot be read at the moment"));
        };
        self.unread.was_read(found.last().map(|(place, _)| *place).filter(|_| found.len() == PAGE));
        for (_, message) in &found {
            self.tell(outbox, message)?;
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

/// What the client listened to before it came.
async fn resumed(relay: Arc<Relay>, caller: Caller) -> Done {
    // Where it cannot be read, the client has it when it asks.
    let Ok(known) = relay.topics_of(&caller.client).await else { return Done::default() };
    let mut topics: Vec<Topic> = known.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
    if let Some(inbox) = &caller.inbox {
        topics.retain(|topic| !inbox.has_joined(*topic));
        topics.iter().for_each(|topic| relay.hub.join(*topic, inbox));
    }
    Done { listens: topics, ..Done::default() }
}

/// What was asked before the end is still answered.
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
    // Who is slower than that publishes again.
    let _ = timeout(LAST_ANSWERS, all).await;
}

fn say(outbox: &mut Outbox, text: String) -> Result<(), End> {
    Ok(outbox.tell(text)?)
}
