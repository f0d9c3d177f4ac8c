use crate::encoding::hex;
use sha2::{Digest, Sha256};

/// An X25519 public key.
pub type PublicKey = [u8; 32];

/// SHA-256 of bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Topic of a key: the hex of its SHA-256. For a symmetric key, the topic of its messages; for a proposer's public key, the topic of the
/// response to an authentication.
pub fn topic_of(key: &[u8; 32]) -> String {
    hex::encode(&sha256(key))
}

/// Id of a message on a relay and in its clients: the hex of the SHA-256 of its text.
pub fn message_id(message: &str) -> String {
    hex::encode(&sha256(message.as_bytes()))
}

/// Symmetric key of a pairing or a session. Has no `Debug`: keys never reach a log.
#[derive(Clone, Eq, PartialEq)]
pub struct SymKey([u8; 32]);

impl SymKey {
    /// Creates a key from 32 bytes.
    pub fn new(bytes: [u8; 32]) -> SymKey {
        SymKey(bytes)
    }

    /// Reads a key from 64 hex digits.
    pub fn from_hex(text: &str) -> Option<SymKey> {
        hex::decode32(text).map(SymKey)
    }

    /// Bytes of the key.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Hex of the key, for a pairing's URI and for storage.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }

    /// Topic of the messages encrypted with this key.
    pub fn topic(&self) -> String {
        topic_of(&self.0)
    }
}

/// An X25519 key pair. Has no `Debug`: keys never reach a log.
#[derive(Clone, Eq, PartialEq)]
pub struct KeyPair {
    secret: [u8; 32],
    public: PublicKey,
}

impl KeyPair {
    /// Derives the pair of a secret.
    pub fn from_secret(secret: [u8; 32]) -> KeyPair {
        let public = x25519_dalek::x25519(secret, x25519_dalek::X25519_BASEPOINT_BYTES);
        KeyPair { secret, public }
    }

    /// Public key of the pair.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Secret key of the pair, for storage.
    pub fn secret(&self) -> &[u8; 32] {
        &self.secret
    }

    /// Symmetric key that both sides derive: HKDF-SHA256 of the shared secret, without salt or info. `None` for a public key of low order,
    /// whose shared secret would be all zeros and known to everyone.
    pub fn agree(&self, peer: &PublicKey) -> Option<SymKey> {
        let shared = x25519_dalek::x25519(self.secret, *peer);
        if shared == [0; 32] {
            return None;
        }
        Some(SymKey(hkdf(&shared)))
    }
}

/// The first 32 bytes of HKDF-SHA256 without salt or info (RFC 5869).
fn hkdf(secret: &[u8; 32]) -> [u8; 32] {
    hmac(&hmac(&[0; 32], secret), &[1])
}

/// HMAC-SHA256 for keys of 32 bytes (RFC 2104).
fn hmac(key: &[u8; 32], text: &[u8]) -> [u8; 32] {
    let padded = |with: u8, text: &[u8]| {
        let mut bytes = vec![with; 64];
        bytes.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        bytes.extend_from_slice(text);
        sha256(&bytes)
    };
    padded(0x5c, &padded(0x36, text))
}
