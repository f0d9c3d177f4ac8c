//! Receiver of a payment: an address of a wallet. Coins sent to a token account, a mint or a program are lost.

use super::ReceiverFault;
use crate::wallet::solana::ChainAccount;
use portico_calldata::solana::{Holding, Key, Mint, TokenProgram, is_on_curve, is_system, key};
use portico_encoding::base58;
use portico_terms::AccountId;
use portico_terms::address::is_evm;

/// Letters of an address; fewer or more are no address of 32 bytes.
const LETTERS: std::ops::RangeInclusive<usize> = 32..=44;

/// Receiver as the chain knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Payee {
    pub key: Key,
    /// Coins that it has; none if the chain does not know the address yet.
    pub lamports: u64,
    pub fault: Option<ReceiverFault>,
    /// Address of its token account, and whether it exists. None while the coin is sent.
    pub account: Option<(Key, Target)>,
}

/// Token account of the receiver.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Target {
    /// It does not exist, so the sender pays for it.
    Missing,
    Ready,
    Frozen,
    /// Somebody else owns it now, or it is none.
    Foreign,
}

/// Key of a typed address, or what is wrong with the text.
pub fn read(text: &str, own: &str) -> Result<Key, ReceiverFault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ReceiverFault::Missing);
    }
    if text == own {
        return Err(ReceiverFault::OwnAddress);
    }
    let bitcoin = ["bc1", "tb1", "bcrt1"].iter().any(|start| text.to_ascii_lowercase().starts_with(start));
    if text.starts_with("0x") || is_evm(text) || bitcoin || text.parse::<AccountId>().is_ok() {
        return Err(ReceiverFault::OtherNamespace);
    }
    if base58::decode(text).is_none() {
        return Err(ReceiverFault::NotAnAddress);
    }
    match key(text) {
        Some(key) if LETTERS.contains(&text.len()) => Ok(key),
        _ => Err(ReceiverFault::WrongLength),
    }
}

/// Fault of an account as a receiver; `None` if it may be paid. An account that the chain does not know yet is a wallet that was never paid.
pub fn fault_of(account: Option<&ChainAccount>) -> Option<ReceiverFault> {
    let account = account?;
    if account.executable {
        return Some(ReceiverFault::Program);
    }
    if let Some(program) = TokenProgram::named(&account.owner) {
        let mint = Mint::read(program, &account.data).is_some();
        return Some(if mint { ReceiverFault::TokenMint } else { ReceiverFault::TokenAccount });
    }
    // The system program owns wallets, and accounts of nonces, which have data.
    (!is_system(&account.owner) || !account.data.is_empty()).then_some(ReceiverFault::ProgramAccount)
}

/// State of the receiver's token account.
pub fn target_of(account: Option<&ChainAccount>, owner: &Key, mint: &Key) -> Target {
    // Somebody may have sent coins to the address before the account is made.
    let Some(account) = account.filter(|account| !is_system(&account.owner)) else { return Target::Missing };
    match Holding::read(&account.data) {
        Some(holding) if holding.owner != *owner || holding.mint != *mint => Target::Foreign,
        Some(holding) if holding.frozen => Target::Frozen,
        Some(_) => Target::Ready,
        None => Target::Foreign,
    }
}

impl Payee {
    /// Whether nobody can have a secret key for the address: it belongs to a program, such as a shared account.
    pub fn is_keyless(&self) -> bool {
        !is_on_curve(&self.key)
    }
}
