//! `GET /v1/account/{address}/balance`

use super::picture;
use super::query::AccountQuery;
use crate::error::json;
use crate::guard::project::Project;
use crate::marks::picture_of;
use crate::picture::reachable;
use crate::price::{Decimal, Money, market, named, quotes};
use crate::shared::Rate;
use crate::source::kept::{self, CachedAnswer};
use crate::upstream::{Holding, Kind, NoSourceAnswered};
use crate::{AppState, Failure, visitors};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::future::join_all;
use portico_api::account::{Balance, Balances, Quantity};
use portico_json::{Number, Read, Value, parse, to_text};
use portico_terms::{AccountId, ChainId};
use std::cmp::Reverse;
use std::time::Duration;

const FRESH: Duration = Duration::from_secs(30);

/// Rate limit of `force`: a client that sees a new transaction may skip the cache at once, but not all the time.
const FORCED: Rate = Rate { per_second: 0.2, burst: 4 };

/// Whether to skip the cache entry of this key.
pub(super) async fn forced(state: &AppState, asked: &AccountQuery, key: &str) -> bool {
    asked.force && state.shared().spend(&format!("force:{key}"), 1, FORCED).await.is_ok()
}

/// `Retry-After`, in seconds.
pub(super) const AGAIN_AFTER: u32 = 15;

pub(super) async fn balance(
    State(state): State<AppState>,
    project: Project,
    asked: AccountQuery,
) -> Result<Response, Failure> {
    if !asked.knows_shape {
        return Ok(json(StatusCode::OK, to_text(&Balances::default())));
    }
    let accounts = asked.accounts(&state, &project)?;
    // Extracting the project already charged one chain.
    project.spend(&state, accounts.len().saturating_sub(1)).await?;
    let each = accounts.iter().map(|account| of_account(&state, account, &asked));
    let answers: Vec<Result<Balances, NoSourceAnswered>> = join_all(each).await;
    let failed = answers.iter().find_map(|answer| answer.as_ref().err().copied());
    let answers: Vec<Balances> = answers.into_iter().flatten().collect();
    match (answers.is_empty(), failed) {
        (true, Some(unanswered)) => Err(unavailable(unanswered, "balances", accounts.first().map(AccountId::chain))),
        _ => {
            let mut told = together(answers);
            told.balances.iter_mut().for_each(|balance| reachable(&state, &project, &mut balance.icon_url));
            Ok(json(StatusCode::OK, to_text(&told)))
        }
    }
}

/// 503 if all sources fail and nothing is cached, or no source knows the chain; 400 for an unknown cursor.
pub(super) fn unavailable(unanswered: NoSourceAnswered, what: &str, chain: Option<&ChainId>) -> Failure {
    let of = chain.map_or(String::new(), |chain| format!(" of {chain}"));
    match unanswered {
        NoSourceAnswered::Cursor => Failure::parameter("cursor", "Unknown cursor. Load the list from its start."),
        // Asking again is of no use, unlike after 503.
        NoSourceAnswered::NoSource => Failure::new(
            StatusCode::NOT_IMPLEMENTED,
            "chainId",
            format!("No source is set up on this server for the {what}{of}"),
        ),
        NoSourceAnswered::Failed => {
            let description = format!("Couldn't load the {what}{of}. Try again.");
            Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", description).again_after(AGAIN_AFTER)
        }
    }
}

async fn of_account(state: &AppState, account: &AccountId, asked: &AccountQuery) -> Result<Balances, NoSourceAnswered> {
    let money = asked.money;
    let key = format!("balance:{}:{}", named(account), money.word());
    let kept = kept::get(state, &key).await;
    let force = forced(state, asked, &key).await;
    if let Some(answer) = kept.as_ref().filter(|kept| !force && kept.fresh(FRESH)).and_then(cached) {
        return Ok(answer);
    }
    let looked = visitors::noting_left_out(async {
        let (vendor, holdings) = state.upstreams().balances(state, account, money).await?;
        Ok((vendor, valued(state, account.chain(), holdings, money).await))
    });
    match looked.await {
        (Ok((vendor, balances)), left_out) => {
            let balances = Balances { balances, ..Balances::default() };
            let kept = CachedAnswer::new(vendor.word(), to_text(&balances));
            if !left_out {
                kept::put(state, &key, &kept).await;
            }
            Ok(Balances { source: Some(kept.source), age: Some(0), ..balances })
        }
        (Err(unanswered), _) => kept.as_ref().and_then(cached).ok_or(unanswered),
    }
}

fn cached(kept: &CachedAnswer) -> Option<Balances> {
    let balances = Balances::read(&parse(&kept.body).ok()?).ok()?;
    Some(Balances { source: Some(kept.source.clone()), age: Some(kept.age()), ..balances })
}

/// Balances of several chains in one list; its age is that of the oldest.
fn together(answers: Vec<Balances>) -> Balances {
    let mut sources: Vec<String> = answers.iter().filter_map(|answer| answer.source.clone()).collect();
    sources.sort();
    sources.dedup();
    let age = answers.iter().filter_map(|answer| answer.age).max();
    let mut balances: Vec<Balance> = answers.into_iter().flat_map(|answer| answer.balances).collect();
    balances.sort_by_cached_key(|balance| {
        let worth = balance.value.as_ref().and_then(|value| cut(value.as_str()).parse::<Decimal>().ok());
        (
            Reverse(worth.unwrap_or_default()),
            balance.name.to_lowercase(),
            balance.chain_id.clone(),
            balance.address.clone(),
        )
    });
    Balances { balances, source: (!sources.is_empty()).then(|| sources.join(",")), age }
}

/// Cuts a value to 18 decimals, enough for comparison.
fn cut(text: &str) -> &str {
    &text[..text.find('.').map_or(text.len(), |point| text.len().min(point + 19))]
}

async fn valued(state: &AppState, chain: &ChainId, holdings: Vec<Holding>, money: Money) -> Vec<Balance> {
    let id = |holding: &Holding| match &holding.kind {
        Kind::Coin => market::coin(chain),
        Kind::Token(address) => AccountId::new(chain.clone(), address).ok(),
    };
    let unpriced: Vec<AccountId> = holdings.iter().filter(|holding| holding.price.is_none()).filter_map(id).collect();
    // Balances are useful even without prices.
    let found = quotes(state, &unpriced, money).await.unwrap_or_default();
    let priced = |holding: &Holding| holding.price.or_else(|| Some(found.prices.get(&named(&id(holding)?))?.0));
    holdings.iter().map(|holding| balance_of(chain, holding, priced(holding))).collect()
}

fn balance_of(chain: &ChainId, holding: &Holding, price: Option<Decimal>) -> Balance {
    Balance {
        name: holding.name.clone(),
        symbol: holding.symbol.clone(),
        chain_id: chain.to_string(),
        address: match &holding.kind {
            Kind::Coin => None,
            Kind::Token(address) => Some(format!("{chain}:{address}")),
        },
        value: price.and_then(|price| number(price.worth(holding.amount, holding.decimals))),
        price: price.and_then(|price| number(price.to_string())).unwrap_or_default(),
        quantity: Quantity {
            decimals: holding.decimals.to_string(),
            numeric: holding.amount.to_units(holding.decimals),
        },
        icon_url: match &holding.kind {
            Kind::Coin => picture(&holding.picture),
            Kind::Token(contract) => picture_of(&holding.picture, chain, contract),
        },
    }
}

fn number(text: String) -> Option<Number> {
    Number::read(&Value::Number(text)).ok()
}
