//! `GET /v1/account/{address}/history`

use super::balance::unavailable;
use super::listed::{self, Listed};
use super::query::AccountQuery;
use super::{merged, pictures};
use crate::error::json;
use crate::guard::project::Project;
use crate::picture::reachable;
use crate::upstream::From;
use crate::{AppState, Failure};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::account::{History, Transaction};
use portico_json::to_text;
use portico_terms::AccountId;

const NAME: &str = "history";

pub(super) async fn history(
    State(state): State<AppState>,
    project: Project,
    asked: AccountQuery,
) -> Result<Response, Failure> {
    let accounts = merged::accounts(&state, &project, &asked)?;
    // Extracting the project already charged one chain.
    project.spend(&state, accounts.len().saturating_sub(1)).await?;
    let ask = async |account: &AccountId, from: Option<From<'_>>| {
        state.upstreams().history(&state, account, from, asked.money).await
    };
    let mut list: History = match accounts.as_slice() {
        [] => listed::page(&state, &project, &asked, NAME, ask).await?,
        [only] => {
            let list = listed::of_account(&state, &asked, NAME, only, asked.cursor.as_deref(), ask).await;
            list.map_err(|unanswered| unavailable(unanswered, NAME, Some(only.chain())))?
        }
        _ => merged::page(&state, &asked, accounts).await?,
    };
    list.data.iter_mut().flat_map(pictures).for_each(|picture| reachable(&state, &project, picture));
    Ok(json(StatusCode::OK, to_text(&list)))
}

impl Listed for History {
    type Row = Transaction;

    fn new(data: Vec<Transaction>, next: Option<String>) -> History {
        History { data, next, ..History::default() }
    }

    fn with_source(self, source: &str, age: u32) -> History {
        History { source: Some(source.into()), age: Some(age), ..self }
    }
}
