//! Validation of a typed amount, shared by all features that pay.

use portico_json::Json;
use portico_terms::Amount;
use portico_terms::typed::{TypedError, read};

/// Maximum length of an input; no amount or address is longer.
pub const LONGEST_INPUT: usize = 120;

/// Error of an amount.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum AmountFault {
    /// The field is empty.
    Missing,
    /// Not a number in plain notation.
    NotANumber,
    /// The number has a sign.
    Signed,
    /// The number has an exponent.
    Exponent,
    /// `1,000` is a thousand in some countries and one in others.
    Ambiguous,
    /// More decimals than the coin has.
    TooPrecise,
    /// The amount is zero, which would transfer nothing.
    Zero,
    /// More than the balance.
    AboveBalance,
    /// Two nodes report different balances, so the maximum is unknown.
    BalanceDisputed,
    /// Enough for the amount but not for the fee (spec 5.11).
    InsufficientGas,
}

/// Parses a typed amount to the smallest unit of a coin with these decimals. An amount above 256 bits counts as above the balance.
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

/// Cuts an input to the maximum length.
pub fn cut(text: &str) -> String {
    text.chars().take(LONGEST_INPUT).collect()
}
