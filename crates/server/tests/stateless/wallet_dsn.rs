//! Delivery status notifications (RFC 3461) that the vault's mails ask for, at mail servers by aiosmtpd.

use crate::support;
use axum::http::StatusCode;
use portico_server::config::{Config, Flags};
use portico_server::vault::Mailer;
use serde::Deserialize;
use std::path::Path;
use std::process::Stdio;
use support::device::Device;
use support::node::portico;
use support::wallet::Safe;
use support::within;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

const SENDER: &str = "Shop <wallet@example.org>";

/// A mail server of `mail_server.py`, which ends with the test.
struct MailServer {
    port: u16,
    lines: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

/// A mail that a server took.
#[derive(Deserialize)]
struct Taken {
    /// Port of the vault's connection.
    client: u16,
    /// Commands since the mail before on this connection.
    heard: Vec<String>,
    text: String,
}

impl MailServer {
    /// Starts a server that takes the parameters of these commands, or announces no DSN with "none".
    async fn start(takes: &[&str]) -> MailServer {
        let python = std::env::var_os("PORTICO_TEST_PYTHON");
        let python = python.expect("PORTICO_TEST_PYTHON is not set: run `cargo xtask test rust`, which gets aiosmtpd");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stateless/mail_server.py");
        let mut command = Command::new(python);
        command.arg(script).args(takes).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = within("the mail server's port", lines.next_line()).await.unwrap().unwrap();
        MailServer { port: port.parse().unwrap(), lines, _process: process }
    }

    fn toml(&self, sender: &str) -> String {
        let origin = "[wallet]\norigin = \"http://localhost:1\"\n[wallet.vault]\nstart = false\n";
        format!("{origin}[wallet.mail]\nsmtp = \"smtp://127.0.0.1:{}\"\nfrom = \"{sender}\"\n", self.port)
    }

    /// Vault that sends to this server.
    async fn vault(&self, sender: &str) -> Safe {
        let toml = self.toml(sender);
        let config = Config::parse(Path::new("portico.toml"), &toml, [], &Flags::default()).unwrap();
        Safe::with_mailer(Mailer::new(&config.wallet.unwrap().mail).unwrap()).await
    }

    /// Begins a login, and gives the mail that it sends.
    async fn mail(&mut self, safe: &Safe, to: &str) -> Taken {
        assert_eq!(safe.begin(&Device::new(), to).await.0, StatusCode::OK);
        let line = within("the mail", self.lines.next_line()).await.unwrap().unwrap();
        let taken: Taken = serde_json::from_str(&line).unwrap();
        assert!(taken.text.contains("Subject: Approve your login"), "{}", taken.text);
        taken
    }

    /// Line of the doctor about this server.
    async fn doctor(&self) -> String {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("portico.toml"), self.toml(SENDER)).unwrap();
        let output = within("the doctor", portico(folder.path(), &["vault", "doctor"]).output()).await.unwrap();
        let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        told.lines().find(|line| line.contains("wallet.mail")).unwrap_or(&told).trim().to_owned()
    }
}

/// Commands of a mail without DSN.
const PLAIN: [&str; 2] = ["MAIL FROM:<wallet@example.org>", "RCPT TO:<ada@example.org>"];

#[tokio::test]
async fn a_mail_asks_a_server_with_dsn_for_a_bounce_without_its_text() {
    let mut server = MailServer::start(&["MAIL", "RCPT"]).await;
    let safe = server.vault(SENDER).await;
    let mut ids = Vec::new();
    for to in ["ada@example.org", "bob@example.org"] {
        let mail = server.mail(&safe, to).await;
        let [sender, recipient] = &mail.heard[..] else { panic!("{:?}", mail.heard) };
        let id = sender.strip_prefix("MAIL FROM:<wallet@example.org> RET=HDRS ENVID=").unwrap();
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{sender}");
        assert!(mail.text.contains(&format!("Message-ID: <{id}@example.org>")), "{}", mail.text);
        assert_eq!(*recipient, format!("RCPT TO:<{to}> NOTIFY=FAILURE"));
        ids.push(id.to_owned());
    }
    assert_ne!(ids[0], ids[1]);
}

#[tokio::test]
async fn a_sender_beyond_ascii_asks_too() {
    let mut server = MailServer::start(&["MAIL", "RCPT"]).await;
    let safe = server.vault("Shop <wallet@bücher.example>").await;
    let mail = server.mail(&safe, "ada@example.org").await;
    let sender = &mail.heard[0];
    assert!(sender.starts_with("MAIL FROM:<wallet@bücher.example> RET=HDRS ENVID="), "{sender}");
    assert!(sender.contains(" SMTPUTF8"), "{sender}");
}

#[tokio::test]
async fn a_mail_to_a_server_without_dsn_has_no_parameters() {
    let mut server = MailServer::start(&["none"]).await;
    let safe = server.vault(SENDER).await;
    assert_eq!(server.mail(&safe, "ada@example.org").await.heard, PLAIN);
}

#[tokio::test]
async fn a_server_that_refuses_the_dsn_it_announces_gets_mails_without_it() {
    for takes in [&[][..], &["MAIL"]] {
        let mut server = MailServer::start(takes).await;
        let safe = server.vault(SENDER).await;
        let first = server.mail(&safe, "ada@example.org").await;
        let (asked, plain) = first.heard.split_at(first.heard.len() - PLAIN.len());
        assert!(asked[0].contains(" RET=HDRS ") && asked.last().unwrap() == "RSET", "{asked:?}");
        assert_eq!(asked.len(), takes.len() + 2, "{asked:?}");
        assert_eq!(plain, PLAIN);
        // The next mail takes the same connection, which knows by now.
        let next = server.mail(&safe, "bob@example.org").await;
        assert_eq!(next.heard, ["MAIL FROM:<wallet@example.org>", "RCPT TO:<bob@example.org>"]);
        assert_eq!(next.client, first.client);
    }
}

#[tokio::test]
async fn the_doctor_tells_whether_bounces_have_codes_and_links() {
    let ready = "ok     wallet.mail: the mail server is ready, from Shop <wallet@example.org>.";
    let with = MailServer::start(&["MAIL", "RCPT"]).await;
    assert_eq!(with.doctor().await, format!("{ready} It offers DSN: bounces leave out codes and links."));
    let without = MailServer::start(&["none"]).await;
    assert_eq!(without.doctor().await, format!("{ready} It offers no DSN: bounces may contain codes and links."));
}
