//! Solana nodes as a source: balances of the coin and of tokens, and history. Needs no key.

mod changes;
mod history;
mod transaction;

use super::{Fault, Holding, Kind, loose, nodes};
use crate::AppState;
use crate::config::Chain;
use portico_calldata::solana::known_mint;
use portico_json::Value;
use portico_terms::address;
use serde_json::json;

pub(super) use history::history;
pub(super) use transaction::transaction;

/// Token programs: Token and Token-2022.
const PROGRAMS: [&str; 2] =
    ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];

/// Blocks that two thirds of the stake voted for. Nodes read final ones by default, which are some 13 seconds older than what the visitor did.
const COMMITMENT: &str = "confirmed";

pub(super) async fn balances(state: &AppState, chain: &Chain, account: &str) -> Result<Vec<Holding>, Fault> {
    let of = |program: &&str| {
        let params = json!([account, { "programId": program }, { "encoding": "jsonParsed", "commitment": COMMITMENT }]);
        ("getTokenAccountsByOwner", params)
    };
    let calls = std::iter::once(("getBalance", json!([account, { "commitment": COMMITMENT }])))
        .chain(PROGRAMS.iter().map(of))
        .collect();
    let answers = nodes::all(state, &chain.id, calls).await?;
    let (coin, tokens) = answers.split_first().ok_or(Fault::Nonsense)?;
    let own = &chain.assets.coin;
    let coin = Holding {
        kind: Kind::Coin,
        name: own.name.clone(),
        symbol: own.symbol.clone(),
        decimals: own.decimals,
        picture: String::new(),
        amount: loose::amount(coin.get("value")).ok_or(Fault::Nonsense)?,
        price: None,
    };
    let mut holdings = vec![coin];
    for list in tokens {
        for held in list.get("value").as_list().ok_or(Fault::Nonsense)?.iter().filter_map(holding) {
            // A wallet may hold one token in several token accounts.
            match holdings.iter_mut().find(|other| other.kind == held.kind) {
                Some(other) => other.amount = other.amount.plus(held.amount).unwrap_or(other.amount),
                None => holdings.push(held),
            }
        }
    }
    holdings.retain(|holding| !holding.amount.is_zero());
    Ok(holdings)
}

fn holding(item: &Value) -> Option<Holding> {
    let info = item.get("account").get("data").get("parsed").get("info");
    let mint = info.get("mint").as_str().filter(|text| address::is_solana(text))?;
    let (name, symbol) = called(mint);
    // A token without decimals is an NFT.
    let decimals = loose::decimals(info.get("tokenAmount").get("decimals")).filter(|decimals| *decimals > 0)?;
    Some(Holding {
        kind: Kind::Token(mint.into()),
        name,
        symbol,
        decimals,
        picture: String::new(),
        amount: loose::amount(info.get("tokenAmount").get("amount"))?,
        price: None,
    })
}

/// Name and symbol of a token, which token accounts do not contain.
fn called(mint: &str) -> (String, String) {
    match known_mint(mint) {
        Some(known) => (known.name.into(), known.symbol.into()),
        None => (address::shorten(mint), address::shorten(mint)),
    }
}
