//! RPC responses from the cache, and deduplicated requests to a node.

use crate::support;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::{RPC, Reply, Server, Upstream, call, pass, status_and_text};
use tokio::sync::Notify;

/// A chain with a cache and a block every four seconds.
async fn keeping(upstream: &Upstream) -> Server {
    let toml = "id = \"eip155:31337\"\ncache = true\nblock_time_ms = 4000\nfinality_depth = 10\n";
    Server::configured(&format!("[[chains]]\n{toml}upstreams = [{:?}]\n", upstream.url)).await
}

fn ask(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}

/// Answers each call with the next of these results, the last one from then on, alone or in a batch.
async fn says_in_turn(results: &[&str]) -> Upstream {
    let results: Vec<String> = results.iter().map(|&result| result.into()).collect();
    let count = AtomicUsize::new(0);
    Upstream::start(move |body| {
        let next = || {
            let place = count.fetch_add(1, Ordering::Relaxed);
            results[place.min(results.len() - 1)].clone()
        };
        let answer = |call: &Value| format!(r#"{{"id":{},{}}}"#, call["id"], next());
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => format!("[{}]", calls.iter().map(answer).collect::<Vec<_>>().join(",")),
            call => answer(&call),
        };
        Reply::Answer(StatusCode::OK, answer)
    })
    .await
}

#[tokio::test]
async fn an_error_is_not_kept() {
    let node = says_in_turn(&[r#""error":{"code":-32000,"message":"no"}"#, r#""result":"0x1""#]).await;
    let server = keeping(&node).await;
    let chain_id = ask("eth_chainId", &json!([]));
    assert!(server.rpc(chain_id.clone()).await.1.contains("error"));
    assert!(server.rpc(chain_id).await.1.contains("0x1"));
    assert_eq!(node.unread(), 2);
}

#[tokio::test]
async fn a_receipt_that_is_not_there_yet_is_not_kept() {
    let node = says_in_turn(&[r#""result":null"#, r#""result":{"blockNumber":"0x5"}"#]).await;
    let server = keeping(&node).await;
    let receipt = ask("eth_getTransactionReceipt", &json!(["0xab"]));
    assert!(server.rpc(receipt.clone()).await.1.contains(r#""result":null"#));
    assert!(server.rpc(receipt).await.1.contains("0x5"));
    assert_eq!(node.unread(), 2);
}

#[tokio::test]
async fn a_receipt_is_kept_for_ever_once_its_block_is_final() {
    let node = says_in_turn(&[
        r#""result":"0x64""#,
        r#""result":{"blockNumber":"0x5a"}"#,
        r#""result":{"blockNumber":"0x5b"}"#,
        r#""result":{"blockNumber":"0x5b"}"#,
    ])
    .await;
    let server = keeping(&node).await;
    server.rpc(ask("eth_blockNumber", &json!([]))).await;
    let (old, young) =
        (ask("eth_getTransactionReceipt", &json!(["0x1"])), ask("eth_getTransactionReceipt", &json!(["0x2"])));
    for receipt in [&old, &young] {
        server.rpc(receipt.clone()).await;
    }
    assert_eq!(node.unread(), 3);
    pass(Duration::from_secs(3600)).await;
    server.rpc(old).await;
    assert_eq!(node.unread(), 3);
    server.rpc(young).await;
    assert_eq!(node.unread(), 4);
}

#[tokio::test]
async fn a_state_in_the_past_is_kept_for_ever_only_once_it_is_final() {
    let node = says_in_turn(&[r#""result":"0x1""#, r#""result":"0x64""#, r#""result":"0x2""#]).await;
    let server = keeping(&node).await;
    let balance = ask("eth_getBalance", &json!(["0x1", "0x5a"]));
    // The height of the chain is unknown so far.
    server.rpc(balance.clone()).await;
    server.rpc(ask("eth_blockNumber", &json!([]))).await;
    assert!(server.rpc(balance.clone()).await.1.contains("0x2"));
    assert_eq!(node.unread(), 3);
    pass(Duration::from_secs(3600)).await;
    assert!(server.rpc(balance).await.1.contains("0x2"));
    assert_eq!(node.unread(), 3);
}

#[tokio::test]
async fn the_newest_state_is_kept_for_half_the_time_of_a_block() {
    let node = says_in_turn(&[r#""result":"0x1""#, r#""result":"0x2""#]).await;
    let server = keeping(&node).await;
    let price = ask("eth_gasPrice", &json!([]));
    // Missing parameters equal an empty list, and the request id does not matter.
    let same = r#"{"id":"other","method":"eth_gasPrice","jsonrpc":"2.0"}"#;
    assert!(server.rpc(price.clone()).await.1.contains("0x1"));
    pass(Duration::from_millis(1000)).await;
    assert_eq!(server.rpc(same).await.1, r#"{"jsonrpc":"2.0","id":"other","result":"0x1"}"#);
    pass(Duration::from_millis(1000)).await;
    assert!(server.rpc(price).await.1.contains("0x2"));
    assert_eq!(node.unread(), 2);
}

#[tokio::test]
async fn a_new_block_ends_what_was_kept_of_the_one_before() {
    let node = says_in_turn(&[r#""result":"0x1""#, r#""result":{"blockNumber":"0x5"}"#, r#""result":"0x2""#]).await;
    let server = keeping(&node).await;
    let balance = ask("eth_getBalance", &json!(["0x1", "latest"]));
    assert!(server.rpc(balance.clone()).await.1.contains("0x1"));
    server.rpc(ask("eth_getTransactionReceipt", &json!(["0xab"]))).await;
    assert!(server.rpc(balance).await.1.contains("0x2"));
}

#[tokio::test]
async fn the_number_of_the_newest_block_is_kept_though_it_is_new() {
    let node = says_in_turn(&[r#""result":"0x5""#, r#""result":"0x6""#]).await;
    let server = keeping(&node).await;
    for _ in 0..3 {
        assert!(server.rpc(ask("eth_blockNumber", &json!([]))).await.1.contains("0x5"));
    }
    assert_eq!(node.unread(), 1);
}

#[tokio::test]
async fn what_is_pending_or_does_something_is_asked_each_time() {
    let node = Upstream::echo().await;
    let server = keeping(&node).await;
    let asked = [
        ask("eth_getTransactionCount", &json!(["0x1", "pending"])),
        ask("eth_sendRawTransaction", &json!(["0x1"])),
        ask("eth_newBlockFilter", &json!([])),
        ask("eth_getFilterChanges", &json!(["0x1"])),
        ask("eth_estimateGas", &json!([{}])),
    ];
    for body in &asked {
        server.rpc(body.clone()).await;
        server.rpc(body.clone()).await;
    }
    assert_eq!(node.unread(), 2 * asked.len());
}

#[tokio::test]
async fn a_client_may_ask_anew() {
    let node = says_in_turn(&[r#""result":"0x1""#, r#""result":"0x2""#]).await;
    let server = keeping(&node).await;
    let body = ask("eth_chainId", &json!([]));
    server.rpc(body.clone()).await;
    let fresh = Request::post(RPC).header("cache-control", "max-age=0, No-Cache").body(body.clone().into()).unwrap();
    assert!(status_and_text(server.send(fresh).await).await.1.contains("0x2"));
    // The new response replaces the cached one.
    assert!(server.rpc(body).await.1.contains("0x2"));
    assert_eq!(node.unread(), 2);
}

#[tokio::test]
async fn a_chain_whose_answers_are_not_to_be_kept_is_asked_each_time() {
    let node = Upstream::echo().await;
    let toml = format!("[[chains]]\nid = \"eip155:1\"\ncache = false\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&toml).await;
    for _ in 0..2 {
        server.post("/v1?chainId=eip155:1&projectId=demo", ask("eth_chainId", &json!([]))).await;
    }
    assert_eq!(node.unread(), 2);
}

#[tokio::test]
async fn equal_items_of_a_batch_are_asked_once_and_answered_in_each_place() {
    let mut node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let batch =
        json!([call(1, "eth_gasPrice"), call(2, "eth_syncing"), call(3, "eth_gasPrice"), call(1, "eth_gasPrice")]);
    let (_, answer) = server.rpc(batch.to_string()).await;
    let result = |id: usize, method: &str| json!({"jsonrpc": "2.0", "id": id, "result": method});
    let expected = json!([
        result(1, "eth_gasPrice"),
        result(2, "eth_syncing"),
        result(3, "eth_gasPrice"),
        result(1, "eth_gasPrice")
    ]);
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), expected);
    let heard: Vec<Value> = serde_json::from_str(&node.heard().await).unwrap();
    assert_eq!(heard.len(), 2);
    // Filters are state of the node: two clients never share one.
    server.rpc(json!([call(1, "eth_newFilter"), call(2, "eth_newFilter")]).to_string()).await;
    let heard: Vec<Value> = serde_json::from_str(&node.heard().await).unwrap();
    assert_eq!(heard.len(), 2);
}

#[tokio::test]
async fn what_is_kept_of_a_batch_is_not_asked_again() {
    let mut node = Upstream::echo().await;
    let server = keeping(&node).await;
    server.rpc(call(1, "eth_chainId").to_string()).await;
    node.heard().await;
    let (_, answer) = server.rpc(json!([call(1, "eth_syncing"), call(2, "eth_chainId")]).to_string()).await;
    assert!(answer.ends_with(r#"{"jsonrpc":"2.0","id":2,"result":"eth_chainId"}]"#), "{answer}");
    assert_eq!(node.heard().await, r#"{"jsonrpc":"2.0","id":1,"method":"eth_syncing"}"#);
}

#[tokio::test]
async fn equal_questions_under_way_are_one_and_outlive_whoever_asked_first() {
    let gate = Arc::new(Notify::new());
    let late = gate.clone();
    let mut node = Upstream::start(move |body| {
        if body.contains("eth_syncing") {
            Reply::Late(late.clone(), r#"{"id":1,"result":"late"}"#.into())
        } else {
            Reply::Answer(StatusCode::OK, r#"{"id":1,"result":"early"}"#.into())
        }
    })
    .await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let first = server.ask(call(1, "eth_syncing").to_string());
    node.heard().await;
    let second = server.ask(json!([call(2, "eth_syncing"), call(3, "eth_gasPrice")]).to_string());
    assert_eq!(node.heard().await, r#"{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}"#);
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    gate.notify_one();
    let expected =
        concat!(r#"[{"jsonrpc":"2.0","id":2,"result":"late"},"#, r#"{"jsonrpc":"2.0","id":3,"result":"early"}]"#);
    assert_eq!(status_and_text(second.await.unwrap()).await.1, expected);
    assert_eq!(node.unread(), 0);
    // No request is left in flight: the next one goes to the node.
    let next = server.ask(call(4, "eth_syncing").to_string());
    node.heard().await;
    gate.notify_one();
    assert_eq!(status_and_text(next.await.unwrap()).await.1, r#"{"jsonrpc":"2.0","id":4,"result":"late"}"#);
}

#[tokio::test]
async fn a_question_that_nobody_waits_for_is_forgotten() {
    let mut node = Upstream::silent().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    for _ in 0..2 {
        let asked = server.ask(call(1, "eth_syncing").to_string());
        node.heard().await;
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
    }
}

#[tokio::test]
async fn what_does_something_is_asked_with_all_of_its_batch_in_its_order() {
    let mut node = Upstream::echo().await;
    let toml = format!(
        "[[chains]]\nid = \"eip155:31337\"\ncache = true\nblock_time_ms = 4000\nmethods = [\"anvil_*\"]\nupstreams = [{:?}]\n",
        node.url
    );
    let server = Server::configured(&toml).await;
    server.rpc(call(1, "eth_gasPrice").to_string()).await;
    node.heard().await;
    server.rpc(json!([call(1, "anvil_mine"), call(2, "eth_gasPrice"), call(3, "anvil_mine")]).to_string()).await;
    let heard: Vec<Value> = serde_json::from_str(&node.heard().await).unwrap();
    let methods: Vec<&str> = heard.iter().map(|call| call["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["anvil_mine", "eth_gasPrice", "anvil_mine"]);
}

#[tokio::test]
async fn a_large_answer_is_not_repeated_without_end() {
    let large = "x".repeat(1024 * 1024);
    let node = Upstream::says(200, &format!(r#"{{"id":1,"result":"{large}"}}"#)).await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let batch = Value::from_iter((0..1000).map(|id| call(id, "eth_syncing"))).to_string();
    let (status, answer) = server.rpc(batch).await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        answer.len() < 65 * 1024 * 1024 && answer.contains("The answer to this batch is too long. Send fewer calls.")
    );
    assert_eq!(node.unread(), 1);
}
