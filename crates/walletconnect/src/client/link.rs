//! Connection to one relay: opened when there are topics to subscribe or messages to send, reopened when it breaks, closed when idle.

use super::outbox::{Outbox, pause};
use super::post::Post;
use super::reason::{skew, will_not_mend};
use super::setup::Setup;
use super::world::World;
use super::{Event, Output, RelayOption, RelayState};
use crate::relay::{Answer, Delivery, MAX_BATCH, Received, RequestId, write_answer, write_call};
use portico_json::{Read, to_text};

/// Milliseconds after which a socket without topics and messages is closed.
const IDLE: u64 = 10_000;
/// Milliseconds without a frame after which a socket with an outstanding response counts as dead.
const DEAD: u64 = 15_000;
/// Milliseconds that a socket has to respond after the page slept.
const PROBE: u64 = 5000;
/// Milliseconds of silence after which a socket is probed while a message from a peer is expected.
const QUIET: u64 = 25_000;
/// Milliseconds after which an unanswered call counts as lost and its topics are subscribed again.
const MISSED: u64 = 30_000;
/// Close code for a frame that is too big (RFC 6455).
const TOO_BIG: i64 = 1009;
/// Longest delay between attempts, in milliseconds.
pub(super) const MAX_DELAY: u64 = 30_000;

/// Result of a link for the client.
pub(super) enum LinkEvent {
    Delivered(Delivery),
    /// Message that the relay accepted.
    Taken(Post),
    /// Message that was given up, with the reason.
    Failed(Post, String),
}

enum LinkCall {
    /// Topics, and whether to fetch their messages after the response. The response proves that the socket is alive: messages fetched on a
    /// dead socket are lost.
    Subscribe(Vec<String>, bool),
    Fetch(Vec<String>),
}

pub(super) struct Link {
    pub url: String,
    /// Whether new pairings use the relay; false if it only serves an old session.
    pub configured: bool,
    project: Option<String>,
    /// did:key with which the relay signs attestations.
    #[cfg(feature = "wallet")]
    pub attestation_key: Option<String>,
    socket: Option<u32>,
    state: RelayState,
    attempts: u32,
    /// Earliest time of the next attempt to open a socket, in epoch milliseconds.
    retry_at: u64,
    /// Time at which the idle socket is closed, in epoch milliseconds.
    idle_at: Option<u64>,
    /// Time since which a response is outstanding, in epoch milliseconds.
    owed_since: Option<u64>,
    /// Time of the last frame, in epoch milliseconds.
    heard_at: u64,
    /// Whether a message from a peer is expected.
    awaits: bool,
    /// Earliest time of the next subscription, in epoch milliseconds.
    subscribe_at: u64,
    subscribed: Vec<String>,
    /// Number of refused subscriptions since the last accepted one.
    refusals: u32,
    calls: Vec<(u64, LinkCall)>,
    outbox: Outbox,
    /// Seconds by which the relay's clock is ahead, as far as its close reasons say so.
    skew: i64,
    needed: bool,
}

impl Link {
    pub fn new(url: String, project: Option<String>, configured: bool) -> Link {
        Link {
            url,
            configured,
            project,
            #[cfg(feature = "wallet")]
            attestation_key: None,
            socket: None,
            state: RelayState::Closed,
            attempts: 0,
            retry_at: 0,
            idle_at: None,
            owed_since: None,
            heard_at: 0,
            awaits: false,
            subscribe_at: 0,
            subscribed: Vec::new(),
            refusals: 0,
            calls: Vec::new(),
            outbox: Outbox::default(),
            skew: 0,
            needed: false,
        }
    }

    /// Link to a relay of the configuration.
    pub fn configured(option: RelayOption) -> Link {
        let link = Link::new(option.relay_url, option.project_id, true);
        #[cfg(feature = "wallet")]
        let link = Link { attestation_key: option.attestation_key, ..link };
        link
    }

    pub fn has(&self, socket: u32) -> bool {
        self.socket == Some(socket)
    }

    pub fn post(&mut self, post: Post) {
        self.outbox.push(post);
    }

    /// Gives up the queued messages of a topic: all, or only those with a tag.
    pub fn forget(&mut self, topic: &str, tag: Option<u32>) {
        self.outbox.forget(topic, tag);
    }

    /// Shifts all times back after the clock was set back by `back` milliseconds.
    pub fn rewind(&mut self, back: u64) {
        self.outbox.rewind(back);
        let times = [&mut self.retry_at, &mut self.subscribe_at, &mut self.heard_at];
        for time in times.into_iter().chain(&mut self.idle_at).chain(&mut self.owed_since) {
            *time = time.saturating_sub(back);
        }
    }

    pub fn opened(&mut self, world: &mut World) {
        self.owed_since = None;
        self.heard_at = world.now;
        self.change(RelayState::Open, None, None, world);
    }

    pub fn closed(&mut self, code: Option<i64>, reason: Option<String>, world: &mut World) {
        self.socket = None;
        if code == Some(TOO_BIG) {
            self.outbox.give_up_largest();
        }
        self.lose();
        let text = reason.as_deref().unwrap_or_default();
        if let Some(skew) = skew(text, world.seconds()) {
            self.skew = skew;
        }
        let refused = code == Some(3000) && will_not_mend(text);
        let delay = (500 << self.attempts.min(6)).min(MAX_DELAY / 2);
        self.retry_at = world.now + delay + world.random.below(delay);
        self.attempts += 1;
        let state = if refused { RelayState::Refused } else { RelayState::Closed };
        self.change(state, code, reason, world);
    }

    /// Retries at once after the page came back online or into view, and probes an open socket.
    pub fn wake(&mut self, world: &mut World) {
        self.attempts = 0;
        self.retry_at = 0;
        match self.state {
            RelayState::Open => {
                self.probe(true, world);
                self.owed_since = self.owed_since.map(|_| world.now.saturating_sub(DEAD - PROBE));
            }
            RelayState::Refused => self.state = RelayState::Closed,
            _ => {}
        }
    }

    /// Handles a frame. The caller acknowledges a delivery with [`Link::acknowledge`] once it has processed it.
    pub fn message(&mut self, frame: &str, world: &mut World) -> (Option<RequestId>, Vec<LinkEvent>) {
        self.heard_at = world.now;
        let received = Received::parse(frame);
        // A response other than an error resets the backoff: a relay that only refuses must not be stormed when it hangs up.
        if !matches!(&received, None | Some(Received::Answer(Answer { outcome: Err(_), .. }))) {
            self.attempts = 0;
        }
        let (id, heard) = match received {
            Some(Received::Delivery { id, delivery }) => (Some(id), vec![LinkEvent::Delivered(delivery)]),
            Some(Received::Answer(answer)) => (None, self.answered(answer, world)),
            None => (None, Vec::new()),
        };
        let owes = !self.calls.is_empty() || self.outbox.flies();
        self.owed_since = owes.then_some(world.now);
        (id, heard)
    }

    pub fn acknowledge(&self, id: &RequestId, world: &mut World) {
        if let Some(socket) = self.socket {
            world.outputs.push(Output::Send { socket, text: write_answer(id, "true") });
        }
    }

    fn answered(&mut self, answer: Answer, world: &mut World) -> Vec<LinkEvent> {
        let id = answer.id.number();
        if let Some(index) = self.outbox.sent_as(id) {
            return Vec::from_iter(self.outbox.answered(index, answer.outcome, world.now));
        }
        let Some(index) = self.calls.iter().position(|call| call.0 == id) else { return Vec::new() };
        match (self.calls.swap_remove(index).1, answer.outcome) {
            (LinkCall::Subscribe(topics, _), Err(_)) => {
                self.subscribed.retain(|topic| !topics.contains(topic));
                self.subscribe_at = world.now + pause(&mut self.refusals);
                Vec::new()
            }
            (LinkCall::Subscribe(topics, fetch), Ok(_)) => {
                self.refusals = 0;
                if fetch {
                    self.fetch(topics, world);
                }
                Vec::new()
            }
            (LinkCall::Fetch(topics), Ok(value)) => {
                let items = value.get("messages").as_list().unwrap_or_default();
                let mut found: Vec<_> = items.iter().filter_map(|item| Delivery::read(item).ok()).collect();
                // Sort by the relay's clock, since the relay promises no order.
                in_order(&mut found);
                if value.get("hasMore").as_bool() == Some(true) && !found.is_empty() {
                    self.fetch(topics, world);
                }
                found.into_iter().map(LinkEvent::Delivered).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Brings the connection to the wanted state: topics to subscribe, messages in the outbox. Returns the messages that were given up.
    pub fn settle(&mut self, wanted: &[String], awaits: bool, setup: &Setup, world: &mut World) -> Vec<LinkEvent> {
        let given_up = self.outbox.give_up(world.now);
        self.awaits = awaits;
        self.miss_calls(world.now);
        if self.owed_since.is_some_and(|since| world.now >= since + DEAD) {
            self.hang_up(world);
            self.closed(None, Some("No answer".into()), world);
        }
        self.needed = !wanted.is_empty() || !self.outbox.is_empty();
        if self.needed {
            self.idle_at = None;
        }
        match self.state {
            RelayState::Closed if self.needed && self.retry_at <= world.now => self.open(setup, world),
            RelayState::Open => {
                self.subscribe(wanted, world);
                self.send_posts(world);
                self.close_when_idle(world);
                if awaits && self.owed_since.is_none() && world.now >= self.heard_at + QUIET {
                    self.probe(false, world);
                }
            }
            _ => {}
        }
        given_up
    }

    /// Drops calls that the relay left unanswered while it answered others. Their ids begin with the time.
    fn miss_calls(&mut self, now: u64) {
        while let Some(index) = self.calls.iter().position(|call| call.0 / 1000 + MISSED <= now) {
            if let LinkCall::Subscribe(topics, _) = self.calls.swap_remove(index).1 {
                self.subscribed.retain(|topic| !topics.contains(topic));
            }
        }
    }

    /// Time at which [`Link::settle`] has to be called again, in epoch milliseconds.
    pub fn next_timeout(&self) -> Option<u64> {
        let mut times = Vec::from_iter(self.idle_at);
        times.extend(self.owed_since.map(|since| since + DEAD));
        times.extend(self.outbox.ends());
        if self.needed && self.state == RelayState::Closed {
            times.push(self.retry_at);
        }
        if self.state == RelayState::Open {
            times.extend(self.outbox.dues());
            times.push(self.subscribe_at);
            times.extend(Some(self.heard_at + QUIET).filter(|_| self.awaits && self.owed_since.is_none()));
        }
        times.into_iter().filter(|time| *time > 0).min()
    }

    fn open(&mut self, setup: &Setup, world: &mut World) {
        let socket = world.socket();
        self.socket = Some(socket);
        self.owed_since = Some(world.now);
        let url = setup.address(&self.url, self.project.as_deref(), world.seconds().saturating_add_signed(self.skew));
        world.outputs.push(Output::Open { socket, url });
        self.change(RelayState::Connecting, None, None, world);
    }

    fn subscribe(&mut self, wanted: &[String], world: &mut World) {
        if world.now < self.subscribe_at {
            return;
        }
        self.subscribe_at = 0;
        let gone: Vec<_> = self.subscribed.iter().filter(|topic| !wanted.contains(topic)).cloned().collect();
        for topic in gone {
            self.subscribed.retain(|known| *known != topic);
            // Relays ignore the id, but some require one.
            let params = ["{\"topic\":\"", &topic, "\",\"id\":\"", &topic, "\"}"].concat();
            self.call("irn_unsubscribe", &params, world);
        }
        let first = self.subscribed.is_empty();
        let fresh: Vec<_> = wanted.iter().filter(|topic| !self.subscribed.contains(topic)).cloned().collect();
        for topics in fresh.chunks(MAX_BATCH) {
            // The first subscription also fetches: some relays do not deliver by themselves the messages that arrived while the socket was
            // closed.
            self.call_subscribe(topics, first, world);
            self.subscribed.extend_from_slice(topics);
        }
    }

    /// Subscribes again to topics that are subscribed already: harmless, and any response proves that the relay is there.
    fn probe(&mut self, fetch: bool, world: &mut World) {
        if self.calls.is_empty() && !self.subscribed.is_empty() {
            let topics: Vec<_> = self.subscribed.iter().take(MAX_BATCH).cloned().collect();
            self.call_subscribe(&topics, fetch, world);
        }
    }

    fn call_subscribe(&mut self, topics: &[String], fetch: bool, world: &mut World) {
        let id = match topics {
            [topic] => self.call("irn_subscribe", &["{\"topic\":\"", topic, "\"}"].concat(), world),
            _ => self.call("irn_batchSubscribe", &topics_json(topics), world),
        };
        self.calls.push((id, LinkCall::Subscribe(topics.to_vec(), fetch)));
        self.owe(world);
    }

    fn fetch(&mut self, topics: Vec<String>, world: &mut World) {
        let id = self.call("irn_batchFetchMessages", &topics_json(&topics), world);
        self.calls.push((id, LinkCall::Fetch(topics)));
        self.owe(world);
    }

    fn send_posts(&mut self, world: &mut World) {
        while let Some((index, params)) = self.outbox.due(world.now) {
            let id = self.call("irn_publish", &params, world);
            self.outbox.sent(index, id, world.now);
            self.owe(world);
        }
    }

    fn close_when_idle(&mut self, world: &mut World) {
        if self.needed {
            return;
        }
        let at = *self.idle_at.get_or_insert(world.now + IDLE);
        if world.now >= at {
            self.hang_up(world);
            self.retry_at = 0;
            self.change(RelayState::Closed, None, None, world);
        }
    }

    fn hang_up(&mut self, world: &mut World) {
        if let Some(socket) = self.socket.take() {
            world.outputs.push(Output::Close { socket });
        }
        self.lose();
    }

    /// Resets the state of a lost socket, so that its messages are sent again.
    fn lose(&mut self) {
        self.subscribed.clear();
        self.calls.clear();
        self.owed_since = None;
        self.idle_at = None;
        self.subscribe_at = 0;
        self.outbox.lose();
    }

    fn owe(&mut self, world: &World) {
        self.owed_since.get_or_insert(world.now);
    }

    fn call(&self, method: &str, params: &str, world: &mut World) -> u64 {
        let id = world.id();
        if let Some(socket) = self.socket {
            world.outputs.push(Output::Send { socket, text: write_call(&RequestId::from(id), method, params) });
        }
        id
    }

    fn change(&mut self, state: RelayState, code: Option<i64>, reason: Option<String>, world: &mut World) {
        if self.state != state || code.is_some() {
            self.state = state;
            world.emit(Event::Relay { relay_url: self.url.clone(), state, code, reason });
        }
    }
}

/// Sorts deliveries by time and keeps the order of equal times. Insertion sort: the list is short and nearly sorted.
fn in_order(found: &mut [Delivery]) {
    for end in 1..found.len() {
        for at in (0..end).rev() {
            if found[at].published_at <= found[at + 1].published_at {
                break;
            }
            found.swap(at, at + 1);
        }
    }
}

fn topics_json(topics: &[String]) -> String {
    ["{\"topics\":", &to_text(&topics.to_vec()), "}"].concat()
}
