//! Tokens for swaps: the chain's list, loaded once from the host's server, and the account's own tokens.

use super::Target;
use crate::facts::Facts;
use crate::http::picture;
use crate::pay::standing::{Mark, is_contradicted, is_misnamed};
use crate::pay::tokens::{Holding, Purse, contract_of, matches, worth};
use crate::shown::clean;
use portico_api::swap::{COIN, SwapToken, SwapTokens};
use portico_json::Json;
use portico_terms::address::{shorten, to_checksum};
use portico_terms::{Amount, ChainId, Price};

/// Maximum number of tokens; longer lists are cut.
const MOST_TOKENS: usize = 5_000;

/// Maximum number of decimals of a plausible token.
const MOST_DECIMALS: u8 = 36;

/// Number of rows sent at first and added at each end of the list; a short list keeps each keystroke of a search cheap.
pub const PAGE: usize = 40;

/// A coin or token for swaps.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Coin {
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// Contract address in lower case; [`COIN`] for the chain's own coin.
    pub address: String,
    /// 6
    pub decimals: u8,
    /// URL of the icon.
    pub icon: Option<String>,
}

impl Coin {
    /// Whether it is the chain's own coin.
    pub fn is_native(&self) -> bool {
        self.address == COIN
    }

    /// Whether it has this address, ignoring case.
    pub fn is(&self, address: &str) -> bool {
        self.address.eq_ignore_ascii_case(address)
    }

    /// CAIP-10 id.
    pub fn id(&self, chain: &ChainId) -> String {
        [&chain.to_string(), ":", &self.address].concat()
    }

    /// Balance and unit price, as far as the account knows them.
    pub fn held(&self, purse: &Purse) -> (Option<Amount>, Option<Price>) {
        if self.is_native() {
            let told = purse.tokens.iter().find(|token| token.address.is_none());
            return (purse.coin.or(told.map(|coin| coin.amount)), told.and_then(|coin| coin.price));
        }
        let told = purse.token(&self.address);
        (told.map(|token| token.amount), told.and_then(|token| token.price))
    }
}

/// Address in a CAIP-10 id of this chain; `None` if it is not one.
pub fn address_of<'a>(id: &'a str, chain: &ChainId) -> Option<&'a str> {
    id.strip_prefix(chain.to_string().as_str())?.strip_prefix(':').filter(|address| {
        address.len() == COIN.len() && address.starts_with("0x") && portico_terms::address::is_evm(address)
    })
}

/// Token that a host named by address, CAIP-10 id on this chain, or a symbol that only one token has. An ambiguous symbol matches none.
pub fn named<'a>(name: &str, coins: &'a [Coin], chain: &ChainId) -> Option<&'a Coin> {
    let address = address_of(name, chain).unwrap_or(name);
    if name.contains(':') || portico_terms::address::is_evm(address) {
        return coins.iter().find(|coin| coin.is(address));
    }
    let mut called = coins.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name));
    called.next().filter(|_| called.next().is_none())
}

/// Tokens of a chain's list that can be swapped.
pub fn usable(answer: SwapTokens, chain: &ChainId, facts: &Facts) -> Vec<Coin> {
    let mut coins: Vec<Coin> = Vec::new();
    for item in answer.tokens.into_iter().take(MOST_TOKENS) {
        coins.extend(coin_of(item, chain, facts));
    }
    // The first of two tokens with the same address counts.
    let mut order: Vec<usize> = (0..coins.len()).collect();
    order.sort_unstable_by(|one, other| coins[*one].address.cmp(&coins[*other].address).then(one.cmp(other)));
    let mut twice = vec![false; coins.len()];
    for pair in order.windows(2) {
        twice[pair[1]] = coins[pair[0]].address == coins[pair[1]].address;
    }
    let mut twice = twice.into_iter();
    coins.retain(|_| twice.next() == Some(false));
    coins
}

fn coin_of(item: SwapToken, chain: &ChainId, facts: &Facts) -> Option<Coin> {
    let address = address_of(&item.address, chain)?.to_ascii_lowercase();
    let icon = picture(&item.logo_uri, facts);
    if address == COIN {
        // Name and decimals of the chain's own coin come from the host's network.
        let own = &facts.network(chain)?.native_currency;
        return Some(Coin {
            name: own.name.clone(),
            symbol: own.symbol.clone(),
            address,
            decimals: own.decimals,
            icon,
        });
    }
    let symbol = Some(clean(&item.symbol)).filter(|symbol| !symbol.is_empty())?;
    if is_misnamed(&symbol, &address, chain, facts) {
        return None;
    }
    let name = Some(clean(&item.name)).filter(|name| !name.is_empty()).unwrap_or_else(|| symbol.clone());
    let decimals = u8::try_from(item.decimals).ok().filter(|decimals| *decimals <= MOST_DECIMALS)?;
    Some(Coin { name, symbol, address, decimals, icon })
}

/// One row of the token list.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapTokenItem")]
pub struct Item {
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// Address for choosing the token.
    pub address: String,
    /// Shortened contract, 4 leading and 6 trailing letters; `null` for the coin.
    pub contract: Option<String>,
    /// Whether the token is on no list: its name and symbol are unverified.
    pub unlisted: bool,
    pub icon_url: Option<String>,
    /// Balance with two decimals (spec 2.11); `null` without any.
    pub shown: Option<String>,
    /// Value of the balance in US dollars, if a price is known.
    pub value: Option<String>,
    /// Reason to distrust its name and symbol. A suspicious name is empty.
    pub mark: Option<Mark>,
    /// Whether it stands behind the row of hidden tokens.
    pub hidden: bool,
    /// Whether it is the selected token.
    pub chosen: bool,
}

/// The token list for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SwapTokensView")]
pub struct View {
    /// Side that a token is chosen for.
    pub target: Target,
    /// Search text.
    pub search: String,
    /// Rows, the account's own tokens first, the most valuable of them first.
    pub items: Vec<Item>,
    /// Whether there are more rows.
    pub more: bool,
    /// Total number of rows, without closed hidden ones.
    pub count: u32,
    /// Number of rows behind the row of hidden tokens.
    pub hidden: u32,
    /// Whether that row is open.
    pub revealed: bool,
}

/// A search result: a listed token, an unlisted token of the account, or a listed one that the account has.
pub enum Hit<'a> {
    /// A token on the list, with the account's holding of it.
    Listed(&'a Coin, Option<&'a Holding>),
    /// An unlisted token of the account.
    Strange(&'a Holding),
}

/// List tokens matched with the account's tokens; cached, as it is the same for each keystroke of a search.
#[derive(Debug, Default)]
pub struct Joined {
    of: Option<(u32, *const Coin, usize)>,
    /// Index of the account's token for each coin of the list.
    places: Vec<Option<usize>>,
    /// Indexes of the account's payable tokens that are on no list.
    strange: Vec<usize>,
}

impl Joined {
    /// Matches a list with the account's tokens.
    pub fn new(list: &[Coin], purse: &Purse, chain: Option<&ChainId>) -> Joined {
        let address = |at: usize| contract_of(&purse.tokens[at]).unwrap_or(COIN);
        let mut tags: Vec<(u32, usize)> = (0..purse.tokens.len()).map(|at| (tag(address(at)), at)).collect();
        tags.sort_unstable();
        let mut listed = vec![false; tags.len()];
        let place = |coin: &Coin| {
            let tag = tag(&coin.address);
            let from = tags.partition_point(|(other, _)| *other < tag);
            let alike = tags.iter().skip(from).take_while(|(other, _)| *other == tag).map(|(_, at)| *at);
            let mut place = None;
            for at in alike.filter(|at| coin.is(address(*at))) {
                listed[at] = true;
                place = place.or(Some(at));
            }
            place.filter(|at| !purse.tokens[*at].amount.is_zero())
        };
        let places = list.iter().map(place).collect();
        let strange = (0..listed.len()).filter(|at| !listed[*at] && is_payable(&purse.tokens[*at], chain)).collect();
        Joined { of: Some(key(list, purse)), places, strange }
    }

    /// Whether the match is still current.
    pub fn is_of(&self, list: &[Coin], purse: &Purse) -> bool {
        self.of == Some(key(list, purse))
    }
}

fn key(list: &[Coin], purse: &Purse) -> (u32, *const Coin, usize) {
    (purse.revision, list.as_ptr(), list.len())
}

/// Search results: listed tokens of the account, then the rest of the list, then, to pay with, unlisted tokens of the account, the hidden
/// ones last.
pub fn found<'a>(list: &'a [Coin], joined: &Joined, target: Target, search: &str, purse: &Purse<'a>) -> Vec<Hit<'a>> {
    let wanted = search.trim().to_ascii_lowercase();
    let mut held: Vec<(usize, &Coin)> = Vec::new();
    let mut others = Vec::new();
    for (coin, place) in list.iter().zip(&joined.places) {
        let contract = (!coin.is_native()).then_some(coin.address.as_str());
        if matches(&coin.name, &coin.symbol, contract, &wanted) {
            match place {
                Some(at) => held.push((*at, coin)),
                None => others.push(Hit::Listed(coin, None)),
            }
        }
    }
    // The account's tokens are sorted by value.
    held.sort_unstable_by_key(|(at, _)| *at);
    let mut hits: Vec<Hit> = held.into_iter().map(|(at, coin)| Hit::Listed(coin, purse.tokens.get(at))).collect();
    hits.append(&mut others);
    if target == Target::SourceToken {
        let fits = |token: &&Holding| matches(&token.name, &token.symbol, contract_of(token), &wanted);
        let strange = || joined.strange.iter().filter_map(|at| purse.tokens.get(*at)).filter(fits);
        hits.extend(strange().filter(|token| !token.hidden).map(Hit::Strange));
        hits.extend(strange().filter(|token| token.hidden).map(Hit::Strange));
    }
    hits
}

impl Hit<'_> {
    /// Whether it stands behind the row of hidden tokens.
    pub fn is_hidden(&self) -> bool {
        matches!(self, Hit::Strange(token) if token.hidden)
    }
}

/// Hash of an address, or other hex digits, that ignores case.
pub fn tag(address: &str) -> u32 {
    address.bytes().fold(0, |tag, letter| tag.wrapping_mul(31).wrapping_add(u32::from(letter | 0x20)))
}

/// Whether the holding can be paid with. One that the server calls by another token's symbol cannot.
fn is_payable(token: &Holding, chain: Option<&ChainId>) -> bool {
    !token.amount.is_zero()
        && token.decimals <= MOST_DECIMALS
        && contract_of(token)
            .is_some_and(|at| super::quote::is_contract(at) && !is_contradicted(&token.symbol, at, chain))
}

/// An unlisted token of the account.
pub fn strange(address: &str, purse: &Purse, chain: Option<&ChainId>) -> Option<Coin> {
    let token = purse.token(address).filter(|token| is_payable(token, chain))?;
    Some(Coin {
        name: token.name.clone(),
        symbol: token.symbol.clone(),
        address: contract_of(token)?.to_ascii_lowercase(),
        decimals: token.decimals,
        icon: token.icon.clone(),
    })
}

/// Row of a search result; `chosen` is the selected coin.
pub fn item(hit: &Hit, chosen: Option<&Coin>, purse: &Purse) -> Item {
    let (name, symbol, icon, decimals) = match hit {
        Hit::Listed(coin, _) => (&coin.name, &coin.symbol, &coin.icon, coin.decimals),
        Hit::Strange(token) => (&token.name, &token.symbol, &token.icon, token.decimals),
    };
    let (address, (amount, price)) = match hit {
        Hit::Listed(coin, _) if coin.is_native() => (coin.address.clone(), coin.held(purse)),
        Hit::Listed(coin, held) => {
            (coin.address.clone(), (held.map(|held| held.amount), held.and_then(|held| held.price)))
        }
        Hit::Strange(token) => {
            (contract_of(token).unwrap_or_default().to_ascii_lowercase(), (Some(token.amount), token.price))
        }
    };
    let amount = amount.filter(|amount| !amount.is_zero());
    Item {
        name: name.clone(),
        symbol: symbol.clone(),
        contract: (address != COIN).then(|| shorten(&to_checksum(&address))),
        unlisted: matches!(hit, Hit::Strange(_)),
        icon_url: icon.clone(),
        shown: amount.map(|amount| amount.shown_balance(decimals)),
        value: amount.and_then(|amount| worth(amount, decimals, price)),
        mark: if let Hit::Strange(token) = hit { token.mark } else { None },
        hidden: hit.is_hidden(),
        chosen: chosen.is_some_and(|chosen| chosen.is(&address)),
        address,
    }
}
