//! What a transaction did, as a word and a sign.

use portico_json::Json;

/// What a transaction did.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Kind {
    /// Let somebody spend.
    Approve,
    /// Took a loan.
    Borrow,
    /// Destroyed.
    Burn,
    /// Withdrew a transaction.
    Cancel,
    /// Took a reward.
    Claim,
    /// Made a contract.
    Deploy,
    /// Put into a contract.
    Deposit,
    /// Anything else.
    Execute,
    /// Made anew.
    Mint,
    /// Got.
    Receive,
    /// Paid a loan back.
    Repay,
    /// Gave away.
    Send,
    /// Put at stake.
    Stake,
    /// Gave one for another.
    Trade,
    /// Took back from a stake.
    Unstake,
    /// Took out of a contract.
    Withdraw,
}

/// The sign of a transaction's amounts by its label (spec 2.13); the others go by the way that the amount went.
pub fn sign(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Receive | Kind::Deposit | Kind::Borrow | Kind::Claim => Some("+"),
        Kind::Withdraw | Kind::Repay | Kind::Burn => Some("-"),
        _ => None,
    }
}

/// The sign of the way that an amount went.
pub fn sign_of_way(direction: &str) -> &'static str {
    match direction {
        "in" => "+",
        "out" => "-",
        _ => "",
    }
}
