//! Values of prices: exact decimals, currencies, and the price table of the configuration.

mod currency;
mod decimal;
mod table;

use portico_terms::{AccountId, Namespace};

pub(crate) use currency::Money;
pub(crate) use decimal::{Decimal, plain};
pub use table::PriceTable;

/// Canonical id: EVM addresses in lower case.
pub(crate) fn named(coin: &AccountId) -> AccountId {
    match coin.chain().namespace() {
        Namespace::Eip155 => {
            AccountId::new(coin.chain().clone(), &coin.address().to_ascii_lowercase()).unwrap_or_else(|_| coin.clone())
        }
        _ => coin.clone(),
    }
}
