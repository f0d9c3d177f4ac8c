//! Stored form of pending transactions, for the next page load. Stored values are untrusted: invalid ones are skipped.

use super::calls;
use super::event::Target;
use super::flight::{Deal, Kind, Signed};
use super::quote::is_contract;
use crate::pay::signing::Pending;
use crate::shown::clean;
use portico_json::Value;
use portico_terms::amount::shown_units;
use portico_terms::rpc::is_transaction_hash;

const KINDS: [(Kind, &str); 4] =
    [(Kind::Swap, "swap"), (Kind::Batch, "batch"), (Kind::Approval, "approval"), (Kind::Revocation, "revocation")];

/// Storage value of a pending transaction or batch.
pub fn stored(pending: &Pending<Signed>) -> Value {
    let Deal { kind, chain, address, typed, amount, symbol, to_amount, to_symbol, pair, smart_account, .. } =
        &pending.content.deal;
    let text = |name: &str, value: &str| (name.into(), Value::Text(value.into()));
    let word = KINDS.iter().find(|(known, _)| known == kind).map(|(_, word)| *word);
    Value::Object(vec![
        text("kind", word.unwrap_or_default()),
        text("hash", pending.flight.hash()),
        text("chain", &chain.to_string()),
        text("address", address),
        text("amount", amount),
        text("symbol", symbol),
        text("toAmount", to_amount),
        text("toSymbol", to_symbol),
        text("from", &pair.0),
        text("to", &pair.1),
        ("smartAccount".into(), Value::Bool(*smart_account)),
        ("exactOut".into(), Value::Bool(*typed == Target::ToToken)),
        ("since".into(), Value::Number(pending.flight.since.to_string())),
    ])
}

/// Parses a storage value: the deal, its hash or batch id, and the time of sending.
pub fn read(stored: &Value) -> Option<(Deal, String, u64)> {
    let text = |name: &str| stored.get(name).as_str();
    let amount = |name: &str| text(name).filter(|amount| shown_units(amount, 0).is_some()).map(String::from);
    let address = |name: &str| text(name).filter(|address| is_contract(address)).map(String::from);
    let word = text("kind")?;
    let kind = KINDS.iter().find(|(_, known)| *known == word).map(|(kind, _)| *kind)?;
    let sound = if kind == Kind::Batch { calls::is_name } else { is_transaction_hash };
    let hash = text("hash").filter(|hash| sound(hash))?;
    let deal = Deal {
        kind,
        attempt: 0,
        chain: text("chain")?.parse().ok()?,
        address: clean(text("address")?),
        typed: if stored.get("exactOut").as_bool() == Some(true) { Target::ToToken } else { Target::SourceToken },
        amount: amount("amount")?,
        symbol: clean(text("symbol")?),
        to_amount: amount("toAmount")?,
        decimals: None,
        to_symbol: clean(text("toSymbol")?),
        pair: (address("from")?, address("to")?),
        smart_account: stored.get("smartAccount").as_bool()?,
        target: None,
        least_nonce: None,
    };
    Some((deal, hash.into(), stored.get("since").as_u64()?))
}
