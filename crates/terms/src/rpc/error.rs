use portico_json::{Json, Value};

/// Kind of failure, derived from a JSON-RPC or EIP-1193 code (spec 8.51, 8.52).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum RpcErrorKind {
    /// 4001: the visitor refused (EIP-1193).
    UserRejected,
    /// 4100: not authorized (EIP-1193).
    Unauthorized,
    /// 4200: the wallet does not support the method (EIP-1193).
    UnsupportedMethod,
    /// 4900: the wallet is disconnected from all chains (EIP-1193).
    Disconnected,
    /// 4901: the wallet is disconnected from this chain (EIP-1193).
    ChainDisconnected,
    /// 4902: the wallet does not know this chain (EIP-3085, spec 8.51).
    UnrecognizedChain,
    /// -32700: the request is not JSON (JSON-RPC).
    Parse,
    /// -32600: the request is not valid (JSON-RPC).
    InvalidRequest,
    /// -32601: unknown method (JSON-RPC).
    MethodNotFound,
    /// -32602: invalid parameters (JSON-RPC).
    InvalidParams,
    /// -32603: internal error (JSON-RPC).
    Internal,
    /// 32603, positive: invalid chain id (spec 8.51).
    InvalidChainId,
    /// -32000: missing or invalid input (EIP-1474).
    InvalidInput,
    /// -32001: the resource does not exist (EIP-1474).
    ResourceNotFound,
    /// -32002 (EIP-1474): in wallets, the same request is already pending with the visitor.
    ResourceUnavailable,
    /// -32003: the transaction was rejected (EIP-1474).
    TransactionRejected,
    /// -32004: the method is not implemented (EIP-1474).
    MethodNotSupported,
    /// -32005: rate limit exceeded (EIP-1474).
    LimitExceeded,
    /// -32006: unsupported version of JSON-RPC (EIP-1474).
    VersionNotSupported,
    /// 3: the call reverted.
    Reverted,
    /// Any other code; 5000 if there was none (spec 8.51).
    Unknown,
}

/// Typed error of a request. `message` comes from the wallet or node and is shown as plain text only.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct RpcError {
    /// Error code; 5000 if there was none (spec 8.51).
    pub code: i64,
    /// Kind derived from the code.
    pub kind: RpcErrorKind,
    /// Message of the wallet or node, cut to what fits a screen.
    pub message: String,
}

/// Code for a failure that carries none (spec 8.51).
const DEFAULT_CODE: i64 = 5000;

/// JSON-RPC code for a malformed response.
const INTERNAL: i64 = -32603;

/// Maximum length of a message; longer ones are dumps rather than sentences.
const LONGEST_MESSAGE: usize = 300;

/// Whether a character of a foreign message may be shown: no control characters and no bidirectional overrides.
fn is_drawn(letter: &char) -> bool {
    let steers = letter.is_control() && *letter != '\n';
    !steers && !matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl RpcError {
    /// Creates an error from a code and its message.
    pub fn new(code: i64, message: &str) -> RpcError {
        RpcError { code, kind: kind(code), message: message.chars().filter(is_drawn).take(LONGEST_MESSAGE).collect() }
    }

    /// Reads whatever a wallet threw or a node sent under `error`: an object, a text, or something invalid.
    pub fn from_thrown(thrown: &Value) -> RpcError {
        // Wallets wrap errors: MetaMask puts the original error under data.originalError and uses a general code outside.
        let original = thrown.get("data").get("originalError");
        let code = match (code_of(thrown), code_of(original)) {
            (Some(INTERNAL) | None, Some(inner)) => inner,
            (Some(outer), _) => outer,
            (None, None) => DEFAULT_CODE,
        };
        let message = match thrown {
            Value::Text(text) => text,
            other => other.get("message").as_str().unwrap_or_default(),
        };
        RpcError::new(code, message)
    }

    /// Whether a call was reverted. Nodes signal it with code 3 (EIP-1474 has none for it), with -32015 (OpenEthereum and its successors),
    /// or with the general -32000 and a message.
    pub fn is_revert(&self) -> bool {
        let worded = self.code == -32000 && self.message.starts_with("execution reverted");
        self.kind == RpcErrorKind::Reverted || self.code == -32015 || worded
    }

    /// Error for a response that violates the standard.
    pub fn nonsense(what: &str) -> RpcError {
        RpcError::new(INTERNAL, what)
    }
}

fn code_of(value: &Value) -> Option<i64> {
    match value.get("code") {
        Value::Number(text) | Value::Text(text) => text.parse().ok(),
        _ => None,
    }
}

fn kind(code: i64) -> RpcErrorKind {
    use RpcErrorKind::*;
    match code {
        4001 => UserRejected,
        4100 => Unauthorized,
        4200 => UnsupportedMethod,
        4900 => Disconnected,
        4901 => ChainDisconnected,
        4902 => UnrecognizedChain,
        -32700 => Parse,
        -32600 => InvalidRequest,
        -32601 => MethodNotFound,
        -32602 => InvalidParams,
        -32603 => Internal,
        32603 => InvalidChainId,
        -32000 => InvalidInput,
        -32001 => ResourceNotFound,
        -32002 => ResourceUnavailable,
        -32003 => TransactionRejected,
        -32004 => MethodNotSupported,
        -32005 => LimitExceeded,
        -32006 => VersionNotSupported,
        3 => Reverted,
        _ => Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    fn thrown(text: &str) -> (i64, RpcErrorKind) {
        let error = RpcError::from_thrown(&parse(text).unwrap());
        (error.code, error.kind)
    }

    #[test]
    fn what_turns_letters_around_or_steers_a_screen_is_left_out_of_a_message() {
        let error = RpcError::new(-32000, "pay\u{202e}1.5\u{2066} ETH\u{1b}[2J\u{0}\nor not");
        assert_eq!(error.message, "pay1.5 ETH[2J\nor not");
    }

    #[test]
    fn spec_8_51_codes_are_4902_for_an_unrecognized_chain_5000_by_default_and_32603_for_an_invalid_chain_id() {
        assert_eq!(thrown(r#"{"code":4902}"#), (4902, RpcErrorKind::UnrecognizedChain));
        assert_eq!(thrown(r#"{"code":32603}"#), (32603, RpcErrorKind::InvalidChainId));
        for text in [r#"{"message":"no code"}"#, "null", r#""text""#, "[]", r#"{"code":"x"}"#, r#"{"code":{}}"#] {
            assert_eq!(thrown(text), (5000, RpcErrorKind::Unknown), "{text}");
        }
    }

    #[test]
    fn spec_8_52_every_standard_code_has_a_type_of_its_own() {
        let codes = [
            4001, 4100, 4200, 4900, 4901, 4902, -32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32003,
            -32004, -32005, -32006, 3,
        ];
        let mut kinds: Vec<_> = codes.iter().map(|code| kind(*code).word()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), codes.len());
        assert!(!kinds.contains(&"unknown"));
    }

    #[test]
    fn an_unrecognized_chain_is_found_inside_the_wrapping_of_a_general_error() {
        assert_eq!(
            thrown(r#"{"code":-32603,"data":{"originalError":{"code":4902}}}"#),
            (4902, RpcErrorKind::UnrecognizedChain)
        );
        assert_eq!(
            thrown(r#"{"code":4001,"data":{"originalError":{"code":4902}}}"#),
            (4001, RpcErrorKind::UserRejected)
        );
    }

    #[test]
    fn a_revert_is_known_by_its_code_or_by_its_words() {
        for (code, message, expected) in [
            (3, "", true),
            (-32015, "VM execution error.", true),
            (-32000, "execution reverted: no", true),
            (-32000, "insufficient funds for gas * price + value", false),
            (-32000, "not execution reverted", false),
            (-32005, "execution reverted", false),
        ] {
            assert_eq!(RpcError::new(code, message).is_revert(), expected, "{code} {message}");
        }
    }

    #[test]
    fn a_message_of_a_megabyte_is_cut() {
        assert_eq!(RpcError::new(1, &"x".repeat(1_000_000)).message.len(), 300);
    }
}
