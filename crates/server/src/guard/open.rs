//! Routes that ask for no project: how often one visitor may ask is all that is limited.

use super::client::Client;
use super::limits;
use crate::{AppState, Failure};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// A visitor of a route that is open to everyone. Extracting it costs 1, and answers 429 where too much was asked.
pub(crate) struct Visitor;

impl FromRequestParts<AppState> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Visitor, Failure> {
        limits::spend_open(state, Client::of(parts, state.limits())).await.map(|()| Visitor)
    }
}
