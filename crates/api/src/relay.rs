//! Relay of WalletConnect: key of its attestations.

use portico_json::Json;

/// Response of `GET /relay/attestation-key`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct AttestationKey {
    /// Ed25519 key as did:key, such as "did:key:z6Mk…".
    pub key: String,
}
