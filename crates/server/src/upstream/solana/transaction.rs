//! Parsing of a Solana transaction in the encoding `jsonParsed` (<https://solana.com/docs/rpc/json-structures>).

use super::called;
use super::changes::{Changed, changed};
use crate::activity::{Moved, MovedAsset, Of, Paid, Piece, PieceContent, SignedCall, compose, rfc3339};
use crate::marks;
use crate::source::loose;
use portico_api::account::Transaction;
use portico_json::Value;
use portico_terms::address;

/// Programs whose instructions go with payments (<https://solana.com/docs/core/fees>, <https://spl.solana.com/memo>,
/// <https://spl.solana.com/associated-token-account>).
const BUDGET: &str = "ComputeBudget111111111111111111111111111111";
const MEMO: &str = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const OLD_MEMO: &str = "Memo1UhkJRfHyvLMcVucJwxXeuDUa6QBjCLnoEpsMGc";
const ASSOCIATED: &str = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";

/// Instructions that pay, of coins or of tokens.
const PAYMENTS: [&str; 3] = ["transfer", "transferChecked", "transferCheckedWithFee"];

/// Parses a transaction for the history of an account. `None` if its time, its status or its accounts are missing.
pub(in crate::upstream) fn transaction(of: Of<'_>, told: &Value) -> Option<Transaction> {
    let (said, meta) = (told.get("transaction"), told.get("meta"));
    let hash = loose::signature(said.get("signatures").as_list()?.first()?)?;
    let message = said.get("message");
    let keys = message.get("accountKeys").as_list()?.iter().map(key).collect::<Option<Vec<&str>>>()?;
    meta.as_object()?;
    let (block, at) = (loose::number(told.get("slot"))?, rfc3339(loose::number(told.get("blockTime"))?)?);
    let own = of.account.address();
    let moved: Vec<PieceContent> = changed(own, &keys, meta).iter().map(|changed| moved(of, changed)).collect();
    let to = moved.iter().find_map(|what| match what {
        PieceContent::Moved(Moved { to, .. }) | PieceContent::Paid(Paid { to, .. }) => {
            Some(to.clone()).filter(|to| !to.is_empty())
        }
        PieceContent::Call(_) => None,
    });
    let payer = *keys.first()?;
    // Of a payment that failed, no balance tells the recipient.
    let recipient = recipient(message, &keys, meta).filter(|_| payer == own);
    let call = SignedCall {
        from: payer.into(),
        to: to.unwrap_or_else(|| recipient.unwrap_or(payer).into()),
        failed: !meta.get("err").is_null(),
        // A plain payment has no method.
        method: if recipient.is_some() { String::new() } else { method(message) },
        fee: loose::amount(meta.get("fee")),
        ..SignedCall::default()
    };
    let pieces = std::iter::once(PieceContent::Call(call)).chain(moved);
    let pieces: Vec<Piece> = pieces.map(|what| Piece { block, hash: hash.into(), at: at.clone(), what }).collect();
    compose(of, hash.into(), &pieces)
}

/// Address of an account key, which is an object with `pubkey` or a bare text.
fn key(key: &Value) -> Option<&str> {
    key.get("pubkey").as_str().or_else(|| key.as_str()).filter(|text| address::is_solana(text))
}

/// Type of the first instruction that the node could parse.
fn method(message: &Value) -> String {
    let instructions = message.get("instructions").as_list().unwrap_or_default();
    let first = instructions.iter().find_map(|one| loose::word(one.get("parsed").get("type")));
    first.unwrap_or_else(|| "call".into())
}

/// Recipient of the payment that the instructions order, of coins or of tokens. `None` if they order anything else too: a trade that failed may
/// have begun with a payment.
fn recipient<'a>(message: &'a Value, keys: &[&str], meta: &'a Value) -> Option<&'a str> {
    let instructions = message.get("instructions").as_list().unwrap_or_default();
    let mut others = instructions.iter().filter(|one| !is_aside(one)).map(|one| one.get("parsed"));
    let (payment, None) = (others.next()?, others.next()) else { return None };
    let is_payment = payment.get("type").as_str().is_some_and(|kind| PAYMENTS.contains(&kind));
    let info = Some(payment.get("info")).filter(|_| is_payment)?;
    let to = info.get("destination").as_str().filter(|text| address::is_solana(text))?;
    if !info.get("lamports").is_null() {
        return Some(to);
    }
    // Tokens go to an account of the recipient's.
    let place = keys.iter().position(|key| *key == to)? as u64;
    let accounts = meta.get("preTokenBalances").as_list().unwrap_or_default();
    let account = accounts.iter().find(|item| loose::number(item.get("accountIndex")) == Some(place))?;
    account.get("owner").as_str().filter(|text| address::is_solana(text))
}

/// Whether an instruction goes with payments: it sets the fee, makes the recipient's account of the token, or is a memo.
fn is_aside(instruction: &Value) -> bool {
    match instruction.get("programId").as_str() {
        Some(BUDGET | MEMO | OLD_MEMO) => true,
        Some(ASSOCIATED) => {
            matches!(instruction.get("parsed").get("type").as_str(), Some("create" | "createIdempotent"))
        }
        _ => false,
    }
}

fn moved(of: Of<'_>, Changed { token, change, other }: &Changed<'_>) -> PieceContent {
    let own = of.account.address();
    let (from, to) = if change.came { (*other, own) } else { (own, *other) };
    let (from, to) = (from.to_owned(), to.to_owned());
    let Some((mint, decimals)) = token else {
        return PieceContent::Paid(Paid { from, to, value: change.amount });
    };
    let (name, symbol) = called(mint);
    let numeric = change.amount.to_units(*decimals);
    // A token without decimals is an NFT.
    let thing = if *decimals == 0 {
        MovedAsset::Piece { name, picture: String::new(), numeric, spam: false }
    } else {
        let picture = marks::picture_of("", of.account.chain(), mint);
        let address = Some((*mint).to_owned());
        MovedAsset::Fungible { name: Some(name), symbol: Some(symbol), picture, numeric, address }
    };
    PieceContent::Moved(Moved { from, to, thing })
}

#[cfg(test)]
mod tests;
