//! Calls to many contracts of a chain at once through Multicall3 (<https://www.multicall3.com>).

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

/// Maximum calldata of one multicall, in bytes (spec 9.16).
const CHUNK: usize = 1024;

/// Maximum number of calls that [`ask_together`] retries one by one. Otherwise a call that makes its whole chunk fail could force a request
/// for each.
const MOST_ALONE: usize = 64;

/// Read-only call of a contract.
#[derive(Clone, Debug)]
pub(crate) struct ContractRead {
    pub(crate) to: Address,
    pub(crate) data: Vec<u8>,
}

/// Return data of each call, in order; `None` for a call that reverted. An error means that the chain did not respond.
///
/// All multicalls travel in one batch. If the chain has no such contract, or one call makes its whole chunk fail, the calls of that chunk
/// are retried one by one, again in one batch.
pub(super) async fn ask(
    state: &AppState,
    chain: &Chain,
    calls: &[ContractRead],
) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    ask_in(state, chain, chunks(calls), usize::MAX).await
}

/// Like [`ask`], but in a single multicall, however many calls there are, so that all see the same block. If it fails with more than
/// [`MOST_ALONE`] calls, the result is `Fault::Nonsense`.
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
            // One call that burns all the gas makes the whole chunk fail.
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

/// Splits calls into chunks of at most [`CHUNK`] bytes of calldata, or of one call that alone has more.
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

/// Decodes the results of `count` calls; `None` where the response is not that of a multicall.
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
        // The calldata of `balanceOf` has 36 bytes, so 28 calls have 1008.
        assert_eq!(sizes(&vec![call(36); 150]), [28, 28, 28, 28, 28, 10]);
        assert_eq!(sizes(&[call(1000), call(24), call(1), call(5000), call(1)]), [2, 1, 1, 1]);
    }
}
