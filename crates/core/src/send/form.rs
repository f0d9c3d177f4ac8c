//! Validation of a send form (spec 5.7 to 5.11).

use super::asset::Funds;
use crate::facts::{ActiveAccount, Facts};
use crate::pay::gas::is_fee_above;
pub use crate::pay::typed::AmountFault;
use crate::pay::typed::amount_of;
use portico_json::Json;
use portico_terms::address::{ChecksumError, is_evm, is_solana, with_checksum};
use portico_terms::{AccountId, Amount, Namespace};

/// Error of a receiver.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum ReceiverFault {
    /// The field is empty.
    Missing,
    /// Not an address of this chain.
    NotAnAddress,
    /// An address of another kind of chain.
    OtherNamespace,
    /// The checksum does not match (EIP-55), so a letter may be mistyped.
    WrongChecksum,
    /// The zero address, which has no owner.
    ZeroAddress,
    /// The sender's own address.
    OwnAddress,
    /// The contract of the token itself, where tokens get lost.
    TokenContract,
    /// A name that is still being resolved.
    Resolving,
    /// An unregistered name, or one without an address.
    NameUnknown,
    /// A name that could not be resolved (spec 8.18).
    NameFailed,
    /// A name, but neither a server nor a node is configured that resolves names.
    NamesUnserved,
    /// A name that only the host's own server resolves: nothing proves what it says.
    NameUnproven,
    /// A name that two nodes resolve differently.
    NameDisputed,
}

/// The form is incomplete (spec 5.10, 8.4).
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("Please enter a valid amount and receiver address")]
pub struct FormFault;

/// An EVM send needs token, amount and receiver; the native coin also a gas price and the coin's decimals (spec 5.8).
pub fn check_evm(
    token: bool,
    native: bool,
    amount: &str,
    receiver: &str,
    gas_price: bool,
    decimals: Option<u8>,
) -> Result<(), FormFault> {
    let complete = !native || gas_price && decimals.is_some();
    if token && !amount.is_empty() && !receiver.is_empty() && complete { Ok(()) } else { Err(FormFault) }
}

/// A Solana send needs amount and receiver (spec 5.9).
pub fn check_solana(amount: &str, receiver: &str) -> Result<(), FormFault> {
    if !amount.is_empty() && !receiver.is_empty() { Ok(()) } else { Err(FormFault) }
}

/// Error of an amount, checked against the balances.
pub fn amount_fault(text: &str, funds: &Funds, fee: Option<Amount>, facts: &Facts) -> Option<AmountFault> {
    let Some(decimals) = funds.decimals else {
        // Without known decimals only an empty amount is an error.
        return text.trim().is_empty().then_some(AmountFault::Missing);
    };
    let amount = match amount_of(text, decimals) {
        Ok(amount) => amount,
        Err(fault) => return Some(fault),
    };
    if funds.balance.is_some_and(|balance| amount > balance) {
        return Some(AmountFault::AboveBalance);
    }
    let spent = if funds.native { amount } else { Amount::ZERO };
    // The sent coins are not available for gas, which only EVM chains have.
    let short = facts.active_namespace == Some(Namespace::Eip155) && is_fee_above(funds.coin, spent, fee, facts);
    short.then_some(AmountFault::InsufficientGas)
}

/// Whether a text is a name rather than an address: no address has a dot between its letters.
pub fn is_name(text: &str) -> bool {
    let inner =
        text.strip_prefix(|first: char| first != '.').and_then(|rest| rest.strip_suffix(|last: char| last != '.'));
    inner.is_some_and(|inner| inner.contains('.')) && !text.contains([' ', '/', ':', '@'])
}

/// Whether a text is an address of Bitcoin, Solana, Polkadot or another non-EVM chain: base58, or bech32 of Bitcoin.
fn is_of_other_namespace(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let plain = text.len() >= 26 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let bech32 = ["bc1", "tb1", "bcrt1"].iter().any(|start| lower.starts_with(start));
    let base58 = text.len() <= 50 && !text.bytes().any(|byte| matches!(byte, b'0' | b'O' | b'I' | b'l'));
    // A text of hex digits only is an EVM address with a typo.
    let hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain && (bech32 || base58 && !hex && !text.starts_with("0x"))
}

/// Error of an address on the account's chain.
pub fn address_fault(text: &str, account: &ActiveAccount) -> Option<ReceiverFault> {
    if text.is_empty() {
        return Some(ReceiverFault::Missing);
    }
    if account.namespace == Namespace::Solana && is_solana(text) {
        return if text == account.address { Some(ReceiverFault::OwnAddress) } else { None };
    }
    if account.namespace != Namespace::Eip155 {
        return Some(if is_evm(text) { ReceiverFault::OtherNamespace } else { ReceiverFault::NotAnAddress });
    }
    if !is_evm(text) {
        let other = text.split_once(':').is_some() && text.parse::<AccountId>().is_ok() || is_of_other_namespace(text);
        return Some(if other { ReceiverFault::OtherNamespace } else { ReceiverFault::NotAnAddress });
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

/// Adds the `0x`, which is optional when typed (spec 5.2) but required when sent.
pub fn with_prefix(text: &str) -> String {
    if text.starts_with("0x") { text.into() } else { ["0x", text].concat() }
}
