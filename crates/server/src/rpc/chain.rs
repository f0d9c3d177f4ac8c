//! Extractor for the chain that a request names.

use super::Served;
use crate::{AppState, Failure};
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use portico_terms::ChainId;
use serde::Deserialize;
use std::sync::Arc;

/// The served chain of the query's `chainId`. A missing, malformed or unserved one is answered with 400.
pub(super) struct AskedChain(pub(super) Arc<Served>);

#[derive(Deserialize)]
struct ChainQuery {
    #[serde(rename = "chainId")]
    chain_id: Option<String>,
}

impl FromRequestParts<AppState> for AskedChain {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<AskedChain, Failure> {
        let refuse = |description: &str| Failure::parameter("chainId", description);
        let malformed = "Use a CAIP-2 id as chainId, such as eip155:1";
        let Query(asked) = Query::<ChainQuery>::try_from_uri(&parts.uri).map_err(|_| refuse(malformed))?;
        let text = asked.chain_id.ok_or_else(|| refuse("Add a chainId to the query"))?;
        let id: ChainId = text.parse().map_err(|_| refuse(malformed))?;
        let chain = state.chain(&id).ok_or_else(|| refuse(&format!("The chain {id} isn't served here")))?;
        Ok(AskedChain(chain))
    }
}
