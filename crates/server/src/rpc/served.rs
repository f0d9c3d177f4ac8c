//! The served chains and the state of their nodes. All are replaced together when the configuration changes.

use super::metrics::OfChain;
use super::node::{Class, Node, NodeReport};
use crate::config::{self, Chain};
use crate::outbound::{NoTrust, http_client};
use portico_terms::ChainId;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Shortest delay before a hedged request to a second node, however fast the nodes are.
const SHORTEST_DELAY: Duration = Duration::from_millis(100);

/// Delay before a hedged request while there are too few samples.
const UNKNOWN_DELAY: Duration = Duration::from_millis(500);

/// Number of latest response times in the sample, and the minimum for an estimate.
const LOOKED_BACK: usize = 128;
const ENOUGH: usize = 8;

/// A head that is this many blocks above all others counts only when a second node reports one near it.
const FAR: u64 = 10_000;

/// Number of recent blocks whose state a node without an archive still has.
const REMEMBERED: u64 = 128;

/// All chains, in configuration order.
pub(crate) struct Chains {
    list: Vec<Arc<Served>>,
    places: HashMap<ChainId, usize>,
}

/// One chain with its nodes.
pub(crate) struct Served {
    chain: Arc<Chain>,
    nodes: Vec<Arc<Node>>,
    http: reqwest::Client,
    paces: [Mutex<Pace>; 2],
    counted: OfChain,
}

impl Chains {
    /// Nodes with an unchanged configuration `before` keep their state.
    pub(crate) fn new(chains: &[Chain], before: Option<&Chains>) -> Result<Chains, NoTrust> {
        let upstreams = || chains.iter().flat_map(|chain| &chain.upstreams);
        let tls = upstreams().any(|upstream| upstream.url.scheme() == "https");
        let http = http_client(tls)?;
        let serve = |chain: &Chain| {
            let old = before.and_then(|before| before.get(&chain.id));
            Arc::new(Served::new(chain.clone(), http.clone(), old.as_deref()))
        };
        let list: Vec<Arc<Served>> = chains.iter().map(serve).collect();
        let places = list.iter().enumerate().map(|(place, chain)| (chain.id.clone(), place)).collect();
        Ok(Chains { list, places })
    }

    pub(crate) fn get(&self, id: &ChainId) -> Option<Arc<Served>> {
        self.places.get(id).map(|place| self.list[*place].clone())
    }

    /// Whether these chains match the configuration.
    pub(crate) fn are(&self, chains: &[config::Chain]) -> bool {
        self.list.iter().map(|served| &*served.chain).eq(chains)
    }
}

impl Deref for Chains {
    type Target = [Arc<Served>];

    fn deref(&self) -> &[Arc<Served>] {
        &self.list
    }
}

impl Deref for Served {
    type Target = Chain;

    fn deref(&self) -> &Chain {
        &self.chain
    }
}

impl Served {
    fn new(chain: Chain, http: reqwest::Client, old: Option<&Served>) -> Served {
        let node = |upstream: &config::Upstream| {
            let known = old.and_then(|old| old.nodes.iter().find(|node| node.upstream() == upstream));
            known.cloned().unwrap_or_else(|| Arc::new(Node::new(&chain.id, upstream.clone())))
        };
        let nodes = chain.upstreams.iter().map(node).collect();
        let counted = OfChain::new(&chain.id);
        Served { chain: Arc::new(chain), nodes, http, paces: Default::default(), counted }
    }

    /// Configuration of the chain.
    pub(crate) fn config(&self) -> Arc<Chain> {
        self.chain.clone()
    }

    pub(super) fn counted(&self) -> &OfChain {
        &self.counted
    }

    /// State of each node, in configuration order.
    pub(crate) fn reports(&self) -> Vec<NodeReport> {
        self.nodes.iter().map(|node| node.report()).collect()
    }

    /// Updates the metric of resting nodes.
    pub(crate) fn update_resting_gauges(&self) {
        self.nodes.iter().for_each(|node| node.update_resting_gauge());
    }

    pub(super) fn http(&self) -> &reqwest::Client {
        &self.http
    }

    /// The nodes of a set (a bitmask with one bit per node), best first; resting ones come last.
    pub(super) fn order(&self, set: u64, class: Class) -> Vec<Arc<Node>> {
        self.ordered(set, |node, place, head, now| {
            let rank = node.rank(class, head, now);
            // Configuration order breaks ties.
            rank.later_by(place)
        })
    }

    /// Nodes that accept WebSockets, best first.
    pub(super) fn socket_nodes(&self) -> Vec<Arc<Node>> {
        let mut nodes = self.order(self.all_nodes(), Class::Light);
        nodes.retain(|node| node.upstream().ws_url.is_some());
        nodes
    }

    /// The nodes of a set in configuration order, resting ones last, for calls whose state only one node holds.
    pub(super) fn fixed_order(&self, set: u64) -> Vec<Arc<Node>> {
        self.ordered(set, |node, _, head, now| node.rank(Class::Light, head, now).resting)
    }

    fn ordered<K: PartialOrd>(&self, set: u64, key: impl Fn(&Node, usize, u64, Instant) -> K) -> Vec<Arc<Node>> {
        let (now, head) = (Instant::now(), self.head());
        let chosen = self.nodes.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
        let mut ranked: Vec<(K, &Arc<Node>)> =
            chosen.map(|(place, node)| (key(node, place, head, now), node)).collect();
        ranked.sort_by(|(one, _), (other, _)| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
        ranked.into_iter().map(|(_, node)| node.clone()).collect()
    }

    /// Bitmask of all nodes.
    pub(super) fn all_nodes(&self) -> u64 {
        u64::MAX >> (64 - self.nodes.len().clamp(1, 64))
    }

    /// Bitmask of the nodes for a method that reads the state at block `past`. All nodes, rather than none.
    pub(super) fn nodes_for(&self, method: &str, past: Option<u64>) -> u64 {
        let set = |fits: &dyn Fn(&config::Upstream) -> bool| {
            let nodes = self.nodes.iter().enumerate().filter(|(_, node)| fits(node.upstream()));
            nodes.fold(0, |set, (place, _)| set | 1_u64 << place)
        };
        let answers = |upstream: &config::Upstream| {
            upstream.methods.is_empty() || upstream.methods.iter().any(|named| named.covers(method))
        };
        let able = match set(&answers) {
            0 => self.all_nodes(),
            able => able,
        };
        let forgotten = past.is_some_and(|number| number + REMEMBERED < self.head());
        match set(&|upstream| upstream.archive) & able {
            archives if forgotten && archives != 0 => archives,
            _ => able,
        }
    }

    /// Highest block that a node reported, or 0. A block far above all others needs a second node that reports one near it.
    pub(super) fn head(&self) -> u64 {
        newest(self.nodes.iter().map(|node| node.head()))
    }

    /// Bitmask of the nodes that can confirm a block of this number: all that have not reported one near it. `None` if two nodes
    /// already reported one, or no other node is left.
    pub(super) fn others_than_at(&self, number: u64) -> Option<u64> {
        let near = |node: &Node| node.head().saturating_add(FAR) >= number;
        let others = self.nodes.iter().enumerate().filter(|(_, node)| !near(node));
        let set = others.fold(0, |set, (place, _)| set | 1_u64 << place);
        (set != 0 && self.nodes.iter().filter(|node| near(node)).count() < 2).then_some(set)
    }

    /// Newest final block. Based on the lowest head, so that one node cannot make blocks final by reporting a high one.
    pub(super) fn last_final(&self) -> Option<u64> {
        let lowest = self.nodes.iter().map(|node| node.head()).filter(|head| *head > 0).min()?;
        lowest.checked_sub(self.chain.finality_depth)
    }

    /// Records the time that a response took.
    pub(super) fn answered(&self, class: Class, took: Duration) {
        self.paces[class as usize].lock().unwrap_or_else(PoisonError::into_inner).add(took);
    }

    /// Delay after which a second node is queried as well.
    pub(super) fn hedge_delay(&self, class: Class) -> Duration {
        let pace = self.paces[class as usize].lock().unwrap_or_else(PoisonError::into_inner);
        pace.ninety_percent().map_or(UNKNOWN_DELAY, |usual| usual.max(SHORTEST_DELAY))
    }
}

/// Highest of these heads, where 0 is unknown; the second highest if the first is too far above it.
fn newest(heads: impl Iterator<Item = u64>) -> u64 {
    let (mut first, mut second) = (0, 0);
    for head in heads {
        second = second.max(head.min(first));
        first = first.max(head);
    }
    if second > 0 && first - second > FAR { second } else { first }
}

/// Ring of the latest response times.
#[derive(Default)]
struct Pace {
    took: Vec<Duration>,
    next: usize,
}

impl Pace {
    fn add(&mut self, took: Duration) {
        if self.took.len() < LOOKED_BACK {
            self.took.push(took);
        } else {
            self.took[self.next] = took;
        }
        self.next = (self.next + 1) % LOOKED_BACK;
    }

    /// The 90th percentile; `None` while there are too few samples.
    fn ninety_percent(&self) -> Option<Duration> {
        if self.took.len() < ENOUGH {
            return None;
        }
        let mut took = self.took.clone();
        let place = took.len() * 9 / 10;
        let (_, found, _) = took.select_nth_unstable(place.min(self.took.len() - 1));
        Some(*found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_far_beyond_all_others_is_not_the_newest() {
        for (heads, expected) in [
            (vec![], 0),
            (vec![7, 0], 7),
            (vec![u64::MAX, 0], u64::MAX),
            (vec![5, 9, 7], 9),
            (vec![u64::MAX, 5, 9], 9),
            (vec![9, u64::MAX], 9),
            (vec![u64::MAX, 9, u64::MAX - 1], u64::MAX),
            (vec![9, 9 + FAR], 9 + FAR),
            (vec![9, 10 + FAR], 9),
        ] {
            assert_eq!(newest(heads.iter().copied()), expected, "{heads:?}");
        }
    }

    #[test]
    fn a_second_node_is_asked_after_what_nine_of_ten_answers_take() {
        let mut pace = Pace::default();
        assert_eq!(pace.ninety_percent(), None);
        for millis in 0..1000 {
            pace.add(Duration::from_millis(if millis % 20 == 0 { 800 } else { 20 }));
        }
        assert_eq!(pace.ninety_percent(), Some(Duration::from_millis(20)));
        for _ in 0..LOOKED_BACK {
            pace.add(Duration::from_millis(300));
        }
        assert_eq!(pace.ninety_percent(), Some(Duration::from_millis(300)));
    }
}
