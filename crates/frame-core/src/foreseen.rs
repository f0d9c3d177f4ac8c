//! Simulation of a transaction by a node of Solana: whether it is of this network and would succeed, and how the balances of the account change.
//! It is the node's word and only adds to what the bytes say.

use crate::decode::{Content, sol};
use crate::effect::RpcCall;
use crate::message::object;
use crate::network;
use crate::said::{Phrase, Said};
use crate::view::{Flag, Row, RowLabel};
use portico_calldata::solana::Transaction;
use portico_encoding::base58;
use portico_json::Value;
use portico_terms::address::shorten;
use portico_terms::rpc::result_of;
use portico_terms::{Amount, ChainId};

/// Maximum number of tokens of one simulation that is shown.
const MOST: usize = 16;

/// Calls about the transactions of a request, given with their bytes in base64, in the order that [`read`] takes.
pub fn calls(list: &[Transaction<'_>], texts: &[String]) -> Vec<RpcCall> {
    let level = || ("commitment", Value::from("processed"));
    let mut calls = vec![RpcCall::new("getGenesisHash", vec![])];
    for transaction in list {
        let block = base58::encode(&transaction.message.blockhash);
        calls.push(RpcCall::new("isBlockhashValid", vec![block.into(), object(&[level()])]));
    }
    // Each of several would be simulated as if it were the first.
    if let [text] = texts {
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

/// Adds the answers to the explanation of transactions. `places` are those of the account among the signers of each.
pub fn read(content: &mut Content, answers: &[Value], places: &[usize], chain: &ChainId, own: &str) {
    let is_main = network::solana().as_ref() == Some(chain);
    let lasting = content.flags.contains(&Flag::NeverExpires);
    let count = places.len();
    for index in 0..count {
        let told = answers.get(1 + index).and_then(|answer| result_of(answer).ok()?.get("value").as_bool());
        match told {
            Some(true) => {}
            // A transaction of the main network is worth nothing elsewhere, and any other may be meant for it.
            _ if !is_main => content.flag(Flag::OtherNetwork),
            Some(false) if !lasting => content.flag(Flag::LikelyToFail),
            _ => {}
        }
    }
    let simulated = answers.get(1 + count).and_then(|answer| Some(result_of(answer).ok()?.get("value")));
    if simulated.is_some_and(|told| !told.get("err").is_null()) {
        return content.flag(Flag::LikelyToFail);
    }
    match simulated.and_then(|told| changes(told, own, *places.first()?)) {
        Some(rows) => content.expected = Some(rows),
        None if !content.is_plain() => content.flag(Flag::NotSimulated),
        None => {}
    }
}

/// Balances before and after, by their token; the coin has none.
struct Change {
    mint: Option<String>,
    decimals: u8,
    before: u64,
    after: u64,
}

/// Changes of the account's balances; `None` where the node does not tell them all.
fn changes(told: &Value, own: &str, place: usize) -> Option<Vec<Row>> {
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
    (list.len() <= MOST).then(|| list.iter().filter_map(row).collect())
}

fn row(change: &Change) -> Option<Row> {
    let (label, amount) = match change.before.checked_sub(change.after) {
        Some(0) => return None,
        Some(left) => (RowLabel::Leaves, left),
        None => (RowLabel::Comes, change.after - change.before),
    };
    Some(Row::new(label, text(change, amount)))
}

fn text(change: &Change, amount: u64) -> Said {
    match &change.mint {
        None => sol(amount),
        Some(mint) => {
            let number = Amount::from(amount).to_units(change.decimals);
            Said::new(Phrase::Amount, &[&number, &shorten(mint)])
        }
    }
}
