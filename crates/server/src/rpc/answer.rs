//! From an upstream's body to the client's answer. Results and errors stay the text that they came as.

use super::question::{Item, Question, object, present, upstream_id};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A body that is not JSON-RPC.
#[derive(Debug)]
pub(super) struct Nonsense;

/// JSON-RPC 2.0.
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INTERNAL: i64 = -32603;

/// A refusal of a whole batch is repeated for each of its calls, so it may not be longer than this, in bytes.
const REFUSAL_LIMIT: usize = 16 * 1024;

/// The longest name of a method that is said back.
const LONGEST_NAME: usize = 64;

#[derive(Clone, Copy, Deserialize)]
struct Answer<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// Puts what the upstream said under the client's ids, in the client's order.
pub(super) fn compose(question: &Question<'_>, upstream: &[u8]) -> Result<Vec<u8>, Nonsense> {
    let expected = |item: &Item<'_>| matches!(item, Item::Call(call) if call.id.is_some());
    if !question.items().iter().any(expected) {
        return Ok(written(question, |_| Said::Nothing));
    }
    let text = std::str::from_utf8(upstream).map_err(|_| Nonsense)?;
    if !question.is_batch() || !text.trim_ascii_start().starts_with('[') {
        let answer: Answer<'_> = object(text).ok_or(Nonsense)?;
        let said = said(answer).ok_or(Nonsense)?;
        // To a batch, one object can only be a refusal of the whole.
        if question.is_batch() && (!matches!(said, Said::Error(_)) || text.len() > REFUSAL_LIMIT) {
            return Err(Nonsense);
        }
        return Ok(written(question, |_| said));
    }
    let answers: Vec<&RawValue> = serde_json::from_str(text).map_err(|_| Nonsense)?;
    let mut places: Vec<Said<'_>> = vec![Said::Nothing; question.items().len()];
    for answer in answers {
        let answer: Answer<'_> = object(answer.get()).ok_or(Nonsense)?;
        let place = answer.id.and_then(place_of).and_then(|place| places.get_mut(place));
        if let (Some(place), Some(said)) = (place, said(answer)) {
            *place = said;
        }
    }
    Ok(written(question, |place| places[place]))
}

/// Gives each call of a batch the same failure.
pub(super) fn failed(question: &Question<'_>, sentence: &str) -> Vec<u8> {
    let error = error(INTERNAL, sentence);
    let raw = RawValue::from_string(error).unwrap_or_else(|_| RawValue::NULL.to_owned());
    written(question, |_| Said::Error(&raw))
}

/// What an upstream said to one call.
#[derive(Clone, Copy)]
enum Said<'a> {
    Result(&'a RawValue),
    Error(&'a RawValue),
    Nothing,
}

fn said<'a>(answer: Answer<'a>) -> Option<Said<'a>> {
    match (answer.result, answer.error) {
        (_, Some(error)) => Some(Said::Error(error)),
        (Some(result), None) => Some(Said::Result(result)),
        (None, None) => None,
    }
}

fn place_of(id: &RawValue) -> Option<usize> {
    let number: usize = id.get().trim_matches('"').parse().ok()?;
    let place = number.checked_sub(1)?;
    debug_assert_eq!(upstream_id(place), number);
    Some(place)
}

/// The client's answer; empty where none is due.
fn written<'a>(question: &Question<'_>, said_to: impl Fn(usize) -> Said<'a>) -> Vec<u8> {
    let mut out = Vec::new();
    for (place, item) in question.items().iter().enumerate() {
        let (id, said) = match item {
            Item::Call(call) => match call.id {
                Some(id) => (id, said_to(place)),
                None => continue,
            },
            Item::Refused(call) => {
                if let Some(id) = call.id {
                    let error = error(METHOD_NOT_FOUND, &refusal(&call.method));
                    push(&mut out, question.is_batch(), id, "error", &error);
                }
                continue;
            }
            Item::Wrong { id } => {
                let error = error(INVALID_REQUEST, "Not a JSON-RPC 2.0 call");
                push(&mut out, question.is_batch(), id.unwrap_or(RawValue::NULL), "error", &error);
                continue;
            }
        };
        match said {
            Said::Result(raw) => push(&mut out, question.is_batch(), id, "result", raw.get()),
            Said::Error(raw) => push(&mut out, question.is_batch(), id, "error", raw.get()),
            Said::Nothing => {
                let error = error(INTERNAL, "The node did not answer this call");
                push(&mut out, question.is_batch(), id, "error", &error);
            }
        }
    }
    if question.is_batch() && !out.is_empty() {
        out.push(b']');
    }
    out
}

fn push(out: &mut Vec<u8>, batch: bool, id: &RawValue, field: &str, value: &str) {
    if batch {
        out.push(if out.is_empty() { b'[' } else { b',' });
    }
    for part in ["{\"jsonrpc\":\"2.0\",\"id\":", id.get(), ",\"", field, "\":", value, "}"] {
        out.extend_from_slice(part.as_bytes());
    }
}

fn refusal(method: &str) -> String {
    let end = method.char_indices().nth(LONGEST_NAME).map_or(method.len(), |(place, _)| place);
    format!("The method {} is not allowed by this server", &method[..end])
}

fn error(code: i64, message: &str) -> String {
    serde_json::json!({ "code": code, "message": message }).to_string()
}
