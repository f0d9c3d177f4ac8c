//! Signatures of Solana accounts.

mod message;
mod reader;

pub use message::Message;

use crate::refusal::{Reason, Refusal};
use ed25519_dalek::{Signer, SigningKey};
use reader::Reader;

/// Largest transaction of the network, in bytes.
const LARGEST: usize = 1232;
/// Bytes of a signature.
const SIGNATURE: usize = 64;

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
    let not = Refusal::params("transaction");
    if transaction.len() > LARGEST {
        return Err(not);
    }
    let mut reader = Reader::new(transaction);
    let count = reader.compact().ok_or(not)?;
    let start = reader.at();
    reader.take(count * SIGNATURE).ok_or(not)?;
    let bytes = reader.rest();
    let message = Message::read(bytes).filter(|message| message.signers().len() == count).ok_or(not)?;
    let own = key.verifying_key();
    let place = message.signers().iter().position(|signer| signer == own.as_bytes());
    let place = place.ok_or(Refusal::new(Reason::Account, "transaction"))?;
    let signature = key.sign(bytes).to_bytes();
    let mut transaction = transaction.to_vec();
    let at = start + place * SIGNATURE;
    transaction[at..at + SIGNATURE].copy_from_slice(&signature);
    Ok(SignedTransaction { signature, transaction })
}

#[cfg(test)]
mod tests;
