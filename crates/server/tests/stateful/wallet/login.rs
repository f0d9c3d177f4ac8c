//! Login by e-mail, from the address to a stored wallet.

use crate::support;
use axum::http::StatusCode;
use serde_json::json;
use support::device::Device;
use support::wallet::{HOST, Safe};

const EMAIL: &str = "ada@example.org";

#[tokio::test]
async fn spec_7_16_an_unknown_device_is_approved_by_mail_and_a_code_makes_user_and_wallet() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let (status, started) = safe.begin(&device, EMAIL).await;
    assert_eq!((status, &started["action"]), (StatusCode::OK, &json!("VERIFY_DEVICE")));
    let mail = safe.mails().await[0].clone();
    assert_eq!((&mail["to"], &mail["subject"]), (&json!(EMAIL), &json!("Approve your login")));
    let text = mail["text"].as_str().unwrap();
    for told in [HOST, "Firefox on Linux", "203.0.113.x"] {
        assert!(text.contains(told), "{text}");
    }
    let (status, shown) = safe.send("/approval", &[], &json!({"token": safe.link().await}).to_string()).await;
    assert_eq!((status, &shown["number"], &shown["open"]), (StatusCode::OK, &started["number"], &json!(true)));
    assert_eq!(safe.approve(&safe.link().await).await, StatusCode::OK);
    let mail = safe.mails().await[0].clone();
    assert!(
        !mail["text"].as_str().unwrap().contains("http://localhost")
            && !mail["html"].as_str().unwrap().contains("href")
    );
    let entered = safe.finish(&mut device, &started).await;
    assert_eq!((&entered["user"]["email"], &entered["user"]["provider"]), (&json!(EMAIL), &json!("email")));
    assert!(entered["wallet"].is_null());
    let user = entered["user"]["id"].as_str().unwrap();
    let first = device.open(user, &entered["release"]);
    let wallet = device.wallet();
    let (status, stored) = device.ask(&safe, "/wallet/v1/wallet", &wallet).await;
    assert_eq!((status, &stored["blob"], &stored["frozen"]), (StatusCode::OK, &wallet["blob"], &json!(false)));
    let (status, unlocked) = device.ask(&safe, "/wallet/v1/unlock", &json!({"key": device.worker_key()})).await;
    assert_eq!(status, StatusCode::OK, "{unlocked}");
    let released = device.open(user, &unlocked["release"]);
    assert_eq!((&released["device"], &released["recovery"]), (&first["device"], &json!(null)));
    assert_eq!(unlocked["wallet"]["addresses"], wallet["addresses"]);
}

#[tokio::test]
async fn spec_7_14_an_approved_device_gets_a_code_at_once_and_a_live_session_needs_none() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    let first = safe.log_in(&mut device, EMAIL).await;
    let (_, started) = safe.begin(&device, EMAIL).await;
    assert_eq!((&started["action"], &started["number"]), (&json!("CONNECT"), &json!(null)));
    let count = safe.mails().await.len();
    device.access = None;
    let (_, started) = safe.begin(&device, EMAIL).await;
    assert_eq!((&started["action"], &started["number"]), (&json!("VERIFY_OTP"), &json!(null)));
    assert_eq!(safe.mails().await.len(), count + 1);
    let again = safe.finish(&mut device, &started).await;
    assert_eq!(again["user"], first["user"]);
    let user = first["user"]["id"].as_str().unwrap();
    let (first, again) = (device.open(user, &first["release"]), device.open(user, &again["release"]));
    assert_eq!(first, again);
}

#[tokio::test]
async fn a_second_device_gets_the_same_recovery_share_and_a_share_of_its_own() {
    let safe = Safe::new().await;
    let (mut one, mut other) = (Device::new(), Device::new());
    let first = safe.log_in(&mut one, EMAIL).await;
    assert_eq!(one.ask(&safe, "/wallet/v1/wallet", &one.wallet()).await.0, StatusCode::OK);
    safe.clock.pass(30_000);
    let second = safe.log_in(&mut other, "ADA@example.org").await;
    assert_eq!(first["user"]["id"], second["user"]["id"]);
    let user = first["user"]["id"].as_str().unwrap();
    let (mine, theirs) = (one.open(user, &first["release"]), other.open(user, &second["release"]));
    assert_eq!(mine["recovery"], theirs["recovery"]);
    assert_ne!(mine["device"], theirs["device"]);
    // It cannot try the slot of the first one.
    let kinds: Vec<_> = second["wallet"]["slots"].as_array().unwrap().iter().map(|slot| slot["kind"].clone()).collect();
    assert_eq!(kinds, [json!("recovery")]);
}

#[tokio::test]
async fn two_users_have_different_shares() {
    let safe = Safe::new().await;
    let (mut one, mut other) = (Device::new(), Device::new());
    let (first, second) = (safe.log_in(&mut one, EMAIL).await, safe.log_in(&mut other, "bob@example.org").await);
    let user = |entered: &serde_json::Value| entered["user"]["id"].as_str().unwrap().to_owned();
    let (mine, theirs) = (one.open(&user(&first), &first["release"]), other.open(&user(&second), &second["release"]));
    assert_ne!(mine["recovery"], theirs["recovery"]);
    assert_ne!(mine["device"], theirs["device"]);
}

#[tokio::test]
async fn a_wallet_is_never_made_twice() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    let (one, other) = (device.wallet(), device.wallet());
    let (first, second) =
        tokio::join!(device.ask(&safe, "/wallet/v1/wallet", &one), device.ask(&safe, "/wallet/v1/wallet", &other));
    let mut statuses = [first.0.as_u16(), second.0.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let stored = if first.0 == StatusCode::OK { first.1 } else { second.1 };
    let (_, me) = device.ask(&safe, "/wallet/v1/me", &json!({})).await;
    assert_eq!(me["wallet"], stored);
    assert_eq!(stored["slots"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_wallet_of_another_form_is_refused() {
    let safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    let other = Device::new().wallet();
    for (member, value) in [
        ("id", json!("AA")),
        ("blob", json!("")),
        ("blob", json!(support::device::encode([0; 71]))),
        ("slots", json!([])),
        ("slots", json!([device.wallet()["slots"][0], device.wallet()["slots"][0]])),
        ("slots", other["slots"].clone()),
        ("addresses", json!({})),
        ("addresses", json!({"eip155": "<script>"})),
        ("addresses", json!({"EIP": "0x"})),
    ] {
        let mut wallet = device.wallet();
        wallet[member] = value;
        let (status, told) = device.ask(&safe, "/wallet/v1/wallet", &wallet).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wallet} {told}");
    }
    let (_, me) = device.ask(&safe, "/wallet/v1/me", &json!({})).await;
    assert!(me["wallet"].is_null());
}

#[tokio::test]
async fn spec_7_15_a_device_that_waits_hears_of_its_approval() {
    let safe = Safe::new().await;
    let device = Device::new();
    let (_, started) = safe.begin(&device, EMAIL).await;
    let token = safe.link().await;
    let waits = json!({"transaction": started["transaction"]});
    let (waited, approved) = tokio::join!(device.ask(&safe, "/wallet/v1/login/device", &waits), safe.approve(&token));
    assert_eq!(approved, StatusCode::OK);
    assert_eq!(waited, (StatusCode::OK, json!({"device": "approved"})));
}

#[tokio::test]
async fn a_declined_device_hears_so_and_gets_no_code() {
    let safe = Safe::new().await;
    let device = Device::new();
    let (_, started) = safe.begin(&device, EMAIL).await;
    let token = safe.link().await;
    let declined = json!({"token": token, "approve": false}).to_string();
    assert_eq!(safe.send("/approve", &[], &declined).await.0, StatusCode::OK);
    assert_eq!(safe.approve(&token).await, StatusCode::CONFLICT);
    assert_eq!(safe.mails().await.len(), 1);
    let (_, waited) =
        device.ask(&safe, "/wallet/v1/login/device", &json!({"transaction": started["transaction"]})).await;
    assert_eq!(waited, json!({"device": "refused"}));
}

#[tokio::test]
async fn spec_8_35_a_second_login_within_30_seconds_is_told_how_long_to_wait() {
    let safe = Safe::new().await;
    let device = Device::new();
    assert_eq!(safe.begin(&device, EMAIL).await.0, StatusCode::OK);
    safe.clock.pass(12_500);
    let (status, told) = safe.begin(&device, EMAIL).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(told["reasons"][0]["description"], "Please try again after 18 seconds");
    safe.clock.pass(17_500);
    assert_eq!(safe.begin(&device, EMAIL).await.0, StatusCode::OK);
    // Three in ten minutes.
    safe.clock.pass(30_000);
    assert_eq!(safe.begin(&Device::new(), EMAIL).await.0, StatusCode::OK);
    safe.clock.pass(30_000);
    let (_, told) = safe.begin(&Device::new(), EMAIL).await;
    assert_eq!(told["reasons"][0]["description"], "Please try again after 510 seconds");
    assert_eq!(safe.begin(&device, "bob@example.org").await.0, StatusCode::OK);
}

#[tokio::test]
async fn addresses_with_a_tag_are_one_mailbox_for_the_limits_of_mails_and_other_wallets() {
    let safe = Safe::new().await;
    let plain = safe.log_in(&mut Device::new(), EMAIL).await["user"]["id"].clone();
    let (status, told) = safe.begin(&Device::new(), "Ada+1@example.org").await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(told["reasons"][0]["description"], "Please try again after 30 seconds");
    safe.clock.pass(30_000);
    let tagged = safe.log_in(&mut Device::new(), "ada+1@example.org").await["user"]["id"].clone();
    assert_ne!(plain, tagged);
    safe.clock.pass(30_000);
    assert_eq!(safe.begin(&Device::new(), "ada+2@example.org").await.0, StatusCode::OK);
    assert_eq!(safe.mails().await[0]["to"], "ada+2@example.org");
    // Three in ten minutes.
    safe.clock.pass(30_000);
    for address in [EMAIL, "ada+1@example.org", "ada+3@example.org"] {
        assert_eq!(safe.begin(&Device::new(), address).await.0, StatusCode::TOO_MANY_REQUESTS, "{address}");
    }
    assert_eq!(safe.begin(&Device::new(), "bob+1@example.org").await.0, StatusCode::OK);
}

#[tokio::test]
async fn an_address_gets_at_most_ten_mails_a_day_from_strangers_and_its_own_device_more() {
    let safe = Safe::new().await;
    let mut own = Device::new();
    safe.log_in(&mut own, EMAIL).await;
    own.access = None;
    for _ in 0..9 {
        safe.clock.pass(11 * 60_000);
        assert_eq!(safe.begin(&Device::new(), EMAIL).await.0, StatusCode::OK);
    }
    safe.clock.pass(11 * 60_000);
    assert_eq!(safe.begin(&Device::new(), EMAIL).await.0, StatusCode::TOO_MANY_REQUESTS);
    let (status, started) = safe.begin(&own, EMAIL).await;
    assert_eq!((status, &started["action"]), (StatusCode::OK, &json!("VERIFY_OTP")));
}
