//! On-ramp providers, coins and currencies from the server: untrusted until parsed, each item on its own.

use crate::facts::{ActiveAccount, Facts};
use crate::http::picture;
use crate::shown::clean;
use portico_json::{Json, Value};
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

/// Parses the list of providers; `None` if the response is invalid.
pub fn providers(answer: &Value) -> Option<Vec<Provider>> {
    let mut found: Vec<Provider> = Vec::new();
    for item in answer.get("providers").as_list()? {
        let Some(name) = id(item.get("name")) else { continue };
        let fee =
            |field: &str| item.get(field).as_u64().and_then(|fee| u32::try_from(fee).ok()).filter(|fee| *fee < 100);
        if found.len() == MOST_PROVIDERS || found.iter().any(|known| known.name == name) {
            continue;
        }
        let label = item.get("label").as_str().map(clean).filter(|label| !label.is_empty());
        found.push(Provider {
            label: label.unwrap_or_else(|| name.clone()),
            name,
            fee: (fee("feeFrom").unwrap_or(0), fee("feeTo").unwrap_or(0)),
            chains: texts(item.get("chains")).filter_map(|chain| chain.parse().ok()).collect(),
            fallback: item.get("fallback").as_str().and_then(|chain| chain.parse().ok()),
        });
    }
    Some(found)
}

/// Parses currencies and coins; `None` if the response is invalid.
pub fn options(answer: &Value, facts: &Facts) -> Option<(Vec<Currency>, Vec<Token>)> {
    let mut currencies: Vec<Currency> = Vec::new();
    for item in answer.get("paymentCurrencies").as_list()? {
        let money = id(item.get("id")).filter(|id| id.len() == 3 && id.bytes().all(|byte| byte.is_ascii_uppercase()));
        let Some(id) = money.filter(|id| currencies.iter().all(|known| known.id != *id)) else { continue };
        if currencies.len() < MOST_ITEMS {
            currencies.push(Currency { id, providers: texts(item.get("providers")).map(String::from).collect() });
        }
    }
    let mut tokens: Vec<Token> = Vec::new();
    for item in answer.get("purchaseCurrencies").as_list()? {
        let Some(id) = id(item.get("id")).filter(|id| tokens.iter().all(|known| known.id != *id)) else { continue };
        let symbol = clean(item.get("symbol").as_str().unwrap_or(&id));
        let name = item.get("name").as_str().map(clean).filter(|name| !name.is_empty());
        if tokens.len() < MOST_ITEMS && !symbol.is_empty() {
            tokens.push(Token {
                name: name.unwrap_or_else(|| symbol.clone()),
                symbol,
                picture: picture(item.get("iconUrl"), facts),
                providers: texts(item.get("providers")).map(String::from).collect(),
                id,
            });
        }
    }
    Some((currencies, tokens))
}

/// Cleans a server's error message for display.
pub fn reason(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_REASON).collect()
}

/// Parses an id that is safe in a URL.
pub fn id(value: &Value) -> Option<String> {
    let fits = |id: &&str| {
        (1..=LONGEST_ID).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    value.as_str().filter(fits).map(String::from)
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_list().unwrap_or_default().iter().filter_map(Value::as_str)
}
