//! The calls of Uniswap V2 (UniswapV2Router02) and V3 (QuoterV2, SwapRouter02): made, and read back from their bytes.

use super::way::Way;
use crate::config::Exchange;
use crate::swap::check::exactly;
use crate::swap::trade::{Built, Coin, Order, Said};
use crate::upstream::multicall::ContractRead;
use alloy_primitives::{Address, Bytes, U256, address};
use alloy_sol_types::{SolCall, sol};

sol! {
    function deposit() external payable;
    function withdraw(uint256 amount) external;

    function getAmountsOut(uint256 amountIn, address[] calldata path) external view returns (uint256[] memory amounts);
    function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external payable;
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external;
    function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external;

    function quoteExactInput(bytes memory path, uint256 amountIn) external returns (uint256 amountOut, uint160[] memory sqrtPriceX96AfterList, uint32[] memory initializedTicksCrossedList, uint256 gasEstimate);
    struct ExactInputParams {
        bytes path;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
    }
    function exactInput(ExactInputParams calldata params) external payable returns (uint256 amountOut);
    function unwrapWETH9(uint256 amountMinimum, address recipient) external payable;
    function sweepToken(address token, uint256 amountMinimum, address recipient) external payable;
    function multicall(uint256 deadline, bytes[] calldata data) external payable returns (bytes[] memory);
}

/// Stands for the router itself in SwapRouter02.
const ROUTER_ITSELF: Address = address!("0000000000000000000000000000000000000002");

/// About what a wrapped coin takes to be made or unmade.
pub(super) const WRAP_GAS: u64 = 60_000;

/// About what a swap of V2 takes over one pool, and over each more.
const V2_GAS: u64 = 160_000;
const V2_MORE: u64 = 90_000;

/// About what a swap of V3 takes beside what the quoter counts.
const V3_GAS: u64 = 140_000;

/// No swap takes more; a quoter that says so lies.
const MOST_GAS: u64 = 10_000_000;

/// What a way brings.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Offer {
    pub(super) out: U256,
    pub(super) gas: u64,
}

/// What asks what a way brings; nothing where that is one for one.
pub(super) fn quote(exchange: &Exchange, way: &Way, amount: U256) -> Option<ContractRead> {
    match way {
        Way::Wrap | Way::Unwrap => None,
        Way::V2 { path } => {
            let data = getAmountsOutCall { amountIn: amount, path: path.clone() }.abi_encode();
            Some(ContractRead { to: exchange.v2_router?, data })
        }
        Way::V3 { path, fees } => {
            let data = quoteExactInputCall { path: packed(path, fees), amountIn: amount }.abi_encode();
            Some(ContractRead { to: exchange.v3?.quoter, data })
        }
    }
}

/// What the answer says.
pub(super) fn quoted(way: &Way, said: &[u8], amount: U256) -> Option<Offer> {
    match way {
        Way::Wrap | Way::Unwrap => None,
        Way::V2 { path } => {
            let amounts = getAmountsOutCall::abi_decode_returns(said).ok()?;
            let fits = amounts.len() == path.len() && amounts.first() == Some(&amount);
            let gas = V2_GAS + V2_MORE * path.len().saturating_sub(2) as u64;
            amounts.last().filter(|_| fits).map(|out| Offer { out: *out, gas })
        }
        Way::V3 { .. } => {
            let told = quoteExactInputCall::abi_decode_returns(said).ok()?;
            let gas = u64::try_from(told.gasEstimate).ok()?.checked_add(V3_GAS).filter(|gas| *gas <= MOST_GAS)?;
            Some(Offer { out: told.amountOut, gas })
        }
    }
}

/// The call that swaps. Of V2 the kind that counts what arrives, so that a token which takes a fee on transfer cannot bring less than the
/// least without the whole failing. V3 has no such kind: there the router itself receives first, and counts before it hands on.
pub(super) fn swap(exchange: &Exchange, way: &Way, order: &Order) -> Option<Built> {
    let (trade, to, deadline) = (&order.trade, order.user, U256::from(order.deadline));
    let (target, data) = match way {
        Way::Wrap => (exchange.wrapped, depositCall {}.abi_encode()),
        Way::Unwrap => (exchange.wrapped, withdrawCall { amount: trade.amount }.abi_encode()),
        Way::V2 { path } => (exchange.v2_router?, v2(path.clone(), order, to, deadline)),
        Way::V3 { path, fees } => {
            let params = ExactInputParams {
                path: packed(path, fees),
                recipient: ROUTER_ITSELF,
                amountIn: trade.amount,
                amountOutMinimum: order.least,
            };
            let handed_on = if trade.to.is_native() {
                unwrapWETH9Call { amountMinimum: order.least, recipient: to }.abi_encode()
            } else {
                sweepTokenCall { token: trade.to.0, amountMinimum: order.least, recipient: to }.abi_encode()
            };
            let data = vec![exactInputCall { params }.abi_encode().into(), handed_on.into()];
            (exchange.v3?.router, multicallCall { deadline, data }.abi_encode())
        }
    };
    let value = if trade.from.is_native() { trade.amount } else { U256::ZERO };
    Some(Built { to: target, data, value, from: Some(order.user), gas: None })
}

fn v2(path: Vec<Address>, order: &Order, to: Address, deadline: U256) -> Vec<u8> {
    let (amount, least) = (order.trade.amount, order.least);
    if order.trade.from.is_native() {
        return swapExactETHForTokensSupportingFeeOnTransferTokensCall { amountOutMin: least, path, to, deadline }
            .abi_encode();
    }
    if order.trade.to.is_native() {
        return swapExactTokensForETHSupportingFeeOnTransferTokensCall {
            amountIn: amount,
            amountOutMin: least,
            path,
            to,
            deadline,
        }
        .abi_encode();
    }
    swapExactTokensForTokensSupportingFeeOnTransferTokensCall {
        amountIn: amount,
        amountOutMin: least,
        path,
        to,
        deadline,
    }
    .abi_encode()
}

/// A path of V3: a token, and for each pool its fee in three bytes and the token behind it.
fn packed(path: &[Address], fees: &[u32]) -> Bytes {
    let mut bytes = Vec::with_capacity(path.len() * 23);
    for (place, token) in path.iter().enumerate() {
        if let Some(fee) = place.checked_sub(1).and_then(|before| fees.get(before)) {
            bytes.extend(&fee.to_be_bytes()[1..]);
        }
        bytes.extend(token.as_slice());
    }
    bytes.into()
}

/// Its first and its last token; nothing where it is no path.
fn ends(packed: &[u8]) -> Option<(Address, Address)> {
    let fits = packed.len() >= 43 && (packed.len() - 20).is_multiple_of(23);
    fits.then(|| (Address::from_slice(&packed[..20]), Address::from_slice(&packed[packed.len() - 20..])))
}

/// What a call of ours does, by its bytes alone. They must be the very bytes that such a call has: nothing may hide between them.
pub(super) fn read(exchange: &Exchange, order: &Order, built: &Built) -> Option<Said> {
    if built.to == exchange.wrapped {
        return wrapping(exchange, order, built);
    }
    if Some(built.to) == exchange.v2_router {
        return read_v2(exchange, built);
    }
    if Some(built.to) == exchange.v3.map(|contracts| contracts.router) { read_v3(exchange, built) } else { None }
}

/// Whoever calls pays and receives.
fn wrapping(exchange: &Exchange, order: &Order, built: &Built) -> Option<Said> {
    let wrapped = Coin(exchange.wrapped);
    let (from, to, amount) = match exactly::<withdrawCall>(&built.data) {
        Some(withdrawn) => (wrapped, Coin::NATIVE, withdrawn.amount),
        None => exactly::<depositCall>(&built.data).map(|_| (Coin::NATIVE, wrapped, built.value))?,
    };
    Some(Said { receiver: order.user, from, to, amount, least: amount, deadline: None })
}

fn read_v2(exchange: &Exchange, built: &Built) -> Option<Said> {
    let own = |token: Address| if token == exchange.wrapped { Some(Coin::NATIVE) } else { None };
    let data = &built.data;
    let (path, receiver, amount, least, deadline, coins) =
        if let Some(call) = exactly::<swapExactETHForTokensSupportingFeeOnTransferTokensCall>(data) {
            let coins = (own(*call.path.first()?)?, Coin(*call.path.last()?));
            (call.path, call.to, built.value, call.amountOutMin, call.deadline, coins)
        } else if let Some(call) = exactly::<swapExactTokensForETHSupportingFeeOnTransferTokensCall>(data) {
            let coins = (Coin(*call.path.first()?), own(*call.path.last()?)?);
            (call.path, call.to, call.amountIn, call.amountOutMin, call.deadline, coins)
        } else {
            let call = exactly::<swapExactTokensForTokensSupportingFeeOnTransferTokensCall>(data)?;
            let coins = (Coin(*call.path.first()?), Coin(*call.path.last()?));
            (call.path, call.to, call.amountIn, call.amountOutMin, call.deadline, coins)
        };
    let (from, to) = coins;
    let deadline = Some(u64::try_from(deadline).ok()?);
    (path.len() >= 2).then_some(Said { receiver, from, to, amount, least, deadline })
}

fn read_v3(exchange: &Exchange, built: &Built) -> Option<Said> {
    let call = exactly::<multicallCall>(&built.data)?;
    let deadline = Some(u64::try_from(call.deadline).ok()?);
    let [first, second] = call.data.as_slice() else { return None };
    let params = exactly::<exactInputCall>(first)?.params;
    let (paid, bought) = ends(&params.path)?;
    let from = match built.value.is_zero() {
        true => Coin(paid),
        // The router wraps what it is sent.
        false if paid == exchange.wrapped => Coin::NATIVE,
        false => return None,
    };
    if params.recipient != ROUTER_ITSELF {
        return None;
    }
    let (receiver, to, least) = match exactly::<unwrapWETH9Call>(second) {
        Some(unwrap) if bought == exchange.wrapped => (unwrap.recipient, Coin::NATIVE, unwrap.amountMinimum),
        Some(_) => return None,
        None => {
            let sweep = exactly::<sweepTokenCall>(second).filter(|sweep| sweep.token == bought)?;
            (sweep.recipient, Coin(bought), sweep.amountMinimum)
        }
    };
    Some(Said { receiver, from, to, amount: params.amountIn, least, deadline })
}

#[cfg(test)]
mod tests;
