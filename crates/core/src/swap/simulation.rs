//! Simulation of the calls that the wallet is about to be asked, by `eth_simulateV1`: what would leave the account and what would come.
//!
//! The bytes say what a contract promises, the simulation what tokens do with it: a token may take a fee, move another one or grant a
//! permission.

use super::bounds::Bounds;
use super::calls::Call;
use super::quote::Question;
use portico_calldata::{Address, event, hex};
use portico_json::Value;
use portico_terms::Amount;

/// Events that give something away in whose first indexed field the owner stands.
const BY_OWNER: [&str; 3] = [event::APPROVAL_FOR_ALL, event::PERMIT2_APPROVAL, event::PERMIT2_PERMIT];
/// Transfers of EIP-1155, in whose second indexed field the owner stands.
const OF_MANY: [&str; 2] = [event::TRANSFER_SINGLE, event::TRANSFER_BATCH];

/// Result of a simulation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// They pay what was shown, and bring the minimum or more.
    AsShown,
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
    promised: Bounds,
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
    // Coins that an exact purchase does not need come back; more than the maximum must not leave meanwhile either.
    let lost = seen.left.minus(seen.back).unwrap_or(Amount::ZERO);
    if seen.left > promised.pays { Verdict::TakesMore } else { verdict(lost, seen.came, promised) }
}

/// Verdict on calls that move these amounts and no more.
pub fn verdict(left: Amount, came: Amount, promised: Bounds) -> Verdict {
    if left <= promised.pays && came >= promised.brings { Verdict::AsShown } else { Verdict::TakesMore }
}

/// Totals of the logs so far.
struct Seen {
    user: Address,
    from: Address,
    to: Address,
    spender: Option<Address>,
    permitted: Amount,
    left: Amount,
    /// Paid tokens that came back.
    back: Amount,
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
            back: Amount::ZERO,
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
        if is(&[event::TRANSFER]) {
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
            if is_user(2) && token == self.from {
                self.back = self.back.plus(amount()?)?;
            }
            return Some(true);
        }
        if is(&[event::DEPOSIT]) && is_user(1) && token == self.to {
            self.came = self.came.plus(amount()?)?;
        }
        if is(&[event::WITHDRAWAL]) && is_user(1) {
            if token != self.from {
                return Some(false);
            }
            self.left = self.left.plus(amount()?)?;
        }
        if is(&[event::APPROVAL]) && is_user(1) {
            let own = topics.len() == 3 && token == self.from;
            let taker = topics.get(2).is_some_and(|word| self.spender.is_some_and(|spender| word[12..] == spender));
            return Some(own && taker && amount()? <= self.permitted);
        }
        Some(!(is(&BY_OWNER) && is_user(1) || is(&OF_MANY) && is_user(2)))
    }
}

fn word(topic: &Value) -> Option<[u8; 32]> {
    hex::bytes(topic.as_str()?)?.try_into().ok()
}
