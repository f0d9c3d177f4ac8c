//! Calls that the server makes itself, by the same way as those of clients.

use super::forward;
use super::question::Question;
use crate::AppState;
use portico_terms::ChainId;
use serde::Deserialize;
use serde_json::Value;

/// Why a call of our own has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallFailed {
    /// The configuration does not name the chain.
    #[error("the chain {0} is not served here")]
    NotServed(ChainId),
    /// No node answered.
    #[error("{0}")]
    Unanswered(String),
    /// A node refused: its code, its words, and its data, where a revert says why.
    #[error("the node refused with {code}: {message}")]
    Refused {
        /// JSON-RPC's code.
        code: i64,
        /// The node's words.
        message: String,
        /// A revert's data, or null.
        data: Value,
    },
}

#[derive(Deserialize)]
struct Answer {
    result: Option<Value>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    code: i64,
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Value,
}

/// Asks a chain.
pub(crate) async fn call(state: &AppState, chain: &ChainId, method: &str, params: &Value) -> Result<Value, CallFailed> {
    let served = state.chain(chain).ok_or_else(|| CallFailed::NotServed(chain.clone()))?;
    let body = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let nonsense = || CallFailed::Unanswered(format!("The chain {chain} answered nonsense"));
    let question = Question::read(&body, &served).map_err(|_| nonsense())?;
    let answer = forward::ask(state, &served, &question).await;
    let answer = answer.map_err(|unanswered| CallFailed::Unanswered(unanswered.sentence(chain)))?;
    match serde_json::from_slice(answer.as_ref()).map_err(|_| nonsense())? {
        Answer { error: Some(Refusal { code, message, data }), .. } => Err(CallFailed::Refused { code, message, data }),
        Answer { result, .. } => Ok(result.unwrap_or_default()),
    }
}
