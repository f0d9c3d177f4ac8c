//! The relay on two nodes that lose Redis for a while: messages published meanwhile still reach the other node.

use crate::support::node::{Node, said};
use crate::support::place::TestStores;
use crate::support::relay::{Peer, RELAY, message, topic};
use crate::way::Way;
use serde_json::json;
use tempfile::TempDir;

const DAPP: u8 = 1;
const WALLET: u8 = 2;

/// Two nodes, each with its own interruptible connection to a shared Redis.
struct Pair {
    nodes: [Node; 2],
    ways: [Way; 2],
    _folder: TempDir,
    _place: TestStores,
}

impl Pair {
    async fn start() -> Pair {
        let folder = tempfile::tempdir().unwrap();
        let place = TestStores::new(folder.path()).await;
        assert!(place.database.starts_with("postgres"), "PORTICO_TEST_POSTGRES_URL");
        let redis = place.redis.clone().expect("PORTICO_TEST_REDIS_URL");
        let ways = [Way::open(&redis, "127.0.0.1:0").await, Way::open(&redis, "127.0.0.1:0").await];
        let folders = ["first", "second"].map(|name| folder.path().join(name));
        for (folder, way) in folders.iter().zip(&ways) {
            std::fs::create_dir(folder).unwrap();
            let settings = place.settings().replace(&redis, &format!("redis://{}", way.address));
            std::fs::write(folder.join("portico.toml"), format!("{settings}{RELAY}")).unwrap();
        }
        let (first, second) = tokio::join!(Node::start(&folders[0]), Node::start(&folders[1]));
        assert!(said(&folders[0], &["project", "add", "--id", "demo", "--any-origin"]).await.0);
        Pair { nodes: [first, second], ways, _folder: folder, _place: place }
    }

    /// A dapp of the first node publishes while the selected nodes are without Redis; a wallet of the second is subscribed all the time.
    async fn loses_nothing(mut self, without: [bool; 2]) {
        let (mut dapp, mut wallet) =
            (Peer::at(&self.nodes[0].address, DAPP).await, Peer::at(&self.nodes[1].address, WALLET).await);
        for (way, cut) in self.ways.iter_mut().zip(without) {
            if cut {
                way.cut().await;
            }
        }
        wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
        // A new subscription makes the node read the mailbox once more a little later; after this message no such read helps.
        dapp.done("irn_publish", &message(&topic(1), "first")).await;
        assert_eq!(wallet.takes().await, "first");
        let mut sent: Vec<String> = (0..3).map(|number| format!("meanwhile {number}")).collect();
        for text in &sent {
            assert_eq!(dapp.done("irn_publish", &message(&topic(1), text)).await, true);
        }
        assert!(wallet.is_told_nothing().await);
        for (way, cut) in self.ways.iter_mut().zip(without) {
            if cut {
                way.mend().await;
            }
        }
        // Delivered without a request.
        let mut heard = Vec::new();
        while heard.len() < sent.len() {
            heard.push(wallet.takes().await);
        }
        heard.sort();
        sent.sort();
        assert_eq!(heard, sent);
        dapp.done("irn_publish", &message(&topic(1), "after")).await;
        assert_eq!(wallet.takes().await, "after");
    }
}

#[tokio::test]
async fn what_is_published_while_all_nodes_are_without_redis_is_told_when_it_is_back() {
    Pair::start().await.loses_nothing([true, true]).await;
}

#[tokio::test]
async fn a_node_that_could_tell_nothing_has_the_others_look_when_redis_is_back() {
    Pair::start().await.loses_nothing([true, false]).await;
}

#[tokio::test]
async fn a_node_that_could_hear_nothing_looks_itself_when_redis_is_back() {
    Pair::start().await.loses_nothing([false, true]).await;
}
