//! Back end with axum, on the port in `PORT` or a free one.

#![allow(clippy::disallowed_methods, reason = "an example with a program of its own: it reads its settings itself")]

mod portico;

use axum::{Router, routing::get};
use portico::Visitor;

async fn orders(visitor: Visitor) -> String {
    serde_json::json!({ "account": visitor.account, "orders": [] }).to_string()
}

fn app() -> Router {
    Router::new().route("/orders", get(orders))
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    // reqwest is built without a provider of TLS: ring is one, and verifies the tokens, too.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let port = std::env::var("PORT").ok().and_then(|port| port.parse().ok()).unwrap_or_default();
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, app()).await
}
