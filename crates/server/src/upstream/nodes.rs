//! JSON-RPC calls to the nodes of a chain; the results are unvalidated values.

use super::Fault;
use crate::AppState;
use crate::rpc::inside;
use portico_json::{Value, parse};
use portico_terms::ChainId;

/// Sends calls, each a method and its parameters, and returns their results in the same order.
pub(super) async fn each(
    state: &AppState,
    chain: &ChainId,
    calls: Vec<(&str, serde_json::Value)>,
) -> Vec<Result<Value, Fault>> {
    let read = |answer: Result<serde_json::Value, _>| {
        let answer = answer.map_err(|_| Fault::Unreachable)?;
        parse(&answer.to_string()).map_err(|_| Fault::Nonsense)
    };
    inside::call_many(state, chain, calls).await.into_iter().map(read).collect()
}

/// Like [`each`], but fails if any call fails.
pub(super) async fn all(
    state: &AppState,
    chain: &ChainId,
    calls: Vec<(&str, serde_json::Value)>,
) -> Result<Vec<Value>, Fault> {
    each(state, chain, calls).await.into_iter().collect()
}
