//! Atomic batches of calls (EIP-5792): requests to the wallet and its responses, in versions 1.0 and 2.0.0. Responses are untrusted until
//! parsed.

use portico_json::Value;
use portico_terms::Amount;
use portico_terms::rpc::{RpcError, RpcErrorKind, is_transaction_hash};

/// Maximum length of a batch id; the standard's own limit: 4,096 bytes in hex.
const LONGEST_NAME: usize = 8_194;

/// One call of a batch.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Call {
    /// Address of the contract.
    pub to: String,
    /// Calldata in hex.
    pub data: String,
    /// Value in wei.
    pub value: Amount,
}

impl Call {
    /// Fields of the call in a wallet request.
    pub fn fields(self) -> Vec<(String, Value)> {
        let text = |name: &str, value: String| (name.into(), Value::Text(value));
        vec![text("to", self.to), text("value", self.value.to_hex()), text("data", self.data)]
    }
}

/// Parameters of an atomic batch on the chain with this number.
pub fn order(chain: Amount, from: &str, calls: Vec<Call>) -> Value {
    Value::Object(vec![
        ("version".into(), "2.0.0".into()),
        // A wallet on another chain must refuse rather than send there.
        ("chainId".into(), Value::Text(chain.to_hex())),
        ("from".into(), from.into()),
        ("atomicRequired".into(), Value::Bool(true)),
        ("calls".into(), Value::List(calls.into_iter().map(|call| Value::Object(call.fields())).collect())),
    ])
}

/// Batch id in a wallet's response: a text, or since 2.0.0 a text in an object.
pub fn name_of(answer: &Value) -> Option<&str> {
    let name = answer.as_str().or_else(|| answer.get("id").as_str())?;
    is_name(name).then_some(name)
}

/// Whether a text can be a batch id.
pub fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len())
}

/// Converts a batch status to a transaction receipt, or null while pending. On a contradiction the batch has failed: its receipts count
/// more than its status.
pub fn receipt_of(answer: &Value, name: &str) -> Result<Value, RpcError> {
    let nonsense = || RpcError::nonsense("The wallet didn't say whether the calls worked");
    if !answer.get("id").is_null() && answer.get("id").as_str() != Some(name) {
        return Err(nonsense());
    }
    let mut receipts = answer.get("receipts").as_list().unwrap_or_default().iter();
    let well = match answer.get("status") {
        // Status words of version 1.0.
        Value::Text(word) if word == "PENDING" => return Ok(Value::Null),
        Value::Text(word) if word == "CONFIRMED" => true,
        // Status hundreds since 2.0.0: pending, done, not sent, reverted, partly reverted.
        status => match status.as_u64().map(|status| status / 100) {
            Some(1) => return Ok(Value::Null),
            Some(2) => true,
            Some(4..=6) => false,
            _ => return Err(nonsense()),
        },
    };
    let well = well && receipts.all(|receipt| receipt.get("status").as_str() == Some("0x1"));
    let text = |name: &str, value: &str| (name.into(), value.into());
    Ok(Value::Object(vec![text("transactionHash", name), text("status", if well { "0x1" } else { "0x0" })]))
}

/// Hash of the transaction in which an atomic batch was mined, as the wallet says; `None` if its receipts name none, or several.
pub fn transaction_of(answer: &Value) -> Option<&str> {
    let mut hashes = answer.get("receipts").as_list()?.iter().map(|receipt| receipt.get("transactionHash").as_str());
    let hash = hashes.next()?.filter(|hash| is_transaction_hash(hash))?;
    hashes.all(|other| other == Some(hash)).then_some(hash)
}

/// Whether an error means that the wallet cannot batch, or not these calls. Nothing was sent then, so the calls are requested one by one.
/// Beside the EIP-5792 errors 5700 to 5760, the wallet may not know the method or this version of its parameters.
pub fn is_unable(error: &RpcError) -> bool {
    use RpcErrorKind::{InvalidParams, MethodNotFound, MethodNotSupported, UnsupportedMethod};
    let unknown = matches!(error.kind, InvalidParams | MethodNotFound | MethodNotSupported | UnsupportedMethod);
    (5_700..=5_760).contains(&error.code) || unknown
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    fn state_of(answer: &str) -> Option<&'static str> {
        match receipt_of(&parse(answer).unwrap(), "0xab") {
            Ok(Value::Null) => Some("pending"),
            Ok(receipt) => Some(if receipt.get("status").as_str() == Some("0x1") { "done" } else { "failed" }),
            Err(_) => None,
        }
    }

    #[test]
    fn the_codes_of_2_0_0_and_the_words_of_1_0_say_what_became_of_calls() {
        for (answer, becomes) in [
            (r#"{"version":"2.0.0","id":"0xab","status":100,"atomic":true}"#, "pending"),
            (r#"{"version":"2.0.0","id":"0xab","status":200,"receipts":[{"status":"0x1"}]}"#, "done"),
            (r#"{"status":400}"#, "failed"),
            (r#"{"status":500,"receipts":[{"status":"0x0"}]}"#, "failed"),
            (r#"{"status":600,"receipts":[{"status":"0x1"},{"status":"0x0"}]}"#, "failed"),
            (r#"{"status":"PENDING"}"#, "pending"),
            (r#"{"status":"CONFIRMED","receipts":[{"status":"0x1"}]}"#, "done"),
            (r#"{"status":"CONFIRMED","receipts":[{"status":"0x0"}]}"#, "failed"),
            // A receipt counts more than the status.
            (r#"{"status":200,"receipts":[{"status":"0x1"},{"status":"0x0"}]}"#, "failed"),
            (r#"{"status":200,"receipts":[7]}"#, "failed"),
        ] {
            assert_eq!(state_of(answer), Some(becomes), "{answer}");
        }
    }

    #[test]
    fn the_transaction_of_calls_is_the_one_that_all_receipts_name() {
        let hash = |last: &str| format!("0x{}{last}", "0".repeat(63));
        let found = |receipts: &str| {
            transaction_of(&parse(&format!(r#"{{"receipts":{receipts}}}"#)).unwrap()).map(String::from)
        };
        let receipt = |last: &str| format!(r#"{{"status":"0x1","transactionHash":"{}"}}"#, hash(last));
        assert_eq!(found(&format!("[{}]", receipt("1"))), Some(hash("1")));
        assert_eq!(found(&format!("[{},{}]", receipt("1"), receipt("1"))), Some(hash("1")));
        let two = format!("[{},{}]", receipt("1"), receipt("2"));
        for nonsense in ["null", "[]", "[7]", r#"[{"transactionHash":"0x1"}]"#, r#"[{"status":"0x1"}]"#, &two] {
            assert_eq!(found(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn nonsense_says_nothing_of_calls() {
        for answer in [
            "null",
            "[]",
            "200",
            r#""CONFIRMED""#,
            "{}",
            r#"{"status":0}"#,
            r#"{"status":300}"#,
            r#"{"status":-200}"#,
            r#"{"status":"200"}"#,
            r#"{"status":700}"#,
            r#"{"id":"0xcd","status":200}"#,
            r#"{"id":7,"status":200}"#,
        ] {
            assert_eq!(state_of(answer), None, "{answer}");
        }
    }

    #[test]
    fn the_name_of_calls_is_a_text_or_in_an_object() {
        let name = |answer: &str| name_of(&parse(answer).unwrap()).map(String::from);
        assert_eq!(name(r#""0xab""#).as_deref(), Some("0xab"));
        assert_eq!(name(r#"{"id":"0xab","capabilities":{}}"#).as_deref(), Some("0xab"));
        let long = format!("\"{}\"", "a".repeat(8_195));
        for nonsense in ["null", "7", "\"\"", "{}", r#"{"id":7}"#, r#"["0xab"]"#, &long] {
            assert_eq!(name(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn the_errors_of_eip_5792_and_an_unknown_method_mean_one_after_the_other_and_a_refusal_does_not() {
        for code in [5700, 5710, 5720, 5730, 5740, 5750, 5760, 4200, -32601, -32602, -32004] {
            assert!(is_unable(&RpcError::new(code, "")), "{code}");
        }
        for code in [4001, 4100, 4900, 5000, 5699, 5761, -32000, -32003, -32603] {
            assert!(!is_unable(&RpcError::new(code, "")), "{code}");
        }
    }
}
