//! Login by Farcaster, with a relay and a node that tell what each test wants.

use super::logins::{logins, me};
use crate::support;
use alloy_primitives::{Address, eip191_hash_message, hex};
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::{Json, Router};
use k256::ecdsa::SigningKey;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use support::device::Device;
use support::wallet::{HOST, ORIGIN, Safe};

/// Relay and node in one: channels with what was signed in them, and owners of persons.
#[derive(Default)]
struct Farcaster {
    url: String,
    opened: Mutex<Vec<Value>>,
    signed: Mutex<HashMap<String, Value>>,
    /// Person whom the registry names for any address.
    owner: Mutex<u64>,
}

impl Farcaster {
    async fn start() -> Arc<Farcaster> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let farcaster = Arc::new(Farcaster { url, owner: Mutex::new(42), ..Farcaster::default() });
        let router = Router::new().fallback(answer).with_state(farcaster.clone());
        tokio::spawn(axum::serve(listener, router).into_future());
        farcaster
    }

    async fn safe(&self) -> Safe {
        Safe::with(&format!("[wallet.social.farcaster]\nnode = {:?}\nrelay = {:?}\n", self.url, self.url)).await
    }

    /// The app signs in the channel that was opened last.
    fn sign(&self, change: impl Fn(String) -> String) {
        let opened = self.opened.lock().unwrap();
        let asked = opened.last().unwrap();
        self.put(opened.len() - 1, change(text(asked)));
    }

    fn put(&self, channel: usize, message: String) {
        let (signature, recovery) = key().sign_prehash_recoverable(eip191_hash_message(&message).as_slice()).unwrap();
        let signature = hex::encode_prefixed([&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat());
        let told = json!({"state": "completed", "message": message, "signature": signature, "username": "ada"});
        self.signed.lock().unwrap().insert(format!("Bearer channel-{channel}"), told);
    }
}

fn key() -> SigningKey {
    SigningKey::from_slice(&[7; 32]).unwrap()
}

fn text(asked: &Value) -> String {
    let (domain, uri, nonce) = (&asked["domain"], &asked["siweUri"], &asked["nonce"]);
    format!(
        "{} wants you to sign in with your Ethereum account:\n{}\n\nFarcaster Auth\n\nURI: {}\nVersion: 1\nChain ID: 10\n\
         Nonce: {}\nIssued At: 2023-11-14T22:13:20.000Z\nResources:\n- farcaster://fid/42",
        domain.as_str().unwrap(),
        Address::from_private_key(&key()),
        uri.as_str().unwrap(),
        nonce.as_str().unwrap()
    )
}

async fn answer(
    State(farcaster): State<Arc<Farcaster>>,
    method: Method,
    uri: Uri,
    headers: axum::http::HeaderMap,
    body: String,
) -> (StatusCode, Json<Value>) {
    match (method, uri.path()) {
        (Method::POST, "/v1/channel") => {
            let mut opened = farcaster.opened.lock().unwrap();
            opened.push(serde_json::from_str(&body).unwrap());
            let token = format!("channel-{}", opened.len() - 1);
            let url = format!("https://farcaster.xyz/~/siwf?channelToken={token}");
            (StatusCode::CREATED, Json(json!({"channelToken": token, "url": url})))
        }
        (Method::GET, "/v1/channel/status") => {
            let signed = farcaster.signed.lock().unwrap();
            let told = headers.get("authorization").and_then(|token| signed.get(token.to_str().unwrap()));
            let status = if told.is_some() { StatusCode::OK } else { StatusCode::ACCEPTED };
            (status, Json(told.cloned().unwrap_or_else(|| json!({"state": "pending"}))))
        }
        _ => {
            let call: Value = serde_json::from_str(&body).unwrap();
            let registry = call["params"][0]["to"].as_str().unwrap().to_lowercase();
            let owner = *farcaster.owner.lock().unwrap();
            let owner = if registry.ends_with("9f489b") { owner } else { 0 };
            (StatusCode::OK, Json(json!({"jsonrpc": "2.0", "id": 1, "result": format!("0x{owner:064x}{:064x}", 2)})))
        }
    }
}

async fn begin(safe: &Safe, device: &Device) -> String {
    let body = json!({"project": "demo", "host": HOST});
    let (status, started) = device.ask(safe, "/wallet/v1/login/farcaster", &body).await;
    assert_eq!(status, StatusCode::OK, "{started}");
    assert!(started["url"].as_str().unwrap().starts_with("https://farcaster.xyz/"));
    started["transaction"].as_str().unwrap().into()
}

async fn finish(safe: &Safe, device: &Device, transaction: &str) -> (StatusCode, Value) {
    let body = json!({"transaction": transaction, "key": device.worker_key()});
    device.ask(safe, "/wallet/v1/login/farcaster/finish", &body).await
}

#[tokio::test]
async fn spec_7_19_and_7_20_a_person_signs_in_the_app_and_is_logged_in_once() {
    let farcaster = Farcaster::start().await;
    let safe = farcaster.safe().await;
    let device = Device::new();
    let transaction = begin(&safe, &device).await;
    let asked = farcaster.opened.lock().unwrap()[0].clone();
    assert_eq!((&asked["domain"], &asked["siweUri"]), (&"shop.example".into(), &HOST.into()));
    assert!(asked["nonce"].as_str().unwrap().bytes().all(|byte| byte.is_ascii_alphanumeric()));
    farcaster.sign(|text| text);
    let thief = Device::new();
    assert_eq!(finish(&safe, &thief, &transaction).await.0, StatusCode::GONE, "the login is of another device");
    let (status, told) = finish(&safe, &device, &transaction).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    let user = &told["entered"]["user"];
    assert_eq!((&user["provider"], &user["name"], user["email"].is_null()), (&"farcaster".into(), &"ada".into(), true));
    assert_eq!(finish(&safe, &device, &transaction).await.0, StatusCode::GONE);
    let dump = safe.dump().await;
    assert!(!dump.contains("channel-0"), "the channel is a secret: {dump}");
}

#[tokio::test]
async fn what_is_not_the_signature_of_this_login_by_an_owner_logs_nobody_in() {
    let farcaster = Farcaster::start().await;
    let safe = farcaster.safe().await;
    let device = Device::new();
    for (right, wrong) in
        [("shop.example wants", "evil.example wants"), ("Chain ID: 10", "Chain ID: 1"), ("fid/42", "fid/41")]
    {
        let transaction = begin(&safe, &device).await;
        farcaster.sign(|text| text.replacen(right, wrong, 1));
        assert_eq!(finish(&safe, &device, &transaction).await.0, StatusCode::GONE, "{wrong}");
    }
    // The signature of one login, told for another: of the same device, and of another.
    let first = text(farcaster.opened.lock().unwrap().last().unwrap());
    for device in [&device, &Device::new()] {
        let transaction = begin(&safe, device).await;
        let channel = farcaster.opened.lock().unwrap().len() - 1;
        farcaster.put(channel, first.clone());
        assert_eq!(finish(&safe, device, &transaction).await.0, StatusCode::GONE);
    }
    // The text of one signature with another signature.
    let transaction = begin(&safe, &device).await;
    farcaster.sign(|text| text);
    let channel = format!("Bearer channel-{}", farcaster.opened.lock().unwrap().len() - 1);
    farcaster.signed.lock().unwrap().get_mut(&channel).unwrap()["message"] =
        text(farcaster.opened.lock().unwrap().last().unwrap()).replace("Auth", "Connect").into();
    assert_eq!(finish(&safe, &device, &transaction).await.0, StatusCode::GONE);
    // The registry names another person for the address.
    let transaction = begin(&safe, &device).await;
    farcaster.sign(|text| text);
    *farcaster.owner.lock().unwrap() = 43;
    assert_eq!(finish(&safe, &device, &transaction).await.0, StatusCode::GONE);
}

const MAIL: &str = "ada@shop.example";

async fn ask(safe: &Safe, device: &Device, path: &str, body: &Value) -> (StatusCode, Value) {
    device.ask(safe, &format!("/wallet/v1/login/{path}"), body).await
}

/// A visitor with a wallet who logged in by mail and confirmed.
async fn visitor(safe: &Safe) -> (Device, Value) {
    let mut device = Device::new();
    let entered = safe.log_in(&mut device, MAIL).await;
    assert_eq!(device.ask(safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
    safe.confirm(&device).await;
    (device, entered["user"]["id"].clone())
}

async fn begin_link(safe: &Safe, device: &Device) -> Value {
    let (status, opened) = ask(safe, device, "link/farcaster", &json!({})).await;
    assert_eq!(status, StatusCode::OK, "{opened}");
    json!({"transaction": opened["transaction"]})
}

#[tokio::test]
async fn a_person_is_added_to_a_wallet_and_opens_it_on_another_device_until_removed() {
    let farcaster = Farcaster::start().await;
    let safe = farcaster.safe().await;
    let (device, user) = visitor(&safe).await;
    let (_, opened) = ask(&safe, &device, "link/farcaster", &json!({})).await;
    assert!(opened["url"].as_str().unwrap().starts_with("https://farcaster.xyz/"));
    assert!(
        opened["code"]["size"].as_u64().unwrap() >= 21 && opened["code"]["path"].as_str().unwrap().starts_with('M')
    );
    let asked = farcaster.opened.lock().unwrap()[0].clone();
    assert_eq!(asked["siweUri"], ORIGIN, "the app shows the wallet's domain");
    let end = json!({"transaction": opened["transaction"]});
    let waited = ask(&safe, &device, "link/farcaster/finish", &end).await;
    assert_eq!(waited, (StatusCode::OK, json!({"added": false})));
    farcaster.sign(|text| text);
    assert_eq!(ask(&safe, &device, "link/farcaster/finish", &end).await, (StatusCode::OK, json!({"added": true})));
    assert_eq!(ask(&safe, &device, "link/farcaster/finish", &end).await.0, StatusCode::GONE, "it is good once");
    let told = me(&safe, &device).await;
    assert_eq!(logins(&told), [("email", MAIL), ("farcaster", "ada")]);
    assert_eq!(told["services"], json!([{"id": "farcaster", "name": null}]));
    assert!(safe.mails().await[0]["text"].as_str().unwrap().contains("A login with another service was added"));

    let log_in = async || {
        let device = Device::new();
        let transaction = begin(&safe, &device).await;
        farcaster.sign(|text| text);
        finish(&safe, &device, &transaction).await.1["entered"]["user"]["id"].clone()
    };
    assert_eq!(log_in().await, user);
    let (status, told) = ask(&safe, &device, "unlink", &json!({"id": told["logins"][1]["id"]})).await;
    assert_eq!((status, logins(&told)), (StatusCode::OK, vec![("email", MAIL)]), "{told}");
    assert_ne!(log_in().await, user);
}

#[tokio::test]
async fn a_person_with_a_wallet_of_their_own_is_not_added() {
    let farcaster = Farcaster::start().await;
    let safe = farcaster.safe().await;
    let owner = Device::new();
    let transaction = begin(&safe, &owner).await;
    farcaster.sign(|text| text);
    assert_eq!(finish(&safe, &owner, &transaction).await.0, StatusCode::OK);
    let (device, _) = visitor(&safe).await;
    let end = begin_link(&safe, &device).await;
    farcaster.sign(|text| text);
    let (status, told) = ask(&safe, &device, "link/farcaster/finish", &end).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let sentence = "This login already opens another wallet. Use a different account.";
    assert_eq!(told["reasons"][0]["description"], sentence);
    assert_eq!(logins(&me(&safe, &device).await), [("email", MAIL)]);
}

#[tokio::test]
async fn an_addition_ends_as_no_login_a_login_as_no_addition_and_neither_without_a_confirmation() {
    let farcaster = Farcaster::start().await;
    let safe = farcaster.safe().await;
    let (device, _) = visitor(&safe).await;
    let end = begin_link(&safe, &device).await;
    farcaster.sign(|text| text);
    let transaction = end["transaction"].as_str().unwrap();
    assert_eq!(finish(&safe, &device, transaction).await.0, StatusCode::GONE);
    let login = json!({"transaction": begin(&safe, &device).await});
    farcaster.sign(|text| text);
    assert_eq!(ask(&safe, &device, "link/farcaster/finish", &login).await.0, StatusCode::GONE);
    // The person who signs is another one than the registry names.
    let end = begin_link(&safe, &device).await;
    farcaster.sign(|text| text);
    *farcaster.owner.lock().unwrap() = 43;
    assert_eq!(ask(&safe, &device, "link/farcaster/finish", &end).await.0, StatusCode::GONE);

    safe.clock.pass(10 * 60_000);
    for (path, body) in [("link/farcaster", json!({})), ("link/farcaster/finish", end)] {
        let (status, told) = ask(&safe, &device, path, &body).await;
        assert_eq!(
            (status, &told["reasons"][0]["field"]),
            (StatusCode::FORBIDDEN, &"confirm".into()),
            "{path}: {told}"
        );
    }
    assert_eq!(logins(&me(&safe, &device).await), [("email", MAIL)]);
}

#[tokio::test]
async fn a_server_without_it_says_so() {
    let safe = Safe::new().await;
    let device = Device::new();
    let (status, told) =
        device.ask(&safe, "/wallet/v1/login/farcaster", &json!({"project": "demo", "host": HOST})).await;
    assert_eq!(
        (status, &told["reasons"][0]["description"]),
        (StatusCode::BAD_REQUEST, &"Farcaster login isn't set up here".into())
    );
}
