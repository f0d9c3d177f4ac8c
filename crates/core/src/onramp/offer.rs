//! On-ramp providers, coins and currencies from the server: untrusted until parsed, each item on its own.

use crate::facts::{ActiveAccount, Facts};
use crate::http::picture;
use crate::shown::clean;
use portico_api::onramp::{OnrampOptions, OnrampProviders, PaymentCurrency};
use portico_json::Json;
use portico_terms::{ChainId, Namespace};

/// Maximum numbers of providers, and of coins or currencies.
const MOST_PROVIDERS: usize = 8;
const MOST_ITEMS: usize = 500;

/// Maximum length of an id of a coin, currency or purchase.
const LONGEST_ID: usize = 50;

/// Maximum length of a server's error message.
const LONGEST_REASON: usize = 200;

/// An on-ramp provider.
#[derive(Clone, Debug, Default)]
pub struct Provider {
    pub name: String,
    pub label: String,
    pub fee: (u32, u32),
    pub chains: Vec<ChainId>,
    pub fallback: Option<ChainId>,
}

/// A currency to pay with.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "OnrampCurrency")]
pub struct Currency {
    /// ISO 4217 code.
    pub id: String,
    /// Names of the providers that accept it.
    pub providers: Vec<String>,
}

/// A coin to buy.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "OnrampToken")]
pub struct Token {
    /// Id of the coin in quotes.
    pub id: String,
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// URL of a picture on the host's own server.
    pub picture: Option<String>,
    /// Names of the providers that sell it.
    pub providers: Vec<String>,
}

impl Provider {
    /// Chain on which the coins arrive: the active one, or the fallback (spec 9.9). There is no fallback for a smart account, whose address
    /// holds on its own chain only, nor for another namespace.
    pub fn network(&self, chain: &ChainId, account: &ActiveAccount, facts: &Facts) -> Option<ChainId> {
        if self.chains.contains(chain) {
            return Some(chain.clone());
        }
        let elsewhere = account.namespace == Namespace::Eip155 && !facts.smart_account;
        self.fallback.clone().filter(|fallback| elsewhere && fallback.namespace() == Namespace::Eip155)
    }
}

/// Validates the providers of the server's list.
pub fn providers(list: OnrampProviders) -> Vec<Provider> {
    let mut found: Vec<Provider> = Vec::new();
    for item in list.providers {
        let fee = |fee: u32| if fee < 100 { fee } else { 0 };
        if found.len() == MOST_PROVIDERS || !is_id(&item.name) || found.iter().any(|known| known.name == item.name) {
            continue;
        }
        let label = Some(clean(&item.label)).filter(|label| !label.is_empty());
        found.push(Provider {
            label: label.unwrap_or_else(|| item.name.clone()),
            name: item.name,
            fee: (fee(item.fee_from), fee(item.fee_to)),
            chains: item.chains.iter().filter_map(|chain| chain.parse().ok()).collect(),
            fallback: item.fallback.parse().ok(),
        });
    }
    found
}

/// Validates currencies and coins.
pub fn options(options: OnrampOptions, facts: &Facts) -> (Vec<Currency>, Vec<Token>) {
    let mut currencies: Vec<Currency> = Vec::new();
    for PaymentCurrency { id, providers } in options.payment_currencies {
        let fits = id.len() == 3 && id.bytes().all(|byte| byte.is_ascii_uppercase());
        if fits && currencies.len() < MOST_ITEMS && currencies.iter().all(|known| known.id != id) {
            currencies.push(Currency { id, providers });
        }
    }
    let mut tokens: Vec<Token> = Vec::new();
    for item in options.purchase_currencies {
        let symbol = clean(&item.symbol);
        let fits = is_id(&item.id) && !symbol.is_empty();
        if fits && tokens.len() < MOST_ITEMS && tokens.iter().all(|known| known.id != item.id) {
            let name = Some(clean(&item.name)).filter(|name| !name.is_empty());
            tokens.push(Token {
                name: name.unwrap_or_else(|| symbol.clone()),
                symbol,
                picture: picture(&item.icon_url, facts),
                providers: item.providers,
                id: item.id,
            });
        }
    }
    (currencies, tokens)
}

/// Cleans a server's error message for the console.
pub fn reason(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_REASON).collect()
}

/// Whether a text is an id that is safe in a URL.
pub fn is_id(id: &str) -> bool {
    (1..=LONGEST_ID).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
