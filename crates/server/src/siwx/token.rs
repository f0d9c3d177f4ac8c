//! Token of a session: JSON Web Token (RFC 7519), signed with ES256 by a key of this installation.

use super::table::{self, KeyRow};
use crate::db::Database;
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use portico_api::siwx::{PublicKey, SessionAccount};
use portico_json::{Read, parse, to_text};
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
};

/// Life of a session in milliseconds.
pub(crate) const LIFE: i64 = 3_600_000;

/// Milliseconds for which a new key is published before it signs, so that back ends that keep the keys know it by then.
pub(crate) const NOTICE: i64 = 600_000;

/// Key of this installation.
pub(crate) struct Key {
    id: String,
    pair: EcdsaKeyPair,
    signs_from: i64,
}

impl Key {
    /// New key, as it is stored.
    pub(crate) fn generate(signs_from: i64) -> Option<KeyRow> {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).ok()?;
        let key = Key::read((String::new(), BASE64_STANDARD.encode(document.as_ref()), signs_from))?;
        let PublicKey { x, y, .. } = key.public();
        let members = format!("{{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"{x}\",\"y\":\"{y}\"}}");
        let id = BASE64_URL_SAFE_NO_PAD.encode(digest(&SHA256, members.as_bytes()));
        Some((id, BASE64_STANDARD.encode(document.as_ref()), signs_from))
    }

    fn read((id, private, signs_from): KeyRow) -> Option<Key> {
        let bytes = BASE64_STANDARD.decode(private).ok()?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &bytes, &SystemRandom::new()).ok()?;
        Some(Key { id, pair, signs_from })
    }

    /// Public half.
    pub(crate) fn public(&self) -> PublicKey {
        // 4, x and y (SEC 1, uncompressed).
        let point = self.pair.public_key().as_ref();
        let part = |range: std::ops::Range<usize>| BASE64_URL_SAFE_NO_PAD.encode(point.get(range).unwrap_or_default());
        PublicKey {
            kty: "EC".into(),
            crv: "P-256".into(),
            x: part(1..33),
            y: part(33..65),
            usage: "sig".into(),
            alg: "ES256".into(),
            kid: self.id.clone(),
        }
    }

    fn sign(&self, claims: &SessionAccount) -> Option<String> {
        let head = format!("{{\"alg\":\"ES256\",\"typ\":\"JWT\",\"kid\":\"{}\"}}", self.id);
        let [head, claims] = [head, to_text(claims)].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part));
        let said = format!("{head}.{claims}");
        let signature = self.pair.sign(&SystemRandom::new(), said.as_bytes()).ok()?;
        Some(format!("{said}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature)))
    }
}

/// Keys of this installation, the latest first. The first call makes one.
pub(crate) async fn keys(database: &Database, now: i64) -> Result<Vec<Key>, sqlx::Error> {
    let mut rows = table::keys(database).await?;
    if rows.is_empty() {
        if let Some(row) = Key::generate(now) {
            table::add_key(database, &row).await?;
        }
        rows = table::keys(database).await?;
    }
    Ok(rows.into_iter().filter_map(Key::read).collect())
}

/// Signs the claims by the latest key that signs already; `None` without one.
pub(super) fn sign(keys: &[Key], claims: &SessionAccount, now: i64) -> Option<String> {
    keys.iter().find(|key| key.signs_from <= now).or(keys.last())?.sign(claims)
}

/// Claims of a token that one of the keys signed and that has not ended. `now` is in milliseconds.
pub(super) fn verify(keys: &[Key], token: &str, now: i64) -> Option<SessionAccount> {
    let (said, signature) = token.rsplit_once('.')?;
    let (_, claims) = said.split_once('.')?;
    let decoded = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).ok();
    let signature = decoded(signature)?;
    // The head is not asked for an algorithm: there is one.
    let signed = |key: &Key| {
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key.pair.public_key().as_ref());
        public.verify(said.as_bytes(), &signature).is_ok()
    };
    if !keys.iter().any(signed) {
        return None;
    }
    let text = String::from_utf8(decoded(claims)?).ok()?;
    let claims = SessionAccount::read(&parse(&text).ok()?).ok()?;
    i64::try_from(claims.exp).is_ok_and(|end| end.saturating_mul(1000) > now).then_some(claims)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn key(signs_from: i64) -> Key {
        Key::read(Key::generate(signs_from).unwrap()).unwrap()
    }

    fn claims() -> SessionAccount {
        SessionAccount { exp: 1_800_000_001, sub: "eip155:1:0x0".into(), ..SessionAccount::default() }
    }

    #[test]
    fn a_token_counts_with_the_key_that_signed_it_until_its_end() {
        let keys = [key(NOW)];
        let token = sign(&keys, &claims(), NOW).unwrap();
        assert_eq!(verify(&keys, &token, NOW + 999), Some(claims()));
        assert_eq!(verify(&keys, &token, NOW + 1000), None);
        assert_eq!(verify(&[key(NOW)], &token, NOW), None);
        let (said, signature) = token.rsplit_once('.').unwrap();
        let none = BASE64_URL_SAFE_NO_PAD.encode("{\"alg\":\"none\"}");
        let claims = said.split_once('.').unwrap().1;
        for forged in [format!("{none}.{claims}."), format!("{none}.{claims}.{signature}"), "..".into(), String::new()]
        {
            assert_eq!(verify(&keys, &forged, NOW), None, "{forged}");
        }
    }

    #[test]
    fn a_new_key_is_published_before_it_signs() {
        let keys = [key(NOW + NOTICE), key(NOW)];
        let by = |token: &str| keys.iter().position(|key| verify(std::slice::from_ref(key), token, NOW).is_some());
        assert_eq!(by(&sign(&keys, &claims(), NOW).unwrap()), Some(1));
        assert_eq!(by(&sign(&keys, &claims(), NOW + NOTICE).unwrap()), Some(0));
    }
}
