//! Calls that the RPC proxy accepts, and its responses.

use crate::support;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use support::{RPC, Reply, Server, Upstream, call, reason, status_and_text};

const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}"#;

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
    // A duplicate id, and every type of id.
    let batch = r#" [{"jsonrpc":"2.0","id":1,"method":"eth_call"},{"jsonrpc":"2.0","id":1,"method":"eth_getCode"},
        {"jsonrpc":"2.0","id":"x","method":"eth_getBalance"},{"jsonrpc":"2.0","id":null,"method":"eth_gasPrice"},{"jsonrpc":"2.0","id":1.50,"method":"eth_syncing"}]"#;
    let (status, answer) = server.rpc(batch).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        answer,
        concat!(
            r#"[{"jsonrpc":"2.0","id":1,"result":"eth_call"},{"jsonrpc":"2.0","id":1,"result":"eth_getCode"},"#,
            r#"{"jsonrpc":"2.0","id":"x","result":"eth_getBalance"},{"jsonrpc":"2.0","id":null,"result":"eth_gasPrice"},"#,
            r#"{"jsonrpc":"2.0","id":1.50,"result":"eth_syncing"}]"#
        )
    );
}

#[tokio::test]
async fn each_item_that_fails_has_an_error_of_its_own() {
    let node = Upstream::says(
        200,
        r#"[{"id":2,"error":{"code":3,"message":"execution reverted","data":"0x08c379a0"}},{"id":"1","result":null},
            {"id":99,"result":1},{"id":0,"result":1},{"id":{},"result":1},{"id":3}]"#,
    )
    .await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let batch = json!([call(1, "eth_call"), {"id": 2, "method": "eth_getCode"}, 3, call(4, "eth_gasPrice"), call(5, "eth_syncing"), {"id": [], "jsonrpc": "2.0", "method": "eth_config"}]);
    let (status, answer) = server.rpc(batch.to_string()).await;
    assert_eq!(status, StatusCode::OK);
    let not_a_call = json!({"code": -32600, "message": "Send a JSON-RPC 2.0 call"});
    assert_eq!(
        serde_json::from_str::<Value>(&answer).unwrap(),
        json!([
            {"jsonrpc": "2.0", "id": 1, "result": null},
            {"jsonrpc": "2.0", "id": 2, "error": not_a_call},
            {"jsonrpc": "2.0", "id": null, "error": not_a_call},
            {"jsonrpc": "2.0", "id": 4, "error": {"code": 3, "message": "execution reverted", "data": "0x08c379a0"}},
            {"jsonrpc": "2.0", "id": 5, "error": {"code": -32603, "message": "The node didn't respond to this call. Try again."}},
            {"jsonrpc": "2.0", "id": null, "error": not_a_call},
        ])
    );
}

#[tokio::test]
async fn a_batch_refused_as_a_whole_gives_each_item_the_refusal() {
    let node = Upstream::says(413, r#"{"id":null,"error":{"code":-32005,"message":"batch too large"}}"#).await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let (status, answer) = server.rpc(json!([call(1, "eth_call"), call(2, "eth_getCode")]).to_string()).await;
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
    assert_eq!(reason(&answer), ("body".into(), "Send at most 1000 calls at once, not 1001".into()));
    assert_eq!(node.unread(), 0);
}

#[tokio::test]
async fn notifications_are_passed_on_and_not_answered() {
    let mut node = Upstream::says(200, "").await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let notification = r#"{"jsonrpc":"2.0","method":"eth_call"}"#;
    for body in [notification.to_owned(), format!("[{notification}]")] {
        assert_eq!(server.rpc(body).await, (StatusCode::NO_CONTENT, String::new()));
        assert_eq!(node.heard().await, notification);
    }
}

#[tokio::test]
async fn a_body_that_is_no_call_is_refused_and_never_passed_on() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let deep = "[".repeat(200_000);
    let bodies: [(&[u8], &str); 9] = [
        (b"", "Send the body as JSON"),
        (b"{", "Send the body as JSON"),
        (b"[1,", "Send the body as JSON"),
        (deep.as_bytes(), "Send the body as JSON"),
        (b"[] []", "Send the body as JSON"),
        (b"\xff\xfe", "Send the body as UTF-8 text"),
        (b"[]", "Add a call to the batch"),
        (br#"{"id":1,"method":"eth_call"}"#, "Send the body as a JSON-RPC 2.0 call"),
        (
            br#"{"jsonrpc":"2.0","id":1,"method":"eth_call","method":"eth_getCode"}"#,
            "Send the body as a JSON-RPC 2.0 call",
        ),
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
