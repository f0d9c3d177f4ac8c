//! Purchase pages of on-ramp providers: who may open one, with which provider, and the return URL.

use crate::support;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use support::sellers::{BASE, SOLANA, VISITOR, coinbase, documented, meld, post, question, served, session};
use support::web::Web;
use support::{Server, status_and_text};

const OWNER: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";

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
        changed("destinationWallets", wallet("0x0000000000000000000000000000000000000000")),
        changed("destinationWallets", wallet("0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266")),
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
async fn one_visitor_gets_only_so_many_pages_in_a_minute_in_all_projects_together() {
    let web = Web::start(documented).await;
    let server = Server::configured(&(coinbase(&web.url("")) + "sessions_per_client_per_minute = 2\n")).await;
    server.project(&["add", "--id", "other", "--any-origin"]).await;
    for (project, expected) in [("demo", 200), ("demo", 200), ("demo", 429), ("other", 429)] {
        let path = format!("/v1/generators/onrampurl?projectId={project}");
        let (status, text) = status_and_text(server.post(&path, session("coinbase").to_string()).await).await;
        assert_eq!(status.as_u16(), expected, "{project}: {text}");
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
    // A client without origin and secret is refused too; a client with the secret is a server, not a buyer.
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

/// Requests a purchase page from a page of this origin.
async fn from_origin(server: &Server, origin: &str, body: &Value) -> (StatusCode, Value) {
    let request = Request::post("/v1/generators/onrampurl?projectId=demo").header("origin", origin);
    let (status, text) = status_and_text(server.send(request.body(Body::from(body.to_string())).unwrap()).await).await;
    (status, serde_json::from_str(&text).unwrap())
}

fn returning(provider: &str, url: &str) -> Value {
    let mut body = session(provider);
    body["returnUrl"] = json!(url);
    body
}

#[tokio::test]
async fn whoever_sells_leads_the_buyer_back_to_the_page_that_asked_and_knows_the_purchase_by_a_reference() {
    let (server, mut web) = served(coinbase).await;
    let body = returning("coinbase", "https://shop.example/a?b=c");
    let (status, told) = from_origin(&server, "https://shop.example", &body).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    let url = told["url"].as_str().unwrap();
    let reference = told["reference"].as_str().unwrap();
    assert!(url.contains("redirectUrl=https%3A%2F%2Fshop.example%2Fa%3Fb%3Dc"), "{url}");
    assert!(url.contains(&format!("partnerUserRef={reference}")), "{url}");
    while web.heard().is_some() {}
    let (server, mut web) = served(meld).await;
    let body = returning("meld", "https://shop.example/");
    let (_, told) = from_origin(&server, "https://shop.example", &body).await;
    let asked = std::iter::from_fn(|| web.heard()).find(|heard| heard.path == "/crypto/session/widget").unwrap();
    let asked: Value = serde_json::from_slice(&asked.body).unwrap();
    assert_eq!(asked["sessionData"]["redirectUrl"], "https://shop.example/");
    assert_eq!(asked["externalSessionId"], told["reference"]);
}

#[tokio::test]
async fn a_way_back_to_another_origin_is_refused_before_anybody_is_asked() {
    let (server, mut web) = served(coinbase).await;
    for url in ["https://evil.example/", "https://shop.example.evil.example/", "javascript:alert(1)", "", "/a"] {
        let (status, told) = from_origin(&server, "https://shop.example", &returning("coinbase", url)).await;
        assert_eq!((status.as_u16(), &told["reasons"][0]["field"]), (422, &json!("returnUrl")), "{url}");
    }
    // A client without origin has no page to return to.
    let (status, _) = post(&server, "/v1/generators/onrampurl", &returning("coinbase", "https://shop.example/")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn an_operator_who_has_not_listed_the_pages_with_who_sells_leaves_the_way_back_out() {
    let web = Web::start(documented).await;
    let server = Server::configured(&(coinbase(&web.url("")) + "returns = false\n")).await;
    let (status, told) =
        from_origin(&server, "https://shop.example", &returning("coinbase", "https://shop.example/")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!told["url"].as_str().unwrap().contains("redirectUrl"), "{told}");
}

#[tokio::test]
async fn where_the_host_has_an_id_of_its_own_for_the_buyer_there_is_no_reference() {
    let (server, _web) = served(coinbase).await;
    let mut body = session("coinbase");
    body["partnerUserId"] = json!("user-1");
    let (_, told) = from_origin(&server, "https://shop.example", &body).await;
    assert_eq!(told["reference"], Value::Null);
    assert!(told["url"].as_str().unwrap().contains("partnerUserRef=user-1"), "{told}");
}
