//! Visitors who register names, and their requests.

use super::{Server, status_and_text};
use alloy_primitives::{Address, eip191_hash_message, hex};
use axum::http::StatusCode;
use k256::ecdsa::SigningKey;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

pub const NAMES: &str = "[names]\nparent = \"portico.eth\"\nchanges_per_client_per_hour = 1000000\n";

/// Key of the account that the resolver of the tests trusts.
pub const SIGNER: &str = "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97";

/// Account with a key.
pub struct Visitor(pub SigningKey);

impl Visitor {
    pub fn new(number: u8) -> Visitor {
        Visitor(SigningKey::from_slice(&[number; 32]).unwrap())
    }

    pub fn address(&self) -> String {
        Address::from_private_key(&self.0).to_checksum(None)
    }

    /// EIP-191 signature of the text.
    pub fn sign(&self, message: &str) -> String {
        let (signature, parity) = self.0.sign_prehash_recoverable(eip191_hash_message(message).as_slice()).unwrap();
        format!("0x{}{:02x}", hex::encode(signature.to_bytes()), 27 + parity.to_byte())
    }

    /// Request body with a signed message, to which time and nonce are added.
    pub async fn body(&self, server: &Server, says: Value) -> Value {
        self.signed(&fresh(server, says).await)
    }

    /// Registers a name.
    pub async fn register(&self, server: &Server, name: &str) -> (StatusCode, String) {
        self.ask(server, "", json!({"name": format!("{name}.portico.eth")})).await
    }

    /// Sends a change of a name, or with an empty path a registration. If the message contains no name, the nonce is bound to the name of
    /// the path.
    pub async fn ask(&self, server: &Server, path: &str, says: Value) -> (StatusCode, String) {
        let about = path.split('/').nth(1).filter(|_| says.get("name").is_none());
        let nonce = nonce_for(server, about).await;
        send(server, path, &self.signed(&dated(says, &nonce))).await
    }

    /// Request body with this message, signed.
    pub fn signed(&self, message: &str) -> Value {
        json!({"coinType": 60, "address": self.address(), "signature": self.sign(message), "message": message})
    }
}

pub async fn send(server: &Server, path: &str, body: &Value) -> (StatusCode, String) {
    let path = format!("/v1/profile/account{path}?projectId=demo");
    status_and_text(server.post(&path, body.to_string()).await).await
}

/// Message with current time and a new nonce.
pub async fn fresh(server: &Server, says: Value) -> String {
    dated(says, &nonce(server).await)
}

/// Message with current time and this nonce.
pub fn dated(mut says: Value, nonce: &str) -> String {
    says["timestamp"] = now().into();
    says["nonce"] = nonce.into();
    says.to_string()
}

pub async fn nonce(server: &Server) -> String {
    nonce_for(server, None).await
}

/// Nonce bound to a name, or unbound.
pub async fn nonce_for(server: &Server, name: Option<&str>) -> String {
    let path = name.map_or("nonce".into(), |name| format!("nonce?name={name}"));
    let (status, text) = get(server, &path).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    value(&text)["nonce"].as_str().unwrap().to_owned()
}

/// Sends a lookup below `/v1/profile/`.
pub async fn get(server: &Server, path: &str) -> (StatusCode, String) {
    let query = if path.contains('?') { '&' } else { '?' };
    status_and_text(server.get(&format!("/v1/profile/{path}{query}projectId=demo")).await).await
}

pub fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Epoch seconds.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}
