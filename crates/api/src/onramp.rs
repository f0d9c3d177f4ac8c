//! Buying coins with money: `/v1/onramp/…` and `/v1/generators/onrampurl` (spec 1.4, 9.8, 9.9).

use portico_json::Json;

/// The answer of `GET /v1/onramp/providers`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampProviders {
    /// Those whose keys the server has, in the operator's order; none is a list without any.
    pub providers: Vec<OnrampProvider>,
}

/// One who sells coins for money.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampProvider {
    /// "coinbase" or "meld" (spec 9.8).
    pub name: String,
    /// As people know it: "Coinbase", "Meld.io".
    pub label: String,
    /// The least that it usually takes of a purchase, in per cent (spec 9.8).
    pub fee_from: u32,
    /// The most that it usually takes.
    pub fee_to: u32,
    /// CAIP-2 of the chains on which coins can be had of it (spec 9.9).
    pub chains: Vec<String>,
    /// CAIP-2 of the chain on which an account of another EVM chain is paid (spec 9.9).
    pub fallback: String,
}

/// The answer of `GET /v1/onramp/options`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampOptions {
    /// Money that can be paid with; that of the visitor's country first.
    pub payment_currencies: Vec<PaymentCurrency>,
    /// What can be bought on the chain; its own coin first.
    pub purchase_currencies: Vec<PurchaseCurrency>,
    /// ISO 3166-1 of the country for which these are; none where it is not known.
    pub country: Option<String>,
    /// ISO 3166-2 without the country, where one was named.
    pub subdivision: Option<String>,
}

/// The answer of `GET /v1/onramp/countries`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampCountries {
    /// Where somebody sells; by their code.
    pub countries: Vec<OnrampCountry>,
}

/// A country in which somebody sells.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampCountry {
    /// ISO 3166-1, two letters.
    pub id: String,
    /// ISO 3166-2 without the country, where some sell by state: then one has to be named.
    pub subdivisions: Vec<String>,
    /// Who sells there.
    pub providers: Vec<String>,
}

/// See [`OnrampOptions::payment_currencies`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PaymentCurrency {
    /// ISO 4217: "EUR".
    pub id: String,
    /// Who takes it.
    pub providers: Vec<String>,
}

/// See [`OnrampOptions::purchase_currencies`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PurchaseCurrency {
    /// What a quote calls it: its symbol.
    pub id: String,
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// A picture, by the server's own image proxy; empty where there is none.
    pub icon_url: String,
    /// CAIP-2.
    pub network: String,
    /// Its contract there; none for the chain's own coin, or where it is not told.
    pub contract_address: Option<String>,
    /// Who sells it.
    pub providers: Vec<String>,
}

/// The body of `POST /v1/onramp/quote`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampQuestion {
    /// What is bought, by its symbol.
    pub purchase_currency: String,
    /// ISO 4217.
    pub payment_currency: String,
    /// Of the money, in plain notation: "100", "99.5".
    pub amount: String,
    /// CAIP-2.
    pub network: Option<String>,
    /// Who is asked; the first that there is, where it is missing.
    pub provider: Option<String>,
    /// ISO 3166-1 of the buyer, two letters; by the language of the browser where it is missing.
    pub country: Option<String>,
    /// ISO 3166-2 without the country, such as "NY": some sell by state.
    pub subdivision: Option<String>,
}

/// The answer: what a purchase costs now. It is an estimate, and what is paid in the end is said by who sells.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampQuote {
    /// All that is paid.
    pub payment_total: OnrampAmount,
    /// Without fees.
    pub payment_subtotal: OnrampAmount,
    /// What is bought.
    pub purchase_amount: OnrampAmount,
    /// What the network takes; none where it is not told.
    pub network_fee: Option<OnrampAmount>,
    /// What the one who sells takes; none where it is not told.
    pub provider_fee: Option<OnrampAmount>,
    /// By which it knows the quote again; empty where it does not.
    pub quote_id: String,
    /// Who answered.
    pub provider: String,
}

/// So much of a currency.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampAmount {
    /// In plain notation.
    pub amount: String,
    /// ISO 4217, or the symbol of a coin.
    pub currency: String,
}

/// The body of `POST /v1/generators/onrampurl`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampUrlQuestion {
    /// Whither. Exactly one: a page of one who sells is for one account.
    pub destination_wallets: Vec<DestinationWallet>,
    /// Who sells; the first that there is, where it is missing.
    pub provider: Option<String>,
    /// A CAIP-2 id, or the name by which Coinbase knows a chain; another than those of the provider becomes its fallback (spec 9.9).
    pub default_network: Option<String>,
    /// What is bought, by its symbol.
    pub purchase_currency: Option<String>,
    /// ISO 4217.
    pub payment_currency: Option<String>,
    /// Of the money, in plain notation.
    pub preset_fiat_amount: Option<String>,
    /// Of what is bought, in plain notation.
    pub preset_crypto_amount: Option<String>,
    /// "buy" or "send".
    pub default_experience: Option<String>,
    /// Of the host, for its buyer: at most 50 letters.
    pub partner_user_id: Option<String>,
    /// ISO 3166-1 of the buyer, two letters.
    pub country: Option<String>,
    /// ISO 3166-2 without the country, such as "NY".
    pub subdivision: Option<String>,
    /// Where the buyer comes back to: a page of the origin that asks.
    pub return_url: Option<String>,
}

/// See [`OnrampUrlQuestion::destination_wallets`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct DestinationWallet {
    /// As its chain writes it.
    pub address: String,
    /// CAIP-2 ids, or names by which Coinbase knows chains; the network alone where there are none.
    pub blockchains: Option<Vec<String>>,
    /// Symbols of what may be bought; anything where there are none.
    pub assets: Option<Vec<String>>,
}

/// The answer: where the purchase is made. It can be opened once, for five minutes.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampUrl {
    /// https, on the host of the one who sells.
    pub url: String,
    /// CAIP-2 of the chain on which coins will arrive.
    pub network: String,
    /// By which `GET /v1/onramp/purchase` tells what became of it; none where the host has an id of its own for the buyer.
    pub reference: Option<String>,
}

/// The answer of `GET /v1/onramp/purchase`: what the one who sells knows of a purchase.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampPurchase {
    /// "unseen" (it knows of none), "pending", "done" (the coins were sent) or "failed".
    pub state: String,
    /// What was bought, where it is told.
    pub purchase_amount: Option<OnrampAmount>,
    /// The transaction that brought the coins, where it is told.
    pub hash: Option<String>,
}
