//! Transactions of Solana: their form, the instructions that are explained, and those of a payment. The signer signs what this reads, and
//! nothing else.

mod assertion;
mod build;
mod curve;
mod instruction;
mod message;
mod mints;
mod owner;
mod reader;
mod scaled;
#[cfg(test)]
mod tests;
mod token;

pub use assertion::MOST_ASSERTIONS;
pub use build::{Account, Call, message, transaction};
pub use curve::{is_on_curve, verify};
pub use instruction::{Step, fee};
pub use message::{Instruction, Message};
pub use mints::{KNOWN_MINTS, KnownMint, WRAPPED_SOL, known_mint};
pub use scaled::scaled;
pub use token::{
    Holding, Mint, Obstacle, TokenProgram, TransferFee, associated, create, is_associated, is_system, key, send,
    transfer, unit_limit, unit_price,
};

use reader::Reader;

/// Public key: the address of an account, a program or a mint.
pub type Key = [u8; 32];

/// Bytes of a signature.
pub const SIGNATURE: usize = 64;

/// Longest message that is signed, in base58 letters: reading takes time by the square of them.
pub const LONGEST_MESSAGE: usize = 16 * 1024;

/// Most transactions of one request.
pub const MOST_TRANSACTIONS: usize = 32;

/// Largest transaction of the network, in bytes.
pub const LARGEST: usize = 1232;

/// Transaction with the places of its signatures.
pub struct Transaction<'a> {
    /// Signatures in the order of the signers; one that is missing is zero.
    pub signatures: Vec<&'a [u8]>,
    /// Place of the first signature in the bytes.
    pub start: usize,
    /// Bytes that are signed: the message.
    pub signed: &'a [u8],
    pub message: Message<'a>,
}

impl<'a> Transaction<'a> {
    /// Reads a whole transaction, of the legacy form or version 0.
    pub fn read(bytes: &'a [u8]) -> Option<Transaction<'a>> {
        if bytes.len() > LARGEST {
            return None;
        }
        let mut reader = Reader::new(bytes);
        let count = reader.compact()?;
        let start = reader.at();
        let signatures: Vec<&[u8]> = (0..count).map(|_| reader.take(SIGNATURE)).collect::<Option<_>>()?;
        let signed = reader.rest();
        let message = Message::read(signed).filter(|message| message.signers().len() == count)?;
        Some(Transaction { signatures, start, signed, message })
    }

    /// Place of a key among the signers.
    pub fn place_of(&self, key: &Key) -> Option<usize> {
        self.message.signers().iter().position(|signer| signer == key)
    }
}
