//! Back end with axum, on the port in `PORT` or a free one.

#![allow(clippy::disallowed_methods, reason = "an example with a program of its own: it reads its settings itself")]

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{StatusCode, header::AUTHORIZATION};
use axum::{Router, routing::get};
use reqwest::{Client, Url};
use serde::Deserialize;
use std::{env, sync::LazyLock, time::Duration};

static CLIENT: LazyLock<Client> =
    LazyLock::new(|| Client::builder().timeout(Duration::from_secs(10)).build().expect("TLS works"));
static SETTINGS: LazyLock<[String; 4]> = LazyLock::new(|| {
    ["PORTICO_URL", "PORTICO_PROJECT", "PORTICO_SECRET", "SHOP_ORIGIN"].map(|name| env::var(name).expect(name))
});

/// Visitor who signed in on our page and whose session is open. A handler with this argument answers 401 to all others.
#[derive(Deserialize)]
struct Visitor {
    /// Account (CAIP-10).
    sub: String,
    uri: String,
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, StatusCode> {
        let [portico, project, secret, shop] = &*SETTINGS;
        let token = parts.headers.get(AUTHORIZATION).ok_or(StatusCode::UNAUTHORIZED)?;
        let asked = CLIENT.get(format!("{portico}/auth/v1/me")).header(AUTHORIZATION, token);
        let sent = asked.header("x-project-id", project).header("x-project-secret", secret).send().await;
        let answer = sent.map_err(|_| StatusCode::BAD_GATEWAY)?;
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::UNAUTHORIZED => return Err(StatusCode::UNAUTHORIZED),
            _ => return Err(StatusCode::BAD_GATEWAY),
        }
        let claims = answer.bytes().await.map_err(|_| StatusCode::BAD_GATEWAY)?;
        let visitor: Visitor = serde_json::from_slice(&claims).map_err(|_| StatusCode::BAD_GATEWAY)?;
        let page = Url::parse(&visitor.uri).map(|uri| uri.origin().ascii_serialization());
        if page.as_ref() == Ok(shop) { Ok(visitor) } else { Err(StatusCode::UNAUTHORIZED) }
    }
}

async fn orders(visitor: Visitor) -> String {
    serde_json::json!({ "account": visitor.sub, "orders": [] }).to_string()
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    // Only needed because the server's reqwest is built without a provider of TLS.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let port = env::var("PORT").ok().and_then(|port| port.parse().ok()).unwrap_or_default();
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, Router::new().route("/orders", get(orders))).await
}
