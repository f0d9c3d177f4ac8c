//! Kind of a transaction, and the sign of its amounts.

use portico_json::Json;

/// Kind of a transaction.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Kind {
    /// Approved a spender.
    Approve,
    /// Took a loan.
    Borrow,
    /// Burned tokens.
    Burn,
    /// Cancelled a transaction.
    Cancel,
    /// Claimed a reward.
    Claim,
    /// Deployed a contract.
    Deploy,
    /// Deposited into a contract.
    Deposit,
    /// Any other contract call.
    Execute,
    /// Minted tokens.
    Mint,
    Receive,
    /// Repaid a loan.
    Repay,
    Send,
    Stake,
    /// Exchanged tokens.
    Trade,
    Unstake,
    /// Withdrew from a contract.
    Withdraw,
}

/// Sign of the amounts for a kind of transaction (spec 2.13); `None` if it depends on the direction of each transfer.
pub fn sign(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Receive | Kind::Deposit | Kind::Borrow | Kind::Claim => Some("+"),
        Kind::Withdraw | Kind::Repay | Kind::Burn => Some("-"),
        _ => None,
    }
}

/// Sign for the direction of a transfer.
pub fn sign_of_way(direction: &str) -> &'static str {
    match direction {
        "in" => "+",
        "out" => "-",
        _ => "",
    }
}
