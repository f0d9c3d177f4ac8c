//! Mails about logins on devices that an account didn't have.

use super::jwt::{self, Host};
use super::passkey::with_passkey;
use super::social::{self, Service};
use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::device::Device;
use support::wallet::{HOST, Safe};

const SUBJECT: &str = "New device logged in to your wallet";

/// Mails about new devices, the newest first.
async fn notices(safe: &Safe) -> Vec<Value> {
    safe.mails().await.into_iter().filter(|mail| mail["subject"] == SUBJECT).collect()
}

#[tokio::test]
async fn a_login_at_a_service_on_a_new_device_is_told_by_mail_with_browser_place_site_and_time() {
    let service = Service::start().await;
    let safe = social::safe(&service).await;
    let (mut own, mut other) = (Device::new(), Device::new());
    social::log_in(&safe, &service, &mut own, "7").await;
    assert!(notices(&safe).await.is_empty(), "the first device is that of the account");
    safe.clock.pass(60_000);
    social::log_in(&safe, &service, &mut other, "7").await;
    let told = notices(&safe).await;
    assert_eq!((told.len(), &told[0]["to"]), (1, &json!("ada@example.org")));
    let text = "A device that your wallet didn't know logged in to it. If this was you, you don't have to do anything.\n\n\
        Site: https://shop.example\nBrowser: Firefox on Linux\nTime: Nov 14, 2023, 22:14 UTC\nIP address: 203.0.113.x\n\n\
        If this wasn't you, open the settings of your wallet right away. Freeze it there, and remove the device named above.\n\n\
        Then contact the site where you use the wallet.\n\n";
    assert_eq!(told[0]["text"], text);
}

#[tokio::test]
async fn a_device_is_told_of_once_and_again_after_it_was_removed() {
    let host = Host::new();
    let safe = jwt_safe(&host).await;
    let (mut own, mut other) = (Device::new(), Device::new());
    by_token(&safe, &host, &mut own, 1).await;
    by_token(&safe, &host, &mut other, 2).await;
    safe.clock.pass(60_000);
    by_token(&safe, &host, &mut other, 3).await;
    // A device that signed out comes back as a known one.
    assert_eq!(other.ask(&safe, "/wallet/v1/session/end", &json!({})).await.0, StatusCode::OK);
    safe.clock.pass(60_000);
    by_token(&safe, &host, &mut other, 4).await;
    by_token(&safe, &host, &mut own, 5).await;
    assert_eq!(notices(&safe).await.len(), 1);
    safe.confirm(&own).await;
    let removal = json!({"id": other.thumbprint()});
    assert_eq!(own.ask(&safe, "/wallet/v1/device/remove", &removal).await.0, StatusCode::OK);
    safe.clock.pass(60_000);
    other.access = None;
    by_token(&safe, &host, &mut other, 6).await;
    assert_eq!(notices(&safe).await.len(), 2);
}

async fn jwt_safe(host: &Host) -> Safe {
    Safe::with(&host.entry("https://shop.example", "")).await
}

/// Logs a visitor of the site in on a device.
async fn by_token(safe: &Safe, host: &Host, device: &mut Device, number: u32) {
    let now = safe.clock.now() / 1000;
    let mut claims = Host::claims("7");
    (claims["jti"], claims["iat"], claims["exp"]) = (number.to_string().into(), now.into(), (now + 60).into());
    jwt::log_in(safe, device, &host.sign(&claims)).await;
}

#[tokio::test]
async fn a_login_by_a_mails_link_is_told_by_no_second_mail() {
    let safe = Safe::new().await;
    safe.log_in(&mut Device::new(), "ada@example.org").await;
    safe.clock.pass(60_000);
    safe.log_in(&mut Device::new(), "ada@example.org").await;
    assert!(notices(&safe).await.is_empty());
}

#[tokio::test]
async fn a_code_to_a_device_that_is_removed_meanwhile_is_told_because_no_link_approved_it() {
    let safe = Safe::new().await;
    let (mut own, mut other) = (Device::new(), Device::new());
    safe.log_in(&mut own, "ada@example.org").await;
    safe.clock.pass(60_000);
    safe.log_in(&mut other, "ada@example.org").await;
    safe.confirm(&own).await;
    other.access = None;
    safe.clock.pass(60_000);
    let (_, started) = safe.begin(&other, "ada@example.org").await;
    assert_eq!(started["action"], "VERIFY_OTP");
    let code = safe.code().await;
    let removal = json!({"id": other.thumbprint()});
    assert_eq!(own.ask(&safe, "/wallet/v1/device/remove", &removal).await.0, StatusCode::OK);
    let body = json!({"transaction": started["transaction"], "code": code, "key": other.worker_key()});
    assert_eq!(other.ask(&safe, "/wallet/v1/login/code", &body).await.0, StatusCode::OK);
    assert_eq!(notices(&safe).await.len(), 1);
}

#[tokio::test]
async fn a_login_by_a_passkey_on_a_new_device_is_told() {
    let safe = Safe::new().await;
    let (_own, passkey) = with_passkey(&safe, "ada@example.org").await;
    let device = Device::new();
    let asked = json!({"project": "demo", "host": HOST});
    let (_, started) = device.ask(&safe, "/wallet/v1/login/passkey", &asked).await;
    let body = json!({"proof": passkey.sign(&started["transaction"]), "key": device.worker_key()});
    let (status, told) = device.ask(&safe, "/wallet/v1/login/passkey/finish", &body).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    assert_eq!(notices(&safe).await.len(), 1);
}

#[tokio::test]
async fn many_new_devices_fill_no_mailbox_and_all_log_in() {
    let host = Host::new();
    let safe = jwt_safe(&host).await;
    for number in 0..8 {
        by_token(&safe, &host, &mut Device::new(), number).await;
    }
    assert_eq!(notices(&safe).await.len(), 3);
    safe.clock.pass(10 * 60_000);
    by_token(&safe, &host, &mut Device::new(), 8).await;
    assert_eq!(notices(&safe).await.len(), 4);
}
