//! Trial of a payment on the chain before the wallet is asked, and the reasons for which it would fail.

use crate::shown::clean_to;
use portico_json::{Json, Value};

/// Most letters of a program's own words.
const LONGEST_DETAIL: usize = 120;

/// Reason for which the payment cannot be sent, or was not.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SolanaTrouble")]
pub enum Trouble {
    /// A new account needs at least `troubleAmount` of the coin.
    NewAccount,
    /// At least `troubleAmount` of the coin has to stay, or none.
    Rest,
    /// Fee and deposit take `troubleAmount` of the coin, which is more than there is.
    Coin,
    /// The issuer froze the sender's token account.
    Frozen,
    /// The issuer froze the receiver's token account.
    ReceiverFrozen,
    /// Somebody else owns the receiver's token account.
    ReceiverForeign,
    /// New accounts of this token are frozen, and the receiver has none yet.
    FreezesNew,
    /// A program of the issuer runs with each transfer (Token-2022 transfer hook).
    Hook,
    /// The token cannot be transferred.
    NonTransferable,
    /// The issuer paused all transfers.
    Paused,
    /// The token has a rule whose effect is not known here.
    UnknownRule,
    /// The trial fails; `troubleDetail` has the program's words.
    Fails,
    /// No node tried it.
    Untried,
    /// The wallet signed another message.
    Changed,
    /// The wallet answered without a valid signature of the account.
    Unsigned,
    /// The wallet signed after the last block that the transaction could have been in.
    SignedLate,
    /// Another transaction that the network is working on changes the same account.
    InUse,
    /// The network has this transaction already.
    Processed,
    /// The node does not know the recent block, because it is behind the others.
    UnknownBlock,
}

/// Result of a trial: the compute units that it took, or why it fails.
pub type Tried = Result<u64, (Trouble, Option<String>)>;

/// Reads the answer to `simulateTransaction`. A node that did not try says nothing about the payment.
pub fn tried(answer: &Value) -> Tried {
    let told = answer.get("value");
    let units = told.get("unitsConsumed").as_u64();
    let error = told.get("err");
    if error.is_null() {
        return units.ok_or((Trouble::Untried, None));
    }
    match trouble_of(error) {
        Trouble::Fails if units.is_none() => Err((Trouble::Untried, None)),
        trouble => Err((trouble, detail_of(told.get("logs")))),
    }
}

fn trouble_of(error: &Value) -> Trouble {
    match error.as_str() {
        Some("InsufficientFundsForFee" | "AccountNotFound") => return Trouble::Coin,
        Some("AccountInUse") => return Trouble::InUse,
        Some("AlreadyProcessed") => return Trouble::Processed,
        Some("BlockhashNotFound") => return Trouble::UnknownBlock,
        Some(_) => return Trouble::Fails,
        None => {}
    }
    match error.get("InsufficientFundsForRent").get("account_index").as_u64() {
        // The sender is the first account.
        Some(0) => return Trouble::Rest,
        Some(_) => return Trouble::NewAccount,
        None => {}
    }
    let custom = error.get("InstructionError").as_list().and_then(|parts| parts.get(1)?.get("Custom").as_u64());
    match custom {
        // Error of the token programs: the account is frozen.
        Some(17) => Trouble::Frozen,
        _ => Trouble::Fails,
    }
}

/// Last words of a program, without its address.
fn detail_of(logs: &Value) -> Option<String> {
    let last = logs.as_list()?.iter().rev().filter_map(Value::as_str).find(|line| !line.ends_with("success"))?;
    let words = match last.split_once(" failed: ") {
        Some((_, words)) => words,
        None => last.strip_prefix("Program log: ").unwrap_or(last),
    };
    Some(clean_to(words, LONGEST_DETAIL)).filter(|words| !words.is_empty())
}
