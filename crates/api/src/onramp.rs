//! On-ramp: purchase of coins with fiat money, `/v1/onramp/…` and `/v1/generators/onrampurl` (spec 1.4, 9.8, 9.9).

use portico_json::Json;

/// Response of `GET /v1/onramp/providers`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampProviders {
    /// On-ramp providers for which the server has API keys, in the operator's order; empty if it has none.
    pub providers: Vec<OnrampProvider>,
}

/// On-ramp provider: a service that sells coins for money.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampProvider {
    /// Identifier: "coinbase" or "meld" (spec 9.8).
    pub name: String,
    /// Display name: "Coinbase", "Meld.io".
    pub label: String,
    /// Lowest usual fee of the provider, in percent of a purchase (spec 9.8).
    pub fee_from: u32,
    /// Highest usual fee of the provider, in percent of a purchase.
    pub fee_to: u32,
    /// CAIP-2 ids of the chains on which the provider delivers coins (spec 9.9).
    pub chains: Vec<String>,
    /// CAIP-2 id of the chain used for an account on an EVM chain that is not in `chains` (spec 9.9).
    pub fallback: String,
}

/// Response of `GET /v1/onramp/options`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampOptions {
    /// Currencies accepted for payment; the currency of the visitor's country comes first.
    pub payment_currencies: Vec<PaymentCurrency>,
    /// Coins and tokens for sale on the chain; the chain's own coin comes first.
    pub purchase_currencies: Vec<PurchaseCurrency>,
    /// ISO 3166-1 code of the country to which the options apply; null if unknown.
    pub country: Option<String>,
    /// ISO 3166-2 code without the country prefix, if the request named a subdivision.
    pub subdivision: Option<String>,
}

/// Response of `GET /v1/onramp/countries`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampCountries {
    /// Countries served by at least one on-ramp provider, sorted by code.
    pub countries: Vec<OnrampCountry>,
}

/// Country served by at least one on-ramp provider.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampCountry {
    /// ISO 3166-1 code, two letters.
    pub id: String,
    /// ISO 3166-2 codes without the country prefix, if a provider sells by state; a quote then has to name one.
    pub subdivisions: Vec<String>,
    /// On-ramp providers that serve this country.
    pub providers: Vec<String>,
}

/// Currency accepted for payment.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PaymentCurrency {
    /// ISO 4217 code: "EUR".
    pub id: String,
    /// On-ramp providers that accept this currency.
    pub providers: Vec<String>,
}

/// Coin or token for sale.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PurchaseCurrency {
    /// Identifier used in quotes: the symbol.
    pub id: String,
    /// Name: "USD Coin".
    pub name: String,
    /// Symbol: "USDC".
    pub symbol: String,
    /// Icon URL, through the server's image proxy; empty if there is no icon.
    pub icon_url: String,
    /// CAIP-2 id of the chain.
    pub network: String,
    /// Address of the token contract; null for the chain's own coin, and if the provider does not state it.
    pub contract_address: Option<String>,
    /// On-ramp providers that sell this coin or token.
    pub providers: Vec<String>,
}

/// Body of `POST /v1/onramp/quote`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampQuestion {
    /// Symbol of the coin or token to buy. An object with its `symbol` or `id` is accepted as well.
    pub purchase_currency: String,
    /// ISO 4217 code of the currency of the payment. An object with its `id` is accepted as well.
    pub payment_currency: String,
    /// Payment in plain decimal notation: "100", "99.5". A number is accepted as well.
    pub amount: String,
    /// CAIP-2 id of the chain on which the coins are delivered.
    pub network: Option<String>,
    /// On-ramp provider to query; the first available one by default.
    pub provider: Option<String>,
    /// ISO 3166-1 code of the buyer's country, two letters; derived from the browser language if absent.
    pub country: Option<String>,
    /// ISO 3166-2 code without the country prefix, such as "NY"; some providers sell by state.
    pub subdivision: Option<String>,
}

/// Response of `POST /v1/onramp/quote`: estimated price of a purchase. The on-ramp provider determines the final price.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampQuote {
    /// Total payment, fees included.
    pub payment_total: OnrampAmount,
    /// Payment without fees.
    pub payment_subtotal: OnrampAmount,
    /// Amount of the coin or token bought.
    pub purchase_amount: OnrampAmount,
    /// Network fee; null if the provider does not state it.
    pub network_fee: Option<OnrampAmount>,
    /// Fee of the on-ramp provider; null if it does not state one.
    pub provider_fee: Option<OnrampAmount>,
    /// Identifier of the quote at the provider; empty if the provider has none.
    pub quote_id: String,
    /// On-ramp provider that made the quote.
    pub provider: String,
}

/// Amount with its currency.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampAmount {
    /// Amount in plain decimal notation.
    pub amount: String,
    /// ISO 4217 code, or the symbol of a coin or token.
    pub currency: String,
}

/// Body of `POST /v1/generators/onrampurl`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampUrlQuestion {
    /// Account that receives the coins. Exactly one: a purchase page of a provider is made for one account.
    pub destination_wallets: Vec<DestinationWallet>,
    /// On-ramp provider; the first available one by default.
    pub provider: Option<String>,
    /// CAIP-2 id or Coinbase name of a chain; an EVM chain that the provider does not serve becomes its fallback chain (spec 9.9).
    pub default_network: Option<String>,
    /// Symbol of the coin or token to buy.
    pub purchase_currency: Option<String>,
    /// ISO 4217 code of the currency of the payment.
    pub payment_currency: Option<String>,
    /// Payment in plain decimal notation. A number is accepted as well.
    pub preset_fiat_amount: Option<String>,
    /// Amount of the coin or token to buy, in plain decimal notation. A number is accepted as well.
    pub preset_crypto_amount: Option<String>,
    /// Mode of the purchase page: "buy" or "send".
    pub default_experience: Option<String>,
    /// The host's own id for its buyer, at most 50 letters.
    pub partner_user_id: Option<String>,
    /// ISO 3166-1 code of the buyer's country, two letters.
    pub country: Option<String>,
    /// ISO 3166-2 code without the country prefix, such as "NY".
    pub subdivision: Option<String>,
    /// URL to which the buyer returns: a page of the origin that sends this request.
    pub return_url: Option<String>,
}

/// Account that receives the coins of a purchase.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct DestinationWallet {
    /// Address in the format of its chain.
    pub address: String,
    /// CAIP-2 ids or Coinbase names of chains; the default network alone if absent.
    pub blockchains: Option<Vec<String>>,
    /// Symbols of the coins and tokens that may be bought; any if absent.
    pub assets: Option<Vec<String>>,
}

/// Response of `POST /v1/generators/onrampurl`: URL of the purchase page. It can be opened once, within five minutes.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampUrl {
    /// https URL on the on-ramp provider's host.
    pub url: String,
    /// CAIP-2 id of the chain on which the coins will arrive.
    pub network: String,
    /// Reference to query the purchase with `GET /v1/onramp/purchase`; null if the host passed its own `partnerUserId`.
    pub reference: Option<String>,
}

/// Response of `GET /v1/onramp/purchase`: state of a purchase as the on-ramp provider reports it.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampPurchase {
    /// "unseen" (the provider knows no such purchase), "pending", "done" (the coins were sent) or "failed".
    pub state: String,
    /// Amount bought, if the provider reports it.
    pub purchase_amount: Option<OnrampAmount>,
    /// Hash of the transaction that delivered the coins, if the provider reports it.
    pub hash: Option<String>,
}
