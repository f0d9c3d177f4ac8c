//! `GET /v1/account/{address}/history`

use super::asked::Asked;
use super::listed::{self, Listed};
use crate::error::json;
use crate::guard::project::Project;
use crate::{AppState, Failure};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::account::{History, Transaction};
use portico_json::to_text;

pub(super) async fn history(
    State(state): State<AppState>,
    project: Project,
    asked: Asked,
) -> Result<Response, Failure> {
    let list: History = listed::page(&state, &project, &asked, "history", async |account, from| {
        state.upstreams().history(&state, account, from, asked.money).await
    })
    .await?;
    Ok(json(StatusCode::OK, to_text(&list)))
}

impl Listed for History {
    type Row = Transaction;

    fn new(data: Vec<Transaction>, next: Option<String>) -> History {
        History { data, next, ..History::default() }
    }

    fn tell(self, source: &str, age: u32) -> History {
        History { source: Some(source.into()), age: Some(age), ..self }
    }
}
