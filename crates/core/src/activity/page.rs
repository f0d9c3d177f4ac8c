//! Transactions of the server, prepared for views.

use super::approval::Approval;
use super::filter::{is_shown, is_spam};
use super::form;
use super::label::{Kind, sign, sign_of_way};
use crate::facts::Facts;
use crate::http::picture;
use crate::pay::standing::{Mark, is_misnamed};
use crate::shown::{clean, is_bait};
use portico_api::account::{Transaction, TransactionMetadata, Transfer};
use portico_json::Json;
use portico_terms::address::{is_evm, shorten, to_checksum};
use portico_terms::amount::{AMOUNT_DECIMALS, nearest_units, shown_units};
use portico_terms::{ChainId, Namespace, Network};

/// Maximum number of amounts in a row: one given and one received.
const MOST_MOVES: usize = 2;

/// Maximum number of transfers of a transaction that are read.
const MOST_TRANSFERS: usize = 16;

/// Digits of the longest number of NFTs that is shown.
const LONGEST_COUNT: usize = 15;

/// Status of a transaction.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "TransactionStatus")]
pub enum Status {
    Confirmed,
    /// Mined, but reverted.
    Failed,
    /// Not mined yet.
    Pending,
}

/// A transferred amount or NFT (spec 3.16).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Move {
    /// "+", "-", or empty (spec 2.13).
    pub sign: String,
    /// Amount with three decimals (spec 2.10), on Bitcoin with all; `null` for an NFT.
    pub amount: Option<String>,
    /// Amount with all its decimals; `null` for an NFT.
    pub exact: Option<String>,
    /// Symbol such as "USDC", or the name of an NFT; empty if it has a link or markup.
    pub name: String,
    /// URL of a picture on the host's own server.
    pub picture: Option<String>,
    /// Whether it is an NFT.
    pub nft: bool,
    /// Number of NFTs of this id (ERC-1155) in decimal digits, if it is more than one.
    pub count: Option<String>,
    /// Whether less may have left than this amount: the server could not tell what came back.
    pub at_most: bool,
    /// CAIP-10 id of the token's contract, as in the list of tokens, if the server sent it.
    pub address: Option<String>,
    /// Address of the token's contract, on EVM with its checksum, if the server sent it.
    pub contract: Option<String>,
    /// Reason to distrust its name.
    pub mark: Option<Mark>,
}

/// A transaction for views (spec 3.15).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ActivityItem")]
pub struct Item {
    /// Unique id in the list.
    pub id: String,
    pub kind: Kind,
    pub status: Status,
    /// Time of the block: RFC 3339, UTC.
    pub mined_at: String,
    /// Shortened address of the other party: 4 leading and 6 trailing characters.
    pub other: Option<String>,
    /// Whole address of the other party, on EVM with its checksum.
    pub other_address: Option<String>,
    /// Address of the called contract, with its checksum, where the other party is somebody else.
    pub contract: Option<String>,
    /// Whether the account sent the transaction.
    pub own: bool,
    /// Name of the contract, if the server knows it.
    pub application: Option<String>,
    /// Transfers of the transaction.
    pub moves: Vec<Move>,
    /// Permission that an approval gave, if the server sent it.
    pub approval: Option<Approval>,
    /// Fee that the account paid, in coins, exact; `null` if it did not pay or the server does not know it.
    pub fee: Option<String>,
    /// Hash in lower case, or signature of Solana, if the server sent it.
    pub hash: Option<String>,
    /// URL of the transaction on the explorer.
    pub url: Option<String>,
}

/// Transactions of one month (spec 2.9).
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ActivityMonth")]
pub struct Month {
    /// 2026
    pub year: u32,
    /// 1 to 12
    pub month: u32,
    /// Transactions, the newest first.
    pub items: Vec<Item>,
}

/// Inserts a transaction, the newest first (spec 2.9). Returns false if it is a duplicate or has no date.
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

/// Prepares a transaction of an account on a chain for views; `None` if it is filtered out.
pub fn read(
    transaction: Transaction,
    of: &(ChainId, String),
    network: Option<&Network>,
    facts: &Facts,
) -> Option<Item> {
    let (chain, address) = of;
    if !is_shown(&transaction, &chain.to_string()) {
        return None;
    }
    let Transaction { id, metadata, transfers, approval } = transaction;
    let TransactionMetadata { operation_type, hash, mined_at, sent_from, sent_to, status, application, fee, .. } =
        metadata;
    let evm = chain.namespace() == Namespace::Eip155;
    let transfers = transfers.unwrap_or_default();
    let kind = form::kind(chain, Kind::from_word(&operation_type).unwrap_or(Kind::Execute), &transfers);
    let hash = form::transaction(chain, &hash);
    let own = form::is_same(chain, &sent_from, address);
    // A token transfer calls the contract, so the receiver is that of the transfer. Without a known sender, none is shown.
    let paid = transfers.iter().find(|transfer| kind == Kind::Send && transfer.direction == "out");
    let mut moves: Vec<_> =
        transfers.iter().filter_map(|transfer| read_move(transfer, chain, facts)).take(MOST_TRANSFERS).collect();
    let first = |sign: &str| moves.iter().position(|one| one.sign == sign);
    if let (Some(left), Some(came)) = (first("-"), first("+")) {
        // The amount that left and then the one that came: the order in which a swap is read.
        moves = vec![moves[left].clone(), moves[came].clone()];
    } else if let Some(sign) = sign(kind).filter(|_| evm) {
        // With amounts in both directions, as in an unwrap, a common sign would be wrong for one of them. The kinds are those of EVM's
        // calls: on Solana, coins that are withdrawn from a stake come in.
        moves.iter_mut().for_each(|one| one.sign = sign.into());
    }
    moves.truncate(MOST_MOVES);
    let recipient = paid.and_then(|transfer| transfer.recipient.as_deref()).filter(|text| !text.is_empty());
    // An account that runs code calls itself for a batch (EIP-7702): it is no other party.
    let called = if kind != Kind::Send && form::is_same(chain, &sent_to, address) { "" } else { &sent_to };
    let other = recipient.unwrap_or(if own { called } else { &sent_from });
    let other_address = form::address(chain, other);
    Some(Item {
        id,
        kind,
        status: Status::from_word(&status).unwrap_or(Status::Confirmed),
        mined_at,
        contract: Some(&sent_to)
            .filter(|to| own && *to != other && !to.eq_ignore_ascii_case(address) && evm && is_evm(to))
            .map(|to| to_checksum(to)),
        fee: fee.filter(|fee| own && shown_units(fee, AMOUNT_DECIMALS).is_some()),
        other: other_address.as_deref().map(shorten),
        other_address,
        own,
        application: application.map(|known| clean(&known.name)).filter(|name| !name.is_empty()),
        moves,
        approval: approval.filter(|_| kind == Kind::Approve && own).and_then(Approval::read),
        url: network.zip(hash.as_ref()).and_then(|(network, hash)| network.explorer_page("/tx/", hash)),
        hash,
    })
}

fn read_move(transfer: &Transfer, chain: &ChainId, facts: &Facts) -> Option<Move> {
    if is_spam(transfer) {
        return None;
    }
    let (name, image) = match &transfer.fungible_info {
        Some(token) => (&token.symbol, &token.icon),
        None => {
            let nft = transfer.nft_info.as_ref()?;
            (&nft.name, nft.content.as_ref().map_or(&None, |content| &content.preview))
        }
    };
    let nft = transfer.fungible_info.is_none();
    let name = clean(name.as_ref()?);
    let numeric = &transfer.quantity.numeric;
    // A gain is cut, as on the receipt of a swap: no more is shown than there is to spend.
    let short = if transfer.direction == "in" { shown_units } else { nearest_units };
    let amount = short(numeric, AMOUNT_DECIMALS);
    if name.is_empty() || (!nft && amount.is_none()) {
        return None;
    }
    let contract = transfer.fungible_info.as_ref().and_then(|token| form::address(chain, token.address.as_deref()?));
    let bait = is_bait(&name, false);
    // The full name is not shown, but tells as much as in the list of tokens. A bare address is part of real names, such as "curve.fi".
    let title = transfer.fungible_info.as_ref().and_then(|token| token.name.as_deref()).unwrap_or_default();
    let misnamed = contract.as_ref().is_some_and(|contract| is_misnamed(&name, contract, chain, facts));
    let mark = Mark::of(bait || is_bait(title, true), misnamed);
    Some(Move {
        sign: sign_of_way(&transfer.direction).into(),
        exact: amount.is_some().then(|| numeric.clone()).filter(|_| !nft),
        count: Some(numeric).filter(|numeric| nft && is_several(numeric)).cloned(),
        at_most: transfer.at_most == Some(true) && transfer.direction == "out",
        amount: amount.filter(|_| !nft).map(|cut| form::amount(chain, cut, numeric)),
        name: if bait { String::new() } else { name },
        // A picture can pretend as much as a name.
        picture: image.as_ref().filter(|_| mark.is_none()).and_then(|image| picture(&image.url, facts)),
        nft,
        address: contract.as_ref().map(|contract| [&chain.to_string(), ":", contract].concat()),
        contract,
        mark,
    })
}

/// Whether a number of NFTs is more than one, and no longer than any that is worth reading.
fn is_several(numeric: &str) -> bool {
    let digits = (1..=LONGEST_COUNT).contains(&numeric.len()) && numeric.bytes().all(|byte| byte.is_ascii_digit());
    digits && numeric.parse::<u64>().is_ok_and(|count| count > 1)
}
