//! Entropy of a wallet and its words (BIP-39).

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256, Sha512};
use zeroize::Zeroizing;

/// English word list of BIP-39, one word a line.
const ENGLISH: &str = include_str!("english.txt");
/// Words of a wallet: 256 bits of entropy and 8 bits of checksum, 11 bits a word.
const WORDS: usize = 24;
/// Rounds of PBKDF2 (BIP-39).
const ROUNDS: u32 = 2048;

/// Secret from which all keys of a wallet come: 32 bytes, wiped when dropped.
#[derive(Clone, Eq, PartialEq)]
pub struct Entropy(Zeroizing<[u8; 32]>);

/// Seed of the key derivations: 64 bytes, wiped when dropped.
pub struct Seed(Zeroizing<[u8; 64]>);

impl Entropy {
    /// Entropy of 32 random bytes.
    pub fn new(bytes: Zeroizing<[u8; 32]>) -> Entropy {
        Entropy(bytes)
    }

    /// Bytes of the entropy.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The 24 words, joined by spaces.
    pub fn words(&self) -> Zeroizing<String> {
        let list: Vec<&str> = ENGLISH.lines().collect();
        let mut bits = Zeroizing::new([0; 33]);
        bits[..32].copy_from_slice(self.0.as_slice());
        bits[32] = checksum(&self.0);
        // The longest word has eight letters: the text never grows, which would leave copies in memory.
        let mut out = Zeroizing::new(String::with_capacity(WORDS * 9));
        for index in 0..WORDS {
            if index > 0 {
                out.push(' ');
            }
            out.push_str(list[word_at(&bits, index)]);
        }
        out
    }

    /// Reads 24 words, in any case and with any white space between them. `None` for an unknown word, another number of words or a wrong
    /// checksum.
    pub fn from_words(text: &str) -> Option<Entropy> {
        let list: Vec<&str> = ENGLISH.lines().collect();
        let mut bits = Zeroizing::new([0_u8; 33]);
        let mut count = 0;
        for word in text.split_whitespace() {
            let word = Zeroizing::new(word.to_ascii_lowercase());
            let value = list.binary_search(&word.as_str()).ok()?;
            if count == WORDS {
                return None;
            }
            for bit in 0..11 {
                let at = count * 11 + bit;
                bits[at / 8] |= u8::from(value >> (10 - bit) & 1 == 1) << (7 - at % 8);
            }
            count += 1;
        }
        let mut entropy = Zeroizing::new([0; 32]);
        entropy.copy_from_slice(&bits[..32]);
        (count == WORDS && bits[32] == checksum(&entropy)).then_some(Entropy(entropy))
    }

    /// Seed of the key derivations, without a passphrase: 2048 rounds of HMAC-SHA512.
    pub fn seed(&self) -> Seed {
        let words = self.words();
        seed_of(words.as_bytes(), b"")
    }
}

impl Seed {
    /// Seed of 64 bytes.
    pub fn new(bytes: Zeroizing<[u8; 64]>) -> Seed {
        Seed(bytes)
    }

    /// Bytes of the seed.
    pub fn as_bytes(&self) -> &[u8; 64] {
        &self.0
    }
}

fn word_at(bits: &[u8; 33], index: usize) -> usize {
    (0..11).fold(0, |word, bit| {
        let at = index * 11 + bit;
        word << 1 | usize::from(bits[at / 8] >> (7 - at % 8) & 1)
    })
}

fn checksum(entropy: &[u8; 32]) -> u8 {
    Sha256::digest(entropy)[0]
}

/// PBKDF2-HMAC-SHA512 of one block (RFC 8018), with the salt "mnemonic" and a passphrase.
fn seed_of(words: &[u8], passphrase: &[u8]) -> Seed {
    let keyed = hmac_sha512(words);
    let mut mac = keyed.clone();
    for part in [b"mnemonic", passphrase, &1_u32.to_be_bytes()] {
        mac.update(part);
    }
    let mut round = Zeroizing::new(<[u8; 64]>::from(mac.finalize().into_bytes()));
    let mut out = round.clone();
    for _ in 1..ROUNDS {
        let mut mac = keyed.clone();
        mac.update(round.as_slice());
        round = Zeroizing::new(mac.finalize().into_bytes().into());
        out.iter_mut().zip(round.iter()).for_each(|(out, round)| *out ^= round);
    }
    Seed(out)
}

/// HMAC-SHA512 with a key.
pub(crate) fn hmac_sha512(key: &[u8]) -> Hmac<Sha512> {
    // HMAC takes keys of any length.
    Hmac::new_from_slice(key).unwrap_or_else(|_| unreachable!())
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_encoding::hex;
    use proptest::prelude::*;

    /// Vectors of BIP-39 with 256 bits: entropy, words, and the seed with the passphrase "TREZOR".
    const VECTORS: &str = include_str!("../../../fixtures/signer/bip39.json");

    #[test]
    fn the_word_list_is_that_of_bip_39() {
        let digest = hex::encode(&Sha256::digest(ENGLISH));
        assert_eq!(digest, "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda");
        assert!(ENGLISH.lines().is_sorted());
    }

    #[test]
    fn the_vectors_of_bip_39_hold() {
        let vectors: Vec<[String; 3]> = serde_json::from_str(VECTORS).unwrap();
        assert!(vectors.len() >= 8);
        for [entropy, words, seed] in vectors {
            let entropy = Entropy::new(Zeroizing::new(hex::decode32(&entropy).unwrap()));
            assert_eq!(*entropy.words(), words);
            assert!(Entropy::from_words(&words) == Some(entropy));
            assert_eq!(hex::encode(seed_of(words.as_bytes(), b"TREZOR").as_bytes()), seed);
        }
    }

    #[test]
    fn words_that_are_not_a_wallet_are_refused() {
        let good = Entropy::new(Zeroizing::new([7; 32])).words();
        assert!(Entropy::from_words(&good.to_uppercase().replace(' ', " \n ")).is_some());
        let mut swapped: Vec<&str> = good.split(' ').collect();
        swapped.swap(0, 23);
        for bad in [
            "",
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
            &good[..good.len() - 1],
            &[&good, " abandon"].concat(),
            &swapped.join(" "),
            &good.replacen(' ', " émile ", 1),
        ] {
            assert!(Entropy::from_words(bad).is_none(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn words_that_were_written_are_read(bytes: [u8; 32]) {
            let entropy = Entropy::new(Zeroizing::new(bytes));
            prop_assert!(Entropy::from_words(&entropy.words()) == Some(entropy));
        }
    }
}
