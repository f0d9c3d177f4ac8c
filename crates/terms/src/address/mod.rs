//! Addresses: validation, checksum and short form.

use crate::Namespace;

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

/// Reads an address of a namespace, on EVM chains with its checksum (EIP-55); `None` if it has another form.
pub fn read_address(namespace: Namespace, text: &str) -> Option<String> {
    let fits = match namespace {
        Namespace::Eip155 => return (text.starts_with("0x") && is_evm(text)).then(|| to_checksum(text)),
        Namespace::Solana => is_solana(text),
        Namespace::Bip122 => is_bitcoin(text),
        Namespace::Polkadot => is_polkadot(text),
    };
    fits.then(|| text.into())
}
