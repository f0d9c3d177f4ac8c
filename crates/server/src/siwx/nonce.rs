//! Nonces of sign-in messages, each accepted once, on the page and for the project that it was made for.
//!
//! Nonces are not stored when they are made: each contains its time and a code that only this installation can compute, so asking for
//! one costs no row, and nobody can fill a table with them. A used nonce is stored until it would have expired.
//!
//! Format: hex of 5 bytes time in seconds, 8 random bytes and 16 bytes code.

use super::table;
use crate::AppState;
use alloy_primitives::hex;
use ring::hmac;
use sqlx::Error;

/// Lifetime in seconds: the visitor first has to find the wallet.
pub(super) const LIFE: i64 = 600;

/// Tolerated difference, in seconds, between the clocks of the nodes of this server, and of a visitor's machine.
pub(super) const TOLERANCE: i64 = 60;

/// Validity of a nonce.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Nonce {
    /// Made here for this project and page, and not expired.
    Good,
    /// Not made here, or for another project or page.
    Foreign,
    /// Expired.
    Old,
}

/// New nonce for a page of a project; `origin` is empty if the browser didn't tell the page.
pub(super) async fn make(state: &AppState, project: &str, origin: &str, now: i64) -> Result<String, Error> {
    Ok(write(&secret(state).await?, project, origin, now / 1000, random()))
}

/// Checks a nonce, but not whether it was used.
pub(super) async fn check(
    state: &AppState,
    nonce: &str,
    project: &str,
    origin: &str,
    now: i64,
) -> Result<Nonce, Error> {
    let secret = secret(state).await?;
    // Browsers leave out the origin of a GET to the page's own server only.
    let own = read(&secret, nonce, project, origin, now / 1000);
    Ok(if own == Nonce::Foreign { read(&secret, nonce, project, "", now / 1000) } else { own })
}

/// Time in epoch milliseconds until which a nonce that is used now is remembered: on no node it is good any more then.
pub(super) fn used_until(now: i64) -> i64 {
    now + 2 * (LIFE + TOLERANCE) * 1000
}

/// Keyed hash of a text, in hex: tells two visitors apart without storing their addresses.
pub(super) async fn keyed(state: &AppState, text: &str) -> Result<String, Error> {
    let tag = hmac::sign(&key(&secret(state).await?), &[b"visitor\n", text.as_bytes()].concat());
    Ok(hex::encode(&tag.as_ref()[..16]))
}

pub(super) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without random bytes nonces could be guessed.
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

async fn secret(state: &AppState) -> Result<String, Error> {
    table::secret(state.database(), &hex::encode(random::<32>())).await
}

fn key(secret: &str) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes())
}

/// Text that the code is computed of. Project ids and origins have no line breaks.
fn told(head: &[u8], project: &str, origin: &str) -> Vec<u8> {
    [b"nonce\n", head, b"\n", project.as_bytes(), b"\n", origin.as_bytes()].concat()
}

fn write(secret: &str, project: &str, origin: &str, seconds: i64, chance: [u8; 8]) -> String {
    let mut bytes = seconds.to_be_bytes()[3..].to_vec();
    bytes.extend(chance);
    let tag = hmac::sign(&key(secret), &told(&bytes, project, origin));
    bytes.extend(&tag.as_ref()[..16]);
    hex::encode(bytes)
}

fn read(secret: &str, nonce: &str, project: &str, origin: &str, now: i64) -> Nonce {
    let lower = nonce.len() == 58 && nonce.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let Some(bytes) = lower.then(|| hex::decode_to_array::<_, 29>(nonce).ok()).flatten() else {
        return Nonce::Foreign;
    };
    let (head, code) = bytes.split_at(13);
    let tag = hmac::sign(&key(secret), &told(head, project, origin));
    // Compared without leaking where they differ: both are hashed by the same key again.
    let same = |one: &[u8]| hmac::sign(&key(secret), one).as_ref().to_vec();
    if same(code) != same(&tag.as_ref()[..16]) {
        return Nonce::Foreign;
    }
    let made = head[..5].iter().fold(0, |sum, byte| sum << 8 | i64::from(*byte));
    if (made - TOLERANCE..=made + LIFE).contains(&now) { Nonce::Good } else { Nonce::Old }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000;

    #[test]
    fn a_nonce_counts_for_ten_minutes_on_its_page_and_for_its_project() {
        let nonce = write("secret", "shop", "https://shop.example", NOW, [7; 8]);
        let read = |secret, project, origin, now| read(secret, &nonce, project, origin, now);
        assert_eq!(nonce.len(), 58);
        for (secret, project, origin, now, told) in [
            ("secret", "shop", "https://shop.example", NOW, Nonce::Good),
            ("secret", "shop", "https://shop.example", NOW + LIFE, Nonce::Good),
            ("secret", "shop", "https://shop.example", NOW + LIFE + 1, Nonce::Old),
            ("secret", "shop", "https://shop.example", NOW - TOLERANCE - 1, Nonce::Old),
            ("other", "shop", "https://shop.example", NOW, Nonce::Foreign),
            ("secret", "blog", "https://shop.example", NOW, Nonce::Foreign),
            ("secret", "shop", "https://evil.example", NOW, Nonce::Foreign),
            ("secret", "shop", "", NOW, Nonce::Foreign),
        ] {
            assert_eq!(read(secret, project, origin, now), told, "{secret} {project} {origin} {now}");
        }
    }

    #[test]
    fn a_nonce_has_one_form_only() {
        let nonce = write("secret", "shop", "", NOW, [171; 8]);
        for text in ["", "0", &nonce.to_ascii_uppercase(), &nonce[1..], &format!("{nonce} "), &"é".repeat(29)] {
            assert_eq!(read("secret", text, "shop", "", NOW), Nonce::Foreign, "{text}");
        }
    }
}
