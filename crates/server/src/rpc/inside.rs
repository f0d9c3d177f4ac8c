//! Calls that the server makes itself, by the same way as those of clients.
#![allow(dead_code, reason = "resources that read chains come one after the other")]

use super::forward;
use super::question::Question;
use crate::AppState;
use crate::config::Chain;
use portico_api::rpc::BATCH_LIMIT;
use portico_terms::ChainId;
use serde::Deserialize;
use serde_json::{Value, json};

/// Why a call of our own has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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
    #[serde(default)]
    id: usize,
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
    let nothing = CallFailed::Unanswered(format!("The chain {chain} answered nonsense"));
    call_many(state, chain, vec![(method, params.clone())]).await.pop().unwrap_or(Err(nothing))
}

/// Asks a chain several things at once: a method and its parameters each. The answers stand in the order of the calls, one for each.
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
    chain: &Chain,
    calls: &[(&str, Value)],
) -> Result<Vec<Result<Value, CallFailed>>, CallFailed> {
    let call = |(place, (method, params)): (usize, &(&str, Value))| json!({ "jsonrpc": "2.0", "id": place, "method": method, "params": params });
    let body = Value::from_iter(calls.iter().enumerate().map(call)).to_string();
    let nonsense = || CallFailed::Unanswered(format!("The chain {} answered nonsense", chain.id));
    let question = Question::read(&body, chain, &[]).map_err(|_| nonsense())?;
    let answer = forward::ask(state, chain, &question).await;
    let answer = answer.map_err(|unanswered| CallFailed::Unanswered(unanswered.sentence(&chain.id)))?;
    results(answer.as_ref(), calls.len()).ok_or_else(nonsense)
}

/// What was said to each of so many calls, whose ids count from 0.
fn results(answer: &[u8], count: usize) -> Option<Vec<Result<Value, CallFailed>>> {
    let answers: Vec<Answer> = serde_json::from_slice(answer).ok()?;
    let missing = CallFailed::Unanswered("The node did not answer this call".into());
    let mut results = vec![Err(missing); count];
    for Answer { id, result, error } in answers {
        *results.get_mut(id)? = match error {
            Some(Refusal { code, message, data }) => Err(CallFailed::Refused { code, message, data }),
            None => Ok(result.unwrap_or_default()),
        };
    }
    Some(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_has_its_own_result_refusal_or_silence() {
        let answer = br#"[{"id":2,"error":{"code":3,"message":"execution reverted","data":"0x08"}},{"id":0,"result":"0x1"},{"id":3,"result":null}]"#;
        let refused = CallFailed::Refused { code: 3, message: "execution reverted".into(), data: json!("0x08") };
        let missing = CallFailed::Unanswered("The node did not answer this call".into());
        let expected = vec![Ok(json!("0x1")), Err(missing), Err(refused), Ok(Value::Null)];
        assert_eq!(results(answer, 4), Some(expected));
    }

    #[test]
    fn what_is_no_batch_or_answers_nobody_is_nonsense() {
        for answer in [r#"{"id":0,"result":1}"#, "", "<html>", r#"[{"id":1,"result":1}]"#, r#"[{"id":-1,"result":1}]"#]
        {
            assert_eq!(results(answer.as_bytes(), 1), None, "{answer}");
        }
    }
}
