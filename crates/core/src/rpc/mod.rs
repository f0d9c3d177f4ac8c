//! Chain reads: the calls of one turn are batched, failures are retried, endpoints are ranked (spec 7.8).

mod batch;
mod pair;
mod rank;
mod receipt;
mod retry;
#[cfg(test)]
mod tests;

pub use batch::BATCH_SIZE;
pub use pair::{Agreement, DISAGREED, Side, UNPROVEN, lone, reverted};
pub use rank::{RANK_SAMPLES, Rank};
pub use receipt::{POLLING_INTERVAL, RECEIPT_RETRIES, RECEIPT_TIMEOUT, Receipt, receipt_retry_delay};
pub use retry::{is_retryable, retry_delay};

use crate::app::Reason;
use crate::cx::Cx;
use crate::effect::{HttpMethod, Operation, Outcome};
use crate::facts::Facts;
use crate::http::{is_on_own_origin, is_ours};
use pair::Pairs;
use portico_json::{Map, Value};
use portico_terms::rpc::{RpcError, RpcErrorKind};
use portico_terms::{ChainId, Namespace};

/// Timeout of a request, in milliseconds (spec 7.8, 9.16).
pub const TIMEOUT: u32 = 10_000;

/// Error code if no endpoint of a chain is known.
pub const NO_ENDPOINT: i64 = 4901;

/// Number of retries of a failed batch.
const RETRIES: u32 = 3;

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// Failed requests are sent again (spec 8.53).
    Retry,
}

/// One read of a chain.
#[derive(Clone, Debug)]
pub struct ChainRead {
    pub chain: ChainId,
    /// "eth_getBalance"
    pub method: String,
    /// JSON-RPC parameters.
    pub params: Vec<Value>,
    /// Reason that routes the response.
    pub reason: Reason,
    pub nodes: Nodes,
}

/// Nodes that a read is sent to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Nodes {
    /// The best by rank.
    Any,
    /// As `Any`, for a library of the page that reads through a session's provider. The result is the response itself where it has a result
    /// or revert data.
    Library,
    /// Not the host's own server, whose word is to be checked; that one only where no other endpoint is known.
    Elsewhere,
    /// Two, where two are known: see `pair.rs`.
    Pair(Agreement),
    /// One half of a pair.
    Half(Side),
}

/// Response to one call.
pub type Answered = (Reason, Result<Value, RpcError>);

/// A batch of calls in flight or waiting for a retry.
#[derive(Debug)]
struct Batch {
    calls: Vec<ChainRead>,
    /// URLs it was sent to, the last one last.
    tried: Vec<String>,
    sent: u64,
    attempt: u32,
}

impl Batch {
    /// URL it was last sent to.
    fn url(&self) -> &str {
        self.tried.last().map_or("", String::as_str)
    }

    /// Whether there is an endpoint that it was not sent to.
    fn another(&self, facts: &Facts) -> bool {
        self.calls.first().is_some_and(|call| urls(facts, call).iter().any(|url| !self.tried.contains(url)))
    }
}

/// State of the RPC feature.
#[derive(Debug, Default)]
pub struct Rpc {
    next: u32,
    flying: Map<u32, Batch>,
    /// Batches waiting for a retry, each with its due time.
    resting: Vec<(u64, Batch)>,
    ranks: Map<String, Rank>,
    pairs: Pairs,
}

impl Rpc {
    /// Sends calls, grouped by chain in batches of at most [`BATCH_SIZE`]. Returns errors for those that cannot be sent.
    pub fn send(&mut self, calls: Vec<ChainRead>, cx: &mut Cx) -> Vec<Answered> {
        let mut refused = Vec::new();
        let mut groups: Vec<Vec<ChainRead>> = Vec::new();
        for call in self.pairs.split(calls) {
            let own = |group: &&mut Vec<ChainRead>| {
                group.first().is_some_and(|first| first.chain == call.chain && first.nodes == call.nodes)
            };
            match groups.iter_mut().find(own) {
                Some(group) => group.push(call),
                None => groups.push(vec![call]),
            }
        }
        for mut calls in groups {
            while !calls.is_empty() {
                let rest = calls.split_off(calls.len().min(BATCH_SIZE));
                let batch = Batch { calls, tried: Vec::new(), sent: 0, attempt: 0 };
                self.fly(batch, cx, &mut refused);
                calls = rest;
            }
        }
        refused
    }

    /// Sends a batch; adds errors for its calls if it cannot be sent.
    fn fly(&mut self, mut batch: Batch, cx: &mut Cx, refused: &mut Vec<Answered>) {
        // Untried endpoints come first, the best by rank; the one that just failed comes last.
        let tried = |url: &String| batch.tried.iter().rposition(|tried| tried == url);
        // In a pair the own server comes behind every other endpoint, whatever their rank.
        let checked = batch.calls.iter().any(|call| !matches!(call.nodes, Nodes::Any | Nodes::Library));
        let own = |url: &String| checked && is_on_own_origin(url, cx.facts);
        let cost = |url: &String| (tried(url), own(url), self.ranks.get(url).map_or(0, Rank::cost));
        let urls = batch.calls.first().map(|call| urls(cx.facts, call)).unwrap_or_default();
        let Some(url) = urls.into_iter().min_by_key(cost) else {
            for call in batch.calls {
                let error = RpcError::new(NO_ENDPOINT, "No RPC URL for this network. Add one to rpcUrls.");
                self.pairs.deliver(call.reason, Err(error), false, refused);
            }
            return;
        };
        batch.tried.push(url.clone());
        batch.sent = cx.now;
        self.next += 1;
        let body = Some(batch::body(&batch.calls));
        cx.ask(Operation::SendHttp { method: HttpMethod::Post, url, body, timeout: TIMEOUT }, Reason::Rpc(self.next));
        self.flying.insert(self.next, batch);
    }

    /// Whether a batch was sent to the host's own server.
    pub fn is_ours(&self, id: u32, facts: &Facts) -> bool {
        self.flying.get(&id).is_some_and(|batch| is_ours(batch.url(), facts))
    }

    /// Response to a batch; returns the responses to its calls.
    #[inline(never)]
    pub fn answered(&mut self, id: u32, outcome: Outcome, cx: &mut Cx) -> Vec<Answered> {
        let Some(batch) = self.flying.remove(&id) else { return Vec::new() };
        let ours = is_on_own_origin(batch.url(), cx.facts);
        // Another endpoint may serve what one refuses: a server only knows the chains of its own list.
        let refused = matches!(outcome, Outcome::HttpAnswered { status, .. } if !(200..300).contains(&status));
        let unasked = batch.another(cx.facts);
        let another = refused && unasked;
        let took = cx.now.saturating_sub(batch.sent);
        let (answers, retry_after) = batch::answers(&batch.calls, outcome);
        let well = answers.iter().any(Result::is_ok) || !refused && answers.iter().all(|answer| !retryable(answer));
        self.ranks.or_default(batch.url().into()).record(took, well);
        let mut done = Vec::new();
        let mut again = Vec::new();
        for (call, answer) in batch.calls.into_iter().zip(answers) {
            // A node that lacks a method is no reason to give up while there is another.
            let lacks = answer.as_ref().is_err_and(|error| error.kind == RpcErrorKind::MethodNotFound);
            let elsewhere = another || lacks && call.nodes != Nodes::Any && unasked;
            if (elsewhere || retryable(&answer)) && batch.attempt < RETRIES {
                again.push(call);
            } else {
                self.pairs.deliver(call.reason, answer, ours, &mut done);
            }
        }
        if !again.is_empty() {
            let due = cx.now + retry_delay(batch.attempt, retry_after);
            self.resting.push((due, Batch { calls: again, attempt: batch.attempt + 1, ..batch }));
            self.rest(cx);
        }
        done
    }

    fn rest(&self, cx: &mut Cx) {
        if let Some(due) = self.resting.iter().map(|(due, _)| *due).min() {
            cx.start(Alarm::Retry, due.saturating_sub(cx.now));
        }
    }

    /// Sends the batches that are due.
    #[inline(never)]
    pub fn alarm(&mut self, cx: &mut Cx) -> Vec<Answered> {
        let (due, rest): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.resting).into_iter().partition(|(due, _)| *due <= cx.now);
        self.resting = rest;
        self.rest(cx);
        let mut refused = Vec::new();
        for (_, batch) in due {
            self.fly(batch, cx, &mut refused);
        }
        refused
    }
}

fn retryable(answer: &Result<Value, RpcError>) -> bool {
    answer.as_ref().is_err_and(|error| is_retryable(error.code))
}

/// URLs of a read's endpoints: the host's own, then the host's server, then the network's. For one half of a pair, those of its side; for a
/// library, the one that the host names for sessions first.
fn urls(facts: &Facts, call: &ChainRead) -> Vec<String> {
    let (options, chain) = (&facts.options, &call.chain);
    let mut urls = options.custom_rpc_urls.get(&chain.to_string()).cloned().unwrap_or_default();
    if let (Some(base), Some(project)) = (&options.endpoint, &options.project_id) {
        urls.push([base, "/v1?chainId=", &chain.to_string(), "&projectId=", project].concat());
    }
    // Those of a Bitcoin network have no JSON-RPC: the server asks them, in their own words (Esplora).
    let speaks = |network: &&std::rc::Rc<portico_terms::Network>| network.chain_namespace != Namespace::Bip122;
    if let Some(network) = facts.network(chain).filter(speaks) {
        urls.extend(network.rpc_urls.default.http.iter().cloned());
    }
    match call.nodes {
        Nodes::Half(side) => pair::side(urls, side, facts),
        Nodes::Library => {
            let session = options.asked.get("rpcMap").get(&chain.to_string()).as_str();
            if let Some(session) = session {
                urls.insert(0, session.into());
            }
            urls
        }
        Nodes::Elsewhere if urls.iter().any(|url| !is_on_own_origin(url, facts)) => {
            urls.retain(|url| !is_on_own_origin(url, facts));
            urls
        }
        _ => urls,
    }
}
