//! Parameters and events of `signatureSubscribe`: <https://solana.com/docs/rpc/websocket/signaturesubscribe>.

use crate::rpc::question::object;
use crate::rpc::refusal::is_too_deep;
use portico_encoding::base58;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Size limit of a node's message, in bytes. An event has a slot and an error of a few words.
pub(super) const MESSAGE_LIMIT: usize = 64 * 1024;

/// Size limit of the error in an event, in bytes.
const ERROR_LIMIT: usize = 4 * 1024;

/// Length of a signature in bytes, and the most letters that Base58 writes it with.
const BYTES: usize = 64;
const LETTERS: usize = 88;

const COMMITMENTS: [&str; 3] = ["processed", "confirmed", "finalized"];

/// Commitment of a subscription that names none.
const DEFAULT: &str = "finalized";

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options<'a> {
    #[serde(borrow)]
    commitment: Option<Cow<'a, str>>,
    enable_received_notification: Option<bool>,
}

/// Signature and commitment as normalized JSON; or a sentence about what is wrong.
pub(super) fn params(params: Option<&RawValue>) -> Result<String, &'static str> {
    const FORM: &str = "Subscribe with a signature in Base58 and an object with a commitment";
    let list: Vec<&RawValue> = params.and_then(|params| serde_json::from_str(params.get()).ok()).ok_or(FORM)?;
    let (signature, options) = match list[..] {
        [signature] => (signature, None),
        [signature, options] => (signature, Some(options.get()).filter(|options| *options != "null")),
        _ => return Err(FORM),
    };
    let signature: Cow<'_, str> = serde_json::from_str(signature.get()).map_err(|_| FORM)?;
    if base58::decode_within(&signature, LETTERS).is_none_or(|bytes| bytes.len() != BYTES) {
        return Err("Use a signature of 64 bytes in Base58");
    }
    let options: Options<'_> = options.map_or(Some(Options::default()), object).ok_or(FORM)?;
    if options.enable_received_notification == Some(true) {
        return Err("Leave out enableReceivedNotification. Only the end of a transaction is notified here.");
    }
    let commitment = options.commitment.as_deref().unwrap_or(DEFAULT);
    if !COMMITMENTS.contains(&commitment) {
        return Err("Use processed, confirmed or finalized as commitment");
    }
    Ok(format!(r#"["{signature}",{{"commitment":"{commitment}"}}]"#))
}

/// Event of a signature that reached its commitment, with nothing but the slot and the error of the transaction.
pub(super) fn content(result: &RawValue) -> Option<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Told<'a> {
        #[serde(borrow)]
        context: &'a RawValue,
        #[serde(borrow)]
        value: &'a RawValue,
    }
    #[derive(Deserialize)]
    struct Context {
        slot: u64,
    }
    #[derive(Deserialize)]
    struct Outcome<'a> {
        // Required: without it, a transaction would count as successful.
        #[serde(borrow)]
        err: &'a RawValue,
    }
    let told: Told<'_> = object(result.get())?;
    let Context { slot } = object(told.context.get())?;
    let Outcome { err } = object(told.value.get())?;
    if err.get().len() > ERROR_LIMIT || is_too_deep(err.get()) {
        return None;
    }
    let err: Value = serde_json::from_str(err.get()).ok()?;
    // `TransactionError` is written as a text or as an object with one key.
    let is_error = err.is_null() || err.is_string() || err.is_object();
    let text = format!(r#"{{"context":{{"slot":{slot}}},"value":{{"err":{err}}}}}"#);
    is_error.then(|| RawValue::from_string(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNATURE: &str = "2EBVM6cB8vAAD93Ktr6Vd8p67XPbQzCJX47MpReuiCXJAtcjaxpvWpcg9Ege1Nr5Tk3a2GFrByT7WPBjdsTycY9b";

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.into()).unwrap()
    }

    #[test]
    fn equal_subscriptions_have_equal_parameters_and_finalized_is_the_default() {
        let finalized = format!(r#"["{SIGNATURE}",{{"commitment":"finalized"}}]"#);
        for options in ["", ",null", ",{}", r#", {"commitment" : "finalized"}"#, r#",{"commitment":null,"x":[1]}"#] {
            assert_eq!(params(Some(&raw(&format!("[\"{SIGNATURE}\"{options}]")))).as_ref(), Ok(&finalized));
        }
        let confirmed = r#"{"enableReceivedNotification":false,"commitment":"confirmed"}"#;
        assert_eq!(
            params(Some(&raw(&format!("[\"{SIGNATURE}\",{confirmed}]")))),
            Ok(format!(r#"["{SIGNATURE}",{{"commitment":"confirmed"}}]"#))
        );
    }

    #[test]
    fn parameters_of_another_form_are_refused() {
        assert!(params(None).is_err());
        let short = &SIGNATURE[..80];
        for list in ["null", "[]", "{}", "[1]", "[null]", r#"["0x12"]"#, r#"[""]"#, &format!("[\"{short}\"]")] {
            assert!(params(Some(&raw(list))).is_err(), "{list}");
        }
        for options in [
            "[]",
            "1",
            r#""confirmed""#,
            r#"{"commitment":"recent"}"#,
            r#"{"commitment":1}"#,
            r#"{"enableReceivedNotification":true}"#,
            "{},1",
        ] {
            assert!(params(Some(&raw(&format!("[\"{SIGNATURE}\",{options}]")))).is_err(), "{options}");
        }
    }

    #[test]
    fn an_event_keeps_its_slot_and_its_error_alone() {
        for (told, kept) in [
            (r#"{"context":{"slot":5},"value":{"err":null}}"#, r#"{"context":{"slot":5},"value":{"err":null}}"#),
            (
                r#"{"value": {"err": {"InstructionError": [0, {"Custom": 1}]}, "b": 1}, "context": {"apiVersion": "4", "slot": 7}, "a": 1}"#,
                r#"{"context":{"slot":7},"value":{"err":{"InstructionError":[0,{"Custom":1}]}}}"#,
            ),
            (
                r#"{"context":{"slot":18446744073709551615},"value":{"err":"AccountInUse"}}"#,
                r#"{"context":{"slot":18446744073709551615},"value":{"err":"AccountInUse"}}"#,
            ),
        ] {
            assert_eq!(content(&raw(told)).map(|content| content.get().to_owned()).as_deref(), Some(kept));
        }
    }

    #[test]
    fn an_event_without_a_slot_or_an_outcome_is_none() {
        let long = format!(r#"{{"context":{{"slot":5}},"value":{{"err":"{}"}}}}"#, "x".repeat(ERROR_LIMIT));
        let deep =
            format!(r#"{{"context":{{"slot":5}},"value":{{"err":{{"a":{}{}}}}}}}"#, "[".repeat(99), "]".repeat(99));
        for told in [
            "null",
            r#""receivedSignature""#,
            r#"{"context":{"slot":5},"value":"receivedSignature"}"#,
            r#"{"context":{"slot":5},"value":{}}"#,
            r#"{"context":{"slot":5},"value":null}"#,
            r#"{"context":{"slot":5},"value":{"err":false}}"#,
            r#"{"context":{"slot":5},"value":{"err":[]}}"#,
            r#"{"context":{"slot":-1},"value":{"err":null}}"#,
            r#"{"context":{"slot":18446744073709551616},"value":{"err":null}}"#,
            r#"{"context":{},"value":{"err":null}}"#,
            r#"{"value":{"err":null}}"#,
            r#"[{"slot":5},{"err":null}]"#,
            &long,
            &deep,
        ] {
            assert!(content(&raw(told)).is_none(), "{told}");
        }
    }
}
