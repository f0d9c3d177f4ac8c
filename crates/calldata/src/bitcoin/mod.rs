//! Transactions of Bitcoin: addresses, outputs, and the payment that a wallet signs as a PSBT (BIP-174). What is sent is made here, and a
//! wallet adds signatures to it and nothing else.

mod address;
mod psbt;
mod reader;
mod ripemd160;
mod signed;
#[cfg(test)]
mod tests;
mod transaction;

pub use address::{Address, AddressFault, Form, Kind, form_of, program};
pub use psbt::{Funding, unsigned};
pub use signed::{SignFault, complete};
pub use transaction::{OutPoint, Output, Payment, Previous, Proof, id_text};

use sha2::{Digest, Sha256};

/// Largest transaction that nodes pass on, in bytes: 400,000 units of weight, of which a byte has at least one.
pub const LARGEST: usize = 400_000;

pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

pub fn hash256(bytes: &[u8]) -> [u8; 32] {
    sha256(&sha256(bytes))
}

pub fn hash160(bytes: &[u8]) -> [u8; 20] {
    ripemd160::ripemd160(&sha256(bytes))
}
