//! What an account holds and did: `GET /v1/account/{address}/balance`, `/history` and `/nfts` (spec 3.12, 3.15, 3.16, 7.4, 7.5).

mod asked;
mod balance;
mod history;
mod listed;
mod merged;
mod nfts;

use crate::AppState;
use axum::Router;
use axum::routing::get;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use portico_api::account::Transaction;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1/account/{address}/balance", get(balance::balance))
        .route("/v1/account/{address}/history", get(history::history))
        .route("/v1/account/{address}/nfts", get(nfts::nfts))
}

/// A picture by way of this server, so that no visitor's address reaches whoever keeps it; empty where there is none, or where it is a whole
/// picture in a `data:` address that no query can carry.
pub(crate) fn picture(url: &str) -> String {
    // Three letters stand for one that is encoded.
    if url.is_empty() || url.len() > LONGEST_PICTURE {
        return String::new();
    }
    let path = format!("/v1/image?url={}", utf8_percent_encode(url, NON_ALPHANUMERIC));
    if path.len() > LONGEST_PICTURE { String::new() } else { path }
}

/// In bytes. Proxies take lines of 8 KiB as they come.
const LONGEST_PICTURE: usize = 7 * 1024;

/// Each picture of a transaction, as a client will get its address.
fn pictures(row: &mut Transaction) -> impl Iterator<Item = &mut String> {
    let application = row.metadata.application.as_mut().map(|application| &mut application.icon_url);
    let moved = row.transfers.iter_mut().flatten().flat_map(|transfer| {
        let icon = transfer.fungible_info.as_mut().and_then(|info| info.icon.as_mut());
        let content = transfer.nft_info.as_mut().and_then(|info| info.content.as_mut());
        let (preview, detail) =
            content.map_or((None, None), |content| (content.preview.as_mut(), content.detail.as_mut()));
        icon.into_iter().chain(preview).chain(detail).map(|picture| &mut picture.url)
    });
    application.into_iter().chain(moved)
}
