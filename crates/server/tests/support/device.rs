//! A browser's device that signs as the frame's worker does.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::{Deserializable, Kem, OpModeR, Serializable, single_shot_open};
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};

/// A browser's device: its key, its worker's key, its access token.
pub struct Device {
    key: EcdsaKeyPair,
    worker: (<X25519HkdfSha256 as Kem>::PrivateKey, <X25519HkdfSha256 as Kem>::PublicKey),
    pub access: Option<String>,
}

pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    BASE64.encode(bytes)
}

pub fn hash(text: impl AsRef<[u8]>) -> String {
    encode(digest(&SHA256, text.as_ref()))
}

pub fn random<const BYTES: usize>() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).unwrap();
    bytes
}

impl Device {
    pub fn new() -> Device {
        let rng = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &rng).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &rng).unwrap();
        Device { key, worker: X25519HkdfSha256::gen_keypair(), access: None }
    }

    fn jwk(&self) -> Value {
        let point = &self.key.public_key().as_ref()[1..];
        json!({"crv": "P-256", "kty": "EC", "x": encode(&point[..32]), "y": encode(&point[32..])})
    }

    /// RFC 7638
    pub fn thumbprint(&self) -> String {
        hash(self.jwk().to_string())
    }

    pub fn worker_key(&self) -> String {
        encode(self.worker.1.to_bytes())
    }

    /// Claims of a proof for a request; `now` in epoch milliseconds.
    pub fn claims_at(&self, now: i64, path: &str, body: &str) -> Value {
        let mut claims = json!({
            "jti": encode(random::<16>()), "htm": "POST", "htu": path, "iat": now / 1000, "bh": hash(body)
        });
        if let Some(access) = &self.access {
            claims["ath"] = hash(access).into();
        }
        claims
    }

    pub fn header(&self) -> Value {
        json!({"typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk()})
    }

    /// A proof as text.
    pub fn sign(&self, header: &Value, claims: &Value) -> String {
        let signed = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
        let signature = self.key.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", encode(signature))
    }

    /// Headers of a request; `now` in epoch milliseconds.
    pub fn headers_at(&self, now: i64, path: &str, body: &str) -> Vec<(&'static str, String)> {
        let mut headers = vec![("dpop", self.sign(&self.header(), &self.claims_at(now, path, body)))];
        if let Some(access) = &self.access {
            headers.push(("authorization", format!("DPoP {access}")));
        }
        headers
    }

    /// Opens a release.
    pub fn open(&self, user: &str, sealed: &Value) -> Value {
        let bytes = |name: &str| BASE64.decode(sealed[name].as_str().unwrap()).unwrap();
        let enc = <X25519HkdfSha256 as Kem>::EncappedKey::from_bytes(&bytes("enc")).unwrap();
        let aad = format!("{user} {}", self.thumbprint());
        let opened = single_shot_open::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
            &OpModeR::Base,
            &self.worker.0,
            &enc,
            b"portico release 1",
            &bytes("ciphertext"),
            aad.as_bytes(),
        );
        serde_json::from_slice(&opened.unwrap()).unwrap()
    }

    /// A new wallet with a recovery slot and one of this device; the server does not look into sealed texts.
    pub fn wallet(&self) -> Value {
        let slot = |kind: &str| json!({"id": encode(random::<16>()), "kind": kind, "wrapped": encode(random::<72>()), "created": 0});
        let mut own = slot("device");
        own["device"] = self.thumbprint().into();
        json!({
            "id": encode(random::<16>()),
            "blob": encode(random::<72>()),
            "slots": [slot("recovery"), own],
            "addresses": {"eip155": "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"}
        })
    }
}
