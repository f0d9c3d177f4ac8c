//! Words and private keys of the open wallet, in the forms that other wallets import.

use super::{Answer, PrivateKey, Unlocked};
use crate::account::{bitcoin_key, evm_key, solana_key};
use crate::refusal::{Reason, Refusal};
use portico_encoding::{base58, hex};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// First byte of a private key of Bitcoin's main network, and last byte of one whose public key is compressed.
const MAIN: u8 = 0x80;
const COMPRESSED: u8 = 1;

pub(super) fn export(wallet: &Unlocked) -> Result<Answer, Refusal> {
    let seed = wallet.entropy.seed();
    let none = || Refusal::new(Reason::Record, "blob");
    let (evm, bitcoin) = (evm_key(&seed, 0).ok_or_else(none)?, bitcoin_key(&seed, 0).ok_or_else(none)?);
    let evm = Zeroizing::new(<[u8; 32]>::from(evm.to_bytes()));
    let bitcoin = Zeroizing::new(<[u8; 32]>::from(bitcoin.to_bytes()));
    let solana = Zeroizing::new(solana_key(&seed, 0).to_keypair_bytes());
    let addresses = wallet.keys.addresses();
    let one = |namespace: &str, path: &str, key: String| PrivateKey {
        namespace: namespace.into(),
        address: addresses.get(namespace).cloned().unwrap_or_default(),
        path: path.into(),
        key,
    };
    let keys = vec![
        one("eip155", "m/44'/60'/0'/0/0", ["0x", &hex::encode(evm.as_slice())].concat()),
        one("solana", "m/44'/501'/0'/0'", base58::encode(solana.as_slice())),
        one("bip122", "m/84'/0'/0'/0/0", import_format(&bitcoin)),
    ];
    Ok(Answer::Exported { words: wallet.entropy.words().to_string(), keys })
}

/// Wallet import format: base58 with a checksum of four bytes.
fn import_format(key: &[u8; 32]) -> String {
    let mut bytes = Zeroizing::new([0; 38]);
    bytes[0] = MAIN;
    bytes[1..33].copy_from_slice(key);
    bytes[33] = COMPRESSED;
    let check = Sha256::digest(Sha256::digest(&bytes[..34]));
    bytes[34..].copy_from_slice(&check[..4]);
    base58::encode(bytes.as_slice())
}
