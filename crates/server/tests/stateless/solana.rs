//! Solana without API keys: its nodes, and a price source that needs none.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::web::{Heard, Web};
use support::{Server, recorded, status_and_text};

const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const OWNER: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const TOKEN: &str = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const TOKEN_2022: &str = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const PYUSD: &str = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo";
const USDC: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

async fn server(node: &Web) -> Server {
    let chain = format!("[[chains]]\nid = {SOLANA:?}\nupstreams = [{:?}]\n", node.url(""));
    Server::configured(&format!("[sources]\nprices = \"none\"\n{chain}")).await
}

async fn ask(server: &Server, list: &str, query: &str) -> (StatusCode, Value) {
    let path = format!("/v1/account/{OWNER}/{list}?projectId=demo&chainId={SOLANA}&sv=react-1&{query}");
    let (status, text) = status_and_text(server.get(&path).await).await;
    (status, serde_json::from_str(&text).unwrap())
}

/// Node's response to one call or a batch; `result` gets method and parameters.
fn say(heard: &Heard, result: impl Fn(&str, &Value) -> Value) -> String {
    let answer = |call: &Value| {
        let result = result(call["method"].as_str().unwrap(), &call["params"]);
        json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
    };
    match serde_json::from_slice(&heard.body).unwrap() {
        Value::Array(calls) => Value::from_iter(calls.iter().map(answer)).to_string(),
        call => answer(&call).to_string(),
    }
}

fn value(path: &str) -> Value {
    serde_json::from_str(&recorded(path)).unwrap()
}

#[tokio::test]
async fn a_node_that_answers_nonsense_or_nothing_is_told_as_503() {
    for nonsense in [json!(null), json!(7), json!("<b>"), json!({})] {
        let node = Web::start(move |heard| say(heard, |_, _| nonsense.clone())).await;
        let server = server(&node).await;
        for list in ["balance", "history"] {
            assert_eq!(ask(&server, list, "").await.0, StatusCode::SERVICE_UNAVAILABLE, "{list}");
        }
    }
    let node = Web::start(|_| "<html>").await;
    assert_eq!(ask(&server(&node).await, "history", "").await.0, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn a_transaction_that_a_node_does_not_know_or_makes_up_costs_only_itself() {
    for made_up in [json!(null), json!([]), json!({"slot": -1}), value("solana/transactions")[0].clone()] {
        let node = Web::start(move |heard| {
            say(heard, |method, params| match (method, params[0].as_str().unwrap().starts_with("5h6x")) {
                ("getSignaturesForAddress", _) => value("solana/signatures"),
                (_, true) => value("solana/transactions")[0].clone(),
                (_, false) => made_up.clone(),
            })
        })
        .await;
        let (status, page) = ask(&server(&node).await, "history", "").await;
        assert_eq!((status, page["data"].as_array().unwrap().len()), (StatusCode::OK, 1), "{page}");
    }
}

#[tokio::test]
async fn what_an_account_did_in_confirmed_blocks_is_told_the_newest_first() {
    let node = Web::start(|heard| {
        say(heard, |method, params| match (method, params[0].as_str().unwrap().starts_with("5h6x")) {
            // Nodes read final blocks where nothing is said.
            _ if params[1]["commitment"] != "confirmed" => Value::Null,
            ("getSignaturesForAddress", _) => value("solana/signatures"),
            (_, first) => value("solana/transactions")[usize::from(!first)].clone(),
        })
    })
    .await;
    let (status, page) = ask(&server(&node).await, "history", "").await;
    assert_eq!((status, &page["source"], &page["age"]), (StatusCode::OK, &json!("rpc"), &json!(0)));
    assert_eq!(page["next"], Value::Null);
    let row = |row: &Value| {
        let (moved, metadata) = (&row["transfers"][0], &row["metadata"]);
        json!([
            metadata["operationType"],
            metadata["minedAt"],
            moved["direction"],
            moved["quantity"]["numeric"],
            moved["fungible_info"]["symbol"]
        ])
    };
    let rows: Vec<Value> = page["data"].as_array().unwrap().iter().map(row).collect();
    let expected = [
        json!(["send", "2025-06-01T00:00:12Z", "out", "1.5", "SOL"]),
        json!(["receive", "2025-06-01T00:00:00Z", "in", "42.5", "USDC"]),
    ];
    assert_eq!(rows, expected);
}

/// Signature of the transaction with this number.
fn signature(number: usize) -> String {
    format!("{}{number}", "1".repeat(80)).replace('0', "z")
}

#[tokio::test]
async fn a_page_begins_behind_the_last_one_and_a_node_is_asked_for_no_more_than_it_holds() {
    let node = Web::start(|heard| {
        say(heard, |method, params| {
            let first = params[1]["before"].as_str().map_or(1, |_| 101);
            match method {
                // More rows than requested.
                "getSignaturesForAddress" => {
                    (first..first + 60).map(|number| json!({"signature": signature(number)})).collect()
                }
                _ => {
                    let mut told = value("solana/transactions")[0].clone();
                    told["transaction"]["signatures"][0] = params[0].clone();
                    told
                }
            }
        })
    })
    .await;
    let server = server(&node).await;
    let (_, page) = ask(&server, "history", "").await;
    assert_eq!(page["data"].as_array().unwrap().len(), 25);
    let (_, second) = ask(&server, "history", &format!("cursor={}", page["next"].as_str().unwrap())).await;
    assert_eq!(second["data"][0]["metadata"]["hash"], signature(101));
    for cursor in ["x", &signature(25), &page["next"].as_str().unwrap()[2..]] {
        assert_eq!(ask(&server, "history", &format!("cursor={cursor}")).await.0, StatusCode::BAD_REQUEST, "{cursor}");
    }
}

#[tokio::test]
async fn what_an_account_holds_and_what_it_is_worth_is_told_without_a_key() {
    let held = |mint: &str, amount: &str, decimals: u8| json!({"account": {"data": {"parsed": {"info": {"mint": mint, "tokenAmount": {"amount": amount, "decimals": decimals}}}}}});
    let node = Web::start(move |heard| {
        let calls: Vec<Value> = serde_json::from_slice(&heard.body).unwrap();
        let answer = |call: &Value| {
            let result = match (call["method"].as_str().unwrap(), call["params"][1]["programId"].as_str()) {
                ("getBalance", _) => json!({"context": {"slot": 1}, "value": 1_500_000_000u64}),
                (_, Some(TOKEN_2022)) => json!({"value": [held(PYUSD, "750", 2)]}),
                (_, Some(TOKEN)) => json!({"value": [held(USDC, "40000000", 6), held(USDC, "2500000", 6), held(OWNER, "1", 0), {"account": 7}]}),
                _ => json!({"value": []}),
            };
            json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
        };
        Value::from_iter(calls.iter().map(answer)).to_string()
    })
    .await;
    let prices = json!({"coins": {
        "solana:So11111111111111111111111111111111111111112": {"price": 150.5, "symbol": "SOL", "decimals": 9, "confidence": 0.99},
        format!("solana:{USDC}"): {"price": 0.9998, "symbol": "USDC", "decimals": 6, "confidence": 0.99},
    }});
    let mut llama = Web::start(move |_| prices.to_string()).await;
    let chain = format!("[[chains]]\nid = {SOLANA:?}\nupstreams = [{:?}]\n", node.url(""));
    let sources = format!("[sources]\ndefillama_url = {:?}\n", llama.url(""));
    let server = Server::configured(&(sources + &chain)).await;
    let (status, found) = ask(&server, "balance", "").await;
    assert_eq!((status, &found["source"], &found["age"]), (StatusCode::OK, &json!("rpc"), &json!(0)), "{found}");
    let row =
        |one: &Value| json!([one["symbol"], one["address"], one["quantity"]["numeric"], one["price"], one["value"]]);
    let rows: Value = found["balances"].as_array().unwrap().iter().map(row).collect();
    let usdc = format!("{SOLANA}:{USDC}");
    let newer = json!(["2b1k…u24GXo", format!("{SOLANA}:{PYUSD}"), "7.5", 0, null]);
    assert_eq!(rows, json!([["SOL", null, "1.5", 150.5, 225.75], ["USDC", usdc, "42.5", 0.9998, 42.4915], newer]));
    assert!(llama.heard().unwrap().path.starts_with("/prices/current/"));
}

#[tokio::test]
async fn reads_of_final_blocks_are_asked_for_once_and_those_of_newer_ones_again_after_a_slot() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let node = Web::start(move |heard| {
        say(heard, |method, params| {
            counted.fetch_add(usize::from(method != "getSlot" && method != "getHealth"), Ordering::Relaxed);
            match params[0].as_str() {
                Some("unknown") => Value::Null,
                _ => json!({"slot": 5}),
            }
        })
    })
    .await;
    let server = server(&node).await;
    let times = async |method: &str, params: Value| {
        let path = format!("/v1?chainId={SOLANA}&projectId=demo");
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let before = asked.load(Ordering::Relaxed);
        for wait in [0, 0, 3] {
            support::pass(Duration::from_secs(wait)).await;
            assert_eq!(server.post(&path, call.clone()).await.status(), StatusCode::OK);
        }
        asked.load(Ordering::Relaxed) - before
    };
    let at = |commitment: &str| json!([OWNER, {"commitment": commitment}]);
    for (method, params, expected) in [
        ("getTransaction", json!(["5h6x"]), 1),
        ("getTransaction", at("finalized"), 1),
        // Nodes have not seen it, and may see it next.
        ("getTransaction", json!(["unknown"]), 3),
        ("getTransaction", at("confirmed"), 2),
        ("getBalance", at("confirmed"), 2),
        ("getBalance", at("processed"), 3),
        ("getSignatureStatuses", json!([["5h6x"]]), 3),
        ("simulateTransaction", json!(["AQ=="]), 3),
    ] {
        assert_eq!(times(method, params.clone()).await, expected, "{method} {params}");
    }
}
