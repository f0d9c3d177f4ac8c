//! What the nodes of a chain answer, as values that nobody has looked at.

use super::Fault;
use crate::AppState;
use crate::rpc::inside;
use portico_json::{Value, parse};
use portico_terms::ChainId;

/// Each answer in the order of the calls, a method and its parameters each.
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

/// The same, where one without an answer spoils all.
pub(super) async fn all(
    state: &AppState,
    chain: &ChainId,
    calls: Vec<(&str, serde_json::Value)>,
) -> Result<Vec<Value>, Fault> {
    each(state, chain, calls).await.into_iter().collect()
}
