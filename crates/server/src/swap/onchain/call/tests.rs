use super::*;
use crate::config::V3;
use crate::swap::check::{self, tests::order};
use crate::swap::trade::{Coin, Routers};
use alloy_primitives::hex;
use proptest::prelude::*;

const NOW: u64 = 1_800_000_000;

fn at(byte: u8) -> Address {
    Address::repeat_byte(byte)
}

fn exchange() -> Exchange {
    Exchange {
        name: "Uniswap".into(),
        wrapped: at(1),
        v2_router: Some(at(2)),
        v3: Some(V3 { quoter: at(3), router: at(4) }),
        bases: Vec::new(),
        fee_tiers: vec![500, 3_000],
    }
}

fn routers() -> Routers {
    Routers { targets: vec![at(1), at(2), at(4)], spenders: vec![at(2), at(4)] }
}

fn hexed(data: &[u8]) -> String {
    hex::encode(data)
}

/// Pads hex to a 32-byte word of calldata.
fn padded(text: &str) -> String {
    format!("{text:0>64}")
}

#[test]
fn calls_have_the_selectors_that_the_contracts_publish() {
    // From verified contracts on Ethereum: 0x7a25… (UniswapV2Router02), 0x68b3… (SwapRouter02), 0x61ff… (QuoterV2), WETH9.
    assert_eq!(hexed(&getAmountsOutCall::SELECTOR), "d06ca61f");
    assert_eq!(hexed(&getAmountsInCall::SELECTOR), "1f00ca74");
    assert_eq!(hexed(&swapETHForExactTokensCall::SELECTOR), "fb3bdb41");
    assert_eq!(hexed(&swapTokensForExactETHCall::SELECTOR), "4a25d94a");
    assert_eq!(hexed(&swapTokensForExactTokensCall::SELECTOR), "8803dbee");
    assert_eq!(hexed(&quoteExactOutputCall::SELECTOR), "2f80bb1d");
    assert_eq!(hexed(&exactOutputCall::SELECTOR), "09b81346");
    assert_eq!(hexed(&refundETHCall::SELECTOR), "12210e8a");
    assert_eq!(hexed(&swapExactETHForTokensSupportingFeeOnTransferTokensCall::SELECTOR), "b6f9de95");
    assert_eq!(hexed(&swapExactTokensForETHSupportingFeeOnTransferTokensCall::SELECTOR), "791ac947");
    assert_eq!(hexed(&swapExactTokensForTokensSupportingFeeOnTransferTokensCall::SELECTOR), "5c11d795");
    assert_eq!(hexed(&quoteExactInputCall::SELECTOR), "cdca1753");
    assert_eq!(hexed(&exactInputCall::SELECTOR), "b858183f");
    assert_eq!(hexed(&unwrapWETH9Call::SELECTOR), "49404b7c");
    assert_eq!(hexed(&sweepTokenCall::SELECTOR), "df2ab5bb");
    assert_eq!(hexed(&multicallCall::SELECTOR), "5ae401dc");
    assert_eq!((hexed(&depositCall::SELECTOR), hexed(&withdrawCall::SELECTOR)), ("d0e30db0".into(), "2e1a7d4d".into()));
}

#[test]
fn a_path_of_v3_has_a_fee_of_three_bytes_between_its_tokens() {
    let path = packed(&[at(0xaa), at(0xbb), at(0xcc)], &[500, 10_000]);
    assert_eq!(
        hexed(&path),
        ["aa".repeat(20).as_str(), "0001f4", &"bb".repeat(20), "002710", &"cc".repeat(20)].concat()
    );
}

#[test]
fn a_swap_of_v2_is_the_call_that_counts_what_arrives() {
    let order = order(Coin(at(0xaa)), Coin(at(0xbb)), U256::from(1_000), at(9), U256::from(990));
    let way = OnchainRoute::V2 { path: vec![at(0xaa), at(0xbb)] };
    let built = swap(&exchange(), &way, &order).unwrap();
    let words = [
        padded("3e8"),
        padded("3de"),
        padded("a0"),
        padded(&"09".repeat(20)),
        padded(&format!("{:x}", NOW + 1200)),
        padded("2"),
        padded(&"aa".repeat(20)),
        padded(&"bb".repeat(20)),
    ];
    assert_eq!(hexed(&built.data), ["5c11d795".to_owned(), words.concat()].concat());
    assert_eq!((built.to, built.value), (at(2), U256::ZERO));
}

#[test]
fn what_a_pool_answers_is_read_only_where_it_is_about_what_was_asked() {
    let (amount, out) = (U256::from(7), U256::from(9));
    let v2 = OnchainRoute::V2 { path: vec![at(0xaa), at(0xbb)] };
    let amounts = |amounts: Vec<U256>| getAmountsOutCall::abi_encode_returns(&amounts);
    let (pay, receive) = (Asked::Pay(amount), Asked::Receive(out));
    let offer = Offer { paid: amount, out, gas: V2_GAS };
    assert_eq!(quoted(&v2, &amounts(vec![amount, out]), pay), Some(offer));
    assert_eq!(quoted(&v2, &amounts(vec![amount, out]), receive), Some(offer));
    for wrong in [vec![], vec![amount], vec![out, out], vec![amount, out, out]] {
        assert_eq!(quoted(&v2, &amounts(wrong), pay), None);
    }
    for wrong in [vec![], vec![out], vec![amount, amount], vec![amount, amount, out]] {
        assert_eq!(quoted(&v2, &amounts(wrong), receive), None);
    }
    let v3 = OnchainRoute::V3 { path: vec![at(0xaa), at(0xbb)], fees: vec![500] };
    let told = |gas: U256| {
        let told = quoteExactInputReturn {
            amountOut: out,
            sqrtPriceX96AfterList: Vec::new(),
            initializedTicksCrossedList: Vec::new(),
            gasEstimate: gas,
        };
        quoted(&v3, &quoteExactInputCall::abi_encode_returns(&told), pay)
    };
    assert_eq!(told(U256::from(80_000)), Some(Offer { paid: amount, out, gas: 80_000 + V3_GAS }));
    let told_in = quoteExactOutputReturn {
        amountIn: amount,
        sqrtPriceX96AfterList: Vec::new(),
        initializedTicksCrossedList: Vec::new(),
        gasEstimate: U256::from(80_000),
    };
    let bytes = quoteExactOutputCall::abi_encode_returns(&told_in);
    assert_eq!(quoted(&v3, &bytes, receive), Some(Offer { paid: amount, out, gas: 80_000 + V3_GAS }));
    assert_eq!((told(U256::MAX), told(U256::from(MOST_GAS))), (None, None));
    for nonsense in [&[][..], &[0; 31], &[0xff; 64]] {
        assert_eq!((quoted(&v2, nonsense, pay), quoted(&v3, nonsense, receive)), (None, None));
    }
}

/// Every kind of swap, with its route.
fn kinds() -> Vec<(Coin, Coin, OnchainRoute)> {
    let (token, other, coin, wrapped) = (Coin(at(0xaa)), Coin(at(0xbb)), Coin::NATIVE, Coin(at(1)));
    let v2 = |path: &[u8]| OnchainRoute::V2 { path: path.iter().copied().map(at).collect() };
    let v3 = |path: &[u8], fees: &[u32]| OnchainRoute::V3 {
        path: path.iter().copied().map(at).collect(),
        fees: fees.to_vec(),
    };
    vec![
        (coin, wrapped, OnchainRoute::Wrap),
        (wrapped, coin, OnchainRoute::Unwrap),
        (coin, token, v2(&[1, 0xaa])),
        (token, coin, v2(&[0xaa, 1])),
        (token, other, v2(&[0xaa, 1, 0xbb])),
        (token, wrapped, v2(&[0xaa, 1])),
        (coin, token, v3(&[1, 0xaa], &[500])),
        (token, coin, v3(&[0xaa, 1], &[3_000])),
        (token, other, v3(&[0xaa, 1, 0xbb], &[500, 3_000])),
        (wrapped, token, v3(&[1, 0xaa], &[500])),
    ]
}

#[test]
fn every_kind_of_swap_passes_the_look_at_it() {
    for (from, to, way) in kinds() {
        // Wrap and unwrap are one for one and have no slippage.
        let least = if matches!(way, OnchainRoute::Wrap | OnchainRoute::Unwrap) { 1_000 } else { 990 };
        let order = order(from, to, U256::from(1_000), at(9), U256::from(least));
        let built = swap(&exchange(), &way, &order).unwrap();
        let said = read(&exchange(), &order, &built);
        assert_eq!(check::built(&order, &built, said.as_ref(), &routers(), NOW), Ok(()), "{way:?}");
    }
}

/// Order of 1,000 units of `to`, for 1,010 units of `from` at most; wrapping is one for one.
fn exact(from: Coin, to: Coin, way: &OnchainRoute) -> Order {
    let wraps = matches!(way, OnchainRoute::Wrap | OnchainRoute::Unwrap);
    let (amount, most) = (U256::from(1_000), if wraps { 1_000 } else { 1_010 });
    let mut order = order(from, to, amount, at(9), amount);
    (order.trade.exact_out, order.most) = (true, U256::from(most));
    order
}

#[test]
fn spec_9_7_every_kind_of_swap_for_an_exact_amount_to_receive_passes_the_look_at_it() {
    for (from, to, way) in kinds() {
        let order = exact(from, to, &way);
        let built = swap(&exchange(), &way, &order).unwrap();
        let said = read(&exchange(), &order, &built).unwrap();
        assert_eq!(check::built(&order, &built, Some(&said), &routers(), NOW), Ok(()), "{way:?}");
        assert_eq!((said.amount, said.least), (order.most, order.trade.amount), "{way:?}");
    }
}

#[test]
fn a_call_that_keeps_the_other_amount_exactly_is_refused() {
    for (from, to, way) in
        kinds().into_iter().filter(|(.., way)| !matches!(way, OnchainRoute::Wrap | OnchainRoute::Unwrap))
    {
        let exact = exact(from, to, &way);
        let usual = order(from, to, U256::from(1_010), at(9), U256::from(1_000));
        for (asked, other) in [(&exact, &usual), (&usual, &exact)] {
            let built = swap(&exchange(), &way, other).unwrap();
            let said = read(&exchange(), asked, &built);
            assert_eq!(
                check::built(asked, &built, said.as_ref(), &routers(), NOW),
                Err(check::Breach::Exact),
                "{way:?}"
            );
        }
    }
}

#[test]
fn a_path_for_an_exact_amount_to_receive_begins_with_the_token_that_is_received() {
    let path = backwards(&[at(0xaa), at(0xbb), at(0xcc)], &[500, 10_000]);
    assert_eq!(
        hexed(&path),
        ["cc".repeat(20).as_str(), "002710", &"bb".repeat(20), "0001f4", &"aa".repeat(20)].concat()
    );
}

#[test]
fn a_call_that_hides_something_is_not_read() {
    let (token, coin) = (Coin(at(0xaa)), Coin::NATIVE);
    let order = order(token, coin, U256::from(1_000), at(9), U256::from(990));
    let way = OnchainRoute::V3 { path: vec![at(0xaa), at(1)], fees: vec![500] };
    let built = swap(&exchange(), &way, &order).unwrap();
    // Trailing bytes.
    let longer = Built { data: [&built.data[..], &[0; 32]].concat(), ..built.clone() };
    assert_eq!(read(&exchange(), &order, &longer), None);
    // A V3 call to the V2 router.
    assert_eq!(read(&exchange(), &order, &Built { to: at(2), ..built.clone() }), None);
    // A third inner call, or unwrapping to another recipient.
    let call = multicallCall::abi_decode(&built.data).unwrap();
    let with = |data: Vec<Bytes>| {
        let data = multicallCall { data, ..call.clone() }.abi_encode();
        read(&exchange(), &order, &Built { data, ..built.clone() })
    };
    let thief = Bytes::from(unwrapWETH9Call { amountMinimum: U256::ZERO, recipient: at(5) }.abi_encode());
    assert_eq!(with(vec![call.data[0].clone(), thief.clone(), call.data[1].clone()]), None);
    assert_eq!(with(vec![thief.clone()]), None);
    let stolen = with(vec![call.data[0].clone(), thief]).unwrap();
    assert_eq!((stolen.receiver, stolen.least), (at(5), U256::ZERO));
    // Without the unwrapping the coin stays in the router; a sweep must be of the bought token.
    assert_eq!(with(vec![call.data[0].clone()]), None);
    let sweep = |token| sweepTokenCall { token, amountMinimum: U256::from(990), recipient: at(9) }.abi_encode();
    assert_eq!(with(vec![call.data[0].clone(), sweep(at(0xbb)).into()]), None);
    assert_eq!(with(vec![call.data[0].clone(), sweep(at(1)).into()]).unwrap().to, Coin(at(1)));
}

/// A call with one bit flipped, as it is read, if it still passes the check.
fn flipped(way: &OnchainRoute, order: &Order, place: prop::sample::Index, bit: u8) -> Option<DecodedSwap> {
    let mut built = swap(&exchange(), way, order).unwrap();
    let place = place.index(built.data.len());
    built.data[place] ^= 1 << bit;
    let said = read(&exchange(), order, &built);
    check::built(order, &built, said.as_ref(), &routers(), NOW).ok().and(said)
}

proptest! {
    #[test]
    fn spec_9_7_a_changed_call_for_an_exact_amount_is_refused_or_is_the_same_swap(kind in 0..10usize, place in any::<prop::sample::Index>(), bit in 0..8u8) {
        let (from, to, way) = kinds().remove(kind);
        let order = exact(from, to, &way);
        if let Some(said) = flipped(&way, &order, place, bit) {
            prop_assert_eq!((said.receiver, said.least), (at(9), U256::from(1_000)));
            prop_assert_eq!((said.from, said.to), (from, to));
            prop_assert!(said.amount <= order.most && said.deadline.is_none_or(|deadline| deadline <= NOW + 3600));
        }
    }

    /// With any bit of a call flipped, a call that still passes pays the user, takes the exact amount and keeps the minimum.
    #[test]
    fn spec_9_7_a_changed_call_is_refused_or_is_the_same_swap(kind in 0..10usize, place in any::<prop::sample::Index>(), bit in 0..8u8) {
        let (from, to, way) = kinds().remove(kind);
        let order = order(from, to, U256::from(1_000), at(9), U256::from(990));
        if let Some(said) = flipped(&way, &order, place, bit) {
            prop_assert_eq!((said.receiver, said.amount), (at(9), U256::from(1_000)));
            prop_assert_eq!((said.from, said.to), (from, to));
            prop_assert!(said.least >= U256::from(990) && said.deadline.is_none_or(|deadline| deadline <= NOW + 3600));
        }
    }

    #[test]
    fn no_bytes_make_it_panic(data in prop::collection::vec(any::<u8>(), 0..600), target in 0u8..5, kind in 0..8usize) {
        let order = order(Coin(at(0xaa)), Coin::NATIVE, U256::from(1_000), at(9), U256::from(990));
        let selectors = [
            swapExactETHForTokensSupportingFeeOnTransferTokensCall::SELECTOR,
            swapExactTokensForETHSupportingFeeOnTransferTokensCall::SELECTOR,
            swapExactTokensForTokensSupportingFeeOnTransferTokensCall::SELECTOR,
            multicallCall::SELECTOR,
            withdrawCall::SELECTOR,
            depositCall::SELECTOR,
            exactInputCall::SELECTOR,
            [0; 4],
        ];
        let data = [&selectors[kind][..], &data].concat();
        let _ = read(&exchange(), &order, &Built { to: at(target), data, value: U256::ZERO, from: None, gas: None });
    }
}
