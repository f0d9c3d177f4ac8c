//! Messages that the relay acknowledged survive a kill.

use crate::support;
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use std::collections::BTreeSet;
use support::node::{Node, said};
use support::relay::{Peer, RELAY, message, path, topic};
use support::within;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

const WALLET: u8 = 200;

#[tokio::test]
async fn no_acknowledged_message_is_lost_where_the_relay_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), format!("{RELAY}publishes_per_second = 0\n")).unwrap();
    assert!(said(folder.path(), &["project", "add", "--id", "demo", "--any-origin"]).await.0);
    let mut acknowledged = BTreeSet::new();
    for life in 0..2 {
        let mut node = Node::start(folder.path()).await;
        if life == 0 {
            let mut wallet = Peer::at(&node.address, WALLET).await;
            wallet.done("irn_batchSubscribe", &json!({"topics": [topic(0), topic(1)]})).await;
        }
        let (tell, mut told) = unbounded_channel();
        for writer in 0..8 {
            tokio::spawn(write(node.address.clone(), life, writer, tell.clone()));
        }
        drop(tell);
        for _ in 0..200 {
            let text = within("an acknowledged message", told.recv()).await;
            acknowledged.insert(text.expect("some still write"));
        }
        node.kill().await;
        while let Some(text) = within("the end of the writers", told.recv()).await {
            acknowledged.insert(text);
        }
    }
    let mut node = Node::start(folder.path()).await;
    let mut wallet = Peer::at(&node.address, WALLET).await;
    let mut kept = BTreeSet::new();
    loop {
        // The wallet has subscribed to topics 0 and 1; the other topics have had no subscriber.
        let all: Vec<String> = (0..8).map(topic).collect();
        let page = wallet.done("irn_batchFetchMessages", &json!({"topics": all})).await;
        for message in page["messages"].as_array().unwrap() {
            kept.insert(message["message"].as_str().unwrap().to_owned());
        }
        if page["hasMore"] == false {
            break;
        }
    }
    let lost: Vec<_> = acknowledged.difference(&kept).cloned().collect();
    assert_eq!(lost, Vec::<String>::new());
    node.stop().await;
}

/// Publishes until the relay is gone, and reports the acknowledged messages.
async fn write(address: String, life: u8, writer: u8, tell: UnboundedSender<String>) {
    // The relay may be gone before the last writer connects.
    let Ok((mut stream, _)) = connect_async(format!("ws://{address}{}", path(writer))).await else { return };
    for number in 0..900_u64 {
        let text = format!("{life}-{writer}-{number}");
        let id = 1_700_000_000_000_000 + number;
        let publish = json!({"id": id, "jsonrpc": "2.0", "method": "irn_publish", "params": message(&topic(writer.into()), &text)});
        if stream.send(Message::text(publish.to_string())).await.is_err() {
            return;
        }
        match stream.next().await {
            Some(Ok(Message::Text(answer))) if answer.contains(r#""result":true"#) => tell.send(text).unwrap(),
            // Full, or gone.
            ended => return println!("{life}-{writer} ends with {ended:?}"),
        }
    }
}

#[tokio::test]
async fn a_relay_that_was_stopped_and_started_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), RELAY).unwrap();
    assert!(said(folder.path(), &["project", "add", "--id", "demo", "--any-origin"]).await.0);
    let mut node = Node::start(folder.path()).await;
    let (mut dapp, mut wallet) = (Peer::at(&node.address, 1).await, Peer::at(&node.address, WALLET).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    dapp.done("irn_publish", &message(&topic(1), "before")).await;
    assert_eq!(wallet.told().await["params"]["data"]["message"], "before");
    node.stop().await;
    let node = Node::start(folder.path()).await;
    let (mut dapp, mut wallet) = (Peer::at(&node.address, 1).await, Peer::at(&node.address, WALLET).await);
    dapp.done("irn_publish", &message(&topic(1), "after")).await;
    wallet.done("irn_batchSubscribe", &json!({"topics": [topic(1)]})).await;
    let heard = BTreeSet::from([wallet.takes().await, wallet.takes().await]);
    assert_eq!(heard, BTreeSet::from(["before".to_owned(), "after".to_owned()]));
}
