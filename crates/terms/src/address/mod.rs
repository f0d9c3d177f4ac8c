//! Addresses: validation, checksum and short form.

mod bitcoin;
mod evm;
mod polkadot;
mod shorten;
mod solana;

pub use bitcoin::is_bitcoin;
pub use evm::{ChecksumError, is_evm, keccak256, to_checksum, with_checksum};
pub use polkadot::is_polkadot;
pub use shorten::shorten;
pub use solana::is_solana;
