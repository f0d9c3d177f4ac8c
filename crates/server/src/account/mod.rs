//! Assets and history of an account: `GET /v1/account/{address}/balance`, `/history` and `/nfts` (spec 3.12, 3.15, 3.16, 7.4, 7.5).

mod balance;
mod history;
mod listed;
mod merged;
mod nfts;
mod query;

use crate::AppState;
use crate::picture_link::picture;
use axum::Router;
use axum::routing::get;
use portico_api::account::Transaction;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1/account/{address}/balance", get(balance::balance))
        .route("/v1/account/{address}/history", get(history::history))
        .route("/v1/account/{address}/nfts", get(nfts::nfts))
}

/// All picture addresses of a transaction.
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
