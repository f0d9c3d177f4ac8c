//! Why a call is answered here and goes to no node.

use portico_api::rpc::BATCH_LIMIT;

/// JSON-RPC 2.0 and EIP-1474.
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const LIMIT_EXCEEDED: i64 = -32005;

/// Parameters that are nested more deeply are passed to no node: what reads them there may not bear it.
const DEEPEST: usize = 64;

/// The longest name of a method that is said back.
const LONGEST_NAME: usize = 64;

/// What is wrong with a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Refusal {
    /// Nobody may call this method here.
    ByServer,
    /// The project has a list of methods, and it is not on it.
    ByProject,
    /// Its parameters are nested too deeply.
    TooDeep,
    /// An entry of a `wallet_sendCalls` is not what it must be (spec 5.28).
    Entry,
    /// It asks for the logs of so many blocks, and the limit is the other number.
    TooWide(u64, u64),
    /// With those before it, it takes more questions to the nodes than a batch may.
    TooManyParts,
}

impl Refusal {
    pub(super) fn code(self) -> i64 {
        match self {
            Refusal::ByServer | Refusal::ByProject => METHOD_NOT_FOUND,
            Refusal::TooDeep | Refusal::Entry => INVALID_PARAMS,
            Refusal::TooWide(..) | Refusal::TooManyParts => LIMIT_EXCEEDED,
        }
    }

    /// What a client that called this method is told.
    pub(super) fn sentence(self, method: &str) -> String {
        let end = method.char_indices().nth(LONGEST_NAME).map_or(method.len(), |(place, _)| place);
        let method = &method[..end];
        match self {
            Refusal::ByServer => format!("The method {method} is not allowed by this server"),
            Refusal::ByProject => format!("The method {method} is not allowed by this project"),
            Refusal::TooDeep => format!("The params are nested more than {DEEPEST} levels deep"),
            Refusal::Entry => "Each of the calls needs a `to` that starts with 0x, and so does its `data`".into(),
            Refusal::TooWide(asked, most) => {
                format!("The block range of {asked} blocks is wider than {most}; ask for less")
            }
            Refusal::TooManyParts => {
                format!("The block ranges of this batch take more than {BATCH_LIMIT} questions; ask for less")
            }
        }
    }
}

/// Whether a JSON text is nested more deeply than nodes have to bear.
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
