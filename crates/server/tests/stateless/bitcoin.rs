//! Bitcoin by JSON-RPC: each call is one request to a node with the REST interface of Esplora.

use crate::support;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::web::{Heard, Web, raw};
use support::{Server, Upstream, reason, status_and_text};

const BITCOIN: &str = "bip122:000000000019d6689c085ae165831e93";
const ADDRESS: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const BLOCK: &str = "00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee";

/// First payment of Bitcoin, in block 170, and its id.
const RAW: &str = "0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000";
const ID: &str = "f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16";

/// Another id.
fn other() -> String {
    "ab".repeat(32)
}

async fn server(nodes: &[&str]) -> Server {
    let nodes = nodes.iter().map(|url| format!("{url:?}")).collect::<Vec<_>>().join(", ");
    Server::configured(&format!("[[chains]]\nid = {BITCOIN:?}\nupstreams = [{nodes}]\n")).await
}

async fn post(server: &Server, body: &Value) -> (StatusCode, String) {
    let path = format!("/v1?chainId={BITCOIN}&projectId=demo");
    status_and_text(server.post(&path, body.to_string()).await).await
}

fn call(id: usize, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Result or error of a call.
async fn ask(server: &Server, method: &str, params: Value) -> Value {
    let (status, text) = post(server, &call(7, method, &params)).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let said: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&said["jsonrpc"], &said["id"]), (&json!("2.0"), &json!(7)));
    said.get("result").or(said.get("error")).unwrap().clone()
}

fn block() -> Value {
    json!({"confirmed": true, "block_height": 170, "block_hash": BLOCK, "block_time": 1_231_731_025})
}

/// Node in the shapes of Esplora's documentation.
fn esplora(heard: &Heard) -> Response {
    let sums = |funded: u64, spent: u64| json!({"funded_txo_count": 2, "funded_txo_sum": funded, "spent_txo_count": 1, "spent_txo_sum": spent, "tx_count": 3});
    let path = heard.path.strip_prefix("/api").unwrap_or("");
    match (&heard.method, path) {
        (&Method::GET, "/blocks/tip/height") => "900000".into_response(),
        (&Method::GET, "/block-height/170") => BLOCK.into_response(),
        (&Method::GET, "/fee-estimates") => json!({"1": 87.882, "6": 40.5, "144": 1.027}).to_string().into_response(),
        (&Method::POST, "/tx") => ID.into_response(),
        (&Method::GET, path) if path == format!("/tx/{ID}/hex") => RAW.into_response(),
        (&Method::GET, path) if path == format!("/tx/{ID}") => json!({
            "txid": ID, "version": 1, "locktime": 0, "vin": [], "vout": [], "size": 275, "weight": 1100, "fee": 0, "status": block()
        })
        .to_string()
        .into_response(),
        (&Method::GET, path) if path == format!("/tx/{}", other()) => {
            json!({"txid": other(), "status": {"confirmed": false}}).to_string().into_response()
        }
        (&Method::GET, path) if path == format!("/tx/{ID}/outspend/0") => {
            json!({"spent": true, "txid": other(), "vin": 0, "status": block()}).to_string().into_response()
        }
        (&Method::GET, path) if path == format!("/tx/{ID}/outspend/1") => json!({"spent": false}).to_string().into_response(),
        (&Method::GET, path) if path == format!("/address/{ADDRESS}/utxo") => json!([
            {"txid": ID, "vout": 1, "status": block(), "value": 4_000_000_000_u64},
            {"txid": other(), "vout": 0, "status": {"confirmed": false}, "value": 546},
        ])
        .to_string()
        .into_response(),
        (&Method::GET, path) if path == format!("/address/{ADDRESS}") => {
            json!({"address": ADDRESS, "chain_stats": sums(5_000_000_000, 1_000_000_000), "mempool_stats": sums(546, 0)})
                .to_string()
                .into_response()
        }
        (_, path) if path.starts_with("/block-height/") => (StatusCode::NOT_FOUND, "Block not found").into_response(),
        _ => (StatusCode::NOT_FOUND, "Transaction not found").into_response(),
    }
}

#[tokio::test]
async fn spec_7_8_each_call_of_bitcoin_is_one_request_to_an_esplora() {
    let mut node = Web::start(esplora).await;
    let server = server(&[&node.url("/api")]).await;
    let of_address = json!([{"addresses": [ADDRESS]}]);
    let output = |vout: u32| json!([[{"txid": ID, "vout": vout}]]);
    for (method, params, path, result) in [
        ("getblockcount", json!([]), "/blocks/tip/height".to_owned(), json!(900_000)),
        ("getblockhash", json!([170]), "/block-height/170".into(), json!(BLOCK)),
        ("getrawtransaction", json!([ID]), format!("/tx/{ID}/hex"), json!(RAW)),
        (
            "getrawtransaction",
            json!([ID, true]),
            format!("/tx/{ID}"),
            json!({"txid": ID, "blockhash": BLOCK, "blockheight": 170, "blocktime": 1_231_731_025}),
        ),
        ("getrawtransaction", json!([other(), true]), format!("/tx/{}", other()), json!({"txid": other()})),
        (
            "gettxspendingprevout",
            output(0),
            format!("/tx/{ID}/outspend/0"),
            json!([{"txid": ID, "vout": 0, "spendingtxid": other()}]),
        ),
        ("gettxspendingprevout", output(1), format!("/tx/{ID}/outspend/1"), json!([{"txid": ID, "vout": 1}])),
        (
            "getaddressutxos",
            of_address.clone(),
            format!("/address/{ADDRESS}/utxo"),
            json!([
                {"txid": ID, "outputIndex": 1, "satoshis": 4_000_000_000_u64, "height": 170},
                {"txid": other(), "outputIndex": 0, "satoshis": 546},
            ]),
        ),
        ("getaddressbalance", of_address, format!("/address/{ADDRESS}"), json!({"balance": 4_000_000_546_u64})),
        ("estimatesmartfee", json!([3]), "/fee-estimates".into(), json!({"feerate": 0.00087882, "blocks": 1})),
        ("sendrawtransaction", json!([RAW]), "/tx".into(), json!(ID)),
    ] {
        assert_eq!(ask(&server, method, params.clone()).await, result, "{method} {params}");
        let heard = node.heard().unwrap();
        assert_eq!(heard.path, format!("/api{path}"), "{method}");
        let sent = if method == "sendrawtransaction" { (Method::POST, RAW) } else { (Method::GET, "") };
        assert_eq!((heard.method, std::str::from_utf8(&heard.body).unwrap()), sent, "{method}");
        assert!(node.heard().is_none(), "{method}");
    }
}

#[tokio::test]
async fn a_batch_is_answered_in_its_order_by_one_request_a_call() {
    let mut node = Web::start(esplora).await;
    let server = server(&[&node.url("/api")]).await;
    let batch = json!([
        call(1, "getblockcount", &json!([])),
        call(2, "getblockhash", &json!(["../x"])),
        call(3, "sendrawtransaction", &json!([RAW])),
        call(4, "getblockcount", &json!([])),
        call(5, "dumpprivkey", &json!([])),
        {"jsonrpc": "2.0", "method": "getblockhash", "params": [170]},
        call(6, "getrawtransaction", &json!(["cd".repeat(32)])),
    ]);
    let (status, text) = post(&server, &batch).await;
    assert_eq!(status, StatusCode::OK);
    let error = |id: usize, code: i64, message: &str| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    let expected = json!([
        {"jsonrpc": "2.0", "id": 1, "result": 900_000},
        error(2, -32602, "Use params [height], with the number of a block"),
        {"jsonrpc": "2.0", "id": 3, "result": ID},
        {"jsonrpc": "2.0", "id": 4, "result": 900_000},
        error(5, -32601, "The method dumpprivkey isn't allowed on this server"),
        error(6, -5, "No such mempool or blockchain transaction"),
    ]);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
    let mut paths: Vec<String> = std::iter::from_fn(|| node.heard()).map(|heard| heard.path).collect();
    paths.sort();
    let unknown = format!("/api/tx/{}/hex", "cd".repeat(32));
    assert_eq!(paths, ["/api/block-height/170", "/api/blocks/tip/height", "/api/tx", &unknown]);
}

#[tokio::test]
async fn params_that_would_change_the_path_reach_no_node() {
    let mut node = Web::start(esplora).await;
    let server = server(&[&node.url("/api")]).await;
    for trick in ["../../admin", "..%2f..%2fadmin", "?key=1", "#", "a/b", "\u{0}", ".", "％２ｅ"] {
        for (method, params) in [
            ("getrawtransaction", json!([trick])),
            ("getrawtransaction", json!([format!("{}{trick}", &ID[..60]), true])),
            ("gettxspendingprevout", json!([[{"txid": trick, "vout": 0}]])),
            ("getaddressutxos", json!([{"addresses": [trick]}])),
            ("getaddressbalance", json!([{"addresses": [format!("{ADDRESS}/{trick}")]}])),
            ("getblockhash", json!([trick])),
            ("estimatesmartfee", json!([trick])),
            ("sendrawtransaction", json!([trick])),
        ] {
            assert_eq!(ask(&server, method, params.clone()).await["code"], -32602, "{method} {params}");
        }
    }
    for address in ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"] {
        let said = ask(&server, "getaddressutxos", json!([{"addresses": [address]}])).await;
        assert_eq!(said, json!({"code": -32602, "message": "Use a Bitcoin address of this chain"}));
    }
    assert!(node.heard().is_none());
}

#[tokio::test]
async fn an_answer_of_another_shape_is_a_failure_of_the_node_and_the_next_is_asked() {
    let good = Web::start(esplora).await;
    let bad = |status: u16, text: &str| {
        let text = text.to_owned();
        async move { Web::start(move |_| (StatusCode::from_u16(status).unwrap(), text.clone())).await }
    };
    let of_address = json!([{"addresses": [ADDRESS]}]);
    let outside =
        json!({"txid": ID, "status": {"confirmed": true, "block_height": 1e20, "block_hash": BLOCK, "block_time": 1}});
    for (method, params, status, text) in [
        ("getblockcount", json!([]), 200, "<html>".to_owned()),
        ("getblockcount", json!([]), 200, "99999999999999999999".into()),
        ("getblockcount", json!([]), 404, "<html>Not Found</html>".into()),
        ("getblockcount", json!([]), 401, "no key".into()),
        ("getblockcount", json!([]), 429, "Too Many Requests".into()),
        ("getblockcount", json!([]), 500, "out of order".into()),
        ("getblockhash", json!([170]), 200, "../../x".into()),
        // The bytes of another transaction.
        ("getrawtransaction", json!([ID]), 200, RAW.replace("0200ca9a3b", "0201ca9a3b")),
        ("getrawtransaction", json!([ID]), 200, "00".into()),
        ("getrawtransaction", json!([ID, true]), 200, outside.to_string()),
        ("getrawtransaction", json!([ID, true]), 200, json!({"txid": other(), "status": block()}).to_string()),
        ("gettxspendingprevout", json!([[{"txid": ID, "vout": 0}]]), 200, r#"{"spent":true,"txid":"<b>"}"#.into()),
        ("getaddressutxos", of_address.clone(), 200, r#"{"error":"no"}"#.into()),
        ("getaddressutxos", of_address.clone(), 200, "[".repeat(100_000)),
        ("getaddressbalance", of_address, 200, r#"{"address":"x"}"#.into()),
        ("estimatesmartfee", json!([3]), 200, r#"{"1":-1}"#.into()),
    ] {
        let node = bad(status, &text).await;
        let alone = server(&[&node.url("")]).await;
        let (told, answer) = post(&alone, &call(7, method, &params)).await;
        assert_eq!(told, StatusCode::SERVICE_UNAVAILABLE, "{method} {text:.80} {answer}");
        assert_eq!(reason(&answer).1, format!("No node of the chain {BITCOIN} is responding. Try again."));
        let both = server(&[&node.url(""), &good.url("/api")]).await;
        let said = ask(&both, method, params).await;
        assert!(said.get("code").is_none(), "{method} {text:.80} {said}");
    }
}

#[tokio::test]
async fn an_answer_without_an_end_is_cut_off() {
    let port = raw(b"HTTP/1.1 200 OK\r\n\r\n", true).await;
    let server = server(&[&format!("http://127.0.0.1:{port}")]).await;
    let (status, _) = post(&server, &call(7, "getaddressutxos", &json!([{"addresses": [ADDRESS]}]))).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn what_one_node_does_not_know_another_may() {
    let behind = Web::start(|_| (StatusCode::NOT_FOUND, "Transaction not found")).await;
    let ahead = Web::start(esplora).await;
    let both = server(&[&behind.url("/api"), &ahead.url("/api")]).await;
    assert_eq!(ask(&both, "getrawtransaction", json!([other(), true])).await, json!({"txid": other()}));
    let none = server(&[&behind.url("/api"), &behind.url("/other")]).await;
    let unknown = json!({"code": -5, "message": "No such mempool or blockchain transaction"});
    assert_eq!(ask(&none, "getrawtransaction", json!([ID])).await, unknown);
    assert_eq!(ask(&ahead_alone(&ahead).await, "getblockhash", json!([900_001])).await["code"], -8);
}

async fn ahead_alone(node: &Web) -> Server {
    server(&[&node.url("/api")]).await
}

#[tokio::test]
async fn a_transaction_is_sent_once_and_a_refusal_is_told_in_the_words_of_bitcoin_core() {
    let fee = r#"sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met, 110 < 141"}"#;
    let mined = r#"sendrawtransaction RPC error: {"code":-27,"message":"Transaction already in block chain"}"#;
    for (text, expected) in [
        (fee, json!({"code": -26, "message": "min relay fee not met, 110 < 141"})),
        (mined, json!({"code": -27, "message": "Transaction already in block chain"})),
        ("txn-already-in-mempool", json!({"code": -25, "message": "txn-already-in-mempool"})),
    ] {
        let refusing = Web::start(move |_| (StatusCode::BAD_REQUEST, text)).await;
        let mut second = Web::start(esplora).await;
        let server = server(&[&refusing.url(""), &second.url("/api")]).await;
        assert_eq!(ask(&server, "sendrawtransaction", json!([RAW])).await, expected);
        assert!(second.heard().is_none());
    }
    // A node that breaks may have passed it on.
    let broken = Web::start(|_| StatusCode::BAD_GATEWAY).await;
    let mut second = Web::start(esplora).await;
    let two = server(&[&broken.url(""), &second.url("/api")]).await;
    assert_eq!(post(&two, &call(7, "sendrawtransaction", &json!([RAW]))).await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert!(second.heard().is_none());
    // One that can't be reached has not.
    let two = server(&[&Upstream::absent().await, &second.url("/api")]).await;
    assert_eq!(ask(&two, "sendrawtransaction", json!([RAW])).await, json!(ID));
    // Nor has one that tells the id of another transaction.
    let liar = Web::start(|_| other()).await;
    let server = server(&[&liar.url("")]).await;
    assert_eq!(post(&server, &call(7, "sendrawtransaction", &json!([RAW]))).await.0, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn what_no_block_changes_is_asked_for_once_and_what_a_payment_changes_again_after_seconds() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let node = Web::start(move |heard| {
        counted.fetch_add(1, Ordering::Relaxed);
        esplora(heard)
    })
    .await;
    let server = server(&[&node.url("/api")]).await;
    ask(&server, "getblockcount", json!([])).await;
    let times = async |method: &str, params: Value| {
        let before = asked.load(Ordering::Relaxed);
        ask(&server, method, params.clone()).await;
        ask(&server, method, params.clone()).await;
        support::pass(std::time::Duration::from_secs(3)).await;
        ask(&server, method, params).await;
        asked.load(Ordering::Relaxed) - before
    };
    let of_address = json!([{"addresses": [ADDRESS]}]);
    for (method, params, expected) in [
        ("getrawtransaction", json!([ID]), 1),
        // A block under hundreds of thousands of others.
        ("getblockhash", json!([170]), 1),
        ("getrawtransaction", json!([ID, true]), 1),
        // It has no block yet.
        ("getrawtransaction", json!([other(), true]), 3),
        ("getaddressutxos", of_address.clone(), 2),
        ("getaddressbalance", of_address, 2),
        ("gettxspendingprevout", json!([[{"txid": ID, "vout": 1}]]), 2),
        ("estimatesmartfee", json!([6]), 2),
        ("sendrawtransaction", json!([RAW]), 3),
    ] {
        assert_eq!(times(method, params.clone()).await, expected, "{method} {params}");
    }
}
