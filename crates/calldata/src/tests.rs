//! Calls encoded by another library, read here.

mod ens;
mod exact;
mod forms;

use super::*;
use alloy_primitives::{Address as Alloy, Bytes, U256, aliases::U24, aliases::U160};
use alloy_sol_types::{SolCall, SolValue, sol};
use forms::forms;
use proptest::prelude::*;

sol! {
    function deposit() external payable;
    function withdraw(uint256 amount) external;

    function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) external payable;
    function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) external;
    function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) external;
    function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) external payable;
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) external;
    function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) external;

    function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) external payable;
    function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) external;
    function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) external;

    function unwrapWETH9(uint256 amountMinimum, address recipient) external payable;
    function refundETH() external payable;
    function sweepToken(address token, uint256 amountMinimum, address recipient) external payable;

    function execute(bytes commands, bytes[] inputs, uint256 deadline) external payable;

    struct SwapData {
        address callTo;
        address approveTo;
        address sendingAssetId;
        address receivingAssetId;
        uint256 fromAmount;
        bytes callData;
        bool requiresDeposit;
    }
    function swapTokensGeneric(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmount, SwapData[] swapData) external payable;
    function swapTokensSingleV3ERC20ToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData swapData) external;
    function swapTokensSingleV3ERC20ToNative(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData swapData) external;
    function swapTokensSingleV3NativeToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData swapData) external payable;
    function swapTokensMultipleV3ERC20ToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData[] swapData) external;
    function swapTokensMultipleV3ERC20ToNative(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData[] swapData) external;
    function swapTokensMultipleV3NativeToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData[] swapData) external payable;

    function exec(address operator, address token, uint256 amount, address target, bytes data) external payable returns (bytes memory result);
    function ownerOf(uint256 feature) external view returns (address);
    function prev(uint128 feature) external view returns (address);

    struct SwapDescription {
        address srcToken;
        address dstToken;
        address srcReceiver;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 flags;
    }
    function swap(address executor, SwapDescription desc, bytes data) external payable returns (uint256 returnAmount, uint256 spentAmount);
}

/// Functions of the older V3 router.
mod older {
    alloy_sol_types::sol! {
        struct ExactInputParams { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }
        struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }
        struct ExactOutputParams { bytes path; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; }
        struct ExactOutputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }
        function exactInput(ExactInputParams params) external payable;
        function exactInputSingle(ExactInputSingleParams params) external payable;
        function exactOutput(ExactOutputParams params) external payable;
        function exactOutputSingle(ExactOutputSingleParams params) external payable;
        function multicall(bytes[] data) external payable;
    }
}

/// Functions of SwapRouter02.
mod newer {
    alloy_sol_types::sol! {
        struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }
        struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }
        struct ExactOutputParams { bytes path; address recipient; uint256 amountOut; uint256 amountInMaximum; }
        struct ExactOutputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }
        function exactInput(ExactInputParams params) external payable;
        function exactInputSingle(ExactInputSingleParams params) external payable;
        function exactOutput(ExactOutputParams params) external payable;
        function exactOutputSingle(ExactOutputSingleParams params) external payable;
        function multicall(uint256 deadline, bytes[] data) external payable;
    }
}

/// Functions of 0x's Settler.
mod settler {
    alloy_sol_types::sol! {
        struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }
        function execute(AllowedSlippage slippage, bytes[] actions, bytes32 affiliate) external payable returns (bool);
    }
}

const USER: Address = [9; 20];
const ROUTER: Address = [7; 20];
const WETH: Address = [1; 20];
const PAID: Address = [0xaa; 20];
const BOUGHT: Address = [0xbb; 20];
const THIEF: Address = [0xff; 20];
const AMOUNT: u64 = 1_000;
const LEAST: u64 = 990;
const UNTIL: u64 = 1_800_000_000;

fn at(address: Address) -> Alloy {
    Alloy::from(address)
}

fn read_as(protocol: Protocol, value: u64, data: &[u8]) -> Option<DecodedSwap> {
    decode(protocol, Some(WETH), &Call { from: USER, to: ROUTER, value: Amount::from(value), data })
}

fn swapped(from: Address, to: Address, deadline: Option<u64>) -> DecodedSwap {
    let (amount, least) = (Amount::from(AMOUNT), Amount::from(LEAST));
    DecodedSwap { receiver: USER, from, to, amount, least, exact: Exact::Paid, deadline, settler: None }
}

/// As [`swapped`], where the bought amount is exact.
fn bought(from: Address, to: Address, deadline: Option<u64>) -> DecodedSwap {
    DecodedSwap { exact: Exact::Bought, ..swapped(from, to, deadline) }
}

fn path(tokens: [Address; 2]) -> Bytes {
    [&tokens[0][..], &[0, 1, 0xf4], &tokens[1]].concat().into()
}

#[test]
fn every_published_form_is_read() {
    for (index, (protocol, value, data, expected)) in forms().into_iter().enumerate() {
        assert_eq!(read_as(protocol, value, &data), Some(expected), "form {index}, {protocol:?}");
    }
}

#[test]
fn a_form_is_read_at_a_contract_of_its_own_protocol_alone() {
    for (protocol, value, data, _) in forms() {
        for other in Protocol::ALL.into_iter().filter(|other| *other != protocol) {
            assert_eq!(read_as(other, value, &data), None, "{protocol:?} as {other:?}");
        }
    }
}

/// Occurrences of one address in calldata, replaced by another.
fn replaced(data: &[u8], old: Address, new: Address) -> Vec<u8> {
    let mut out = data.to_vec();
    for at in 0..out.len().saturating_sub(19) {
        if out[at..at + 20] == old {
            out[at..at + 20].copy_from_slice(&new);
        }
    }
    out
}

#[test]
fn another_receiver_or_token_in_the_bytes_is_another_one_in_what_is_read() {
    for (index, (protocol, value, data, expected)) in forms().into_iter().enumerate() {
        let read = |old, new| read_as(protocol, value, &replaced(&data, old, new));
        // A form may name no receiver: then it is the caller.
        let theirs = read(USER, THIEF);
        let unnamed = replaced(&data, USER, THIEF) == data;
        assert!(unnamed || theirs.is_none_or(|swap| swap.receiver == THIEF), "form {index}, {protocol:?}");
        let bought = read(BOUGHT, THIEF);
        assert!(expected.to != BOUGHT || bought.is_none_or(|swap| swap.to == THIEF), "form {index}, {protocol:?}");
        let paid = read(PAID, THIEF);
        assert!(expected.from != PAID || paid.is_none_or(|swap| swap.from == THIEF), "form {index}, {protocol:?}");
    }
}

#[test]
fn wrapping_and_unwrapping_are_one_for_one_and_for_the_caller() {
    let one = |from, to| {
        let amount = Amount::from(AMOUNT);
        DecodedSwap {
            receiver: USER,
            from,
            to,
            amount,
            least: amount,
            exact: Exact::Both,
            deadline: None,
            settler: None,
        }
    };
    let read = |value, data: &[u8]| read_as(Protocol::WrappedCoin, value, data);
    assert_eq!(read(AMOUNT, &depositCall {}.abi_encode()), Some(one(NATIVE, ROUTER)));
    assert_eq!(read(0, &withdrawCall { amount: U256::from(AMOUNT) }.abi_encode()), Some(one(ROUTER, NATIVE)));
    assert_eq!(read(AMOUNT, &[0xd0, 0xe3, 0x0d, 0xb0, 0]), None);
}

#[test]
fn registry_calls_are_those_that_0x_publishes() {
    let hexed = |data: Vec<u8>| format!("0x{}", alloy_primitives::hex::encode(data));
    assert_eq!(SETTLER, hexed(ownerOfCall { feature: U256::from(2) }.abi_encode()));
    assert_eq!(PREVIOUS_SETTLER, hexed(prevCall { feature: 2 }.abi_encode()));
    assert_eq!(at(REGISTRY).to_checksum(None), "0x00000000000004533Fe15556B1E086BB1A72cEae");
}

#[test]
fn calls_that_give_a_token_away_are_never_read() {
    // EIP-20, EIP-721, EIP-1155, EIP-2612, DAI's permit, EIP-1363, EIP-777, Permit2, and 1inch's `unoswap`.
    let selectors = [
        "a9059cbb", "23b872dd", "095ea7b3", "42842e0e", "b88d4fde", "a22cb465", "d505accf", "39509351", "8fcbaf0c",
        "4000aea0", "cae9ca51", "9bd9bbc6", "959b8c3f", "f242432a", "2eb2c2d6", "36c78516", "30f28b7a", "83800a8e",
    ];
    for selector in selectors {
        let data = [alloy_primitives::hex::decode(selector).unwrap(), vec![0; 320]].concat();
        for protocol in Protocol::ALL {
            assert_eq!(read_as(protocol, 0, &data), None, "{selector} {protocol:?}");
        }
    }
}

#[test]
fn a_universal_router_call_with_a_permit_or_a_step_that_may_fail_is_not_read() {
    let (amount, least) = (U256::from(AMOUNT), U256::from(LEAST));
    let input = (at(USER), amount, least, path([PAID, BOUGHT]), true).abi_encode_params();
    let run = |commands: Vec<u8>, inputs: Vec<Vec<u8>>| {
        let inputs = inputs.into_iter().map(Bytes::from).collect();
        read_as(
            Protocol::UniversalRouter,
            0,
            &executeCall { commands: commands.into(), inputs, deadline: U256::from(UNTIL) }.abi_encode(),
        )
    };
    assert!(run(vec![0x00], vec![input.clone()]).is_some());
    assert_eq!(run(vec![0x80], vec![input.clone()]), None);
    assert_eq!(run(vec![0x0a, 0x00], vec![vec![], input.clone()]), None);
    assert_eq!(run(vec![0x00, 0x02], vec![input.clone(), vec![]]), None);
    assert_eq!(run(vec![0x00], vec![input.clone(), input.clone()]), None);
    assert_eq!(run(vec![0x00, 0x00], vec![input]), None);
}

#[test]
fn coin_that_is_sent_along_goes_through_one_pool_of_v3() {
    let through = |between: &[Address], value: u64, paid: Address| {
        let tokens = [&[paid], between, &[BOUGHT]].concat();
        let path = tokens.iter().map(|token| token.to_vec()).collect::<Vec<_>>().join(&[0, 1, 0xf4][..]);
        let params = newer::ExactInputParams {
            path: path.into(),
            recipient: at(USER),
            amountIn: U256::from(AMOUNT),
            amountOutMinimum: U256::from(LEAST),
        };
        read_as(Protocol::SwapRouter02, value, &newer::exactInputCall { params }.abi_encode()).is_some()
    };
    let other = [0x77; 20];
    assert!(through(&[], AMOUNT, WETH) && through(&[other], 0, PAID));
    assert!(!through(&[other], AMOUNT, WETH), "a token between the pools could take the coin");
}

#[test]
fn the_newer_router_knows_the_placeholder_of_the_caller_only_where_it_exchanges() {
    let number = |number: u8| crate::uniswap::number_address(number);
    let exchange = |recipient: Address| {
        let params = newer::ExactInputSingleParams {
            tokenIn: at(PAID),
            tokenOut: at(BOUGHT),
            fee: U24::from(500),
            recipient: at(recipient),
            amountIn: U256::from(AMOUNT),
            amountOutMinimum: U256::from(LEAST),
            sqrtPriceLimitX96: U160::ZERO,
        };
        newer::exactInputSingleCall { params }.abi_encode()
    };
    let alone = |recipient| read_as(Protocol::SwapRouter02, 0, &exchange(recipient)).map(|read| read.receiver);
    assert_eq!((alone(number(1)), alone(USER)), (Some(USER), Some(USER)));
    assert_eq!((alone(number(0)), alone(number(2))), (None, None));
    // `sweepToken` pays the address as it is written, and nobody owns these.
    let handed_on = |receiver: Address| {
        let sweep = sweepTokenCall { token: at(BOUGHT), amountMinimum: U256::from(LEAST), recipient: at(receiver) };
        let data = vec![exchange(number(2)).into(), sweep.abi_encode().into()];
        read_as(Protocol::SwapRouter02, 0, &newer::multicallCall { deadline: U256::from(UNTIL), data }.abi_encode())
            .map(|read| read.receiver)
    };
    assert_eq!(handed_on(USER), Some(USER));
    assert_eq!([0, 1, 2].map(|one| handed_on(number(one))), [None; 3]);
}

#[test]
fn a_partial_fill_a_price_limit_and_a_second_token_are_refused() {
    let (amount, least) = (U256::from(AMOUNT), U256::from(LEAST));
    let desc = |flags: u64| SwapDescription {
        srcToken: at(PAID),
        dstToken: at(BOUGHT),
        srcReceiver: at([5; 20]),
        dstReceiver: at(USER),
        amount,
        minReturnAmount: least,
        flags: U256::from(flags),
    };
    let call = |flags| swapCall { executor: at([5; 20]), desc: desc(flags), data: Bytes::new() }.abi_encode();
    assert!(read_as(Protocol::Oneinch, 0, &call(4)).is_some());
    assert_eq!(read_as(Protocol::Oneinch, 0, &call(5)), None);
    assert_eq!(read_as(Protocol::Oneinch, 0, &[call(4), vec![0; 5]].concat()), None);
    let single = |limit: u64| {
        let params = newer::ExactInputSingleParams {
            tokenIn: at(PAID),
            tokenOut: at(BOUGHT),
            fee: U24::from(500),
            recipient: at(USER),
            amountIn: amount,
            amountOutMinimum: least,
            sqrtPriceLimitX96: U160::from(limit),
        };
        read_as(Protocol::SwapRouter02, 0, &newer::exactInputSingleCall { params }.abi_encode())
    };
    assert!(single(0).is_some());
    assert_eq!(single(1), None);
    let step = |token: Address| SwapData {
        callTo: at([5; 20]),
        approveTo: at([5; 20]),
        sendingAssetId: at(token),
        receivingAssetId: at(BOUGHT),
        fromAmount: amount,
        callData: Bytes::new(),
        requiresDeposit: true,
    };
    let generic = |second: Address, value: u64| {
        let call = swapTokensGenericCall {
            transactionId: Default::default(),
            integrator: String::new(),
            referrer: String::new(),
            receiver: at(USER),
            minAmount: least,
            swapData: vec![step(PAID), step(second)],
        };
        read_as(Protocol::Lifi, value, &call.abi_encode())
    };
    assert_eq!(generic(PAID, 0).map(|swap| swap.amount), Some(Amount::from(2 * AMOUNT)));
    assert_eq!(generic(THIEF, 0), None);
}

proptest! {
    #[test]
    fn no_bytes_behind_a_call_are_accepted(form in 0usize..64, more in prop::collection::vec(any::<u8>(), 5..64)) {
        let forms = forms();
        let (protocol, value, data, _) = &forms[form % forms.len()];
        prop_assert_eq!(read_as(*protocol, *value, &[&data[..], &more].concat()), None);
    }

    #[test]
    fn a_call_that_is_cut_short_is_not_read(form in 0usize..64, cut in any::<prop::sample::Index>()) {
        let forms = forms();
        let (protocol, value, data, _) = &forms[form % forms.len()];
        // 1inch's mark at the end may be cut.
        let end = cut.index(data.len() - 4);
        prop_assert_eq!(read_as(*protocol, *value, &data[..end]), None);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(selector in 0usize..64, noise in prop::collection::vec(any::<u8>(), 0..400)) {
        let forms = forms();
        let (protocol, value, data, _) = &forms[selector % forms.len()];
        let _ = read_as(*protocol, *value, &[&data[..4], &noise].concat());
        let _ = read_as(*protocol, *value, &noise);
    }
}
