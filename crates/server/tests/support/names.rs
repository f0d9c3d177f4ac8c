//! Visitors who register names, and their requests.

use super::{Server, status_and_text};
use alloy_primitives::{Address, eip191_hash_message, hex};
use axum::http::StatusCode;
use k256::ecdsa::SigningKey;
use portico_terms::EnsName;
use portico_terms::address::to_checksum;
use portico_terms::coin_type::chain;
use portico_terms::sign_in::{SignIn, name as statement};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

pub const NAMES: &str = "[names]\nparent = \"portico.eth\"\nchanges_per_client_per_hour = 1000000\n";

/// Key of the account that the resolver of the tests trusts.
pub const SIGNER: &str = "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97";

/// Page on which the visitors sign.
pub const PAGE: &str = "https://host.example";

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

    /// Signed request body for a path below a name, or with an empty path for a registration.
    pub async fn body(&self, server: &Server, path: &str, asked: Value) -> Value {
        self.signed(path, fields(&self.address(), asked, &nonce(server).await))
    }

    /// Registers a name.
    pub async fn register(&self, server: &Server, name: &str) -> (StatusCode, String) {
        self.ask(server, "", json!({"name": format!("{name}.portico.eth")})).await
    }

    /// Sends a change of a name, or with an empty path a registration.
    pub async fn ask(&self, server: &Server, path: &str, asked: Value) -> (StatusCode, String) {
        send(server, path, &self.body(server, path, asked).await).await
    }

    /// Request body with these fields, and their text signed.
    pub fn signed(&self, path: &str, mut body: Value) -> Value {
        let message = text(path, &body);
        body["signature"] = self.sign(&message).into();
        body["message"] = message.into();
        body
    }

    /// Registration in the form of older clients: a signed JSON object.
    pub fn in_json(&self, says: &Value) -> Value {
        let message = says.to_string();
        json!({"coinType": 60, "address": self.address(), "signature": self.sign(&message), "message": message})
    }
}

/// Fields of a request by this account, without its text: these, and the present time and page.
pub fn fields(account: &str, mut asked: Value, nonce: &str) -> Value {
    for (field, value) in [
        ("coinType", json!(60)),
        ("address", account.into()),
        ("uri", PAGE.into()),
        ("nonce", nonce.into()),
        ("issuedAt", now().into()),
    ] {
        asked[field] = value;
    }
    asked
}

/// Sign-in text of a request. For a name or an account that cannot be in one, the text of another.
pub fn text(path: &str, body: &Value) -> String {
    let said = |value: &Value, otherwise: &str| value.as_str().unwrap_or(otherwise).to_owned();
    let address = to_checksum(&said(&body["address"], ""));
    let mut parts = path.split('/').skip(1);
    let (in_path, change) = (parts.next(), parts.next());
    let name = in_path.map_or_else(|| said(&body["name"], ""), str::to_lowercase);
    let name = EnsName::parse(&name, "portico.eth").unwrap_or_else(|_| EnsName::parse("other", "portico.eth").unwrap());
    let attributes: BTreeMap<String, String> = body["attributes"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), said(value, "")))
        .collect();
    let attributes = attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let to = to_checksum(&said(&body["to"]["address"], ""));
    let coin_type = body["to"]["coinType"].as_u64().and_then(|coin_type| u32::try_from(coin_type).ok()).unwrap_or(60);
    let statement = match change {
        None => statement::register_with(&name, &address, attributes),
        Some("attributes") => statement::describe(&name, attributes),
        Some("address") if to.is_empty() => statement::unpoint(&name, coin_type),
        Some("address") => statement::point(&name, coin_type, &to),
        Some("transfer") => statement::transfer(&name, coin_type, &to),
        _ => statement::release(&name),
    };
    let signer = body["coinType"].as_u64().and_then(|coin_type| u32::try_from(coin_type).ok());
    let sign_in = SignIn {
        uri: body["uri"].as_str().unwrap_or(PAGE),
        address: &address,
        statement: &statement,
        chain: signer.and_then(chain).unwrap_or_default(),
        nonce: body["nonce"].as_str().unwrap_or_default(),
        issued_at: body["issuedAt"].as_u64().unwrap_or_default(),
    };
    sign_in.text().unwrap_or_else(|| "no text".into())
}

pub async fn send(server: &Server, path: &str, body: &Value) -> (StatusCode, String) {
    let path = format!("/v1/profile/account{path}?projectId=demo");
    status_and_text(server.post(&path, body.to_string()).await).await
}

pub async fn nonce(server: &Server) -> String {
    let (status, text) = get(server, "nonce").await;
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
