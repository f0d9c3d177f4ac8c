//! Guard of routes without a project: only the rate of each visitor is limited.

use super::client::Client;
use super::limits;
use crate::{AppState, Failure};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;

/// Visitor of a public route. Extracting it charges 1, and answers 429 when the rate limit is exceeded.
pub(crate) struct Visitor {
    client: Client,
}

impl Visitor {
    pub(crate) fn address(&self) -> IpAddr {
        self.client.address()
    }

    pub(super) fn client(&self) -> Client {
        self.client
    }

    /// Charges more for a request that costs more than 1.
    pub(crate) async fn spend(&self, state: &AppState, cost: usize) -> Result<(), Failure> {
        limits::spend_open(state, self.client, cost).await
    }
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Visitor, Failure> {
        let client = Client::of(parts, state.limits());
        limits::spend_open(state, client, 1).await?;
        Ok(Visitor { client })
    }
}

/// Charges 1 to the visitor for a path or a method that is not there, and answers 429 when the rate limit is exceeded. Files that are there
/// cost nothing.
pub(crate) async fn charge_missing(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let client = Client::of(&parts, state.limits());
    let response = next.run(Request::from_parts(parts, body)).await;
    if !matches!(response.status(), StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) {
        return response;
    }
    limits::spend_open(&state, client, 1).await.err().map_or(response, IntoResponse::into_response)
}
