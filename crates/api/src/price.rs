//! `POST /v1/fungible/price`.

use portico_json::{Json, Number};

/// The body.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct PriceQuestion {
    /// The project that asks.
    pub project_id: String,
    /// "usd"; one of [`CURRENCIES`].
    pub currency: String,
    /// CAIP-10 of tokens, at most 100; a chain's own coin by `eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`.
    pub addresses: Vec<String>,
}

/// What prices can be asked in.
pub const CURRENCIES: [&str; 9] = ["btc", "eth", "usd", "eur", "gbp", "aud", "cad", "inr", "jpy"];

/// The answer; what has no known price is not in it.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Prices {
    /// In the order asked.
    pub fungibles: Vec<Fungible>,
    /// Where it comes from.
    pub source: Option<String>,
    /// How old it is, in seconds.
    pub age: Option<u32>,
}

/// A token with its price.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Fungible {
    /// CAIP-10, as asked.
    pub address: String,
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// A picture; empty where there is none.
    pub icon_url: String,
    /// Of one whole token in the currency asked for.
    pub price: Number,
    /// How many places a whole token has.
    pub decimals: u32,
}
