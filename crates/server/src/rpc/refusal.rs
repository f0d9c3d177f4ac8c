//! Reasons to reject a call without forwarding it to a node.

use portico_api::rpc::BATCH_LIMIT;

/// Error codes of JSON-RPC 2.0 and EIP-1474.
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const LIMIT_EXCEEDED: i64 = -32005;

/// Nesting limit of forwarded parameters, as a node's parser may not cope with more.
const DEEPEST: usize = 64;

/// Maximum length of a method name that an error message repeats.
const LONGEST_NAME: usize = 64;

/// Reason for the rejection of a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Refusal {
    /// The server does not allow the method.
    ByServer,
    /// The project has a list of methods, without this one.
    ByProject,
    /// The parameters are nested too deeply.
    TooDeep,
    /// The parameters are none of the method; the sentence says which are.
    Params(&'static str),
    /// A call in `wallet_sendCalls` is malformed (spec 5.28).
    Entry,
    /// The log range has this many blocks; the second number is the limit.
    TooWide(u64, u64),
    /// The log ranges of the batch need more requests to nodes than [`BATCH_LIMIT`].
    TooManyParts,
}

impl Refusal {
    pub(super) fn code(self) -> i64 {
        match self {
            Refusal::ByServer | Refusal::ByProject => METHOD_NOT_FOUND,
            Refusal::TooDeep | Refusal::Params(_) | Refusal::Entry => INVALID_PARAMS,
            Refusal::TooWide(..) | Refusal::TooManyParts => LIMIT_EXCEEDED,
        }
    }

    /// Error message for a client that called this method.
    pub(super) fn sentence(self, method: &str) -> String {
        let end = method.char_indices().nth(LONGEST_NAME).map_or(method.len(), |(place, _)| place);
        let method = &method[..end];
        match self {
            Refusal::ByServer => format!("The method {method} isn't allowed on this server"),
            Refusal::ByProject => format!("The method {method} isn't allowed for this project"),
            Refusal::TooDeep => format!("Nest params at most {DEEPEST} levels deep"),
            Refusal::Params(sentence) => sentence.into(),
            Refusal::Entry => "Use 0x in front of the `to` and the `data` of each call".into(),
            Refusal::TooWide(asked, most) => {
                format!("Can't search {asked} blocks at once. Ask for at most {most}.")
            }
            Refusal::TooManyParts => {
                format!("The block ranges of this batch need more than {BATCH_LIMIT} requests. Ask for fewer blocks.")
            }
        }
    }
}

/// Whether a JSON text is nested more deeply than [`DEEPEST`].
pub(super) fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => {
                depth += 1;
                if depth > DEEPEST {
                    return true;
                }
            }
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_brackets_outside_of_texts_are_levels() {
        let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(!is_too_deep(&nested(DEEPEST)) && is_too_deep(&nested(DEEPEST + 1)));
        let objects = |levels| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
        assert!(!is_too_deep(&objects(DEEPEST)) && is_too_deep(&objects(DEEPEST + 1)));
        assert!(!is_too_deep(&format!(r#"["{}", "\"{}\\"]"#, "[".repeat(1000), "{".repeat(1000))));
        assert!(!is_too_deep(&format!("[{}[]]", "[],".repeat(1000))));
        assert!(is_too_deep(&format!(r#"["\\",{}]"#, nested(DEEPEST))));
    }
}
