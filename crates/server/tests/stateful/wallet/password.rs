//! The password: set, tried, limited, changed, and what a thief of the database has of it.

use super::passkey::{Passkey, begin};
use super::rotate::unsealed;
use super::session::{cancel, change};
use super::settings::{Visitor, derived};
use crate::support;
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use portico_api::wallet::{Slot, SlotKind};
use portico_password::Client;
use portico_password::server::Kept;
use portico_signer::vault::{Kek, Owner, VaultKey};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde_json::{Value, json};
use support::device::{Device, encode, random};

const EMAIL: &str = "ada@example.org";
const SLOT: &str = "/wallet/v1/slot";
const REMOVE: &str = "/wallet/v1/slot/remove";
const TRY: &str = "/wallet/v1/password";
const SET: &str = "/wallet/v1/password/set";
const PASSWORD: &str = "correct horse battery";
const MINUTE: i64 = 60_000;

/// One side of OPAQUE as the frame's worker has it.
#[derive(Default)]
struct Worker(Client);

impl Worker {
    fn ask(&mut self, command: &Value) -> Value {
        serde_json::from_str(&self.0.command(&command.to_string())).unwrap()
    }

    /// First message.
    fn begin(&mut self, what: &str, password: &str) -> Value {
        let asked = self.ask(&json!({"type": what, "password": password, "random": encode(random::<32>())}));
        json!({"request": asked["request"]})
    }

    fn finish(&mut self, response: &Value) -> Value {
        self.ask(&json!({"type": "answered", "response": response}))
    }
}

fn export_key(told: &Value) -> [u8; 64] {
    BASE64.decode(told["key"].as_str().unwrap()).unwrap().try_into().unwrap()
}

impl Visitor {
    fn owner(&self) -> Owner<'_> {
        Owner { user: &self.user, wallet: self.wallet["id"].as_str().unwrap() }
    }

    /// Body that stores a new password's slot.
    async fn new_password(&self, password: &str) -> Value {
        let mut worker = Worker::default();
        let (status, begun) = self.ask(SET, &worker.begin("choose", password)).await;
        assert_eq!(status, StatusCode::OK, "{begun}");
        let told = worker.finish(&begun["response"]);
        let mut slot = Slot { id: encode(random::<16>()), kind: SlotKind::Password, ..Slot::default() };
        self.owner().wrap(&mut slot, &Kek::password(&export_key(&told)), &self.key, random());
        let slot = json!({"id": slot.id, "kind": "password", "wrapped": slot.wrapped, "created": 0});
        json!({"slot": slot, "password": {"state": begun["state"], "record": told["record"]}})
    }

    async fn set_password(&self, password: &str) {
        self.safe.confirm(&self.device).await;
        let (status, told) = self.ask(SLOT, &self.new_password(password).await).await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }

    /// What a device with this wallet makes of a password: whether the vault key opens the wallet.
    async fn opens(&self, device: &Device, wallet: &Value, password: &str) -> bool {
        let mut worker = Worker::default();
        let (status, answered) = device.ask(&self.safe, TRY, &worker.begin("try", password)).await;
        assert_eq!(status, StatusCode::OK, "{answered}");
        let told = worker.finish(&answered["response"]);
        if told["type"] == "refused" {
            assert_eq!(told["reason"], "wrong");
            return false;
        }
        let key = self.unwrapped(wallet, &Kek::password(&export_key(&told))).unwrap();
        self.owner().open_blob(&key, wallet["blob"].as_str().unwrap()).is_some()
    }

    fn unwrapped(&self, wallet: &Value, kek: &Kek) -> Option<VaultKey> {
        let slot = wallet["slots"].as_array().unwrap().iter().find(|slot| slot["kind"] == "password")?;
        let text = |field: &str| slot[field].as_str().unwrap().to_owned();
        let slot = Slot { id: text("id"), kind: SlotKind::Password, wrapped: text("wrapped"), ..Slot::default() };
        self.owner().unwrap(&slot, kek)
    }

    /// Logs in with a new browser; its device and what the login released.
    async fn elsewhere(&self) -> (Device, Value) {
        self.safe.clock.pass(MINUTE);
        let mut device = Device::new();
        let entered = self.safe.log_in(&mut device, EMAIL).await;
        (device, entered)
    }

    /// Logs in again with the same browser.
    async fn renew(&mut self) {
        self.device.access = None;
        let (_, started) = self.safe.begin(&self.device, EMAIL).await;
        self.safe.finish(&mut self.device, &started).await;
    }

    async fn tried(&self, password: &str) -> (StatusCode, Value) {
        self.ask(TRY, &Worker::default().begin("try", password)).await
    }
}

#[tokio::test]
async fn a_password_opens_the_wallet_in_a_new_browser_without_the_recovery_slot_and_no_other_does() {
    let visitor = Visitor::new().await;
    visitor.set_password(PASSWORD).await;
    assert!(
        visitor.safe.mails().await[0]["text"].as_str().unwrap().contains("A password was set. It opens your wallet.")
    );
    visitor.remove("recovery").await;
    let (device, entered) = visitor.elsewhere().await;
    assert!(device.open(&visitor.user, &entered["release"])["recovery"].is_null());
    assert!(!visitor.opens(&device, &entered["wallet"], "correct horse batterY").await);
    assert!(visitor.opens(&device, &entered["wallet"], PASSWORD).await);
    // It is the last way now.
    let slots = entered["wallet"]["slots"].as_array().unwrap();
    let id = &slots.iter().find(|slot| slot["kind"] == "password").unwrap()["id"];
    let (status, told) = visitor.ask(REMOVE, &json!({"id": id})).await;
    let sentence = "This is the only way to open your wallet. Add a passkey, a password or a recovery kit first.";
    assert_eq!((status, &told["reasons"][0]["description"]), (StatusCode::CONFLICT, &json!(sentence)));
}

#[tokio::test]
async fn a_session_alone_sets_no_password() {
    let visitor = Visitor::new().await;
    let request = Worker::default().begin("choose", PASSWORD);
    visitor.safe.confirm(&visitor.device).await;
    let new = visitor.new_password(PASSWORD).await;
    visitor.safe.clock.pass(10 * MINUTE);
    for (path, body) in [(SET, &request), (SLOT, &new)] {
        let (status, told) = visitor.ask(path, body).await;
        assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &json!("confirm")), "{path}");
    }
}

#[tokio::test]
async fn a_password_slot_without_its_record_or_with_that_of_another_is_refused() {
    let visitor = Visitor::new().await;
    visitor.safe.confirm(&visitor.device).await;
    let new = visitor.new_password(PASSWORD).await;
    let with = |field: &str, value: Value| {
        let mut new = new.clone();
        new["password"][field] = value;
        new
    };
    let refused = async |body: &Value, expected: StatusCode| {
        let (status, told) = visitor.ask(SLOT, body).await;
        assert_eq!(status, expected, "{told}");
    };
    refused(&json!({"slot": new["slot"]}), StatusCode::BAD_REQUEST).await;
    let mut kit = new.clone();
    kit["slot"]["kind"] = "kit".into();
    refused(&kit, StatusCode::BAD_REQUEST).await;
    for record in ["", "AAAA", "!", &encode([255; 192]), &"A".repeat(5000)] {
        refused(&with("record", record.into()), StatusCode::BAD_REQUEST).await;
    }
    refused(&with("state", "AAAA".into()), StatusCode::GONE).await;
    visitor.safe.clock.pass(MINUTE);
    let mut eve = Device::new();
    visitor.safe.log_in(&mut eve, "eve@example.org").await;
    visitor.safe.confirm(&eve).await;
    let (_, begun) = eve.ask(&visitor.safe, SET, &Worker::default().begin("choose", PASSWORD)).await;
    refused(&with("state", begun["state"].clone()), StatusCode::GONE).await;
    refused(&new, StatusCode::OK).await;
    for request in ["", "AAAA", &encode([255; 96]), &"A".repeat(5000)] {
        for path in [TRY, SET] {
            assert_eq!(visitor.ask(path, &json!({"request": request})).await.0, StatusCode::BAD_REQUEST, "{path}");
        }
    }
}

#[tokio::test]
async fn a_new_password_takes_the_place_of_the_old_one_and_a_removed_one_opens_nothing() {
    let visitor = Visitor::new().await;
    visitor.set_password(PASSWORD).await;
    let (_, me) = visitor.ask("/wallet/v1/me", &json!({})).await;
    let before = me["wallet"].clone();
    visitor.safe.clock.pass(MINUTE);
    visitor.set_password("another horse battery").await;
    let (_, me) = visitor.ask("/wallet/v1/me", &json!({})).await;
    let wallet = me["wallet"].clone();
    let count = wallet["slots"].as_array().unwrap().iter().filter(|slot| slot["kind"] == "password").count();
    assert_eq!(count, 1);
    assert!(!visitor.opens(&visitor.device, &wallet, PASSWORD).await);
    assert!(!visitor.opens(&visitor.device, &before, PASSWORD).await);
    assert!(visitor.opens(&visitor.device, &wallet, "another horse battery").await);
    assert!(stolen(&visitor, &visitor.safe.key_text()).await.is_some());
    visitor.remove("password").await;
    assert!(stolen(&visitor, &visitor.safe.key_text()).await.is_none(), "the record goes with the slot");
    assert!(!visitor.opens(&visitor.device, &wallet, "another horse battery").await);
}

/// Confirms an export by mail; the field of the refusal if it is refused.
async fn export_by_mail(visitor: &Visitor) -> Result<(), Value> {
    visitor.safe.clock.pass(MINUTE);
    let asked = json!({"deed": "export", "language": "en", "mail": true});
    let (status, told) = visitor.ask("/wallet/v1/confirm", &asked).await;
    if status == StatusCode::FORBIDDEN {
        return Err(told["reasons"][0]["field"].clone());
    }
    visitor.safe.clock.pass(MINUTE);
    visitor.safe.decide(&visitor.device, "export", true).await;
    let (status, told) = visitor.ask("/wallet/v1/export", &json!({"key": visitor.device.worker_key()})).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    Ok(())
}

#[tokio::test]
async fn a_first_password_holds_no_export() {
    let visitor = Visitor::new().await;
    visitor.set_password(PASSWORD).await;
    assert_eq!(export_by_mail(&visitor).await, Ok(()));
}

#[tokio::test]
async fn a_password_that_is_replaced_or_removed_by_mail_holds_exports_for_a_day() {
    for replaced in [true, false] {
        let mut visitor = Visitor::new().await;
        visitor.set_password(PASSWORD).await;
        visitor.safe.clock.pass(MINUTE);
        if replaced {
            visitor.set_password("another horse battery").await;
        } else {
            visitor.remove("password").await;
        }
        assert_eq!(export_by_mail(&visitor).await, Err(json!("wait")));
        visitor.safe.clock.pass(24 * 60 * MINUTE - 2 * MINUTE);
        visitor.renew().await;
        assert_eq!(export_by_mail(&visitor).await, Ok(()));
    }
}

#[tokio::test]
async fn a_first_passkey_that_a_mail_adds_beside_a_password_confirms_no_export_for_a_day() {
    let mut visitor = Visitor::new().await;
    visitor.set_password(PASSWORD).await;
    visitor.safe.clock.pass(MINUTE);
    visitor.safe.confirm(&visitor.device).await;
    let passkey = Passkey::new();
    assert_eq!(visitor.ask(SLOT, &passkey.body()).await.0, StatusCode::OK);
    assert_eq!(export_by_mail(&visitor).await, Err(json!("passkey")));
    let mut by_passkey = async || {
        let transaction = begin(&visitor.safe, &visitor.device).await;
        let proof = passkey.sign(&transaction);
        let proved = visitor.ask("/wallet/v1/confirm/passkey", &proof).await.0;
        visitor.safe.clock.pass(24 * 60 * MINUTE);
        visitor.renew().await;
        proved
    };
    assert_eq!(by_passkey().await, StatusCode::FORBIDDEN);
    assert_eq!(by_passkey().await, StatusCode::OK);
}

#[tokio::test]
async fn wrong_passwords_are_limited_for_each_wallet_also_over_devices_and_restarts() {
    let mut visitor = Visitor::new().await;
    visitor.set_password(PASSWORD).await;
    let (other, _) = visitor.elsewhere().await;
    let limited = async |visitor: &Visitor| {
        let (status, told) = visitor.tried(PASSWORD).await;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "also for the right one: {told}");
        let sentence = told["reasons"][0]["description"].as_str().unwrap().to_owned();
        sentence
            .strip_prefix("Please try again after ")
            .unwrap()
            .strip_suffix(" seconds")
            .unwrap()
            .parse::<i64>()
            .unwrap()
    };
    for _ in 0..3 {
        assert_eq!(visitor.tried("wrong").await.0, StatusCode::OK);
    }
    for _ in 0..2 {
        assert_eq!(other.ask(&visitor.safe, TRY, &Worker::default().begin("try", "wrong")).await.0, StatusCode::OK);
    }
    assert_eq!(limited(&visitor).await, 600);
    visitor.safe.restart().await;
    visitor.safe.clock.pass(MINUTE);
    assert_eq!(limited(&visitor).await, 540);
    // Another wallet has tries of its own.
    visitor.safe.clock.pass(MINUTE);
    let mut eve = Device::new();
    visitor.safe.log_in(&mut eve, "eve@example.org").await;
    assert_eq!(eve.ask(&visitor.safe, TRY, &Worker::default().begin("try", "x")).await.0, StatusCode::OK);
    for _ in 0..3 {
        visitor.safe.clock.pass(10 * MINUTE);
        visitor.renew().await;
        for _ in 0..5 {
            assert_eq!(visitor.tried("wrong").await.0, StatusCode::OK);
        }
    }
    visitor.safe.clock.pass(10 * MINUTE);
    let seconds = limited(&visitor).await;
    assert!(seconds > 20 * 3600, "twenty a day: {seconds}");
    visitor.safe.clock.pass(seconds * 1000);
    let (device, entered) = visitor.elsewhere().await;
    assert!(visitor.opens(&device, &entered["wallet"], PASSWORD).await);
}

#[tokio::test]
async fn many_tries_at_once_are_not_more_than_allowed_and_one_network_has_a_limit_over_all_wallets() {
    let visitor = Visitor::new().await;
    let (one, request) = (&visitor, Worker::default().begin("try", "wrong"));
    let tries = (0..8).map(|_| one.ask(TRY, &request));
    let told = futures_util::future::join_all(tries).await;
    assert_eq!(told.iter().filter(|(status, _)| *status == StatusCode::OK).count(), 5);
    // 30 at once from one network: five are spent, because the wallet's own limit refused the others.
    let mut passed = 0;
    for index in 0..6 {
        visitor.safe.clock.pass(MINUTE);
        let mut device = Device::new();
        visitor.safe.log_in(&mut device, &format!("eve{index}@example.org")).await;
        for _ in 0..5 {
            passed += usize::from(device.ask(&visitor.safe, TRY, &request).await.0 == StatusCode::OK);
        }
    }
    assert!((25..28).contains(&passed), "one comes back each 20 seconds: {passed}");
}

#[tokio::test]
async fn a_wallet_without_a_password_answers_as_one_with_another_password() {
    let visitor = Visitor::new().await;
    let mut worker = Worker::default();
    let request = worker.begin("try", PASSWORD);
    let (status, without) = visitor.ask(TRY, &request).await;
    assert_eq!(status, StatusCode::OK);
    let again = visitor.ask(TRY, &request).await.1;
    let begin = |told: &Value| told["response"].as_str().unwrap()[..42].to_owned();
    assert_eq!(begin(&without), begin(&again), "two answers to one message do not tell");
    assert_eq!(worker.finish(&without["response"]), json!({"type": "refused", "reason": "wrong"}));
    visitor.set_password("another horse battery").await;
    let (status, with) = visitor.ask(TRY, &request).await;
    assert_eq!(status, StatusCode::OK);
    let form = |told: &Value| (told.as_object().unwrap().len(), told["response"].as_str().unwrap().len());
    assert_eq!(form(&with), form(&without));
}

#[tokio::test]
async fn a_frozen_wallet_takes_no_password() {
    let visitor = Visitor::new().await;
    visitor.set_password(PASSWORD).await;
    assert_eq!(visitor.ask("/wallet/v1/freeze", &json!({})).await.0, StatusCode::OK);
    let (status, told) = visitor.tried(PASSWORD).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &json!("frozen")));
}

/// What a thief of the database who has a root key gets of the password: the server's part, by which guesses are tested without the server.
async fn stolen(visitor: &Visitor, root: &str) -> Option<Kept> {
    let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &derived(root, &[b"portico at rest 1"])).unwrap());
    let dump = visitor.safe.dump().await;
    let texts: Vec<&str> = dump.split('|').collect();
    let ids = texts.iter().filter(|text| text.len() == 22);
    for (id, text) in ids.flat_map(|id| texts.iter().map(move |text| (id, text))) {
        let Some(bytes) = unsealed(text) else { continue };
        let (nonce, sealed) = bytes.split_at(NONCE_LEN);
        let place = format!("password\n{}\n{id}", visitor.user);
        let nonce = Nonce::try_assume_unique_for_key(nonce).unwrap();
        if let Ok(plain) = key.open_in_place(nonce, Aad::from(place.into_bytes()), &mut sealed.to_vec()) {
            return Kept::read(plain.to_vec().into());
        }
    }
    None
}

#[tokio::test]
async fn a_stolen_database_tests_no_password_without_the_root_key_and_a_rotation_takes_that_from_the_old_one() {
    let mut visitor = Visitor::new().await;
    visitor.set_password(PASSWORD).await;
    visitor.remove("recovery").await;
    let first = visitor.safe.key_text();
    let kept = stolen(&visitor, &first).await.expect("the tool knows the form");
    let mut worker = Worker::default();
    let request = BASE64.decode(worker.begin("try", PASSWORD)["request"].as_str().unwrap()).unwrap();
    let guessed = worker.finish(&encode(kept.answer(&random(), visitor.user.as_bytes(), &request).unwrap()).into());
    assert_eq!(guessed["type"], "opened", "with both, each guess costs the slow hash alone");
    assert!(stolen(&visitor, &"00".repeat(32)).await.is_none());
    let record = encode(&kept.as_bytes()[128..]);
    assert!(!visitor.safe.dump().await.contains(&record[..40]), "the record is sealed too");

    let rotated = visitor.safe.rotate().await;
    assert_eq!((rotated.passwords, rotated.left), (1, 0));
    let second = visitor.safe.key_text();
    assert!(stolen(&visitor, &first).await.is_none() && stolen(&visitor, &second).await.is_some());
    let (device, entered) = visitor.elsewhere().await;
    assert!(visitor.opens(&device, &entered["wallet"], PASSWORD).await);
    assert!(!visitor.opens(&device, &entered["wallet"], "wrong").await);
    // A password that is being set ends with the root.
    visitor.safe.confirm(&visitor.device).await;
    let new = visitor.new_password("another horse battery").await;
    visitor.safe.rotate().await;
    visitor.safe.clock.pass(MINUTE);
    visitor.safe.confirm(&visitor.device).await;
    let (status, told) = visitor.ask(SLOT, &new).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::GONE, &json!("password")));
}

#[tokio::test]
async fn a_restored_address_ends_the_password_of_a_thief() {
    let visitor = Visitor::new().await;
    visitor.set_password(PASSWORD).await;
    assert!(stolen(&visitor, &visitor.safe.key_text()).await.is_some());
    let link = change(&visitor.safe, &visitor.device, "thief@example.org").await;
    assert_eq!(cancel(&visitor.safe, &link, true).await, StatusCode::OK);
    assert!(stolen(&visitor, &visitor.safe.key_text()).await.is_none());
    let (_, entered) = visitor.elsewhere().await;
    assert!(entered["wallet"]["slots"].as_array().unwrap().iter().all(|slot| slot["kind"] != "password"));
}
