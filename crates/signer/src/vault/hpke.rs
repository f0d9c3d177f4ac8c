//! HPKE (RFC 9180) in base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20Poly1305, one message a context.

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{ChaCha20Poly1305, Nonce};
use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

/// Suite of the key encapsulation.
const KEM: &[u8] = b"KEM\x00\x20";
/// Suite of the whole: encapsulation, key derivation, encryption.
const SUITE: &[u8] = b"HPKE\x00\x20\x00\x01\x00\x03";
/// Base mode: neither side proves a key.
const BASE: u8 = 0;

/// Key pair of a receiver, wiped when dropped.
pub struct KeyPair {
    secret: Zeroizing<[u8; 32]>,
    public: [u8; 32],
}

impl KeyPair {
    /// Derives the pair of 32 random bytes (RFC 9180, 7.1.3).
    pub fn derive(random: &[u8; 32]) -> KeyPair {
        let root = labeled_extract(KEM, &[], b"dkp_prk", random);
        KeyPair::of(labeled_expand(KEM, &root, b"sk", &[]))
    }

    fn of(secret: Zeroizing<[u8; 32]>) -> KeyPair {
        let public = x25519_dalek::x25519(*secret, x25519_dalek::X25519_BASEPOINT_BYTES);
        KeyPair { secret, public }
    }

    /// Public key, to which others seal.
    pub fn public(&self) -> &[u8; 32] {
        &self.public
    }

    /// Diffie-Hellman with another key. `None` for a key of low order, whose result would be known to everyone.
    fn agree(&self, other: &[u8; 32]) -> Option<Zeroizing<[u8; 32]>> {
        let shared = Zeroizing::new(x25519_dalek::x25519(*self.secret, *other));
        // Zero or not is all that the time of this comparison depends on.
        (shared.iter().fold(0, |sum, byte| sum | byte) != 0).then_some(shared)
    }
}

/// Seals a text to a public key. The random bytes must never be used twice. Returns the encapsulated key and the sealed text; `None` for a
/// public key of low order.
pub fn seal(to: &[u8; 32], info: &[u8], data: &[u8], plain: &[u8], random: &[u8; 32]) -> Option<([u8; 32], Vec<u8>)> {
    let own = KeyPair::derive(random);
    let (key, nonce) = context(&*own.agree(to)?, &own.public, to, info);
    let mut text = plain.to_vec();
    cipher(&key).encrypt_in_place(&nonce, data, &mut text).ok()?;
    Some((own.public, text))
}

/// Opens a text that was sealed to a key pair. `None` if anything differs from the sealing.
pub fn open(pair: &KeyPair, enc: &[u8; 32], info: &[u8], data: &[u8], sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (key, nonce) = context(&*pair.agree(enc)?, enc, &pair.public, info);
    let mut text = Zeroizing::new(sealed.to_vec());
    cipher(&key).decrypt_in_place(&nonce, data, &mut *text).ok()?;
    Some(text)
}

fn cipher(key: &[u8; 32]) -> ChaCha20Poly1305 {
    ChaCha20Poly1305::new(key.into())
}

/// Key and nonce of the first message (RFC 9180, 4.1 and 5.1).
fn context(shared: &[u8; 32], enc: &[u8; 32], to: &[u8; 32], info: &[u8]) -> (Zeroizing<[u8; 32]>, Nonce) {
    let root = labeled_extract(KEM, &[], b"eae_prk", shared);
    let secret: Zeroizing<[u8; 32]> = labeled_expand(KEM, &root, b"shared_secret", &[&enc[..], to].concat());
    let (psk, info) =
        (labeled_extract(SUITE, &[], b"psk_id_hash", &[]), labeled_extract(SUITE, &[], b"info_hash", info));
    let schedule = [&[BASE], psk.as_slice(), info.as_slice()].concat();
    let root = labeled_extract(SUITE, secret.as_slice(), b"secret", &[]);
    let nonce: Zeroizing<[u8; 12]> = labeled_expand(SUITE, &root, b"base_nonce", &schedule);
    (labeled_expand(SUITE, &root, b"key", &schedule), Nonce::from(*nonce))
}

fn labeled_extract(suite: &[u8], salt: &[u8], label: &[u8], ikm: &[u8]) -> Zeroizing<[u8; 32]> {
    let text = Zeroizing::new([b"HPKE-v1", suite, label, ikm].concat());
    Zeroizing::new(Hkdf::<Sha256>::extract(Some(salt), &text).0.into())
}

fn labeled_expand<const N: usize>(suite: &[u8], root: &[u8; 32], label: &[u8], info: &[u8]) -> Zeroizing<[u8; N]> {
    let length = (N as u16).to_be_bytes();
    let mut out = Zeroizing::new([0; N]);
    // A root of 32 bytes and outputs below 8 KiB are always taken.
    let hkdf = Hkdf::<Sha256>::from_prk(root).unwrap_or_else(|_| unreachable!());
    hkdf.expand_multi_info(&[&length, b"HPKE-v1", suite, label, info], out.as_mut_slice())
        .unwrap_or_else(|_| unreachable!());
    out
}

/// First 32 bytes of HKDF-SHA256 without salt (RFC 5869).
pub(crate) fn expand(secret: &[u8], info: &str) -> Zeroizing<[u8; 32]> {
    let mut out = Zeroizing::new([0; 32]);
    // Outputs below 8 KiB are always taken.
    Hkdf::<Sha256>::new(None, secret).expand(info.as_bytes(), out.as_mut_slice()).unwrap_or_else(|_| unreachable!());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_encoding::hex;

    fn key(text: &str) -> [u8; 32] {
        hex::decode32(text).unwrap()
    }

    /// RFC 9180, A.2.1.
    #[test]
    fn the_vector_of_rfc_9180_holds_in_both_directions() {
        let pair = KeyPair::derive(&key("1ac01f181fdf9f352797655161c58b75c656a6cc2716dcb66372da835542e1df"));
        assert_eq!(*pair.secret, key("8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb"));
        assert_eq!(pair.public, key("4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a"));
        let (info, plain) = (b"Ode on a Grecian Urn", b"Beauty is truth, truth beauty");
        let random = key("909a9b35d3dc4713a5e72a4da274b55d3d3821a37e5d099e74a647db583a904b");
        let (enc, sealed) = seal(&pair.public, info, b"Count-0", plain, &random).unwrap();
        assert_eq!(enc, key("1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"));
        assert_eq!(
            hex::encode(&sealed),
            "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"
        );
        assert_eq!(open(&pair, &enc, info, b"Count-0", &sealed).unwrap().as_slice(), plain);
    }

    #[test]
    fn a_text_opens_only_as_it_was_sealed() {
        let (pair, other) = (KeyPair::derive(&[1; 32]), KeyPair::derive(&[2; 32]));
        let (enc, sealed) = seal(pair.public(), b"info", b"data", b"plain", &[3; 32]).unwrap();
        assert!(open(&pair, &enc, b"info", b"data", &sealed).is_some());
        assert!(open(&other, &enc, b"info", b"data", &sealed).is_none());
        assert!(open(&pair, other.public(), b"info", b"data", &sealed).is_none());
        assert!(open(&pair, &enc, b"Info", b"data", &sealed).is_none());
        assert!(open(&pair, &enc, b"info", b"Data", &sealed).is_none());
        for length in 0..sealed.len() {
            assert!(open(&pair, &enc, b"info", b"data", &sealed[..length]).is_none());
        }
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(open(&pair, &enc, b"info", b"data", &changed).is_none());
        }
    }

    #[test]
    fn a_key_of_low_order_is_refused() {
        let one = std::array::from_fn(|index| u8::from(index == 0));
        for low in [[0; 32], one] {
            assert!(seal(&low, b"", b"", b"plain", &[3; 32]).is_none());
            assert!(open(&KeyPair::derive(&[1; 32]), &low, b"", b"", &[0; 16]).is_none());
        }
    }
}
