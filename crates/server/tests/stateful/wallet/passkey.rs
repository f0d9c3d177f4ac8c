//! Passkeys at the vault: they confirm what is done in the settings, and log in without an address.

use super::session::{cancel, change};
use crate::support;
use axum::http::StatusCode;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use support::device::{Device, encode, random};
use support::wallet::{HOST, ORIGIN, Safe};

const EMAIL: &str = "ada@example.org";
const PROVE: &str = "/wallet/v1/confirm/passkey";
/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;
const FINISH: &str = "/wallet/v1/login/passkey/finish";

pub(super) struct Passkey {
    pair: EcdsaKeyPair,
    credential: String,
}

impl Passkey {
    pub(super) fn new() -> Passkey {
        let random_source = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random_source).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, document.as_ref(), &random_source);
        Passkey { pair: pair.unwrap(), credential: encode(random::<16>()) }
    }

    pub(super) fn body(&self) -> Value {
        let slot =
            json!({"id": encode(random::<16>()), "kind": "passkey", "wrapped": encode(random::<72>()), "created": 0});
        json!({"slot": slot, "passkey": {"credential": self.credential, "key": encode(self.pair.public_key())}})
    }

    pub(super) fn sign(&self, transaction: &Value) -> Value {
        let client = json!({"type": "webauthn.get", "challenge": transaction, "origin": ORIGIN}).to_string();
        let data = [digest(&SHA256, b"localhost").as_ref(), &[5, 0, 0, 0, 1]].concat();
        let signed = [&data[..], digest(&SHA256, client.as_bytes()).as_ref()].concat();
        let signature = self.pair.sign(&SystemRandom::new(), &signed).unwrap();
        json!({
            "transaction": transaction, "credential": self.credential, "authenticator": encode(data),
            "client": encode(client), "signature": encode(signature)
        })
    }
}

pub(super) async fn with_passkey(safe: &Safe, email: &str) -> (Device, Passkey) {
    let mut device = Device::new();
    safe.log_in(&mut device, email).await;
    device.ask(safe, "/wallet/v1/wallet", &device.wallet()).await;
    safe.confirm(&device).await;
    let passkey = Passkey::new();
    let (status, told) = device.ask(safe, "/wallet/v1/slot", &passkey.body()).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    (device, passkey)
}

pub(super) async fn begin(safe: &Safe, device: &Device) -> Value {
    let asked = json!({"deed": "export", "language": "en", "mail": false});
    let (status, started) = device.ask(safe, "/wallet/v1/confirm", &asked).await;
    assert_eq!((status, &started["number"]), (StatusCode::OK, &Value::Null));
    started["transaction"].clone()
}

#[tokio::test]
async fn a_passkey_confirms_for_its_own_user_and_once() {
    let safe = Safe::new().await;
    let (device, passkey) = with_passkey(&safe, EMAIL).await;
    let (_, foreign) = with_passkey(&safe, "bob@example.org").await;
    let transaction = begin(&safe, &device).await;
    assert_eq!(device.ask(&safe, PROVE, &foreign.sign(&transaction)).await.0, StatusCode::FORBIDDEN);
    assert_eq!(device.ask(&safe, PROVE, &Passkey::new().sign(&transaction)).await.0, StatusCode::FORBIDDEN);
    let (status, confirmed) = device.ask(&safe, PROVE, &passkey.sign(&transaction)).await;
    assert_eq!((status, &confirmed["answer"]), (StatusCode::OK, &json!("approved")), "{confirmed}");
    assert_eq!(device.ask(&safe, PROVE, &passkey.sign(&transaction)).await.0, StatusCode::GONE);
    let unlock = json!({"key": device.worker_key()});
    assert_eq!(device.ask(&safe, "/wallet/v1/export", &unlock).await.0, StatusCode::OK);
    assert_eq!(device.ask(&safe, "/wallet/v1/export", &unlock).await.0, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_passkey_logs_in_without_an_address_on_the_device_that_asked() {
    let safe = Safe::new().await;
    let (device, passkey) = with_passkey(&safe, EMAIL).await;
    let (_, me) = device.ask(&safe, "/wallet/v1/me", &json!({})).await;
    let mut new = Device::new();
    let body = json!({"project": "demo", "host": HOST});
    let (status, started) = new.ask(&safe, "/wallet/v1/login/passkey", &body).await;
    assert_eq!(status, StatusCode::OK, "{started}");
    let finish = |device: &Device| json!({"proof": passkey.sign(&started["transaction"]), "key": device.worker_key()});
    let other = Device::new();
    assert_eq!(other.ask(&safe, FINISH, &finish(&other)).await.0, StatusCode::GONE);
    let (status, entered) = new.ask(&safe, FINISH, &finish(&new)).await;
    assert_eq!(status, StatusCode::OK, "{entered}");
    assert_eq!(entered["user"]["id"], me["user"]["id"]);
    assert_eq!(new.ask(&safe, FINISH, &finish(&new)).await.0, StatusCode::GONE);
    new.access = Some(entered["session"]["access"].as_str().unwrap().into());
    let (_, me) = new.ask(&safe, "/wallet/v1/me", &json!({})).await;
    assert_eq!(me["devices"].as_array().unwrap().len(), 2);
    // Without its slot the passkey opens nothing, and so logs nobody in.
    let slot = me["wallet"]["slots"].as_array().unwrap().iter().find(|slot| slot["kind"] == "passkey").unwrap();
    let (status, told) = device.ask(&safe, "/wallet/v1/slot/remove", &json!({"id": slot["id"]})).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    new.access = None;
    let (_, started) = new.ask(&safe, "/wallet/v1/login/passkey", &body).await;
    let finish = json!({"proof": passkey.sign(&started["transaction"]), "key": new.worker_key()});
    assert_eq!(new.ask(&safe, FINISH, &finish).await.0, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_passkey_that_is_not_of_its_form_is_refused() {
    let safe = Safe::new().await;
    let (device, passkey) = with_passkey(&safe, EMAIL).await;
    let mut wrong: Vec<Value> = (0..4).map(|_| Passkey::new().body()).collect();
    wrong[0]["passkey"] = Value::Null;
    wrong[1]["passkey"]["key"] = encode([4; 64]).into();
    wrong[2]["passkey"]["key"] = encode([2; 65]).into();
    wrong[3]["slot"]["kind"] = "kit".into();
    for body in &wrong {
        assert_eq!(device.ask(&safe, "/wallet/v1/slot", body).await.0, StatusCode::BAD_REQUEST, "{body}");
    }
    let mut taken = Passkey::new().body();
    taken["passkey"]["credential"] = passkey.credential.into();
    assert_eq!(device.ask(&safe, "/wallet/v1/slot", &taken).await.0, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_restored_address_ends_the_passkeys_that_were_added_since_a_day_before() {
    let safe = Safe::new().await;
    let (device, old) = with_passkey(&safe, EMAIL).await;
    safe.clock.pass(2 * DAY);
    let device = logged_in_again(&safe, device).await;
    safe.confirm(&device).await;
    let new = Passkey::new();
    assert_eq!(device.ask(&safe, "/wallet/v1/slot", &new.body()).await.0, StatusCode::OK);
    let link = change(&safe, &device, "thief@example.org").await;
    assert_eq!(cancel(&safe, &link, true).await, StatusCode::OK);
    assert_eq!(enters(&safe, &new).await, StatusCode::FORBIDDEN);
    assert_eq!(enters(&safe, &old).await, StatusCode::OK);
}

#[tokio::test]
async fn a_restored_address_ends_no_passkey_where_nothing_else_may_open_the_wallet() {
    let safe = Safe::new().await;
    let (device, passkey) = with_passkey(&safe, EMAIL).await;
    remove_recovery(&safe, &device).await;
    let link = change(&safe, &device, "other@example.org").await;
    assert_eq!(cancel(&safe, &link, true).await, StatusCode::OK);
    assert_eq!(enters(&safe, &passkey).await, StatusCode::OK);
}

#[tokio::test]
async fn a_restored_address_leaves_the_devices_from_before_where_a_thief_removed_the_recovery() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await;
    safe.clock.pass(2 * DAY);
    // The thief, who reads the mails.
    let mut thief = Device::new();
    safe.log_in(&mut thief, EMAIL).await;
    safe.confirm(&thief).await;
    assert_eq!(thief.ask(&safe, "/wallet/v1/slot", &Passkey::new().body()).await.0, StatusCode::OK);
    remove_recovery(&safe, &thief).await;
    let link = change(&safe, &thief, "thief@example.org").await;
    assert_eq!(cancel(&safe, &link, true).await, StatusCode::OK);
    assert_eq!(thief.ask(&safe, "/wallet/v1/me", &json!({})).await.0, StatusCode::UNAUTHORIZED);
    safe.clock.pass(31_000);
    device.access = None;
    let entered = safe.log_in(&mut device, EMAIL).await;
    let slots = entered["wallet"]["slots"].as_array().unwrap();
    assert!(slots.iter().any(|slot| slot["kind"] == "device"), "{entered}");
    let release = device.open(entered["user"]["id"].as_str().unwrap(), &entered["release"]);
    assert!(!release["device"].as_str().unwrap().is_empty(), "{release}");
}

async fn remove_recovery(safe: &Safe, device: &Device) {
    let (_, me) = device.ask(safe, "/wallet/v1/me", &json!({})).await;
    let slots = me["wallet"]["slots"].as_array().unwrap();
    let recovery = slots.iter().find(|slot| slot["kind"] == "recovery").unwrap();
    let (status, told) = device.ask(safe, "/wallet/v1/slot/remove", &json!({"id": recovery["id"]})).await;
    assert_eq!(status, StatusCode::OK, "{told}");
}

/// Logs a device in again, whose session ended meanwhile.
async fn logged_in_again(safe: &Safe, mut device: Device) -> Device {
    device.access = None;
    safe.log_in(&mut device, EMAIL).await;
    device
}

/// What the vault answers to a login by this passkey.
async fn enters(safe: &Safe, passkey: &Passkey) -> StatusCode {
    let device = Device::new();
    let (_, started) = device.ask(safe, "/wallet/v1/login/passkey", &json!({"project": "demo", "host": HOST})).await;
    let body = json!({"proof": passkey.sign(&started["transaction"]), "key": device.worker_key()});
    device.ask(safe, FINISH, &body).await.0
}
