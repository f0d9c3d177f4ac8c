//! The tokens that can be swapped: the chain's list, told once by the host's server, and what the account holds.

use super::Target;
use crate::facts::Facts;
use crate::http::picture;
use crate::pay::tokens::{Purse, contract_of, matches};
use crate::shown::clean;
use portico_api::swap::COIN;
use portico_json::{Json, Value};
use portico_terms::amount::shown_units;
use portico_terms::{Amount, ChainId, Price};

/// Longer lists are cut.
const MOST_TOKENS: usize = 5_000;

/// No honest token has more decimals.
const MOST_DECIMALS: u8 = 36;

/// So many rows are told at first, and so many more each time the end is seen.
pub const PAGE: usize = 100;

/// A coin or a token that can be swapped.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Coin {
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// Of the contract, in small letters; that of [`COIN`] for the chain's own coin.
    pub address: String,
    /// 6
    pub decimals: u8,
    /// The picture.
    pub icon: Option<String>,
}

impl Coin {
    /// Whether it is the chain's own.
    pub fn is_native(&self) -> bool {
        self.address == COIN
    }

    /// Whether it is that of an address.
    pub fn is(&self, address: &str) -> bool {
        self.address.eq_ignore_ascii_case(address)
    }

    /// CAIP-10.
    pub fn id(&self, chain: &ChainId) -> String {
        [&chain.to_string(), ":", &self.address].concat()
    }

    /// How much of it there is, and what one is worth, as far as the account was told.
    pub fn held(&self, purse: &Purse) -> (Option<Amount>, Option<Price>) {
        if self.is_native() {
            let told = purse.tokens.iter().find(|token| token.address.is_none());
            return (purse.coin.or(told.map(|coin| coin.amount)), told.and_then(|coin| coin.price));
        }
        let told = purse.token(&self.address);
        (told.map(|token| token.amount), told.and_then(|token| token.price))
    }
}

/// The address of a CAIP-10 id of this chain, where it is one.
pub fn address_of<'a>(id: &'a str, chain: &ChainId) -> Option<&'a str> {
    id.strip_prefix(chain.to_string().as_str())?.strip_prefix(':').filter(|address| {
        address.len() == COIN.len() && address.starts_with("0x") && portico_terms::address::is_evm(address)
    })
}

/// The token that a host named: by its address, by its CAIP-10 id on this chain, or by a symbol that one token alone has. Who calls itself
/// like another is not taken for it.
pub fn named<'a>(name: &str, coins: &'a [Coin], chain: &ChainId) -> Option<&'a Coin> {
    let address = address_of(name, chain).unwrap_or(name);
    if name.contains(':') || portico_terms::address::is_evm(address) {
        return coins.iter().find(|coin| coin.is(address));
    }
    let mut called = coins.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name));
    called.next().filter(|_| called.next().is_none())
}

/// The list of a chain; `None` where the answer is none.
pub fn read(answer: &Value, chain: &ChainId, facts: &Facts) -> Option<Vec<Coin>> {
    let mut coins: Vec<Coin> = Vec::new();
    for item in answer.get("tokens").as_list()?.iter().take(MOST_TOKENS) {
        coins.extend(read_one(item, chain, facts));
    }
    // Of two with one address the first counts.
    let mut order: Vec<usize> = (0..coins.len()).collect();
    order.sort_by(|one, other| coins[*one].address.cmp(&coins[*other].address).then(one.cmp(other)));
    let mut twice = vec![false; coins.len()];
    for pair in order.windows(2) {
        twice[pair[1]] = coins[pair[0]].address == coins[pair[1]].address;
    }
    let mut twice = twice.into_iter();
    coins.retain(|_| twice.next() == Some(false));
    Some(coins)
}

fn read_one(item: &Value, chain: &ChainId, facts: &Facts) -> Option<Coin> {
    let name = |field: &str| item.get(field).as_str().map(clean).filter(|name| !name.is_empty());
    let symbol = name("symbol")?;
    Some(Coin {
        name: name("name").unwrap_or_else(|| symbol.clone()),
        symbol,
        address: address_of(item.get("address").as_str()?, chain)?.to_ascii_lowercase(),
        decimals: decimals(item.get("decimals").as_u64()?)?,
        icon: picture(item.get("logoUri"), facts),
    })
}

fn decimals(number: u64) -> Option<u8> {
    u8::try_from(number).ok().filter(|decimals| *decimals <= MOST_DECIMALS)
}

/// One row of the list to choose from.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapTokenItem")]
pub struct Item {
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// Names it when it is chosen.
    pub address: String,
    /// 4 leading and 6 trailing letters, where the token is on nobody's list: it may only call itself what it does.
    pub unlisted: Option<String>,
    /// The picture.
    pub icon_url: Option<String>,
    /// What there is, cut, where there is some.
    pub shown: Option<String>,
    /// What that is worth in US dollars, where a price is known.
    pub value: Option<String>,
    /// Whether it is the one in use.
    pub chosen: bool,
}

/// What views read of the list.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapTokensView")]
pub struct View {
    /// What is chosen.
    pub target: Target,
    /// As typed.
    pub search: String,
    /// What is held first, the most valuable first.
    pub items: Vec<Item>,
    /// Whether there are more.
    pub more: bool,
    /// How many there are in all.
    pub count: u32,
}

/// Those that a search finds: what is held and listed, then the others of the list, then, to pay with, what is held and not listed.
pub fn found<'a>(list: &'a [Coin], held: &'a [Coin], target: Target, search: &str, purse: &Purse) -> Vec<&'a Coin> {
    let wanted = search.trim().to_ascii_lowercase();
    let fits = |coin: &&Coin| {
        let contract = (!coin.is_native()).then_some(coin.address.as_str());
        matches(&coin.name, &coin.symbol, contract, &wanted)
    };
    // What is held stands in its order of worth, and is found among thousands without a walk through all of them.
    let owned = purse.tokens.iter().filter(|token| !token.amount.is_zero()).zip(0usize..);
    let mut owned: Vec<(String, usize)> =
        owned.map(|(token, at)| (contract_of(token).unwrap_or(COIN).to_ascii_lowercase(), at)).collect();
    owned.sort_unstable();
    let place = |coin: &Coin| {
        let at = owned.binary_search_by(|(address, _)| address.as_str().cmp(&coin.address)).ok()?;
        owned.get(at).map(|(_, place)| *place)
    };
    let mut first: Vec<(usize, &Coin)> = Vec::new();
    let mut others = Vec::new();
    for coin in list.iter().filter(fits) {
        match place(coin) {
            Some(at) => first.push((at, coin)),
            None => others.push(coin),
        }
    }
    first.sort_by_key(|(at, _)| *at);
    let strange = if target == Target::SourceToken { held } else { &[] };
    first.into_iter().map(|(_, coin)| coin).chain(others).chain(strange.iter().filter(fits)).collect()
}

/// What the account holds that is on no list.
pub fn unlisted(list: &[Coin], purse: &Purse) -> Vec<Coin> {
    let mut known: Vec<&str> = list.iter().map(|coin| coin.address.as_str()).collect();
    known.sort_unstable();
    let tokens = purse.tokens.iter().filter(|token| !token.amount.is_zero() && token.decimals <= MOST_DECIMALS);
    tokens
        .filter_map(|token| {
            let address = contract_of(token)?.to_ascii_lowercase();
            let new = known.binary_search(&address.as_str()).is_err() && super::quote::is_contract(&address);
            let (name, symbol, icon) = (token.name.clone(), token.symbol.clone(), token.icon.clone());
            new.then_some(Coin { name, symbol, address, decimals: token.decimals, icon })
        })
        .collect()
}

/// A row.
pub fn item(coin: &Coin, listed: bool, chosen: bool, purse: &Purse) -> Item {
    let (amount, price) = coin.held(purse);
    let amount = amount.filter(|amount| !amount.is_zero());
    let worth = |amount: Amount| Some(price?.cents(amount, coin.decimals)?.to_units_fixed(2, 2));
    Item {
        name: coin.name.clone(),
        symbol: coin.symbol.clone(),
        address: coin.address.clone(),
        unlisted: (!listed).then(|| portico_terms::address::shorten(&coin.address)),
        icon_url: coin.icon.clone(),
        shown: amount.and_then(|amount| shown_units(&amount.to_units(coin.decimals), SHOWN)),
        value: amount.and_then(worth),
        chosen,
    }
}

/// The decimals of an amount in the list and under the fields.
pub const SHOWN: usize = 4;
