//! The vault as a process that `serve` starts.

use crate::support;
use std::path::Path;
use std::process::{Output, Stdio};
use support::within;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

const TOML: &str = "listen = \"127.0.0.1:0\"\n[wallet]\norigin = \"http://localhost:1\"\nlisten = \"127.0.0.1:0\"\n\
    [wallet.mail]\noutbox = true\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), TOML).unwrap();
    folder
}

fn portico(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.args(args).current_dir(folder).kill_on_drop(true).stdin(Stdio::null());
    command
}

async fn output(folder: &Path, args: &[&str]) -> (bool, String, String) {
    let run = portico(folder, args).output();
    let Output { status, stdout, stderr } = within("the end of a command", run).await.unwrap();
    (status.success(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Starts the server, and returns the address of its wallet.
async fn serve(folder: &Path) -> (Child, String, tokio::io::Lines<BufReader<tokio::process::ChildStderr>>) {
    let mut serve = portico(folder, &["serve", "--log-format", "text"]);
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = within("the line of the wallet", lines.next_line()).await.unwrap().unwrap();
    let address = line.strip_prefix("wallet on http://").unwrap().to_owned();
    let errors = BufReader::new(child.stderr.take().unwrap()).lines();
    within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
    (child, address, errors)
}

async fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost:1\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    within("a response", stream.read_to_string(&mut response)).await.unwrap();
    response
}

/// Process that has the socket of the vault open.
fn vault_of(child: &Child) -> String {
    let server = child.id().unwrap();
    let children = std::fs::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap_or_default();
    let mut all: Vec<String> = children.split_whitespace().map(str::to_owned).collect();
    if all.is_empty() {
        let tasks = std::fs::read_dir(format!("/proc/{server}/task")).unwrap();
        let of = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        all = tasks
            .flat_map(|task| of(task.unwrap()).split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect();
    }
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

async fn signal(process: &str, name: &str) {
    assert!(Command::new("kill").args([name, process]).status().await.unwrap().success());
}

#[tokio::test]
async fn serve_starts_the_vault_again_when_it_ends_and_takes_it_along() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let (done, out, error) = output(folder.path(), &["vault", "init"]).await;
    assert!(done && out.contains("The root key is in vault.key"), "{out}{error}");
    let (mut child, address, mut errors) = serve(folder.path()).await;
    let socket = folder.path().join("vault.sock");
    assert_eq!(std::fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(get(&address, "/outbox").await.contains("No emails yet"));
    for thread in std::fs::read_dir(format!("/proc/{}/task", vault_of(&child))).unwrap() {
        let status = std::fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
        assert!(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"), "{status}");
    }
    let (done, out, error) = output(folder.path(), &["vault", "doctor"]).await;
    assert!(done && out.contains("A vault listens at vault.sock"), "{out}{error}");
    signal(&vault_of(&child), "-KILL").await;
    for told in ["the vault ended; it is started again", "the vault is back"] {
        within(told, async { while !errors.next_line().await.unwrap().unwrap().contains(told) {} }).await;
    }
    assert!(get(&address, "/outbox").await.contains("No emails yet"));
    signal(&child.id().unwrap().to_string(), "-TERM").await;
    assert!(within("the end", child.wait()).await.unwrap().success());
    assert!(!socket.exists());
    let (done, out, _) = output(folder.path(), &["vault", "audit", "verify"]).await;
    assert!(done && out.contains("The audit log is whole: 0 rows"), "{out}");
}

#[tokio::test]
async fn serve_does_not_start_without_the_root_key_or_with_another_one() {
    let folder = folder();
    let (done, _, error) = output(folder.path(), &["serve"]).await;
    assert!(!done && error.contains("`portico vault init` makes one"), "{error}");
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let (done, _, error) = output(folder.path(), &["vault", "init"]).await;
    assert!(!done && error.contains("one that is there is never replaced"), "{error}");
    std::fs::remove_file(folder.path().join("vault.key")).unwrap();
    let (done, _, error) = output(folder.path(), &["vault", "init"]).await;
    assert!(!done && error.contains("belongs to another root key"), "{error}");
}

#[tokio::test]
async fn freezing_a_user_who_is_not_there_is_told() {
    let folder = folder();
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let (done, _, error) = output(folder.path(), &["vault", "freeze", "ada@example.org"]).await;
    assert!(!done && error.contains("There is no user `ada@example.org`"), "{error}");
}
