//! "Bitcoin Signed Message" (BIP-137): a signature from which the key is recovered.

use super::vector;
use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use k256::elliptic_curve::scalar::IsHigh;
use portico_calldata::bitcoin::{Kind, hash256};
use std::ops::RangeInclusive;

/// Headers: 27 and four kinds of recovery, for each of four kinds of address.
pub(super) const HEADERS: RangeInclusive<u8> = 27..=42;

/// First header of keys in the short form.
const SHORT: u8 = 31;

/// Whether the key that is recovered has this address.
///
/// Wallets do not agree on the kind of address in the header: many write that of P2PKH for every address. So it tells the form of the key alone.
pub(super) fn is_of(bytes: &[u8; 65], kind: &Kind, text: &str) -> bool {
    let [header, numbers @ ..] = bytes;
    let Ok(signature) = Signature::from_slice(numbers) else { return false };
    // Both forms of a signature recover to the same key; only the lower one is standard (BIP-62).
    let recovery = header.checked_sub(27).and_then(|kind| RecoveryId::from_byte(kind & 3));
    let Some(recovery) = recovery.filter(|_| !bool::from(signature.s().is_high())) else { return false };
    let key = VerifyingKey::recover_from_prehash(&hash_of(text), &signature, recovery);
    key.is_ok_and(|key| kind.is_of(key.to_sec1_point(*header >= SHORT).as_bytes()))
}

fn hash_of(text: &str) -> [u8; 32] {
    hash256(&[&b"\x18Bitcoin Signed Message:\n"[..], &vector(text.as_bytes())].concat())
}
