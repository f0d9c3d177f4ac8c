//! Simulation of a swap, once before the user pays for an approval and again as it was built: approval and swap in one `eth_call`.
//!
//! A state override of `eth_call` (as in geth) gives the user's account code that delegates to Multicall3, and enough of the native coin.
//! The account calls itself, so that payer, caller and sender are the user. Where nodes do not support overrides, or the user has less
//! of the token than is paid, the simulation is inconclusive, and only the check of the calldata remains.

use super::trade::{Built, Coin, Found, Order, Tolerance, Trade};
use super::{Fault, Provider};
use crate::AppState;
use crate::rpc::inside;
use alloy_primitives::{Address, U256, hex};
use alloy_sol_types::{SolCall, sol};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// Timeout of a simulation, because the quote that it delays is ready.
const LIMIT: Duration = Duration::from_secs(3);

sol! {
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }
    struct Outcome {
        bool success;
        bytes returnData;
    }
    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Outcome[] memory returnData);
    function getEthBalance(address addr) external view returns (uint256 balance);
    function balanceOf(address owner) external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
}

/// Returns the quote unless its simulation shows that it would fail.
pub(super) async fn offered(
    state: &AppState,
    provider: &dyn Provider,
    trade: &Trade,
    found: Found,
    tolerance: Tolerance,
) -> Result<Found, Fault> {
    let Some(user) = trade.user else { return Ok(found) };
    // With the lowest minimum, so that the received amount can be measured; the deadline never passes on any chain's clock.
    let (most, least, arrives) = match trade.exact_out {
        true => (tolerance.most(found.paid), trade.amount, trade.amount),
        false => (trade.amount, U256::from(1), tolerance.least(found.out)),
    };
    let order = Order { trade: trade.clone(), user, found, most, least, tolerance, deadline: u64::MAX };
    if let Some(swap) = provider.trial(&order) {
        tried(state, &order, &swap, arrives).await?;
    }
    Ok(order.found)
}

/// Simulates the exact transaction that will be signed; it must pay at least the promised minimum.
pub(super) async fn built(state: &AppState, order: &Order, swap: &Built) -> Result<(), Fault> {
    tried(state, order, swap, order.least).await
}

async fn tried(state: &AppState, order: &Order, swap: &Built, least: U256) -> Result<(), Fault> {
    let Some(asked) = question(order, swap) else { return Ok(()) };
    let said = timeout(LIMIT, inside::call(state, &order.trade.chain.id, "eth_call", &asked)).await;
    let said = said.ok().and_then(Result::ok);
    said.and_then(|said| judged(&said, order, least)).map_or(Ok(()), Err)
}

fn question(order: &Order, swap: &Built) -> Option<Value> {
    let trade = &order.trade;
    let multicall = trade.chain.assets.multicall.parse::<Address>().ok()?;
    let call = |target: Address, value: U256, data: Vec<u8>| Call3Value {
        target,
        allowFailure: true,
        value,
        callData: data.into(),
    };
    let held = |coin: Coin| match coin.is_native() {
        true => call(multicall, U256::ZERO, getEthBalanceCall { addr: order.user }.abi_encode()),
        false => call(coin.0, U256::ZERO, balanceOfCall { owner: order.user }.abi_encode()),
    };
    let mut calls = vec![held(trade.from), held(trade.to)];
    if let Some(spender) = order.found.spender {
        // Some tokens require an existing allowance to be reset to 0 first.
        for amount in [U256::ZERO, order.most] {
            calls.push(call(trade.from.0, U256::ZERO, approveCall { spender, amount }.abi_encode()));
        }
    }
    calls.push(call(swap.to, swap.value, swap.data.clone()));
    calls.push(held(trade.to));
    let data = aggregate3ValueCall { calls }.abi_encode();
    let rich = swap.value.saturating_add(U256::from(u128::MAX));
    let user = order.user.to_string();
    let mut changed = serde_json::Map::new();
    changed.insert(user.clone(), json!({ "code": acting(multicall), "balance": format!("{rich:#x}") }));
    Some(json!([
        { "from": user, "to": user, "value": format!("{:#x}", swap.value), "data": hex::encode_prefixed(&data) },
        "latest",
        changed,
    ]))
}

/// Account code that accepts plain transfers of the coin (`CALLDATASIZE PUSH1 5 JUMPI STOP JUMPDEST`) and otherwise delegates to the
/// multicall: the proxy of EIP-1167, shifted by six bytes.
fn acting(multicall: Address) -> String {
    format!("0x36600557005b363d3d373d3d3d363d73{}5af43d82803e903d91603157fd5bf3", hex::encode(multicall))
}

/// Reason why the simulated swap fails; `None` if it succeeds or the simulation is inconclusive.
fn judged(said: &Value, order: &Order, least: U256) -> Option<Fault> {
    let bytes = hex::decode(said.as_str()?.strip_prefix("0x")?).ok()?;
    let outcomes = aggregate3ValueCall::abi_decode_returns(&bytes).ok()?;
    let number = |outcome: &Outcome| {
        let word = <[u8; 32]>::try_from(&outcome.returnData[..]).ok()?;
        outcome.success.then(|| U256::from_be_bytes(word))
    };
    let [held, before, .., swap, after] = outcomes.as_slice() else { return None };
    if !order.trade.from.is_native() && number(held)? < order.most {
        return None;
    }
    if !swap.success {
        return Some(Fault::Fails);
    }
    let arrived = number(after)?.saturating_sub(number(before)?);
    (arrived < least).then_some(Fault::Taxed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swap::check::tests::order;
    use alloy_primitives::Bytes;

    fn usual() -> Order {
        let at = Address::repeat_byte;
        order(Coin(at(1)), Coin(at(2)), U256::from(1_000), at(9), U256::from(10_000))
    }

    fn verdict(held: u64, swaps: bool, before: u64, after: u64) -> Option<Fault> {
        let word = |number: u64| Bytes::from(U256::from(number).to_be_bytes_vec());
        let outcome = |success, data| Outcome { success, returnData: data };
        let outcomes = vec![
            outcome(true, word(held)),
            outcome(true, word(before)),
            outcome(true, Bytes::new()),
            outcome(true, word(1)),
            outcome(swaps, Bytes::new()),
            outcome(true, word(after)),
        ];
        let bytes = aggregate3ValueCall::abi_encode_returns(&outcomes);
        judged(&json!(hex::encode_prefixed(bytes)), &usual(), U256::from(9_900))
    }

    #[test]
    fn what_arrives_decides() {
        assert_eq!(verdict(1_000, true, 5, 10_005), None);
        assert_eq!(verdict(1_000, true, 5, 9_905), None);
        assert_eq!(verdict(1_000, true, 5, 9_904), Some(Fault::Taxed));
        assert_eq!(verdict(1_000, true, 5, 0), Some(Fault::Taxed));
        assert_eq!(verdict(1_000, false, 5, 5), Some(Fault::Fails));
    }

    #[test]
    fn who_has_less_than_is_paid_and_a_node_without_overrides_say_nothing() {
        assert_eq!(verdict(999, false, 5, 5), None);
        for said in [json!("0x"), json!("0x30d40"), json!(null), json!(7), json!(format!("0x{}", "ff".repeat(96)))] {
            assert_eq!(judged(&said, &usual(), U256::ONE), None, "{said}");
        }
    }
}
