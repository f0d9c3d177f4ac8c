use crate::vault::hpke::expand;
use portico_encoding::hex;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Key of one slot, which wraps the vault key; wiped when dropped.
pub struct Kek(Zeroizing<[u8; 32]>);

impl Kek {
    /// Key of a device slot: HKDF-SHA256 over the device's secret and the server's share.
    pub fn device(secret: &[u8; 32], share: &[u8; 32]) -> Kek {
        let mut both = Zeroizing::new([0; 64]);
        both[..32].copy_from_slice(secret);
        both[32..].copy_from_slice(share);
        Kek(expand(both.as_slice(), "portico device 1"))
    }

    /// Key of the recovery slot, as the vault derives and releases it.
    pub fn recovery(key: Zeroizing<[u8; 32]>) -> Kek {
        Kek(key)
    }

    /// Key of a kit: HKDF-SHA256 over its 16 bytes.
    pub fn kit(kit: &Kit) -> Kek {
        Kek(expand(kit.0.as_slice(), "portico kit 1"))
    }

    /// Key of a passkey's slot: HKDF-SHA256 over the first output of its PRF (WebAuthn).
    pub fn passkey(output: &[u8; 32]) -> Kek {
        Kek(expand(output.as_slice(), "portico passkey 1"))
    }

    /// Key of a password's slot: HKDF-SHA256 over the export key of OPAQUE.
    pub fn password(key: &[u8; 64]) -> Kek {
        Kek(expand(key.as_slice(), "portico password 1"))
    }

    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Printed code of 128 bits, wiped when dropped.
///
/// Its text has seven groups of four letters in the alphabet of Crockford's base32: 26 letters of the code and two of its SHA-256, so that a
/// mistyped letter is noticed before anything is tried.
pub struct Kit(Zeroizing<[u8; 16]>);

const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Letters of a kit: 128 bits, two bits of zero, ten of the checksum.
const LENGTH: usize = 28;

impl Kit {
    /// Kit of 16 random bytes.
    pub fn new(bytes: Zeroizing<[u8; 16]>) -> Kit {
        Kit(bytes)
    }

    /// Text to print: "0123-4567-…".
    pub fn text(&self) -> Zeroizing<String> {
        let value = u128::from_be_bytes(*self.0);
        let mut out = Zeroizing::new(String::with_capacity(LENGTH + LENGTH / 4));
        for index in 0..LENGTH {
            if index > 0 && index % 4 == 0 {
                out.push('-');
            }
            let bits = match index {
                0..25 => value >> (123 - 5 * index) & 31,
                25 => value << 2 & 31,
                _ => self.check() >> (5 * (27 - index)) & 31,
            };
            out.push(LETTERS[bits as usize] as char);
        }
        out
    }

    /// Reads a text: either case, any hyphens and spaces, and `O`, `I` and `L` for the digits that they look like.
    pub fn read(text: &str) -> Option<Kit> {
        let mut values = Zeroizing::new([0_u8; LENGTH]);
        let mut count = 0;
        for letter in text.bytes().filter(|letter| !matches!(letter, b'-' | b' ')) {
            let letter = match letter.to_ascii_uppercase() {
                b'O' => b'0',
                b'I' | b'L' => b'1',
                letter => letter,
            };
            *values.get_mut(count)? = LETTERS.iter().position(|known| *known == letter)? as u8;
            count += 1;
        }
        let number = |range: &[u8]| range.iter().fold(0_u128, |sum, value| sum << 5 | u128::from(*value));
        let kit = Kit(Zeroizing::new((number(&values[..25]) << 3 | u128::from(values[25] >> 2)).to_be_bytes()));
        (count == LENGTH && values[25] & 3 == 0 && number(&values[26..]) == kit.check()).then_some(kit)
    }

    /// First ten bits of the SHA-256.
    fn check(&self) -> u128 {
        let hash = Sha256::digest(self.0.as_slice());
        u128::from(u16::from_be_bytes([hash[0], hash[1]]) >> 6)
    }

    /// Id of the code that may be printed and stored beside it: it tells one kit from another and opens nothing.
    pub fn mark(&self) -> String {
        hex::encode(&expand(self.0.as_slice(), "portico kit mark 1")[..4])
    }
}
