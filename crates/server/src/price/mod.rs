//! What tokens are worth: `POST /v1/fungible/price`, and the worth of what an account holds.

mod coingecko;
mod decimal;
mod defillama;
mod exchange;
mod file;
pub(crate) mod market;
mod money;
mod quote;
mod route;

use crate::AppState;
use crate::config::{PriceSource, Sources};
use crate::upstream::SourceAnswer;
use portico_terms::{AccountId, Namespace};

pub(crate) use decimal::{Decimal, plain};
pub use file::PriceTable;
pub(crate) use money::Money;
pub(crate) use quote::quotes;
pub(crate) use route::router;

/// What is known of a coin beside what it is worth.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Priced {
    /// Of a whole one, in US dollars. Never zero.
    pub(crate) usd: Decimal,
    /// Empty where it is not known.
    pub(crate) symbol: String,
    /// How many places it has, where that is known.
    pub(crate) decimals: Option<u8>,
}

impl Priced {
    fn of(usd: Decimal) -> Priced {
        Priced { usd, symbol: String::new(), decimals: None }
    }
}

/// Tells what coins and tokens are worth.
pub(crate) trait Prices: Send + Sync {
    /// What an answer calls it.
    fn word(&self) -> &'static str;
    /// Whether it is worth asking.
    fn knows(&self, coin: &AccountId) -> bool;
    /// At most 100 at once, by their [`named`] ids; those without a price are left out.
    fn prices<'a>(&'a self, state: &'a AppState, coins: &'a [AccountId]) -> SourceAnswer<'a, Vec<(AccountId, Priced)>>;
    /// How much a US dollar buys.
    fn rate<'a>(&'a self, state: &'a AppState, money: Money) -> SourceAnswer<'a, Decimal>;
}

/// Who is asked.
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

/// The one spelling of an id: an EVM address has small letters.
pub(crate) fn named(coin: &AccountId) -> AccountId {
    match coin.chain().namespace() {
        Namespace::Eip155 => {
            AccountId::new(coin.chain().clone(), &coin.address().to_ascii_lowercase()).unwrap_or_else(|_| coin.clone())
        }
        _ => coin.clone(),
    }
}
