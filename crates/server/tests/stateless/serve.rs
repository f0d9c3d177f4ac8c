//! Tests of the real binary.

use crate::support;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::Arc;
use support::{RPC, Reply, Upstream, within};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::sync::Notify;

fn portico(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.args(args).current_dir(folder).kill_on_drop(true).stdin(Stdio::null());
    command
}

async fn output(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        within("the end of a command", portico(folder, args).output()).await.unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn folder_with(toml: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    folder
}

fn one_chain(url: &str) -> TempDir {
    folder_with(&format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [\"{url}\"]\n"))
}

/// Starts the server on a free port and reads its address.
async fn start(folder: &Path, stderr: Stdio) -> (Child, String) {
    let (code, ..) = output(folder, &["project", "add", "--id", "demo", "--any-origin"]).await;
    assert_eq!(code, Some(0));
    let mut child =
        portico(folder, &["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
    let mut line = String::new();
    within("the line that it listens", BufReader::new(child.stdout.take().unwrap()).read_line(&mut line))
        .await
        .unwrap();
    let address = line.strip_prefix("listening on http://").unwrap().trim_end().to_owned();
    (child, address)
}

async fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().unwrap().to_string()]).status().await.unwrap();
    assert!(sent.success());
}

/// Sends one request on a connection of its own and returns the whole response.
async fn exchange(address: &str, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let request = format!("{head} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    within("an answer", stream.read_to_string(&mut answer)).await.unwrap();
    answer
}

#[tokio::test]
async fn a_signal_ends_it_with_0_after_the_request_in_flight_is_answered() {
    for name in ["-TERM", "-INT"] {
        let gate = Arc::new(Notify::new());
        let late = gate.clone();
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":"late"}"#;
        let mut node = Upstream::start(move |_| Reply::Late(late.clone(), answer.into())).await;
        let folder = one_chain(&node.url);
        let (mut child, address) = start(folder.path(), Stdio::null()).await;
        assert!(exchange(&address, "GET /health/ready", "").await.starts_with("HTTP/1.1 200"));
        let asked = address.clone();
        let in_flight = tokio::spawn(async move {
            exchange(&asked, &format!("POST {RPC}"), r#"{"jsonrpc":"2.0","id":1,"method":"eth_call"}"#).await
        });
        node.heard().await;
        signal(&child, name).await;
        within("the listener to be closed", async { while TcpStream::connect(&address).await.is_ok() {} }).await;
        gate.notify_one();
        let answered = in_flight.await.unwrap();
        assert!(answered.starts_with("HTTP/1.1 200 OK") && answered.ends_with(answer), "{answered}");
        assert_eq!(within("the end", child.wait()).await.unwrap().code(), Some(0));
    }
}

#[tokio::test]
async fn a_second_ctrl_c_ends_it_before_the_request_in_flight_is_answered() {
    let mut node = Upstream::silent().await;
    let folder = one_chain(&node.url);
    let (mut child, address) = start(folder.path(), Stdio::null()).await;
    let mut open = TcpStream::connect(&address).await.unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"eth_call"}"#;
    let request = format!("POST {RPC} HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    open.write_all(request.as_bytes()).await.unwrap();
    node.heard().await;
    signal(&child, "-INT").await;
    within("the listener to be closed", async { while TcpStream::connect(&address).await.is_ok() {} }).await;
    signal(&child, "-INT").await;
    assert_eq!(within("the end", child.wait()).await.unwrap().code(), Some(130));
}

#[tokio::test]
async fn each_request_is_one_line_of_json_without_what_the_visitor_sent() {
    let node = Upstream::echo().await;
    let folder = one_chain(&node.url);
    let (mut child, address) = start(folder.path(), Stdio::piped()).await;
    let private = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    exchange(&address, &format!("GET /v1/identity/{private}?projectId=demo"), "").await;
    signal(&child, "-TERM").await;
    let mut log = String::new();
    within("the log", child.stderr.take().unwrap().read_to_string(&mut log)).await.unwrap();
    assert_eq!(within("the end", child.wait()).await.unwrap().code(), Some(0));
    assert!(!log.contains(private) && !log.contains("demo") && !log.contains("127.0.0.1"), "{log}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered = lines.iter().find(|line| line["message"] == "answered").unwrap();
    assert_eq!((&answered["status"], &answered["span"]["route"]), (&json!(200), &json!("/v1/identity/{address}")));
    assert!(answered["span"]["id"].as_str().is_some_and(|id| !id.is_empty()));
}

#[tokio::test]
async fn a_hang_up_makes_it_read_its_chains_anew_and_a_wrong_file_is_told_with_its_line() {
    let folder = one_chain("http://127.0.0.1:1");
    let (mut child, address) = start(folder.path(), Stdio::piped()).await;
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
    for (toml, told) in [
        (
            "[[chains]]\nid = \"1\"\nupstreams = [\"http://127.0.0.1:1\"]\n",
            "portico.toml, line 2: use the CAIP-2 id of a chain",
        ),
        (
            "[[chains]]\nid = \"eip155:7\"\nupstreams = [\"http://127.0.0.1:1\"]\n",
            "serving the chains of the new configuration",
        ),
    ] {
        std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
        signal(&child, "-HUP").await;
        while !within(told, log.next_line()).await.unwrap().unwrap().contains(told) {}
    }
    assert!(exchange(&address, "GET /v1/supported-chains", "").await.ends_with(r#"{"http":["eip155:7"],"ws":[]}"#));
    signal(&child, "-TERM").await;
    assert_eq!(within("the end", child.wait()).await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn a_taken_port_is_one_sentence_that_says_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap();
    let folder = folder_with("");
    let (code, out, error) = output(folder.path(), &["serve", "--listen", &address.to_string()]).await;
    assert_eq!((code, out.as_str()), (Some(1), ""));
    let (port, process) = (address.port(), std::process::id());
    assert!(error.starts_with(&format!("Port {port} on 127.0.0.1 is already taken by ")), "{error}");
    let advice = format!(
        "(process {process}). Stop it, or choose another with --listen, such as 127.0.0.1:0 for any free port.\n"
    );
    assert!(error.ends_with(&advice), "{error}");
}

#[tokio::test]
async fn a_taken_port_of_the_wallet_names_the_wallets_setting() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap();
    let toml = format!(
        "listen = \"127.0.0.1:0\"\n[wallet]\norigin = \"http://localhost:{}\"\nlisten = \"{address}\"\nmail.outbox = true\n",
        address.port()
    );
    let folder = folder_with(&toml);
    let (code, _, error) = output(folder.path(), &["serve"]).await;
    assert_eq!(code, Some(1));
    let advice = "or set `wallet.listen` to another port (as a variable: PORTICO__WALLET__LISTEN).\n";
    assert!(error.ends_with(advice), "{error}");
    assert!(!error.contains("--listen"), "{error}");
}

#[tokio::test]
async fn a_wrong_configuration_ends_every_command_with_1_and_the_line() {
    let folder = folder_with("\nlisten = 1\n");
    for args in [&["serve"][..], &["config", "check"], &["migrate"]] {
        let (code, out, error) = output(folder.path(), args).await;
        assert_eq!((code, out.as_str()), (Some(1), ""));
        assert_eq!(
            error,
            "portico.toml, line 2: use an address and a port such as 127.0.0.1:8080 or [::]:8080, not `1`.\n"
        );
    }
    let (code, _, error) = output(folder.path(), &["serve", "--config", "other.toml"]).await;
    assert_eq!(code, Some(1));
    let told = "other.toml: no such file. Check the path, or write it with `portico init --config other.toml`.\n";
    assert_eq!(error, told);
}

#[tokio::test]
async fn the_environment_reaches_the_configuration() {
    let folder = folder_with("");
    let mut command = portico(folder.path(), &["config", "check"]);
    let Output { status, stderr, .. } =
        within("the end of a command", command.env("PORTICO__LISTEN", "here").output()).await.unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(String::from_utf8(stderr).unwrap().starts_with("PORTICO__LISTEN: use an address and a port"));
}

#[tokio::test]
async fn a_variable_names_the_configuration_file_and_a_flag_names_another() {
    let folder = folder_with("");
    for (file, port) in [("one.toml", "1"), ("two.toml", "x")] {
        std::fs::write(folder.path().join(file), format!("listen = \"127.0.0.1:{port}\"\n")).unwrap();
    }
    for (args, place) in [
        (&["config", "check"][..], "two.toml, line 1: "),
        (&["migrate"], "two.toml, line 1: "),
        (&["config", "check", "--config", "one.toml"], "one.toml has no mistakes"),
    ] {
        let mut command = portico(folder.path(), args);
        let ended = within("the end of a command", command.env("PORTICO_CONFIG", "two.toml").output()).await.unwrap();
        let told = [ended.stdout, ended.stderr].concat();
        assert!(String::from_utf8(told).unwrap().starts_with(place), "{args:?}");
    }
}

#[tokio::test]
async fn check_and_migrate_say_what_they_found_and_did() {
    let folder = one_chain("https://node.example/key");
    let (code, out, _) = output(folder.path(), &["config", "check"]).await;
    assert_eq!((code, out.as_str()), (Some(0), "portico.toml has no mistakes (1 chain).\n"));
    let migrate = || output(folder.path(), &["migrate", "--database", "other.sqlite"]);
    let (code, out, _) = migrate().await;
    let version = out.strip_prefix("Made the new database other.sqlite (version ").unwrap().trim_end_matches(").\n");
    assert!(code == Some(0) && version.parse::<u32>().is_ok(), "{out}");
    assert_eq!(migrate().await.1, format!("other.sqlite was already up to date (version {version}).\n"));
}

#[tokio::test]
async fn a_machine_without_trusted_certificates_is_told_only_where_https_is_asked_for() {
    let without = |folder: &TempDir| {
        let mut command = portico(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
        command.env("SSL_CERT_FILE", "/nowhere").env("SSL_CERT_DIR", "/nowhere");
        command
    };
    let https = one_chain("https://node.example");
    let Output { status, stderr, .. } = within("the end of a command", without(&https).output()).await.unwrap();
    assert_eq!(status.code(), Some(1));
    let error = String::from_utf8(stderr).unwrap();
    assert!(error.contains("Install the package `ca-certificates`") && !error.contains("builder error"), "{error}");
    let http = one_chain("http://127.0.0.1:1");
    let mut child = without(&http).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    within("the line that it listens", BufReader::new(child.stdout.take().unwrap()).read_line(&mut line))
        .await
        .unwrap();
    assert!(line.starts_with("listening on http://127.0.0.1:"), "{line}");
}

#[tokio::test]
async fn help_teaches_by_example() {
    let folder = folder_with("");
    let root = [
        "Start here:",
        "More examples:",
        "portico doctor",
        "[[chains]]",
        "[relay]",
        "PORTICO__LISTEN",
        "PORTICO__RELAY__ENABLED",
    ];
    let serve = ["Examples:", "portico serve --config", "--listen", "[relay]", "postgres://"];
    for (args, pieces) in [(&["--help"][..], &root[..]), (&["serve", "--help"], &serve)] {
        let (code, out, _) = output(folder.path(), args).await;
        assert_eq!(code, Some(0));
        for piece in pieces {
            assert!(out.contains(piece), "{piece}");
        }
        // Help of one command does not contain examples of another.
        assert_eq!(out.contains("portico doctor "), args.len() == 1);
    }
}
