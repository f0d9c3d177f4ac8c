//! Signatures of Solana accounts.

use crate::refusal::{Reason, Refusal};
use ed25519_dalek::{Signer, SigningKey};
use portico_calldata::solana::{Message, SIGNATURE, Transaction};

/// Signed transaction.
pub struct SignedTransaction {
    /// Own signature.
    pub signature: [u8; SIGNATURE],
    /// The transaction with it.
    pub transaction: Vec<u8>,
}

/// Signs a message for a person or a server. The bytes of a transaction are refused: their signature would pay.
pub fn sign_message(key: &SigningKey, message: &[u8]) -> Result<[u8; SIGNATURE], Refusal> {
    if Message::read(message).is_some() {
        return Err(Refusal::new(Reason::Method, "message"));
    }
    Ok(key.sign(message).to_bytes())
}

/// Signs a transaction, of the legacy form or version 0, at the place of its own key among the required signers. The signatures of others
/// stay as they are.
pub fn sign_transaction(key: &SigningKey, transaction: &[u8]) -> Result<SignedTransaction, Refusal> {
    let read = Transaction::read(transaction).ok_or(Refusal::params("transaction"))?;
    let place = read.place_of(key.verifying_key().as_bytes());
    let at = read.start + place.ok_or(Refusal::new(Reason::Account, "transaction"))? * SIGNATURE;
    let signature = key.sign(read.signed).to_bytes();
    let mut transaction = transaction.to_vec();
    transaction[at..at + SIGNATURE].copy_from_slice(&signature);
    Ok(SignedTransaction { signature, transaction })
}

#[cfg(test)]
mod tests;
