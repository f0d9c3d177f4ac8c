//! One call of each form, encoded by another library.

use super::*;

/// One call of each form that is read, with the value sent along and what it does.
pub fn forms() -> Vec<(Protocol, u64, Vec<u8>, DecodedSwap)> {
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
    forms.extend(exact::forms());
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
