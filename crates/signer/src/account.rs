//! Keys and addresses of a wallet.

use crate::derive::{self, HARDENED};
use crate::entropy::Seed;
use ed25519_dalek::SigningKey as Ed25519Key;
use k256::ecdsa::{SigningKey, VerifyingKey};
use portico_encoding::{base58, hex};
use portico_json::Map;
use portico_terms::address::{keccak256, to_checksum};
use ripemd::Ripemd160;
use sha2::{Digest, Sha256};

/// Keys of a wallet's first accounts, wiped when dropped.
pub struct Keys {
    /// Key at `m/44'/60'/0'/0/0`.
    pub evm: SigningKey,
    /// Key at `m/44'/501'/0'/0'`.
    pub solana: Ed25519Key,
    /// Address of the key at `m/84'/0'/0'/0/0`.
    bitcoin: String,
}

impl Keys {
    /// Derives the keys of a seed. `None` where BIP-32 has no key, which nobody has ever seen.
    pub fn of(seed: &Seed) -> Option<Keys> {
        let bitcoin = bitcoin_key(seed, 0)?;
        Some(Keys { evm: evm_key(seed, 0)?, solana: solana_key(seed, 0), bitcoin: p2wpkh(bitcoin.verifying_key()) })
    }

    /// Address of each namespace, by its word.
    pub fn addresses(&self) -> Map<String, String> {
        let pairs = [
            ("eip155", evm_address(self.evm.verifying_key())),
            ("solana", self.solana_address()),
            ("bip122", self.bitcoin.clone()),
        ];
        pairs.into_iter().map(|(namespace, address)| (namespace.into(), address)).collect()
    }

    /// Address of the EVM account in lower case, for comparisons.
    pub fn evm_address(&self) -> [u8; 20] {
        evm_bytes(self.evm.verifying_key())
    }

    /// Address of the Solana account.
    pub fn solana_address(&self) -> String {
        base58::encode(self.solana.verifying_key().as_bytes())
    }
}

/// Key of an EVM account: `m/44'/60'/0'/0/index`.
pub fn evm_key(seed: &Seed, index: u32) -> Option<SigningKey> {
    let path = [44 + HARDENED, 60 + HARDENED, HARDENED, 0, index];
    SigningKey::from_slice(derive::secp256k1(seed, &path)?.as_slice()).ok()
}

/// Key of a Bitcoin account: `m/84'/0'/0'/0/index`.
pub fn bitcoin_key(seed: &Seed, index: u32) -> Option<SigningKey> {
    let path = [84 + HARDENED, HARDENED, HARDENED, 0, index];
    SigningKey::from_slice(derive::secp256k1(seed, &path)?.as_slice()).ok()
}

/// Key of a Solana account: `m/44'/501'/index'/0'`.
pub fn solana_key(seed: &Seed, index: u32) -> Ed25519Key {
    Ed25519Key::from_bytes(&derive::ed25519(seed, &[44, 501, index, 0]))
}

/// Address of an EVM key with its checksum (EIP-55).
pub fn evm_address(key: &VerifyingKey) -> String {
    to_checksum(&["0x", &hex::encode(&evm_bytes(key))].concat())
}

fn evm_bytes(key: &VerifyingKey) -> [u8; 20] {
    let point = key.to_sec1_point(false);
    let hash = keccak256(&point.as_bytes()[1..]);
    let mut address = [0; 20];
    address.copy_from_slice(&hash[12..]);
    address
}

/// Address of a key on Bitcoin's main network: pay to witness public key hash (BIP-84, BIP-173).
pub fn p2wpkh(key: &VerifyingKey) -> String {
    let hash = Ripemd160::digest(Sha256::digest(key.to_sec1_point(true).as_bytes()));
    let mut values = vec![0];
    let (mut word, mut bits) = (0_u32, 0);
    // 160 bits are 32 groups of five: none are left over.
    for byte in hash {
        word = word << 8 | u32::from(byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            values.push((word >> bits & 31) as u8);
        }
    }
    bech32("bc", &values)
}

/// Bech32 (BIP-173) of values below 32.
fn bech32(prefix: &str, values: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let mut sum = 1;
    let high = prefix.bytes().map(|letter| letter >> 5);
    let low = prefix.bytes().map(|letter| letter & 31);
    for value in high.chain([0]).chain(low).chain(values.iter().copied()).chain([0; 6]) {
        sum = polymod(sum, value);
    }
    let check = (0..6).map(|index| ((sum ^ 1) >> (25 - 5 * index) & 31) as u8);
    let letters = values.iter().copied().chain(check).map(|value| LETTERS[usize::from(value)] as char);
    prefix.chars().chain(['1']).chain(letters).collect()
}

fn polymod(sum: u32, value: u8) -> u32 {
    let top = sum >> 25;
    let mut next = (sum & 0x1ff_ffff) << 5 ^ u32::from(value);
    for (bit, generator) in [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3].into_iter().enumerate() {
        if top >> bit & 1 == 1 {
            next ^= generator;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::Entropy;
    use zeroize::Zeroizing;

    /// Seed of the words of BIP-84: "abandon" eleven times and "about".
    const SEED: &str = "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4";

    fn seed() -> Seed {
        Seed::new(Zeroizing::new(hex::decode(SEED).unwrap().try_into().unwrap()))
    }

    #[test]
    fn the_addresses_of_bip_84_hold() {
        let address = |index| p2wpkh(bitcoin_key(&seed(), index).unwrap().verifying_key());
        assert_eq!(address(0), "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
        assert_eq!(address(1), "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g");
    }

    #[test]
    fn the_addresses_that_other_wallets_show_for_these_words_hold() {
        assert_eq!(
            evm_address(evm_key(&seed(), 0).unwrap().verifying_key()),
            "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"
        );
        let keys = Keys::of(&seed()).unwrap();
        assert_eq!(keys.solana_address(), "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk");
    }

    #[test]
    fn each_wallet_and_each_index_has_keys_of_its_own() {
        let other = Entropy::new(Zeroizing::new([7; 32])).seed();
        let (keys, others) = (Keys::of(&seed()).unwrap(), Keys::of(&other).unwrap());
        for namespace in ["eip155", "solana", "bip122"] {
            assert_ne!(keys.addresses().get(namespace), others.addresses().get(namespace));
        }
        assert_ne!(solana_key(&seed(), 0).to_bytes(), solana_key(&seed(), 1).to_bytes());
        assert!(evm_key(&seed(), 0) != evm_key(&seed(), 1));
    }
}
