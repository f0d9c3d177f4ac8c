//! Sessions, devices and slots.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::device::{Device, encode, random};
use support::wallet::Safe;

const EMAIL: &str = "ada@example.org";
const REFRESH: &str = "/wallet/v1/session/refresh";
const ME: &str = "/wallet/v1/me";

fn refresh(session: &Value) -> Value {
    json!({"refresh": session["refresh"]})
}

#[tokio::test]
async fn an_access_token_ends_after_15_minutes_and_a_refresh_token_gives_the_next() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let entered = safe.log_in(&mut device, EMAIL).await;
    safe.clock.pass(15 * 60_000);
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::UNAUTHORIZED);
    device.access = None;
    let (status, next) = device.ask(&safe, REFRESH, &refresh(&entered["session"])).await;
    assert_eq!(status, StatusCode::OK, "{next}");
    device.access = Some(next["access"].as_str().unwrap().into());
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::OK);
    safe.clock.pass(30 * 24 * 60 * 60_000);
    device.access = None;
    assert_eq!(device.ask(&safe, REFRESH, &refresh(&next)).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_refresh_token_that_is_used_twice_ends_its_session() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let entered = safe.log_in(&mut device, EMAIL).await;
    device.access = None;
    let first = refresh(&entered["session"]);
    let (status, next) = device.ask(&safe, REFRESH, &first).await;
    assert_eq!(status, StatusCode::OK);
    // On another device it is worthless, and harms nobody.
    assert_eq!(Device::new().ask(&safe, REFRESH, &first).await.0, StatusCode::UNAUTHORIZED);
    device.access = Some(next["access"].as_str().unwrap().into());
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::OK);
    device.access = None;
    assert_eq!(device.ask(&safe, REFRESH, &first).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(device.ask(&safe, REFRESH, &refresh(&next)).await.0, StatusCode::UNAUTHORIZED);
    device.access = Some(next["access"].as_str().unwrap().into());
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_new_login_of_a_device_replaces_its_session() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let first = safe.log_in(&mut device, EMAIL).await;
    device.access = None;
    let (_, started) = safe.begin(&device, EMAIL).await;
    safe.finish(&mut device, &started).await;
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::OK);
    device.access = Some(first["session"]["access"].as_str().unwrap().into());
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn of_two_refreshes_at_once_one_succeeds() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let body = refresh(&safe.log_in(&mut device, EMAIL).await["session"]);
    device.access = None;
    let (one, other) = tokio::join!(device.ask(&safe, REFRESH, &body), device.ask(&safe, REFRESH, &body));
    let mut statuses = [one.0.as_u16(), other.0.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
}

#[tokio::test]
async fn spec_7_22_signing_out_deletes_the_share_and_leaves_the_device_approved() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let first = safe.log_in(&mut device, EMAIL).await;
    device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await;
    assert_eq!(device.ask(&safe, "/wallet/v1/session/end", &json!({})).await, (StatusCode::OK, json!({})));
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::UNAUTHORIZED);
    device.access = None;
    assert_eq!(device.ask(&safe, REFRESH, &refresh(&first["session"])).await.0, StatusCode::UNAUTHORIZED);
    let (_, started) = safe.begin(&device, EMAIL).await;
    assert_eq!(started["action"], "VERIFY_OTP");
    let again = safe.finish(&mut device, &started).await;
    let user = first["user"]["id"].as_str().unwrap();
    let (before, after) = (device.open(user, &first["release"]), device.open(user, &again["release"]));
    assert_eq!(before["recovery"], after["recovery"]);
    assert_ne!(before["device"], after["device"]);
    assert_eq!(again["wallet"]["slots"].as_array().unwrap().len(), 1);
    let mut slot = device.wallet()["slots"][1].clone();
    slot["id"] = encode(random::<16>()).into();
    let (status, stored) = device.ask(&safe, "/wallet/v1/slot", &json!({"slot": slot})).await;
    assert_eq!((status, stored["slots"].as_array().map(Vec::len)), (StatusCode::OK, Some(2)), "{stored}");
}

#[tokio::test]
async fn a_removed_device_has_no_session_and_has_to_be_approved_again() {
    let safe = Safe::new().await;
    let (mut own, mut lost) = (Device::new(), Device::new());
    safe.log_in(&mut own, EMAIL).await;
    safe.clock.pass(30_000);
    safe.log_in(&mut lost, EMAIL).await;
    let (_, me) = own.ask(&safe, ME, &json!({})).await;
    let devices: Vec<_> =
        me["devices"].as_array().unwrap().iter().map(|one| (one["id"].clone(), one["current"].clone())).collect();
    assert_eq!(devices, [(json!(lost.thumbprint()), json!(false)), (json!(own.thumbprint()), json!(true))]);
    let (status, told) = own.ask(&safe, "/wallet/v1/device/remove", &json!({"id": lost.thumbprint()})).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &json!("confirm")));
    safe.confirm(&own).await;
    let (status, me) = own.ask(&safe, "/wallet/v1/device/remove", &json!({"id": lost.thumbprint()})).await;
    assert_eq!((status, me["devices"].as_array().map(Vec::len)), (StatusCode::OK, Some(1)));
    assert_eq!(lost.ask(&safe, ME, &json!({})).await.0, StatusCode::UNAUTHORIZED);
    lost.access = None;
    safe.clock.pass(30_000);
    assert_eq!(safe.begin(&lost, EMAIL).await.1["action"], "VERIFY_DEVICE");
    let other = own.ask(&safe, "/wallet/v1/device/remove", &json!({"id": lost.thumbprint()})).await;
    assert_eq!(other.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn spec_7_30_an_address_changes_by_a_code_to_each_and_the_old_one_is_told() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let entered = safe.log_in(&mut device, EMAIL).await;
    let (status, started) = device.ask(&safe, "/wallet/v1/email/update", &json!({"email": "new@example.org"})).await;
    assert_eq!((status, started), (StatusCode::OK, json!({"action": "VERIFY_PRIMARY_OTP"})));
    assert_eq!(safe.mails().await[0]["to"], EMAIL);
    let early = device.ask(&safe, "/wallet/v1/email/secondary", &json!({"code": safe.code().await})).await;
    assert_eq!(early.0, StatusCode::GONE);
    let (_, next) = device.ask(&safe, "/wallet/v1/email/primary", &json!({"code": safe.code().await})).await;
    assert_eq!(next, json!({"action": "VERIFY_SECONDARY_OTP"}));
    assert_eq!(safe.mails().await[0]["to"], "new@example.org");
    let (status, me) = device.ask(&safe, "/wallet/v1/email/secondary", &json!({"code": safe.code().await})).await;
    assert_eq!((status, &me["user"]["email"]), (StatusCode::OK, &json!("new@example.org")));
    assert_eq!(me["user"]["id"], entered["user"]["id"]);
    let told = &safe.mails().await[0];
    assert_eq!((&told["to"], &told["subject"]), (&json!(EMAIL), &json!("Your email was changed")));
}

/// Changes the address of a device's user, and returns the token of the link in the mail to the old one.
pub(super) async fn change(safe: &Safe, device: &Device, new: &str) -> String {
    safe.clock.pass(31_000);
    device.ask(safe, "/wallet/v1/email/update", &json!({"email": new})).await;
    device.ask(safe, "/wallet/v1/email/primary", &json!({"code": safe.code().await})).await;
    let (status, _) = device.ask(safe, "/wallet/v1/email/secondary", &json!({"code": safe.code().await})).await;
    assert_eq!(status, StatusCode::OK);
    let text = safe.mails().await[0]["text"].as_str().unwrap().to_owned();
    text.split_once("/cancel?t=").unwrap().1.lines().next().unwrap().to_owned()
}

pub(super) async fn cancel(safe: &Safe, token: &str, approve: bool) -> StatusCode {
    safe.send("/undo/decide", &[], &json!({"token": token, "approve": approve}).to_string()).await.0
}

#[tokio::test]
async fn spec_3_30_the_old_address_cancels_a_change_for_a_day_and_signs_all_devices_out() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let entered = safe.log_in(&mut device, EMAIL).await;
    let token = change(&safe, &device, "new@example.org").await;
    // Looking at the link and keeping the change do nothing.
    let (status, shown) = safe.send("/undo", &[], &json!({"token": token}).to_string()).await;
    assert_eq!(
        (status, &shown["deed"], &shown["browser"]),
        (StatusCode::OK, &json!("email"), &json!("Firefox on Linux"))
    );
    assert_eq!(cancel(&safe, &token, false).await, StatusCode::OK);
    assert_eq!(device.ask(&safe, ME, &json!({})).await.1["user"]["email"], "new@example.org");
    assert_eq!(cancel(&safe, &token, true).await, StatusCode::OK);
    assert_eq!(device.ask(&safe, ME, &json!({})).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(cancel(&safe, &token, true).await, StatusCode::GONE);
    safe.clock.pass(31_000);
    let again = safe.log_in(&mut Device::new(), EMAIL).await;
    assert_eq!((&again["user"]["id"], &again["user"]["email"]), (&entered["user"]["id"], &json!(EMAIL)));
    // After a day the link is void.
    let mut device = Device::new();
    safe.log_in(&mut device, "grace@example.org").await;
    let token = change(&safe, &device, "grace.new@example.org").await;
    safe.clock.pass(24 * 60 * 60 * 1000);
    assert_eq!(cancel(&safe, &token, true).await, StatusCode::GONE);
    assert_eq!(cancel(&safe, "x", true).await, StatusCode::GONE);
}

#[tokio::test]
async fn a_cancelled_change_ends_the_links_of_later_ones_and_never_those_of_earlier_ones() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    let first = change(&safe, &device, "thief@example.org").await;
    let second = change(&safe, &device, "other@example.org").await;
    // The thief, who reads the mails of the second address, cannot take away the link of the first.
    assert_eq!(cancel(&safe, &second, true).await, StatusCode::OK);
    assert_eq!(cancel(&safe, &first, true).await, StatusCode::OK);
    safe.clock.pass(31_000);
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    let first = change(&safe, &device, "thief@example.org").await;
    let second = change(&safe, &device, "other@example.org").await;
    assert_eq!(cancel(&safe, &first, true).await, StatusCode::OK);
    assert_eq!(cancel(&safe, &second, true).await, StatusCode::GONE);
}

#[tokio::test]
async fn an_old_address_that_has_an_account_of_its_own_by_now_is_not_taken_from_it() {
    let safe = Safe::new().await;
    let (mut device, mut other) = (Device::new(), Device::new());
    safe.log_in(&mut device, EMAIL).await;
    let token = change(&safe, &device, "new@example.org").await;
    safe.clock.pass(31_000);
    let entered = safe.log_in(&mut other, EMAIL).await;
    assert_eq!(cancel(&safe, &token, true).await, StatusCode::CONFLICT);
    assert_eq!(other.ask(&safe, ME, &json!({})).await.1["user"]["id"], entered["user"]["id"]);
    assert_eq!(device.ask(&safe, ME, &json!({})).await.1["user"]["email"], "new@example.org");
}

#[tokio::test]
async fn an_address_of_another_user_is_refused_only_after_both_codes() {
    let safe = Safe::new().await;
    let (mut device, mut other) = (Device::new(), Device::new());
    safe.log_in(&mut other, "taken@example.org").await;
    safe.log_in(&mut device, EMAIL).await;
    safe.clock.pass(30_000);
    device.ask(&safe, "/wallet/v1/email/update", &json!({"email": "taken@example.org"})).await;
    let (status, _) = device.ask(&safe, "/wallet/v1/email/primary", &json!({"code": safe.code().await})).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = device.ask(&safe, "/wallet/v1/email/secondary", &json!({"code": safe.code().await})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (_, me) = device.ask(&safe, ME, &json!({})).await;
    assert_eq!(me["user"]["email"], EMAIL);
}
