//! The real binary as a process.

use super::within;
use std::path::Path;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// Server process configured by the `portico.toml` of its folder.
pub struct Node {
    pub child: Child,
    pub address: String,
}

impl Node {
    pub async fn start(folder: &Path) -> Node {
        let mut child = portico(folder, &["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        within("the line that it listens", BufReader::new(child.stdout.take().unwrap()).read_line(&mut line))
            .await
            .unwrap();
        let address = line.strip_prefix("listening on http://").unwrap().trim_end().to_owned();
        Node { child, address }
    }

    /// Stops the process with SIGTERM.
    pub async fn stop(&mut self) {
        let told = Command::new("kill").args(["-TERM", &self.child.id().unwrap().to_string()]).status().await.unwrap();
        assert!(told.success() && within("the end of the node", self.child.wait()).await.unwrap().success());
    }

    /// Kills the process with SIGKILL.
    pub async fn kill(&mut self) {
        within("the end of the node", self.child.kill()).await.unwrap();
    }
}

/// Server process with a second listener for metrics, and the project `demo`.
pub struct Measured {
    /// Folder of its files.
    pub folder: tempfile::TempDir,
    pub address: String,
    /// Address of the second listener.
    pub admin: String,
    _child: Child,
}

impl Measured {
    /// Starts a server; `toml` follows the addresses of both listeners.
    pub async fn start(toml: &str) -> Measured {
        let folder = tempfile::tempdir().unwrap();
        let toml = format!("listen = \"127.0.0.1:0\"\nadmin_listen = \"127.0.0.1:0\"\n{toml}");
        std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
        assert!(said(folder.path(), &["project", "add", "--id", "demo", "--any-origin"]).await.0);
        let mut child =
            portico(folder.path(), &["serve"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let metrics = within("the line of the metrics", lines.next_line()).await.unwrap().unwrap();
        let admin = metrics.strip_prefix("metrics on http://").unwrap().strip_suffix("/metrics").unwrap().to_owned();
        let line = within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
        let address = line.strip_prefix("listening on http://").unwrap().to_owned();
        Measured { folder, address, admin, _child: child }
    }

    /// Its metrics, as the whole response.
    pub async fn metrics(&self) -> String {
        let (status, told) = ask(&self.admin, "GET /metrics", "").await.unwrap();
        assert_eq!(status, 200);
        told
    }
}

/// Command line of the binary in this folder.
pub fn portico(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.args(words).current_dir(folder).kill_on_drop(true).stdin(Stdio::null());
    command
}

/// Runs a command to its end; returns success, stdout and stderr.
pub async fn said(folder: &Path, words: &[&str]) -> (bool, String, String) {
    let output = within("the end of a command", portico(folder, words).output()).await.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// Sends one request on a connection of its own; returns status and whole response. An error if the node disconnects.
pub async fn ask(address: &str, head: &str, body: &str) -> std::io::Result<(u16, String)> {
    within("an answer of the node", exchange(address, head, body)).await
}

async fn exchange(address: &str, head: &str, body: &str) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(address).await?;
    let length = body.len();
    let request = format!("{head} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or(std::io::ErrorKind::UnexpectedEof)?;
    Ok((status, answer))
}
