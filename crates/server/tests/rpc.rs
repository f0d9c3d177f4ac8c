//! The RPC proxy against nodes that answer, refuse, hang up, stay silent and talk nonsense.

mod support;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;
use support::{RPC, Reply, Server, Upstream, reason, status_and_text, text};
use tokio::time::Instant;

const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}"#;

fn call(id: usize, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method})
}

#[tokio::test]
async fn spec_7_8_a_result_comes_back_as_the_very_text_the_node_sent() {
    let result = r#"{"big":123456789012345678901234567890.10, "é":"é","deep":[[ ]]}"#;
    let mut node = Upstream::says(200, &format!(r#"{{"id":1,"jsonrpc":"2.0","result":{result}}}"#)).await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let (status, answer) =
        server.rpc(r#"{"params":[{"data":"0x00", "v":1e400}],"jsonrpc":"2.0","id":"a\"b","method":"eth_call"}"#).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(answer, format!(r#"{{"jsonrpc":"2.0","id":"a\"b","result":{result}}}"#));
    let heard = node.heard().await;
    assert_eq!(heard, r#"{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"data":"0x00", "v":1e400}]}"#);
}

#[tokio::test]
async fn the_path_may_end_in_a_slash_and_the_body_may_be_called_text() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    for path in [RPC, "/v1/?chainId=eip155%3A31337&projectId=demo&st=appkit&sv=react-1"] {
        let request = Request::post(path).header("content-type", "text/plain").body(CALL.into()).unwrap();
        let response = server.send(request).await;
        assert_eq!(response.headers()["content-type"], "application/json");
        let expected = r#"{"jsonrpc":"2.0","id":7,"result":"eth_chainId"}"#;
        assert_eq!(status_and_text(response).await, (StatusCode::OK, expected.into()));
    }
}

#[tokio::test]
async fn spec_9_16_a_batch_is_answered_in_its_order_whatever_the_order_of_the_node() {
    let node = Upstream::start(|body| {
        let mut calls: Vec<Value> = serde_json::from_str(body).unwrap();
        calls.reverse();
        let answers: Vec<Value> =
            calls.iter().map(|call| json!({"id": call["id"], "result": call["method"]})).collect();
        Reply::Answer(StatusCode::OK, json!(answers).to_string())
    })
    .await;
    let server = Server::with_upstreams(&[&node.url]).await;
    // The same id twice, and every kind of id.
    let batch = r#" [{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":1,"method":"b"},
        {"jsonrpc":"2.0","id":"x","method":"c"},{"jsonrpc":"2.0","id":null,"method":"d"},{"jsonrpc":"2.0","id":1.50,"method":"e"}]"#;
    let (status, answer) = server.rpc(batch).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        answer,
        concat!(
            r#"[{"jsonrpc":"2.0","id":1,"result":"a"},{"jsonrpc":"2.0","id":1,"result":"b"},"#,
            r#"{"jsonrpc":"2.0","id":"x","result":"c"},{"jsonrpc":"2.0","id":null,"result":"d"},"#,
            r#"{"jsonrpc":"2.0","id":1.50,"result":"e"}]"#
        )
    );
}

#[tokio::test]
async fn each_item_that_fails_has_an_error_of_its_own() {
    let node = Upstream::says(
        200,
        r#"[{"id":4,"error":{"code":3,"message":"execution reverted","data":"0x08c379a0"}},{"id":"1","result":null},
            {"id":99,"result":1},{"id":0,"result":1},{"id":{},"result":1},{"id":5}]"#,
    )
    .await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let batch = json!([call(1, "a"), {"id": 2, "method": "b"}, 3, call(4, "d"), call(5, "e"), {"id": [], "jsonrpc": "2.0", "method": "f"}]);
    let (status, answer) = server.rpc(batch.to_string()).await;
    assert_eq!(status, StatusCode::OK);
    let not_a_call = json!({"code": -32600, "message": "Not a JSON-RPC 2.0 call"});
    assert_eq!(
        serde_json::from_str::<Value>(&answer).unwrap(),
        json!([
            {"jsonrpc": "2.0", "id": 1, "result": null},
            {"jsonrpc": "2.0", "id": 2, "error": not_a_call},
            {"jsonrpc": "2.0", "id": null, "error": not_a_call},
            {"jsonrpc": "2.0", "id": 4, "error": {"code": 3, "message": "execution reverted", "data": "0x08c379a0"}},
            {"jsonrpc": "2.0", "id": 5, "error": {"code": -32603, "message": "The node did not answer this call"}},
            {"jsonrpc": "2.0", "id": null, "error": not_a_call},
        ])
    );
}

#[tokio::test]
async fn a_batch_refused_as_a_whole_gives_each_item_the_refusal() {
    let node = Upstream::says(413, r#"{"id":null,"error":{"code":-32005,"message":"batch too large"}}"#).await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let (status, answer) = server.rpc(json!([call(1, "a"), call(2, "b")]).to_string()).await;
    assert_eq!(status, StatusCode::OK);
    let refusal = r#""error":{"code":-32005,"message":"batch too large"}"#;
    assert_eq!(answer, format!(r#"[{{"jsonrpc":"2.0","id":1,{refusal}}},{{"jsonrpc":"2.0","id":2,{refusal}}}]"#));
}

#[tokio::test]
async fn spec_9_16_a_batch_holds_up_to_1000_calls() {
    let mut node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let batch = |size: usize| Value::from_iter((0..size).map(|id| call(id, "eth_blockNumber"))).to_string();
    let (status, answer) = server.rpc(batch(1000)).await;
    assert_eq!(status, StatusCode::OK);
    let answers: Vec<Value> = serde_json::from_str(&answer).unwrap();
    assert_eq!(
        answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect::<Vec<_>>(),
        Vec::from_iter(0..1000)
    );
    node.heard().await;
    let (status, answer) = server.rpc(batch(1001)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(reason(&answer), ("body".into(), "The batch holds 1001 calls; the limit is 1000".into()));
    assert_eq!(node.unread(), 0);
}

#[tokio::test]
async fn notifications_are_passed_on_and_not_answered() {
    let mut node = Upstream::says(200, "").await;
    let server = Server::with_upstreams(&[&node.url]).await;
    for body in [r#"{"jsonrpc":"2.0","method":"a"}"#, r#"[{"jsonrpc":"2.0","method":"a"}]"#] {
        assert_eq!(server.rpc(body).await, (StatusCode::NO_CONTENT, String::new()));
        assert_eq!(node.heard().await, body);
    }
}

#[tokio::test]
async fn a_body_that_is_no_call_is_refused_and_never_passed_on() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let deep = "[".repeat(200_000);
    let bodies: [(&[u8], &str); 9] = [
        (b"", "The body is not JSON"),
        (b"{", "The body is not JSON"),
        (b"[1,", "The body is not JSON"),
        (deep.as_bytes(), "The body is not JSON"),
        (b"[] []", "The body is not JSON"),
        (b"\xff\xfe", "The body is not UTF-8 text"),
        (b"[]", "The batch is empty"),
        (br#"{"id":1,"method":"a"}"#, "The body is not a JSON-RPC 2.0 call"),
        (br#"{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}"#, "The body is not a JSON-RPC 2.0 call"),
    ];
    for (body, description) in bodies {
        let (status, answer) = server.rpc(body.to_vec()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{answer}");
        assert_eq!(reason(&answer), ("body".into(), description.into()));
    }
    let (status, answer) = server.rpc(" ".repeat(10 * 1024 * 1024 + 1)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(reason(&answer).1, "The body is larger than 10 MiB");
    assert_eq!(node.unread(), 0);
}

#[tokio::test]
async fn a_request_names_a_project_and_a_served_chain() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let chain = "chainId=eip155:31337";
    let long = format!("{chain}&projectId={}", "a".repeat(65));
    let refusals = [
        (chain, 401, "projectId", "The query must carry a projectId"),
        ("chainId=eip155:31337&projectId=", 401, "projectId", "The project id must be"),
        ("chainId=eip155:31337&projectId=a%20b", 401, "projectId", "The project id must be"),
        ("chainId=eip155:31337&projectId=%ff", 401, "projectId", "The project id must be"),
        ("chainId=eip155:31337&projectId=a&projectId=b", 401, "projectId", "The project id must be"),
        (&long, 401, "projectId", "The project id must be"),
        ("projectId=demo", 400, "chainId", "The query must carry a chainId"),
        ("projectId=demo&chainId=1", 400, "chainId", "The chainId is not a CAIP-2 id"),
        ("projectId=demo&chainId=eip155:1:2", 400, "chainId", "The chainId is not a CAIP-2 id"),
        ("projectId=demo&chainId=eip155:5", 400, "chainId", "The chain eip155:5 is not served here"),
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
    let server = Server::with_upstreams(&[&broken.url, &good.url]).await;
    assert_eq!(server.rpc(send.clone()).await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(good.unread(), 0);
    // Nobody heard it, so somebody else may.
    let server = Server::with_upstreams(&[&Upstream::absent().await, &good.url]).await;
    assert_eq!(server.rpc(send).await.0, StatusCode::OK);
    assert_eq!(good.unread(), 1);
}

#[tokio::test]
async fn a_chain_without_a_node_fails_a_call_with_503_and_each_item_of_a_batch() {
    let server = Server::with_upstreams(&[&Upstream::absent().await, &Upstream::hangs_up().await]).await;
    let (status, answer) = server.rpc(CALL).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(reason(&answer), ("chainId".into(), "No node of the chain eip155:31337 answers".into()));
    let (status, answer) = server.rpc(json!([call(1, "a"), 2]).to_string()).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        serde_json::from_str::<Value>(&answer).unwrap(),
        json!([
            {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "No node of the chain eip155:31337 answers"}},
            {"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "Not a JSON-RPC 2.0 call"}},
        ])
    );
}

#[tokio::test]
async fn spec_9_16_a_silent_node_is_given_up_after_10_seconds() {
    let mut node = Upstream::silent().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    for (body, expected) in [(CALL.to_owned(), 504), (json!([call(1, "a")]).to_string(), 200)] {
        let start = Instant::now();
        let router = server.router.clone();
        let asked = Request::post(RPC).body(Body::from(body)).unwrap();
        let answer = tokio::spawn(tower::ServiceExt::oneshot(router, asked));
        node.heard().await;
        tokio::time::pause();
        let response = answer.await.unwrap().unwrap();
        let waited = start.elapsed();
        tokio::time::resume();
        assert_eq!(response.status().as_u16(), expected);
        assert!((Duration::from_secs(10)..Duration::from_secs(12)).contains(&waited), "{waited:?}");
        assert!(text(response).await.contains("The chain eip155:31337 did not answer within 10 seconds"));
    }
}

#[tokio::test]
async fn a_silent_node_is_passed_over_in_half_the_time_and_then_asked_last() {
    let (mut silent, mut good) = (Upstream::silent().await, Upstream::echo().await);
    let server = Server::with_upstreams(&[&silent.url, &good.url]).await;
    let expected = (StatusCode::OK, r#"{"jsonrpc":"2.0","id":7,"result":"eth_chainId"}"#.to_owned());
    let ask = || {
        let asked = Request::post(RPC).body(Body::from(CALL)).unwrap();
        tokio::spawn(tower::ServiceExt::oneshot(server.router.clone(), asked))
    };
    for _ in 0..2 {
        let answer = ask();
        silent.heard().await;
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(5)).await;
        tokio::time::resume();
        assert_eq!(status_and_text(answer.await.unwrap().unwrap()).await, expected);
        good.heard().await;
        // For a while nobody waits for the silent one.
        assert_eq!(status_and_text(ask().await.unwrap().unwrap()).await, expected);
        good.heard().await;
        assert_eq!(silent.unread(), 0);
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(30)).await;
        tokio::time::resume();
    }
}

#[tokio::test]
async fn what_must_happen_once_has_the_whole_time_of_a_silent_node_and_no_other() {
    let (mut silent, good) = (Upstream::silent().await, Upstream::echo().await);
    let server = Server::with_upstreams(&[&silent.url, &good.url]).await;
    let start = Instant::now();
    let asked = Request::post(RPC).body(Body::from(call(1, "eth_sendTransaction").to_string())).unwrap();
    let answer = tokio::spawn(tower::ServiceExt::oneshot(server.router.clone(), asked));
    silent.heard().await;
    tokio::time::pause();
    assert_eq!(answer.await.unwrap().unwrap().status(), StatusCode::GATEWAY_TIMEOUT);
    assert!(start.elapsed() >= Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(good.unread(), 0);
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
async fn other_paths_and_methods_are_refused_in_the_same_shape() {
    let server = Server::configured("").await;
    for (response, status, description) in [
        (server.get("/v1/nothing").await, 404, "There is nothing at this path"),
        (server.get("/nothing").await, 404, "There is nothing at this path"),
        (server.get(RPC).await, 405, "This path does not take this method"),
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
