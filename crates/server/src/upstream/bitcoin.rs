//! Bitcoin nodes as a source: balance and history of one address. Needs no key.

mod transaction;

use super::{Fault, Holding, Kind, Question, nodes};
use crate::AppState;
use crate::activity::{Of, Page, ROWS};
use crate::config::Chain;
use crate::rpc::CONFIRMED;
use crate::source::loose;
use portico_api::account::Transaction;
use serde_json::json;
use transaction::Told;

/// Confirmed transactions of a full page of a node.
const FULL: usize = 25;

pub(super) async fn balances(state: &AppState, chain: &Chain, account: &str) -> Result<Vec<Holding>, Fault> {
    let call = vec![("getaddressbalance", json!([{ "addresses": [account] }]))];
    let answers = nodes::all(state, &chain.id, call).await?;
    let amount = answers.first().and_then(|answer| loose::amount(answer.get("balance"))).ok_or(Fault::Nonsense)?;
    let own = &chain.assets.coin;
    let coin = Holding {
        kind: Kind::Coin,
        name: own.name.clone(),
        symbol: own.symbol.clone(),
        decimals: own.decimals,
        picture: String::new(),
        amount,
        price: None,
    };
    Ok(if amount.is_zero() { Vec::new() } else { vec![coin] })
}

/// Page of the history. Its place is the id of the last confirmed transaction before it, or [`CONFIRMED`] after a page of unconfirmed ones.
pub(super) async fn history(asked: Question<'_>) -> Result<Page<Transaction>, Fault> {
    let is_id = |place: &str| place.len() == 64 && place.bytes().all(|byte| byte.is_ascii_hexdigit());
    if asked.place.is_some_and(|place| place != CONFIRMED && !is_id(place)) {
        return Err(Fault::Cursor);
    }
    let chain = asked.chain()?;
    let mut wanted = json!({ "addresses": [asked.account.address()] });
    if let Some(place) = asked.place {
        wanted["after"] = place.into();
    }
    let answers = nodes::all(asked.state, &chain.id, vec![("getaddresstransactions", json!([wanted]))]).await?;
    let listed = answers.first().and_then(|answer| answer.as_list()).ok_or(Fault::Nonsense)?;
    let told: Vec<Told> =
        listed.iter().map(|item| Told::read(item).ok_or(Fault::Nonsense)).collect::<Result<_, _>>()?;
    let of = Of { account: asked.account, coin: &chain.assets.coin };
    let shown = &told[..told.len().min(ROWS)];
    let confirmed = told.iter().filter(|told| told.is_confirmed()).count();
    let more = shown.len() < told.len() || confirmed >= FULL;
    let last = shown.iter().rev().find(|told| told.is_confirmed()).map_or(CONFIRMED, |told| &told.id);
    // A node that tells the same page again and again has no next one.
    let next = Some(last).filter(|last| more && asked.place != Some(last)).map(Into::into);
    Ok(Page { rows: shown.iter().filter_map(|told| told.row(of)).collect(), next })
}
