//! Subscriptions of all clients of a chain over one connection to a node; equal ones are sent to it once (dedupe).

use super::dialect::Dialect;
use super::events::{Event, Teller};
use super::link::{Link, Lost, NodeMessage, PAUSE};
use crate::AppState;
use crate::rpc::answer::error;
use crate::rpc::question::object;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use portico_terms::ChainId;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

/// Interval of pings to the node.
const PING: Duration = Duration::from_secs(30);

/// A connection lost before this time counts as bad. After more than `MOST_BAD` in a row all clients are disconnected; before that,
/// each reconnection but the first is delayed, each time twice as long.
const GOOD: Duration = Duration::from_secs(10);
const MOST_BAD: u32 = 4;

/// Maximum number of different subscriptions per chain, and of subscriptions of one visitor.
const MOST: usize = 1000;
pub(in crate::rpc) const MOST_OF_VISITOR: usize = MOST / 8;

/// EIP-1474 error code.
const LIMIT_EXCEEDED: i64 = -32005;
const INTERNAL: i64 = -32603;

/// One hub per chain with subscriptions.
#[derive(Default)]
pub(in crate::rpc) struct Hubs {
    orders: Mutex<HashMap<ChainId, UnboundedSender<Order>>>,
    /// Number of ids that were given on Solana.
    given: AtomicU64,
}

/// One subscription of one client.
pub(super) struct Listener {
    /// Subscription id that the client knows, as JSON. No other listener has it.
    pub(super) id: Arc<str>,
    /// Queue of the session.
    pub(super) tell: Teller,
}

enum Order {
    Listen(Arc<str>, Listener),
    Leave(Arc<str>, Arc<str>),
}

impl Hubs {
    /// New subscription id as JSON, none if the system has no random bytes: unguessable on EVM chains; the next number on Solana, where pages
    /// read ids as doubles.
    pub(super) fn fresh_id(&self, dialect: Dialect) -> Option<String> {
        match dialect {
            Dialect::Eip155 => {
                let mut bytes = [0; 16];
                getrandom::fill(&mut bytes).ok()?;
                Some(format!("\"{}\"", alloy_primitives::hex::encode_prefixed(bytes)))
            }
            Dialect::Solana => Some((self.given.fetch_add(1, Ordering::Relaxed) + 1).to_string()),
        }
    }

    /// Subscribes to these parameters.
    pub(super) fn listen(
        &self,
        state: &AppState,
        (chain, dialect): (&ChainId, Dialect),
        params: Arc<str>,
        listener: Listener,
    ) {
        let mut hubs = self.lock();
        let order = match hubs.get(chain) {
            Some(hub) => hub.send(Order::Listen(params, listener)).err().map(|unsent| unsent.0),
            None => Some(Order::Listen(params, listener)),
        };
        let Some(order) = order else { return };
        let (hub, orders) = unbounded_channel();
        // Cannot fail: the receiver still exists here.
        let _ = hub.send(order);
        hubs.insert(chain.clone(), hub);
        let (state, chain) = (state.clone(), chain.clone());
        let (entries, upstream) = (HashMap::new(), Upstream::None);
        let hub = Hub { state, chain, dialect, orders, entries, upstream, opened: Instant::now(), bad: 0 };
        tokio::spawn(hub.run());
    }

    /// Removes the client's subscription with this id.
    pub(super) fn leave(&self, chain: &ChainId, params: Arc<str>, id: Arc<str>) {
        if let Some(hub) = self.lock().get(chain) {
            // A hub that has ended has no listeners left to remove.
            let _ = hub.send(Order::Leave(params, id));
        }
    }

    /// Removes a hub, unless it has unread orders. Returns whether it was removed.
    fn end(&self, hub: &Hub) -> bool {
        let mut hubs = self.lock();
        let ends = hub.orders.is_empty();
        if ends {
            hubs.remove(&hub.chain);
        }
        ends
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ChainId, UnboundedSender<Order>>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All subscriptions of one chain. Runs as long as there are any.
struct Hub {
    state: AppState,
    chain: ChainId,
    dialect: Dialect,
    orders: UnboundedReceiver<Order>,
    /// Entries by subscription parameters.
    entries: HashMap<Arc<str>, Entry>,
    upstream: Upstream,
    /// Time at which the last connection was opened, and the number of bad ones in a row.
    opened: Instant,
    bad: u32,
}

#[derive(Default)]
struct Entry {
    listeners: Vec<Listener>,
    /// Whether the current or an earlier node accepted the subscription.
    taken: bool,
    /// Whether the subscription waits until the connection has proved good.
    held: bool,
}

/// Connection to a node.
enum Upstream {
    None,
    Opening(BoxFuture<'static, Result<Link, Lost>>),
    Open(Box<Link>),
}

/// Progress of the connection, or a message from the node.
enum UpstreamEvent {
    Opened(Box<Link>),
    Message(NodeMessage),
}

impl Upstream {
    /// Cancel-safe.
    async fn next(&mut self) -> Result<UpstreamEvent, Lost> {
        match self {
            Upstream::None => std::future::pending().await,
            Upstream::Opening(opening) => opening.await.map(|link| UpstreamEvent::Opened(Box::new(link))),
            Upstream::Open(link) => link.next().await.map(UpstreamEvent::Message),
        }
    }
}

impl Entry {
    fn notify(&self, event: &Event) {
        for listener in &self.listeners {
            listener.tell.tell(&listener.id, event.clone());
        }
    }
}

impl Hub {
    async fn run(mut self) {
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        loop {
            tokio::select! {
                Some(order) = self.orders.recv() => self.take(order).await,
                heard = self.upstream.next() => self.hear(heard).await,
                _ = ping.tick() => {
                    if let Upstream::Open(link) = &mut self.upstream && link.ping().await.is_err() {
                        self.relink();
                    }
                }
                () = sleep_until(self.opened + GOOD), if self.bad > 0 && matches!(self.upstream, Upstream::Open(_)) => {
                    self.release().await;
                }
            }
            if self.entries.is_empty() {
                self.upstream = Upstream::None;
                if self.state.proxy().hubs.end(&self) {
                    return;
                }
            }
        }
    }

    async fn take(&mut self, order: Order) {
        match order {
            Order::Listen(params, listener) => self.listen(params, listener).await,
            Order::Leave(params, id) => self.leave(&params, &id).await,
        }
    }

    async fn listen(&mut self, params: Arc<str>, listener: Listener) {
        if self.entries.len() >= MOST && !self.entries.contains_key(&params) {
            let sentence =
                format!("The chain has reached its limit of {MOST} different subscriptions. Try again later.");
            let refused = Event::Refused(error(LIMIT_EXCEEDED, &sentence).into());
            return Entry { listeners: vec![listener], ..Entry::default() }.notify(&refused);
        }
        let suspects = self.suspects_new();
        let entry = self.entries.entry(params.clone()).or_default();
        let is_new = entry.listeners.is_empty();
        if is_new {
            entry.held = suspects;
        }
        if entry.taken {
            listener.tell.tell(&listener.id, Event::Taken);
        }
        entry.listeners.push(listener);
        match &mut self.upstream {
            Upstream::None => self.relink(),
            Upstream::Open(link) => {
                if is_new && !entry.held && link.subscribe(&params).await.is_err() {
                    self.relink();
                }
            }
            // Subscribed once the connection is open.
            Upstream::Opening(_) => {}
        }
    }

    async fn leave(&mut self, params: &Arc<str>, id: &str) {
        let Some(entry) = self.entries.get_mut(params) else { return };
        entry.listeners.retain(|listener| &*listener.id != id);
        if !entry.listeners.is_empty() {
            return;
        }
        self.entries.remove(params);
        if let Upstream::Open(link) = &mut self.upstream
            && link.unsubscribe(params).await.is_err()
        {
            self.relink();
        }
    }

    /// Connects to another node for the same subscriptions.
    fn relink(&mut self) {
        let lost = match &self.upstream {
            Upstream::Open(link) => Some(link.node().clone()),
            Upstream::None | Upstream::Opening(_) => None,
        };
        if let Some(lost) = &lost {
            tracing::warn!(chain = %self.chain, node = lost.host(), "lost the WebSocket to a node");
            lost.failed();
        }
        self.bad = if lost.is_some() && self.opened.elapsed() < GOOD { self.bad + 1 } else { 0 };
        if self.bad > 1 {
            self.leave_suspects();
        }
        let pause = self.bad.checked_sub(2).map(|times| PAUSE * 2_u32.pow(times));
        match self.state.chain(&self.chain).filter(|_| self.bad <= MOST_BAD) {
            Some(served) => self.upstream = Upstream::Opening(Link::open(served, self.dialect, lost, pause).boxed()),
            None => self.lose_all(),
        }
    }

    /// Whether a new subscription has to wait: nodes hung up on one that was refused for it, and it may come again at once. The next node
    /// would hang up on those of all other clients too, until there is none left.
    fn suspects_new(&self) -> bool {
        self.bad > 1 && self.any_taken()
    }

    fn any_taken(&self) -> bool {
        self.entries.values().any(|entry| entry.taken)
    }

    /// Subscribes to what had to wait, as the connection has proved good.
    async fn release(&mut self) {
        self.bad = 0;
        let Upstream::Open(link) = &mut self.upstream else { return };
        for (params, entry) in self.entries.iter_mut().filter(|(_, entry)| entry.held) {
            entry.held = false;
            if link.subscribe(params).await.is_err() {
                // The next read reports the lost connection.
                break;
            }
        }
    }

    /// Refuses the subscriptions that no node has accepted yet, as one of them may be why nodes hang up. Others were accepted before.
    fn leave_suspects(&mut self) {
        if !self.any_taken() {
            return;
        }
        let refused = Event::Refused(error(INTERNAL, "Nodes close this subscription. Poll instead.").into());
        for (_, entry) in self.entries.extract_if(|_, entry| !entry.taken && !entry.held) {
            entry.notify(&refused);
        }
    }

    fn lose_all(&mut self) {
        self.upstream = Upstream::None;
        for (_, entry) in self.entries.drain() {
            entry.notify(&Event::Lost);
        }
    }

    async fn hear(&mut self, heard: Result<UpstreamEvent, Lost>) {
        match heard {
            Ok(UpstreamEvent::Opened(mut link)) => {
                let holds = self.suspects_new();
                for (params, entry) in &mut self.entries {
                    entry.held &= holds;
                    if !entry.held && link.subscribe(params).await.is_err() {
                        // The next read reports the lost connection.
                        break;
                    }
                }
                self.upstream = Upstream::Open(link);
                self.opened = Instant::now();
            }
            Ok(UpstreamEvent::Message(told)) => self.node_message(told).await,
            Err(Lost) if matches!(self.upstream, Upstream::Opening(_)) => self.lose_all(),
            Err(Lost) => self.relink(),
        }
    }

    async fn node_message(&mut self, told: NodeMessage) {
        let Upstream::Open(link) = &mut self.upstream else { return };
        match told {
            NodeMessage::Taken(params) => match self.entries.get_mut(&params) {
                Some(entry) if !entry.taken => {
                    entry.taken = true;
                    entry.notify(&Event::Taken);
                }
                Some(_) => {}
                // All clients unsubscribed before the node accepted.
                None => {
                    if link.unsubscribe(&params).await.is_err() {
                        self.relink();
                    }
                }
            },
            NodeMessage::TakenLate(name) => {
                if link.unsubscribe_from(&name).await.is_err() {
                    self.relink();
                }
            }
            NodeMessage::Refused(params, error) => match self.entries.get(&params).map(|entry| entry.taken) {
                // An earlier node accepted it, so another one may again; but it must not cost the others one node after another.
                Some(true) if self.bad == 0 => self.relink(),
                Some(taken) => {
                    if let Some(entry) = self.entries.remove(&params) {
                        entry.notify(&if taken { Event::Lost } else { Event::Refused(error.into()) });
                    }
                }
                None => {}
            },
            NodeMessage::Happened(params, result) => {
                if let Some(number) = head(&result) {
                    link.node().saw_block(number);
                }
                let event = Event::Happened(result.into());
                if self.dialect.ends_with_event() {
                    // The node has ended it too.
                    self.entries.remove(&params).inspect(|entry| entry.notify(&event));
                } else if let Some(entry) = self.entries.get(&params) {
                    entry.notify(&event);
                }
            }
            NodeMessage::Nothing => {}
        }
    }
}

/// Block number of a `newHeads` notification.
fn head(result: &RawValue) -> Option<u64> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Head<'a> {
        #[serde(borrow)]
        number: Cow<'a, str>,
        #[serde(borrow, rename = "parentHash")]
        _parent: Cow<'a, str>,
    }
    let head: Head<'_> = object(result.get())?;
    crate::rpc::cache::quantity(&head.number)
}
