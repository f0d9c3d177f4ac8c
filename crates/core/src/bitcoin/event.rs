//! Events of the visitor, and reasons of requests.

use super::plan::Speed;
use portico_json::Json;

/// Sending on Bitcoin: events of the visitor.
#[derive(Clone, Debug, Json)]
#[json(name = "BitcoinEvent")]
pub enum Event {
    /// The visitor typed the amount.
    AmountTyped { text: String },
    /// The visitor typed or pasted the receiver.
    ReceiverTyped { text: String },
    /// The visitor chose the maximum amount.
    MaxAsked,
    /// The visitor chose how fast the payment is to be confirmed, and so its fee.
    SpeedChosen { speed: Speed },
    /// The visitor continues to the preview.
    ReviewAsked,
    /// The visitor confirms; the wallet is asked to sign.
    ConfirmAsked,
}

/// Reasons of the feature's requests. The number of a round tells answers about another input.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Unspent outputs of the sender, by number of the question.
    Coins(u32),
    /// Fee of this speed, by number of the question.
    Rate(u32, Speed),
    /// Addresses as the wallet describes them, with public keys and purposes, by number of the question.
    Described(u32),
    /// Transaction with this id in hex whose outputs are spent, by round.
    Previous(u32, String),
    /// The wallet signed, by round.
    Signed(u32),
    /// A node took the transaction of this round, or refused it.
    Taken(u32),
    /// The transaction with this id was sent again.
    Resent(String),
    /// Stored transactions, those of other tabs included.
    Stored,
    /// Stored form of the transaction with this id, which was given up at this time.
    Kept(String, u64),
    /// Transaction whose output the stored one with this id spends.
    Spent(String),
    /// Stored receivers with this key prefix, which the account paid before.
    Paid(String),
    /// State of the transaction with this id.
    Status(String),
    /// Transaction that spends the first input of the transaction with this id.
    Spender(String),
}
