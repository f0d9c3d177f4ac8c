//! What an account holds and did: `GET /v1/account/{address}/balance`, `/history` and `/nfts` (spec 3.12, 3.15, 3.16, 7.4, 7.5).

mod asked;
mod balance;
mod history;
mod listed;
mod nfts;

use crate::AppState;
use axum::Router;
use axum::routing::get;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1/account/{address}/balance", get(balance::balance))
        .route("/v1/account/{address}/history", get(history::history))
        .route("/v1/account/{address}/nfts", get(nfts::nfts))
}

/// A picture by way of this server, so that no visitor's address reaches whoever keeps it; empty where there is none.
pub(crate) fn picture(url: &str) -> String {
    if url.is_empty() { String::new() } else { format!("/v1/image?url={}", utf8_percent_encode(url, NON_ALPHANUMERIC)) }
}
