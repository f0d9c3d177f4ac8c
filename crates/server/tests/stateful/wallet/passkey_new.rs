//! New wallets of visitors who have a passkey and nothing else.

use super::passkey::Passkey;
use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::device::Device;
use support::wallet::Safe;

const HOST: &str = "https://shop.example.org";
const NEW: &str = "/wallet/v1/login/passkey/new";
const SLOT: &str = "/wallet/v1/slot";
const ME: &str = "/wallet/v1/me";

fn body(device: &Device) -> Value {
    json!({"project": "demo", "host": HOST, "key": device.worker_key()})
}

/// Begins a wallet, as the frame does, and adds the passkey.
async fn created(safe: &Safe) -> (Device, Passkey, Value) {
    let mut device = Device::new();
    let (status, entered) = device.ask(safe, NEW, &body(&device)).await;
    assert_eq!((status, &entered["wallet"]), (StatusCode::OK, &Value::Null), "{entered}");
    device.access = Some(entered["session"]["access"].as_str().unwrap().into());
    let (status, told) = device.ask(safe, "/wallet/v1/wallet", &device.wallet()).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    let passkey = add(safe, &device).await;
    (device, passkey, entered["user"].clone())
}

async fn add(safe: &Safe, device: &Device) -> Passkey {
    let passkey = Passkey::new();
    let (status, told) = device.ask(safe, SLOT, &passkey.body()).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    passkey
}

async fn remove(safe: &Safe, device: &Device) -> (StatusCode, Value) {
    let (_, me) = device.ask(safe, ME, &json!({})).await;
    let slots = me["wallet"]["slots"].as_array().unwrap();
    let slot = slots.iter().find(|slot| slot["kind"] == "passkey").unwrap();
    device.ask(safe, "/wallet/v1/slot/remove", &json!({"id": slot["id"]})).await
}

#[tokio::test]
async fn a_new_passkey_is_the_login_of_its_wallet_and_confirms_exports() {
    let safe = Safe::new().await;
    let (device, passkey, user) = created(&safe).await;
    assert_eq!((&user["email"], &user["provider"]), (&Value::Null, &json!("passkey")));
    let elsewhere = Device::new();
    let begin = json!({"project": "demo", "host": HOST});
    let (_, started) = elsewhere.ask(&safe, "/wallet/v1/login/passkey", &begin).await;
    let finish = json!({"proof": passkey.sign(&started["transaction"]), "key": elsewhere.worker_key()});
    let (status, entered) = elsewhere.ask(&safe, "/wallet/v1/login/passkey/finish", &finish).await;
    assert_eq!((status, &entered["user"]["id"]), (StatusCode::OK, &user["id"]), "{entered}");
    let asked = json!({"deed": "export", "language": "en", "mail": false});
    let (_, started) = device.ask(&safe, "/wallet/v1/confirm", &asked).await;
    let proof = passkey.sign(&started["transaction"]);
    assert_eq!(device.ask(&safe, "/wallet/v1/confirm/passkey", &proof).await.0, StatusCode::OK);
    let unlock = json!({"key": device.worker_key()});
    assert_eq!(device.ask(&safe, "/wallet/v1/export", &unlock).await.0, StatusCode::OK);
    assert!(safe.mails().await.is_empty(), "there is no address");
}

#[tokio::test]
async fn each_new_wallet_is_of_a_user_of_its_own() {
    let safe = Safe::new().await;
    let (one, two) = (created(&safe).await, created(&safe).await);
    assert_ne!(one.2["id"], two.2["id"]);
}

#[tokio::test]
async fn a_user_who_left_before_the_wallet_was_stored_is_deleted_and_a_neighbour_stays() {
    let safe = Safe::new().await;
    let (_, _, neighbour) = created(&safe).await;
    let device = Device::new();
    let (_, left) = device.ask(&safe, NEW, &body(&device)).await;
    let id = |user: &Value| user["id"].as_str().unwrap().to_owned();
    let (left, neighbour) = (id(&left["user"]), id(&neighbour));
    let rows = async |safe: &Safe| {
        safe.vault.as_ref().unwrap().sweep_once().await;
        let rows = safe.dump().await;
        let is_user = |id: &str| rows.contains(&format!("|{id}||||passkey|"));
        (is_user(&left), is_user(&neighbour))
    };
    // The session lasts for 30 days, in which the wallet can still be stored.
    assert_eq!(rows(&safe).await, (true, true));
    safe.clock.pass(31 * 24 * 60 * 60 * 1000);
    assert_eq!(rows(&safe).await, (false, true));
}

#[tokio::test]
async fn the_last_passkey_of_a_user_without_another_login_stays() {
    let safe = Safe::new().await;
    let (device, ..) = created(&safe).await;
    let (status, told) = remove(&safe, &device).await;
    let sentence = "This passkey is the only login of the wallet. Add another passkey or login first.";
    assert_eq!((status, &told["reasons"][0]["description"]), (StatusCode::CONFLICT, &json!(sentence)));
    add(&safe, &device).await;
    assert_eq!(remove(&safe, &device).await.0, StatusCode::OK);
    assert_eq!(remove(&safe, &device).await.0, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_network_has_a_share_of_new_wallets_and_leaves_its_neighbour_all_of_theirs() {
    let safe = Safe::new().await;
    let ask = async |client: &str| {
        let device = Device::new();
        let body = body(&device).to_string();
        let mut headers = device.headers(&safe, NEW, &body);
        headers.push(("portico-client", client.into()));
        safe.send(NEW, &headers, &body).await.0
    };
    for _ in 0..10 {
        assert_eq!(ask("198.51.100.7").await, StatusCode::OK);
    }
    assert_eq!(ask("198.51.100.8").await, StatusCode::TOO_MANY_REQUESTS, "of the same network");
    assert_eq!(ask("203.0.113.7").await, StatusCode::OK);
    safe.clock.pass(10 * 60_000);
    assert_eq!(ask("198.51.100.7").await, StatusCode::OK);
}

#[tokio::test]
async fn a_login_that_is_not_of_its_form_makes_no_user() {
    let safe = Safe::new().await;
    let device = Device::new();
    for (field, value) in [("host", json!("h".repeat(256))), ("key", json!("AAAA")), ("key", Value::Null)] {
        let mut wrong = body(&device);
        wrong[field] = value;
        assert_eq!(device.ask(&safe, NEW, &wrong).await.0, StatusCode::BAD_REQUEST, "{wrong}");
    }
}
