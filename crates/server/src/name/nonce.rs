//! Nonces of signed messages, each accepted once.
//!
//! Nonces are not stored when they are made: each contains its time and a code that only this installation can compute, so requesting
//! one costs no row. A used nonce is stored until it would have expired.
//!
//! Format: a word, so that it is no nonce of another server, and 16 bytes in hex: 5 bytes time in seconds, 5 random bytes, 6 bytes code.

use super::table;
use super::time;
use crate::AppState;
use alloy_primitives::{hex, keccak256};
use portico_terms::sign_in::name::NONCE;
use sqlx::Error;

/// Lifetime in seconds; longer than that of a message, since a visitor first has to find the wallet.
const LIFE: i64 = 600;

/// Validity of a nonce.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Nonce {
    /// Made here and not expired.
    Good,
    /// Not made here.
    Foreign,
    /// Expired.
    Old,
}

/// New nonce.
pub(super) async fn make(state: &AppState) -> Result<String, Error> {
    let secret = secret(state).await?;
    Ok(write(&secret, time::now() / 1000, random()))
}

/// Checks that a nonce was made here and has not expired. Does not check whether it was used.
pub(super) async fn check(state: &AppState, nonce: &str) -> Result<Nonce, Error> {
    Ok(read(&secret(state).await?, nonce, time::now() / 1000))
}

/// Marks a nonce as used; false if it was used before, on any node and also before a restart.
pub(super) async fn spend(state: &AppState, nonce: &str) -> Result<bool, Error> {
    let now = time::now();
    table::use_nonce(state.database(), nonce, now, now - 2 * LIFE * 1000).await
}

async fn secret(state: &AppState) -> Result<String, Error> {
    table::secret(state.database(), &hex::encode(random::<32>())).await
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without random bytes nonces could be guessed.
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

fn write(secret: &str, seconds: i64, chance: [u8; 5]) -> String {
    let mut bytes = [0; 16];
    bytes[..5].copy_from_slice(&seconds.to_be_bytes()[3..]);
    bytes[5..10].copy_from_slice(&chance);
    let code = code(secret, &bytes[..10]);
    bytes[10..].copy_from_slice(&code);
    [NONCE, &hex::encode(bytes)].concat()
}

fn read(secret: &str, nonce: &str, now: i64) -> Nonce {
    let Some(digits) = nonce.strip_prefix(NONCE) else { return Nonce::Foreign };
    let lower = digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let Some(bytes) = lower.then(|| hex::decode_to_array::<_, 16>(digits).ok()).flatten() else {
        return Nonce::Foreign;
    };
    if bytes[10..] != code(secret, &bytes[..10]) {
        return Nonce::Foreign;
    }
    let made = bytes[..5].iter().fold(0, |sum, byte| sum << 8 | i64::from(*byte));
    // Tolerates clock differences between nodes.
    if (made - 60..=made + LIFE).contains(&now) { Nonce::Good } else { Nonce::Old }
}

/// Authentication code. Keccak is a sponge, so a hash with the secret in front is safe against length extension.
fn code(secret: &str, told: &[u8]) -> [u8; 6] {
    let hash = keccak256([secret.as_bytes(), told].concat());
    [hash[0], hash[1], hash[2], hash[3], hash[4], hash[5]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000;

    #[test]
    fn a_nonce_counts_where_it_was_made_and_for_ten_minutes() {
        let nonce = write("secret", NOW, [1, 2, 3, 4, 5]);
        let read = |secret, now| read(secret, &nonce, now);
        assert!(nonce.starts_with(NONCE) && nonce.len() == NONCE.len() + 32);
        assert_eq!(read("secret", NOW), Nonce::Good);
        assert_eq!(read("secret", NOW + LIFE), Nonce::Good);
        assert_eq!(read("secret", NOW + LIFE + 1), Nonce::Old);
        assert_eq!(read("secret", NOW - 61), Nonce::Old);
        assert_eq!(read("another", NOW), Nonce::Foreign);
    }

    #[test]
    fn a_nonce_has_one_form_only() {
        let nonce = write("secret", NOW, [171; 5]);
        let changed = format!("{}{}", &nonce[..nonce.len() - 1], if nonce.ends_with('0') { '1' } else { '0' });
        for text in
            ["", "0", &nonce.to_ascii_uppercase(), &format!("0x{}", &nonce[2..]), &format!("{nonce} "), &changed]
        {
            assert_eq!(read("secret", text, NOW), Nonce::Foreign, "{text}");
        }
        assert_eq!(read("secret", &"é".repeat(16), NOW), Nonce::Foreign);
        assert_eq!(read("secret", nonce.strip_prefix(NONCE).unwrap(), NOW), Nonce::Foreign);
    }
}
