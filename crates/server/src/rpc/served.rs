//! The chains that are served, with what is known of their nodes. They are replaced as a whole when the configuration changes.

use super::metrics::OfChain;
use super::node::{Class, Node};
use crate::config::{self, Chain};
use crate::state::NoTrust;
use portico_terms::ChainId;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A second node is not asked before this time, however quick the nodes are.
const SHORTEST_DELAY: Duration = Duration::from_millis(100);

/// While little is known of a chain, a second node is asked after this time.
const UNKNOWN_DELAY: Duration = Duration::from_millis(500);

/// So many answers are looked back on, and so many are needed to know anything.
const LOOKED_BACK: usize = 128;
const ENOUGH: usize = 8;

/// A block that is so far beyond those of all other nodes exists when a second node tells of one near it.
const FAR: u64 = 10_000;

/// Nodes that are no archives know the state of so many blocks.
const REMEMBERED: u64 = 128;

/// All chains, in the order of the configuration.
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
    /// Nodes that were served `before` in the same way keep what is known of them.
    pub(crate) fn new(chains: &[Chain], before: Option<&Chains>) -> Result<Chains, NoTrust> {
        let upstreams = || chains.iter().flat_map(|chain| &chain.upstreams);
        let tls = upstreams().any(|upstream| upstream.url.scheme() == "https");
        let http = crate::state::http_client(tls)?;
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

    /// Whether the configuration says the same as these.
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

    /// What the configuration says of it.
    pub(crate) fn config(&self) -> Arc<Chain> {
        self.chain.clone()
    }

    pub(super) fn counted(&self) -> &OfChain {
        &self.counted
    }

    /// Tells whoever looks at the metrics which nodes are left alone now.
    pub(crate) fn tell_rests(&self) {
        self.nodes.iter().for_each(|node| node.tell_rest());
    }

    pub(super) fn http(&self) -> &reqwest::Client {
        &self.http
    }

    /// The nodes of a set (one bit a node), the best first; those that rest come last.
    pub(super) fn order(&self, set: u64, class: Class) -> Vec<Arc<Node>> {
        self.ordered(set, |node, place, head, now| {
            let rank = node.rank(class, head, now);
            // Among equals the order of the configuration holds.
            rank.later_by(place)
        })
    }

    /// Those that take WebSockets, the best first.
    pub(super) fn socket_nodes(&self) -> Vec<Arc<Node>> {
        let mut nodes = self.order(self.all_nodes(), Class::Light);
        nodes.retain(|node| node.upstream().ws_url.is_some());
        nodes
    }

    /// The same in the order of the configuration, for calls whose answer only one node knows.
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

    /// The set of all nodes.
    pub(super) fn all_nodes(&self) -> u64 {
        u64::MAX >> (64 - self.nodes.len().clamp(1, 64))
    }

    /// The set of the nodes that may be asked a method, about the state at a block of the `past`. All, rather than none.
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

    /// The newest block that any node told of, or 0. One that is far beyond all others is not believed to the node that told of it alone.
    pub(super) fn head(&self) -> u64 {
        newest(self.nodes.iter().map(|node| node.head()))
    }

    /// The set of the nodes that can say whether there is a block of this number: all but those that told of one near it. None where
    /// two of them did.
    pub(super) fn others_than_at(&self, number: u64) -> Option<u64> {
        let near = |node: &Node| node.head().saturating_add(FAR) >= number;
        let others = self.nodes.iter().enumerate().filter(|(_, node)| !near(node));
        let set = others.fold(0, |set, (place, _)| set | 1_u64 << place);
        (set != 0 && self.nodes.iter().filter(|node| near(node)).count() < 2).then_some(set)
    }

    /// The newest block that stays. One node alone cannot make the others' blocks final by telling of a high one.
    pub(super) fn last_final(&self) -> Option<u64> {
        let lowest = self.nodes.iter().map(|node| node.head()).filter(|head| *head > 0).min()?;
        lowest.checked_sub(self.chain.finality_depth)
    }

    /// An answer came after so long.
    pub(super) fn answered(&self, class: Class, took: Duration) {
        self.paces[class as usize].lock().unwrap_or_else(PoisonError::into_inner).add(took);
    }

    /// After this time without an answer another node is asked too.
    pub(super) fn hedge_delay(&self, class: Class) -> Duration {
        let pace = self.paces[class as usize].lock().unwrap_or_else(PoisonError::into_inner);
        pace.ninety_percent().map_or(UNKNOWN_DELAY, |usual| usual.max(SHORTEST_DELAY))
    }
}

/// The highest of these numbers, of which 0 is none; the next one where it is far beyond that.
fn newest(heads: impl Iterator<Item = u64>) -> u64 {
    let (mut first, mut second) = (0, 0);
    for head in heads {
        second = second.max(head.min(first));
        first = first.max(head);
    }
    if second > 0 && first - second > FAR { second } else { first }
}

/// How long the last answers took.
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

    /// So many of them took no longer.
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
