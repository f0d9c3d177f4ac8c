//! Answers of a node: parsed, bounded, and written as JSON-RPC results and errors.

use super::{EsploraCall, is_hash, stats, transaction};
use crate::rpc::answer::error;
use axum::http::StatusCode;
use serde::Deserialize;

/// Error codes of Bitcoin Core (`rpc/protocol.h`).
const MISC: i64 = -1;
const UNKNOWN_TRANSACTION: i64 = -5;
const INVALID_PARAMETER: i64 = -8;
const VERIFY: i64 = -25;

/// Maximum letters of a node's text that an error repeats.
const LONGEST: usize = 200;

/// Meaning of a node's answer, in JSON.
#[derive(Debug, Eq, PartialEq)]
pub(in crate::rpc) enum Said {
    Result(String),
    Error(String),
}

/// Answer that says nothing about the call.
#[derive(Debug, Eq, PartialEq)]
pub(in crate::rpc) enum Unread {
    /// Not what the interface says.
    Nonsense,
    /// A status that an Esplora does not answer this call with.
    Status,
}

impl EsploraCall {
    /// Reads an answer, none of a failing or limiting node.
    pub(in crate::rpc) fn answer(&self, status: StatusCode, body: &[u8]) -> Result<Said, Unread> {
        let text = std::str::from_utf8(body).map_err(|_| Unread::Nonsense)?.trim();
        if status == StatusCode::OK {
            return self.result(text).ok_or(Unread::Nonsense);
        }
        // Pages in HTML come from a proxy, or from a server that is no Esplora.
        if text.is_empty() || text.starts_with('<') {
            return Err(Unread::Status);
        }
        let (code, message) = match (self, status) {
            (EsploraCall::Send(_), _) if status.is_client_error() => refused(text),
            (EsploraCall::BlockHash(_), StatusCode::NOT_FOUND) if text == "Block not found" => {
                (INVALID_PARAMETER, "Block height out of range".into())
            }
            (
                EsploraCall::RawTransaction(_) | EsploraCall::Transaction(_) | EsploraCall::Spending(..),
                StatusCode::NOT_FOUND,
            ) if text == "Transaction not found" || text.starts_with("No such mempool") => {
                (UNKNOWN_TRANSACTION, "No such mempool or blockchain transaction".into())
            }
            // Such as an address with too many outputs.
            (_, StatusCode::BAD_REQUEST) => (MISC, plain(text)),
            _ => return Err(Unread::Status),
        };
        Ok(Said::Error(error(code, &message)))
    }

    fn result(&self, text: &str) -> Option<Said> {
        let result = match self {
            EsploraCall::BlockCount => height(text)?.to_string(),
            EsploraCall::BlockHash(_) => is_hash(text).then(|| format!("\"{text}\""))?,
            EsploraCall::RawTransaction(id) => transaction::raw(id, text)?,
            EsploraCall::Transaction(id) => transaction::place(id, text)?,
            EsploraCall::Spending(id, output) => transaction::spending(id, *output, text)?,
            EsploraCall::Utxos(_) => stats::utxos(text)?,
            EsploraCall::Balance(address) => stats::balance(address, text)?,
            EsploraCall::History(..) => transaction::history(text)?,
            EsploraCall::Fee(blocks) => match stats::fee(*blocks, text)? {
                Some(fee) => fee,
                None => return Some(Said::Error(error(MISC, "Insufficient data or no feerate found"))),
            },
            EsploraCall::Send(raw) => transaction::sent(raw, text)?,
        };
        Some(Said::Result(result))
    }
}

/// Number of a block.
fn height(text: &str) -> Option<u32> {
    // `parse` would take a `+`.
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Code and message of the node behind the Esplora, which its text quotes: `sendrawtransaction RPC error: {"code":-26,"message":"…"}`.
fn refused(text: &str) -> (i64, String) {
    #[derive(Deserialize)]
    struct Quoted {
        code: i64,
        message: String,
    }
    let quoted = text.find('{').and_then(|start| {
        let mut objects = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Quoted>();
        objects.next()?.ok()
    });
    match quoted {
        Some(Quoted { code, message }) => (code, plain(&message)),
        None => (VERIFY, plain(text)),
    }
}

/// Text of a node that can be shown: short, and in one line.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn said(call: &EsploraCall, status: u16, text: &str) -> Result<Value, Unread> {
        let (Said::Result(said) | Said::Error(said)) =
            call.answer(StatusCode::from_u16(status).unwrap(), text.as_bytes())?;
        Ok(serde_json::from_str(&said).unwrap())
    }

    #[test]
    fn the_words_of_bitcoin_core_are_found_in_those_of_the_esplora() {
        let send = EsploraCall::Send("00".into());
        let quoted = |code: i64, message: &str| {
            format!("sendrawtransaction RPC error: {}", json!({"code": code, "message": message}))
        };
        for (text, code, message) in [
            (quoted(-26, "min relay fee not met"), -26, "min relay fee not met"),
            (quoted(-27, "Transaction already in block chain"), -27, "Transaction already in block chain"),
            (quoted(-25, "a\nb"), -25, "ab"),
            (quoted(-26, "no") + " and more", -26, "no"),
            (
                "sendrawtransaction RPC error: txn-already-known".into(),
                -25,
                "sendrawtransaction RPC error: txn-already-known",
            ),
            (r#"{"code":1e99,"message":"x"}"#.into(), -25, r#"{"code":1e99,"message":"x"}"#),
            (r#"{"code":"-26","message":"x"}"#.into(), -25, r#"{"code":"-26","message":"x"}"#),
            ("{".into(), -25, "{"),
        ] {
            assert_eq!(said(&send, 400, &text), Ok(json!({"code": code, "message": message})));
        }
        let long = said(&send, 400, &"é".repeat(5_000)).unwrap();
        assert_eq!(long["message"], "é".repeat(200));
        let long = said(&send, 413, &quoted(-26, &"x".repeat(5_000))).unwrap();
        assert_eq!(long["message"], "x".repeat(200));
    }

    #[test]
    fn a_page_or_another_status_is_no_answer() {
        let id = "ab".repeat(32);
        let all = [
            EsploraCall::BlockCount,
            EsploraCall::BlockHash(1),
            EsploraCall::Transaction(id.as_str().into()),
            EsploraCall::Send("00".into()),
        ];
        for call in all {
            assert_eq!(said(&call, 404, "<html>404 Not Found</html>"), Err(Unread::Status), "{call:?}");
            assert_eq!(said(&call, 302, "moved"), Err(Unread::Status), "{call:?}");
            assert_eq!(said(&call, 404, ""), Err(Unread::Status), "{call:?}");
            assert_eq!(said(&call, 200, "<html>"), Err(Unread::Nonsense), "{call:?}");
        }
        for call in [EsploraCall::BlockCount, EsploraCall::Fee(1), EsploraCall::Balance("1".into())] {
            assert_eq!(said(&call, 404, "Transaction not found"), Err(Unread::Status), "{call:?}");
        }
        assert_eq!(EsploraCall::BlockCount.answer(StatusCode::OK, &[0xff]), Err(Unread::Nonsense));
    }

    #[test]
    fn a_height_is_a_number_that_a_chain_can_have() {
        assert_eq!(said(&EsploraCall::BlockCount, 200, "900000\n"), Ok(json!(900_000)));
        for text in ["", "+1", "-1", "1.5", "1e3", "4294967296", "99999999999999999999", "\"1\"", "null", "0x10"] {
            assert_eq!(said(&EsploraCall::BlockCount, 200, text), Err(Unread::Nonsense), "{text}");
        }
    }
}
