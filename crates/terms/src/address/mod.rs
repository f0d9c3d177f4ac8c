//! Addresses: their shape, their checksum, and how they are shown.

mod evm;
mod shorten;
mod solana;

pub use evm::{ChecksumError, is_evm, to_checksum, with_checksum};
pub use shorten::shorten;
pub use solana::is_solana;
