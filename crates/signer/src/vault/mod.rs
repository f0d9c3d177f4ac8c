//! The wallet as the server stores it, in the forms of `portico_api::wallet`: sealed entropy, wrapped vault keys, sealed shares.

pub mod hpke;
mod kek;
mod seal;

pub use kek::{Kek, Kit};
pub use seal::{Nonce, VaultKey};

use crate::bytes;
use crate::entropy::Entropy;
use portico_api::wallet::{Slot, SlotKind};
use portico_json::to_text;

/// Text that a release is sealed for (`info` of HPKE).
pub const RELEASE_INFO: &str = "portico release 1";

/// Associated data of a release.
pub fn release_data(user: &str, thumbprint: &str) -> String {
    [user, " ", thumbprint].concat()
}

/// User and wallet that a blob and its slots belong to, by their ids as the wire has them.
#[derive(Clone, Copy)]
pub struct Owner<'a> {
    /// Id of the user.
    pub user: &'a str,
    /// Id of the wallet.
    pub wallet: &'a str,
}

impl Owner<'_> {
    /// Seals entropy under the vault key.
    pub fn seal_blob(self, key: &VaultKey, entropy: &Entropy, nonce: Nonce) -> String {
        bytes::encode(&seal::seal(key.as_bytes(), entropy.as_bytes(), &self.blob_data(), nonce))
    }

    /// Opens a sealed entropy.
    pub fn open_blob(self, key: &VaultKey, blob: &str) -> Option<Entropy> {
        seal::open(key.as_bytes(), &bytes::decode(blob)?, &self.blob_data()).map(Entropy::new)
    }

    /// Wraps the vault key for a slot whose other fields are set.
    pub fn wrap(self, slot: &mut Slot, kek: &Kek, key: &VaultKey, nonce: Nonce) {
        slot.wrapped = bytes::encode(&seal::seal(kek.as_bytes(), key.as_bytes(), &self.slot_data(slot), nonce));
    }

    /// Unwraps the vault key of a slot.
    pub fn unwrap(self, slot: &Slot, kek: &Kek) -> Option<VaultKey> {
        seal::open(kek.as_bytes(), &bytes::decode(&slot.wrapped)?, &self.slot_data(slot)).map(VaultKey::new)
    }

    fn blob_data(self) -> String {
        ["portico wallet 1 ", self.user, " ", self.wallet].concat()
    }

    fn slot_data(self, slot: &Slot) -> String {
        ["portico slot 1 ", self.user, " ", self.wallet, " ", &slot.id, " ", &kind_word(slot.kind)].concat()
    }
}

/// Word of a kind as the wire has it: "device".
fn kind_word(kind: SlotKind) -> String {
    to_text(&kind).trim_matches('"').into()
}

#[cfg(test)]
mod tests;
