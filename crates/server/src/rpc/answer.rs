//! Writes the response to a client, with its ids and in its order.

use super::ask::CallResult;
use super::question::{Item, Question};
use crate::guard::memory::{Full, Share};
use portico_terms::ChainId;
use serde_json::value::RawValue;

/// Error codes of JSON-RPC 2.0.
const INVALID_REQUEST: i64 = -32600;
const INTERNAL: i64 = -32603;

/// Size limit of a batch response, in bytes: merged calls repeat their result.
const LIMIT: usize = 64 * 1024 * 1024;

/// Response to a client, with the memory reserved until it is sent.
pub(super) struct Answer {
    text: Vec<u8>,
    share: Option<Share>,
}

impl Answer {
    /// The text, and the memory reserved for it.
    pub(super) fn into_parts(self) -> (Vec<u8>, Option<Share>) {
        (self.text, self.share)
    }
}

/// For short messages of the server, without reserved memory.
impl From<Vec<u8>> for Answer {
    fn from(text: Vec<u8>) -> Answer {
        Answer { text, share: None }
    }
}

impl AsRef<[u8]> for Answer {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

/// Writes the result of the call at each place; `None` from `said` means that no node responded. Empty if no response is due.
pub(super) fn compose<'s>(
    question: &Question<'_>,
    chain: &ChainId,
    said: impl Fn(usize) -> Option<&'s CallResult>,
    mut share: Share,
) -> Result<Answer, Full> {
    let mut length = 0;
    write(question, chain, &said, &mut |part| length += part.len());
    share.grow(length)?;
    let mut text = Vec::with_capacity(length);
    write(question, chain, &said, &mut |part| text.extend_from_slice(part));
    Ok(Answer { text, share: Some(share) })
}

/// Writes the response to `out`, piece by piece.
fn write<'s>(
    question: &Question<'_>,
    chain: &ChainId,
    said: &impl Fn(usize) -> Option<&'s CallResult>,
    out: &mut impl FnMut(&[u8]),
) {
    let mut length = 0;
    for (place, item) in question.items().iter().enumerate() {
        let mut push = |id: &RawValue, field: &str, value: &[u8]| {
            let too_long;
            let (field, value) = if length + value.len() > LIMIT && question.is_batch() {
                too_long = error(INTERNAL, "The answer to this batch is too long. Send fewer calls.");
                ("error", too_long.as_bytes())
            } else {
                (field, value)
            };
            if question.is_batch() {
                out(if length == 0 { b"[" } else { b"," });
            }
            length += 1 + value.len();
            for part in
                [b"{\"jsonrpc\":\"2.0\",\"id\":", id.get().as_bytes(), b",\"", field.as_bytes(), b"\":", value, b"}"]
            {
                out(part);
            }
        };
        match item {
            Item::Call(call) | Item::Parted(call, _) => {
                let Some(id) = call.id else { continue };
                match said(place) {
                    Some(CallResult::Result(text)) => push(id, "result", text.bytes()),
                    Some(CallResult::Error(text)) => push(id, "error", text.bytes()),
                    Some(CallResult::NoResult(unanswered)) => {
                        push(id, "error", error(INTERNAL, &unanswered.sentence(chain)).as_bytes());
                    }
                    None => push(id, "error", error(INTERNAL, &super::ask::NoResult::ByAny.sentence(chain)).as_bytes()),
                }
            }
            Item::Refused(call, refusal) => {
                if let Some(id) = call.id {
                    push(id, "error", error(refusal.code(), &refusal.sentence(&call.method)).as_bytes());
                }
            }
            Item::Wrong { id } => {
                let error = error(INVALID_REQUEST, "Send a JSON-RPC 2.0 call");
                push(id.unwrap_or(RawValue::NULL), "error", error.as_bytes());
            }
        }
    }
    if question.is_batch() && length > 0 {
        out(b"]");
    }
}

pub(super) fn error(code: i64, message: &str) -> String {
    serde_json::json!({ "code": code, "message": message }).to_string()
}
