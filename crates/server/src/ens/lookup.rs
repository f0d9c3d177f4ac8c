//! Contract calls that follow EIP-3668 lookups to gateways.

use super::abi::{HttpError, OffchainLookup, Query, reverted};
use super::gateway;
use crate::AppState;
use crate::rpc::inside::{CallFailed, call};
use alloy_primitives::{Address, Bytes, hex};
use alloy_sol_types::{SolError, SolValue};
use portico_terms::ChainId;
use serde_json::{Value, json};

/// Maximum number of nested lookups (EIP-3668 asks for at least four).
const HOPS: usize = 4;

/// Maximum length of revert data, in bytes.
const LONGEST: usize = 1024 * 1024;

/// JSON-RPC error code of a reverted call.
const REVERTED: i64 = 3;

/// Reason why a name cannot be looked up now. A missing name or record is not a failure.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum LookupFailed {
    /// No node responds with a usable result.
    #[error("The chain of names isn't responding. Try again.")]
    Node,
    /// A gateway of the name does not respond.
    #[error("The name's gateway isn't responding. Try again.")]
    Gateway,
    /// The host of a token's metadata does not respond.
    #[error("Couldn't load the NFT's details. Try again.")]
    Metadata,
    /// The Universal Resolver is not deployed on the chain.
    #[error("The chain of names has no contract that resolves names")]
    NoResolver,
    /// The time limit was exceeded.
    #[error("Looking up the name took too long. Try again.")]
    Late,
    /// The lookup waited for others that this server makes.
    #[error("Too many addresses are being fetched. Try again in a few seconds.")]
    Busy,
}

/// Result of a contract call.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum CallOutcome {
    /// Return data.
    Returned(Vec<u8>),
    /// Revert data.
    Reverted(Vec<u8>),
}

/// Calls a contract and follows its lookups to gateways.
pub(super) async fn follow(
    state: &AppState,
    chain: &ChainId,
    to: Address,
    mut data: Vec<u8>,
) -> Result<CallOutcome, LookupFailed> {
    for _ in 0..=HOPS {
        let revert = match ask(state, chain, to, &data).await? {
            CallOutcome::Reverted(revert) if revert.starts_with(&OffchainLookup::SELECTOR) => revert,
            said => return Ok(said),
        };
        // EIP-3668: a lookup passed on from another contract must not be followed, its response would reach the wrong one.
        let Some(lookup) = reverted::<OffchainLookup>(&revert).filter(|lookup| lookup.sender == to) else {
            return Ok(CallOutcome::Reverted(Vec::new()));
        };
        let question = Query { sender: lookup.sender, urls: lookup.urls, data: lookup.callData };
        let answer = match gateway::ask(state, &question).await {
            Ok(answer) => Bytes::from(answer),
            Err(error) => return Ok(CallOutcome::Reverted(error.abi_encode())),
        };
        data = lookup.callbackFunction.to_vec();
        data.extend((answer, lookup.extraData).abi_encode_params());
    }
    Ok(CallOutcome::Reverted(Vec::new()))
}

/// Meaning of a revert: `Ok` if there is no record, an error if that is unknown because a gateway failed or has too many requests.
pub(super) fn nothing(revert: &[u8]) -> Result<(), LookupFailed> {
    match reverted::<HttpError>(revert) {
        Some(error) if error.status == 429 || error.status >= 500 => Err(LookupFailed::Gateway),
        _ => Ok(()),
    }
}

pub(super) async fn ask(
    state: &AppState,
    chain: &ChainId,
    to: Address,
    data: &[u8],
) -> Result<CallOutcome, LookupFailed> {
    let params = json!([{ "to": to.to_string(), "data": hex::encode_prefixed(data) }, "latest"]);
    let data = match call(state, chain, "eth_call", &params).await {
        Ok(result) => return bytes(&result).map(CallOutcome::Returned).ok_or(LookupFailed::Node),
        Err(CallFailed::Refused { code, message, data }) => {
            let data = bytes(&data);
            // An overloaded node also refuses; that says nothing about the contract.
            if data.is_none() && code != REVERTED && !message.contains("revert") {
                tracing::warn!(%chain, code, "a node refuses to call a contract");
                return Err(LookupFailed::Node);
            }
            data.unwrap_or_default()
        }
        Err(CallFailed::NotServed(_) | CallFailed::NoResult(_)) => return Err(LookupFailed::Node),
    };
    Ok(CallOutcome::Reverted(data))
}

/// Some nodes wrap revert data in an object, or in a text.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    let value = value.get("data").unwrap_or(value);
    let text = value.as_str()?;
    let digits = text.strip_prefix("Reverted ").unwrap_or(text).strip_prefix("0x")?;
    if digits.len() > 2 * LONGEST { None } else { hex::decode(digits).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_of_a_revert_is_found_as_each_kind_of_node_tells_it() {
        for value in [json!("0x0a0b"), json!("Reverted 0x0a0b"), json!({ "data": "0x0a0b" })] {
            assert_eq!(bytes(&value), Some(vec![10, 11]), "{value}");
        }
        for value in [Value::Null, json!(1), json!("0a0b"), json!("0x0"), json!("0xzz"), json!(["0x00"]), json!({})] {
            assert_eq!(bytes(&value), None, "{value}");
        }
        assert_eq!(bytes(&json!(format!("0x{}", "00".repeat(LONGEST + 1)))), None);
    }

    #[test]
    fn a_refusal_says_that_nothing_is_there_unless_a_gateway_is_out_of_order() {
        let of_status = |status| nothing(&HttpError { status, message: String::new() }.abi_encode());
        assert_eq!((of_status(0), of_status(404), of_status(499)), (Ok(()), Ok(()), Ok(())));
        assert_eq!([429, 500, 503].map(of_status), [Err(LookupFailed::Gateway); 3]);
        assert_eq!((nothing(&[]), nothing(&[1, 2, 3, 4, 5])), (Ok(()), Ok(())));
    }
}
