//! Room of visitors in a Redis that several nodes share, which removes other values when it is full.

use crate::support::{RPC, Reply, Server, Upstream, in_no_time, status_and_text, within};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::json;
use tower::ServiceExt;

const ABUSER: &str = "192.0.2.66";
const NEIGHBOUR: &str = "192.0.2.7";

/// Asks a node for a block whose answer never changes, of one mebibyte.
async fn block(node: &Router, visitor: &str, number: u32) {
    let hash = format!("0x{number:064x}");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_getBlockByHash", "params": [hash, false]});
    let request = Request::post(RPC).header("x-forwarded-for", visitor).body(Body::from(call.to_string())).unwrap();
    let (status, text) = status_and_text(within("a block", node.clone().oneshot(request)).await.unwrap()).await;
    assert_eq!(status, StatusCode::OK, "{text:.200}");
}

#[tokio::test]
async fn a_visitor_adds_so_many_bytes_to_redis_and_its_neighbour_its_own() {
    const BYTES: usize = 1024 * 1024;
    let answer = json!({"jsonrpc": "2.0", "id": 1, "result": "x".repeat(BYTES - 2)}).to_string();
    let upstream = Upstream::start(move |_| Reply::Answer(StatusCode::OK, answer.clone())).await;
    let server = Server::configured(&format!(
        "trusted_proxies = [\"0.0.0.0\"]\nlimits.client_per_second = 0\n\
         [[chains]]\nid = \"eip155:31337\"\ncache = true\nupstreams = [{:?}]\n",
        upstream.url
    ))
    .await;
    assert!(server.place.redis.is_some(), "PORTICO_TEST_REDIS_URL");
    in_no_time(async {
        for number in 0..20 {
            block(&server.router, ABUSER, number).await;
        }
        block(&server.router, NEIGHBOUR, 20).await;
        assert_eq!(upstream.unread(), 21);
        // The other node finds what there was room for: 16 mebibytes, and the neighbour's.
        let other = server.another();
        for number in (0..21).rev() {
            block(&other, NEIGHBOUR, number).await;
        }
        assert_eq!(upstream.unread(), 21 + 4);
    })
    .await;
}
