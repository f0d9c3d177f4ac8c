use super::RpcError;
use portico_json::Value;

/// Extracts the result of a JSON-RPC 2.0 response, or its error.
pub fn result_of(answer: &Value) -> Result<&Value, RpcError> {
    let error = answer.get("error");
    if !error.is_null() {
        return Err(RpcError::from_thrown(error));
    }
    match answer.as_object() {
        Some(fields) if fields.iter().any(|(name, _)| name == "result") => Ok(answer.get("result")),
        _ => Err(RpcError::nonsense("The node's answer isn't JSON-RPC")),
    }
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits + 2 && text.starts_with("0x") && text[2..].bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a text is a transaction hash: `0x` and 64 hex digits.
pub fn is_transaction_hash(text: &str) -> bool {
    text.is_ascii() && is_hex(text, 64)
}

/// Whether a text is a signature: `0x` and at least 62 hex digits, but not the 64 of a transaction hash (spec 5.32).
pub fn is_signature(text: &str) -> bool {
    text.is_ascii() && text.len() >= 64 && is_hex(text, text.len() - 2) && !is_transaction_hash(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::RpcErrorKind;
    use portico_json::parse;

    #[test]
    fn an_answer_is_a_result_an_error_or_nonsense() {
        assert_eq!(result_of(&parse(r#"{"jsonrpc":"2.0","id":1,"result":null}"#).unwrap()), Ok(&Value::Null));
        let error =
            result_of(&parse(r#"{"id":1,"error":{"code":-32005,"message":"slow down"}}"#).unwrap()).unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (RpcErrorKind::LimitExceeded, "slow down"));
        for text in ["{}", "[]", "null", "1", r#"{"id":1}"#] {
            assert_eq!(result_of(&parse(text).unwrap()).unwrap_err().kind, RpcErrorKind::Internal, "{text}");
        }
    }

    #[test]
    fn spec_5_32_a_signature_is_0x_and_at_least_62_hex_digits_and_64_are_a_transaction_hash() {
        let digits = |count: usize| format!("0x{}", "a".repeat(count));
        for (count, signature) in
            [(0, false), (61, false), (62, true), (63, true), (64, false), (65, true), (130, true), (4_000, true)]
        {
            assert_eq!((is_signature(&digits(count)), is_transaction_hash(&digits(count))), (signature, count == 64));
        }
        for text in ["", &"a".repeat(132), &format!("0x{}", "g".repeat(130)), &format!("0x{}", "é".repeat(65))] {
            assert!(!is_signature(text), "{text}");
        }
    }

    #[test]
    fn a_transaction_hash_is_0x_and_64_hex_digits() {
        assert!(is_transaction_hash(&format!("0x{}", "aB".repeat(32))));
        for text in ["", "0x", &"a".repeat(66), &format!("0x{}", "é".repeat(32))] {
            assert!(!is_transaction_hash(text), "{text}");
        }
    }
}
