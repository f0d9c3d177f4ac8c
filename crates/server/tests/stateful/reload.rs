//! Chains that change while the server runs.

use crate::support;
use axum::http::StatusCode;
use portico_server::config::{Flags, Written};
use portico_server::reload::{Reloader, Source};
use std::path::PathBuf;
use support::{Server, Upstream, call, status_and_text};

struct Reloading {
    server: Server,
    path: PathBuf,
    reloader: Reloader,
}

impl Reloading {
    /// Serves with this configuration file.
    async fn with(toml: &str) -> Reloading {
        let server = Server::configured(toml).await;
        let database = Some(server.folder.path().join("portico.sqlite").display().to_string());
        let path = server.folder.path().join("portico.toml");
        let source = Source { path: path.clone(), flags: Flags { database, ..Flags::default() } };
        let mut reloading = Reloading { server, path, reloader: Reloader::new(source, Written::default()) };
        reloading.becomes(toml);
        reloading
    }

    fn becomes(&mut self, toml: &str) {
        std::fs::write(&self.path, toml).unwrap();
        self.reloader.reload(&self.server.state);
    }

    async fn chains(&self) -> String {
        status_and_text(self.server.get("/v1/supported-chains").await).await.1
    }
}

fn chain(id: &str, upstreams: &str) -> String {
    format!("[[chains]]\nid = \"{id}\"\nupstreams = [{upstreams}]\n")
}

#[tokio::test]
async fn new_chains_and_upstreams_are_served_at_once() {
    let (first, second) = (Upstream::echo().await, Upstream::echo().await);
    let mut serving = Reloading::with(&chain("eip155:31337", &format!("{:?}", first.url))).await;
    assert_eq!(serving.server.rpc(call(1, "eth_chainId").to_string()).await.0, StatusCode::OK);
    assert_eq!((first.unread(), second.unread()), (1, 0));
    let with_socket = format!("{{ url = {:?}, ws_url = \"ws://127.0.0.1:1\" }}", second.url);
    serving.becomes(&(chain("eip155:31337", &format!("{:?}", second.url)) + &chain("eip155:1", &with_socket)));
    assert_eq!(serving.server.rpc(call(1, "eth_chainId").to_string()).await.0, StatusCode::OK);
    assert_eq!((first.unread(), second.unread()), (1, 1));
    assert_eq!(serving.chains().await, r#"{"http":["eip155:31337","eip155:1"],"ws":["eip155:1"]}"#);
    serving.becomes(&chain("eip155:1", &with_socket));
    assert_eq!(serving.server.rpc(call(1, "eth_chainId").to_string()).await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_wrong_file_or_none_changes_nothing() {
    let node = Upstream::echo().await;
    let good = chain("eip155:31337", &format!("{:?}", node.url));
    let mut serving = Reloading::with(&good).await;
    let before = serving.chains().await;
    for wrong in [
        "listen",
        "[[chains]]\nid = \"eip155:1\"\n",
        &chain("1", "\"ftp://a\""),
        &(good.clone() + "log = \"loud==\"\n"),
    ] {
        serving.becomes(wrong);
        assert_eq!(serving.chains().await, before, "{wrong}");
    }
    std::fs::remove_file(&serving.path).unwrap();
    serving.reloader.reload(&serving.server.state);
    assert_eq!(serving.chains().await, before);
    assert_eq!(serving.server.rpc(call(1, "eth_chainId").to_string()).await.0, StatusCode::OK);
}

#[tokio::test]
async fn what_is_known_of_a_node_is_kept_when_another_is_added() {
    let (broken, good, more) = (Upstream::says(500, "").await, Upstream::echo().await, Upstream::echo().await);
    let tiers = |more: &str| {
        let good = format!("{{ url = {:?}, tier = 1 }}", good.url);
        chain("eip155:31337", &format!("{:?}, {good}{more}", broken.url))
    };
    let mut serving = Reloading::with(&tiers("")).await;
    for _ in 0..15 {
        serving.server.rpc(call(1, "eth_chainId").to_string()).await;
    }
    // The failing node is still paused after the reload.
    assert_eq!(broken.unread(), 10);
    serving.becomes(&tiers(&format!(", {{ url = {:?}, tier = 2 }}", more.url)));
    serving.server.rpc(call(1, "eth_chainId").to_string()).await;
    assert_eq!(broken.unread(), 10);
}
