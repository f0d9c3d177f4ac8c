//! Two nodes with one PostgreSQL and one Redis.

use crate::support::node::{Node, ask, said};
use crate::support::place::TestStores;
use crate::support::{Upstream, within};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}"#;
const RPC: &str = "POST /v1?chainId=eip155:31337&projectId=shared";

/// Two nodes with a shared database, Redis and project.
struct Pair {
    first: Node,
    second: Node,
    folder: TempDir,
    _node: Upstream,
    _place: TestStores,
}

impl Pair {
    async fn start(project: &[&str]) -> Pair {
        let folder = tempfile::tempdir().unwrap();
        let place = TestStores::new(folder.path()).await;
        assert!(
            place.database.starts_with("postgres") && place.redis.is_some(),
            "PORTICO_TEST_POSTGRES_URL and PORTICO_TEST_REDIS_URL"
        );
        let node = Upstream::echo().await;
        let settings = format!(
            "{}limits.client_per_second = 0\nlimits.client_part = 1\nanalytics.enabled = true\n[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n",
            place.settings(),
            node.url
        );
        std::fs::write(folder.path().join("portico.toml"), settings).unwrap();
        let (first, second) = tokio::join!(Node::start(folder.path()), Node::start(folder.path()));
        let pair = Pair { first, second, folder, _node: node, _place: place };
        let add = ["add", "--id", "shared", "--any-origin"];
        pair.project(&[&add, project].concat()).await;
        pair
    }

    async fn project(&self, words: &[&str]) {
        let (done, _, error) = said(self.folder.path(), &[&["project"], words].concat()).await;
        assert!(done, "{error}");
    }
}

#[tokio::test]
async fn a_quota_spent_on_one_node_is_seen_on_the_other() {
    let pair = Pair::start(&["--per-day", "4"]).await;
    for address in [&pair.first.address, &pair.second.address, &pair.first.address, &pair.first.address] {
        assert_eq!(ask(address, RPC, CALL).await.unwrap().0, 200);
    }
    for address in [&pair.second.address, &pair.first.address] {
        let (status, answer) = ask(address, RPC, CALL).await.unwrap();
        assert_eq!(status, 429, "{answer}");
        assert!(
            answer.contains("\r\nretry-after: ") && answer.contains("\r\nratelimit-policy: \"day\";q=4;w=86400\r\n")
        );
    }
    for address in [&pair.second.address, &pair.first.address] {
        assert!(ask(address, "GET /health/ready", "").await.unwrap().1.ends_with("\r\n\r\nready\n"));
    }
}

#[tokio::test]
async fn a_project_that_is_disabled_is_refused_by_every_node_within_the_lifetime_of_what_they_remember() {
    let pair = Pair::start(&[]).await;
    for address in [&pair.first.address, &pair.second.address] {
        assert_eq!(ask(address, RPC, CALL).await.unwrap().0, 200);
    }
    pair.project(&["disable", "shared"]).await;
    let start = Instant::now();
    for address in [&pair.first.address, &pair.second.address] {
        // Repeated requests, as from visitors. A connection may be refused, because one client opens many a second.
        let (status, answer) = loop {
            assert!(start.elapsed() < Duration::from_secs(6), "still taken");
            match ask(address, RPC, CALL).await {
                Ok((200, _)) | Err(_) => {}
                Ok(refusal) => break refusal,
            }
        };
        assert_eq!((status, answer.contains("the project is disabled")), (401, true));
    }
}

#[tokio::test]
async fn no_write_fails_and_none_is_lost_where_a_node_is_killed_under_load() {
    const CLIENTS: usize = 4;
    const EACH: usize = 60;
    let mut pair = Pair::start(&[]).await;
    let addresses = Arc::new([pair.first.address.clone(), pair.second.address.clone()]);
    let (tell, mut taken) = unbounded_channel();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (addresses, tell) = (addresses.clone(), tell.clone());
            tokio::spawn(async move {
                let (mut node, mut failovers) = (0, 0);
                for number in 0..EACH {
                    let body = event(&format!("{client}-{number}"));
                    while !is_taken(&addresses[node], &body).await {
                        assert_eq!(node, 0, "a write failed on the node that is left");
                        (node, failovers) = (1, failovers + 1);
                    }
                    tell.send(()).unwrap();
                }
                failovers
            })
        })
        .collect();
    drop(tell);
    for _ in 0..CLIENTS * EACH / 4 {
        within("a write that is taken", taken.recv()).await.expect("some still write");
    }
    pair.first.kill().await;
    let mut failovers = 0;
    for client in clients {
        failovers += within("the end of a client", client).await.unwrap();
    }
    assert_eq!(failovers, CLIENTS);
    let (done, csv, error) = said(pair.folder.path(), &["analytics", "export"]).await;
    assert!(done, "{error}");
    let kept: BTreeSet<String> = csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect();
    let sent = (0..CLIENTS).flat_map(|client| (0..EACH).map(move |number| format!("{client}-{number}")));
    assert_eq!(kept, sent.collect());
}

fn event(id: &str) -> String {
    json!({
        "eventId": id, "url": "https://shop.example/", "domain": "shop.example", "timestamp": 1_795_219_200_000_u64,
        "props": { "type": "track", "event": "MODAL_OPEN", "properties": {}, "address": null },
    })
    .to_string()
}

async fn is_taken(address: &str, body: &str) -> bool {
    let answer = ask(address, "POST /e?projectId=shared&st=appkit&sv=html-portico-0.1.0", body).await;
    answer.is_ok_and(|(status, answer)| {
        assert_eq!(status, 202, "{answer}");
        true
    })
}
