//! Encoding and decoding of calls to Uniswap V2 (UniswapV2Router02) and V3 (QuoterV2, SwapRouter02).

use super::way::OnchainRoute;
use crate::config::Exchange;
use crate::swap::trade::{self, Built, DecodedSwap, Order};
use crate::upstream::multicall::ContractRead;
use alloy_primitives::{Address, Bytes, U256, address};
use alloy_sol_types::{SolCall, sol};
use portico_calldata::Protocol;

sol! {
    function deposit() external payable;
    function withdraw(uint256 amount) external;

    function getAmountsIn(uint256 amountOut, address[] calldata path) external view returns (uint256[] memory amounts);
    function swapETHForExactTokens(uint256 amountOut, address[] calldata path, address to, uint256 deadline) external payable;
    function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] calldata path, address to, uint256 deadline) external;
    function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] calldata path, address to, uint256 deadline) external;

    function getAmountsOut(uint256 amountIn, address[] calldata path) external view returns (uint256[] memory amounts);
    function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external payable;
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external;
    function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external;

    function quoteExactInput(bytes memory path, uint256 amountIn) external returns (uint256 amountOut, uint160[] memory sqrtPriceX96AfterList, uint32[] memory initializedTicksCrossedList, uint256 gasEstimate);
    function quoteExactOutput(bytes memory path, uint256 amountOut) external returns (uint256 amountIn, uint160[] memory sqrtPriceX96AfterList, uint32[] memory initializedTicksCrossedList, uint256 gasEstimate);
    struct ExactOutputParams {
        bytes path;
        address recipient;
        uint256 amountOut;
        uint256 amountInMaximum;
    }
    function exactOutput(ExactOutputParams calldata params) external payable returns (uint256 amountIn);
    function refundETH() external payable;
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

/// Placeholder for the router's own address in SwapRouter02.
const ROUTER_ITSELF: Address = address!("0000000000000000000000000000000000000002");

/// Approximate gas of wrapping or unwrapping the coin.
pub(super) const WRAP_GAS: u64 = 60_000;

/// Approximate gas of a V2 swap through one pool, and of each further pool.
const V2_GAS: u64 = 160_000;
const V2_MORE: u64 = 90_000;

/// Approximate gas of a V3 swap on top of the quoter's estimate, which has no transfers of tokens: the transaction itself and two transfers.
const V3_GAS: u64 = 80_000;

/// Maximum plausible gas of a swap; a quote above it is rejected.
const MOST_GAS: u64 = 10_000_000;

/// Amount that a quote is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Asked {
    /// Amount to pay.
    Pay(U256),
    /// Amount to receive.
    Receive(U256),
}

/// Amounts and gas of a route.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Offer {
    pub(super) paid: U256,
    pub(super) out: U256,
    pub(super) gas: u64,
}

/// Quoter call for a route; `None` for wrap and unwrap, which are one for one.
pub(super) fn quote(exchange: &Exchange, way: &OnchainRoute, asked: Asked) -> Option<ContractRead> {
    match way {
        OnchainRoute::Wrap | OnchainRoute::Unwrap => None,
        OnchainRoute::V2 { path } => {
            let path = path.clone();
            let data = match asked {
                Asked::Pay(amount) => getAmountsOutCall { amountIn: amount, path }.abi_encode(),
                Asked::Receive(amount) => getAmountsInCall { amountOut: amount, path }.abi_encode(),
            };
            Some(ContractRead { to: exchange.v2_router?, data })
        }
        OnchainRoute::V3 { path, fees } => {
            let data = match asked {
                Asked::Pay(amount) => quoteExactInputCall { path: packed(path, fees), amountIn: amount }.abi_encode(),
                Asked::Receive(amount) => {
                    quoteExactOutputCall { path: backwards(path, fees), amountOut: amount }.abi_encode()
                }
            };
            Some(ContractRead { to: exchange.v3?.quoter, data })
        }
    }
}

/// Decodes the response to [`quote`].
pub(super) fn quoted(way: &OnchainRoute, said: &[u8], asked: Asked) -> Option<Offer> {
    match way {
        OnchainRoute::Wrap | OnchainRoute::Unwrap => None,
        OnchainRoute::V2 { path } => {
            // `getAmountsIn` answers in the same form.
            let amounts = getAmountsOutCall::abi_decode_returns(said).ok()?;
            let (paid, out) = (*amounts.first()?, *amounts.last()?);
            let own = if let Asked::Pay(amount) = asked { paid == amount } else { asked == Asked::Receive(out) };
            let gas = V2_GAS + V2_MORE * path.len().saturating_sub(2) as u64;
            (amounts.len() == path.len() && own).then_some(Offer { paid, out, gas })
        }
        OnchainRoute::V3 { .. } => {
            // `quoteExactOutput` answers in the same form.
            let told = quoteExactInputCall::abi_decode_returns(said).ok()?;
            let gas = u64::try_from(told.gasEstimate).ok()?.checked_add(V3_GAS).filter(|gas| *gas <= MOST_GAS)?;
            Some(match asked {
                Asked::Pay(paid) => Offer { paid, out: told.amountOut, gas },
                Asked::Receive(out) => Offer { paid: told.amountOut, out, gas },
            })
        }
    }
}

/// Builds the swap transaction. For V2 it uses the functions that check the received balance, so that a token with a transfer fee cannot
/// pay less than the minimum without a revert. V3 has none: there the router receives first, and checks its balance before it pays out. Nor
/// has V2 any for an exact amount to receive: there the simulation alone notices such a fee. Coins that such a swap does not need come back.
pub(super) fn swap(exchange: &Exchange, way: &OnchainRoute, order: &Order) -> Option<Built> {
    let (trade, to, deadline) = (&order.trade, order.user, U256::from(order.deadline));
    let (target, data) = match way {
        OnchainRoute::Wrap => (exchange.wrapped, depositCall {}.abi_encode()),
        OnchainRoute::Unwrap => (exchange.wrapped, withdrawCall { amount: trade.amount }.abi_encode()),
        OnchainRoute::V2 { path } => (exchange.v2_router?, v2(path.clone(), order, to, deadline)),
        OnchainRoute::V3 { path, fees } => {
            let exchange_call = if trade.exact_out {
                let params = ExactOutputParams {
                    path: backwards(path, fees),
                    recipient: ROUTER_ITSELF,
                    amountOut: order.least,
                    amountInMaximum: order.most,
                };
                exactOutputCall { params }.abi_encode()
            } else {
                let params = ExactInputParams {
                    path: packed(path, fees),
                    recipient: ROUTER_ITSELF,
                    amountIn: trade.amount,
                    amountOutMinimum: order.least,
                };
                exactInputCall { params }.abi_encode()
            };
            let handed_on = if trade.to.is_native() {
                unwrapWETH9Call { amountMinimum: order.least, recipient: to }.abi_encode()
            } else {
                sweepTokenCall { token: trade.to.0, amountMinimum: order.least, recipient: to }.abi_encode()
            };
            let mut data = vec![exchange_call.into(), handed_on.into()];
            if trade.exact_out && trade.from.is_native() {
                data.push(refundETHCall {}.abi_encode().into());
            }
            (exchange.v3?.router, multicallCall { deadline, data }.abi_encode())
        }
    };
    let value = match way {
        _ if !trade.from.is_native() => U256::ZERO,
        OnchainRoute::Wrap => trade.amount,
        _ => order.most,
    };
    Some(Built { to: target, data, value, from: Some(order.user), gas: None })
}

fn v2(path: Vec<Address>, order: &Order, to: Address, deadline: U256) -> Vec<u8> {
    let (amount, least) = (order.trade.amount, order.least);
    if order.trade.exact_out {
        return v2_exact(path, order, to, deadline);
    }
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

/// V2 swap for an exact amount to receive.
fn v2_exact(path: Vec<Address>, order: &Order, to: Address, deadline: U256) -> Vec<u8> {
    let (out, most) = (order.least, order.most);
    match (order.trade.from.is_native(), order.trade.to.is_native()) {
        (true, _) => swapETHForExactTokensCall { amountOut: out, path, to, deadline }.abi_encode(),
        (_, true) => swapTokensForExactETHCall { amountOut: out, amountInMax: most, path, to, deadline }.abi_encode(),
        _ => swapTokensForExactTokensCall { amountOut: out, amountInMax: most, path, to, deadline }.abi_encode(),
    }
}

/// Encodes a V3 path from its end, as quotes and swaps for an exact amount to receive want it.
fn backwards(path: &[Address], fees: &[u32]) -> Bytes {
    let (path, fees): (Vec<_>, Vec<_>) = (path.iter().rev().copied().collect(), fees.iter().rev().copied().collect());
    packed(&path, &fees)
}

/// Encodes a V3 path: a token, then for each pool its fee in three bytes and the next token.
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

/// Decodes a call made by [`swap`].
pub(super) fn read(exchange: &Exchange, order: &Order, built: &Built) -> Option<DecodedSwap> {
    let protocol = if built.to == exchange.wrapped {
        Protocol::WrappedCoin
    } else if Some(built.to) == exchange.v2_router {
        Protocol::UniswapV2
    } else if Some(built.to) == exchange.v3.map(|contracts| contracts.router) {
        Protocol::SwapRouter02
    } else {
        return None;
    };
    trade::decode(protocol, Some(exchange.wrapped), order.user, built)
}

#[cfg(test)]
mod tests;
