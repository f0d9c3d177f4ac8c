use crate::encoding::hex;
use sha2::{Digest, Sha256};

/// An X25519 public key.
pub type PublicKey = [u8; 32];

/// SHA-256.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The topic of a key: the hex of its SHA-256. For a symmetric key the topic it speaks on; for a proposer's public key the topic on
/// which an authentication is answered.
pub fn topic_of(key: &[u8; 32]) -> String {
    hex::encode(&sha256(key))
}

/// The id by which a relay and its clients know a message: the hex of the SHA-256 of its text.
pub fn message_id(message: &str) -> String {
    hex::encode(&sha256(message.as_bytes()))
}

/// The symmetric key of a pairing or a session. Has no `Debug`: keys never reach a log.
#[derive(Clone, Eq, PartialEq)]
pub struct SymKey([u8; 32]);

impl SymKey {
    /// A key of 32 bytes.
    pub fn new(bytes: [u8; 32]) -> SymKey {
        SymKey(bytes)
    }

    /// A key in 64 hex digits.
    pub fn from_hex(text: &str) -> Option<SymKey> {
        hex::decode32(text).map(SymKey)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// In hex, for a pairing's URI and for storage.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }

    /// The topic this key speaks on.
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
    /// The pair of a secret.
    pub fn from_secret(secret: [u8; 32]) -> KeyPair {
        let public = x25519_dalek::x25519(secret, x25519_dalek::X25519_BASEPOINT_BYTES);
        KeyPair { secret, public }
    }

    /// The public key.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The secret, for storage.
    pub fn secret(&self) -> &[u8; 32] {
        &self.secret
    }

    /// The key that both pairs derive: HKDF-SHA256 of the shared secret, without salt or info. `None` for a public key of low order,
    /// whose secret would be all zeros and known to everyone.
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
