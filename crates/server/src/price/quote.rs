//! Cached prices: refreshed after a minute, and served stale if the source fails.

use super::{Answered, Decimal, Money, Priced, Prices};
use crate::AppState;
use crate::source::kept::{self, CachedAnswer};
use futures_util::future::join_all;
use portico_json::{Json, Read, parse, to_text};
use portico_terms::AccountId;
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::timeout;

const FRESH: Duration = Duration::from_secs(60);

/// Lifetime of cached exchange rates: those of currencies change daily, those of coins by the minute.
const RATE_FRESH: Duration = Duration::from_secs(300);

const AT_ONCE: usize = 100;

const LIMIT: Duration = Duration::from_secs(5);

/// Prices with their source and age.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quotes {
    /// Prices in the requested currency, by [`super::named`] id.
    pub(crate) prices: HashMap<AccountId, (Decimal, Priced)>,
    /// Price source.
    pub(crate) source: Option<String>,
    /// Age of the oldest price, in seconds.
    pub(crate) age: u32,
}

/// Error: the source failed, and nothing is cached.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Unpriced;

/// Cached price; without one if the source knows none.
#[derive(Clone, Debug, Default, Json, PartialEq)]
struct Line {
    usd: Option<String>,
    symbol: String,
    decimals: Option<u8>,
}

/// Prices of coins. Coins without a price are left out.
pub(crate) async fn quotes(state: &AppState, coins: &[AccountId], money: Money) -> Result<Quotes, Unpriced> {
    let Some(source) = state.upstreams().prices() else { return Ok(Quotes::default()) };
    let mut asked: Vec<AccountId> = coins.iter().map(super::named).filter(|coin| source.knows(coin)).collect();
    asked.sort();
    asked.dedup();
    if asked.is_empty() {
        return Ok(Quotes { source: Some(source.word().into()), ..Quotes::default() });
    }
    let rate = rate(state, source, money).await.ok_or(Unpriced)?;
    let mut lines = known(state, source, &asked).await;
    let stale: Vec<AccountId> =
        asked.iter().filter(|coin| !lines.get(*coin).is_some_and(|(kept, _)| kept.fresh(FRESH))).cloned().collect();
    for some in stale.chunks(AT_ONCE) {
        match timeout(LIMIT, source.prices(state, some)).await {
            Ok(Ok(answered)) => lines.extend(keep(state, source, answered).await),
            Ok(Err(fault)) => tracing::warn!(source = source.word(), ?fault, "couldn't load prices"),
            Err(_) => tracing::warn!(source = source.word(), "prices took too long"),
        }
    }
    if lines.is_empty() {
        return Err(Unpriced);
    }
    let age = lines.values().map(|(kept, _)| kept.age()).max().unwrap_or(0);
    let prices = lines.into_iter().filter_map(|(coin, (_, line))| {
        let usd: Decimal = line.usd?.parse().ok()?;
        Some((coin, (usd.by(rate)?, Priced { usd, symbol: line.symbol, decimals: line.decimals })))
    });
    Ok(Quotes { prices: prices.collect(), source: Some(source.word().into()), age })
}

type Lines = HashMap<AccountId, (CachedAnswer, Line)>;

async fn known(state: &AppState, source: &dyn Prices, coins: &[AccountId]) -> Lines {
    let each = coins.iter().map(async |coin| {
        let kept = kept::get(state, &key(source, coin)).await?;
        let line = Line::read(&parse(&kept.body).ok()?).ok()?;
        Some((coin.clone(), (kept, line)))
    });
    join_all(each).await.into_iter().flatten().collect()
}

/// Stores the answers for all visitors: a coin without an answer was not asked about, maybe for a limit of this visitor.
async fn keep(state: &AppState, source: &dyn Prices, answered: Vec<Answered>) -> Lines {
    let each = answered.into_iter().map(async |(coin, priced)| {
        let line = priced.map_or_else(Line::default, |Priced { usd, symbol, decimals }| Line {
            usd: Some(usd.to_string()),
            symbol,
            decimals,
        });
        let kept = CachedAnswer::new(source.word(), to_text(&line));
        kept::put(state, &key(source, &coin), &kept).await;
        (coin, (kept, line))
    });
    join_all(each).await.into_iter().collect()
}

fn key(source: &dyn Prices, coin: &AccountId) -> String {
    format!("price:{}:{coin}", source.word())
}

/// Exchange rate of a US dollar.
async fn rate(state: &AppState, source: &dyn Prices, money: Money) -> Option<Decimal> {
    if money == Money::USD {
        return Some(Decimal::ONE);
    }
    let key = format!("rate:{}:{}", source.word(), money.word());
    let kept = kept::get(state, &key).await;
    if let Some(kept) = kept.as_ref().filter(|kept| kept.fresh(RATE_FRESH)) {
        return kept.body.parse().ok();
    }
    match timeout(LIMIT, source.rate(state, money)).await {
        Ok(Ok(rate)) => {
            kept::put(state, &key, &CachedAnswer::new(source.word(), rate.to_string())).await;
            Some(rate)
        }
        failed => {
            tracing::warn!(source = source.word(), money = money.word(), fault = ?failed.ok(), "couldn't load an exchange rate");
            kept?.body.parse().ok()
        }
    }
}
