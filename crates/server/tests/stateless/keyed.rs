//! Account data sources that need an API key, with the responses that they document (fixtures/api).

use crate::support;
use alloy_primitives::{hex, keccak256};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use support::web::{Web, raw};
use support::{Server, reason, recorded, status_and_text};

const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const USDC: &str = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const ETHEREUM: &str = "eip155:1";
const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const OWNER: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const KEY: &str = "secret-key";

/// Requests supported by each source: source, chain, list.
const ASKED: [(&str, &str, &str); 10] = [
    ("zerion", ETHEREUM, "balance"),
    ("zerion", ETHEREUM, "history"),
    ("goldrush", ETHEREUM, "balance"),
    ("goldrush", ETHEREUM, "history"),
    ("alchemy", ETHEREUM, "balance"),
    ("alchemy", ETHEREUM, "history"),
    ("alchemy", ETHEREUM, "nfts"),
    ("etherscan", ETHEREUM, "history"),
    ("helius", SOLANA, "balance"),
    ("helius", SOLANA, "history"),
];

async fn server(vendor: &str, web: &Web) -> Server {
    server_at(vendor, &web.url("")).await
}

async fn server_at(vendor: &str, url: &str) -> Server {
    let chain = |id: &str| format!("[[chains]]\nid = {id:?}\nupstreams = [\"http://127.0.0.1:9\"]\n");
    let sources = format!("[sources]\nprices = \"none\"\n{vendor}_key = {KEY:?}\n{vendor}_url = {url:?}\n");
    Server::configured(&(sources + &chain(ETHEREUM) + &chain(SOLANA))).await
}

async fn ask(server: &Server, chain: &str, list: &str, query: &str) -> (StatusCode, String) {
    let address = if chain == SOLANA { OWNER } else { VISITOR };
    let path = format!("/v1/account/{address}/{list}?projectId=demo&chainId={chain}&sv=react-1&{query}");
    status_and_text(server.get(&path).await).await
}

async fn found(server: &Server, chain: &str, list: &str) -> Value {
    let (status, text) = ask(server, chain, list, "").await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Symbol, address, amount, price and value of each balance.
fn brief(found: &Value) -> Value {
    let row =
        |one: &Value| json!([one["symbol"], one["address"], one["quantity"]["numeric"], one["price"], one["value"]]);
    found["balances"].as_array().unwrap().iter().map(row).collect()
}

#[tokio::test]
async fn balances_of_each_vendor_are_told_alike_and_its_key_goes_to_it_alone() {
    for (vendor, file) in
        [("zerion", "zerion/positions"), ("goldrush", "goldrush/balances"), ("alchemy", "alchemy/tokens")]
    {
        let answer = recorded(file);
        let mut web = Web::start(move |_| answer.clone()).await;
        let server = server(vendor, &web).await;
        let found = found(&server, ETHEREUM, "balance").await;
        assert_eq!(found["source"], vendor);
        let expected = json!([["ETH", null, "1.5", 2500.12, 3750.18], ["USDC", USDC, "42.5", 0.9998, 42.4915]]);
        assert_eq!(brief(&found), expected, "{vendor}");
        let heard = web.heard().unwrap();
        let sent = format!("{} {:?}", heard.path, heard.headers.get("authorization"));
        let key = match vendor {
            "zerion" => "Basic c2VjcmV0LWtleTo=",
            "goldrush" => "Bearer secret-key",
            _ => "/data/v1/secret-key/assets/tokens/by-address",
        };
        assert!(sent.contains(key), "{sent}");
    }
}

type Said = Arc<Mutex<(StatusCode, String)>>;

/// Server with a source whose response the test sets.
async fn scripted(vendor: &str) -> (Server, Said) {
    let said: Said = Arc::default();
    let script = said.clone();
    let web = Web::start(move |_| script.lock().unwrap().clone()).await;
    (server(vendor, &web).await, said)
}

/// Asserts that a request fails with 503 and reveals nothing of the source's response.
async fn unanswered(server: &Server, (vendor, chain, list): (&str, &str, &str)) {
    let (status, text) = ask(server, chain, list, "").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{vendor} {list}: {text}");
    assert!(reason(&text).1.starts_with("Couldn't load the"), "{text}");
    assert!(!text.contains(KEY));
}

#[tokio::test]
async fn spec_7_10_a_vendor_that_refuses_or_answers_nonsense_is_passed_over_and_its_key_is_not_told() {
    let deep = "[".repeat(100_000);
    let long = format!("[{}]", "1,".repeat(3_000_000));
    for asked in ASKED {
        let (server, said) = scripted(asked.0).await;
        let refused = recorded(&format!("{}/refused", asked.0));
        for body in ["<html>", "", "null", "{}", r#"{"data":7,"result":7}"#, &refused, &deep, &long] {
            *said.lock().unwrap() = (StatusCode::OK, body.to_owned());
            unanswered(&server, asked).await;
        }
    }
}

#[tokio::test]
async fn a_vendor_whose_patience_ended_or_that_is_not_ready_is_passed_over() {
    for asked in ASKED {
        let (server, said) = scripted(asked.0).await;
        for status in [202, 302, 400, 401, 402, 403, 429, 500, 503] {
            let body = r#"{"data":[],"result":{"data":[],"items":[],"transfers":[]}}"#;
            *said.lock().unwrap() = (StatusCode::from_u16(status).unwrap(), body.into());
            unanswered(&server, asked).await;
        }
    }
}

/// Gzip file (RFC 1952) that contains this text in a stored block.
fn gzip(text: &str) -> Vec<u8> {
    let crc = !text.bytes().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    });
    let length = u16::try_from(text.len()).unwrap();
    let head = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1][..], &length.to_le_bytes(), &(!length).to_le_bytes()].concat();
    [&head[..], text.as_bytes(), &crc.to_le_bytes(), &u32::from(length).to_le_bytes()].concat()
}

fn packed(text: &str) -> Response {
    ([("content-encoding", "gzip"), ("content-type", "application/json")], gzip(text)).into_response()
}

/// Cursor like one of the server: its checksum is not secret.
fn cursor(account: &str, list: &str, source: &str, place: &str) -> String {
    let place = json!(place);
    let text = format!(r#"{{"list":{list:?},"account":{account:?},"source":{source:?},"place":{place}}}"#);
    let check = keccak256(text.as_bytes());
    hex::encode([&check[..8], text.as_bytes()].concat())
}

#[tokio::test]
async fn a_place_that_no_vendor_would_have_named_is_refused_and_nobody_is_asked() {
    let merged = r#"{"pages":[[["page","../../"]]],"until":null,"told":0,"rest":false}"#;
    for (vendor, chain, list) in ASKED.into_iter().filter(|(_, _, list)| *list == "history") {
        let mut web = Web::start(|_| "{}").await;
        let server = server(vendor, &web).await;
        let address = if chain == SOLANA { OWNER } else { VISITOR };
        for place in ["x", "", "{}", "[[\"filter[chain_ids]\",\"base\"]]", "1055:5&x=1", merged] {
            let word = cursor(&format!("{chain}:{address}"), list, vendor, place);
            let (status, text) = ask(&server, chain, list, &format!("cursor={word}")).await;
            assert_eq!(status, StatusCode::BAD_REQUEST, "{vendor} {place}: {text}");
        }
        assert!(web.heard().is_none(), "{vendor}");
        // A cursor of a source that is not configured is refused.
        let word = cursor(&format!("{chain}:{address}"), list, "nobody", "1");
        assert_eq!(ask(&server, chain, list, &format!("cursor={word}")).await.0, StatusCode::BAD_REQUEST);
    }
}

#[tokio::test]
async fn no_vendor_is_asked_for_compression_and_what_comes_compressed_is_not_unpacked() {
    for asked in ASKED {
        let mut web = Web::start(|_| packed(r#"{"data":[],"result":{"data":[],"items":[],"transfers":[]}}"#)).await;
        unanswered(&server(asked.0, &web).await, asked).await;
        assert!(!web.heard().unwrap().headers.contains_key("accept-encoding"), "{asked:?}");
    }
}

#[tokio::test]
async fn a_vendor_that_never_ends_is_left() {
    for asked in ASKED {
        let port = raw(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n", true).await;
        unanswered(&server_at(asked.0, &format!("http://127.0.0.1:{port}")).await, asked).await;
    }
}

#[tokio::test]
async fn an_item_of_a_vendor_that_makes_no_sense_costs_only_itself() {
    let hostile = json!([null, 7, -1, 1e300, "x", [], {}, {"hash": "0x1"}, {"attributes": {"hash": 7}},
        {"block_height": -1, "tx_hash": format!("0x{:064x}", 1)}, {"category": "nobody knows", "hash": format!("0x{:064x}", 1),
        "from": VISITOR, "to": VISITOR, "blockNum": "0x1", "metadata": {"blockTimestamp": "2025-06-01T00:00:00Z"}},
        {"slot": 1, "transaction": {"signatures": ["<b>"]}}, {"tokenBalance": "0x-1", "tokenAddress": VISITOR}]);
    let lists = json!({"items": hostile, "tokens": hostile, "ownedNfts": hostile, "transfers": hostile, "data": hostile,
        "pageKey": 7, "paginationToken": {}, "links": {"prev": 7, "next": []}});
    for asked in ASKED {
        // Zerion and Etherscan return a list where the others return an object.
        let (data, result) = match asked.0 {
            "zerion" | "etherscan" => (&hostile, &hostile),
            _ => (&lists, &lists),
        };
        let body = json!({"data": data, "result": result, "links": {"next": "javascript:alert(1)"}}).to_string();
        let web = Web::start(move |_| body.clone()).await;
        let page = found(&server(asked.0, &web).await, asked.1, asked.2).await;
        let rows = if asked.2 == "balance" { &page["balances"] } else { &page["data"] };
        assert_eq!((rows, &page["next"]), (&json!([]), &Value::Null), "{asked:?}");
    }
}

#[tokio::test]
async fn zerion_tells_history_and_only_the_place_of_its_next_page_is_taken() {
    let answer = recorded("zerion/transactions");
    let mut web = Web::start(move |_| answer.clone()).await;
    let server = server("zerion", &web).await;
    let page = found(&server, ETHEREUM, "history").await;
    assert_eq!(page["data"].as_array().unwrap().len(), 1);
    let row = &page["data"][0];
    assert_eq!(row["metadata"]["operationType"], "trade");
    assert_eq!(row["metadata"]["application"]["name"], "Uniswap");
    let (out, come) = (&row["transfers"][0], &row["transfers"][1]);
    assert_eq!(
        (&out["quantity"]["numeric"], &out["value"], &out["direction"]),
        (&json!("100"), &json!(100), &json!("out"))
    );
    assert_eq!(out["recipient"], "0x3c44");
    assert_eq!(come["nft_info"]["flags"]["is_spam"], true);
    assert_eq!(
        come["nft_info"]["content"]["preview"]["url"],
        "/v1/image?url=https%3A%2F%2Fcdn%2Ezerion%2Eio%2F7%2Epng"
    );
    assert_eq!(come["nft_info"]["content"]["detail"], Value::Null);
    web.heard().unwrap();
    let (status, _) = ask(&server, ETHEREUM, "history", &format!("cursor={}", page["next"].as_str().unwrap())).await;
    assert_eq!(status, StatusCode::OK);
    let path = web.heard().unwrap().path;
    assert!(path.contains("page%5BlastId%5D=950ac208a5545dd19a1b2eb8edaef36c"), "{path}");
    assert!(path.contains("page%5BlastTimestamp%5D=2022-12-08T09%3A12%3A35Z"), "{path}");
    assert!(path.contains("only_non_trash") && !path.contains("no_filter"), "{path}");
}

/// Kind and status of each row, and direction, amount and asset of each movement.
fn told(page: &Value) -> Value {
    let moved = |one: &Value| {
        let name = one.pointer("/fungible_info/symbol").or_else(|| one.pointer("/nft_info/name"));
        json!([one["direction"], one["quantity"]["numeric"], name])
    };
    let row = |row: &Value| {
        let moves: Value = row["transfers"].as_array().unwrap().iter().map(moved).collect();
        json!([row["metadata"]["operationType"], row["metadata"]["status"], moves])
    };
    page["data"].as_array().unwrap().iter().map(row).collect()
}

#[tokio::test]
async fn alchemy_tells_what_came_and_what_went_as_one() {
    let mut web = Web::start(|heard| {
        let body = String::from_utf8(heard.body.to_vec()).unwrap();
        recorded(if body.contains("toAddress") { "alchemy/transfers_to" } else { "alchemy/transfers_from" })
    })
    .await;
    let server = server("alchemy", &web).await;
    let page = found(&server, ETHEREUM, "history").await;
    let expected = json!([
        ["send", "confirmed", [["out", "1.5", "ETH"]]],
        ["trade", "confirmed", [["out", "42.5", "USDC"], ["in", "0.25", "ETH"]]],
        ["mint", "confirmed", [["in", "1", "PNK #7"]]],
        ["receive", "confirmed", [["in", "3", "#9"]]],
        ["send", "confirmed", [["self", "1.5", "ETH"]]],
    ]);
    assert_eq!((told(&page), &page["next"], &page["source"]), (expected, &Value::Null, &json!("alchemy")));
    // The sender of a coin payment signed it. For token transfers the signer is unknown.
    let signers: Vec<&str> = [0, 4].map(|row| page["data"][row]["metadata"]["sentFrom"].as_str().unwrap()).into();
    assert_eq!(signers, [VISITOR; 2]);
    let heard = web.heard().unwrap();
    assert_eq!(heard.path, "/eth-mainnet/v2/secret-key");
    let asked: Value = serde_json::from_slice(&heard.body).unwrap();
    assert_eq!((&asked["method"], &asked["params"][0]["order"]), (&json!("alchemy_getAssetTransfers"), &json!("desc")));
}

#[tokio::test]
async fn goldrush_tells_transactions_by_their_logs_and_only_the_number_of_its_next_page_is_taken() {
    let mut web = Web::start(|heard| {
        let last = r#"{"data":{"items":[],"links":{"prev":null,"next":null}},"error":false}"#;
        if heard.path.contains("/page/") { last.to_owned() } else { recorded("goldrush/transactions") }
    })
    .await;
    let server = server("goldrush", &web).await;
    let page = found(&server, ETHEREUM, "history").await;
    let expected = json!([
        ["send", "confirmed", [["out", "1.5", "ETH"]]],
        ["send", "confirmed", [["out", "42.5", "USDC"]]],
        ["approve", "confirmed", []],
        ["execute", "failed", []],
        ["mint", "confirmed", [["in", "1", "Punks #7"]]],
    ]);
    assert_eq!((told(&page), &page["source"]), (expected, &json!("goldrush")));
    let paths: Vec<String> = std::iter::from_fn(|| web.heard()).map(|heard| heard.path).collect();
    let own = |rest: &str| format!("/v1/eth-mainnet/address/{VISITOR}/transactions_v3/{rest}");
    assert_eq!(paths, [own(""), own("page/41/")]);
}

#[tokio::test]
async fn helius_tells_transactions_of_solana_and_goes_on_where_it_says() {
    let mut web = Web::start(|_| recorded("helius/transactions")).await;
    let server = server("helius", &web).await;
    let page = found(&server, SOLANA, "history").await;
    let expected =
        json!([["send", "confirmed", [["out", "1.5", "SOL"]]], ["receive", "confirmed", [["in", "42.5", "USDC"]]],]);
    assert_eq!((told(&page), &page["source"]), (expected, &json!("helius")));
    let heard = web.heard().unwrap();
    assert_eq!(heard.path, "/?api-key=secret-key");
    let asked: Value = serde_json::from_slice(&heard.body).unwrap();
    assert_eq!(asked["method"], "getTransactionsForAddress");
    assert_eq!((&asked["params"][0], &asked["params"][1]["encoding"]), (&json!(OWNER), &json!("jsonParsed")));
    let (status, _) = ask(&server, SOLANA, "history", &format!("cursor={}", page["next"].as_str().unwrap())).await;
    assert_eq!(status, StatusCode::OK);
    let asked: Value = serde_json::from_slice(&web.heard().unwrap().body).unwrap();
    assert_eq!(asked["params"][1]["paginationToken"], "1054:9");
}

#[tokio::test]
async fn etherscan_tells_transactions_with_the_tokens_that_moved_in_them() {
    let web = Web::start(|heard| {
        let action = ["txlist", "tokentx", "tokennfttx"]
            .into_iter()
            .find(|action| heard.path.contains(&format!("action={action}&")));
        recorded(&format!("etherscan/{}", action.unwrap()))
    })
    .await;
    let server = server("etherscan", &web).await;
    let page = found(&server, ETHEREUM, "history").await;
    let rows: Vec<Value> = page["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let moved = &row["transfers"][0];
            json!([
                row["metadata"]["operationType"],
                row["metadata"]["minedAt"],
                moved["fungible_info"]["symbol"],
                moved["quantity"]["numeric"]
            ])
        })
        .collect();
    assert_eq!(
        rows,
        [
            json!(["send", "2025-06-01T00:00:12Z", "ETH", "1.5"]),
            json!(["send", "2025-06-01T00:00:00Z", "USDC", "42.5"])
        ]
    );
    assert_eq!((&page["source"], &page["next"]), (&json!("etherscan"), &Value::Null));
}

#[tokio::test]
async fn alchemy_and_helius_tell_tokens_by_piece() {
    let (alchemy, pieces) = (recorded("alchemy/nfts"), recorded("helius/nonfungible"));
    let web = Web::start(move |_| alchemy.clone()).await;
    let page = found(&server("alchemy", &web).await, ETHEREUM, "nfts").await;
    let names: Vec<&Value> = page["data"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["Punk #7", "Badges #9"]);
    assert_eq!((&page["data"][1]["amount"], &page["data"][1]["flags"]["is_spam"]), (&json!("3"), &json!(true)));
    assert!(page["next"].is_string());
    let web = Web::start(move |_| pieces.clone()).await;
    let page = found(&server("helius", &web).await, SOLANA, "nfts").await;
    let names: Vec<&Value> = page["data"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!((names, &page["data"][0]["collection"]), (vec![&json!("Ape #1")], &json!("Apes")));
}

#[tokio::test]
async fn helius_tells_what_an_account_of_solana_holds() {
    let answer = recorded("helius/fungible");
    let web = Web::start(move |_| answer.clone()).await;
    let found = found(&server("helius", &web).await, SOLANA, "balance").await;
    let usdc = format!("{SOLANA}:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
    assert_eq!(brief(&found), json!([["SOL", null, "1.5", 150.5, 225.75], ["USDC", usdc, "42.5", 0.9998, 42.4915]]));
}
