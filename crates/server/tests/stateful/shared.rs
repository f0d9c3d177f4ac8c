//! A Redis that is unreachable, or does not respond.

use crate::support;
use axum::http::StatusCode;
use portico_server::shared::{Rate, Shared};
use std::time::{Duration, Instant};
use support::node::{Node, ask};
use support::{Server, Upstream, status_and_text};
use tokio::net::TcpListener;
use tokio::time::timeout;

fn at(address: &str) -> Shared {
    let place = redis::IntoConnectionInfo::into_connection_info(format!("redis://{address}")).unwrap();
    Shared::in_redis(place, "").unwrap()
}

#[tokio::test]
async fn without_its_redis_a_node_keeps_limits_by_itself_and_nothing_else() {
    let absent = Upstream::absent().await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    for address in [absent.trim_start_matches("http://"), &silent.local_addr().unwrap().to_string()] {
        let shared = at(address);
        let start = Instant::now();
        let rate = Rate { per_second: 0.001, burst: 2 };
        assert_eq!(shared.spend("a", 2, rate).await, Ok(()));
        assert!(shared.spend("a", 1, rate).await.is_err());
        shared.put("kept", "a".into(), Duration::from_secs(60)).await;
        assert_eq!(shared.get("kept").await, None);
        assert!(shared.first("nonce", Duration::from_secs(60)).await);
        assert!(!shared.first("nonce", Duration::from_secs(60)).await);
        assert!(!shared.whole().await);
        // One request waits for the timeout; the others do not.
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    }
}

#[tokio::test]
async fn a_node_without_its_redis_serves_and_says_so() {
    let node = Upstream::echo().await;
    let folder = tempfile::tempdir().unwrap();
    let redis = Upstream::absent().await.replace("http://", "redis://");
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    std::fs::write(folder.path().join("portico.toml"), format!("redis = {redis:?}\n{chain}")).unwrap();
    let (done, ..) = support::node::said(folder.path(), &["project", "add", "--id", "demo", "--any-origin"]).await;
    assert!(done);
    let served = Node::start(folder.path()).await;
    let (status, _) =
        ask(&served.address, &format!("POST {}", support::RPC), r#"{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}"#)
            .await
            .unwrap();
    assert_eq!(status, 200);
    let (status, answer) = ask(&served.address, "GET /health/ready", "").await.unwrap();
    assert_eq!(
        (status, answer.ends_with("ready, but Redis isn't responding and each node keeps its own limits\n")),
        (200, true),
        "{answer}"
    );
    // The node reconnects without a request.
    let back = TcpListener::bind(redis.trim_start_matches("redis://")).await.unwrap();
    timeout(Duration::from_secs(30), back.accept()).await.expect("the node reconnects to Redis").unwrap();
    let whole = Server::configured("").await;
    assert_eq!(status_and_text(whole.get("/health/ready").await).await, (StatusCode::OK, "ready\n".into()));
}
