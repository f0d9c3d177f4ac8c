//! Methods that the RPC proxy passes on.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::{Server, Upstream, call};

/// Whether a call of this method reaches the node.
async fn is_passed_on(server: &Server, method: &str) -> bool {
    let (status, answer) = server.rpc(call(1, method).to_string()).await;
    assert_eq!(status, StatusCode::OK);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let passed = json!({"jsonrpc": "2.0", "id": 1, "result": method});
    let message = format!("The method {method} isn't allowed on this server");
    let refused = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": message}});
    assert!(answer == passed || answer == refused, "{answer}");
    answer == passed
}

#[tokio::test]
async fn spec_5_30_reads_and_signed_transactions_are_passed_on() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    for method in [
        "eth_blobBaseFee",
        "eth_blockNumber",
        "eth_call",
        "eth_chainId",
        "eth_estimateGas",
        "eth_feeHistory",
        "eth_gasPrice",
        "eth_getBalance",
        "eth_getBlockByNumber",
        "eth_getCode",
        "eth_getLogs",
        "eth_getTransactionByHash",
        "eth_getTransactionCount",
        "eth_getTransactionReceipt",
        "eth_maxPriorityFeePerGas",
        "eth_newFilter",
        "eth_sendRawTransaction",
        "eth_syncing",
        "net_version",
        "wallet_getCapabilities",
        "web3_clientVersion",
    ] {
        assert!(is_passed_on(&server, method).await, "{method}");
    }
}

#[tokio::test]
async fn spec_5_29_every_other_method_is_refused_and_no_node_hears_of_it() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    for method in [
        // Signing methods, spec 5.31: those are for wallets.
        "eth_sendTransaction",
        "eth_signTransaction",
        "eth_sign",
        "eth_signTypedData_v4",
        "personal_sign",
        "wallet_sendCalls",
        // Methods that control or inspect a node.
        "eth_accounts",
        "eth_coinbase",
        "eth_submitWork",
        "admin_peers",
        "clique_propose",
        "debug_traceTransaction",
        "engine_newPayloadV4",
        "miner_start",
        "personal_unlockAccount",
        "txpool_content",
        // Methods that modify a development chain.
        "anvil_setBalance",
        "evm_mine",
        "hardhat_reset",
        // Misspellings of allowed methods.
        "",
        "Eth_call",
        "eth_call ",
        "eth_callMany",
        "eth_",
        "getBalance",
    ] {
        assert!(!is_passed_on(&server, method).await, "{method}");
    }
    let notification = r#"{"jsonrpc":"2.0","method":"eth_send\u0054ransaction"}"#;
    assert_eq!(server.rpc(notification).await, (StatusCode::NO_CONTENT, String::new()));
    assert_eq!(node.unread(), 0);
}

#[tokio::test]
async fn spec_5_28_an_entry_of_wallet_send_calls_without_a_to_or_with_data_that_does_not_start_with_0x_goes_nowhere() {
    let mut node = Upstream::echo().await;
    let server = Server::with_methods("wallet_sendCalls", &[&node.url]).await;
    let send =
        |calls: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "wallet_sendCalls", "params": [{"calls": calls}]});
    let message = "Use 0x in front of the `to` and the `data` of each call";
    let refused = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": message}});
    for calls in [
        json!([{"data": "0x"}]),
        json!([{"to": "1"}]),
        json!([{"to": "0x1", "data": "ab"}]),
        json!([{"to": "0x1"}, {"to": null}]),
        json!("0x1"),
    ] {
        let (status, answer) = server.rpc(send(calls.clone()).to_string()).await;
        assert_eq!(
            (status, serde_json::from_str::<Value>(&answer).unwrap()),
            (StatusCode::OK, refused.clone()),
            "{calls}"
        );
    }
    let without_params = server.rpc(call(1, "wallet_sendCalls").to_string()).await.1;
    assert_eq!(serde_json::from_str::<Value>(&without_params).unwrap(), refused);
    assert_eq!(node.unread(), 0);
    let good = send(json!([{"to": "0x1", "data": "0xab"}, {"to": "0x2"}]));
    assert!(server.rpc(good.to_string()).await.1.contains("result"));
    assert_eq!(serde_json::from_str::<Value>(&node.heard().await).unwrap(), good);
}

#[tokio::test]
async fn params_that_are_nested_too_deeply_are_refused_and_reach_no_node() {
    let mut node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let nested = |levels: usize| {
        let params = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"eth_call","params":{params}}}"#)
    };
    let refused = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Nest params at most 64 levels deep"}}"#;
    for levels in [65, 200, 100_000] {
        let (status, answer) = server.rpc(nested(levels)).await;
        assert_eq!((status, answer.as_str()), (StatusCode::OK, refused), "{levels}");
    }
    let (_, answer) = server.rpc(format!("[{},{}]", nested(65), call(2, "eth_chainId"))).await;
    assert_eq!(answer, format!(r#"[{refused},{{"jsonrpc":"2.0","id":2,"result":"eth_chainId"}}]"#));
    assert_eq!(node.heard().await, r#"{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}"#);
    assert!(server.rpc(nested(64)).await.1.contains("result"));
    assert_eq!((node.heard().await, node.unread()), (nested(64), 0));
}

#[tokio::test]
async fn a_refused_item_keeps_its_place_and_the_others_are_answered() {
    let mut node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let batch = json!([
        call(1, "eth_sendTransaction"),
        call(2, "eth_chainId"),
        {"jsonrpc": "2.0", "method": "evm_mine"},
        call(3, "evm_mine"),
        call(4, "eth_call")
    ]);
    let error =
        |method: &str| json!({"code": -32601, "message": format!("The method {method} isn't allowed on this server")});
    assert_eq!(
        serde_json::from_str::<Value>(&server.rpc(batch.to_string()).await.1).unwrap(),
        json!([
            {"jsonrpc": "2.0", "id": 1, "error": error("eth_sendTransaction")},
            {"jsonrpc": "2.0", "id": 2, "result": "eth_chainId"},
            {"jsonrpc": "2.0", "id": 3, "error": error("evm_mine")},
            {"jsonrpc": "2.0", "id": 4, "result": "eth_call"},
        ])
    );
    let heard = r#"[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_call"}]"#;
    assert_eq!(node.heard().await, heard);
}

#[tokio::test]
async fn a_long_name_is_not_said_back_whole() {
    let server = Server::with_upstreams(&[&Upstream::absent().await]).await;
    let (status, answer) = server.rpc(call(1, &"é".repeat(100_000)).to_string()).await;
    assert_eq!(status, StatusCode::OK);
    assert!(answer.len() < 300 && answer.contains("ééé isn't allowed on this server"), "{answer}");
}

#[tokio::test]
async fn the_configuration_lets_more_through_by_name_or_by_beginning() {
    let node = Upstream::echo().await;
    let by_name = Server::with_methods("linea_estimateGas", &[&node.url]).await;
    for (method, passes) in [("linea_estimateGas", true), ("linea_estimateGas2", false), ("eth_call", true)] {
        assert_eq!(is_passed_on(&by_name, method).await, passes, "{method}");
    }
    let by_beginning = Server::with_methods("anvil_*", &[&node.url]).await;
    for (method, passes) in [("anvil_setBalance", true), ("anvil", false), ("evm_mine", false), ("eth_call", true)] {
        assert_eq!(is_passed_on(&by_beginning, method).await, passes, "{method}");
    }
}

#[tokio::test]
async fn each_namespace_has_methods_of_its_own() {
    let node = Upstream::echo().await;
    let solana = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
    let (bitcoin, polkadot) = ("bip122:000000000019d6689c085ae165831e93", "polkadot:91b171bb158e2d3848fa23a9f1c25182");
    let chains =
        [solana, bitcoin, polkadot].map(|id| format!("[[chains]]\nid = \"{id}\"\nupstreams = [{:?}]\n", node.url));
    let server = Server::configured(&chains.concat()).await;
    for (chain, method, passes) in [
        (solana, "getBalance", true),
        (solana, "sendTransaction", true),
        (solana, "simulateTransaction", true),
        (solana, "requestAirdrop", false),
        (solana, "eth_call", false),
        (bitcoin, "getbalance", false),
        (bitcoin, "eth_call", false),
        (polkadot, "chain_getHeader", false),
        (bitcoin, "dumpprivkey", false),
    ] {
        let response = server.post(&format!("/v1?chainId={chain}&projectId=demo"), call(1, method).to_string()).await;
        assert_eq!(support::text(response).await.contains("result"), passes, "{chain} {method}");
    }
}

#[tokio::test]
async fn an_array_is_no_call_and_no_answer() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let (status, answer) = server.rpc(r#"[["2.0",1,"eth_chainId",[]], [5]]"#).await;
    assert_eq!(status, StatusCode::OK);
    let wrong = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "Send a JSON-RPC 2.0 call"}});
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), json!([wrong, wrong]));
    assert_eq!(node.unread(), 0);
    let positional = Upstream::says(200, r#"[1,"of nobody",null]"#).await;
    let server = Server::with_upstreams(&[&positional.url]).await;
    assert_eq!(server.rpc(call(7, "eth_chainId").to_string()).await.0, StatusCode::SERVICE_UNAVAILABLE);
}
