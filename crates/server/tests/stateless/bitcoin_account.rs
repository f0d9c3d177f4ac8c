//! Balance and history of a Bitcoin address, from nodes with the REST interface of Esplora.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::web::Web;
use support::{Server, status_and_text};

const BITCOIN: &str = "bip122:000000000019d6689c085ae165831e93";
const SIGNET: &str = "bip122:00000008819873e925422c1ff0f99f7c";
const OWN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const OWN_ON_SIGNET: &str = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
const SHOP: &str = "3P14159f73E4gFr7JterCCQh9QjiTjiZrG";

async fn server(node: &Web, chain: &str, prices: &str) -> Server {
    let chain = format!("[[chains]]\nid = {chain:?}\nupstreams = [{:?}]\n", node.url("/api"));
    Server::configured(&format!("[sources]\n{prices}\n{chain}")).await
}

async fn ask(server: &Server, chain: &str, address: &str, list: &str, query: &str) -> (StatusCode, Value) {
    let path = format!("/v1/account/{address}/{list}?projectId=demo&chainId={chain}&sv=react-1&{query}");
    let (status, text) = status_and_text(server.get(&path).await).await;
    (status, serde_json::from_str(&text).unwrap())
}

fn stats(address: &str, funded: u64, spent: u64) -> String {
    let sums = |funded: u64, spent: u64| json!({"funded_txo_count": 1, "funded_txo_sum": funded, "spent_txo_count": 1, "spent_txo_sum": spent, "tx_count": 2});
    json!({"address": address, "chain_stats": sums(funded, spent), "mempool_stats": sums(1_000, 0)}).to_string()
}

/// Id of the transaction with this number.
fn id(number: usize) -> String {
    format!("{number:064x}")
}

/// Payment of 0.0007 BTC to the shop, with change.
fn payment(number: usize, confirmed: bool) -> Value {
    let output =
        |address: &str, value: u64| json!({"scriptpubkey": "", "scriptpubkey_address": address, "value": value});
    let status = match confirmed {
        true => {
            json!({"confirmed": true, "block_height": 900_000 - number, "block_hash": id(7), "block_time": 1_748_736_000 - number})
        }
        false => json!({"confirmed": false}),
    };
    json!({
        "txid": id(number), "version": 2, "locktime": 0, "size": 222, "weight": 561, "fee": 1_000, "status": status,
        "vin": [{"txid": id(99), "vout": 0, "prevout": output(OWN, 110_000), "is_coinbase": false, "sequence": 0}],
        "vout": [output(SHOP, 70_000), output(OWN, 39_000)],
    })
}

#[tokio::test]
async fn spec_7_5_a_balance_of_bitcoin_has_its_value_and_counts_what_is_unconfirmed() {
    let mut node = Web::start(|_| stats(OWN, 150_000_000, 50_000_000)).await;
    let mut llama = Web::start(|_| {
        json!({"coins": {"coingecko:bitcoin": {"price": 60_000, "symbol": "BTC", "confidence": 0.99}}}).to_string()
    })
    .await;
    let server = server(&node, BITCOIN, &format!("defillama_url = {:?}", llama.url(""))).await;
    let (status, found) = ask(&server, BITCOIN, OWN, "balance", "").await;
    assert_eq!((status, &found["source"], &found["age"]), (StatusCode::OK, &json!("rpc"), &json!(0)), "{found}");
    let one = &found["balances"][0];
    let told = json!([one["symbol"], one["address"], one["quantity"]["numeric"], one["price"], one["value"]]);
    assert_eq!(told, json!(["BTC", null, "1.00001", 60_000, 60_000.6]));
    assert_eq!(node.heard().unwrap().path, format!("/api/address/{OWN}"));
    assert_eq!(llama.heard().unwrap().path, "/prices/current/coingecko:bitcoin");
}

#[tokio::test]
async fn coins_of_a_test_network_have_no_price_and_no_service_is_asked_for_one() {
    let node = Web::start(|_| stats(OWN_ON_SIGNET, 5_000, 0)).await;
    let mut llama = Web::start(|_| "{}").await;
    let server = server(&node, SIGNET, &format!("defillama_url = {:?}", llama.url(""))).await;
    let (status, found) = ask(&server, SIGNET, OWN_ON_SIGNET, "balance", "").await;
    let one = &found["balances"][0];
    assert_eq!((status, &one["quantity"]["numeric"], &one["value"]), (StatusCode::OK, &json!("0.00006"), &Value::Null));
    assert!(llama.heard().is_none());
}

#[tokio::test]
async fn an_address_of_another_network_is_refused_and_no_node_hears_of_it() {
    let mut node = Web::start(|_| stats(OWN, 1, 0)).await;
    let server = server(&node, BITCOIN, "prices = \"none\"").await;
    for address in [OWN_ON_SIGNET, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "..%2Fblocks", "0x1"] {
        for list in ["balance", "history"] {
            let (status, told) = ask(&server, BITCOIN, address, list, "").await;
            assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::BAD_REQUEST, &json!("address")), "{told}");
        }
    }
    assert!(node.heard().is_none());
}

#[tokio::test]
async fn a_history_goes_from_the_pending_transactions_to_the_oldest() {
    let mut node = Web::start(|heard| {
        let (first, last) = match heard.path.split_once("/txs").unwrap().1 {
            "" => (1, 27),
            after if after == format!("/chain/{}", id(27)) => (28, 30),
            other => panic!("{other}"),
        };
        (first..=last).map(|number| payment(number, number > 2)).collect::<Value>().to_string()
    })
    .await;
    let server = server(&node, BITCOIN, "prices = \"none\"").await;
    let (status, page) = ask(&server, BITCOIN, OWN, "history", "").await;
    assert_eq!((status, &page["source"], &page["age"]), (StatusCode::OK, &json!("rpc"), &json!(0)), "{page}");
    let rows = page["data"].as_array().unwrap();
    assert_eq!(rows.len(), 27);
    let row = |row: &Value| {
        let (metadata, moved) = (&row["metadata"], &row["transfers"][0]);
        json!([
            metadata["hash"],
            metadata["operationType"],
            metadata["status"],
            metadata["fee"],
            moved["direction"],
            moved["quantity"]["numeric"],
            moved["recipient"]
        ])
    };
    assert_eq!(row(&rows[0]), json!([id(1), "send", "pending", "0.00001", "out", "0.0007", SHOP]));
    assert_eq!(row(&rows[2]), json!([id(3), "send", "confirmed", "0.00001", "out", "0.0007", SHOP]));
    assert_eq!(rows[2]["metadata"]["minedAt"], "2025-05-31T23:59:57Z");
    let (_, second) =
        ask(&server, BITCOIN, OWN, "history", &format!("cursor={}", page["next"].as_str().unwrap())).await;
    assert_eq!((&second["data"][0]["metadata"]["hash"], &second["next"]), (&json!(id(28)), &Value::Null));
    assert_eq!(node.heard().unwrap().path, format!("/api/address/{OWN}/txs"));
    assert_eq!(node.heard().unwrap().path, format!("/api/address/{OWN}/txs/chain/{}", id(27)));
    for cursor in ["x", "../../blocks", &id(27), &page["next"].as_str().unwrap()[2..]] {
        let cursor = format!("cursor={cursor}");
        assert_eq!(ask(&server, BITCOIN, OWN, "history", &cursor).await.0, StatusCode::BAD_REQUEST, "{cursor}");
    }
    assert!(node.heard().is_none());
}

#[tokio::test]
async fn after_a_page_of_pending_transactions_come_the_confirmed_ones_from_their_start() {
    let node = Web::start(|heard| {
        let all = match heard.path.split_once("/txs").unwrap().1 {
            "" => 1..=75,
            "/chain" => 51..=75,
            other => panic!("{other}"),
        };
        all.map(|number| payment(number, number > 50)).collect::<Value>().to_string()
    })
    .await;
    let server = server(&node, BITCOIN, "prices = \"none\"").await;
    let (_, page) = ask(&server, BITCOIN, OWN, "history", "").await;
    assert_eq!(page["data"].as_array().unwrap().len(), 50);
    let (_, second) =
        ask(&server, BITCOIN, OWN, "history", &format!("cursor={}", page["next"].as_str().unwrap())).await;
    assert_eq!(second["data"].as_array().unwrap().len(), 25, "{second}");
    assert_eq!(second["data"][0]["metadata"]["hash"], id(51));
}

#[tokio::test]
async fn a_node_that_answers_nonsense_or_too_much_is_told_as_503() {
    let many: Value = (1..=76).map(|number| payment(number, true)).collect();
    let mut wrong = payment(1, true);
    wrong["vout"][0]["value"] = json!(-1);
    let mut timeless = payment(1, true);
    timeless["status"]["block_time"] = json!(null);
    for nonsense in [
        "null",
        "7",
        "<html>",
        "{}",
        "[7]",
        &many.to_string(),
        &json!([wrong]).to_string(),
        &json!([timeless]).to_string(),
    ] {
        let told = nonsense.to_owned();
        let node = Web::start(move |_| told.clone()).await;
        let server = server(&node, BITCOIN, "prices = \"none\"").await;
        for list in ["balance", "history"] {
            let (status, _) = ask(&server, BITCOIN, OWN, list, "").await;
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{list} {nonsense:.100}");
        }
    }
}
