//! What the RPC proxy does not pass on, whoever asks.

mod support;

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::{Server, Upstream};

const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}"#;

fn call(id: usize, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method})
}

#[tokio::test]
async fn what_runs_a_node_is_refused_item_by_item_and_never_passed_on() {
    let mut node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let error = |method: &str| json!({"code": -32601, "message": format!("The method {method} is not served here")});
    for method in [
        "admin_peers",
        "personal_unlockAccount",
        "miner_start",
        "debug_traceTransaction",
        "engine_newPayloadV4",
        "clique_propose",
        "txpool_content",
        "anvil_setBalance",
        "hardhat_reset",
        "evm_mine",
        "Admin_peers",
    ] {
        let (status, answer) = server.rpc(call(7, method).to_string()).await;
        assert_eq!(status, StatusCode::OK);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer, json!({"jsonrpc": "2.0", "id": 7, "error": error(method)}));
    }
    let notification = r#"{"jsonrpc":"2.0","method":"admin_\u0070eers"}"#;
    assert_eq!(server.rpc(notification).await, (StatusCode::NO_CONTENT, String::new()));
    assert_eq!(node.unread(), 0);
    let batch = json!([call(1, "admin_peers"), call(2, "eth_chainId"), call(3, "evm_mine")]).to_string();
    assert_eq!(
        serde_json::from_str::<Value>(&server.rpc(batch).await.1).unwrap(),
        json!([
            {"jsonrpc": "2.0", "id": 1, "error": error("admin_peers")},
            {"jsonrpc": "2.0", "id": 2, "result": "eth_chainId"},
            {"jsonrpc": "2.0", "id": 3, "error": error("evm_mine")},
        ])
    );
    assert_eq!(node.heard().await, r#"[{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]"#);
}

#[tokio::test]
async fn a_development_node_may_be_steered_where_the_configuration_says_so() {
    let node = Upstream::echo().await;
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&format!("development_methods = true\n{chain}")).await;
    for (method, passes) in
        [("anvil_setBalance", true), ("hardhat_reset", true), ("evm_mine", true), ("admin_peers", false)]
    {
        let answer: Value = serde_json::from_str(&server.rpc(call(1, method).to_string()).await.1).unwrap();
        assert_eq!(answer.get("result").is_some(), passes, "{answer}");
    }
}

#[tokio::test]
async fn an_array_is_no_call_and_no_answer() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let (status, answer) = server.rpc(r#"[["2.0",1,"eth_chainId",[]], [5]]"#).await;
    assert_eq!(status, StatusCode::OK);
    let wrong = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "Not a JSON-RPC 2.0 call"}});
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), json!([wrong, wrong]));
    assert_eq!(node.unread(), 0);
    let positional = Upstream::says(200, r#"[1,"of nobody",null]"#).await;
    let server = Server::with_upstreams(&[&positional.url]).await;
    assert_eq!(server.rpc(CALL).await.0, StatusCode::SERVICE_UNAVAILABLE);
}
