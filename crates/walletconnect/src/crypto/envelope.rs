use super::{KeyPair, PublicKey, SymKey};
use crate::encoding::base64::{self, Spelling};
use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{ChaCha20Poly1305, Nonce};

/// Largest message that is parsed, in bytes. The reference relay accepts less, so a longer one does not belong to the protocol.
pub const MAX_MESSAGE: usize = 1024 * 1024;

const IV: usize = 12;
const TAG: usize = 16;

/// Parsed message between clients (`crypto-envelopes.md`).
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Envelope {
    /// Type 0: both sides know the key.
    Sealed {
        /// Nonce of 12 bytes, used once.
        iv: [u8; 12],
        /// Ciphertext of ChaCha20-Poly1305, with the tag at the end.
        sealed: Vec<u8>,
    },
    /// Type 1: the receiver derives the key from its own pair and the sender's public key.
    Addressed {
        /// Public key of the sender.
        sender: PublicKey,
        /// Nonce of 12 bytes, used once.
        iv: [u8; 12],
        /// Ciphertext of ChaCha20-Poly1305, with the tag at the end.
        sealed: Vec<u8>,
    },
    /// Type 2: plain text, the first message in link mode. Never accepted from a relay.
    Plain(String),
}

/// Reason why a message is not an envelope, or cannot be decrypted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EnvelopeFault {
    /// Longer than [`MAX_MESSAGE`].
    Size,
    /// Not base64, or too short for its type.
    Form,
    /// A type other than 0, 1 and 2.
    Kind,
    /// Encrypted with another key, or changed in transit.
    Key,
    /// The content is not UTF-8.
    Text,
    /// Not decryptable by this function: plain text, or not of the required type.
    Open,
}

impl Envelope {
    /// Parses a message from a relay: base64 with padding.
    pub fn parse(message: &str) -> Result<Envelope, EnvelopeFault> {
        Envelope::from_text(message, Spelling::Standard)
    }

    /// Parses a message of link mode: base64url without padding.
    pub fn parse_link(message: &str) -> Result<Envelope, EnvelopeFault> {
        Envelope::from_text(message, Spelling::Url)
    }

    fn from_text(message: &str, spelling: Spelling) -> Result<Envelope, EnvelopeFault> {
        if message.len() > MAX_MESSAGE {
            return Err(EnvelopeFault::Size);
        }
        let bytes = base64::decode(message, spelling).ok_or(EnvelopeFault::Form)?;
        let (kind, rest) = bytes.split_first().ok_or(EnvelopeFault::Form)?;
        match kind {
            0 => {
                let (iv, sealed) = parts(rest)?;
                Ok(Envelope::Sealed { iv, sealed })
            }
            1 => {
                let (sender, rest) = rest.split_first_chunk().ok_or(EnvelopeFault::Form)?;
                let (iv, sealed) = parts(rest)?;
                Ok(Envelope::Addressed { sender: *sender, iv, sealed })
            }
            2 => String::from_utf8(rest.to_vec()).map(Envelope::Plain).map_err(|_| EnvelopeFault::Text),
            _ => Err(EnvelopeFault::Kind),
        }
    }

    /// Decrypts an envelope of type 0 or 1 with a key.
    pub fn open(self, key: &SymKey) -> Result<String, EnvelopeFault> {
        let (Envelope::Sealed { iv, mut sealed } | Envelope::Addressed { iv, mut sealed, .. }) = self else {
            return Err(EnvelopeFault::Open);
        };
        cipher(key).decrypt_in_place(&Nonce::from(iv), &[], &mut sealed).map_err(|_| EnvelopeFault::Key)?;
        String::from_utf8(sealed).map_err(|_| EnvelopeFault::Text)
    }

    /// Decrypts an envelope of type 1. Also returns the key agreed with its sender.
    pub fn open_addressed(self, own: &KeyPair) -> Result<(SymKey, String), EnvelopeFault> {
        let Envelope::Addressed { sender, .. } = &self else { return Err(EnvelopeFault::Open) };
        let key = own.agree(sender).ok_or(EnvelopeFault::Key)?;
        let text = self.open(&key)?;
        Ok((key, text))
    }
}

fn parts(bytes: &[u8]) -> Result<([u8; IV], Vec<u8>), EnvelopeFault> {
    match bytes.split_first_chunk() {
        Some((iv, sealed)) if sealed.len() >= TAG => Ok((*iv, sealed.to_vec())),
        _ => Err(EnvelopeFault::Form),
    }
}

/// Encrypts a type 0 message. The iv must never be used twice with one key.
pub fn seal(text: &str, key: &SymKey, iv: [u8; 12]) -> String {
    sealed(vec![0], text, key, iv)
}

/// Encrypts a type 1 message, for a receiver that derives the key from the sender's public key.
pub fn seal_from(sender: &PublicKey, text: &str, key: &SymKey, iv: [u8; 12]) -> String {
    let mut head = vec![1];
    head.extend_from_slice(sender);
    sealed(head, text, key, iv)
}

fn sealed(mut bytes: Vec<u8>, text: &str, key: &SymKey, iv: [u8; 12]) -> String {
    bytes.extend_from_slice(&iv);
    let mut body = text.as_bytes().to_vec();
    // Fails only beyond 256 GiB.
    let _ = cipher(key).encrypt_in_place(&Nonce::from(iv), &[], &mut body);
    bytes.append(&mut body);
    base64::encode(&bytes, Spelling::Standard)
}

fn cipher(key: &SymKey) -> ChaCha20Poly1305 {
    ChaCha20Poly1305::new(key.as_bytes().into())
}
