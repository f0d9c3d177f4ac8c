//! A token from the wallet or the host's server; untrusted until parsed.

use crate::facts::Facts;
use crate::http::picture;
use crate::pay::standing::Mark;
use crate::shown::clean;
use portico_api::account::Balance;
use portico_json::Value;
use portico_terms::{Amount, ChainId, Price};

/// Maximum number of tokens; longer lists are cut.
pub(super) const MOST_TOKENS: usize = 2_000;

/// A token of the account.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// "Ether"
    pub name: String,
    /// "ETH"
    pub symbol: String,
    /// CAIP-10 id of the contract; `None` for the chain's own coin.
    pub address: Option<String>,
    /// 18
    pub decimals: u8,
    /// Amount in the smallest unit.
    pub amount: Amount,
    /// Price of one token, if known.
    pub price: Option<Price>,
    /// Value of the amount in US cents, to the nearest.
    pub cents: Option<Amount>,
    /// URL of the icon.
    pub icon: Option<String>,
    /// Reason to distrust its words.
    pub mark: Option<Mark>,
    /// Whether it stands behind the row of hidden tokens.
    pub hidden: bool,
}

fn name(text: &str) -> Option<String> {
    Some(clean(text)).filter(|name| !name.is_empty())
}

fn number(value: &Value) -> Option<&str> {
    match value {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

impl Token {
    fn worth(mut self) -> Token {
        self.cents = self.price.and_then(|price| price.nearest_cents(self.amount, self.decimals));
        self
    }
}

/// Validates a token of the server's list (spec 3.12); `None` if it is of another chain or of low quality (spec 5.12).
pub(super) fn read_balance(item: Balance, chain: &ChainId, facts: &Facts) -> Option<Token> {
    let chain = chain.to_string();
    let decimals = item.quantity.decimals.parse().ok().filter(|decimals| *decimals != 0)?;
    // The token's address contains its chain as well (CAIP-10).
    let own = item.address.as_ref().is_none_or(|address| {
        let part = address.strip_prefix(chain.as_str()).and_then(|rest| rest.strip_prefix(':'));
        part.is_some_and(|part| !part.is_empty())
    });
    if !own || item.chain_id != chain {
        return None;
    }
    let token = Token {
        name: name(&item.name)?,
        symbol: name(&item.symbol)?,
        address: item.address,
        decimals,
        amount: Amount::from_units(&item.quantity.numeric, decimals).ok()?,
        price: Price::from_number(item.price.as_str()),
        cents: None,
        icon: picture(&item.icon_url, facts),
        mark: None,
        hidden: false,
    };
    Some(token.worth())
}

/// Parses a wallet's assets on a chain (spec 3.13); `None` if one of them is invalid (spec 5.15 to 5.18).
pub(super) fn read_assets(answer: &Value, chain: &ChainId, facts: &Facts) -> Option<Vec<Token>> {
    let number = Amount::from(chain.number()?);
    let mut chains = answer.as_object()?.iter();
    let (_, assets) = chains.find(|(name, _)| Amount::from_hex(name) == Ok(number))?;
    let tokens: Option<Vec<Token>> = assets.as_list()?.iter().map(|asset| read_asset(asset, chain, facts)).collect();
    // Tokens without decimals are of low quality here as well (spec 5.12).
    tokens.map(|tokens| tokens.into_iter().filter(|token| token.decimals != 0).take(MOST_TOKENS).collect())
}

fn read_asset(asset: &Value, chain: &ChainId, facts: &Facts) -> Option<Token> {
    let (address, kind, metadata) =
        (asset.get("address").as_str()?, asset.get("type").as_str()?, asset.get("metadata"));
    // EIP-7811 writes these words in lower case, the contract in upper case (spec 5.17).
    let native = kind.eq_ignore_ascii_case("NATIVE");
    if !native && !kind.eq_ignore_ascii_case("ERC20") {
        return None;
    }
    let icon = metadata.get("iconUrl").as_str()?;
    let token = Token {
        name: clean(metadata.get("name").as_str()?),
        symbol: clean(metadata.get("symbol").as_str()?),
        address: (!native).then(|| [&chain.to_string(), ":", address].concat()),
        decimals: number(metadata.get("decimals"))?.parse().ok()?,
        amount: Amount::from_hex(asset.get("balance").as_str()?).ok()?,
        price: Price::from_number(number(metadata.get("price"))?),
        cents: None,
        icon: picture(icon, facts),
        mark: None,
        hidden: false,
    };
    Some(token.worth())
}
