//! Parses the responses of nodes. Results and errors stay in their original text.

use super::NoResult;
use crate::guard::memory::Share;
use crate::rpc::question::{Batch, object, present};
use axum::body::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// Size limit of an error for a whole batch, in bytes, as it is repeated for each call.
pub(super) const REFUSAL_LIMIT: usize = 16 * 1024;

/// A slice of a response body, with the memory reserved for that body.
#[derive(Clone)]
pub(in crate::rpc) struct Text {
    bytes: Bytes,
    _share: Option<Arc<Share>>,
}

impl Text {
    pub(in crate::rpc) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }
}

/// For cached text, whose memory the cache counts, and for short text written here.
impl From<Bytes> for Text {
    fn from(bytes: Bytes) -> Text {
        Text { bytes, _share: None }
    }
}

/// For text assembled here, with the memory reserved for it.
impl From<(Bytes, Share)> for Text {
    fn from((bytes, share): (Bytes, Share)) -> Text {
        Text { bytes, _share: Some(Arc::new(share)) }
    }
}

#[derive(Clone)]
pub(in crate::rpc) enum CallResult {
    Result(Text),
    Error(Text),
    NoResult(NoResult),
}

/// The body is not valid JSON-RPC.
#[derive(Debug)]
pub(super) struct Nonsense;

#[derive(Clone, Copy, Deserialize)]
struct Answer<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// Parses a node's response to `count` calls with ids from 1. A batch of one was sent as a single call.
pub(super) fn read(body: &Bytes, share: Share, count: usize) -> Result<Vec<Option<CallResult>>, Nonsense> {
    let text = std::str::from_utf8(body).map_err(|_| Nonsense)?;
    let share = Some(Arc::new(share));
    let part = |raw: &RawValue| Text { bytes: body.slice_ref(raw.get().as_bytes()), _share: share.clone() };
    let said = |answer: Answer<'_>| match (answer.result, answer.error) {
        (_, Some(error)) => Some(CallResult::Error(part(error))),
        (Some(result), None) => Some(CallResult::Result(part(result))),
        (None, None) => None,
    };
    if count == 1 || !text.trim_ascii_start().starts_with('[') {
        let answer: Answer<'_> = object(text).ok_or(Nonsense)?;
        // The response to another request. A node that could not parse ours sends no id.
        if count == 1 && answer.id.is_some_and(|id| id.get() != "null" && place_of(id) != Some(0)) {
            return Err(Nonsense);
        }
        let said = said(answer).ok_or(Nonsense)?;
        // A single object in response to a batch can only be an error for the whole batch.
        if count > 1 && (!matches!(said, CallResult::Error(_)) || text.len() > REFUSAL_LIMIT) {
            return Err(Nonsense);
        }
        return Ok(vec![Some(said); count]);
    }
    let Batch { kept, count: answers } = serde_json::from_str(text).map_err(|_| Nonsense)?;
    if answers > kept.len() {
        return Err(Nonsense);
    }
    let mut places = vec![None; count];
    for answer in kept {
        let answer: Answer<'_> = object(answer.get()).ok_or(Nonsense)?;
        let place = answer.id.and_then(place_of).and_then(|place| places.get_mut(place));
        if let (Some(place), Some(said)) = (place, said(answer)) {
            *place = Some(said);
        }
    }
    Ok(places)
}

fn place_of(id: &RawValue) -> Option<usize> {
    let number: usize = id.get().trim_matches('"').parse().ok()?;
    number.checked_sub(1)
}

/// Meaning of an error response for the choice of node.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Refusal {
    /// The call itself is wrong; another node would reject it too.
    OfCall,
    /// The node's rate limit was exceeded.
    TooOften,
    /// The node does not support the method; another one may.
    UnknownMethod,
    /// The node does not know the transaction or block; another one may.
    Unknown,
    /// The node already has the transaction.
    KnownTransaction,
}

/// Error codes of EIP-1474.
const LIMIT_EXCEEDED: i64 = -32005;
const METHOD_NOT_SUPPORTED: i64 = -32004;
const METHOD_NOT_FOUND: i64 = -32601;
/// A reverted call (EIP-1474 says nothing of it; Geth began it). The message may quote the contract, which is the caller's.
const REVERTED: i64 = 3;

pub(super) fn refusal(error: &str) -> Refusal {
    #[derive(Deserialize)]
    struct Words<'a> {
        #[serde(default)]
        code: i64,
        #[serde(borrow, default)]
        message: Cow<'a, str>,
    }
    let Ok(Words { code, message }) = serde_json::from_str(error) else { return Refusal::OfCall };
    let message = message.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| message.contains(words));
    match code {
        REVERTED => Refusal::OfCall,
        _ if says(&["revert"]) => Refusal::OfCall,
        METHOD_NOT_FOUND | METHOD_NOT_SUPPORTED => Refusal::UnknownMethod,
        // This code also stands for a call with too large a result, which another node would reject too.
        LIMIT_EXCEEDED if says(&["returned more than", "block range", "response size"]) => Refusal::OfCall,
        LIMIT_EXCEEDED | 429 => Refusal::TooOften,
        _ if says(&["rate limit", "too many requests"]) => Refusal::TooOften,
        _ if says(&["no such mempool", "block height out of range"]) => Refusal::Unknown,
        _ if says(&["already known", "known transaction", "already imported"]) => Refusal::KnownTransaction,
        _ => Refusal::OfCall,
    }
}

/// The error with its code but without its message, which reveals a host or key.
pub(super) fn without_words(error: &str) -> String {
    #[derive(Deserialize)]
    struct Coded {
        code: i64,
    }
    let code = serde_json::from_str(error).map_or(-32603, |Coded { code }| code);
    serde_json::json!({ "code": code, "message": "The node refused this call" }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::memory::Memory;
    use portico_api::rpc::BATCH_LIMIT;

    #[test]
    fn a_limit_of_the_node_is_told_from_a_fault_of_the_call() {
        for (error, expected) in [
            (r#"{"code":-32005,"message":"limit exceeded"}"#, Refusal::TooOften),
            (r#"{"code":429,"message":"slow down"}"#, Refusal::TooOften),
            (r#"{"code":-32000,"message":"Too Many Requests"}"#, Refusal::TooOften),
            (r#"{"code":-32005,"message":"query returned more than 10000 results"}"#, Refusal::OfCall),
            (r#"{"code":-32601,"message":"no such method"}"#, Refusal::UnknownMethod),
            (r#"{"code":-32000,"message":"already known"}"#, Refusal::KnownTransaction),
            (r#"{"code":-5,"message":"No such mempool or blockchain transaction"}"#, Refusal::Unknown),
            (r#"{"code":-8,"message":"Block height out of range"}"#, Refusal::Unknown),
            (r#"{"code":3,"message":"execution reverted","data":"0x"}"#, Refusal::OfCall),
            (r#"{"code":3,"message":"execution reverted: rate limit","data":"0x"}"#, Refusal::OfCall),
            (r#"{"code":-32000,"message":"execution reverted: too many requests"}"#, Refusal::OfCall),
            (r#""limit exceeded""#, Refusal::OfCall),
            (r#"{"code":"-32005"}"#, Refusal::OfCall),
            ("[]", Refusal::OfCall),
        ] {
            assert_eq!(refusal(error), expected, "{error}");
        }
    }

    #[test]
    fn an_answer_to_another_question_or_with_too_many_parts_is_nonsense() {
        let read = |text: String, count| read(&Bytes::from(text), Memory::new(1).share(), count).is_ok();
        for (id, taken) in [("1", true), ("\"1\"", true), ("null", true), ("2", false), ("\"a\"", false), ("{}", false)]
        {
            assert_eq!(read(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":1}}"#), 1), taken, "{id}");
        }
        let many = |parts| format!("[{}]", vec![r#"{"id":1,"result":1}"#; parts].join(","));
        assert!(read(many(BATCH_LIMIT), 2));
        assert!(!read(many(BATCH_LIMIT + 1), 2));
    }

    #[test]
    fn without_its_words_an_error_keeps_its_code() {
        let said = without_words(r#"{"code":-32000,"message":"https://node.example/key"}"#);
        assert_eq!(said, r#"{"code":-32000,"message":"The node refused this call"}"#);
        assert!(without_words("nonsense").contains("-32603"));
    }
}
