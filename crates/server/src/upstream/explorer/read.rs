//! Parsing of the explorer's objects. Versions of Blockscout name some fields differently; both names are read.

use crate::activity::{Moved, MovedAsset, Paid, Piece, PieceContent, SignedCall, approved, written};
use crate::config::Token;
use crate::picture_link::picture;
use crate::source::loose;
use portico_api::account::{Nft, NftFlags};
use portico_json::Value;
use portico_terms::{AccountId, Amount};

/// Digits of the longest token id that a name gets; longer ones are hashes.
const LONGEST_NUMBER: usize = 12;

/// Parses a transaction.
pub(super) fn call(item: &Value) -> Option<Piece> {
    let to = item.get("to");
    let is_contract = to.get("is_contract").as_bool().unwrap_or(false);
    let call = SignedCall {
        from: loose::evm(item.get("from").get("hash"))?,
        to: loose::evm(to.get("hash")).unwrap_or_default(),
        value: loose::amount(item.get("value"))?,
        failed: item.get("status").as_str() == Some("error"),
        pending: item.get("status").is_null() && item.get("result").as_str() == Some("pending"),
        nonce: loose::number(item.get("nonce")).unwrap_or(0),
        method: loose::word(item.get("method")).unwrap_or_default(),
        contract: loose::word(to.get("name")).filter(|_| is_contract),
        fee: loose::amount(item.get("fee").get("value")),
        approved: item.get("raw_input").as_str().and_then(approved),
    };
    piece(item, "hash", PieceContent::Call(call))
}

/// Parses a token transfer.
pub(super) fn moved(item: &Value) -> Option<Piece> {
    let moved = Moved {
        from: loose::evm(item.get("from").get("hash"))?,
        to: loose::evm(item.get("to").get("hash"))?,
        thing: thing(item.get("token"), item.get("total"))?,
    };
    piece(item, hash_name(item), PieceContent::Moved(moved))
}

/// Parses an internal transaction. One that moved no coin gets the value zero, so that the list keeps its position.
pub(super) fn paid(item: &Value) -> Option<Piece> {
    let kind = item.get("type").as_str()?;
    let is_outermost = kind.starts_with("create") && loose::number(item.get("index")) == Some(0);
    // A delegate call repeats the value of its outer call.
    let counts = matches!(kind, "call" | "create" | "create2" | "selfdestruct") && !is_outermost;
    let done = item.get("success").as_bool() == Some(true);
    let to = [item.get("to"), item.get("created_contract")].map(|account| loose::evm(account.get("hash")));
    let paid = Paid {
        from: loose::evm(item.get("from").get("hash"))?,
        to: to.into_iter().flatten().next().unwrap_or_default(),
        value: loose::amount(item.get("value")).filter(|_| counts && done).unwrap_or_default(),
    };
    piece(item, hash_name(item), PieceContent::Paid(paid))
}

fn hash_name(item: &Value) -> &'static str {
    if item.get("transaction_hash").is_null() { "tx_hash" } else { "transaction_hash" }
}

fn piece(item: &Value, hash: &str, what: PieceContent) -> Option<Piece> {
    let block = loose::number(item.get("block_number")).or_else(|| loose::number(item.get("block")))?;
    let at = written(item.get("timestamp").as_str()?)?;
    Some(Piece { block, hash: loose::hash(item.get(hash))?, at, what })
}

fn thing(token: &Value, total: &Value) -> Option<MovedAsset> {
    let name = loose::word(token.get("name"));
    let id = loose::text(total.get("token_id")).filter(|id| is_id(id));
    if let Some(id) = id {
        let (named, shown) = instance(total.get("token_instance"));
        return Some(MovedAsset::Piece {
            name: piece_name(token, named, id),
            picture: shown,
            numeric: loose::amount(total.get("value")).unwrap_or(Amount::from(1u32)).to_string(),
            spam: is_spam(token),
        });
    }
    let decimals =
        loose::decimals(total.get("decimals")).or_else(|| loose::decimals(token.get("decimals"))).unwrap_or(0);
    Some(MovedAsset::Fungible {
        name,
        symbol: loose::word(token.get("symbol")),
        picture: loose::picture(token.get("icon_url")),
        numeric: loose::amount(total.get("value"))?.to_units(decimals),
        address: address(token),
    })
}

/// Address of a token's contract.
fn address(token: &Value) -> Option<String> {
    loose::evm(token.get("address_hash")).or_else(|| loose::evm(token.get("address")))
}

/// Parses a fungible token of an account.
pub(super) fn token(item: &Value) -> Option<Token> {
    let token = item.get("token");
    let address = address(token)?;
    let symbol = loose::word(token.get("symbol"))?;
    Some(Token {
        address,
        name: loose::word(token.get("name")).unwrap_or_else(|| symbol.clone()),
        symbol,
        decimals: loose::decimals(token.get("decimals"))?,
        picture: loose::picture(token.get("icon_url")),
    })
    .filter(|_| !is_spam(token))
}

/// Parses an NFT of an account.
pub(super) fn nft(account: &AccountId, item: &Value) -> Option<Nft> {
    let token = item.get("token");
    let address = address(token)?;
    let id = loose::text(item.get("id")).filter(|id| is_id(id))?;
    let collection = loose::word(token.get("name")).unwrap_or_default();
    let (name, shown) = instance(item);
    Some(Nft {
        address: format!("{}:{address}", account.chain()),
        token_id: id.into(),
        name: name.unwrap_or_else(|| numbered(Some(&collection), id)),
        image_url: picture(&shown),
        amount: loose::amount(item.get("value")).unwrap_or(Amount::from(1u32)).to_string(),
        flags: NftFlags { is_spam: is_spam(token) },
        collection,
    })
}

/// Name and picture of an NFT.
fn instance(instance: &Value) -> (Option<String>, String) {
    let metadata = instance.get("metadata");
    let shown = [instance.get("image_url"), metadata.get("image"), metadata.get("image_url")];
    let shown = shown.into_iter().map(loose::picture).find(|url| !url.is_empty());
    (loose::word(metadata.get("name")), shown.unwrap_or_default())
}

/// Name of an NFT that moved. Pieces of an ERC-1155 contract often share the name of their metadata, so they have their number too.
fn piece_name(token: &Value, named: Option<String>, id: &str) -> String {
    let shared = token.get("type").as_str() == Some("ERC-1155") && id.len() <= LONGEST_NUMBER;
    match named {
        None => numbered(loose::word(token.get("name")).as_deref(), id),
        Some(name) if shared && !has_number(&name, id) => numbered(Some(&name), id),
        Some(name) => name,
    }
}

fn numbered(collection: Option<&str>, id: &str) -> String {
    format!("{} #{id}", collection.unwrap_or_default()).trim().into()
}

/// Whether a number is in a name already, not as a part of another one.
fn has_number(name: &str, number: &str) -> bool {
    name.split(|letter: char| !letter.is_ascii_digit()).any(|digits| digits == number)
}

/// Whether a text is a token id: decimal digits, as many as 256 bits need at most.
fn is_id(text: &str) -> bool {
    (1..=78).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_spam(token: &Value) -> bool {
    token.get("is_scam").as_bool() == Some(true) || token.get("reputation").as_str().is_some_and(|word| word != "ok")
}
