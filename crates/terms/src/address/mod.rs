//! Addresses: validation, checksum and short form.

mod evm;
mod shorten;
mod solana;

pub use evm::{ChecksumError, is_evm, keccak256, to_checksum, with_checksum};
pub use shorten::shorten;
pub use solana::is_solana;
