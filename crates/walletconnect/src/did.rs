//! did:key of Ed25519 keys (W3C `did:key` method): the id of a client at a relay.

use crate::encoding::base58;

/// Multicodec prefix of an Ed25519 public key, as a varint.
const ED25519: [u8; 2] = [0xed, 0x01];

/// Encodes a public key as `did:key:z…`.
pub fn encode(public: &[u8; 32]) -> String {
    let mut bytes = ED25519.to_vec();
    bytes.extend_from_slice(public);
    ["did:key:z", &base58::encode(&bytes)].concat()
}

/// Decodes the public key of a `did:key:z…`; `None` for other methods and other kinds of key.
pub fn decode(did: &str) -> Option<[u8; 32]> {
    let bytes = base58::decode(did.strip_prefix("did:key:z")?)?;
    bytes.strip_prefix(&ED25519)?.try_into().ok()
}
