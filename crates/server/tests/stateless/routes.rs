//! Access to routes, and the common form of refusals.

use crate::support;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use support::{RPC, Server, Upstream, reason, status_and_text};

const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}"#;

#[tokio::test]
async fn a_request_names_a_project_and_a_served_chain() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let chain = "chainId=eip155:31337";
    let long = format!("{chain}&projectId={}", "a".repeat(65));
    let refusals = [
        (chain, 401, "projectId", "Project ID is missing"),
        ("chainId=eip155:31337&projectId=", 401, "projectId", "invalid key: use 1 to 64"),
        ("chainId=eip155:31337&projectId=a%20b", 401, "projectId", "invalid key: use 1 to 64"),
        ("chainId=eip155:31337&projectId=%ff", 401, "projectId", "invalid key: use 1 to 64"),
        ("chainId=eip155:31337&projectId=a&projectId=b", 401, "projectId", "invalid key: use 1 to 64"),
        (&long, 401, "projectId", "invalid key: use 1 to 64"),
        ("projectId=demo", 400, "chainId", "Add a chainId to the query"),
        ("projectId=demo&chainId=1", 400, "chainId", "Use a CAIP-2 id as chainId"),
        ("projectId=demo&chainId=eip155:1:2", 400, "chainId", "Use a CAIP-2 id as chainId"),
        ("projectId=demo&chainId=eip155:5", 400, "chainId", "The chain eip155:5 isn't served here"),
    ];
    for (query, status, field, description) in refusals {
        let response = server.post(&format!("/v1?{query}"), CALL).await;
        assert_eq!(response.headers()["access-control-allow-origin"], "*", "{query}");
        let (found, answer) = status_and_text(response).await;
        assert_eq!(found.as_u16(), status, "{query}");
        let (at, sentence) = reason(&answer);
        assert_eq!(at, field, "{query}");
        assert!(sentence.starts_with(description), "{query}: {sentence}");
    }
    assert_eq!(node.unread(), 0);
}

#[tokio::test]
async fn any_page_may_call_with_the_headers_that_the_widget_sends() {
    let server = Server::with_upstreams(&["http://127.0.0.1:1"]).await;
    let preflight = Request::options(RPC)
        .header("origin", "https://shop.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,x-sdk-version")
        .body(Body::empty())
        .unwrap();
    let response = server.send(preflight).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    assert_eq!(response.headers()["access-control-allow-methods"], "GET,HEAD,POST");
    let allowed = response.headers()["access-control-allow-headers"].to_str().unwrap();
    for header in ["content-type", "user-agent", "referer", "origin", "solana-client", "x-sdk-type", "x-sdk-version"] {
        assert!(allowed.split(',').any(|allowed| allowed == header), "{header}");
    }
}

#[tokio::test]
async fn the_supported_chains_are_those_of_the_configuration_in_its_order() {
    let chain = |id: &str| format!("[[chains]]\nid = \"{id}\"\nupstreams = [\"http://127.0.0.1:1\"]\n");
    let solana = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
    let server = Server::configured(&(chain("eip155:10") + &chain("eip155:1") + &chain(solana))).await;
    let (status, answer) = status_and_text(server.get("/v1/supported-chains").await).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(answer, format!(r#"{{"http":["eip155:10","eip155:1","{solana}"],"ws":[]}}"#));
}

#[tokio::test]
async fn a_refused_method_comes_with_those_that_are_allowed() {
    let server = Server::configured("").await;
    let response = server.send(Request::delete("/v1/supported-chains").body(Body::empty()).unwrap()).await;
    assert_eq!(response.headers()["allow"], "GET,HEAD");
    let (status, answer) = status_and_text(response).await;
    let told = "This HTTP method isn't allowed here. Use one that the header `allow` names.";
    assert_eq!((status.as_u16(), reason(&answer)), (405, (String::new(), told.into())));
}

#[tokio::test]
async fn other_paths_and_methods_are_refused_in_the_same_shape() {
    let server = Server::configured("").await;
    for (response, status, description) in [
        (server.get("/v1/nothing").await, 404, "There is nothing at this path"),
        (server.get("/nothing").await, 404, "There is nothing at this path"),
        (server.get(RPC).await, 405, "Send requests with POST, or open a WebSocket, on this path"),
    ] {
        let (found, answer) = status_and_text(response).await;
        assert_eq!(found.as_u16(), status);
        assert_eq!(reason(&answer), (String::new(), description.into()));
    }
}

#[tokio::test]
async fn each_answer_carries_a_request_id() {
    let server = Server::configured("").await;
    let id = |response: axum::http::Response<Body>| response.headers()["x-request-id"].to_str().unwrap().to_owned();
    assert_ne!(id(server.get("/health/live").await), id(server.get("/health/live").await));
    let asked =
        |given: &'static str| Request::get("/health/live").header("x-request-id", given).body(Body::empty()).unwrap();
    assert_eq!(id(server.send(asked("from-the-proxy_1")).await), "from-the-proxy_1");
    assert_ne!(id(server.send(asked("a b")).await), "a b");
}
