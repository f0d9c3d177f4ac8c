//! Body of a batch request, and its responses in the order of the calls.

use super::{ChainRead, Nodes, pair};
use crate::effect::Outcome;
use portico_json::{Value, parse, to_text};
use portico_terms::rpc::{RpcError, result_of};

/// Maximum number of calls in a batch (spec 9.16).
pub const BATCH_SIZE: usize = 1000;

/// JSON-RPC text of the calls; a single call is not wrapped in a list.
pub fn body(calls: &[ChainRead]) -> String {
    let mut items: Vec<Value> = calls.iter().enumerate().map(|(id, call)| item(id, call)).collect();
    match items.len() {
        1 => to_text(&items.remove(0)),
        _ => to_text(&items),
    }
}

fn item(id: usize, call: &ChainRead) -> Value {
    Value::Object(vec![
        ("jsonrpc".into(), "2.0".into()),
        ("id".into(), Value::Number(id.to_string())),
        ("method".into(), call.method.as_str().into()),
        ("params".into(), Value::List(call.params.clone())),
    ])
}

/// One result or error for each call, in their order, and the delay from Retry-After.
pub fn answers(calls: &[ChainRead], outcome: Outcome) -> (Vec<Result<Value, RpcError>>, Option<u64>) {
    let all = |error: RpcError| calls.iter().map(|_| Err(error.clone())).collect();
    let (status, retry_after, body) = match outcome {
        Outcome::HttpAnswered { status, retry_after, body } => (status, retry_after, body),
        other => {
            // No response: the network is down, or the request timed out.
            let error = other.into_result().err().unwrap_or_else(|| RpcError::new(NO_ANSWER, ""));
            return (all(RpcError::new(NO_ANSWER, &error.message)), None);
        }
    };
    if !(200..300).contains(&status) {
        return (
            all(RpcError::new(i64::from(status), &["HTTP status code: ", &status.to_string()].concat())),
            retry_after,
        );
    }
    let Ok(value) = parse(&body) else {
        return (all(RpcError::nonsense("Couldn't read the node's answer")), retry_after);
    };
    let items = match &value {
        Value::List(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    (calls.iter().enumerate().map(|(id, call)| answer_of(id, call, items)).collect(), retry_after)
}

/// Finds a call's response by id: servers may order a batch freely (JSON-RPC 2.0, section 6).
fn answer_of(id: usize, call: &ChainRead, items: &[Value]) -> Result<Value, RpcError> {
    match items.iter().find(|item| item.get("id").as_u64() == Some(id as u64)) {
        Some(item) => {
            let answer = result_of(item).cloned();
            match call.nodes {
                Nodes::Half(_) => pair::with_revert(item, answer),
                Nodes::Library => pair::with_revert(item, answer).map(|_| item.clone()),
                _ => answer,
            }
        }
        // One error for the whole batch has no id.
        None => match items {
            [one] if !one.get("error").is_null() => result_of(one).cloned(),
            _ => Err(RpcError::nonsense("The node didn't answer every call")),
        },
    }
}

/// Error code for a missing response, which is retried (spec 8.53).
const NO_ANSWER: i64 = -1;
