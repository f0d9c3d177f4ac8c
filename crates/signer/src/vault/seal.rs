use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

/// Random bytes of one sealing, never used twice.
pub type Nonce = [u8; 24];

const NONCE: usize = 24;
const TAG: usize = 16;

/// Key that seals the entropy: 32 random bytes, wiped when dropped.
#[derive(Clone)]
pub struct VaultKey(Zeroizing<[u8; 32]>);

impl VaultKey {
    /// Vault key of 32 random bytes.
    pub fn new(bytes: Zeroizing<[u8; 32]>) -> VaultKey {
        VaultKey(bytes)
    }

    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Nonce and XChaCha20-Poly1305 of 32 bytes.
pub(super) fn seal(key: &[u8; 32], plain: &[u8; 32], data: &str, nonce: Nonce) -> Vec<u8> {
    let mut text = Zeroizing::new(*plain);
    // Fails only beyond 256 GiB.
    let tag = XChaCha20Poly1305::new(key.into())
        .encrypt_inout_detached(&XNonce::from(nonce), data.as_bytes(), text.as_mut_slice().into())
        .unwrap_or_else(|_| unreachable!());
    [&nonce[..], text.as_slice(), &tag].concat()
}

/// Opens what [`seal`] made. `None` for another key, other associated data, a changed byte or another length.
pub(super) fn open(key: &[u8; 32], sealed: &[u8], data: &str) -> Option<Zeroizing<[u8; 32]>> {
    let (nonce, rest) = sealed.split_first_chunk::<NONCE>()?;
    let (text, tag) = rest.split_first_chunk::<32>()?;
    let tag = <[u8; TAG]>::try_from(tag).ok()?;
    let mut plain = Zeroizing::new(*text);
    XChaCha20Poly1305::new(key.into())
        .decrypt_inout_detached(&XNonce::from(*nonce), data.as_bytes(), plain.as_mut_slice().into(), &tag.into())
        .ok()?;
    Some(plain)
}
