//! `packaging/Caddyfile`, by which a real Caddy stands in front of the real server.

use crate::support::node::{Node, ask, said};
use crate::support::relay::{Peer, topic};
use crate::support::{Upstream, within};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

fn program() -> String {
    std::env::var("PORTICO_TEST_CADDY").expect("PORTICO_TEST_CADDY")
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/Caddyfile")
}

/// Host names that Caddy serves, and gets certificates for, with these variables; and what it says about the file.
async fn hosts(variables: &[(&str, &str)]) -> (Vec<String>, String) {
    let mut command = Command::new(program());
    command.args(["adapt", "--config"]).arg(file()).env_remove("PORTICO_SITE").env_remove("PORTICO_WALLET_SITE");
    let output = command.envs(variables.iter().copied()).output().await.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    let config: Value = serde_json::from_slice(&output.stdout).unwrap();
    let servers = config["apps"]["http"]["servers"].as_object().unwrap();
    let routes = servers.values().flat_map(|server| server["routes"].as_array().unwrap());
    let mut hosts: Vec<String> =
        routes.map(|route| route["match"][0]["host"][0].as_str().unwrap().to_owned()).collect();
    hosts.sort();
    (hosts, said)
}

#[tokio::test]
async fn caddy_serves_the_host_name_of_the_wallet_only_where_one_is_set() {
    let (site, wallet) = (("PORTICO_SITE", "portico.test"), ("PORTICO_WALLET_SITE", "xn--walt-0ra.portico.test"));
    assert_eq!(hosts(&[site]).await.0, ["portico.test"]);
    assert_eq!(hosts(&[site, wallet]).await.0, ["portico.test", wallet.1]);
}

#[tokio::test]
async fn caddy_has_no_remark_about_the_file() {
    let (_, said) = hosts(&[]).await;
    assert!(!said.contains("warn") && !said.contains("WARN"), "{said}");
}

/// Caddy with the file, in front of a server; it ends no TLS, as there is no certificate for a test.
async fn caddy(folder: &Path, upstream: &str) -> (Child, String) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new(program());
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(file()).kill_on_drop(true).stdin(Stdio::null());
    command.env("PORTICO_SITE", format!("http://:{port}")).env("PORTICO_UPSTREAM", upstream);
    command.env("CADDY_ADMIN", "127.0.0.1:0");
    command.env("HOME", folder).env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let address = format!("127.0.0.1:{port}");
    within("Caddy to listen", async { while TcpStream::connect(&address).await.is_err() {} }).await;
    (child, address)
}

#[tokio::test]
async fn a_visitor_behind_caddy_is_served_by_its_own_address() {
    let node = Upstream::echo().await;
    let folder = tempfile::tempdir().unwrap();
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    let limits = "trusted_proxies = [\"127.0.0.1\"]\nlimits.client_per_second = 1\nlimits.client_burst = 10\n";
    // Ports of its own: another server may have the usual ones.
    let listen = "listen = \"127.0.0.1:0\"\n";
    std::fs::write(folder.path().join("portico.toml"), format!("{listen}{limits}[relay]\nenabled = true\n{chain}"))
        .unwrap();
    assert!(said(folder.path(), &["project", "add", "--id", "demo", "--any-origin"]).await.0);
    let server = Node::start(folder.path()).await;
    let (_caddy, address) = caddy(folder.path(), &server.address).await;

    let (status, health) = ask(&address, "GET /health/ready", "").await.unwrap();
    assert_eq!(status, 200, "{health}");
    let head = health.to_lowercase();
    assert!(
        head.contains("strict-transport-security: max-age=31536000") && head.contains("x-request-id: "),
        "{health}"
    );
    // WebSockets pass.
    let mut peer = Peer::at(&address, 1).await;
    peer.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    // A visitor that makes up an address for each request is still one visitor.
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}).to_string();
    let mut statuses = Vec::new();
    for number in 0..16 {
        let head = format!("POST {} HTTP/1.1\r\nx-forwarded-for: 192.0.2.{number}\r\nx-ignored:", crate::support::RPC);
        statuses.push(ask(&address, &head, &call).await.unwrap().0);
    }
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
}
