//! The chain RPC proxy: `POST /v1?chainId&projectId` (spec 7.8, 9.16) and `GET /v1/supported-chains`.

mod answer;
mod chain;
mod forward;
pub(crate) mod inside;
mod method;
mod question;
mod rest;

use crate::error::json;
use crate::guard::body;
use crate::guard::memory::Full;
use crate::guard::project::Project;
use crate::rpc::chain::AskedChain;
use crate::rpc::forward::Unanswered;
use crate::rpc::question::Question;
use crate::{AppState, Failure};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use portico_api::rpc::SupportedChains;

pub(crate) use rest::Resting;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1", post(proxy))
        .route("/v1/", post(proxy))
        .route("/v1/supported-chains", get(supported_chains))
}

/// Bodies are JSON whatever their content type says: hosts send `text/plain` to spare the browser's preflight.
async fn proxy(
    State(state): State<AppState>,
    project: Project,
    AskedChain(chain): AskedChain,
    request: Request,
) -> Result<Response, Failure> {
    project.allow_chain(&chain.id)?;
    let mut share = state.memory().share();
    let body = body::read(request, &mut share).await?;
    let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "The body is not UTF-8 text"))?;
    let question = Question::read(text, &chain, project.methods())?;
    // One call was paid for when the project was found.
    project.spend(&state, question.items().len() - 1).await?;
    let answer = match forward::ask(&state, &chain, &question).await {
        Ok(answer) => answer,
        Err(Unanswered::ForLackOfMemory) => return Err(Full.into()),
        Err(unanswered) if question.is_batch() => answer::failed(&question, &unanswered.sentence(&chain.id)).into(),
        Err(unanswered) => {
            return Err(Failure::new(unanswered.status(), "chainId", unanswered.sentence(&chain.id)));
        }
    };
    // JSON-RPC 2.0: what consists of notifications alone is not answered.
    if answer.as_ref().is_empty() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(json(StatusCode::OK, Bytes::from_owner(answer)))
}

async fn supported_chains(State(state): State<AppState>) -> Response {
    let http = state.chains().iter().map(|chain| chain.id.clone()).collect();
    json(StatusCode::OK, portico_json::to_text(&SupportedChains { http, ws: Vec::new() }))
}
