//! Asking many contracts of a chain at once (<https://www.multicall3.com>).

use super::Fault;
use crate::AppState;
use crate::config::Chain;
use crate::rpc::inside::{self, CallFailed};
use alloy_primitives::{Address, Bytes};
use alloy_sol_types::{SolCall, sol};
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

/// So much call data one call of the multicall carries (spec 9.16).
const CHUNK: usize = 1024;

/// More calls than this are not asked one by one: whoever can make one of them spoil all of its chunk would have us ask for each.
const MOST_ALONE: usize = 64;

/// A read of a contract.
#[derive(Clone, Debug)]
pub(crate) struct ContractRead {
    pub(crate) to: Address,
    pub(crate) data: Vec<u8>,
}

/// What each call returned, in their order; nothing for one that reverted. The chain as a whole may not answer.
///
/// All calls of the multicall travel in one request. Where there is no such contract, or one token spoils all of its chunk, the calls of that
/// chunk are asked one by one, again in one request.
pub(super) async fn ask(
    state: &AppState,
    chain: &Chain,
    calls: &[ContractRead],
) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    ask_in(state, chain, chunks(calls), usize::MAX).await
}

/// The same of calls that belong together: in one call of the multicall, however many they are, so that all see one block. Where that gives
/// nothing and they are more than [`MOST_ALONE`], they make no sense.
pub(crate) async fn ask_together(
    state: &AppState,
    chain: &Chain,
    calls: &[ContractRead],
) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    ask_in(state, chain, if calls.is_empty() { Vec::new() } else { vec![calls] }, MOST_ALONE).await
}

async fn ask_in(
    state: &AppState,
    chain: &Chain,
    chunks: Vec<&[ContractRead]>,
    most_alone: usize,
) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    let each = chunks.iter().map(|chunk| ("eth_call", call_of(&chain.assets.multicall, &aggregated(chunk)))).collect();
    let mut answers = Vec::with_capacity(chunks.len());
    for (chunk, answer) in chunks.iter().zip(inside::call_many(state, &chain.id, each).await) {
        answers.push(match answer {
            Ok(result) => outcomes(&result, chunk.len()),
            // A token that burns all the gas takes its neighbours with it.
            Err(CallFailed::Refused { .. }) => None,
            Err(_) => return Err(Fault::Unreachable),
        });
    }
    let missing = chunks.iter().zip(&answers).filter(|(_, answer)| answer.is_none());
    let missing: Vec<&ContractRead> = missing.flat_map(|(chunk, _)| chunk.iter()).collect();
    if missing.len() > most_alone {
        return Err(Fault::Nonsense);
    }
    let mut missing = one_by_one(state, chain, &missing).await?.into_iter();
    let answers = chunks.iter().zip(answers);
    Ok(answers
        .flat_map(|(chunk, answer)| answer.unwrap_or_else(|| missing.by_ref().take(chunk.len()).collect()))
        .collect())
}

/// The calls in parts of at most [`CHUNK`] bytes of call data, or of one call that alone has more.
fn chunks(calls: &[ContractRead]) -> Vec<&[ContractRead]> {
    let mut chunks = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (place, call) in calls.iter().enumerate() {
        if place > start && bytes + call.data.len() > CHUNK {
            chunks.push(&calls[start..place]);
            (start, bytes) = (place, 0);
        }
        bytes += call.data.len();
    }
    if start < calls.len() {
        chunks.push(&calls[start..]);
    }
    chunks
}

fn aggregated(calls: &[ContractRead]) -> Vec<u8> {
    let target =
        |call: &ContractRead| Call3 { target: call.to, allowFailure: true, callData: Bytes::from(call.data.clone()) };
    aggregate3Call { calls: calls.iter().map(target).collect() }.abi_encode()
}

/// What each of so many calls returned; nothing where the answer is not that of a multicall.
fn outcomes(result: &Value, count: usize) -> Option<Vec<Option<Vec<u8>>>> {
    let outcomes = aggregate3Call::abi_decode_returns(&bytes_of(result)?).ok()?;
    let returned = |outcome: Outcome| outcome.success.then(|| outcome.returnData.to_vec());
    (outcomes.len() == count).then(|| outcomes.into_iter().map(returned).collect())
}

async fn one_by_one(state: &AppState, chain: &Chain, calls: &[&ContractRead]) -> Result<Vec<Option<Vec<u8>>>, Fault> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_9_16_a_chunk_has_at_most_1024_bytes_of_call_data() {
        let call = |bytes: usize| ContractRead { to: Address::ZERO, data: vec![0; bytes] };
        let sizes = |calls: &[ContractRead]| chunks(calls).iter().map(|chunk| chunk.len()).collect::<Vec<_>>();
        assert_eq!(sizes(&[]), [0; 0]);
        // `balanceOf` has 36 bytes, so 28 of them are 1008.
        assert_eq!(sizes(&vec![call(36); 150]), [28, 28, 28, 28, 28, 10]);
        assert_eq!(sizes(&[call(1000), call(24), call(1), call(5000), call(1)]), [2, 1, 1, 1]);
    }
}
