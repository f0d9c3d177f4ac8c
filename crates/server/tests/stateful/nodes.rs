//! The RPC proxy with nodes that fail, hang up, do not respond or send nonsense.

use crate::support;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;
use support::{RPC, Reply, Server, Upstream, call, pass, reason, status_and_text, text, within};
use tokio::time::Instant;

const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}"#;

#[tokio::test]
async fn the_next_node_is_asked_where_one_fails() {
    let redirected = Upstream::echo().await;
    let to = redirected.url.clone();
    let redirect = Upstream::start(move |_| Reply::Redirect(to.clone())).await;
    let failing = [
        Upstream::absent().await,
        Upstream::hangs_up().await,
        Upstream::says(500, r#"{"id":1,"result":"of a broken node"}"#).await.url,
        Upstream::says(503, "").await.url,
        Upstream::says(429, "slow down").await.url,
        Upstream::says(200, "<html>").await.url,
        Upstream::says(200, r#"{"id":1}"#).await.url,
        Upstream::says(200, r#"[{"id":1,"result":1}]"#).await.url,
        redirect.url.clone(),
    ];
    let good = Upstream::echo().await;
    for failing in &failing {
        let server = Server::with_upstreams(&[failing, &good.url]).await;
        let answer = server.rpc(CALL).await;
        assert_eq!(answer, (StatusCode::OK, r#"{"jsonrpc":"2.0","id":7,"result":"eth_chainId"}"#.into()), "{failing}");
    }
    assert_eq!(good.unread(), failing.len());
    assert_eq!(redirected.unread(), 0);
}

#[tokio::test]
async fn what_must_happen_once_is_not_sent_again_to_a_second_node() {
    let send = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_sendTransaction", "params": [{}]}).to_string();
    let broken = Upstream::says(502, "").await;
    let good = Upstream::echo().await;
    let server = Server::with_methods("eth_sendTransaction", &[&broken.url, &good.url]).await;
    assert_eq!(server.rpc(send.clone()).await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(good.unread(), 0);
    // The first node received nothing, so the second may get it.
    let server = Server::with_methods("eth_sendTransaction", &[&Upstream::absent().await, &good.url]).await;
    assert_eq!(server.rpc(send).await.0, StatusCode::OK);
    assert_eq!(good.unread(), 1);
}

#[tokio::test]
async fn a_chain_without_a_node_fails_a_call_with_503_and_each_item_of_a_batch() {
    let server = Server::with_upstreams(&[&Upstream::absent().await, &Upstream::hangs_up().await]).await;
    let (status, answer) = server.rpc(CALL).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        reason(&answer),
        ("chainId".into(), "No node of the chain eip155:31337 is responding. Try again.".into())
    );
    let (status, answer) = server.rpc(json!([call(1, "eth_call"), 2]).to_string()).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        serde_json::from_str::<Value>(&answer).unwrap(),
        json!([
            {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "No node of the chain eip155:31337 is responding. Try again."}},
            {"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "Send a JSON-RPC 2.0 call"}},
        ])
    );
}

#[tokio::test]
async fn spec_9_16_a_silent_node_is_given_up_after_10_seconds() {
    let mut node = Upstream::silent().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    for (body, expected) in [(CALL.to_owned(), 504), (json!([call(1, "eth_call")]).to_string(), 200)] {
        let start = Instant::now();
        let router = server.router.clone();
        let asked = Request::post(RPC).body(Body::from(body)).unwrap();
        let answer = tokio::spawn(tower::ServiceExt::oneshot(router, asked));
        node.heard().await;
        tokio::time::pause();
        let response = within("an answer", answer).await.unwrap().unwrap();
        let waited = start.elapsed();
        tokio::time::resume();
        assert_eq!(response.status().as_u16(), expected);
        assert!((Duration::from_secs(10)..Duration::from_secs(12)).contains(&waited), "{waited:?}");
        assert!(text(response).await.contains("The chain eip155:31337 didn't respond within 10 seconds. Try again."));
    }
}

#[tokio::test]
async fn a_second_node_is_asked_beside_a_silent_one_which_is_then_asked_last() {
    let (mut silent, mut good) = (Upstream::silent().await, Upstream::echo().await);
    let server = Server::with_upstreams(&[&silent.url, &good.url]).await;
    let expected = (StatusCode::OK, r#"{"jsonrpc":"2.0","id":7,"result":"eth_chainId"}"#.to_owned());
    let answer = server.ask(CALL);
    silent.heard().await;
    pass(Duration::from_millis(500)).await;
    assert_eq!(status_and_text(answer.await.unwrap()).await, expected);
    good.heard().await;
    // For a while the silent node is tried last.
    assert_eq!(server.rpc(CALL).await, expected);
    good.heard().await;
    assert_eq!(silent.unread(), 0);
}

#[tokio::test]
async fn what_only_one_node_knows_is_asked_of_a_second_only_in_half_the_time() {
    let (mut silent, mut good) = (Upstream::silent().await, Upstream::echo().await);
    let server = Server::with_upstreams(&[&silent.url, &good.url]).await;
    let filter = call(1, "eth_newBlockFilter").to_string();
    for _ in 0..2 {
        let answer = server.ask(filter.clone());
        silent.heard().await;
        pass(Duration::from_secs(5)).await;
        assert_eq!(answer.await.unwrap().status(), StatusCode::OK);
        good.heard().await;
        assert_eq!(server.rpc(filter.clone()).await.0, StatusCode::OK);
        good.heard().await;
        assert_eq!(silent.unread(), 0);
        // After 30 seconds the first node is tried again.
        pass(Duration::from_secs(30)).await;
    }
}

#[tokio::test]
async fn what_must_happen_once_has_the_whole_time_of_a_silent_node_and_no_other() {
    let (mut silent, good) = (Upstream::silent().await, Upstream::echo().await);
    let server = Server::with_methods("eth_sendTransaction", &[&silent.url, &good.url]).await;
    let start = Instant::now();
    let asked = Request::post(RPC).body(Body::from(call(1, "eth_sendTransaction").to_string())).unwrap();
    let answer = tokio::spawn(tower::ServiceExt::oneshot(server.router.clone(), asked));
    silent.heard().await;
    tokio::time::pause();
    assert_eq!(within("an answer", answer).await.unwrap().unwrap().status(), StatusCode::GATEWAY_TIMEOUT);
    assert!(start.elapsed() >= Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(good.unread(), 0);
}
