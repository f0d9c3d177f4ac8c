//! Mails of the vault over TLS and with a password, sent by the real process to a mail server with an authority of its own.

use crate::support;
use serde_json::json;
use std::path::Path;
use support::device::Device;
use support::mail::{Tls, secure};
use support::node::portico;
use support::tls::Authority;
use support::vault::VaultProcess;
use support::within;
use tempfile::TempDir;

/// Response of AUTH PLAIN for the name "shop" and the password "secret": both after a zero byte, in Base64 (RFC 4616).
const PASSWORD: &str = "AHNob3AAc2VjcmV0";

/// Folder of a vault that sends by this URL, and trusts this authority.
async fn folder(url: &str, authority: &Authority) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let toml = format!(
        "listen = \"127.0.0.1:1\"\n[wallet]\norigin = \"http://localhost:1\"\n[wallet.vault]\nstart = false\n\
         [wallet.mail]\nsmtp = \"{url}\"\nfrom = \"Shop <wallet@example.org>\"\n"
    );
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    std::fs::write(folder.path().join("trusted.pem"), authority.pem()).unwrap();
    let (done, told) = said(folder.path(), "init").await;
    assert!(done, "{told}");
    folder
}

/// Output of a command on the vault that trusts the authority of its folder.
async fn said(folder: &Path, command: &str) -> (bool, String) {
    let mut command = portico(folder, &["vault", command]);
    command.env("SSL_CERT_FILE", folder.join("trusted.pem"));
    let output = within("the end of a command", command.output()).await.unwrap();
    let told = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(told).unwrap())
}

/// Begins a login, whose mail has to arrive by this way.
async fn sends(tls: Tls, authority: &Authority, url: impl Fn(u16) -> String) {
    let (server, mut mails) = secure(tls, PASSWORD).await;
    let folder = folder(&url(server.port()), authority).await;
    let (done, told) = said(folder.path(), "doctor").await;
    assert!(told.contains("ok     wallet.mail: the mail server is ready"), "{done} {told}");
    let trusted = folder.path().join("trusted.pem");
    let vault = VaultProcess::start(folder.path(), &[("SSL_CERT_FILE", trusted.to_str().unwrap())]).await;
    let body = json!({"email": "ada@example.org", "project": "demo", "host": "https://shop.example", "language": "en"});
    let asked = Device::new().ask_at(folder.path(), "203.0.113.9", "/wallet/v1/login/email", &body).await;
    assert_eq!(asked.unwrap().0, 200);
    let mail = within("the mail", mails.recv()).await.unwrap();
    assert!(mail.to.contains("<ada@example.org>") && mail.text.contains("Subject: Approve your login"), "{mail:?}");
    vault.kill().await;
}

#[tokio::test]
async fn a_mail_is_sent_by_starttls_with_a_password() {
    let authority = Authority::new("Authority of the tests");
    let tls = Tls::Asked(authority.acceptor("localhost"));
    sends(tls, &authority, |port| format!("smtp://shop:secret@localhost:{port}?tls=required")).await;
}

#[tokio::test]
async fn a_mail_is_sent_by_implicit_tls_with_a_password() {
    let authority = Authority::new("Authority of the tests");
    let tls = Tls::Implicit(authority.acceptor("localhost"));
    sends(tls, &authority, |port| format!("smtps://shop:secret@localhost:{port}")).await;
}

/// Sentence of the doctor about a mail server that isn't used.
async fn refused(tls: Tls, trusted: &Authority, url: impl Fn(u16) -> String) -> String {
    let (server, mut mails) = secure(tls, PASSWORD).await;
    let folder = folder(&url(server.port()), trusted).await;
    let (done, told) = said(folder.path(), "doctor").await;
    assert!(!done && mails.try_recv().is_err(), "{told}");
    assert!(!told.contains("secret"), "{told}");
    told.lines().find(|line| line.contains("wallet.mail")).unwrap().to_owned()
}

#[tokio::test]
async fn a_mail_server_with_a_wrong_certificate_gets_no_password_and_the_cause_is_told() {
    let (own, other) = (Authority::new("Authority of the tests"), Authority::new("Other authority"));
    let smtps = |port| format!("smtps://shop:secret@localhost:{port}");
    let unknown = refused(Tls::Implicit(other.acceptor("localhost")), &own, smtps).await;
    assert!(unknown.contains("is from an authority that this machine doesn't trust."), "{unknown}");
    let named = refused(Tls::Implicit(own.acceptor("mail.example.org")), &own, smtps).await;
    assert!(named.contains("isn't for the name localhost."), "{named}");
    let starttls = |port| format!("smtp://shop:secret@localhost:{port}?tls=required");
    let asked = refused(Tls::Asked(other.acceptor("localhost")), &own, starttls).await;
    assert!(asked.contains("is from an authority that this machine doesn't trust."), "{asked}");
    let itself = refused(Tls::Implicit(own.itself()), &own, smtps).await;
    assert!(itself.contains(" is self-signed. Give it a certificate of an authority that "), "{itself}");
    // It has the name of the trusted authority, and another key.
    let namesake = refused(Tls::Implicit(Authority::new("Authority of the tests").acceptor("localhost")), &own, smtps);
    let namesake = namesake.await;
    assert!(namesake.contains(" isn't signed by the authority that it names. "), "{namesake}");
    let expired = refused(Tls::Implicit(own.expired("localhost")), &own, smtps).await;
    assert!(expired.contains(" has expired. Renew it there, and check this machine's clock."), "{expired}");
}

#[tokio::test]
async fn a_wrong_password_is_told() {
    let authority = Authority::new("Authority of the tests");
    let tls = Tls::Implicit(authority.acceptor("localhost"));
    let told = refused(tls, &authority, |port| format!("smtps://shop:other@localhost:{port}")).await;
    assert!(told.contains("refuses name and password. Check them in `wallet.mail.smtp`"), "{told}");
}
