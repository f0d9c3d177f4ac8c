//! The real vault as a process of its own, and requests to its socket as the web tier sends them.

use super::device::Device;
use super::node::portico;
use super::within;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::process::Child;

/// `portico vault serve`, configured by the `portico.toml` of its folder.
pub struct VaultProcess {
    pub child: Child,
    /// Line by which it told that it listens.
    pub line: String,
}

impl VaultProcess {
    /// Starts it with these variables.
    pub async fn start(folder: &Path, variables: &[(&str, &str)]) -> VaultProcess {
        let mut command = portico(folder, &["vault", "serve"]);
        command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        within("the line that it listens", out.read_line(&mut line)).await.unwrap();
        assert!(line.starts_with("vault on "), "{line}");
        VaultProcess { child, line }
    }

    /// Kills it with SIGKILL.
    pub async fn kill(mut self) {
        within("the end of the vault", self.child.kill()).await.unwrap();
    }
}

/// A request to the socket in this folder, from this address; status and body. An error if the vault goes away.
pub async fn ask(
    folder: &Path,
    from: &str,
    path: &str,
    headers: &[(&str, String)],
    body: &str,
) -> std::io::Result<(u16, Value)> {
    let exchange = async {
        let mut stream = UnixStream::connect(folder.join("vault.sock")).await?;
        let mut head =
            format!("POST {path} HTTP/1.1\r\nhost: vault\r\nconnection: close\r\nportico-client: {from}\r\n");
        head += &format!("portico-browser: Firefox on Linux\r\ncontent-length: {}\r\n", body.len());
        head.extend(headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")));
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = answer.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok());
        status.zip(body).ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
    };
    within("an answer of the vault", exchange).await
}

/// Milliseconds since the epoch.
pub fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

impl Device {
    /// A signed request to the socket in this folder.
    pub async fn ask_at(&self, folder: &Path, from: &str, path: &str, body: &Value) -> std::io::Result<(u16, Value)> {
        let body = body.to_string();
        ask(folder, from, path, &self.headers_at(now(), path, &body), &body).await
    }

    /// Logs in by the outbox of the vault in this folder, with an approval on the first time.
    pub async fn log_in_at(&mut self, folder: &Path, from: &str, email: &str) -> std::io::Result<Value> {
        self.access = None;
        let body = json!({"email": email, "project": "demo", "host": super::wallet::HOST, "language": "en"});
        let (status, started) = self.ask_at(folder, from, "/wallet/v1/login/email", &body).await?;
        assert_eq!(status, 200, "{started}");
        if started["action"] == "VERIFY_DEVICE" {
            let token = word_of(folder, email, "/approve?t=").await?;
            let decision = json!({"token": token, "approve": true}).to_string();
            assert_eq!(ask(folder, from, "/approve", &[], &decision).await?.0, 200);
        }
        let code = word_of(folder, email, "\n    ").await?;
        let body = json!({"transaction": started["transaction"], "code": code, "key": self.worker_key()});
        let (status, entered) = self.ask_at(folder, from, "/wallet/v1/login/code", &body).await?;
        assert_eq!(status, 200, "{entered}");
        self.access = Some(entered["session"]["access"].as_str().unwrap().into());
        Ok(entered)
    }
}

/// Word after `before` in the newest mail to an address that has it.
async fn word_of(folder: &Path, email: &str, before: &str) -> std::io::Result<String> {
    let (_, mails) = ask(folder, "203.0.113.1", "/outbox", &[], "").await?;
    let own = mails.as_array().unwrap().iter().filter(|mail| mail["to"] == email);
    let word = own.filter_map(|mail| mail["text"].as_str().unwrap().split_once(before)).next();
    Ok(word.expect("a mail").1.lines().next().unwrap().to_owned())
}
