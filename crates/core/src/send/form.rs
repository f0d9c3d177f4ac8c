//! What makes a send form valid (spec 5.7 to 5.11).

use super::gas::is_gas_insufficient;
use crate::facts::{ActiveAccount, Facts};
use portico_json::Json;
use portico_terms::address::{ChecksumError, is_evm, is_solana, with_checksum};
use portico_terms::amount::AmountError;
use portico_terms::{Amount, Namespace};

/// Longer input is cut: no amount and no address needs it.
pub const LONGEST_INPUT: usize = 120;

/// What is wrong with an amount.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum AmountFault {
    /// Nothing was typed.
    Missing,
    /// Not a number in plain notation.
    NotANumber,
    /// More decimals than the coin has.
    TooPrecise,
    /// Nothing can be sent, but it would do nothing.
    Zero,
    /// More than there is.
    AboveBalance,
    /// Enough for the amount but not for the fee (spec 5.11).
    InsufficientGas,
}

/// What is wrong with a receiver.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum ReceiverFault {
    /// Nothing was typed.
    Missing,
    /// Not an address of this chain.
    NotAnAddress,
    /// A letter was mistyped (EIP-55).
    WrongChecksum,
    /// Nobody has the key of it.
    ZeroAddress,
    /// The sender.
    OwnAddress,
}

/// Why the form cannot be sent (spec 5.10, 8.4).
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("Please enter a valid amount and receiver address")]
pub struct FormFault;

/// An EVM send needs token, amount and receiver; the native coin also a gas price and the coin's decimals (spec 5.8).
pub fn check_evm(
    token: bool,
    amount: &str,
    receiver: &str,
    gas_price: bool,
    decimals: Option<u8>,
) -> Result<(), FormFault> {
    if token && !amount.is_empty() && !receiver.is_empty() && gas_price && decimals.is_some() {
        Ok(())
    } else {
        Err(FormFault)
    }
}

/// A Solana send needs amount and receiver (spec 5.9).
pub fn check_solana(amount: &str, receiver: &str) -> Result<(), FormFault> {
    if !amount.is_empty() && !receiver.is_empty() { Ok(()) } else { Err(FormFault) }
}

/// What was found wrong.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Checked {
    /// With the amount.
    pub amount: Option<AmountFault>,
    /// With the receiver.
    pub receiver: Option<ReceiverFault>,
}

impl Checked {
    /// Nothing.
    pub fn is_ready(&self) -> bool {
        self.amount.is_none() && self.receiver.is_none()
    }
}

/// Checks amount and receiver against what is known.
pub fn check(
    amount: &str,
    receiver: &str,
    decimals: u8,
    balance: Option<Amount>,
    fee: Option<Amount>,
    facts: &Facts,
) -> Checked {
    let receiver = match &facts.account {
        Some(account) => receiver_fault(receiver, account),
        None => Some(ReceiverFault::Missing),
    };
    Checked { amount: amount_fault(amount, decimals, balance, fee, facts), receiver }
}

fn amount_fault(
    text: &str,
    decimals: u8,
    balance: Option<Amount>,
    fee: Option<Amount>,
    facts: &Facts,
) -> Option<AmountFault> {
    if text.trim().is_empty() {
        return Some(AmountFault::Missing);
    }
    let amount = match Amount::from_units(text, decimals) {
        Ok(amount) => amount,
        Err(AmountError::Precision) => return Some(AmountFault::TooPrecise),
        Err(AmountError::Overflow) => return Some(AmountFault::AboveBalance),
        Err(AmountError::Shape) => return Some(AmountFault::NotANumber),
    };
    if amount.is_zero() {
        return Some(AmountFault::Zero);
    }
    // Without a balance the wallet is the judge.
    let balance = balance?;
    if amount > balance {
        return Some(AmountFault::AboveBalance);
    }
    let fee = fee.unwrap_or(Amount::ZERO);
    // What is sent is gone before gas is paid. While the fee is not known, the wallet is the judge.
    let left = balance.minus(amount).unwrap_or(Amount::ZERO);
    let short = !fee.is_zero() && is_gas_insufficient(left, fee, facts.price, facts.smart_account);
    if short { Some(AmountFault::InsufficientGas) } else { None }
}

/// What is wrong with a receiver on the account's chain.
pub fn receiver_fault(text: &str, account: &ActiveAccount) -> Option<ReceiverFault> {
    if text.is_empty() {
        return Some(ReceiverFault::Missing);
    }
    if account.namespace == Namespace::Solana && is_solana(text) {
        return if text == account.address { Some(ReceiverFault::OwnAddress) } else { None };
    }
    if account.namespace != Namespace::Eip155 {
        return Some(ReceiverFault::NotAnAddress);
    }
    if !is_evm(text) {
        return Some(ReceiverFault::NotAnAddress);
    }
    if with_checksum(text) == Err(ChecksumError::Mismatch) {
        return Some(ReceiverFault::WrongChecksum);
    }
    let address = with_prefix(text).to_ascii_lowercase();
    if address.bytes().skip(2).all(|digit| digit == b'0') {
        return Some(ReceiverFault::ZeroAddress);
    }
    if address == account.address.to_ascii_lowercase() { Some(ReceiverFault::OwnAddress) } else { None }
}

/// What is kept of an input.
pub fn cut(text: &str) -> String {
    text.chars().take(LONGEST_INPUT).collect()
}

/// The 0x is optional when typed (spec 5.2) and never when sent.
pub fn with_prefix(text: &str) -> String {
    if text.starts_with("0x") { text.into() } else { ["0x", text].concat() }
}
