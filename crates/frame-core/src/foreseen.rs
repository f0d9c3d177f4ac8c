//! Simulation of a transaction by a node of Solana: whether it is of this network and would succeed, and how the balances of the account change.
//! It is the node's word and only adds to what the bytes say.

use crate::decode::{Content, is_plain, part_row, sol, symbol_of, weigh};
use crate::effect::RpcCall;
use crate::message::object;
use crate::network;
use crate::said::{Phrase, Said};
use crate::view::{Flag, Row, RowLabel};
use portico_calldata::solana::{Key, Step, Transaction};
use portico_encoding::base58;
use portico_json::Value;
use portico_terms::address::shorten;
use portico_terms::rpc::result_of;
use portico_terms::{Amount, ChainId};

/// Maximum number of tokens of one simulation that is shown.
const MOST: usize = 16;

/// Transaction of a request.
#[derive(Debug)]
pub struct Part {
    /// Place of the account among its signers.
    place: usize,
    /// Whether its rows say all that it does.
    plain: bool,
    /// Whether a node is asked to simulate it.
    simulated: bool,
}

/// Transactions of a request of the account `own`; `places` are those of the account among the signers of each.
pub fn parts(list: &[Transaction<'_>], places: &[usize], own: &Key) -> Vec<Part> {
    let part = |(index, place): (usize, &usize)| {
        let simulated = !depends(&list[..index], &list[index], own);
        Part { place: *place, plain: is_plain(&list[index].message), simulated }
    };
    places.iter().enumerate().map(part).collect()
}

/// Whether the effect of a transaction may be another one after earlier ones: a node simulates it as if it were the first. All transactions of
/// a request write the account `own`, which pays for them; it is a reason to fail, and none for another effect.
fn depends(earlier: &[Transaction<'_>], this: &Transaction<'_>, own: &Key) -> bool {
    let this = &this.message;
    let fixed = |step: Step<'_>| {
        matches!(
            step,
            Step::Transfer { .. }
                | Step::SendToken { .. }
                | Step::Approve { .. }
                | Step::Revoke { .. }
                | Step::Memo(_)
                | Step::UnitLimit(_)
                | Step::UnitPrice(_)
                | Step::Budget
        )
    };
    if earlier.is_empty() || this.steps().all(fixed) {
        return false;
    }
    this.looks_up
        || earlier
            .iter()
            .map(|one| &one.message)
            .any(|one| one.looks_up || one.written().any(|key| key != own && this.keys().contains(key)))
}

/// Calls about the transactions of a request, given with their bytes in base64, in the order that [`read`] takes.
pub fn calls(list: &[Transaction<'_>], texts: &[String], parts: &[Part]) -> Vec<RpcCall> {
    let level = || ("commitment", Value::from("processed"));
    let mut calls = vec![RpcCall::new("getGenesisHash", vec![])];
    for transaction in list {
        let block = base58::encode(&transaction.message.blockhash);
        calls.push(RpcCall::new("isBlockhashValid", vec![block.into(), object(&[level()])]));
    }
    for (text, _) in texts.iter().zip(parts).filter(|(_, part)| part.simulated) {
        let options = object(&[
            ("encoding", "base64".into()),
            ("sigVerify", Value::Bool(false)),
            ("replaceRecentBlockhash", Value::Bool(true)),
            level(),
        ]);
        calls.push(RpcCall::new("simulateTransaction", vec![text.as_str().into(), options]));
    }
    calls
}

/// Whether the node is one of another network.
pub fn is_elsewhere(answers: &[Value], chain: &ChainId) -> bool {
    let told = answers.first().and_then(|answer| result_of(answer).ok()?.as_str());
    told.is_some_and(|hash| !hash.starts_with(chain.reference()))
}

/// Adds the answers to the explanation of transactions.
pub fn read(content: &mut Content, answers: &[Value], parts: &[Part], chain: &ChainId, own: &str) {
    let is_main = network::is_solana(chain);
    let lasting = content.flags.contains(&Flag::NeverExpires);
    let (mut rows, mut expects, mut lacks) = (Vec::new(), false, false);
    let mut simulations = answers.iter().skip(1 + parts.len());
    for (index, part) in parts.iter().enumerate() {
        let told = answers.get(1 + index).and_then(|answer| result_of(answer).ok()?.get("value").as_bool());
        match told {
            Some(true) => {}
            // A transaction of the main network is worth nothing elsewhere, and any other may be meant for it.
            _ if !is_main => content.flag(Flag::OtherNetwork),
            Some(false) if !lasting => content.flag(Flag::LikelyToFail),
            _ => {}
        }
        let simulated = part.simulated.then(|| simulations.next()).flatten();
        let simulated = simulated.and_then(|answer| Some(result_of(answer).ok()?.get("value")));
        let fails = simulated.is_some_and(|told| !told.get("err").is_null());
        match simulated.filter(|_| !fails).and_then(|told| changes(told, own, part.place)) {
            Some(changes) => {
                for change in &changes {
                    change.weigh(content, chain);
                }
                let changes: Vec<Row> = changes.iter().filter_map(|change| row(change, chain)).collect();
                expects = true;
                // Changes of several are not summed up: the page need not send them all.
                if parts.len() > 1 && !changes.is_empty() {
                    rows.push(part_row(index, parts.len()));
                }
                rows.extend(changes);
            }
            None if fails && index == 0 => content.flag(Flag::LikelyToFail),
            // Earlier ones may give the account what this one needs.
            None if fails || !part.plain => content.flag(Flag::NotSimulated),
            None => lacks = true,
        }
    }
    // Where changes of some are shown, the others must not look as if they changed nothing.
    if expects && lacks {
        content.flag(Flag::NotSimulated);
    }
    content.expected = expects.then_some(rows);
}

/// Balances before and after, by their token; the coin has none.
struct Change {
    mint: Option<String>,
    decimals: u8,
    before: u64,
    after: u64,
}

/// Changes of the account's balances; `None` where the node does not tell them all.
fn changes(told: &Value, own: &str, place: usize) -> Option<Vec<Change>> {
    let number = |value: &Value| match value {
        Value::Number(text) | Value::Text(text) => text.parse::<u64>().ok(),
        _ => None,
    };
    let mut list: Vec<Change> = Vec::new();
    let coin = |name: &str| number(told.get(name).as_list()?.get(place)?);
    // The first signer pays the fee, which has a row of its own.
    let fee = number(told.get("fee")).filter(|_| place == 0).unwrap_or_default();
    let after = coin("postBalances")?.checked_add(fee)?;
    list.push(Change { mint: None, decimals: 9, before: coin("preBalances")?, after });
    for (name, is_after) in [("preTokenBalances", false), ("postTokenBalances", true)] {
        for one in told.get(name).as_list()? {
            if one.get("owner").as_str() != Some(own) {
                continue;
            }
            let mint = one.get("mint").as_str()?;
            let amount = one.get("uiTokenAmount");
            let decimals = u8::try_from(number(amount.get("decimals"))?).ok()?;
            let sum = number(amount.get("amount"))?;
            let at = list.iter().position(|known| known.mint.as_deref() == Some(mint)).unwrap_or(list.len());
            if at == list.len() {
                list.push(Change { mint: Some(mint.into()), decimals, before: 0, after: 0 });
            }
            let side = if is_after { &mut list[at].after } else { &mut list[at].before };
            *side = side.checked_add(sum)?;
        }
    }
    (list.len() <= MOST).then_some(list)
}

impl Change {
    fn weigh(&self, content: &mut Content, chain: &ChainId) {
        let symbol = self.mint.as_ref().map_or(Some("SOL"), |mint| symbol_of(mint, chain));
        weigh(content, symbol.unwrap_or_default(), self.decimals, self.before.saturating_sub(self.after));
    }
}

fn row(change: &Change, chain: &ChainId) -> Option<Row> {
    let (label, amount) = match change.before.checked_sub(change.after) {
        Some(0) => return None,
        Some(left) => (RowLabel::Leaves, left),
        None => (RowLabel::Comes, change.after - change.before),
    };
    Some(Row::new(label, text(change, amount, chain)))
}

fn text(change: &Change, amount: u64, chain: &ChainId) -> Said {
    match &change.mint {
        None => sol(amount),
        Some(mint) => {
            let number = Amount::from(amount).to_units(change.decimals);
            // No other row names the mint.
            let unit = match symbol_of(mint, chain) {
                Some(symbol) => [symbol, " (", &shorten(mint), ")"].concat(),
                None => shorten(mint),
            };
            Said::new(Phrase::Amount, &[&number, &unit])
        }
    }
}
