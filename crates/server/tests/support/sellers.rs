//! On-ramp providers with their documented responses (fixtures/api).

use super::recorded;
use super::web::{Heard, Web};
use super::{Server, status_and_text};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

pub const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
pub const BASE: &str = "eip155:8453";
pub const SOLANA: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

/// First key of RFC 8032, section 7.1: seed and public key.
pub const SECRET: &str = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg==";

pub fn coinbase(url: &str) -> String {
    format!("[onramp]\ncoinbase_key_id = \"key-name\"\ncoinbase_key = {SECRET:?}\ncoinbase_url = {url:?}\n")
}

pub fn meld(url: &str) -> String {
    format!("[onramp]\nmeld_key = \"secret-key\"\nmeld_url = {url:?}\n")
}

pub fn both(url: &str) -> String {
    coinbase(url) + &meld(url).replace("[onramp]\n", "")
}

/// Documented response for a request.
pub fn documented(heard: &Heard) -> (StatusCode, String) {
    let file = match heard.path.split('?').next().unwrap_or_default() {
        "/onramp/v1/token" => "coinbase/token",
        "/onramp/v1/buy/options" => "coinbase/options",
        "/onramp/v1/buy/quote" => "coinbase/quote",
        "/onramp/v1/buy/config" => "coinbase/config",
        path if path.starts_with("/onramp/v1/buy/user/") => "coinbase/transactions",
        "/payments/crypto/quote" => "meld/quote",
        "/crypto/session/widget" => return (StatusCode::CREATED, recorded("meld/widget")),
        "/service-providers/properties/crypto-currencies" => "meld/crypto_currencies",
        "/service-providers/properties/fiat-currencies" => "meld/fiat_currencies",
        "/service-providers/properties/countries" => "meld/countries",
        "/payments/transactions" => "meld/transactions",
        _ => return (StatusCode::NOT_FOUND, String::new()),
    };
    (StatusCode::OK, recorded(file))
}

pub async fn served(settings: fn(&str) -> String) -> (Server, Web) {
    let web = Web::start(documented).await;
    (Server::configured(&settings(&web.url(""))).await, web)
}

pub async fn get(server: &Server, path: &str) -> (StatusCode, Value) {
    let joined = if path.contains('?') { "&" } else { "?" };
    let (status, text) = status_and_text(server.get(&format!("{path}{joined}projectId=demo")).await).await;
    (status, serde_json::from_str(&text).unwrap_or_default())
}

pub async fn post(server: &Server, path: &str, body: &Value) -> (StatusCode, String) {
    status_and_text(server.post(&format!("{path}?projectId=demo"), body.to_string()).await).await
}

pub fn question(provider: &str) -> Value {
    json!({"provider": provider, "purchaseCurrency": "ETH", "paymentCurrency": "EUR", "amount": "100", "network": BASE, "country": "DE"})
}

pub fn session(provider: &str) -> Value {
    json!({"provider": provider, "destinationWallets": [{"address": VISITOR, "blockchains": [BASE]}], "defaultNetwork": BASE,
        "purchaseCurrency": "ETH", "paymentCurrency": "EUR", "presetFiatAmount": "100", "defaultExperience": "buy", "country": "DE"})
}

pub type Said = Arc<Mutex<(StatusCode, String)>>;

pub async fn scripted(settings: fn(&str) -> String) -> (Server, Said) {
    let said: Said = Arc::default();
    let script = said.clone();
    let web = Web::start(move |_| script.lock().unwrap().clone()).await;
    (Server::configured(&settings(&web.url(""))).await, said)
}

/// All kinds of requests to a provider.
pub async fn everything(server: &Server, provider: &str) -> Vec<(StatusCode, String)> {
    vec![
        status_and_text(server.get(&format!("/v1/onramp/options?chainId={BASE}&country=DE&projectId=demo")).await)
            .await,
        post(server, "/v1/onramp/quote", &question(provider)).await,
        post(server, "/v1/generators/onrampurl", &session(provider)).await,
    ]
}
