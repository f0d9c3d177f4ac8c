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
use std::collections::HashMap;

/// Digits of the longest token id that a name gets; longer ones are hashes.
const LONGEST_NUMBER: usize = 12;

pub(super) async fn nfts(
    State(state): State<AppState>,
    project: Project,
    asked: AccountQuery,
) -> Result<Response, Failure> {
    let mut list: Nfts = listed::page(&state, &project, &asked, "nfts", async |account, from| {
        state.upstreams().nfts(&state, account, from, asked.money).await
    })
    .await?;
    number(&mut list.data);
    list.data.iter_mut().for_each(|nft| reachable(&state, &project, &mut nft.image_url));
    Ok(json(StatusCode::OK, to_text(&list)))
}

/// Adds the token id to names that several pieces of a collection share.
fn number(nfts: &mut [Nft]) {
    let mut times: HashMap<(String, String), usize> = HashMap::new();
    let key = |nft: &Nft| (nft.address.clone(), nft.name.clone());
    nfts.iter().for_each(|nft| *times.entry(key(nft)).or_default() += 1);
    for nft in nfts.iter_mut().filter(|nft| nft.token_id.len() <= LONGEST_NUMBER) {
        if times.get(&key(nft)).is_some_and(|times| *times > 1) {
            nft.name = format!("{} #{}", nft.name, nft.token_id).trim().into();
        }
    }
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
