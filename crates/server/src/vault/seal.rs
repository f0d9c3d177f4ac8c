//! Seals shares to the frame's worker by HPKE: the web tier, logs and proxies see a sealed text only.

use super::broken;
use super::encoding::{decode, encode};
use crate::Failure;
use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::{Deserializable, Kem, OpModeS, Serializable, single_shot_seal};
use portico_api::wallet::{Release, Sealed};
use portico_json::to_text;
use zeroize::{Zeroize, Zeroizing};

type PublicKey = <X25519HkdfSha256 as Kem>::PublicKey;

const INFO: &[u8] = b"portico release 1";

/// Key of the worker that asks.
pub(super) struct WorkerKey(PublicKey);

impl WorkerKey {
    pub(super) fn parse(text: &str) -> Result<WorkerKey, Failure> {
        let key = decode::<32>(text).and_then(|bytes| PublicKey::from_bytes(&bytes).ok());
        key.map(WorkerKey).ok_or_else(|| Failure::parameter("key", "Use an X25519 public key of 32 bytes"))
    }
}

/// Seals a release to a worker's key, for this user and device alone.
pub(super) fn seal(mut release: Release, to: &WorkerKey, user: &str, device: &str) -> Result<Sealed, Failure> {
    let text = Zeroizing::new(to_text(&release));
    release.recovery.zeroize();
    release.device.zeroize();
    let aad = format!("{user} {device}");
    let sealed = single_shot_seal::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
        &OpModeS::Base,
        &to.0,
        INFO,
        text.as_bytes(),
        aad.as_bytes(),
    );
    // A key of low order is refused when the shared secret is made.
    let (enc, ciphertext) = sealed.map_err(|error| match error {
        hpke::HpkeError::EncapError => Failure::parameter("key", "Use an X25519 public key"),
        other => broken(&other),
    })?;
    Ok(Sealed { enc: encode(enc.to_bytes()), ciphertext: encode(ciphertext) })
}
