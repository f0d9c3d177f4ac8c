//! What is wrong with an amount that a visitor typed, in one list for whatever is paid.

use portico_json::Json;
use portico_terms::Amount;
use portico_terms::typed::{TypedError, read};

/// Longer input is cut: no amount and no address needs it.
pub const LONGEST_INPUT: usize = 120;

/// What is wrong with an amount.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum AmountFault {
    /// Nothing was typed.
    Missing,
    /// Not a number in plain notation.
    NotANumber,
    /// It has a sign.
    Signed,
    /// It has an exponent.
    Exponent,
    /// `1,000` is a thousand to some and one to others.
    Ambiguous,
    /// More decimals than the coin has.
    TooPrecise,
    /// Nothing can be sent, but it would do nothing.
    Zero,
    /// More than there is.
    AboveBalance,
    /// Enough for the amount but not for the fee (spec 5.11).
    InsufficientGas,
}

/// An amount as typed, in the smallest unit of a coin with so many decimals. More than 256 bits hold is more than anybody has.
pub fn amount_of(text: &str, decimals: u8) -> Result<Amount, AmountFault> {
    let amount = read(text, decimals).map_err(|error| match error {
        TypedError::Missing => AmountFault::Missing,
        TypedError::Shape => AmountFault::NotANumber,
        TypedError::Signed => AmountFault::Signed,
        TypedError::Exponent => AmountFault::Exponent,
        TypedError::Ambiguous => AmountFault::Ambiguous,
        TypedError::Precision => AmountFault::TooPrecise,
        TypedError::Overflow => AmountFault::AboveBalance,
    })?;
    if amount.is_zero() { Err(AmountFault::Zero) } else { Ok(amount) }
}

/// What is kept of an input.
pub fn cut(text: &str) -> String {
    text.chars().take(LONGEST_INPUT).collect()
}
