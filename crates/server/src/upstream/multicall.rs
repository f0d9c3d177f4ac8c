//! Asking many contracts of a chain at once (<https://www.multicall3.com>).

use super::Fault;
use crate::AppState;
use crate::config::Chain;
use crate::rpc::inside::{self, CallFailed};
use alloy_primitives::{Address, Bytes};
use alloy_sol_types::{SolCall, sol};
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};

sol! {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }
    struct Outcome {
        bool success;
        bytes returnData;
    }
    function aggregate3(Call3[] calldata calls) external payable returns (Outcome[] memory returnData);
}

/// Few enough to stay below the gas that nodes allow a call, even where each token is a proxy.
const AT_ONCE: usize = 150;

/// So many of those are on their way together.
const TOGETHER: usize = 4;

/// A read of a contract.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) to: Address,
    pub(super) data: Vec<u8>,
}

/// What each call returned, in their order; nothing for one that reverted. The chain as a whole may not answer.
pub(super) async fn ask(state: &AppState, chain: &Chain, calls: &[Call]) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    let asked: Vec<_> = calls.chunks(AT_ONCE).map(|chunk| ask_chunk(state, chain, chunk)).collect();
    let chunks: Vec<_> = stream::iter(asked).buffered(TOGETHER).collect().await;
    let mut all = Vec::with_capacity(calls.len());
    for chunk in chunks {
        all.extend(chunk?);
    }
    Ok(all)
}

async fn ask_chunk(state: &AppState, chain: &Chain, calls: &[Call]) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    let target = |call: &Call| Call3 { target: call.to, allowFailure: true, callData: Bytes::from(call.data.clone()) };
    let data = aggregate3Call { calls: calls.iter().map(target).collect() }.abi_encode();
    let answer = inside::call(state, &chain.id, "eth_call", &call_of(&chain.assets.multicall, &data)).await;
    let outcomes = match answer {
        Ok(result) => bytes_of(&result).and_then(|bytes| aggregate3Call::abi_decode_returns(&bytes).ok()),
        // A token that burns all the gas takes its neighbours with it.
        Err(CallFailed::Refused { .. }) => None,
        Err(_) => return Err(Fault::Unreachable),
    };
    match outcomes.filter(|outcomes| outcomes.len() == calls.len()) {
        Some(outcomes) => {
            Ok(outcomes.into_iter().map(|outcome| outcome.success.then(|| outcome.returnData.to_vec())).collect())
        }
        None => one_by_one(state, chain, calls).await,
    }
}

/// Where there is no such contract, or one call spoils all: in a batch of calls.
async fn one_by_one(state: &AppState, chain: &Chain, calls: &[Call]) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    let each = calls.iter().map(|call| ("eth_call", call_of(&call.to.to_string(), &call.data))).collect();
    let read = |answer| match answer {
        Ok(result) => Ok(bytes_of(&result)),
        Err(CallFailed::Refused { .. }) => Ok(None),
        Err(_) => Err(Fault::Unreachable),
    };
    inside::call_many(state, &chain.id, each).await.into_iter().map(read).collect()
}

fn call_of(to: &str, data: &[u8]) -> Value {
    json!([{ "to": to, "data": alloy_primitives::hex::encode_prefixed(data) }, "latest"])
}

fn bytes_of(result: &Value) -> Option<Vec<u8>> {
    alloy_primitives::hex::decode(result.as_str()?.strip_prefix("0x")?).ok()
}
