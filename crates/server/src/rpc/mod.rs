//! The chain RPC proxy: `POST /v1?chainId&projectId` (spec 7.8, 9.16) and `GET /v1/supported-chains`.

mod answer;
mod chain;
mod forward;
mod method;
mod question;
mod rest;

use crate::error::json;
use crate::guard::project::ProjectId;
use crate::rpc::chain::AskedChain;
use crate::rpc::question::Question;
use crate::{AppState, Failure};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use portico_api::rpc::SupportedChains;
use std::time::Duration;
use tokio::time::timeout;

pub(crate) use method::Methods;
pub(crate) use rest::Resting;

/// The largest body taken.
const BODY_LIMIT: usize = 10 * 1024 * 1024;

/// A client that sends its body more slowly than this is not served.
const BODY_TIME: Duration = Duration::from_secs(10);

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1", post(proxy))
        .route("/v1/", post(proxy))
        .route("/v1/supported-chains", get(supported_chains))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
}

/// Bodies are JSON whatever their content type says: hosts send `text/plain` to spare the browser's preflight.
async fn proxy(
    State(state): State<AppState>,
    _project: ProjectId,
    AskedChain(chain): AskedChain,
    request: Request,
) -> Result<Response, Failure> {
    let body = read(request).await?;
    let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "The body is not UTF-8 text"))?;
    let question = Question::read(text, state.methods())?;
    let answer = match forward::ask(&state, &chain, &question).await {
        Ok(answer) => answer,
        Err(unanswered) if question.is_batch() => answer::failed(&question, &unanswered.sentence(&chain.id)),
        Err(unanswered) => {
            return Err(Failure::new(unanswered.status(), "chainId", unanswered.sentence(&chain.id)));
        }
    };
    // JSON-RPC 2.0: what consists of notifications alone is not answered.
    if answer.is_empty() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(json(StatusCode::OK, answer))
}

async fn read(request: Request) -> Result<Bytes, Failure> {
    let read = timeout(BODY_TIME, Bytes::from_request(request, &())).await;
    let read =
        read.map_err(|_| Failure::new(StatusCode::REQUEST_TIMEOUT, "body", "The body took too long to arrive"))?;
    read.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body", "The body is larger than 10 MiB")
        }
        _ => Failure::parameter("body", "The body could not be read"),
    })
}

async fn supported_chains(State(state): State<AppState>) -> Response {
    let http = state.chains().iter().map(|chain| chain.id.clone()).collect();
    json(StatusCode::OK, portico_json::to_text(&SupportedChains { http, ws: Vec::new() }))
}
