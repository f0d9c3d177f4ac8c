//! Calls encoded by another library, read here.

use super::*;
use alloy_primitives::{Address as Alloy, Bytes, U256, aliases::U24, aliases::U160};
use alloy_sol_types::{SolCall, SolValue, sol};
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

    function unwrapWETH9(uint256 amountMinimum, address recipient) external payable;
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
        function exactInput(ExactInputParams params) external payable;
        function exactInputSingle(ExactInputSingleParams params) external payable;
        function multicall(bytes[] data) external payable;
    }
}

/// Functions of SwapRouter02.
mod newer {
    alloy_sol_types::sol! {
        struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }
        struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }
        function exactInput(ExactInputParams params) external payable;
        function exactInputSingle(ExactInputSingleParams params) external payable;
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
    DecodedSwap { receiver: USER, from, to, amount, least, deadline, settler: None }
}

fn path(tokens: [Address; 2]) -> Bytes {
    [&tokens[0][..], &[0, 1, 0xf4], &tokens[1]].concat().into()
}

/// One call of each form that is read, with the value sent along and what it does.
fn forms() -> Vec<(Protocol, u64, Vec<u8>, DecodedSwap)> {
    use Protocol::{AllowanceHolder, Lifi, Oneinch, SwapRouter, SwapRouter02, UniswapV2, UniversalRouter};
    let (amount, least, until, user) = (U256::from(AMOUNT), U256::from(LEAST), U256::from(UNTIL), at(USER));
    let row = |tokens: [Address; 2]| tokens.map(at).to_vec();
    let (plain, coin_in, coin_out) = ([PAID, BOUGHT], [WETH, BOUGHT], [PAID, WETH]);
    let dated = |from, to| swapped(from, to, Some(UNTIL));
    let mut forms = vec![
        (
            UniswapV2,
            AMOUNT,
            swapExactETHForTokensCall { amountOutMin: least, path: row(coin_in), to: user, deadline: until }
                .abi_encode(),
            dated(NATIVE, BOUGHT),
        ),
        (
            UniswapV2,
            AMOUNT,
            swapExactETHForTokensSupportingFeeOnTransferTokensCall {
                amountOutMin: least,
                path: row(coin_in),
                to: user,
                deadline: until,
            }
            .abi_encode(),
            dated(NATIVE, BOUGHT),
        ),
    ];
    macro_rules! v2 {
        ($($call:ident $tokens:ident $from:ident $to:ident;)*) => {
            $(forms.push((
                UniswapV2,
                0,
                $call { amountIn: amount, amountOutMin: least, path: row($tokens), to: user, deadline: until }.abi_encode(),
                dated($from, $to),
            ));)*
        };
    }
    v2! {
        swapExactTokensForETHCall coin_out PAID NATIVE;
        swapExactTokensForETHSupportingFeeOnTransferTokensCall coin_out PAID NATIVE;
        swapExactTokensForTokensCall plain PAID BOUGHT;
        swapExactTokensForTokensSupportingFeeOnTransferTokensCall plain PAID BOUGHT;
    }
    let sweep = sweepTokenCall { token: at(BOUGHT), amountMinimum: least, recipient: user }.abi_encode();
    let unwrap = unwrapWETH9Call { amountMinimum: least, recipient: user }.abi_encode();
    let older = |tokens, recipient| {
        let params = older::ExactInputParams {
            path: path(tokens),
            recipient,
            deadline: until,
            amountIn: amount,
            amountOutMinimum: least,
        };
        older::exactInputCall { params }.abi_encode()
    };
    let older_single = older::ExactInputSingleParams {
        tokenIn: at(PAID),
        tokenOut: at(BOUGHT),
        fee: U24::from(500),
        recipient: user,
        deadline: until,
        amountIn: amount,
        amountOutMinimum: least,
        sqrtPriceLimitX96: U160::ZERO,
    };
    let older_batch =
        |one: Vec<u8>, two: &[u8]| older::multicallCall { data: vec![one.into(), two.to_vec().into()] }.abi_encode();
    forms.extend([
        (SwapRouter, 0, older(plain, user), dated(PAID, BOUGHT)),
        (SwapRouter, AMOUNT, older(coin_in, user), dated(NATIVE, BOUGHT)),
        (SwapRouter, 0, older::exactInputSingleCall { params: older_single }.abi_encode(), dated(PAID, BOUGHT)),
        (SwapRouter, 0, older_batch(older(coin_out, Alloy::ZERO), &unwrap), dated(PAID, NATIVE)),
        (SwapRouter, 0, older_batch(older(plain, Alloy::ZERO), &sweep), dated(PAID, BOUGHT)),
    ]);
    let newer = |tokens, recipient| {
        let params =
            newer::ExactInputParams { path: path(tokens), recipient, amountIn: amount, amountOutMinimum: least };
        newer::exactInputCall { params }.abi_encode()
    };
    let newer_single = newer::ExactInputSingleParams {
        tokenIn: at(PAID),
        tokenOut: at(BOUGHT),
        fee: U24::from(500),
        recipient: user,
        amountIn: amount,
        amountOutMinimum: least,
        sqrtPriceLimitX96: U160::ZERO,
    };
    let newer_batch = |calls: Vec<Vec<u8>>| {
        newer::multicallCall { deadline: until, data: calls.into_iter().map(Bytes::from).collect() }.abi_encode()
    };
    let placeholder = |number| at(uniswap::number_address(number));
    forms.extend([
        (SwapRouter02, 0, newer(plain, user), swapped(PAID, BOUGHT, None)),
        (SwapRouter02, 0, newer(plain, placeholder(1)), swapped(PAID, BOUGHT, None)),
        (
            SwapRouter02,
            0,
            newer::exactInputSingleCall { params: newer_single }.abi_encode(),
            swapped(PAID, BOUGHT, None),
        ),
        (SwapRouter02, 0, newer_batch(vec![newer(plain, user)]), dated(PAID, BOUGHT)),
        (SwapRouter02, 0, newer_batch(vec![newer(coin_out, placeholder(2)), unwrap]), dated(PAID, NATIVE)),
        (SwapRouter02, AMOUNT, newer_batch(vec![newer(coin_in, placeholder(2)), sweep]), dated(NATIVE, BOUGHT)),
    ]);
    let run = |steps: Vec<(u8, Vec<u8>)>| {
        let (commands, inputs): (Vec<u8>, Vec<Bytes>) =
            steps.into_iter().map(|(command, input)| (command, Bytes::from(input))).unzip();
        executeCall { commands: commands.into(), inputs, deadline: until }.abi_encode()
    };
    let wrap = (0x0b, (placeholder(2), amount).abi_encode_params());
    let v3_step =
        |receiver: Alloy, tokens, pays: bool| (0x00, (receiver, amount, least, path(tokens), pays).abi_encode_params());
    let v2_step =
        |receiver: Alloy, tokens, pays: bool| (0x08, (receiver, amount, least, row(tokens), pays).abi_encode_params());
    let (unwrap, sweep) =
        ((0x0c, (user, least).abi_encode_params()), (0x04, (at(BOUGHT), placeholder(1), least).abi_encode_params()));
    forms.extend([
        (UniversalRouter, 0, run(vec![v3_step(user, plain, true)]), dated(PAID, BOUGHT)),
        (UniversalRouter, 0, run(vec![v2_step(placeholder(1), plain, true)]), dated(PAID, BOUGHT)),
        (UniversalRouter, AMOUNT, run(vec![wrap.clone(), v2_step(user, coin_in, false)]), dated(NATIVE, BOUGHT)),
        (
            UniversalRouter,
            AMOUNT,
            run(vec![wrap, v3_step(placeholder(2), coin_in, false), sweep]),
            dated(NATIVE, BOUGHT),
        ),
        (UniversalRouter, 0, run(vec![v3_step(placeholder(2), coin_out, true), unwrap]), dated(PAID, NATIVE)),
    ]);
    let step = |from: Alloy, to: Alloy, deposits: bool| SwapData {
        callTo: at([5; 20]),
        approveTo: at([5; 20]),
        sendingAssetId: from,
        receivingAssetId: to,
        fromAmount: amount,
        callData: vec![1, 2, 3].into(),
        requiresDeposit: deposits,
    };
    let (id, integrator, referrer) = (Default::default(), String::from("portico"), String::from("0x"));
    macro_rules! lifi {
        ($($call:ident $least:ident $value:expr, $steps:expr, $from:expr => $to:expr;)*) => {
            $(forms.push((
                Lifi,
                $value,
                $call {
                    transactionId: id,
                    integrator: integrator.clone(),
                    referrer: referrer.clone(),
                    receiver: user,
                    $least: least,
                    swapData: $steps,
                }
                .abi_encode(),
                swapped($from, $to, None),
            ));)*
        };
    }
    let (paid, bought, none) = (at(PAID), at(BOUGHT), Alloy::ZERO);
    lifi! {
        swapTokensGenericCall minAmount 0, vec![step(paid, at(WETH), true), step(at(WETH), bought, false)], PAID => BOUGHT;
        swapTokensGenericCall minAmount AMOUNT, vec![step(none, bought, true)], NATIVE => BOUGHT;
        swapTokensSingleV3ERC20ToERC20Call minAmountOut 0, step(paid, bought, false), PAID => BOUGHT;
        swapTokensSingleV3ERC20ToNativeCall minAmountOut 0, step(paid, none, true), PAID => NATIVE;
        swapTokensSingleV3NativeToERC20Call minAmountOut AMOUNT, step(none, bought, false), NATIVE => BOUGHT;
        swapTokensMultipleV3ERC20ToERC20Call minAmountOut 0, vec![step(paid, bought, true)], PAID => BOUGHT;
        swapTokensMultipleV3ERC20ToNativeCall minAmountOut 0, vec![step(paid, none, true)], PAID => NATIVE;
        swapTokensMultipleV3NativeToERC20Call minAmountOut AMOUNT, vec![step(none, bought, true)], NATIVE => BOUGHT;
    }
    let inner = |to: Address| {
        let slippage = settler::AllowedSlippage { recipient: user, buyToken: at(to), minAmountOut: least };
        let actions = vec![vec![1, 2, 3].into(), Bytes::new()];
        settler::executeCall { slippage, actions, affiliate: Default::default() }.abi_encode()
    };
    let held = |token: Alloy, amount: U256, to: Address| {
        execCall { operator: at([5; 20]), token, amount, target: at([5; 20]), data: inner(to).into() }.abi_encode()
    };
    let by_settler = |swap: DecodedSwap| DecodedSwap { settler: Some([5; 20]), ..swap };
    forms.extend([
        (AllowanceHolder, 0, held(paid, amount, BOUGHT), by_settler(swapped(PAID, BOUGHT, None))),
        (AllowanceHolder, AMOUNT, held(none, U256::ZERO, BOUGHT), by_settler(swapped(NATIVE, BOUGHT, None))),
        (AllowanceHolder, 0, held(paid, amount, NATIVE), by_settler(swapped(PAID, NATIVE, None))),
    ]);
    let described = |from: Alloy, to: Address, receiver: Alloy| {
        let desc = SwapDescription {
            srcToken: from,
            dstToken: at(to),
            srcReceiver: at([5; 20]),
            dstReceiver: receiver,
            amount,
            minReturnAmount: least,
            flags: U256::from(4),
        };
        swapCall { executor: at([5; 20]), desc, data: vec![1, 2, 3].into() }.abi_encode()
    };
    let marked = [described(paid, NATIVE, none), vec![1, 2, 3, 4]].concat();
    forms.extend([
        (Oneinch, 0, described(paid, BOUGHT, user), swapped(PAID, BOUGHT, None)),
        (Oneinch, AMOUNT, described(at(NATIVE), BOUGHT, user), swapped(NATIVE, BOUGHT, None)),
        (Oneinch, 0, marked, swapped(PAID, NATIVE, None)),
    ]);
    forms
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
        DecodedSwap { receiver: USER, from, to, amount, least: amount, deadline: None, settler: None }
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
