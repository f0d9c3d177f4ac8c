//! The form of a swap: two tokens and the amount of one of them.

use super::Offer;
use super::event::Target;
use super::tokens::Coin;
use portico_json::Value;
use portico_terms::{Amount, ChainId};

/// The form on the screen. Another chain or account starts a new one.
#[derive(Debug, Default)]
pub struct Form {
    /// Counter of forms; answers to questions of an earlier form are ignored.
    pub number: u32,
    pub chain: Option<ChainId>,
    pub offer: Offer,
    pub wanted: Wanted,
    /// Token to pay.
    pub from: Option<Coin>,
    /// Token to receive.
    pub to: Option<Coin>,
    /// Amount as typed.
    pub amount: String,
    /// Side whose amount it is.
    pub typed: Target,
    pub max: Max,
    /// Balance that "max" filled in, until the amount is edited.
    pub whole: Option<Amount>,
    /// Two nodes reported different balances for "max"; until the amount is edited.
    pub disputed: bool,
    /// The visitor pressed "Review": missing values are now shown as errors.
    pub review_pressed: bool,
}

/// Form values requested by the host.
#[derive(Debug, Default)]
pub struct Wanted {
    pub from: Option<Value>,
    pub to: Option<Value>,
    pub amount: String,
    /// Ticket of the host call, which waits for the token list.
    pub ticket: Option<u32>,
}

/// Progress of "max" for the chain's own coin, whose fee has to be left over.
#[derive(Clone, Copy, Debug, Default)]
pub enum Max {
    #[default]
    Unused,
    /// The fee is unknown: the amount is filled in once the gas price arrives.
    WaitsForFee { balance: Amount },
    /// Filled in with an estimated fee; the quote may report more gas.
    Filled { balance: Amount, paid: Amount },
}
