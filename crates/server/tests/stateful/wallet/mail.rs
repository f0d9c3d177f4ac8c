//! Mails as they arrive at a mail server.

use crate::support;
use axum::http::StatusCode;
use portico_server::config::{Config, Flags};
use portico_server::vault::Mailer;
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
