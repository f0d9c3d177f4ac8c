//! RPC calls of the server itself, on the same path as those of clients.

use super::Served;
use super::ask::{Asker, CallResult, NoResult};
use super::question::{Item, Question};
use crate::{AppState, visitors};
use axum::body::Bytes;
use portico_api::rpc::BATCH_LIMIT;
use portico_terms::ChainId;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Reason why a call of the server has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum CallFailed {
    /// The configuration does not name the chain.
    #[error("the chain {0} isn't served here")]
    NotServed(ChainId),
    /// No node responded.
    #[error("{0}")]
    NoResult(String),
    /// The node returned an error.
    #[error("the node refused with {code}: {message}")]
    Refused {
        /// JSON-RPC error code.
        code: i64,
        /// Error message of the node.
        message: String,
        /// Revert data, or null.
        data: Value,
    },
}

#[derive(Default, Deserialize)]
struct Refusal {
    code: i64,
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Value,
}

/// Calls a method on a chain.
pub(crate) async fn call(state: &AppState, chain: &ChainId, method: &str, params: &Value) -> Result<Value, CallFailed> {
    let nothing = CallFailed::NoResult(format!("Couldn't read the answer of the chain {chain}"));
    call_many(state, chain, vec![(method, params.clone())]).await.pop().unwrap_or(Err(nothing))
}

/// Calls several methods on a chain at once, each with its parameters. Returns one result per call, in order.
pub(crate) async fn call_many(
    state: &AppState,
    chain: &ChainId,
    calls: Vec<(&str, Value)>,
) -> Vec<Result<Value, CallFailed>> {
    let Some(served) = state.chain(chain) else {
        return vec![Err(CallFailed::NotServed(chain.clone())); calls.len()];
    };
    let mut answers = Vec::with_capacity(calls.len());
    for calls in calls.chunks(BATCH_LIMIT) {
        let answered = ask(state, &served, calls).await;
        answers.extend(answered.unwrap_or_else(|failed| vec![Err(failed); calls.len()]));
    }
    answers
}

async fn ask(
    state: &AppState,
    chain: &Arc<Served>,
    calls: &[(&str, Value)],
) -> Result<Vec<Result<Value, CallFailed>>, CallFailed> {
    let call = |(place, (method, params)): (usize, &(&str, Value))| json!({ "jsonrpc": "2.0", "id": place, "method": method, "params": params });
    let body = Bytes::from(Value::from_iter(calls.iter().enumerate().map(call)).to_string());
    let nonsense = || CallFailed::NoResult(format!("Couldn't read the answer of the chain {}", chain.id));
    let text = std::str::from_utf8(&body).map_err(|_| nonsense())?;
    let mut question = Question::read(text, chain, &[]).map_err(|_| nonsense())?;
    // None is reserved for the calls, as the callers limit their own requests; that of the answers is part of the visitor's.
    let room = Arc::new(state.memory().of(visitors::current()).share());
    let asker = Asker { state, served: chain, body: &body, room: &room, fresh: false };
    asker.part(&mut question).await;
    let heard = asker.hear(&question).await;
    Ok((0..calls.len()).map(|place| result(chain, &question, place, heard.at(place))).collect())
}

/// Result of the call at this place.
fn result(
    chain: &Served,
    question: &Question<'_>,
    place: usize,
    said: Option<&CallResult>,
) -> Result<Value, CallFailed> {
    let unanswered = |unanswered: NoResult| CallFailed::NoResult(unanswered.sentence(&chain.id));
    match said {
        Some(CallResult::Result(text)) => serde_json::from_slice(text.bytes()).map_err(|_| unanswered(NoResult::ByAny)),
        Some(CallResult::Error(text)) => Err(refused(text.bytes())),
        Some(CallResult::NoResult(why)) => Err(unanswered(*why)),
        None => match question.items().get(place) {
            Some(Item::Refused(call, refusal)) => Err(CallFailed::Refused {
                code: refusal.code(),
                message: refusal.sentence(&call.method),
                data: Value::Null,
            }),
            _ => Err(unanswered(NoResult::ByAny)),
        },
    }
}

fn refused(error: &[u8]) -> CallFailed {
    let Refusal { code, message, data } = serde_json::from_slice(error).unwrap_or_default();
    CallFailed::Refused { code, message, data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_keeps_the_data_of_a_revert_and_nonsense_is_a_refusal_without_words() {
        let error = br#"{"code":3,"message":"execution reverted","data":"0x08"}"#;
        let reverted = CallFailed::Refused { code: 3, message: "execution reverted".into(), data: json!("0x08") };
        assert_eq!(refused(error), reverted);
        for error in ["\"no\"", "[]", "{\"code\":\"x\"}", "null"] {
            let wordless = CallFailed::Refused { code: 0, message: String::new(), data: Value::Null };
            assert_eq!(refused(error.as_bytes()), wordless, "{error}");
        }
    }
}
