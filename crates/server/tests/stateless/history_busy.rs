//! A long history, from an explorer without other data.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::web::Web;
use support::{Server, status_and_text};

const CHAIN: &str = "eip155:31337";
const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const BOB: &str = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

async fn server(explorer: &str) -> Server {
    let chain = format!("[[chains]]\nid = {CHAIN:?}\nupstreams = [\"http://127.0.0.1:9\"]\nexplorer = {explorer:?}\n");
    Server::configured(&format!("[sources]\nhistory = [\"explorer\"]\n{chain}")).await
}

async fn page(server: &Server, query: &str) -> Value {
    let path = format!("/v1/account/{VISITOR}/history?projectId=demo&chainId={CHAIN}&{query}");
    let (status, text) = status_and_text(server.get(&path).await).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Explorer of an account with 10,000 transactions and half as many transfers, in pages of 50.
fn busy(path: &str) -> String {
    if path.contains("internal-transactions") {
        return json!({"items": [], "next_page_params": null}).to_string();
    }
    let last: u64 =
        path.split("block_number=").nth(1).and_then(|rest| rest.split('&').next()?.parse().ok()).unwrap_or(10_001);
    let moves = path.contains("token-transfers");
    let step = if moves { 2 } else { 1 };
    let blocks: Vec<u64> = (1..last).rev().filter(|block| block % step == 0).take(50).collect();
    let items: Vec<Value> = blocks.iter().map(|block| {
        let (hash, at) = (format!("0x{block:064x}"), "2025-06-01T00:00:00Z");
        let (from, to) = (json!({"hash": VISITOR}), json!({"hash": BOB}));
        if moves {
            json!({"transaction_hash": hash, "block_number": block, "timestamp": at, "from": to, "to": from,
                "token": {"name": "USD Coin", "symbol": "USDC", "decimals": "6"}, "total": {"value": "1500000", "decimals": "6"}})
        } else {
            json!({"hash": hash, "block_number": block, "timestamp": at, "from": from, "to": to, "value": "7", "nonce": block,
                "status": "ok", "raw_input": format!("0x{}", "ab".repeat(500))})
        }
    }).collect();
    let next = blocks
        .last()
        .filter(|block| **block > step)
        .map(|block| json!({"block_number": block, "index": 0, "items_count": 50}));
    json!({"items": items, "next_page_params": next}).to_string()
}

/// The time limit is far above the measured times (docs/benchmarks.md), for machines with other load.
#[tokio::test]
async fn ten_thousand_rows_are_paged_without_a_slow_page() {
    let explorer = Web::start(|heard| busy(&heard.path)).await;
    let server = server(&explorer.url("")).await;
    let (mut times, mut rows, mut query) = (Vec::new(), 0, String::new());
    loop {
        let start = Instant::now();
        let page = page(&server, &query).await;
        times.push(start.elapsed());
        let data = page["data"].as_array().unwrap();
        assert_eq!(data[0]["metadata"]["nonce"], 10_000 - rows);
        rows += data.len();
        let Some(next) = page["next"].as_str() else { break };
        query = format!("cursor={next}");
    }
    times.sort();
    println!(
        "{rows} rows, {} pages: median {:?}, slowest {:?}",
        times.len(),
        times[times.len() / 2],
        times[times.len() - 1]
    );
    assert_eq!((rows, times.len()), (10_000, 200));
    assert!(times[times.len() - 1] < Duration::from_secs(1));
}

#[tokio::test]
async fn an_explorer_that_knows_nothing_of_calls_within_tells_the_rest() {
    for (status, text) in [(404, "{}"), (422, "{}"), (500, ""), (200, "<html>"), (200, r#"{"items":7}"#)] {
        let explorer = Web::start(move |heard| {
            let status = StatusCode::from_u16(if heard.path.contains("internal") { status } else { 200 }).unwrap();
            let text = if heard.path.contains("internal") { text.to_owned() } else { busy(&heard.path) };
            (status, text)
        })
        .await;
        let server = server(&explorer.url("")).await;
        let page = page(&server, "").await;
        assert_eq!(page["data"].as_array().unwrap().len(), 50);
    }
}
