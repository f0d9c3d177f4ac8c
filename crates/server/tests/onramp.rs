//! Buying coins with money, by the shapes that those who sell document (fixtures/api).

mod support;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use support::web::{Heard, Web, raw};
use support::{Server, reason, recorded, status_and_text};

const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const BASE: &str = "eip155:8453";
const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const OWNER: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";

/// The first key of RFC 8032, section 7.1: seed and public key.
const SECRET: &str = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg==";

fn coinbase(url: &str) -> String {
    format!("[onramp]\ncoinbase_key_id = \"key-name\"\ncoinbase_key = {SECRET:?}\ncoinbase_url = {url:?}\n")
}

fn meld(url: &str) -> String {
    format!("[onramp]\nmeld_key = \"secret-key\"\nmeld_url = {url:?}\n")
}

fn both(url: &str) -> String {
    coinbase(url) + &meld(url).replace("[onramp]\n", "")
}

/// What those who sell answer by their documentation.
fn documented(heard: &Heard) -> (StatusCode, String) {
    let file = match heard.path.split('?').next().unwrap_or_default() {
        "/onramp/v1/token" => "coinbase/token",
        "/onramp/v1/buy/options" => "coinbase/options",
        "/onramp/v1/buy/quote" => "coinbase/quote",
        "/payments/crypto/quote" => "meld/quote",
        "/crypto/session/widget" => return (StatusCode::CREATED, recorded("meld/widget")),
        "/service-providers/properties/crypto-currencies" => "meld/crypto_currencies",
        "/service-providers/properties/fiat-currencies" => "meld/fiat_currencies",
        _ => return (StatusCode::NOT_FOUND, String::new()),
    };
    (StatusCode::OK, recorded(file))
}

async fn served(settings: fn(&str) -> String) -> (Server, Web) {
    let web = Web::start(documented).await;
    (Server::configured(&settings(&web.url(""))).await, web)
}

async fn get(server: &Server, path: &str) -> (StatusCode, Value) {
    let joined = if path.contains('?') { "&" } else { "?" };
    let (status, text) = status_and_text(server.get(&format!("{path}{joined}projectId=demo")).await).await;
    (status, serde_json::from_str(&text).unwrap_or_default())
}

async fn post(server: &Server, path: &str, body: &Value) -> (StatusCode, String) {
    status_and_text(server.post(&format!("{path}?projectId=demo"), body.to_string()).await).await
}

fn question(provider: &str) -> Value {
    json!({"provider": provider, "purchaseCurrency": "ETH", "paymentCurrency": "EUR", "amount": "100", "network": BASE, "country": "DE"})
}

fn session(provider: &str) -> Value {
    json!({"provider": provider, "destinationWallets": [{"address": VISITOR, "blockchains": [BASE]}], "defaultNetwork": BASE,
        "purchaseCurrency": "ETH", "paymentCurrency": "EUR", "presetFiatAmount": "100", "defaultExperience": "buy", "country": "DE"})
}

#[tokio::test]
async fn without_a_key_nobody_sells_and_the_project_says_so() {
    let server = Server::configured("").await;
    assert_eq!(get(&server, "/v1/onramp/providers").await, (StatusCode::OK, json!({"providers": []})));
    let config = get(&server, "/v1/project/demo/config").await.1;
    assert!(!config["features"].as_array().unwrap().contains(&json!("onramp")));
    assert_eq!(config["onramp"], Value::Null);
    for (path, body) in [("/v1/onramp/quote", question("coinbase")), ("/v1/generators/onrampurl", session("meld"))] {
        let (status, text) = post(&server, path, &body).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}: {text}");
        assert_eq!(reason(&text).0, "provider");
    }
    assert_eq!(get(&server, &format!("/v1/onramp/options?chainId={BASE}")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn spec_9_8_those_with_a_key_are_listed_with_the_range_of_their_fee() {
    let (server, _web) = served(both).await;
    let found = get(&server, "/v1/onramp/providers").await.1;
    let brief: Vec<_> = found["providers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["name"], one["label"], one["feeFrom"], one["feeTo"]]))
        .collect();
    assert_eq!(brief, [json!(["coinbase", "Coinbase", 1, 2]), json!(["meld", "Meld.io", 1, 2])]);
    let config = get(&server, "/v1/project/demo/config").await.1;
    assert_eq!(config["onramp"], json!({"providers": ["coinbase", "meld"]}));
    assert!(config["features"].as_array().unwrap().contains(&json!("onramp")));
    let kit = get(&server, "/appkit/v1/config").await.1;
    let onramp = kit["features"].as_array().unwrap().iter().find(|one| one["id"] == "onramp").unwrap().clone();
    assert_eq!(onramp, json!({"id": "onramp", "isEnabled": true, "config": ["coinbase", "meld"]}));
}

#[tokio::test]
async fn what_can_be_bought_is_told_once_with_all_who_sell_it() {
    let (server, mut web) = served(both).await;
    let (status, found) = get(&server, &format!("/v1/onramp/options?chainId={BASE}&country=de")).await;
    assert_eq!(status, StatusCode::OK, "{found}");
    assert_eq!(
        found["paymentCurrencies"],
        json!([{"id": "EUR", "providers": ["coinbase", "meld"]}, {"id": "USD", "providers": ["meld"]}, {"id": "GBP", "providers": ["coinbase"]}])
    );
    let coins = found["purchaseCurrencies"].as_array().unwrap();
    let brief: Vec<_> =
        coins.iter().map(|coin| json!([coin["id"], coin["providers"], coin["contractAddress"]])).collect();
    let usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    let degen = "0x4ed4E862860beD51a9570b96d89aF5E1B0Efefed";
    let expected = [
        json!(["ETH", ["coinbase", "meld"], null]),
        json!(["USDC", ["coinbase"], usdc]),
        json!(["DEGEN", ["meld"], degen]),
    ];
    assert_eq!(brief, expected);
    // Pictures come by our own proxy: nobody else learns who looks at what.
    assert_eq!(coins[1]["iconUrl"], "/v1/image?url=https%3A%2F%2Fdynamic%2Dassets%2Ecoinbase%2Ecom%2Fusdc%2Epng");
    let asked: Vec<String> = std::iter::from_fn(|| web.heard()).map(|heard| heard.path).collect();
    assert!(asked.contains(&"/onramp/v1/buy/options?country=DE&networks=base".to_owned()), "{asked:?}");
    // Those lists of Meld are kept.
    get(&server, &format!("/v1/onramp/options?chainId={SOLANA}&country=DE")).await;
    let again: Vec<String> = std::iter::from_fn(|| web.heard()).map(|heard| heard.path).collect();
    assert_eq!(again, ["/onramp/v1/buy/options?country=DE&networks=solana"]);
}

#[tokio::test]
async fn spec_9_9_another_evm_chain_is_asked_for_as_its_fallback_and_no_other_chain_is() {
    let (server, mut web) = served(coinbase).await;
    get(&server, "/v1/onramp/options?chainId=eip155:31337&country=DE").await;
    assert!(web.heard().unwrap().path.ends_with("networks=ethereum"));
    for other in ["bip122:000000000019d6689c085ae165831e93", "nonsense", ""] {
        let (status, _) = get(&server, &format!("/v1/onramp/options?chainId={other}&country=DE")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{other}");
    }
    assert_eq!(get(&server, "/v1/onramp/options").await.0, StatusCode::BAD_REQUEST);
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn a_quote_is_that_of_who_sells() {
    let (server, mut web) = served(both).await;
    let quote = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let (status, text) = post(&server, "/v1/onramp/quote", &question("coinbase")).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let told = quote(&text);
    assert_eq!(told["paymentTotal"], json!({"amount": "100.00", "currency": "EUR"}));
    assert_eq!(told["purchaseAmount"], json!({"amount": "0.031208475", "currency": "ETH"}));
    assert_eq!((&told["networkFee"]["amount"], &told["providerFee"]["amount"]), (&json!("0.42"), &json!("1.47")));
    let asked: Value = serde_json::from_slice(&web.heard().unwrap().body).unwrap();
    assert_eq!(
        (&asked["purchaseNetwork"], &asked["paymentAmount"], &asked["country"]),
        (&json!("base"), &json!("100"), &json!("DE"))
    );
    // Of many quotes the one that gives the most.
    let (status, text) = post(&server, "/v1/onramp/quote", &question("meld")).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    assert_eq!(quote(&text)["purchaseAmount"], json!({"amount": "0.0308", "currency": "ETH"}));
    let asked = std::iter::from_fn(|| web.heard()).find(|heard| heard.path == "/payments/crypto/quote").unwrap();
    assert_eq!(asked.headers["authorization"], "BASIC secret-key");
    assert_eq!(asked.headers["meld-version"], "2023-12-19");
    let asked: Value = serde_json::from_slice(&asked.body).unwrap();
    let expected = json!({"countryCode": "DE", "sourceCurrencyCode": "EUR", "sourceAmount": 100, "destinationCurrencyCode": "ETH_BASE"});
    assert_eq!(asked, expected);
}

type Said = Arc<Mutex<(StatusCode, String)>>;

async fn scripted(settings: fn(&str) -> String) -> (Server, Said) {
    let said: Said = Arc::default();
    let script = said.clone();
    let web = Web::start(move |_| script.lock().unwrap().clone()).await;
    (Server::configured(&settings(&web.url(""))).await, said)
}

/// Everything that is asked of one who sells.
async fn everything(server: &Server, provider: &str) -> Vec<(StatusCode, String)> {
    vec![
        status_and_text(server.get(&format!("/v1/onramp/options?chainId={BASE}&country=DE&projectId=demo")).await)
            .await,
        post(server, "/v1/onramp/quote", &question(provider)).await,
        post(server, "/v1/generators/onrampurl", &session(provider)).await,
    ]
}

#[tokio::test]
async fn spec_7_10_nonsense_of_who_sells_becomes_a_problem_and_never_a_quote_or_a_page() {
    let deep = "[".repeat(100_000);
    let long = format!("[{}]", "1,".repeat(3_000_000));
    for (provider, settings) in [("coinbase", coinbase as fn(&str) -> String), ("meld", meld)] {
        let (server, said) = scripted(settings).await;
        let refused = recorded(&format!("{provider}/refused"));
        let hostile = r#"{"token":"","quotes":[null,7,{"serviceProvider":"X"}],"payment_total":{"value":"-1","currency":"EUR"},"widgetUrl":"https://evil.example/"}"#;
        for body in ["<html>", "", "null", "{}", "7", &refused, hostile, &deep, &long] {
            *said.lock().unwrap() = (StatusCode::OK, body.to_owned());
            for (status, text) in everything(&server, provider).await {
                let refusal =
                    [StatusCode::BAD_GATEWAY, StatusCode::UNPROCESSABLE_ENTITY, StatusCode::TOO_MANY_REQUESTS];
                assert!(refusal.contains(&status), "{provider} {status}: {text}");
                assert!(!text.contains("secret-key") && !text.contains(SECRET), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn a_status_of_who_sells_becomes_a_clear_problem() {
    for (told, status, words) in [
        (401, 502, "does not take the key of this server"),
        (403, 502, "does not take the key of this server"),
        (429, 503, "was asked too often"),
        (400, 422, "does not sell this"),
        (302, 502, "does not answer"),
        (500, 502, "does not answer"),
        (503, 502, "does not answer"),
    ] {
        for (provider, settings) in [("coinbase", coinbase as fn(&str) -> String), ("meld", meld)] {
            let (server, said) = scripted(settings).await;
            *said.lock().unwrap() = (StatusCode::from_u16(told).unwrap(), recorded(&format!("{provider}/refused")));
            for (found, text) in everything(&server, provider).await {
                assert_eq!(found.as_u16(), status, "{provider} {told}: {text}");
                assert!(reason(&text).1.contains(words), "{text}");
                assert!(!text.contains("secret-key"), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn one_who_breaks_off_is_left_and_what_the_other_sells_is_told() {
    let broken = raw(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", false).await;
    let web = Web::start(documented).await;
    let settings = coinbase(&format!("http://127.0.0.1:{broken}")) + &meld(&web.url("")).replace("[onramp]\n", "");
    let server = Server::configured(&settings).await;
    let (status, found) = get(&server, &format!("/v1/onramp/options?chainId={BASE}&country=DE")).await;
    assert_eq!((status, &found["purchaseCurrencies"][0]["providers"]), (StatusCode::OK, &json!(["meld"])));
    let (status, text) = post(&server, "/v1/onramp/quote", &question("coinbase")).await;
    assert_eq!((status, reason(&text).1), (StatusCode::BAD_GATEWAY, "Coinbase does not answer".into()));
}

#[tokio::test]
async fn a_quote_in_other_money_than_was_asked_for_is_none() {
    for (from, to) in [("\"EUR\"", "\"USD\""), ("\"ETH\"", "\"BTC\"")] {
        let web = Web::start(move |_| recorded("coinbase/quote").replace(from, to)).await;
        let server = Server::configured(&coinbase(&web.url(""))).await;
        let (status, text) = post(&server, "/v1/onramp/quote", &question("coinbase")).await;
        assert_eq!(status, StatusCode::BAD_GATEWAY, "{text}");
    }
}

#[tokio::test]
async fn without_a_country_nobody_is_asked_for_prices_and_the_language_of_the_browser_tells_one() {
    let (server, mut web) = served(coinbase).await;
    let mut body = question("coinbase");
    body["country"] = Value::Null;
    let (status, text) = post(&server, "/v1/onramp/quote", &body).await;
    assert_eq!((status.as_u16(), reason(&text).0), (422, "country".into()));
    assert!(web.heard().is_none());
    let request = Request::builder().method(Method::POST).uri("/v1/onramp/quote?projectId=demo");
    let request = request.header("accept-language", "fr-BE,fr;q=0.8").body(Body::from(body.to_string())).unwrap();
    assert_eq!(server.send(request).await.status(), StatusCode::OK);
    let asked: Value = serde_json::from_slice(&web.heard().unwrap().body).unwrap();
    assert_eq!(asked["country"], "BE");
}

#[tokio::test]
async fn a_session_of_coinbase_is_signed_for_names_the_account_and_the_visitors_address_and_is_led_to_by_one_address() {
    let (server, mut web) = served(coinbase).await;
    let (status, text) = post(&server, "/v1/generators/onrampurl", &session("coinbase")).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    let url = told["url"].as_str().unwrap();
    assert!(url.starts_with("https://pay.coinbase.com/buy/select-asset?sessionToken=ZGVl"), "{url}");
    for part in
        ["defaultNetwork=base", "defaultAsset=ETH", "fiatCurrency=EUR", "presetFiatAmount=100", "defaultExperience=buy"]
    {
        assert!(url.contains(part), "{url}");
    }
    assert!(!url.contains(VISITOR), "{url}");
    assert_eq!(told["network"], BASE);
    let heard = web.heard().unwrap();
    let asked: Value = serde_json::from_slice(&heard.body).unwrap();
    let expected = json!({"addresses": [{"address": VISITOR, "blockchains": ["base"]}], "clientIp": "0.0.0.0"});
    assert_eq!(asked, expected);
    let token = heard.headers["authorization"].to_str().unwrap().strip_prefix("Bearer ").unwrap().to_owned();
    let parts: Vec<Value> = token
        .split('.')
        .take(2)
        .map(|part| serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap())
        .collect();
    assert_eq!((&parts[0]["alg"], &parts[0]["kid"]), (&json!("EdDSA"), &json!("key-name")));
    assert_eq!(parts[1]["uris"], json!([format!("POST 127.0.0.1:{}/onramp/v1/token", web.port)]));
}

#[tokio::test]
async fn a_session_of_meld_is_made_with_whoever_gives_the_most() {
    let (server, mut web) = served(meld).await;
    let (status, text) = post(&server, "/v1/generators/onrampurl", &session("meld")).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["url"], "https://meldcrypto.com/?token=eyJhbGciOiJIUzI1NiJ9.e30.c2ln");
    let asked = std::iter::from_fn(|| web.heard()).find(|heard| heard.path == "/crypto/session/widget").unwrap();
    let asked: Value = serde_json::from_slice(&asked.body).unwrap();
    assert_eq!((&asked["sessionType"], &asked["sessionData"]["serviceProvider"]), (&json!("BUY"), &json!("UNLIMIT")));
    assert_eq!(asked["sessionData"]["walletAddress"], VISITOR);
    assert_eq!(asked["sessionData"]["destinationCurrencyCode"], "ETH_BASE");
}

#[tokio::test]
async fn a_page_that_is_not_of_who_sells_is_never_told() {
    for page in [
        "http://meldcrypto.com/",
        "https://evil.example/",
        "javascript:alert(1)",
        "https://meldcrypto.com.evil.example/",
    ] {
        let web = Web::start(move |heard| match heard.path.as_str() {
            "/crypto/session/widget" => (StatusCode::OK, json!({"widgetUrl": page}).to_string()),
            _ => documented(heard),
        })
        .await;
        let server = Server::configured(&meld(&web.url(""))).await;
        let (status, text) = post(&server, "/v1/generators/onrampurl", &session("meld")).await;
        assert_eq!(status, StatusCode::BAD_GATEWAY, "{page}: {text}");
    }
}

#[tokio::test]
async fn what_cannot_be_bought_is_refused_before_anybody_is_asked() {
    let (server, mut web) = served(coinbase).await;
    let changed = |field: &str, value: Value| {
        let mut body = session("coinbase");
        body[field] = value;
        body
    };
    let wallet = |address: &str| json!([{"address": address}]);
    for body in [
        changed("destinationWallets", json!([])),
        changed("destinationWallets", json!([{"address": VISITOR}, {"address": VISITOR}])),
        changed("destinationWallets", wallet("")),
        changed("destinationWallets", wallet("0x1")),
        changed("destinationWallets", wallet(OWNER)),
        changed("destinationWallets", json!([{"address": VISITOR, "assets": ["<b>"]}])),
        changed("defaultNetwork", json!(SOLANA)),
        changed("presetFiatAmount", json!("-1")),
        changed("presetFiatAmount", json!("1e9")),
        changed("paymentCurrency", json!("EURO")),
        changed("purchaseCurrency", json!("a b")),
        changed("defaultExperience", json!("steal")),
        changed("partnerUserId", json!("a".repeat(51))),
        changed("country", json!("Germany")),
    ] {
        let (status, text) = post(&server, "/v1/generators/onrampurl", &body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {text}");
    }
    for (field, value) in
        [("amount", "0"), ("amount", "1.234"), ("purchaseCurrency", ""), ("paymentCurrency", "E"), ("country", "D")]
    {
        let mut body = question("coinbase");
        body[field] = json!(value);
        let (status, text) = post(&server, "/v1/onramp/quote", &body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {text}");
    }
    for nonsense in [json!(7), json!([]), json!({"destinationWallets": 7}), json!("x".repeat(20_000))] {
        let (status, text) = post(&server, "/v1/generators/onrampurl", &nonsense).await;
        assert!(matches!(status.as_u16(), 400 | 413 | 422), "{status}: {text}");
    }
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn one_visitor_gets_only_so_many_pages_in_a_minute() {
    let web = Web::start(documented).await;
    let server = Server::configured(&(coinbase(&web.url("")) + "sessions_per_client_per_minute = 2\n")).await;
    for expected in [200, 200, 429] {
        let (status, text) = post(&server, "/v1/generators/onrampurl", &session("coinbase")).await;
        assert_eq!(status.as_u16(), expected, "{text}");
    }
}

#[tokio::test]
async fn only_a_page_that_the_project_lists_gets_a_session_and_can_read_it() {
    let web = Web::start(documented).await;
    let server = Server::without_project(&coinbase(&web.url(""))).await;
    server.project(&["add", "--id", "demo", "--origin", "https://shop.example"]).await;
    let asked = |method: Method, origin: &str| {
        Request::builder()
            .method(method)
            .uri("/v1/generators/onrampurl?projectId=demo")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .body(Body::from(session("coinbase").to_string()))
            .unwrap()
    };
    for (origin, status, allowed) in
        [("https://shop.example", 200, Some("https://shop.example")), ("https://evil.example", 403, None)]
    {
        for (method, expected) in [(Method::OPTIONS, 200), (Method::POST, status)] {
            let answer = server.send(asked(method.clone(), origin)).await;
            assert_eq!(answer.status().as_u16(), expected, "{method} {origin}");
            let told = answer.headers().get("access-control-allow-origin").map(|value| value.to_str().unwrap());
            assert_eq!(told, allowed, "{method} {origin}");
        }
    }
    // What is no page and does not know the secret is refused as well; who knows it is no buyer.
    let (status, _) = post(&server, "/v1/generators/onrampurl", &session("coinbase")).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_address_of_the_visitor_is_the_one_that_our_proxy_saw_and_whole() {
    let mut web = Web::start(documented).await;
    let settings = "trusted_proxies = [\"0.0.0.0/32\"]\n".to_owned() + &coinbase(&web.url(""));
    let server = Server::configured(&settings).await;
    for (line, client) in [
        ("203.0.113.9", "203.0.113.9"),
        ("1.1.1.1, 203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"),
        ("nonsense", "0.0.0.0"),
    ] {
        let request = Request::post("/v1/generators/onrampurl?projectId=demo").header("x-forwarded-for", line);
        let request = request.body(Body::from(session("coinbase").to_string())).unwrap();
        assert_eq!(server.send(request).await.status(), StatusCode::OK, "{line}");
        let asked: Value = serde_json::from_slice(&web.heard().unwrap().body).unwrap();
        assert_eq!(asked["clientIp"], client, "{line}");
    }
}

#[tokio::test]
async fn a_quote_of_meld_for_another_amount_is_none() {
    let web = Web::start(|heard| {
        let (status, text) = documented(heard);
        (status, text.replace("\"sourceAmount\": 100.0", "\"sourceAmount\": 1000.0"))
    })
    .await;
    let server = Server::configured(&meld(&web.url(""))).await;
    let (status, text) = post(&server, "/v1/onramp/quote", &question("meld")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
    assert!(reason(&text).1.contains("does not sell this"), "{text}");
}

#[tokio::test]
async fn a_list_of_meld_that_was_missing_for_a_moment_is_asked_for_again() {
    let missing = Arc::new(Mutex::new(true));
    let script = missing.clone();
    let web = Web::start(
        move |heard| {
            if *script.lock().unwrap() { (StatusCode::OK, "[]".to_owned()) } else { documented(heard) }
        },
    )
    .await;
    let server = Server::configured(&meld(&web.url(""))).await;
    let path = format!("/v1/onramp/options?chainId={BASE}&country=DE");
    assert_eq!(get(&server, &path).await.1["purchaseCurrencies"], json!([]));
    *missing.lock().unwrap() = false;
    assert_ne!(get(&server, &path).await.1["purchaseCurrencies"], json!([]));
}
