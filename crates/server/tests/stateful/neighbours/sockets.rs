//! Shares of visitors in what WebSockets to chains ask and subscribe to.

use super::{ABUSER, BEHIND_A_PROXY, NEIGHBOUR, large};
use crate::support::socket::{Client, Node, SOCKET, Serving};
use crate::support::{Upstream, call, in_no_time, pass, within};
use futures_util::{FutureExt, SinkExt, StreamExt};
use serde_json::json;
use std::time::Duration;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// WebSocket for calls and subscriptions of a visitor at this address.
async fn socket(serving: &Serving, visitor: &str) -> Client {
    let mut request = format!("ws://{}{SOCKET}", serving.address).into_client_request().unwrap();
    request.headers_mut().insert("x-forwarded-for", visitor.parse().unwrap());
    Client(within("a WebSocket to be opened", connect_async(request)).await.unwrap().0)
}

#[tokio::test]
async fn a_visitor_subscribes_to_so_much_over_all_its_sockets_and_its_neighbour_to_the_same() {
    let node = Node::start("node").await;
    let http = Upstream::echo().await;
    let settings = format!("{BEHIND_A_PROXY}rpc.subscriptions_total = 16\n");
    let serving = Serving::with(&settings, &http, &[&node.url]).await;
    let mut abused = [socket(&serving, ABUSER).await, socket(&serving, ABUSER).await, socket(&serving, ABUSER).await];
    let [first, second, third] = &mut abused;
    let one = first.subscribe(&json!(["logs", {"address": "0x1"}])).await;
    second.subscribe(&json!(["logs", {"address": "0x2"}])).await;
    let order = json!({"jsonrpc": "2.0", "id": "s", "method": "eth_subscribe", "params": ["newHeads"]});
    third.say(&order).await;
    let answer = third.next().await.unwrap();
    assert_eq!(answer["error"]["message"], "You have too many subscriptions. End one first.", "{answer}");
    let mut neighbour = socket(&serving, NEIGHBOUR).await;
    for kind in ["newHeads", "newPendingTransactions"] {
        neighbour.subscribe(&json!([kind])).await;
    }
    first.say(&json!({"jsonrpc": "2.0", "id": 2, "method": "eth_unsubscribe", "params": [one]})).await;
    assert_eq!(first.next().await.unwrap()["result"], true);
    third.subscribe(&json!(["newHeads"])).await;
}

#[tokio::test]
async fn messages_of_a_websocket_come_at_the_rate_of_bodies_and_those_of_a_neighbour_at_once() {
    let node = Upstream::echo().await;
    let serving = Serving::with(BEHIND_A_PROXY, &node, &["ws://127.0.0.1:9"]).await;
    let (mut hasty, mut calm) = (socket(&serving, ABUSER).await, socket(&serving, NEIGHBOUR).await);
    in_no_time(async {
        // 16 mebibytes at once, and each one more in a quarter of a second.
        let long = large(1024 * 1024 - 1000);
        for _ in 0..20 {
            hasty.0.send(Message::text(long.clone())).await.unwrap();
        }
        for _ in 0..16 {
            within("an answer", hasty.next()).await.unwrap();
        }
        calm.say(&call(1, "eth_chainId")).await;
        within("the neighbour's answer", calm.next()).await.unwrap();
        assert!(hasty.0.next().now_or_never().is_none());
    })
    .await;
    pass(Duration::from_secs(1)).await;
    for _ in 0..4 {
        within("an answer", hasty.next()).await.unwrap();
    }
}

#[tokio::test]
async fn the_subscriptions_of_all_sockets_together_are_bounded_and_one_that_ends_makes_room() {
    let node = Node::start("node").await;
    let http = Upstream::echo().await;
    let settings = format!("{BEHIND_A_PROXY}rpc.subscriptions_total = 1\n");
    let serving = Serving::with(&settings, &http, &[&node.url]).await;
    let (mut first, mut second) = (socket(&serving, ABUSER).await, socket(&serving, NEIGHBOUR).await);
    first.subscribe(&json!(["newHeads"])).await;
    let order = json!({"jsonrpc": "2.0", "id": "s", "method": "eth_subscribe", "params": ["newHeads"]});
    second.say(&order).await;
    let answer = second.next().await.unwrap();
    assert_eq!(answer["error"]["code"], -32005, "{answer}");
    assert!(
        answer["error"]["message"].as_str().unwrap().starts_with("The server has too many subscriptions"),
        "{answer}"
    );
    drop(first);
    // The server notices the closed socket with a delay.
    let again = tokio::time::timeout(Duration::from_secs(10), async {
        loop {
            second.say(&order).await;
            if second.next().await.unwrap()["result"].is_string() {
                break;
            }
        }
    });
    assert!(again.await.is_ok());
}
