//! Prices of tokens: `POST /v1/fungible/price`, and the value of an account's balances.

mod coingecko;
mod defillama;
mod exchange;
mod file;
pub(crate) mod market;
mod quote;
mod route;

use crate::AppState;
use crate::config::{PriceSource, Sources};
use crate::source::SourceAnswer;
use portico_terms::AccountId;

pub(crate) use crate::money::{Decimal, Money, named, plain};
pub(crate) use quote::quotes;
pub(crate) use route::router;

/// Price and metadata of a coin from a price source.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Priced {
    /// Price of one whole coin in US dollars. Never zero.
    pub(crate) usd: Decimal,
    /// Empty if unknown.
    pub(crate) symbol: String,
    /// Number of decimals, if known.
    pub(crate) decimals: Option<u8>,
}

impl Priced {
    fn of(usd: Decimal) -> Priced {
        Priced { usd, symbol: String::new(), decimals: None }
    }
}

/// Price of a coin, or `None` if the source knows none. Coins about which it was not asked in the end have no answer.
pub(crate) type Answered = (AccountId, Option<Priced>);

/// Price source.
pub(crate) trait Prices: Send + Sync {
    /// Name in responses.
    fn word(&self) -> &'static str;
    /// Whether the source may know this coin.
    fn knows(&self, coin: &AccountId) -> bool;
    /// Prices of at most 100 coins, by their [`named`] ids.
    fn prices<'a>(&'a self, state: &'a AppState, coins: &'a [AccountId]) -> SourceAnswer<'a, Vec<Answered>>;
    /// Exchange rate: value of a US dollar in a currency.
    fn rate<'a>(&'a self, state: &'a AppState, money: Money) -> SourceAnswer<'a, Decimal>;
}

/// Configured price source.
pub(crate) fn source(sources: &Sources) -> Option<Box<dyn Prices>> {
    match sources.prices.clone() {
        PriceSource::None => None,
        PriceSource::File(table) => Some(Box::new(table)),
        PriceSource::DefiLlama(url) => {
            Some(Box::new(defillama::DefiLlama { url, exchange: sources.exchange_url.clone() }))
        }
        PriceSource::CoinGecko { url, key } => Some(Box::new(coingecko::CoinGecko { url, key })),
    }
}
