//! Guard of routes without a project: only the rate of each visitor is limited.

use super::client::Client;
use super::limits;
use crate::{AppState, Failure};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::net::IpAddr;

/// Visitor of a public route. Extracting it charges 1, and answers 429 when the rate limit is exceeded.
pub(crate) struct Visitor {
    pub(crate) address: IpAddr,
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Visitor, Failure> {
        let client = Client::of(parts, state.limits());
        limits::spend_open(state, client).await?;
        Ok(Visitor { address: client.address() })
    }
}
