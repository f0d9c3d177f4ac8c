//! Token prices: `POST /v1/fungible/price`.

use portico_json::{Json, Number};

/// Body of `POST /v1/fungible/price`.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct PriceQuestion {
    /// Project id of the caller.
    pub project_id: String,
    /// Currency of the prices, such as "usd"; "btc", "eth", "usd", "eur", "gbp", "aud", "cad", "inr" or "jpy".
    pub currency: String,
    /// CAIP-10 ids of tokens, at most 100; a chain's own coin is `eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`.
    pub addresses: Vec<String>,
}

/// Currencies in which prices are available.
pub const CURRENCIES: [&str; 9] = ["btc", "eth", "usd", "eur", "gbp", "aud", "cad", "inr", "jpy"];

/// Response of `POST /v1/fungible/price`; tokens without a known price are left out.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Prices {
    /// Prices in the order of the request.
    pub fungibles: Vec<Fungible>,
    /// Source of the prices.
    pub source: Option<String>,
    /// Age of the prices, in seconds.
    pub age: Option<u32>,
}

/// A token with its price.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Fungible {
    /// CAIP-10 id as in the request.
    pub address: String,
    /// Name: "USD Coin".
    pub name: String,
    /// Symbol: "USDC".
    pub symbol: String,
    /// Icon URL; empty if there is no icon.
    pub icon_url: String,
    /// Price of one whole token in the requested currency.
    pub price: Number,
    /// Number of decimals of the token.
    pub decimals: u32,
}
