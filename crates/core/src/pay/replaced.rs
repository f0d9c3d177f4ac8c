//! Search for the transaction that replaced another: same sender, same nonce. Nodes cannot look that up, so the search finds the block in
//! which the sender's transaction count passed the nonce, and reads it.

use super::receipt::{Question, is_of, quantity};
use crate::wallet::eip155;
use portico_json::Value;
use portico_terms::Amount;
use portico_terms::rpc::{RpcError, is_transaction_hash};

/// Number of latest blocks to search. Nodes keep state of the latest 128, and are not all at the same block.
const DEEP: u64 = 120;

/// Maximum number of blocks queried at a time.
const WIDE: u64 = 12;

/// Maximum length of receiver and calldata of a transfer, together.
const LONGEST: usize = 256;

/// Nonce and content of a transaction, for comparison.
#[derive(Clone, Debug)]
pub struct TransactionContent {
    pub nonce: Amount,
    /// Receiver, value and calldata as the node writes them.
    does: Option<(String, Amount, String)>,
}

impl TransactionContent {
    /// Reads a node's transaction; `None` without a nonce.
    pub fn read(transaction: &Value) -> Option<TransactionContent> {
        let text = |name: &str| transaction.get(name).as_str().map(str::to_ascii_lowercase);
        let value = quantity(transaction.get("value"));
        let does = text("to").zip(value).zip(text("input")).map(|((to, value), input)| (to, value, input));
        Some(TransactionContent { nonce: quantity(transaction.get("nonce"))?, does })
    }

    /// Value that [`TransactionContent::read`] reads. `Null` if it is longer than a transfer, and so not worth storing.
    pub fn write(&self) -> Value {
        let Some((to, value, input)) = self.does.as_ref().filter(|(to, _, input)| to.len() + input.len() < LONGEST)
        else {
            return Value::Null;
        };
        let text = |name: &str, text: &str| (name.into(), Value::Text(text.into()));
        Value::Object(vec![
            text("nonce", &self.nonce.to_hex()),
            text("to", to),
            text("value", &value.to_hex()),
            text("input", input),
        ])
    }

    /// Whether both have the same known content: then the other one is a speed-up with a higher fee.
    fn is_like(&self, other: &TransactionContent) -> bool {
        self.does.is_some() && self.does == other.does
    }
}

/// The replacing transaction.
#[derive(Clone, Debug)]
pub struct Found {
    /// Hash in lower case.
    pub hash: String,
    /// Whether its content is the same.
    pub same: bool,
}

/// Progress of the search.
#[derive(Clone, Debug)]
pub enum Search {
    /// The number of the latest block is being read.
    Head,
    /// Between two blocks, excluding the first and including the second; with the results between them so far.
    Between(u64, u64, Vec<(u64, bool)>),
    /// This block is the only candidate left.
    Block(u64),
}

impl Search {
    /// Requests of the next step.
    pub fn look(&self, from: &str) -> Vec<(&'static str, Vec<Value>, Question)> {
        let hex = |number: u64| Value::Text(Amount::from(number).to_hex());
        match self {
            Search::Head => vec![(eip155::BLOCK_NUMBER, Vec::new(), Question::Head)],
            Search::Between(low, high, _) => points(*low, *high)
                .map(|at| (eip155::TRANSACTION_COUNT, vec![from.into(), hex(at)], Question::CountAt(at)))
                .collect(),
            Search::Block(number) => {
                vec![(eip155::BLOCK, vec![hex(*number), Value::Bool(true)], Question::Block)]
            }
        }
    }

    /// Response to one read; one that is no longer needed is ignored. Returns true if more reads follow now.
    pub fn on_response(&mut self, question: Question, answer: &Result<Value, RpcError>, nonce: Amount) -> bool {
        match (&mut *self, question) {
            (Search::Head, Question::Head) => {
                let head = answer.as_ref().ok().and_then(Value::as_str).and_then(number).unwrap_or_default();
                *self = Search::between(head.saturating_sub(DEEP), head);
                true
            }
            (Search::Between(low, high, told), Question::CountAt(at)) => {
                // A node that does not know the block counts as not passed.
                let passed = answer.as_ref().ok().and_then(quantity).is_some_and(|count| count > nonce);
                if points(*low, *high).any(|point| point == at) && !told.iter().any(|(known, _)| *known == at) {
                    told.push((at, passed));
                }
                if told.len() < points(*low, *high).count() {
                    return false;
                }
                let high = told.iter().filter(|(_, passed)| *passed).map(|(at, _)| *at).min().unwrap_or(*high);
                let before = told.iter().filter(|(at, passed)| !passed && *at < high).map(|(at, _)| *at);
                *self = Search::between(before.max().unwrap_or(*low), high);
                true
            }
            _ => false,
        }
    }

    fn between(low: u64, high: u64) -> Search {
        if high - low > 1 { Search::Between(low, high, Vec::new()) } else { Search::Block(high) }
    }
}

/// Blocks to query between two others: at most [`WIDE`], at equal distances.
fn points(low: u64, high: u64) -> impl Iterator<Item = u64> {
    let step = (high - low).div_ceil(WIDE).max(1);
    (1..WIDE).map(move |count| low + step * count).take_while(move |at| *at < high)
}

fn number(hex: &str) -> Option<u64> {
    u64::from_str_radix(hex.strip_prefix("0x")?, 16).ok()
}

/// Transaction of a block with the sender and the nonce of `before`.
pub fn found_in(block: &Value, from: &str, before: &TransactionContent) -> Option<Found> {
    block.get("transactions").as_list()?.iter().find_map(|transaction| {
        let deed = TransactionContent::read(transaction)
            .filter(|deed| deed.nonce == before.nonce && is_of(transaction, "from", from))?;
        let hash = transaction.get("hash").as_str().filter(|hash| is_transaction_hash(hash))?;
        Some(Found { hash: hash.to_ascii_lowercase(), same: before.is_like(&deed) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds the block in which the count passed seven, and counts the polls.
    fn search(head: u64, block: u64) -> (u64, usize) {
        let mut search = Search::Head;
        for looks in 0.. {
            let asked = search.look("0xf0");
            let mut again = false;
            for (_, _, question) in asked {
                let answer = match question {
                    Question::Head => Amount::from(head).to_hex(),
                    Question::CountAt(at) => if at >= block { "0x8" } else { "0x7" }.to_owned(),
                    _ => return (if let Search::Block(number) = search { number } else { 0 }, looks),
                };
                again |= search.on_response(question, &Ok(Value::Text(answer)), Amount::from(7u32));
            }
            assert!(again, "{search:?}");
        }
        unreachable!()
    }

    #[test]
    fn the_block_is_found_in_three_looks_wherever_it_is_among_the_latest() {
        for head in [1, 2, 5, 120, 121, 19_000_000, u64::MAX] {
            for back in 0..head.min(DEEP) {
                let (block, looks) = search(head, head - back);
                assert_eq!(block, head - back, "{head}");
                assert!(looks <= 3, "{looks} looks for {back} back from {head}");
            }
        }
    }

    #[test]
    fn a_node_that_says_nothing_of_what_was_makes_the_search_end_at_its_latest_block() {
        let mut search = Search::Head;
        search.on_response(Question::Head, &Ok("0x100".into()), Amount::ZERO);
        for _ in 0..3 {
            for (_, _, question) in search.look("0xf0") {
                // A repeated response is ignored.
                for _ in 0..2 {
                    search.on_response(question, &Err(RpcError::nonsense("missing trie node")), Amount::ZERO);
                }
            }
        }
        assert!(matches!(search, Search::Block(0x100)), "{search:?}");
        let mut search = Search::Head;
        search.on_response(Question::Head, &Ok("nonsense".into()), Amount::ZERO);
        assert!(matches!(search, Search::Block(0)), "{search:?}");
    }
}
