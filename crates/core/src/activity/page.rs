//! One page of transactions, as the server tells it: hostile until parsed, one item at a time.

use super::filter::{is_shown, is_spam};
use super::label::{Kind, sign, sign_of_way};
use crate::facts::Facts;
use crate::http::picture;
use crate::shown::clean;
use portico_json::{Json, Value};
use portico_terms::address::shorten;
use portico_terms::amount::shown_units;
use portico_terms::rpc::is_transaction_hash;
use portico_terms::{ChainId, Network};

/// Amounts display with so many decimals (spec 2.10).
pub const AMOUNT_DECIMALS: usize = 3;

/// So many amounts stand in one row: what was given and what was got.
const MOST_MOVES: usize = 2;

/// How far a transaction is.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "TransactionStatus")]
pub enum Status {
    /// Mined.
    Confirmed,
    /// Mined, and it did nothing.
    Failed,
    /// Not mined yet.
    Pending,
}

/// Something that moved (spec 3.16).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Move {
    /// "+", "-", or nothing (spec 2.13).
    pub sign: String,
    /// With three decimals (spec 2.10); `null` for a token by piece.
    pub amount: Option<String>,
    /// "USDC", or the name of a token by piece.
    pub name: String,
    /// A picture on the host's own server.
    pub picture: Option<String>,
    /// Whether it is a token by piece.
    pub nft: bool,
}

/// A transaction as it is drawn (spec 3.15).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ActivityItem")]
pub struct Item {
    /// Unique in the list.
    pub id: String,
    /// What it did.
    pub kind: Kind,
    /// How far it is.
    pub status: Status,
    /// RFC 3339, UTC.
    pub mined_at: String,
    /// The other side: 4 leading and 6 trailing characters.
    pub other: Option<String>,
    /// Whether the account is the one that sent it.
    pub own: bool,
    /// The name of the contract, where the server knows one.
    pub application: Option<String>,
    /// What moved.
    pub moves: Vec<Move>,
    /// Its hash in small letters, where the server told one.
    pub hash: Option<String>,
    /// Its page on the explorer.
    pub url: Option<String>,
}

/// The transactions of one month (spec 2.9).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ActivityMonth")]
pub struct Month {
    /// 2026
    pub year: u32,
    /// 1 to 12
    pub month: u32,
    /// The newest first.
    pub items: Vec<Item>,
}

/// Sorts a transaction in, the newest first (spec 2.9). False where it is there already, or has no date.
pub fn sort_in(months: &mut Vec<Month>, item: Item) -> bool {
    let Some((year, month)) = month_of(&item.mined_at) else { return false };
    if months.iter().any(|known| known.items.iter().any(|other| other.id == item.id)) {
        return false;
    }
    let later = |known: &&Month| (known.year, known.month) > (year, month);
    let at = months.iter().take_while(later).count();
    if months.get(at).is_none_or(|known| (known.year, known.month) != (year, month)) {
        months.insert(at, Month { year, month, items: Vec::new() });
    }
    let items = &mut months[at].items;
    let before = items.iter().rev().take_while(|other| other.mined_at < item.mined_at).count();
    items.insert(items.len() - before, item);
    true
}

fn month_of(date: &str) -> Option<(u32, u32)> {
    let (year, month) = (date.get(..4)?.parse().ok()?, date.get(5..7)?.parse().ok()?);
    let fits = date.is_ascii() && (10..=40).contains(&date.len()) && (1..=12).contains(&month);
    if fits { Some((year, month)) } else { None }
}

/// Reads one transaction of an account on a chain; `None` where it is not to be shown, or is none.
pub fn read(value: &Value, of: &(ChainId, String), network: Option<&Network>, facts: &Facts) -> Option<Item> {
    let (chain, address) = of;
    if !is_shown(value, &chain.to_string()) {
        return None;
    }
    let metadata = value.get("metadata");
    let text = |name: &str| metadata.get(name).as_str().filter(|text| !text.is_empty());
    let kind = text("operationType").and_then(Kind::from_word).unwrap_or(Kind::Execute);
    let hash = text("hash").filter(|hash| is_transaction_hash(hash));
    let own = text("sentFrom").is_some_and(|from| from.eq_ignore_ascii_case(address));
    let transfers = value.get("transfers").as_list().unwrap_or_default();
    // Of a token the contract was called, which is not who got it; and who sent what nobody is known to have signed is not told.
    let paid = transfers.iter().find(|transfer| kind == Kind::Send && way(transfer) == "out");
    let mut moves: Vec<_> =
        transfers.iter().filter_map(|transfer| read_move(transfer, facts)).take(MOST_MOVES).collect();
    let goes = |sign: &str| moves.iter().any(|one| one.sign == sign);
    // Where some came and some went, as in an unwrapping, one sign would be wrong for one of the two.
    if let Some(sign) = sign(kind).filter(|_| !(goes("+") && goes("-"))) {
        moves.iter_mut().for_each(|one| one.sign = sign.into());
    }
    let recipient = paid.and_then(|transfer| transfer.get("recipient").as_str()).filter(|text| !text.is_empty());
    Some(Item {
        id: value.get("id").as_str()?.into(),
        kind,
        status: text("status").and_then(Status::from_word).unwrap_or(Status::Confirmed),
        mined_at: text("minedAt")?.into(),
        other: recipient.or_else(|| text(if own { "sentTo" } else { "sentFrom" })).map(shorten),
        own,
        application: metadata.get("application").get("name").as_str().map(clean).filter(|name| !name.is_empty()),
        moves,
        url: hash.zip(network.and_then(Network::explorer_url)).map(|(hash, url)| [url, "/tx/", hash].concat()),
        hash: hash.map(str::to_ascii_lowercase),
    })
}

/// Which way an amount went: "in", "out" or "self".
fn way(transfer: &Value) -> &str {
    transfer.get("direction").as_str().unwrap_or_default()
}

fn read_move(transfer: &Value, facts: &Facts) -> Option<Move> {
    if is_spam(transfer) {
        return None;
    }
    let (token, piece) = (transfer.get("fungible_info"), transfer.get("nft_info"));
    let nft = token.is_null();
    let (name, address) = if nft {
        (piece.get("name"), piece.get("content").get("preview").get("url"))
    } else {
        (token.get("symbol"), token.get("icon").get("url"))
    };
    let name = clean(name.as_str()?);
    let amount = shown_units(transfer.get("quantity").get("numeric").as_str().unwrap_or_default(), AMOUNT_DECIMALS);
    if name.is_empty() || (!nft && amount.is_none()) {
        return None;
    }
    Some(Move {
        sign: sign_of_way(way(transfer)).into(),
        amount: amount.filter(|_| !nft),
        name,
        picture: picture(address, facts),
        nft,
    })
}
