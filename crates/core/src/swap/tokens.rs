//! The tokens that can be swapped: the chain's list, told once by the host's server, and what the account holds.

use super::Target;
use crate::facts::Facts;
use crate::http::picture;
use crate::pay::tokens::{Holding, Purse, contract_of, matches, worth};
use crate::shown::clean;
use portico_api::swap::COIN;
use portico_json::{Json, Value};
use portico_terms::amount::shown_units;
use portico_terms::{Amount, ChainId, Price};

/// Longer lists are cut.
const MOST_TOKENS: usize = 5_000;

/// No honest token has more decimals.
const MOST_DECIMALS: u8 = 36;

/// So many rows are told at first, and so many more each time the end is seen: each letter of a search tells them anew.
pub const PAGE: usize = 40;

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
    order.sort_unstable_by(|one, other| coins[*one].address.cmp(&coins[*other].address).then(one.cmp(other)));
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
    let address = address_of(item.get("address").as_str()?, chain)?.to_ascii_lowercase();
    let icon = picture(item.get("logoUri"), facts);
    if address == COIN {
        // What the chain's own coin is called, and in which unit it counts, the host says of its network.
        let own = &facts.network(chain)?.native_currency;
        return Some(Coin {
            name: own.name.clone(),
            symbol: own.symbol.clone(),
            address,
            decimals: own.decimals,
            icon,
        });
    }
    let symbol = name("symbol")?;
    Some(Coin {
        name: name("name").unwrap_or_else(|| symbol.clone()),
        symbol,
        address,
        decimals: decimals(item.get("decimals").as_u64()?)?,
        icon,
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

/// What a search found: a coin of the list, a token that the account has, or both.
pub enum Hit<'a> {
    /// On the list.
    Listed(&'a Coin, Option<&'a Holding>),
    /// On no list.
    Strange(&'a Holding),
}

/// Which tokens of the list the account has: the same for each letter of a search.
#[derive(Debug, Default)]
pub struct Joined {
    of: Option<(u32, *const Coin, usize)>,
    /// For each coin of the list where it stands among what the account has.
    places: Vec<Option<usize>>,
    /// Where what could be paid with stands that is on no list.
    strange: Vec<usize>,
}

impl Joined {
    /// Of a list and what the account has.
    pub fn new(list: &[Coin], purse: &Purse) -> Joined {
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
        let strange = (0..listed.len()).filter(|at| !listed[*at] && is_payable(&purse.tokens[*at])).collect();
        Joined { of: Some(key(list, purse)), places, strange }
    }

    /// Whether it still is of these.
    pub fn is_of(&self, list: &[Coin], purse: &Purse) -> bool {
        self.of == Some(key(list, purse))
    }
}

fn key(list: &[Coin], purse: &Purse) -> (u32, *const Coin, usize) {
    (purse.revision, list.as_ptr(), list.len())
}

/// Those that a search finds: what is held and listed, then the others of the list, then, to pay with, what is held and not listed.
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
    // What is held stands in its order of worth.
    held.sort_unstable_by_key(|(at, _)| *at);
    let mut hits: Vec<Hit> = held.into_iter().map(|(at, coin)| Hit::Listed(coin, purse.tokens.get(at))).collect();
    hits.append(&mut others);
    if target == Target::SourceToken {
        let strange = joined.strange.iter().filter_map(|at| purse.tokens.get(*at));
        let fits = |token: &&Holding| matches(&token.name, &token.symbol, contract_of(token), &wanted);
        hits.extend(strange.filter(fits).map(Hit::Strange));
    }
    hits
}

/// A number that each spelling of an address has, and few other addresses.
fn tag(address: &str) -> u32 {
    address.bytes().fold(0, |tag, letter| tag.wrapping_mul(31).wrapping_add(u32::from(letter | 0x20)))
}

/// Whether there is something of it that could be paid.
fn is_payable(token: &Holding) -> bool {
    !token.amount.is_zero()
        && token.decimals <= MOST_DECIMALS
        && contract_of(token).is_some_and(super::quote::is_contract)
}

/// A token that the account has and that is on no list.
pub fn strange(address: &str, purse: &Purse) -> Option<Coin> {
    let token = purse.token(address).filter(|token| is_payable(token))?;
    Some(Coin {
        name: token.name.clone(),
        symbol: token.symbol.clone(),
        address: contract_of(token)?.to_ascii_lowercase(),
        decimals: token.decimals,
        icon: token.icon.clone(),
    })
}

/// A row; `chosen` is the coin in use.
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
        unlisted: matches!(hit, Hit::Strange(_)).then(|| portico_terms::address::shorten(&address)),
        icon_url: icon.clone(),
        shown: amount.and_then(|amount| shown_units(&amount.to_units(decimals), SHOWN)),
        value: amount.and_then(|amount| worth(amount, decimals, price)),
        chosen: chosen.is_some_and(|chosen| chosen.is(&address)),
        address,
    }
}

/// The decimals of an amount in the list and under the fields.
pub const SHOWN: usize = 4;
