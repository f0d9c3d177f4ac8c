//! Vendors that want a key, by the shapes that they document (fixtures/api).

mod support;

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::web::Web;
use support::{Server, reason, status_and_text};

const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const USDC: &str = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const ETHEREUM: &str = "eip155:1";
const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const OWNER: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const KEY: &str = "secret-key";

fn fixture(path: &str) -> String {
    let file = format!("{}/../../fixtures/api/{path}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

async fn server(vendor: &str, web: &Web) -> Server {
    let chain = |id: &str| format!("[[chains]]\nid = {id:?}\nupstreams = [\"http://127.0.0.1:9\"]\n");
    let url = web.url("");
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

/// Symbol, address, amount, price and worth of each.
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
        let answer = fixture(file);
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

#[tokio::test]
async fn a_vendor_that_refuses_or_answers_nonsense_is_passed_over_and_its_key_is_not_told() {
    for vendor in ["zerion", "goldrush", "alchemy", "helius", "etherscan"] {
        for body in ["<html>", "{}", r#"{"data":7}"#, &fixture("etherscan/refused")] {
            let body = body.to_owned();
            let web = Web::start(move |_| body.clone()).await;
            let server = server(vendor, &web).await;
            let list = if vendor == "etherscan" { "history" } else { "balance" };
            let chain = if vendor == "helius" { SOLANA } else { ETHEREUM };
            let (status, text) = ask(&server, chain, list, "").await;
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{vendor}: {text}");
            assert!(reason(&text).1.starts_with("No source of the"), "{text}");
            assert!(!text.contains(KEY));
        }
    }
}

#[tokio::test]
async fn zerion_tells_history_and_only_the_place_of_its_next_page_is_taken() {
    let answer = fixture("zerion/transactions");
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
    assert_eq!(come["nft_info"]["flags"]["is_spam"], true);
    assert_eq!(
        come["nft_info"]["content"]["preview"]["url"],
        "/v1/image?url=https%3A%2F%2Fcdn%2Ezerion%2Eio%2F7%2Epng"
    );
    assert_eq!(come["nft_info"]["content"]["detail"], Value::Null);
    web.heard().unwrap();
    let (status, _) = ask(&server, ETHEREUM, "history", &format!("cursor={}", page["next"].as_str().unwrap())).await;
    assert_eq!(status, StatusCode::OK);
    assert!(web.heard().unwrap().path.contains("page%5Bafter%5D=WyIyMDI1IiwgImFiYyJd"));
}

#[tokio::test]
async fn etherscan_tells_transactions_with_the_tokens_that_moved_in_them() {
    let web = Web::start(|heard| {
        let action = ["txlist", "tokentx", "tokennfttx"]
            .into_iter()
            .find(|action| heard.path.contains(&format!("action={action}&")));
        fixture(&format!("etherscan/{}", action.unwrap()))
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
    let (alchemy, pieces) = (fixture("alchemy/nfts"), fixture("helius/nonfungible"));
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
    let answer = fixture("helius/fungible");
    let web = Web::start(move |_| answer.clone()).await;
    let found = found(&server("helius", &web).await, SOLANA, "balance").await;
    let usdc = format!("{SOLANA}:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
    assert_eq!(brief(&found), json!([["SOL", null, "1.5", 150.5, 225.75], ["USDC", usdc, "42.5", 0.9998, 42.4915]]));
}

#[tokio::test]
async fn the_nodes_of_solana_tell_it_without_a_key() {
    let held = |mint: &str, amount: &str, decimals: u8| json!({"account": {"data": {"parsed": {"info": {"mint": mint, "tokenAmount": {"amount": amount, "decimals": decimals}}}}}});
    let usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    let node = Web::start(move |heard| {
        let calls: Vec<Value> = serde_json::from_slice(&heard.body).unwrap();
        let answer = |call: &Value| {
            let tokens = call["params"][1]["programId"].as_str().is_some_and(|program| program.starts_with("Tokenkeg"));
            let result = match (call["method"].as_str().unwrap(), tokens) {
                ("getBalance", _) => json!({"context": {"slot": 1}, "value": 1_500_000_000u64}),
                (_, true) => json!({"value": [held(usdc, "40000000", 6), held(usdc, "2500000", 6), held(OWNER, "1", 0), {"account": 7}]}),
                _ => json!({"value": []}),
            };
            json!({"jsonrpc": "2.0", "id": call["id"], "result": result})
        };
        Value::from_iter(calls.iter().map(answer)).to_string()
    })
    .await;
    let chain = format!("[[chains]]\nid = {SOLANA:?}\nupstreams = [{:?}]\n", node.url(""));
    let server = Server::configured(&format!("[sources]\nprices = \"none\"\n{chain}")).await;
    let found = found(&server, SOLANA, "balance").await;
    assert_eq!(
        brief(&found),
        json!([["SOL", null, "1.5", 0, null], ["USDC", format!("{SOLANA}:{usdc}"), "42.5", 0, null]])
    );
}
