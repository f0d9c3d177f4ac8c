//! `GET /v1/account/{address}/nfts`

use super::listed::{self, Listed};
use super::query::AccountQuery;
use crate::error::json;
use crate::guard::project::Project;
use crate::picture::reachable;
use crate::{AppState, Failure};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::account::{Nft, Nfts};
use portico_json::to_text;

pub(super) async fn nfts(
    State(state): State<AppState>,
    project: Project,
    asked: AccountQuery,
) -> Result<Response, Failure> {
    let mut list: Nfts = listed::page(&state, &project, &asked, "nfts", async |account, from| {
        state.upstreams().nfts(&state, account, from, asked.money).await
    })
    .await?;
    list.data.iter_mut().for_each(|nft| reachable(&state, &project, &mut nft.image_url));
    Ok(json(StatusCode::OK, to_text(&list)))
}

impl Listed for Nfts {
    type Row = Nft;

    fn new(data: Vec<Nft>, next: Option<String>) -> Nfts {
        Nfts { data, next, ..Nfts::default() }
    }

    fn with_source(self, source: &str, age: u32) -> Nfts {
        Nfts { source: Some(source.into()), age: Some(age), ..self }
    }
}
