//! Reads that two nodes answer: both answers have to agree. One node that lies, or the host's own server, then changes nothing.

use super::{Answered, ChainRead, NO_ENDPOINT, Nodes};
use crate::app::Reason;
use crate::facts::Facts;
use crate::http::{is_on_own_origin, origin};
use portico_json::{Value, to_text};
use portico_terms::Amount;
use portico_terms::rpc::RpcError;

/// Error code if two nodes answer differently.
pub const DISAGREED: i64 = -38_001;

/// Error code if no node but the host's own server answers.
pub const UNPROVEN: i64 = -38_002;

/// Field of a successful receipt that only one of two nodes has.
const LONE: &str = "lone";

/// Field of the revert data in an answer to a pair: for name lookups, a revert is an answer.
const REVERTED: &str = "reverted";

/// Half of a pair. The endpoints of a chain are divided between both, by origin.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Side {
    /// Nodes other than the host's own server.
    First,
    /// The host's own server, and the last of several other nodes.
    Second,
}

/// Rule that makes one answer of those of two nodes. Where another node is known but does not answer, the host's own server is believed alone
/// about fees only.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Agreement {
    /// The answer, if both gave the same, or only one answered.
    Same,
    /// As `Same`, but the only answer does not count where another node is known.
    Both,
    /// As `Same`, but the host's own server is not believed where no other node is known either.
    Proven,
    /// The lower of two fees, or the only one.
    Lower,
    /// The lower of two numbers of transactions or blocks.
    Count,
    /// A transaction: fields that nodes add of their own do not count, and a node that does not know it yet denies it.
    Transaction,
    /// As `Transaction`, but the host's own server is not believed where no other node is known either.
    ProvenTransaction,
    /// A block with its transactions, compared as by `Transaction`.
    Block,
    /// A receipt: a failure only if no other node denies or misses it; a success that the other node misses is a [`lone`] one.
    Receipt,
}

impl Agreement {
    /// Whether the host's own server is not believed where no other node is known.
    fn needs_proof(self) -> bool {
        matches!(self, Agreement::Proven | Agreement::ProvenTransaction)
    }

    /// Answer if only the host's own server gave one.
    fn of_own_server(self, answer: Value) -> Result<Value, RpcError> {
        match self {
            Agreement::Lower => Ok(answer),
            Agreement::Receipt => receipt(unmarked(answer), Value::Null),
            _ => Err(RpcError::new(UNPROVEN, "Only the page's own server answered")),
        }
    }

    fn is_about_transaction(self) -> bool {
        matches!(self, Agreement::Transaction | Agreement::ProvenTransaction)
    }
}

/// Answer of one side, and whether it is that of the host's own server.
type Told = (Result<Value, RpcError>, bool);

/// A read that both sides are asked.
#[derive(Debug)]
struct Pair {
    number: u32,
    reason: Reason,
    agreement: Agreement,
    /// Answer of one side.
    first: Option<Told>,
}

/// Pairs in flight.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    next: u32,
    flying: Vec<Pair>,
}

impl Pairs {
    /// Replaces each read for a pair of nodes by its two halves.
    pub fn split(&mut self, mut calls: Vec<ChainRead>) -> Vec<ChainRead> {
        for at in 0..calls.len() {
            let call = &mut calls[at];
            if let Nodes::Pair(agreement) = call.nodes {
                self.next += 1;
                call.nodes = Nodes::Half(Side::First);
                let reason = std::mem::replace(&mut call.reason, Reason::Pair(self.next));
                self.flying.push(Pair { number: self.next, reason, agreement, first: None });
                let second = ChainRead {
                    chain: call.chain.clone(),
                    method: call.method.clone(),
                    params: call.params.clone(),
                    reason: Reason::Pair(self.next),
                    nodes: Nodes::Half(Side::Second),
                };
                calls.push(second);
            }
        }
        calls
    }

    /// Adds an answer to those that are done; the first half of a pair waits for the other one.
    pub fn deliver(&mut self, reason: Reason, answer: Result<Value, RpcError>, ours: bool, done: &mut Vec<Answered>) {
        let Reason::Pair(number) = reason else { return done.push((reason, answer)) };
        let Some(at) = self.flying.iter().position(|pair| pair.number == number) else { return };
        let told = (answer, ours);
        match self.flying[at].first.take() {
            None => self.flying[at].first = Some(told),
            Some(first) => {
                let Pair { reason, agreement, .. } = self.flying.remove(at);
                done.push((reason, both(agreement, first, told)));
            }
        }
    }
}

/// Answer of a pair. A node that does not answer is not counted, but the host's own server is not believed alone.
fn both(agreement: Agreement, one: Told, other: Told) -> Result<Value, RpcError> {
    let lowers = matches!(agreement, Agreement::Lower | Agreement::Count);
    match (one, other) {
        ((Ok(one), _), (Ok(other), _)) if lowers => Ok(lower(one, other)),
        ((Ok(one), _), (Ok(other), _)) if agreement == Agreement::Receipt => receipt(unmarked(one), unmarked(other)),
        ((Ok(one), _), (Ok(other), _)) if agreement.is_about_transaction() => transaction(one, &other),
        ((Ok(one), _), (Ok(other), _)) if agreement == Agreement::Block => block(one, &other),
        ((Ok(one), _), (Ok(other), _)) if same(&one, &other) => Ok(one),
        ((Ok(_), _), (Ok(_), _)) => Err(disagreed()),
        ((Ok(_), _), (Err(error), _)) | ((Err(error), _), (Ok(_), _))
            if agreement == Agreement::Both && error.code != NO_ENDPOINT =>
        {
            Err(error)
        }
        ((Ok(own), true), (Err(error), _)) | ((Err(error), _), (Ok(own), true))
            if error.code != NO_ENDPOINT || agreement.needs_proof() =>
        {
            agreement.of_own_server(own)
        }
        ((Ok(answer), _), _) | (_, (Ok(answer), _)) => Ok(answer),
        ((error, _), _) => error,
    }
}

/// The lower of two quantities; one that is none does not count.
fn lower(one: Value, other: Value) -> Value {
    let amount = |value: &Value| value.as_str().and_then(|text| Amount::from_hex(text).ok());
    match (amount(&one), amount(&other)) {
        (Some(first), Some(second)) if second < first => other,
        (None, Some(_)) => other,
        _ => one,
    }
}

/// One receipt of the two that two nodes gave for a transaction. Nodes may be a block apart, so one of them may not know it yet.
fn receipt(one: Value, other: Value) -> Result<Value, RpcError> {
    const SUCCESS: &str = "0x1";
    let lone = |receipt| Ok(Value::Object(vec![(LONE.into(), receipt)]));
    match (one.get("status").as_str(), other.get("status").as_str()) {
        (Some(_), Some(_)) if ["status", "from", "to"].iter().any(|field| !same(one.get(field), other.get(field))) => {
            Err(disagreed())
        }
        (Some(_), Some(_)) => Ok(agreed_logs(one, &other)),
        (None, None) => Ok(Value::Null),
        (Some(SUCCESS), None) => lone(one),
        (None, Some(SUCCESS)) => lone(other),
        // A failure that one node misses: that node's `null` means not yet.
        (Some(_), None) => Ok(other),
        (None, Some(_)) => Ok(one),
    }
}

/// Receipt with its logs if two nodes tell the same ones, else without: one of them made up amounts.
fn agreed_logs(mut one: Value, other: &Value) -> Value {
    let told = |receipt: &Value| {
        let text =
            |log: &Value| ["address", "topics", "data"].map(|field| to_text(log.get(field)).to_ascii_lowercase());
        receipt.get("logs").as_list().map(|logs| logs.iter().map(text).collect::<Vec<_>>())
    };
    if told(&one) != told(other)
        && let Value::Object(fields) = &mut one
    {
        fields.retain(|(name, _)| name != "logs");
    }
    one
}

/// Answer of a node about a receipt. The mark of a [`lone`] receipt is ours: a node that sends it has no receipt.
fn unmarked(answer: Value) -> Value {
    if answer.get(LONE).is_null() { answer } else { Value::Null }
}

/// Successful receipt that only one of two nodes has: the other one is behind, or the one lies.
pub fn lone(answer: &Value) -> Option<&Value> {
    Some(answer.get(LONE)).filter(|receipt| !receipt.is_null())
}

/// The transaction that two nodes gave for a hash; `Null` if one of them does not know it yet.
fn transaction(one: Value, other: &Value) -> Result<Value, RpcError> {
    if one.is_null() || other.is_null() {
        return Ok(Value::Null);
    }
    if is_same_transaction(&one, other) { Ok(one) } else { Err(disagreed()) }
}

/// The block that two nodes gave for a number; `Null` if both do not know it.
fn block(one: Value, other: &Value) -> Result<Value, RpcError> {
    let [first, second] = [&one, other].map(|block| block.get("transactions").as_list().unwrap_or_default());
    let agreed = one.is_null() == other.is_null()
        && first.len() == second.len()
        && first.iter().zip(second).all(|(one, other)| is_same_transaction(one, other));
    if agreed { Ok(one) } else { Err(disagreed()) }
}

fn is_same_transaction(one: &Value, other: &Value) -> bool {
    const FIELDS: [&str; 6] = ["hash", "from", "to", "nonce", "value", "input"];
    FIELDS.into_iter().all(|field| same(one.get(field), other.get(field)))
}

fn disagreed() -> RpcError {
    RpcError::new(DISAGREED, "Two nodes gave different answers")
}

/// Whether two answers are the same. Hex may be in either case, and nodes of Solana may be a block apart.
fn same(one: &Value, other: &Value) -> bool {
    if [one, other].iter().all(|answer| !answer.get("context").is_null()) {
        return one.get("value") == other.get("value");
    }
    let hex = match (reverted(one), reverted(other)) {
        (None, None) => (one.as_str(), other.as_str()),
        reverts => reverts,
    };
    match hex {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => one == other,
    }
}

/// Revert data of an answer to a pair; `None` if the call did not revert.
pub fn reverted(answer: &Value) -> Option<&str> {
    answer.get(REVERTED).as_str()
}

/// A JSON-RPC answer in which revert data counts as a result.
pub(super) fn with_revert(item: &Value, answer: Result<Value, RpcError>) -> Result<Value, RpcError> {
    let data = item.get("error").get("data");
    match data.as_str().filter(|data| answer.is_err() && data.starts_with("0x")) {
        Some(data) => Ok(Value::Object(vec![(REVERTED.into(), data.into())])),
        None => answer,
    }
}

/// Endpoints of one side. Those of one origin are on the same side.
pub(super) fn side(mut urls: Vec<String>, side: Side, facts: &Facts) -> Vec<String> {
    let others = || urls.iter().filter(|url| !is_on_own_origin(url, facts)).map(|url| origin(url, facts));
    // The last one of several others goes to the second side.
    let last = others().next_back().filter(|last| others().any(|other| other != *last)).map(String::from);
    urls.retain(|url| {
        let second = is_on_own_origin(url, facts) || last.as_deref() == Some(origin(url, facts));
        second == (side == Side::Second)
    });
    urls
}
