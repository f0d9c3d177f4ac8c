//! Prices of tokens, with scripted price sources.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::web::Web;
use support::{Server, Upstream, reason, recorded, status_and_text};

const COIN: &str = "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const USDC: &str = "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const UNKNOWN: &str = "eip155:1:0x00000000000000000000000000000000000000aa";

async fn server(sources: &str) -> Server {
    let chain = "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:9\"]\n";
    Server::configured(&format!("[sources]\n{sources}\n{chain}")).await
}

async fn ask(server: &Server, currency: &str, addresses: &[&str]) -> (StatusCode, String) {
    let body = json!({"projectId": "demo", "currency": currency, "addresses": addresses});
    status_and_text(server.post("/v1/fungible/price", body.to_string()).await).await
}

#[tokio::test]
async fn a_question_that_makes_no_sense_is_refused_by_its_part() {
    let server = server("prices = \"none\"").await;
    // An unknown project is refused before the body is read.
    let large = " ".repeat(64 * 1024 + 1);
    assert_eq!(server.post("/v1/fungible/price?projectId=other", large).await.status(), StatusCode::UNAUTHORIZED);
    let many = vec![COIN; 101];
    for (body, status, field) in [
        ("".to_owned(), 400, "body"),
        ("<html>".to_owned(), 400, "body"),
        ("[]".to_owned(), 401, "projectId"),
        (json!({"currency": "usd", "addresses": []}).to_string(), 401, "projectId"),
        (json!({"projectId": "a b", "currency": "usd", "addresses": []}).to_string(), 401, "projectId"),
        (json!({"projectId": "demo", "currency": "usd"}).to_string(), 422, "body"),
        (json!({"projectId": "demo", "currency": "usd", "addresses": [7]}).to_string(), 422, "body"),
        (json!({"projectId": "demo", "currency": "xau", "addresses": []}).to_string(), 422, "currency"),
        (json!({"projectId": "demo", "currency": "usd", "addresses": ["0x1"]}).to_string(), 422, "addresses"),
        (json!({"projectId": "demo", "currency": "usd", "addresses": many}).to_string(), 422, "addresses"),
        (" ".repeat(64 * 1024 + 1), 413, "body"),
    ] {
        let (found, text) = status_and_text(server.post("/v1/fungible/price", body.clone()).await).await;
        assert_eq!((found.as_u16(), reason(&text).0.as_str()), (status, field), "{body:.80}");
    }
    let (status, text) = ask(&server, "usd", &[COIN]).await;
    assert_eq!((status, text.as_str()), (StatusCode::OK, r#"{"fungibles":[],"source":null,"age":0}"#));
}

#[tokio::test]
async fn a_source_that_answers_nonsense_or_nothing_is_told_as_503() {
    let long = "9".repeat(5 * 1024 * 1024);
    for (status, text) in [(200, "<html>"), (200, "[]"), (200, r#"{"coins":7}"#), (429, "{}"), (500, ""), (200, &long)]
    {
        let source = Upstream::says(status, text).await;
        let server = server(&format!("defillama_url = {:?}", source.url)).await;
        let (status, text) = ask(&server, "usd", &[COIN]).await;
        assert_eq!(
            (status, reason(&text).1.as_str()),
            (StatusCode::SERVICE_UNAVAILABLE, "Couldn't load prices. Try again.")
        );
    }
}

#[tokio::test]
async fn prices_come_from_defillama_without_a_key_and_are_kept_for_a_minute() {
    let answer = json!({"coins": {
        "coingecko:ethereum": {"price": 2500.125, "symbol": "ETH", "timestamp": 1_748_736_000, "confidence": 0.99},
        "ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48": {"decimals": 6, "price": 9.998e-1, "symbol": "USDC", "confidence": 0.99},
        "ethereum:0x00000000000000000000000000000000000000aa": {"decimals": 18, "price": 7, "symbol": "RUG", "confidence": 0.1},
        "ethereum:0x00000000000000000000000000000000000000bb": {"decimals": 18, "price": -7, "symbol": "NEG"},
    }});
    let mut source = Upstream::says(200, &answer.to_string()).await;
    let server = server(&format!("defillama_url = {:?}", source.url)).await;
    let (status, text) = ask(&server, "usd", &[USDC, UNKNOWN, COIN, USDC]).await;
    assert_eq!(status, StatusCode::OK);
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["source"], "defillama");
    let marks: Value = serde_json::from_str(include_str!("../../marks/marks.json")).unwrap();
    let ours = format!("/public/getAssetImage/{}", marks["tokens"]["USDC"].as_str().unwrap());
    let usdc =
        json!({"address": USDC, "name": "USD Coin", "symbol": "USDC", "iconUrl": ours, "price": 0.9998, "decimals": 6});
    let coin =
        json!({"address": COIN, "name": "Ether", "symbol": "ETH", "iconUrl": "", "price": 2500.125, "decimals": 18});
    assert_eq!(found["fungibles"], json!([usdc, coin, usdc]));
    source.heard().await;
    ask(&server, "usd", &[COIN, UNKNOWN]).await;
    assert_eq!(source.unread(), 0);
}

#[tokio::test]
async fn a_currency_is_reckoned_by_the_rates_of_the_day() {
    let answer = json!({"coins": {"coingecko:ethereum": {"price": 2500, "symbol": "ETH"}}});
    let source = Upstream::says(200, &answer.to_string()).await;
    let bank = Upstream::says(200, "<Cube currency='USD' rate='1.25'/><Cube currency='JPY' rate='200'/>").await;
    let server = server(&format!("defillama_url = {:?}\nexchange_url = {:?}", source.url, bank.url)).await;
    for (currency, price) in [("eur", json!(2000)), ("jpy", json!(400_000)), ("eth", json!(1))] {
        let (_, text) = ask(&server, currency, &[COIN]).await;
        let found: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(found["fungibles"][0]["price"], price, "{currency}");
    }
    let (status, _) = ask(&server, "gbp", &[COIN]).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
}

/// Documented response of CoinGecko for a path.
fn gecko(path: &str) -> String {
    let name = ["exchange_rates", "token_price", "price"].into_iter().find(|name| path.contains(name));
    recorded(&format!("coingecko/{}", name.unwrap()))
}

#[tokio::test]
async fn coingecko_that_refuses_or_answers_nonsense_is_told_as_503_and_its_key_is_not_told() {
    let refused = recorded("coingecko/refused");
    for (status, text) in
        [(429, "{}"), (401, "{}"), (400, &*refused), (200, "<html>"), (200, "[]"), (200, "7"), (500, "")]
    {
        let source = Upstream::says(status, text).await;
        let server = server(&format!("coingecko_url = {:?}\ncoingecko_key = \"secret-key\"", source.url)).await;
        let (status, text) = ask(&server, "usd", &[COIN, USDC]).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{text}");
        assert!(!text.contains("secret-key"));
    }
}

#[tokio::test]
async fn a_price_that_makes_no_sense_is_left_out() {
    for said in [
        r#"{"ethereum":{"usd":-1}}"#,
        r#"{"ethereum":{"usd":"NaN"}}"#,
        r#"{"ethereum":{"usd":0}}"#,
        r#"{"ethereum":7}"#,
        "{}",
    ] {
        let source = Upstream::says(200, said).await;
        let server = server(&format!("coingecko_url = {:?}\ncoingecko_key = \"k\"", source.url)).await;
        let (status, text) = ask(&server, "usd", &[COIN]).await;
        let found: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((status, &found["fungibles"]), (StatusCode::OK, &json!([])), "{said}");
    }
}

#[tokio::test]
async fn with_a_key_prices_come_from_coingecko_all_tokens_of_a_chain_in_one_question() {
    let mut source = Web::start(|heard| gecko(&heard.path)).await;
    let server = server(&format!("coingecko_url = {:?}\ncoingecko_key = \"secret-key\"", source.url(""))).await;
    let (_, text) = ask(&server, "eur", &[USDC, UNKNOWN, COIN]).await;
    let found: Value = serde_json::from_str(&text).unwrap();
    let prices: Vec<Value> =
        found["fungibles"].as_array().unwrap().iter().map(|one| json!([one["symbol"], one["price"]])).collect();
    // A dollar is 0.8 euros.
    assert_eq!(
        (prices, &found["source"]),
        (vec![json!(["USDC", 0.79984]), json!(["ETH", 2000.1])], &json!("coingecko"))
    );
    let heard: Vec<_> = std::iter::from_fn(|| source.heard()).collect();
    assert!(
        heard.iter().all(|heard| heard.headers["x-cg-demo-api-key"] == "secret-key" && !heard.path.contains("secret"))
    );
    let asked = heard.iter().find(|heard| heard.path.contains("token_price")).unwrap();
    assert!(asked.path.starts_with("/api/v3/simple/token_price/ethereum?contract_addresses=0x"), "{}", asked.path);
    assert!(asked.path.contains("%2C0x") && asked.path.ends_with("&vs_currencies=usd"), "{}", asked.path);
}

#[tokio::test]
async fn without_a_key_coingecko_is_asked_for_one_token_at_a_time_until_it_has_enough() {
    let mut source = Web::start(|heard| {
        let late = heard.path.contains("0xffff");
        if late { (StatusCode::TOO_MANY_REQUESTS, "{}".into()) } else { (StatusCode::OK, gecko(&heard.path)) }
    })
    .await;
    let server = server(&format!("prices = \"coingecko\"\ncoingecko_url = {:?}", source.url(""))).await;
    let last = format!("eip155:1:0x{}", "f".repeat(40));
    let (status, text) = ask(&server, "usd", &[USDC, &last]).await;
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &found["fungibles"][0]["price"]), (StatusCode::OK, &json!(0.9998)), "{text}");
    let heard: Vec<_> = std::iter::from_fn(|| source.heard()).collect();
    assert_eq!(heard.len(), 2);
    assert!(heard.iter().all(|heard| !heard.path.contains("%2C") && !heard.headers.contains_key("x-cg-demo-api-key")));
}
