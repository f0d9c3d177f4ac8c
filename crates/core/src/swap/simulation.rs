//! Simulation of the calls that the wallet is about to be asked, by `eth_simulateV1`: what would leave the account and what would come.
//!
//! The bytes say what a contract promises, the simulation what tokens do with it: a token may take a fee, move another one or grant a
//! permission.

use super::calls::Call;
use super::quote::Question;
use portico_calldata::{Address, hex};
use portico_json::Value;
use portico_terms::Amount;

/// Topics of events: the hash of each signature.
mod topic {
    /// `Transfer(address,address,uint256)` of EIP-20, and of EIP-721 with a fourth topic. Nodes log a transfer of the coin alike.
    pub const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    /// `Approval(address,address,uint256)` of EIP-20 and EIP-721.
    pub const APPROVAL: &str = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
    /// `Deposit(address,uint256)` and `Withdrawal(address,uint256)` of the wrapped coin, which logs no transfer for them.
    pub const DEPOSIT: &str = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";
    pub const WITHDRAWAL: &str = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";
    /// Events that give something away in whose first indexed field the owner stands: `ApprovalForAll` of EIP-721 and EIP-1155, `Approval`
    /// and `Permit` of Permit2.
    pub const BY_OWNER: [&str; 3] = [
        "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31",
        "0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b",
        "0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec",
    ];
    /// `TransferSingle` and `TransferBatch` of EIP-1155, in whose second indexed field the owner stands.
    pub const OF_MANY: [&str; 2] = [
        "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
        "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
    ];
}

/// Result of a simulation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// They pay what was shown, and bring the minimum or more.
    AsShown {
        /// Amount that leaves the account, in the smallest unit.
        left: Amount,
        /// Amount that arrives, in the smallest unit.
        came: Amount,
    },
    /// One of them fails.
    Fails,
    /// They take or permit something else, or bring less.
    TakesMore,
    /// The node's answer is no simulation.
    Unproven,
}

/// Parameters of the simulation.
pub fn params(from: &str, calls: &[Call]) -> Vec<Value> {
    let object = |fields: Vec<(&str, Value)>| {
        Value::Object(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    };
    let call = |call: &Call| {
        let mut fields: Vec<(String, Value)> = vec![("from".into(), from.into())];
        fields.extend(call.clone().fields());
        Value::Object(fields)
    };
    let block = object(vec![("calls", Value::List(calls.iter().map(call).collect()))]);
    let asked = object(vec![
        ("blockStateCalls", Value::List(vec![block])),
        ("traceTransfers", Value::Bool(true)),
        ("validation", Value::Bool(false)),
    ]);
    vec![asked, "latest".into()]
}

/// Reads the result of a simulation of `count` calls. `spender` may be permitted as much as `permitted`.
pub fn judge(
    result: &Value,
    count: usize,
    question: &Question,
    spender: Option<&String>,
    permitted: Amount,
    least: Amount,
) -> Verdict {
    let calls = match result.as_list() {
        Some([block]) => block.get("calls").as_list().unwrap_or_default(),
        _ => return Verdict::Unproven,
    };
    if calls.len() != count || count == 0 {
        return Verdict::Unproven;
    }
    if calls.iter().any(|call| call.get("status").as_str() != Some("0x1")) {
        return Verdict::Fails;
    }
    let Some(mut seen) = Seen::new(question, spender, permitted) else { return Verdict::Unproven };
    for log in calls.iter().flat_map(|call| call.get("logs").as_list().unwrap_or_default()) {
        match seen.log(log) {
            Some(true) => {}
            Some(false) => return Verdict::TakesMore,
            None => return Verdict::Unproven,
        }
    }
    verdict(seen.left, seen.came, question, least)
}

/// Verdict on calls that move these amounts and no more.
pub fn verdict(left: Amount, came: Amount, question: &Question, least: Amount) -> Verdict {
    if left <= question.amount && came >= least { Verdict::AsShown { left, came } } else { Verdict::TakesMore }
}

/// Totals of the logs so far.
struct Seen {
    user: Address,
    from: Address,
    to: Address,
    spender: Option<Address>,
    permitted: Amount,
    left: Amount,
    came: Amount,
}

impl Seen {
    fn new(question: &Question, spender: Option<&String>, permitted: Amount) -> Option<Seen> {
        Some(Seen {
            user: hex::address(&question.address)?,
            from: hex::address(&question.from.address)?,
            to: hex::address(&question.to.address)?,
            spender: spender.and_then(|spender| hex::address(spender)),
            permitted,
            left: Amount::ZERO,
            came: Amount::ZERO,
        })
    }

    /// Takes one log. False if it shows something that was not promised; `None` if it cannot be read.
    fn log(&mut self, log: &Value) -> Option<bool> {
        let token = hex::address(log.get("address").as_str()?)?;
        let topics: Option<Vec<[u8; 32]>> = log.get("topics").as_list()?.iter().map(word).collect();
        let (topics, name) = (topics?, log.get("topics").as_list()?.first().and_then(Value::as_str));
        let Some(name) = name.map(str::to_ascii_lowercase) else { return Some(true) };
        let data = hex::bytes(log.get("data").as_str()?)?;
        let amount = || data.first_chunk::<32>().map(|word| Amount::from_be_bytes(*word));
        let is_user = |index: usize| topics.get(index).is_some_and(|word| word[12..] == self.user);
        let is = |topics: &[&str]| topics.contains(&name.as_str());
        if is(&[topic::TRANSFER]) {
            if topics.len() != 3 {
                // A unique token, or one that does not index its fields.
                let hidden = data.chunks(32).any(|word| word.len() == 32 && word[12..] == self.user);
                return Some(!(is_user(1) || topics.len() < 3 && hidden));
            }
            if is_user(1) {
                if token != self.from {
                    return Some(false);
                }
                self.left = self.left.plus(amount()?)?;
            }
            if is_user(2) && token == self.to {
                self.came = self.came.plus(amount()?)?;
            }
            return Some(true);
        }
        if is(&[topic::DEPOSIT]) && is_user(1) && token == self.to {
            self.came = self.came.plus(amount()?)?;
        }
        if is(&[topic::WITHDRAWAL]) && is_user(1) {
            if token != self.from {
                return Some(false);
            }
            self.left = self.left.plus(amount()?)?;
        }
        if is(&[topic::APPROVAL]) && is_user(1) {
            let own = topics.len() == 3 && token == self.from;
            let taker = topics.get(2).is_some_and(|word| self.spender.is_some_and(|spender| word[12..] == spender));
            return Some(own && taker && amount()? <= self.permitted);
        }
        Some(!(is(&topic::BY_OWNER) && is_user(1) || is(&topic::OF_MANY) && is_user(2)))
    }
}

fn word(topic: &Value) -> Option<[u8; 32]> {
    hex::bytes(topic.as_str()?)?.try_into().ok()
}
