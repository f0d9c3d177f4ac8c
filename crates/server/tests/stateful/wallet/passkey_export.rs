//! Export of a wallet with a passkey: the mailbox alone does not confirm it.

use super::passkey::{Passkey, begin, with_passkey};
use super::session::{cancel, change};
use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::device::Device;
use support::wallet::Safe;

const EMAIL: &str = "ada@example.org";
const CONFIRM: &str = "/wallet/v1/confirm";
const PROVE: &str = "/wallet/v1/confirm/passkey";
const EXPORT: &str = "/wallet/v1/export";
/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1000;

/// Field of the refusal of a request.
async fn refused(safe: &Safe, device: &Device, path: &str, body: &Value) -> Value {
    let (status, told) = device.ask(safe, path, body).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{path} {told}");
    told["reasons"][0]["field"].clone()
}

async fn exports(safe: &Safe, device: &Device) -> StatusCode {
    device.ask(safe, EXPORT, &json!({"key": device.worker_key()})).await.0
}

fn by_mail(deed: &str) -> Value {
    json!({"deed": deed, "language": "en", "mail": true})
}

/// Confirms by a passkey.
async fn prove(safe: &Safe, device: &Device, passkey: &Passkey, deed: &str) -> StatusCode {
    let asked = json!({"deed": deed, "language": "en", "mail": false});
    let (_, started) = device.ask(safe, CONFIRM, &asked).await;
    device.ask(safe, PROVE, &passkey.sign(&started["transaction"])).await.0
}

async fn add(safe: &Safe, device: &Device) -> Passkey {
    let passkey = Passkey::new();
    let (status, told) = device.ask(safe, "/wallet/v1/slot", &passkey.body()).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    passkey
}

/// Removes the oldest passkey.
async fn remove(safe: &Safe, device: &Device) {
    let (_, me) = device.ask(safe, "/wallet/v1/me", &json!({})).await;
    let slots = me["wallet"]["slots"].as_array().unwrap();
    let slot = slots.iter().find(|slot| slot["kind"] == "passkey").unwrap();
    let (status, told) = device.ask(safe, "/wallet/v1/slot/remove", &json!({"id": slot["id"]})).await;
    assert_eq!(status, StatusCode::OK, "{told}");
}

/// Lets time pass, and opens a session again.
async fn later(safe: &Safe, device: &mut Device, milliseconds: i64) {
    safe.clock.pass(milliseconds);
    device.access = None;
    safe.log_in(device, EMAIL).await;
}

#[tokio::test]
async fn where_a_passkey_is_enrolled_a_mail_confirms_no_export() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await;
    // Confirmed before the passkey was there.
    safe.confirm(&device).await;
    let passkey = add(&safe, &device).await;
    let mails = safe.mails().await.len();
    assert_eq!(refused(&safe, &device, CONFIRM, &by_mail("export")).await, "passkey");
    assert_eq!(safe.mails().await.len(), mails, "no mail is sent");
    assert_eq!(refused(&safe, &device, EXPORT, &json!({"key": device.worker_key()})).await, "passkey");
    assert_eq!(prove(&safe, &device, &passkey, "export").await, StatusCode::OK);
    assert_eq!(exports(&safe, &device).await, StatusCode::OK);
}

#[tokio::test]
async fn a_confirmation_by_mail_from_before_the_passkey_gives_no_export_after_it() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await;
    let mut other = Device::new();
    safe.clock.pass(31_000);
    safe.log_in(&mut other, EMAIL).await;
    safe.confirm(&device).await;
    safe.clock.pass(31_000);
    safe.decide(&other, "export", true).await;
    add(&safe, &device).await;
    assert_eq!(refused(&safe, &other, EXPORT, &json!({"key": other.worker_key()})).await, "passkey");
}

#[tokio::test]
async fn a_passkey_removed_by_mail_holds_exports_by_mail_for_a_day() {
    let safe = Safe::new().await;
    let (mut device, _) = with_passkey(&safe, EMAIL).await;
    safe.clock.pass(31_000);
    safe.confirm(&device).await;
    remove(&safe, &device).await;
    let mail = &safe.mails().await[0];
    assert!(mail["text"].as_str().unwrap().contains("removed"), "{mail}");
    assert_eq!(refused(&safe, &device, CONFIRM, &by_mail("export")).await, "wait");
    later(&safe, &mut device, 24 * HOUR - 60_000).await;
    assert_eq!(refused(&safe, &device, CONFIRM, &by_mail("export")).await, "wait");
    safe.clock.pass(60_000);
    safe.decide(&device, "export", true).await;
    assert_eq!(exports(&safe, &device).await, StatusCode::OK);
}

#[tokio::test]
async fn a_passkey_removed_by_itself_holds_nothing() {
    let safe = Safe::new().await;
    let (device, passkey) = with_passkey(&safe, EMAIL).await;
    assert_eq!(prove(&safe, &device, &passkey, "change").await, StatusCode::OK);
    remove(&safe, &device).await;
    safe.clock.pass(31_000);
    safe.decide(&device, "export", true).await;
    assert_eq!(exports(&safe, &device).await, StatusCode::OK);
}

#[tokio::test]
async fn a_passkey_that_a_thief_of_the_mailbox_adds_confirms_no_export_for_a_day() {
    let safe = Safe::new().await;
    let (mut device, own) = with_passkey(&safe, EMAIL).await;
    safe.clock.pass(31_000);
    safe.confirm(&device).await;
    let thief = add(&safe, &device).await;
    let transaction = begin(&safe, &device).await;
    assert_eq!(refused(&safe, &device, PROVE, &thief.sign(&transaction)).await, "wait");
    // A change that the added passkey confirms counts like one by mail.
    assert_eq!(prove(&safe, &device, &thief, "change").await, StatusCode::OK);
    let second = add(&safe, &device).await;
    assert_eq!(prove(&safe, &device, &second, "export").await, StatusCode::FORBIDDEN);
    assert_eq!(prove(&safe, &device, &own, "export").await, StatusCode::OK, "the owner's goes on");
    assert_eq!(exports(&safe, &device).await, StatusCode::OK);
    assert_eq!(prove(&safe, &device, &thief, "change").await, StatusCode::OK);
    for _ in 0..3 {
        remove(&safe, &device).await;
    }
    safe.clock.pass(31_000);
    assert_eq!(refused(&safe, &device, CONFIRM, &by_mail("export")).await, "wait");
    // Nor does one that is added where none is left.
    safe.confirm(&device).await;
    let third = add(&safe, &device).await;
    assert_eq!(prove(&safe, &device, &third, "export").await, StatusCode::FORBIDDEN);
    later(&safe, &mut device, 24 * HOUR).await;
    assert_eq!(prove(&safe, &device, &third, "export").await, StatusCode::OK);
}

#[tokio::test]
async fn a_passkey_that_another_one_confirmed_confirms_exports_at_once() {
    let safe = Safe::new().await;
    let (device, own) = with_passkey(&safe, EMAIL).await;
    assert_eq!(prove(&safe, &device, &own, "change").await, StatusCode::OK);
    let second = add(&safe, &device).await;
    assert_eq!(prove(&safe, &device, &second, "export").await, StatusCode::OK);
    assert_eq!(exports(&safe, &device).await, StatusCode::OK);
}

#[tokio::test]
async fn a_restored_address_that_ended_a_passkey_holds_exports_for_a_day() {
    let safe = Safe::new().await;
    let (mut device, _) = with_passkey(&safe, EMAIL).await;
    let link = change(&safe, &device, "other@example.org").await;
    assert_eq!(cancel(&safe, &link, true).await, StatusCode::OK);
    later(&safe, &mut device, HOUR).await;
    assert_eq!(refused(&safe, &device, CONFIRM, &by_mail("export")).await, "wait");
    later(&safe, &mut device, 23 * HOUR).await;
    safe.decide(&device, "export", true).await;
    assert_eq!(exports(&safe, &device).await, StatusCode::OK);
}
