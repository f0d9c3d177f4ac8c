//! Calls that buy an exact amount, encoded by another library: at most [`AMOUNT`] is paid, and [`LEAST`] is bought.

use super::*;

fn row(tokens: [Address; 2]) -> Vec<Alloy> {
    tokens.map(at).to_vec()
}

fn number(number: u64) -> U256 {
    U256::from(number)
}

/// `exactOutput` of the older V3 router. Its path begins with the bought token.
fn older([paid, bought]: [Address; 2], recipient: Alloy) -> Vec<u8> {
    let params = older::ExactOutputParams {
        path: path([bought, paid]),
        recipient,
        deadline: number(UNTIL),
        amountOut: number(LEAST),
        amountInMaximum: number(AMOUNT),
    };
    older::exactOutputCall { params }.abi_encode()
}

/// `exactOutput` of the newer V3 router.
fn newer([paid, bought]: [Address; 2], recipient: Alloy) -> Vec<u8> {
    let params = newer::ExactOutputParams {
        path: path([bought, paid]),
        recipient,
        amountOut: number(LEAST),
        amountInMaximum: number(AMOUNT),
    };
    newer::exactOutputCall { params }.abi_encode()
}

/// `exactOutputSingle` of the newer V3 router.
fn newer_single([paid, bought]: [Address; 2], limit: u64) -> Vec<u8> {
    let params = newer::ExactOutputSingleParams {
        tokenIn: at(paid),
        tokenOut: at(bought),
        fee: U24::from(500),
        recipient: at(USER),
        amountOut: number(LEAST),
        amountInMaximum: number(AMOUNT),
        sqrtPriceLimitX96: U160::from(limit),
    };
    newer::exactOutputSingleCall { params }.abi_encode()
}

fn batch(calls: Vec<Vec<u8>>) -> Vec<u8> {
    newer::multicallCall { deadline: number(UNTIL), data: calls.into_iter().map(Bytes::from).collect() }.abi_encode()
}

fn older_batch(calls: Vec<Vec<u8>>) -> Vec<u8> {
    older::multicallCall { data: calls.into_iter().map(Bytes::from).collect() }.abi_encode()
}

fn sweep(least: u64) -> Vec<u8> {
    sweepTokenCall { token: at(BOUGHT), amountMinimum: number(least), recipient: at(USER) }.abi_encode()
}

fn unwrap() -> Vec<u8> {
    unwrapWETH9Call { amountMinimum: number(LEAST), recipient: at(USER) }.abi_encode()
}

fn refund() -> Vec<u8> {
    refundETHCall {}.abi_encode()
}

const PLAIN: [Address; 2] = [PAID, BOUGHT];
const COIN_IN: [Address; 2] = [WETH, BOUGHT];
const COIN_OUT: [Address; 2] = [PAID, WETH];

/// One call of each form that buys an exact amount.
pub fn forms() -> Vec<(Protocol, u64, Vec<u8>, DecodedSwap)> {
    use Protocol::{SwapRouter, SwapRouter02, UniswapV2};
    let (out, most, user, until) = (number(LEAST), number(AMOUNT), at(USER), number(UNTIL));
    let dated = |from, to| bought(from, to, Some(UNTIL));
    let older_single = older::ExactOutputSingleParams {
        tokenIn: at(PAID),
        tokenOut: at(BOUGHT),
        fee: U24::from(500),
        recipient: user,
        deadline: until,
        amountOut: out,
        amountInMaximum: most,
        sqrtPriceLimitX96: U160::ZERO,
    };
    let router = at(uniswap::number_address(2));
    vec![
        (
            UniswapV2,
            AMOUNT,
            swapETHForExactTokensCall { amountOut: out, path: row(COIN_IN), to: user, deadline: until }.abi_encode(),
            dated(NATIVE, BOUGHT),
        ),
        (
            UniswapV2,
            0,
            swapTokensForExactETHCall {
                amountOut: out,
                amountInMax: most,
                path: row(COIN_OUT),
                to: user,
                deadline: until,
            }
            .abi_encode(),
            dated(PAID, NATIVE),
        ),
        (
            UniswapV2,
            0,
            swapTokensForExactTokensCall {
                amountOut: out,
                amountInMax: most,
                path: row(PLAIN),
                to: user,
                deadline: until,
            }
            .abi_encode(),
            dated(PAID, BOUGHT),
        ),
        (SwapRouter, 0, older(PLAIN, user), dated(PAID, BOUGHT)),
        (SwapRouter, 0, older::exactOutputSingleCall { params: older_single }.abi_encode(), dated(PAID, BOUGHT)),
        (SwapRouter, AMOUNT, older_batch(vec![older(COIN_IN, user), refund()]), dated(NATIVE, BOUGHT)),
        (SwapRouter, 0, older_batch(vec![older(COIN_OUT, Alloy::ZERO), unwrap()]), dated(PAID, NATIVE)),
        (SwapRouter02, 0, newer(PLAIN, user), bought(PAID, BOUGHT, None)),
        (SwapRouter02, 0, newer_single(PLAIN, 0), bought(PAID, BOUGHT, None)),
        (SwapRouter02, AMOUNT, batch(vec![newer_single(COIN_IN, 0), refund()]), dated(NATIVE, BOUGHT)),
        (SwapRouter02, AMOUNT, batch(vec![newer(COIN_IN, router), sweep(LEAST), refund()]), dated(NATIVE, BOUGHT)),
        (SwapRouter02, 0, batch(vec![newer(COIN_OUT, router), unwrap()]), dated(PAID, NATIVE)),
    ]
}

#[test]
fn the_selectors_are_those_of_the_published_functions() {
    // As <https://www.4byte.directory> lists them.
    let selectors = [
        (swapETHForExactTokensCall::SELECTOR, "fb3bdb41"),
        (swapTokensForExactETHCall::SELECTOR, "4a25d94a"),
        (swapTokensForExactTokensCall::SELECTOR, "8803dbee"),
        (older::exactOutputCall::SELECTOR, "f28c0498"),
        (older::exactOutputSingleCall::SELECTOR, "db3e2198"),
        (newer::exactOutputCall::SELECTOR, "09b81346"),
        (newer::exactOutputSingleCall::SELECTOR, "5023b4df"),
        (refundETHCall::SELECTOR, "12210e8a"),
    ];
    for (selector, published) in selectors {
        assert_eq!(alloy_primitives::hex::encode(selector), published);
    }
}

/// The corpus of the fuzzer has the same calls, encoded by viem.
#[test]
fn viem_encodes_the_same_bytes() {
    let texts = [
        include_str!("../../../fuzz/corpus/calldata/36-uniswap-v2-exact"),
        include_str!("../../../fuzz/corpus/calldata/37-uniswap-v2-exact"),
        include_str!("../../../fuzz/corpus/calldata/38-uniswap-v2-exact"),
        include_str!("../../../fuzz/corpus/calldata/39-uniswap-swap-router-exact"),
        include_str!("../../../fuzz/corpus/calldata/40-uniswap-swap-router-exact"),
        include_str!("../../../fuzz/corpus/calldata/41-uniswap-swap-router-exact"),
        include_str!("../../../fuzz/corpus/calldata/42-uniswap-swap-router-exact"),
        include_str!("../../../fuzz/corpus/calldata/43-uniswap-swap-router-02-exact"),
        include_str!("../../../fuzz/corpus/calldata/44-uniswap-swap-router-02-exact"),
        include_str!("../../../fuzz/corpus/calldata/45-uniswap-swap-router-02-exact"),
        include_str!("../../../fuzz/corpus/calldata/46-uniswap-swap-router-02-exact"),
        include_str!("../../../fuzz/corpus/calldata/47-uniswap-swap-router-02-exact"),
    ];
    let forms = forms();
    assert_eq!(forms.len(), texts.len());
    for (text, (protocol, _, data, _)) in texts.into_iter().zip(forms) {
        assert_eq!(text, alloy_primitives::hex::encode_prefixed(&data), "{protocol:?}");
    }
}

#[test]
fn a_coin_that_is_not_sent_back_a_price_limit_and_another_amount_that_is_handed_on_are_refused() {
    let read = |value, data: Vec<u8>| read_as(Protocol::SwapRouter02, value, &data);
    let router = at(uniswap::number_address(2));
    // The rest of the coin would stay in the router.
    assert_eq!(read(AMOUNT, newer_single(COIN_IN, 0)), None);
    assert_eq!(read(AMOUNT, batch(vec![newer_single(COIN_IN, 0)])), None);
    assert_eq!(read(AMOUNT, batch(vec![newer(COIN_IN, router), sweep(LEAST)])), None);
    assert_eq!(read(AMOUNT, batch(vec![refund(), newer_single(COIN_IN, 0)])), None);
    assert_eq!(read(AMOUNT, batch(vec![newer_single(COIN_IN, 0), refund(), refund()])), None);
    // Only an exact purchase with coins has a rest.
    assert_eq!(read(0, batch(vec![newer_single(PLAIN, 0), refund()])), None);
    assert_eq!(read(0, newer_single(PLAIN, 1)), None);
    for least in [LEAST - 1, LEAST + 1] {
        assert_eq!(read(0, batch(vec![newer(PLAIN, router), sweep(least)])), None);
    }
    assert!(read(0, batch(vec![newer(PLAIN, router), sweep(LEAST)])).is_some());
}
