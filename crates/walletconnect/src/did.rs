//! did:key of Ed25519 keys (W3C `did:key` method): the id by which a relay knows a client.

use crate::encoding::base58;

/// The multicodec of an Ed25519 public key, as a varint.
const ED25519: [u8; 2] = [0xed, 0x01];

/// `did:key:z…` of a public key.
pub fn encode(public: &[u8; 32]) -> String {
    let mut bytes = ED25519.to_vec();
    bytes.extend_from_slice(public);
    ["did:key:z", &base58::encode(&bytes)].concat()
}

/// The public key of a `did:key:z…`; `None` for other methods and other kinds of key.
pub fn decode(did: &str) -> Option<[u8; 32]> {
    let bytes = base58::decode(did.strip_prefix("did:key:z")?)?;
    bytes.strip_prefix(&ED25519)?.try_into().ok()
}
