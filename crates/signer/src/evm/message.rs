use super::Signature;
use k256::ecdsa::SigningKey;
use portico_encoding::hex;
use portico_terms::address::keccak256;

/// Bytes of a message of `personal_sign`: those of its hex digits after `0x`, otherwise those of the text itself. What shows the message
/// to the visitor must read it in the same way.
pub fn message_bytes(message: &str) -> Vec<u8> {
    message.strip_prefix("0x").and_then(hex::decode).unwrap_or_else(|| message.as_bytes().to_vec())
}

/// Digest of a message (EIP-191, version 0x45).
pub fn message_digest(message: &[u8]) -> [u8; 32] {
    let length = message.len().to_string();
    keccak256(&[b"\x19Ethereum Signed Message:\n", length.as_bytes(), message].concat())
}

/// Signs a message.
pub fn sign_message(key: &SigningKey, message: &[u8]) -> Signature {
    Signature::of(key, &message_digest(message))
}
