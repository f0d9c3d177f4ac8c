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

/// The way in which the amounts of a transaction moved, all together.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Flow {
    /// Some came and some went, as in a swap or an unwrapping.
    Both,
    /// All one way, or not told.
    One,
}

/// The sign of an amount: by the transaction's label (spec 2.13), and by the way that the amount went where there is no sign for the label,
/// or where one sign would be wrong for one of two ways.
pub fn sign(kind: Kind, flow: Flow, direction: &str) -> &'static str {
    match (flow, kind, direction) {
        (Flow::One, Kind::Receive | Kind::Deposit | Kind::Borrow | Kind::Claim, _) => "+",
        (Flow::One, Kind::Withdraw | Kind::Repay | Kind::Burn, _) | (_, _, "out") => "-",
        (_, _, "in") => "+",
        _ => "",
    }
}
