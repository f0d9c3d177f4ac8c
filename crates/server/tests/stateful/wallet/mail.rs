//! Mails as they arrive at a mail server.

use crate::support;
use axum::http::StatusCode;
use portico_server::config::{Config, Flags};
use portico_server::vault::Mailer;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use support::device::Device;
use support::mail::sink;
use support::wallet::Safe;
use support::within;

/// Mailer to this server.
fn mailer(server: SocketAddr) -> Mailer {
    let toml = format!(
        "[wallet]\norigin = \"http://localhost:1\"\n[wallet.mail]\nsmtp = \"smtp://{server}\"\nfrom = \"Shop <wallet@example.org>\"\n"
    );
    let config = Config::parse(Path::new("portico.toml"), &toml, [], &Flags::default()).unwrap();
    Mailer::new(&config.wallet.unwrap().mail).unwrap()
}

#[tokio::test]
async fn a_mail_reaches_the_mail_server_as_text_and_html() {
    let (server, mut mails) = sink(0).await;
    let safe = Safe::with_mailer(mailer(server)).await;
    let (status, _) = safe.begin(&Device::new(), "ada@example.org").await;
    assert_eq!(status, StatusCode::OK);
    let mail = within("the mail", mails.recv()).await.unwrap();
    assert!(mail.from.contains("<wallet@example.org>") && mail.to.contains("<ada@example.org>"), "{mail:?}");
    for told in [
        "Subject: Approve your login\r\n",
        "From: Shop <wallet@example.org>\r\n",
        "multipart/alternative",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Type: text/html; charset=utf-8",
        "Site: https://shop.example",
    ] {
        assert!(mail.text.contains(told), "{told} is not in {}", mail.text);
    }
    let id = mail.text.split("Message-ID: <").nth(1).and_then(|rest| rest.split('>').next());
    assert!(id.is_some_and(|id| id.len() == 44 && id.ends_with("@example.org")), "{id:?}");
    assert!(!mail.text.contains("<img") && !mail.text.contains("<script"), "{}", mail.text);
}

#[tokio::test]
async fn a_mail_that_the_server_puts_off_is_sent_again() {
    let (server, mut mails) = sink(1).await;
    let safe = Safe::with_mailer(mailer(server)).await;
    safe.begin(&Device::new(), "ada@example.org").await;
    tokio::time::pause();
    assert!(within("the mail", mails.recv()).await.unwrap().to.contains("ada@example.org"));
}

#[tokio::test]
async fn a_login_is_answered_the_same_when_the_mail_server_is_away() {
    let (server, _) = sink(0).await;
    let safe = Safe::with_mailer(mailer(SocketAddr::new(server.ip(), 1))).await;
    let (status, started) = safe.begin(&Device::new(), "ada@example.org").await;
    assert_eq!((status, started["action"].as_str()), (StatusCode::OK, Some("VERIFY_DEVICE")));
}

/// Answer to a device that waits for its login.
async fn waited(safe: &Safe, device: &Device, started: &Value) -> (StatusCode, Value) {
    device.ask(safe, "/wallet/v1/login/device", &json!({ "transaction": started["transaction"] })).await
}

/// Whether an answer says that the mail wasn't sent.
fn is_unsent((status, told): &(StatusCode, Value)) -> bool {
    let reason = &told["reasons"][0];
    let sentence = "Couldn't send the email. Check the address, or try again.";
    *status == StatusCode::BAD_REQUEST && reason["field"] == "mail" && reason["description"] == sentence
}

#[tokio::test]
async fn a_device_is_told_that_its_mail_was_refused_alike_for_known_and_unknown_addresses() {
    let mut safe = Safe::new().await;
    let mut known = Device::new();
    safe.log_in(&mut known, "nobody@example.org").await;
    safe.clock.pass(30_000);
    let mut heard = Device::new();
    safe.log_in(&mut heard, "ada@example.org").await;
    let (server, mut mails) = sink(0).await;
    safe.start(mailer(server)).await;
    let device = Device::new();
    for address in ["nobody@example.org", "nobody@other.example"] {
        let (status, started) = safe.begin(&device, address).await;
        assert_eq!((status, started["action"].as_str()), (StatusCode::OK, Some("VERIFY_DEVICE")), "{address}");
        let told = waited(&safe, &device, &started).await;
        assert!(is_unsent(&told), "{address}: {told:?}");
    }
    // An approved device knows that the address has an account, and waits for a code next.
    known.access = None;
    let told = safe.begin(&known, "nobody@example.org").await;
    assert!(is_unsent(&told), "{told:?}");
    heard.access = None;
    safe.clock.pass(30_000);
    let (status, started) = safe.begin(&heard, "ada@example.org").await;
    assert_eq!((status, started["action"].as_str()), (StatusCode::OK, Some("VERIFY_OTP")));
    assert!(within("the mail", mails.recv()).await.unwrap().to.contains("<ada@example.org>"));
}

#[tokio::test]
async fn a_device_is_told_that_the_mail_with_its_code_was_refused() {
    let mut safe = Safe::new().await;
    let device = Device::new();
    let (_, started) = safe.begin(&device, "nobody@example.org").await;
    let link = safe.link().await;
    let (server, _mails) = sink(0).await;
    safe.start(mailer(server)).await;
    assert_eq!(safe.approve(&link).await, StatusCode::OK);
    let told = async {
        loop {
            let told = waited(&safe, &device, &started).await;
            match told.1["device"] == "approved" {
                true => tokio::task::yield_now().await,
                false => return told,
            }
        }
    };
    let told = within("the refusal", told).await;
    assert!(is_unsent(&told), "{told:?}");
}

#[tokio::test]
async fn a_device_is_told_that_the_mail_of_its_confirmation_was_refused() {
    let mut safe = Safe::new().await;
    let mut device = Device::new();
    safe.log_in(&mut device, "nobody@example.org").await;
    let (server, _mails) = sink(0).await;
    safe.start(mailer(server)).await;
    for deed in ["change", "export"] {
        safe.clock.pass(30_000);
        let asked = json!({"deed": deed, "language": "en", "mail": true});
        let told = device.ask(&safe, "/wallet/v1/confirm", &asked).await;
        assert!(is_unsent(&told), "{deed}: {told:?}");
    }
}
