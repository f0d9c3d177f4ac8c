//! Secret API key of the Coinbase Developer Platform, which signs a token for each request
//! (<https://docs.cdp.coinbase.com/get-started/authentication/jwt-authentication>).

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair};
use serde_json::json;
use std::fmt;
use std::sync::Arc;

/// Lifetime of a token, in seconds.
const LIFE: u64 = 120;

/// Name and secret of a key; debug output shows only the name.
#[derive(Clone)]
pub struct CdpKey {
    id: String,
    pair: Arc<Pair>,
}

enum Pair {
    Ed25519(Ed25519KeyPair),
    P256(EcdsaKeyPair),
}

/// Reason why name and secret are no key, as a sentence for the operator.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(super) enum CdpKeyError {
    #[error("`onramp.coinbase_key_id` is empty, too long, or has characters that aren't allowed")]
    Id,
    #[error("use 64 bytes in base64 (Ed25519) or the PEM text of a P-256 key as `onramp.coinbase_key`")]
    Secret,
}

impl CdpKey {
    /// Parses the secret as the platform issues it: 64 bytes in base64 of an Ed25519 key, or the PEM text of a P-256 key, whose line breaks
    /// may be written `\n`. The error repeats no part of the secret.
    pub(super) fn parse(id: &str, secret: &str) -> Result<CdpKey, CdpKeyError> {
        let named = (1..=256).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
        if !named {
            return Err(CdpKeyError::Id);
        }
        let pair = if secret.contains("-----BEGIN") { p256(secret) } else { ed25519(secret) };
        let pair = pair.ok_or(CdpKeyError::Secret)?;
        Ok(CdpKey { id: id.into(), pair: Arc::new(pair) })
    }

    /// JWT for one request: `POST`, the host and the path without a query. `None` if the system has no randomness.
    pub(crate) fn token(&self, method: &str, host: &str, path: &str, now: u64) -> Option<String> {
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).ok()?;
        let nonce: String = nonce.iter().map(|byte| format!("{byte:02x}")).collect();
        let algorithm = match *self.pair {
            Pair::Ed25519(_) => "EdDSA",
            Pair::P256(_) => "ES256",
        };
        let head = json!({"alg": algorithm, "kid": self.id, "typ": "JWT", "nonce": nonce});
        let claims = json!({"sub": self.id, "iss": "cdp", "uris": [format!("{method} {host}{path}")],
            "iat": now, "nbf": now, "exp": now + LIFE});
        let [head, claims] = [head, claims].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part.to_string()));
        let said = format!("{head}.{claims}");
        let signature = match &*self.pair {
            Pair::Ed25519(pair) => pair.sign(said.as_bytes()).as_ref().to_vec(),
            Pair::P256(pair) => pair.sign(&SystemRandom::new(), said.as_bytes()).ok()?.as_ref().to_vec(),
        };
        Some(format!("{said}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature)))
    }
}

impl fmt::Debug for CdpKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the key {}", self.id)
    }
}

/// Parses an Ed25519 key: seed and public key, concatenated.
fn ed25519(secret: &str) -> Option<Pair> {
    let bytes = BASE64_STANDARD.decode(secret.trim()).ok().filter(|bytes| bytes.len() == 64)?;
    let (seed, public) = bytes.split_at(32);
    Ed25519KeyPair::from_seed_and_public_key(seed, public).ok().map(Pair::Ed25519)
}

/// Parses a P-256 key in SEC 1 (`EC PRIVATE KEY`, RFC 5915), as the platform issues it, or in PKCS #8 (`PRIVATE KEY`).
fn p256(secret: &str) -> Option<Pair> {
    let text = secret.replace("\\n", "\n");
    let (label, rest) = text.split_once("-----BEGIN ")?.1.split_once("-----")?;
    let body: String = rest.split_once("-----END")?.0.split_whitespace().collect();
    let der = BASE64_STANDARD.decode(body).ok()?;
    let random = SystemRandom::new();
    let pair = match label {
        "PRIVATE KEY" => EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &der, &random),
        "EC PRIVATE KEY" => {
            let (private, public) = sec1(&der)?;
            EcdsaKeyPair::from_private_key_and_public_key(&ECDSA_P256_SHA256_FIXED_SIGNING, private, public, &random)
        }
        _ => return None,
    };
    pair.ok().map(Pair::P256)
}

/// Private and public key of an RFC 5915 structure: a sequence of version, private key, optional curve, and public key.
fn sec1(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (0x30, body, []) = element(der)? else { return None };
    let (0x02, [1], rest) = element(body)? else { return None };
    let (0x04, private, mut rest) = element(rest)? else { return None };
    while !rest.is_empty() {
        let (tag, inner, after) = element(rest)?;
        if tag == 0xa1 {
            let (0x03, [0, public @ ..], []) = element(inner)? else { return None };
            return Some((private, public));
        }
        rest = after;
    }
    None
}

/// Splits a DER element into tag, content and rest. Short-form lengths suffice for such a key.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let [tag, length, rest @ ..] = der else { return None };
    let length = usize::from(*length);
    let (content, after) = rest.split_at_checked(length).filter(|_| length < 0x80)?;
    Some((*tag, content, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::signature::{ECDSA_P256_SHA256_FIXED, ED25519, KeyPair, UnparsedPublicKey};
    use serde_json::Value;

    /// The first key of RFC 8032, section 7.1.
    const SEED: &str = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    const PUBLIC: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

    /// The key of RFC 6979, appendix A.2.5, as RFC 5915 writes it.
    const PRIVATE_P256: &str = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
    const PUBLIC_P256: &str = "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";

    fn bytes(hex: &str) -> Vec<u8> {
        alloy_primitives::hex::decode(hex).unwrap()
    }

    fn ed_secret() -> String {
        BASE64_STANDARD.encode(bytes(&[SEED, PUBLIC].concat()))
    }

    fn pem(break_line: &str) -> String {
        let der = bytes(&["30770201010420", PRIVATE_P256, "a00a06082a8648ce3d030107a144034200", PUBLIC_P256].concat());
        let body = BASE64_STANDARD.encode(der);
        ["-----BEGIN EC PRIVATE KEY-----", &body[..64], &body[64..], "-----END EC PRIVATE KEY-----", ""]
            .join(break_line)
    }

    fn parts(token: &str) -> (Value, Value, String, Vec<u8>) {
        let parts: Vec<&str> = token.split('.').collect();
        let json = |part: &str| serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap();
        let signature = BASE64_URL_SAFE_NO_PAD.decode(parts[2]).unwrap();
        (json(parts[0]), json(parts[1]), format!("{}.{}", parts[0], parts[1]), signature)
    }

    #[test]
    fn what_is_no_key_is_refused_and_not_repeated() {
        let swapped = BASE64_STANDARD.encode(bytes(&[PUBLIC, SEED].concat()));
        let half = BASE64_STANDARD.encode(bytes(SEED));
        let cut = pem("\n").replace("MHcC", "MHYC");
        for secret in ["", "secret-key", &half, &swapped, &cut, "-----BEGIN EC PRIVATE KEY-----\n-----END"] {
            assert_eq!(CdpKey::parse("name", secret).unwrap_err(), CdpKeyError::Secret);
        }
        for name in ["", "a b", "é", &"a".repeat(257)] {
            assert_eq!(CdpKey::parse(name, &ed_secret()).unwrap_err(), CdpKeyError::Id, "{name}");
        }
    }

    #[test]
    fn a_key_of_either_kind_signs_for_one_request() {
        let key = CdpKey::parse("key-name", &ed_secret()).unwrap();
        let token = key.token("POST", "api.example", "/onramp/v1/token", 1_000).unwrap();
        let (head, claims, said, signature) = parts(&token);
        assert_eq!((&head["alg"], &head["kid"], &head["typ"]), (&json!("EdDSA"), &json!("key-name"), &json!("JWT")));
        assert_eq!(head["nonce"].as_str().unwrap().len(), 32);
        assert_eq!((&claims["iss"], &claims["sub"]), (&json!("cdp"), &json!("key-name")));
        assert_eq!(claims["uris"], json!(["POST api.example/onramp/v1/token"]));
        assert_eq!((&claims["nbf"], &claims["exp"]), (&json!(1_000), &json!(1_120)));
        UnparsedPublicKey::new(&ED25519, bytes(PUBLIC)).verify(said.as_bytes(), &signature).unwrap();
        for break_line in ["\n", "\r\n", "\\n"] {
            let key = CdpKey::parse("key-name", &pem(break_line)).unwrap();
            let (head, _, said, signature) = parts(&key.token("GET", "api.example", "/", 0).unwrap());
            assert_eq!(head["alg"], "ES256");
            let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes(PUBLIC_P256));
            public.verify(said.as_bytes(), &signature).unwrap();
        }
    }

    #[test]
    fn no_two_tokens_are_alike_and_a_key_is_shown_as_its_name() {
        let key = CdpKey::parse("key-name", &ed_secret()).unwrap();
        assert_ne!(key.token("GET", "a", "/", 0), key.token("GET", "a", "/", 0));
        assert_eq!(format!("{key:?}"), "the key key-name");
        let Pair::Ed25519(pair) = &*key.pair else { panic!() };
        assert_eq!(pair.public_key().as_ref(), bytes(PUBLIC));
    }
}
