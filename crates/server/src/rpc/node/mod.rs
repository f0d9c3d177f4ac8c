//! A node of a chain: its configuration, and its observed health and speed.

mod breaker;
mod rate;
mod score;

use super::metrics::NodeMetrics;
use crate::config::Upstream;
use breaker::Breaker;
use portico_terms::ChainId;
use rate::Rate;
use score::Score;
use std::fmt::Display;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

pub(super) use rate::Slot;
pub(super) use score::Class;

/// Rest of a node after it reported a rate limit.
const TOO_OFTEN: Duration = Duration::from_secs(2);

/// Number of blocks that a node may lag behind the chain without a penalty.
const LAG: u64 = 2;

/// Penalty for each further block of lag, in the unit of a score.
const BEHIND: f64 = 200.0;

/// Number of failures in a row after which a node that answered before counts as failing.
const FAILING: u32 = 3;

/// Minimum length of a URL part that is treated as a possible key.
const SHORTEST_KEY: usize = 8;

pub(crate) struct Node {
    upstream: Upstream,
    /// Highest block that the node reported, or 0.
    head: AtomicU64,
    seen: Mutex<Seen>,
    counted: NodeMetrics,
}

struct Seen {
    score: Score,
    breaker: Breaker,
    rate: Option<Rate>,
    /// Whether a result of it was ever used.
    proven: bool,
    /// Failures since its last usable result.
    failed: u32,
    /// Cause of the last of them, in words.
    cause: String,
}

/// State of a node, for operators.
#[derive(Clone, Debug)]
pub(crate) struct NodeReport {
    /// Host and port, without the path, where providers put keys.
    pub(crate) host: String,
    /// Whether it is not used for a while because it failed.
    pub(crate) resting: bool,
    /// Cause, in words, of a node whose recent answers are all errors.
    pub(crate) failing: Option<String>,
    /// Last known latency of light calls, or else of heavy ones, in milliseconds, and its age.
    pub(crate) latency: Option<(f64, Duration)>,
    /// Highest block that it reported, or 0.
    pub(crate) head: u64,
}

/// Sort key of a node among the nodes of its chain; the lowest is queried first.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Rank {
    /// The circuit breaker is open, so the node is queried last.
    pub(super) resting: bool,
    /// The configured rate limit is used up.
    limited: bool,
    tier: u8,
    cost: f64,
}

impl Rank {
    /// Rank with a small penalty for a later place in the configuration, which is the tie-breaker.
    pub(super) fn later_by(self, place: usize) -> Rank {
        let place = place as f64;
        Rank { cost: self.cost * (1.0 + place / 10.0) + 5.0 * place, ..self }
    }
}

impl Node {
    pub(super) fn new(chain: &ChainId, upstream: Upstream) -> Node {
        let now = Instant::now();
        let rate = upstream.rps.map(|rps| Rate::new(rps, now));
        let seen = Seen {
            score: Score::new(now),
            breaker: Breaker::new(),
            rate,
            proven: false,
            failed: 0,
            cause: String::new(),
        };
        let counted = NodeMetrics::new(chain, &host(&upstream));
        Node { upstream, head: AtomicU64::new(0), seen: Mutex::new(seen), counted }
    }

    pub(super) fn upstream(&self) -> &Upstream {
        &self.upstream
    }

    /// Host and port for logs, without the path, where providers put keys.
    pub(super) fn host(&self) -> String {
        host(&self.upstream)
    }

    /// Rank for a call of this class, where `head` is the newest block of the chain.
    pub(super) fn rank(&self, class: Class, head: u64, now: Instant) -> Rank {
        let behind = match self.head() {
            0 => 0,
            own => head.saturating_sub(own).saturating_sub(LAG).min(100),
        };
        let seen = self.seen();
        Rank {
            resting: !seen.breaker.lets_through(now),
            limited: seen.rate.as_ref().is_some_and(|rate| !rate.wait(now).is_zero()),
            tier: self.upstream.tier,
            cost: seen.score.cost(class, now) + BEHIND * behind as f64,
        }
    }

    /// Reserves one request for a visitor, or for the server itself, if it may be sent after a delay of at most `at_most`.
    pub(super) fn ask(&self, visitor: Option<IpAddr>, at_most: Duration) -> Slot {
        let now = Instant::now();
        let mut seen = self.seen();
        let slot = seen.rate.as_mut().map_or(Slot::Taken(Duration::ZERO), |rate| rate.take(visitor, now, at_most));
        if matches!(slot, Slot::Taken(_)) {
            seen.breaker.asked(now);
        }
        slot
    }

    pub(super) fn answered(&self, class: Class, took: Duration) {
        self.counted.took(took);
        let mut seen = self.seen();
        seen.score.answered(class, took, Instant::now());
        seen.breaker.answered();
    }

    /// Records whether its last answer was usable, or why not.
    pub(super) fn judge(&self, cause: Option<&dyn Display>) {
        let mut seen = self.seen();
        match cause {
            None => (seen.proven, seen.failed) = (true, 0),
            Some(cause) => (seen.failed, seen.cause) = (seen.failed.saturating_add(1), cause.to_string()),
        }
    }

    pub(super) fn failed(&self) {
        self.counted.failed.increment(1);
        self.fail();
    }

    fn fail(&self) {
        let now = Instant::now();
        let mut seen = self.seen();
        seen.score.failed(now);
        seen.breaker.failed(now);
    }

    /// Records a rate-limit error from the node's provider.
    pub(super) fn limited(&self) {
        self.counted.limited.increment(1);
        self.fail();
        self.seen().breaker.trip(Instant::now(), TOO_OFTEN);
    }

    pub(super) fn overtaken(&self, class: Class, waited: Duration) {
        self.counted.overtaken.increment(1);
        let now = Instant::now();
        let mut seen = self.seen();
        seen.score.overtaken(class, waited, now);
        seen.breaker.failed(now);
    }

    /// Records a node that did not respond or cannot be reached.
    pub(super) fn gone(&self) {
        self.counted.silent.increment(1);
        self.fail();
        self.seen().breaker.trip(Instant::now(), breaker::REST);
    }

    /// Updates the metric that says whether the node's breaker is open.
    pub(super) fn update_resting_gauge(&self) {
        self.counted.rests(!self.seen().breaker.lets_through(Instant::now()));
    }

    /// State for operators.
    pub(super) fn report(&self) -> NodeReport {
        let now = Instant::now();
        let seen = self.seen();
        NodeReport {
            host: self.host(),
            resting: !seen.breaker.lets_through(now),
            failing: seen.is_failing().then(|| seen.cause.clone()),
            latency: [Class::Light, Class::Heavy].into_iter().find_map(|class| seen.score.latency(class, now)),
            head: self.head(),
        }
    }

    pub(super) fn head(&self) -> u64 {
        self.head.load(Ordering::Relaxed)
    }

    pub(super) fn saw_block(&self, number: u64) {
        self.head.fetch_max(number, Ordering::Relaxed);
    }

    /// Whether a text from the node reveals its host or a part of its URL that may be a key.
    pub(super) fn is_revealed_by(&self, text: &str) -> bool {
        let urls = [Some(&self.upstream.url), self.upstream.ws_url.as_ref()];
        urls.into_iter().flatten().any(|url| {
            let host = url.host_str().filter(|host| host.len() >= SHORTEST_KEY);
            let path = url.path_segments().into_iter().flatten();
            let query = url.query().into_iter().flat_map(|query| query.split(['&', '=']));
            let user = [url.username(), url.password().unwrap_or_default()];
            path.chain(query)
                .chain(user)
                .filter(|part| part.len() >= SHORTEST_KEY)
                .chain(host)
                .any(|part| text.contains(part))
        })
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn is_failing(&self) -> bool {
        self.failed >= if self.proven { FAILING } else { 1 }
    }
}

/// Host and port, without the path, where providers put keys.
fn host(upstream: &Upstream) -> String {
    let host = upstream.url.host_str().unwrap_or_default();
    upstream.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upstream(url: &str) -> Upstream {
        Upstream {
            url: url.parse().unwrap(),
            ws_url: None,
            tier: 0,
            rps: None,
            methods: vec![],
            archive: false,
            max_block_range: None,
        }
    }

    #[test]
    fn a_node_is_failing_while_its_recent_answers_are_all_errors() {
        let node = Node::new(&"eip155:1".parse().unwrap(), upstream("https://node.example"));
        let failing = || node.report().failing;
        assert_eq!(failing(), None);
        node.judge(Some(&"it answered with status 401"));
        assert_eq!(failing().as_deref(), Some("it answered with status 401"));
        node.judge(None);
        for _ in 1..FAILING {
            node.judge(Some(&"it can't be reached"));
        }
        // Its last usable answer is recent.
        assert_eq!(failing(), None);
        node.judge(Some(&"the connection broke"));
        assert_eq!(failing().as_deref(), Some("the connection broke"));
        node.judge(None);
        assert_eq!(failing(), None);
    }

    #[test]
    fn neither_the_host_nor_a_key_may_be_told() {
        let chain = "eip155:1".parse().unwrap();
        let node =
            Node::new(&chain, upstream("https://user:passw0rd@node.example/v2/0123456789abcdef?token=feedfacefeed"));
        for text in ["see https://node.example/status", "key 0123456789abcdef", "feedfacefeed", "passw0rd"] {
            assert!(node.is_revealed_by(text), "{text}");
        }
        for text in ["execution reverted", "v2 of user", ""] {
            assert!(!node.is_revealed_by(text), "{text}");
        }
    }
}
