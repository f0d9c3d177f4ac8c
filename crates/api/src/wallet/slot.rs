//! Slots: the ways to open a wallet.

use super::password::NewPassword;
use super::settings::PasskeyKey;
use portico_json::Json;

/// Kind of a slot: who can open it.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum SlotKind {
    /// One browser, together with the server's share.
    #[default]
    Device,
    /// The server after a login: the custodial slot.
    Recovery,
    /// A passkey (WebAuthn PRF); the key is HKDF-SHA256 over the first output of its PRF, 32 bytes, without salt, info "portico passkey 1". The
    /// hint is a [`super::PasskeyHint`].
    Passkey,
    /// A password; the key is HKDF-SHA256 over the export key of OPAQUE, 64 bytes, without salt, info "portico password 1". A wallet has one at most.
    Password,
    /// A printed code of 128 bits; the key is HKDF-SHA256 over its 16 bytes, without salt, info "portico kit 1". The hint is `{"mark"}`: four
    /// bytes as hex of HKDF with the info "portico kit mark 1", which tell one code from another.
    Kit,
}

/// Vault key wrapped for one way to open it.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Slot {
    /// Id of the slot: 16 bytes.
    pub id: String,
    /// Who can open it.
    pub kind: SlotKind,
    /// Wrapped vault key: nonce of 24 bytes and the text of XChaCha20-Poly1305. The associated data is `portico slot 1`, the user's id, the
    /// wallet's id, the slot's id and its kind, joined by spaces.
    pub wrapped: String,
    /// Thumbprint of the device's key (RFC 7638), of device slots.
    pub device: Option<String>,
    /// Public values that opening needs, such as the id of a credential; JSON.
    pub hint: Option<String>,
    /// Time of creation; the server sets it.
    pub created: i64,
}

/// Body of `/wallet/v1/slot`: adds a slot, or replaces this device's own or the password's. All but that of this device need a confirmation ([`super::Deed::Change`]).
/// Response: [`super::WalletRecord`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct NewSlot {
    /// The slot.
    pub slot: Slot,
    /// Public key of the passkey, of a passkey's slot.
    pub passkey: Option<PasskeyKey>,
    /// The password, of a password's slot.
    pub password: Option<NewPassword>,
}

/// Body of `/wallet/v1/slot/remove`, which needs a confirmation ([`super::Deed::Change`]). The recovery slot is removed only where a passkey, password
/// or kit can open the wallet. Response: [`super::WalletRecord`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SlotRemoval {
    /// Id of the slot.
    pub id: String,
}
