//! Choice of the node for a request, and hedged requests.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::{Reply, Server, Upstream, call, in_no_time, pass, reason, status_and_text};
use tokio::sync::Notify;

const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}"#;

fn answer(result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{result}"}}"#)
}

fn told(result: &str) -> (StatusCode, String) {
    (StatusCode::OK, format!(r#"{{"jsonrpc":"2.0","id":7,"result":"{result}"}}"#))
}

#[tokio::test]
async fn the_first_of_two_nodes_that_answers_wins() {
    for slow_one_wins in [false, true] {
        let gates = [Arc::new(Notify::new()), Arc::new(Notify::new())];
        let late = |place: usize| {
            let gate = gates[place].clone();
            Upstream::start(move |_| Reply::Late(gate.clone(), answer(["slow", "second"][place])))
        };
        let (mut slow, mut second) = (late(0).await, late(1).await);
        let server = Server::with_upstreams(&[&slow.url, &second.url]).await;
        let asked = server.ask(CALL);
        slow.heard().await;
        assert_eq!(second.unread(), 0);
        pass(Duration::from_millis(500)).await;
        second.heard().await;
        gates[usize::from(!slow_one_wins)].notify_one();
        let winner = if slow_one_wins { "slow" } else { "second" };
        assert_eq!(status_and_text(asked.await.unwrap()).await, told(winner));
    }
}

#[tokio::test]
async fn what_must_happen_once_is_never_asked_twice_however_slow_the_node() {
    for method in ["eth_sendTransaction", "anvil_mine"] {
        let gate = Arc::new(Notify::new());
        let late = gate.clone();
        let mut slow = Upstream::start(move |_| Reply::Late(late.clone(), answer("slow"))).await;
        let second = Upstream::echo().await;
        let server = Server::with_methods(method, &[&slow.url, &second.url]).await;
        let asked = server.ask(call(7, method).to_string());
        slow.heard().await;
        pass(Duration::from_secs(9)).await;
        gate.notify_one();
        assert_eq!(status_and_text(asked.await.unwrap()).await, told("slow"));
        assert_eq!(second.unread(), 0);
    }
}

#[tokio::test]
async fn a_signed_transaction_that_the_second_node_knows_from_the_first_was_sent() {
    let mut silent = Upstream::silent().await;
    let known = Upstream::says(200, r#"{"id":1,"error":{"code":-32000,"message":"already known"}}"#).await;
    let server = Server::with_upstreams(&[&silent.url, &known.url]).await;
    let send =
        json!({"jsonrpc": "2.0", "id": 7, "method": "eth_sendRawTransaction", "params": ["0x616263"]}).to_string();
    let asked = server.ask(send.clone());
    silent.heard().await;
    pass(Duration::from_millis(500)).await;
    // Keccak-256 of `abc`.
    let hash = "0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45";
    assert_eq!(status_and_text(asked.await.unwrap()).await, told(hash));
    // Without an earlier attempt, the client receives the error.
    let server = Server::with_upstreams(&[&known.url]).await;
    assert!(server.rpc(send).await.1.contains("already known"));
}

#[tokio::test]
async fn an_item_that_a_node_refuses_for_being_asked_too_often_goes_to_the_next() {
    let limited = Upstream::start(|body| {
        let calls: Vec<Value> = serde_json::from_str(body).unwrap();
        let answer = |call: &Value| match call["method"].as_str().unwrap() {
            "eth_call" => json!({"id": call["id"], "error": {"code": -32005, "message": "limit exceeded"}}),
            method => json!({"id": call["id"], "result": method}),
        };
        Reply::Answer(StatusCode::OK, Value::from_iter(calls.iter().map(answer)).to_string())
    })
    .await;
    let mut good = Upstream::echo().await;
    let batch = json!([call(1, "eth_gasPrice"), call(2, "eth_call"), call(3, "eth_syncing")]).to_string();
    let server = Server::with_upstreams(&[&limited.url, &good.url]).await;
    let (_, answer) = server.rpc(batch.clone()).await;
    let result = |id: usize, method: &str| json!({"jsonrpc": "2.0", "id": id, "result": method});
    let expected = json!([result(1, "eth_gasPrice"), result(2, "eth_call"), result(3, "eth_syncing")]);
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), expected);
    assert_eq!(good.heard().await, r#"{"jsonrpc":"2.0","id":1,"method":"eth_call"}"#);
    // Without another node the client receives the node's own error.
    let server = Server::with_upstreams(&[&limited.url]).await;
    let (_, answer) = server.rpc(batch).await;
    assert!(answer.contains("limit exceeded") && answer.contains("eth_syncing"), "{answer}");
}

#[tokio::test]
async fn a_node_that_fails_half_the_time_is_left_alone_and_tried_again_after_30_seconds() {
    let failing = Upstream::says(500, "").await;
    let good = Upstream::echo().await;
    // Both nodes are healthy, so only the tier puts the first in front.
    let toml = |tier: u8| {
        format!(
            "[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}, {{ url = {:?}, tier = {tier} }}]\n",
            failing.url, good.url
        )
    };
    let server = Server::configured(&toml(1)).await;
    for _ in 0..30 {
        assert_eq!(server.rpc(CALL).await, told("eth_chainId"));
    }
    assert_eq!(failing.unread(), 10);
    pass(Duration::from_secs(29)).await;
    server.rpc(CALL).await;
    assert_eq!(failing.unread(), 10);
    // Half-open circuit breaker: one request is let through and fails.
    pass(Duration::from_secs(1)).await;
    for _ in 0..3 {
        assert_eq!(server.rpc(CALL).await, told("eth_chainId"));
    }
    assert_eq!(failing.unread(), 11);
}

#[tokio::test]
async fn a_node_is_not_asked_more_often_than_its_rate() {
    let (limited, other) = (Upstream::echo().await, Upstream::echo().await);
    let toml = format!(
        "[[chains]]\nid = \"eip155:31337\"\nupstreams = [{{ url = {:?}, rps = 3 }}, {{ url = {:?}, tier = 1 }}]\n",
        limited.url, other.url
    );
    let server = Server::configured(&toml).await;
    in_no_time(async {
        for _ in 0..5 {
            assert_eq!(server.rpc(CALL).await, told("eth_chainId"));
        }
    })
    .await;
    assert_eq!((limited.unread(), other.unread()), (3, 2));
}

#[tokio::test]
async fn a_node_is_asked_only_the_methods_that_it_is_for() {
    let (logs, general) = (Upstream::echo().await, Upstream::echo().await);
    let toml = format!(
        "[[chains]]\nid = \"eip155:31337\"\nupstreams = [{{ url = {:?}, methods = [\"eth_getLogs\"] }}, {:?}]\n",
        logs.url, general.url
    );
    let server = Server::configured(&toml).await;
    server.rpc(CALL).await;
    assert_eq!((logs.unread(), general.unread()), (0, 1));
    server.rpc(call(1, "eth_getLogs").to_string()).await;
    assert_eq!((logs.unread(), general.unread()), (1, 1));
}

#[tokio::test]
async fn an_old_state_is_asked_of_an_archive() {
    let block = |head: &str| {
        let head = head.to_owned();
        Upstream::start(move |_| Reply::Answer(StatusCode::OK, answer(&head)))
    };
    let (recent, archive) = (block("0x1000").await, block("0x1000").await);
    let toml = format!(
        "[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}, {{ url = {:?}, archive = true, tier = 1 }}]\n",
        recent.url, archive.url
    );
    let server = Server::configured(&toml).await;
    server.rpc(call(1, "eth_blockNumber").to_string()).await;
    let balance = |block: &str| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "eth_getBalance", "params": ["0x1", block]}).to_string()
    };
    server.rpc(balance("0xfff")).await;
    server.rpc(balance("latest")).await;
    assert_eq!((recent.unread(), archive.unread()), (3, 0));
    server.rpc(balance("0x10")).await;
    assert_eq!((recent.unread(), archive.unread()), (3, 1));
}

#[tokio::test]
async fn gzip_html_and_nothing_are_passed_over_and_no_error_tells_where_the_node_is() {
    let good = Upstream::echo().await;
    let gzip = Upstream::says(200, "\u{1f}\u{8}\u{0}\u{0}").await;
    let html = Upstream::says(200, "<!doctype html><title>Sorry</title>").await;
    let nothing = Upstream::says(200, "").await;
    let key = Upstream::says(403, r#"{"error":"invalid key"}"#).await;
    for bad in [&gzip, &html, &nothing, &key] {
        let server = Server::with_upstreams(&[&bad.url, &good.url]).await;
        assert_eq!(server.rpc(CALL).await, told("eth_chainId"));
        let server = Server::with_upstreams(&[&bad.url]).await;
        let (status, answer) = server.rpc(CALL).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(reason(&answer).1, "No node of the chain eip155:31337 is responding. Try again.");
    }
    let telling = Upstream::start(|_| {
        let error = r#"{"id":1,"error":{"code":-32000,"message":"GET https://127.0.0.1/v2/0123456789abcdef failed"}}"#;
        Reply::Answer(StatusCode::OK, error.into())
    })
    .await;
    let server = Server::with_upstreams(&[&format!("{}/v2/0123456789abcdef", telling.url)]).await;
    let (_, answer) = server.rpc(CALL).await;
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"The node refused this call"}}"#);
}

#[tokio::test]
async fn the_quicker_of_two_nodes_is_asked_once_both_are_known() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    // One response in four is a failure.
    let sick = Upstream::start(move |_| match counted.fetch_add(1, Ordering::Relaxed) % 4 {
        3 => Reply::Answer(StatusCode::BAD_GATEWAY, String::new()),
        _ => Reply::Answer(StatusCode::OK, answer("sick")),
    })
    .await;
    let healthy = Upstream::start(|_| Reply::Answer(StatusCode::OK, answer("healthy"))).await;
    let server = Server::with_upstreams(&[&sick.url, &healthy.url]).await;
    for _ in 0..100 {
        assert_eq!(server.rpc(CALL).await.0, StatusCode::OK);
    }
    assert!(sick.unread() < 10, "{}", sick.unread());
}
