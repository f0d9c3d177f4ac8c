//! The relay on two nodes with one PostgreSQL and one Redis.

use crate::support::node::{Node, said};
use crate::support::place::TestStores;
use crate::support::relay::{Peer, RELAY, message, topic};
use serde_json::json;
use std::collections::BTreeSet;
use tempfile::TempDir;

const DAPP: u8 = 1;
const WALLET: u8 = 2;

struct Pair {
    first: Node,
    second: Node,
    _folder: TempDir,
    _place: TestStores,
}

impl Pair {
    async fn start() -> Pair {
        let folder = tempfile::tempdir().unwrap();
        let place = TestStores::new(folder.path()).await;
        assert!(
            place.database.starts_with("postgres") && place.redis.is_some(),
            "PORTICO_TEST_POSTGRES_URL and PORTICO_TEST_REDIS_URL"
        );
        std::fs::write(folder.path().join("portico.toml"), format!("{}{RELAY}", place.settings())).unwrap();
        let (first, second) = tokio::join!(Node::start(folder.path()), Node::start(folder.path()));
        assert!(said(folder.path(), &["project", "add", "--id", "demo", "--any-origin"]).await.0);
        Pair { first, second, _folder: folder, _place: place }
    }
}

#[tokio::test]
async fn a_message_published_on_one_node_is_told_on_the_other() {
    let pair = Pair::start().await;
    let (mut dapp, mut wallet) =
        (Peer::at(&pair.first.address, DAPP).await, Peer::at(&pair.second.address, WALLET).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    dapp.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    for number in 0..20 {
        let (asked, answered) = (format!("asked {number}"), format!("answered {number}"));
        dapp.done("irn_publish", &message(&topic(1), &asked)).await;
        assert_eq!(wallet.takes().await, asked);
        wallet.done("irn_publish", &message(&topic(1), &answered)).await;
        assert_eq!(dapp.takes().await, answered);
    }
    // No node sends a client its own messages.
    let mut other = Peer::at(&pair.second.address, DAPP).await;
    other.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    dapp.done("irn_publish", &message(&topic(1), "own")).await;
    assert_eq!(wallet.takes().await, "own");
    assert!(other.is_told_nothing().await);
}

#[tokio::test]
async fn what_one_node_acknowledged_the_other_tells_when_the_first_is_killed() {
    let mut pair = Pair::start().await;
    let (mut dapp, mut wallet) =
        (Peer::at(&pair.first.address, DAPP).await, Peer::at(&pair.first.address, WALLET).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    drop(wallet);
    let mut sent = BTreeSet::new();
    for number in 0..50 {
        let text = format!("while away {number}");
        dapp.done("irn_publish", &message(&topic(1), &text)).await;
        sent.insert(text);
    }
    pair.first.kill().await;
    let (mut dapp, mut wallet) =
        (Peer::at(&pair.second.address, DAPP).await, Peer::at(&pair.second.address, WALLET).await);
    wallet.done("irn_batchSubscribe", &json!({"topics": [topic(1)]})).await;
    let mut heard = BTreeSet::new();
    while heard.len() < sent.len() {
        heard.insert(wallet.takes().await);
    }
    assert_eq!(heard, sent);
    dapp.done("irn_publish", &message(&topic(1), "after")).await;
    assert_eq!(wallet.takes().await, "after");
    assert!(wallet.is_told_nothing().await);
}
