use super::*;
use crate::swap::check::{self, tests::order};
use alloy_primitives::address;
use alloy_sol_types::{SolCall, sol};
use portico_json::parse;

sol! {
    struct SwapData {
        address callTo;
        address approveTo;
        address sendingAssetId;
        address receivingAssetId;
        uint256 fromAmount;
        bytes callData;
        bool requiresDeposit;
    }
    function swapTokensGeneric(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmount, SwapData[] swapData) external;
    function swapTokensSingleV3ERC20ToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData swapData) external;
    function swapTokensSingleV3ERC20ToNative(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData swapData) external;
    function swapTokensSingleV3NativeToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData swapData) external;
    function swapTokensMultipleV3ERC20ToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData[] swapData) external;
    function swapTokensMultipleV3ERC20ToNative(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData[] swapData) external;
    function swapTokensMultipleV3NativeToERC20(bytes32 transactionId, string integrator, string referrer, address receiver, uint256 minAmountOut, SwapData[] swapData) external;
}

const USER: Address = address!("f39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
const USDC: Coin = Coin(address!("A0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"));
const DAI: Coin = Coin(address!("6B175474E89094C44Da98b954EedeAC495271d0F"));
const RECORDED: &str = include_str!("../../../../../fixtures/api/lifi/quote.json");
const DIAMOND: Address = address!("1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE");
const NOW: u64 = 1_800_000_000;

fn out() -> U256 {
    U256::from(999_500_000_000_000_000_000_u128)
}

fn usual() -> Order {
    order(USDC, DAI, U256::from(1_000_000_000), USER, Tolerance::USUAL.least(out()))
}

fn with(change: &str, to: &str) -> Result<Option<Found>, Breach> {
    assert!(RECORDED.contains(change), "{change}");
    let order = usual();
    found(&parse(&RECORDED.replace(change, to)).unwrap(), &order.trade, USER, Tolerance::USUAL)
}

fn call(found: &Found) -> Built {
    let plan: Plan = serde_json::from_str(&found.plan).unwrap();
    Built {
        to: plan.to,
        data: hex::decode(plan.data).unwrap(),
        value: plan.value,
        from: Some(plan.from),
        gas: plan.gas,
    }
}

fn looked(built: &Built) -> Result<(), Breach> {
    let routers = Routers { targets: vec![DIAMOND], spenders: vec![DIAMOND] };
    check::built(&usual(), built, read(&usual(), built).as_ref(), &routers, NOW)
}

#[test]
fn a_quote_for_another_swap_is_refused() {
    assert_eq!(
        with("\"fromAmount\": \"1000000000\",\n    \"slippage\"", "\"fromAmount\": \"1000000001\",\n    \"slippage\""),
        Err(Breach::Amount)
    );
    assert_eq!(with("\"toAddress\": \"0xf39F", "\"toAddress\": \"0xe39F"), Err(Breach::Receiver));
    assert_eq!(with("\"from\": \"0xf39F", "\"from\": \"0xe39F"), Err(Breach::Payer));
    assert_eq!(with("\"symbol\": \"DAI\"", "\"symbol\": \"\\u202eIAD\"").unwrap().unwrap().out, out());
    assert_eq!(
        with("0x6B175474E89094C44Da98b954EedeAC495271d0F", "0x0000000000000000000000000000000000000000"),
        Err(Breach::Token)
    );
    assert_eq!(with("\"chainId\": 1\n  }\n}", "\"chainId\": 56\n  }\n}"), Err(Breach::Target));
}

#[test]
fn a_quote_that_makes_no_sense_is_none() {
    for (change, to) in [
        ("\"toAmount\": \"999500000000000000000\"", "\"toAmount\": \"-1\""),
        ("\"toAmount\": \"999500000000000000000\"", "\"toAmount\": \"9.5\""),
        (
            "\"toAmount\": \"999500000000000000000\"",
            "\"toAmount\": \"115792089237316195423570985008687907853269984665640564039457584007913129639936\"",
        ),
        // A minimum above the expected amount, or below the tolerance.
        ("\"toAmountMin\": \"989505000000000000000\"", "\"toAmountMin\": \"999500000000000000001\""),
        ("\"toAmountMin\": \"989505000000000000000\"", "\"toAmountMin\": \"989504999999999999999\""),
        ("\"data\": \"0x4666", "\"data\": \"4666"),
        ("\"value\": \"0x0\"", "\"value\": \"-0x1\""),
        ("\"gasLimit\": \"0x55730\"", "\"gasLimit\": \"0xffffffffffffffffff\""),
    ] {
        let told = with(change, to).unwrap();
        // An invalid gas limit is ignored, because the estimate has one.
        assert_eq!(told.is_none(), !change.contains("gasLimit"), "{to}");
    }
    let order = usual();
    for text in ["{}", "[]", "7", "null", "\"\""] {
        assert_eq!(found(&parse(text).unwrap(), &order.trade, USER, Tolerance::USUAL), Err(Breach::Token), "{text}");
    }
}

#[test]
fn a_transaction_is_read_and_one_that_was_changed_is_refused() {
    let quote = with("\"type\"", "\"type\"").unwrap().unwrap();
    assert_eq!(
        (quote.out, quote.spender, quote.fee.as_deref(), quote.gas),
        (out(), Some(DIAMOND), Some("0.25"), 0x55730)
    );
    let built = call(&quote);
    assert_eq!(looked(&built), Ok(()));
    let text = hex::encode(&built.data);
    let changed = |change: &str, to: &str| {
        assert!(text.contains(change), "{change}");
        looked(&Built { data: hex::decode(text.replacen(change, to, 1)).unwrap(), ..built.clone() })
    };
    assert_eq!(changed("f39fd6e51aad88f6f4ce6ab8827279cfffb92266", &"05".repeat(20)), Err(Breach::Receiver));
    let least = format!("{:064x}", 989_505_000_000_000_000_000_u128);
    assert_eq!(changed(&least, &format!("{:064x}", 989_504_999_999_999_999_999_u128)), Err(Breach::Least));
    assert_eq!(changed(&format!("{:064x}", 1_000_000_000), &format!("{:064x}", 1_000_000_001)), Err(Breach::Amount));
    assert_eq!(changed("a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", &"05".repeat(20)), Err(Breach::Token));
    assert_eq!(changed("6b175474e89094c44da98b954eedeac495271d0f", &"05".repeat(20)), Err(Breach::Token));
    assert_eq!(changed("4666fc80", "12345678"), Err(Breach::Unreadable));
    assert_eq!(looked(&Built { to: Address::repeat_byte(5), ..built.clone() }), Err(Breach::Target));
    assert_eq!(looked(&Built { value: U256::ONE, ..built }), Err(Breach::Value));
}

/// Calldata of a generic swap facet: 1000 of `from` for at least 990 of `to`, the addresses named in its step.
fn facet(selector: &str, from: Address, to: Address) -> Vec<u8> {
    let step = SwapData {
        callTo: Address::repeat_byte(7),
        approveTo: Address::repeat_byte(7),
        sendingAssetId: from,
        receivingAssetId: to,
        fromAmount: U256::from(1_000),
        callData: vec![1, 2, 3].into(),
        requiresDeposit: !from.is_zero(),
    };
    let least = U256::from(990);
    macro_rules! made {
        ($call:ident $least:ident $steps:expr) => {
            $call {
                transactionId: Default::default(),
                integrator: "portico".into(),
                referrer: String::new(),
                receiver: USER,
                $least: least,
                swapData: $steps,
            }
            .abi_encode()
        };
    }
    match selector {
        "swapTokensGeneric" => made!(swapTokensGenericCall minAmount vec![step]),
        "SingleV3ERC20ToERC20" => made!(swapTokensSingleV3ERC20ToERC20Call minAmountOut step),
        "SingleV3ERC20ToNative" => made!(swapTokensSingleV3ERC20ToNativeCall minAmountOut step),
        "SingleV3NativeToERC20" => made!(swapTokensSingleV3NativeToERC20Call minAmountOut step),
        "MultipleV3ERC20ToERC20" => made!(swapTokensMultipleV3ERC20ToERC20Call minAmountOut vec![step]),
        "MultipleV3ERC20ToNative" => made!(swapTokensMultipleV3ERC20ToNativeCall minAmountOut vec![step]),
        _ => made!(swapTokensMultipleV3NativeToERC20Call minAmountOut vec![step]),
    }
}

/// Result of the check of such a call, for an order of 1000 of one token for at least 990 of the other.
fn judged(selector: &str, asked: (Coin, Coin), named: (Address, Address)) -> Result<(), Breach> {
    let amount = U256::from(1_000);
    let order = order(asked.0, asked.1, amount, USER, U256::from(990));
    let value = if asked.0.is_native() { amount } else { U256::ZERO };
    let built = Built { to: DIAMOND, data: facet(selector, named.0, named.1), value, from: Some(USER), gas: None };
    let routers = Routers { targets: vec![DIAMOND], spenders: vec![DIAMOND] };
    check::built(&order, &built, read(&order, &built).as_ref(), &routers, NOW)
}

const COIN: Address = Address::ZERO;

#[test]
fn a_call_for_the_coin_brings_the_coin_whatever_token_it_names() {
    for selector in ["SingleV3ERC20ToNative", "MultipleV3ERC20ToNative"] {
        // 990 wei of the native coin would otherwise pass as 990 of the token.
        assert_eq!(judged(selector, (USDC, DAI), (USDC.0, DAI.0)), Err(Breach::Token), "{selector}");
        assert_eq!(judged(selector, (USDC, Coin::NATIVE), (USDC.0, COIN)), Ok(()), "{selector}");
        assert_eq!(judged(selector, (USDC, Coin::NATIVE), (USDC.0, DAI.0)), Ok(()), "{selector}");
        // The step names no token to take.
        assert_eq!(judged(selector, (Coin::NATIVE, DAI), (COIN, DAI.0)), Err(Breach::Unreadable), "{selector}");
    }
}

#[test]
fn a_call_with_the_coin_pays_the_coin_whatever_token_it_names() {
    for selector in ["SingleV3NativeToERC20", "MultipleV3NativeToERC20"] {
        assert_eq!(judged(selector, (Coin::NATIVE, DAI), (COIN, DAI.0)), Ok(()), "{selector}");
        assert!(judged(selector, (USDC, DAI), (USDC.0, DAI.0)).is_err(), "{selector}");
        assert_eq!(judged(selector, (USDC, DAI), (COIN, DAI.0)), Err(Breach::Token), "{selector}");
        // No token may be taken beside the native coin, and the received asset must be a token.
        assert_eq!(judged(selector, (Coin::NATIVE, DAI), (USDC.0, DAI.0)), Err(Breach::Unreadable), "{selector}");
        assert_eq!(judged(selector, (USDC, Coin::NATIVE), (USDC.0, COIN)), Err(Breach::Unreadable), "{selector}");
    }
}

#[test]
fn a_call_between_tokens_names_two_tokens() {
    for selector in ["SingleV3ERC20ToERC20", "MultipleV3ERC20ToERC20"] {
        assert_eq!(judged(selector, (USDC, DAI), (USDC.0, DAI.0)), Ok(()), "{selector}");
        for named in [(COIN, DAI.0), (USDC.0, COIN), (Coin::NATIVE.0, DAI.0), (USDC.0, Coin::NATIVE.0)] {
            for asked in [(USDC, DAI), (Coin::NATIVE, DAI), (USDC, Coin::NATIVE)] {
                assert_eq!(judged(selector, asked, named), Err(Breach::Unreadable), "{selector} {named:?}");
            }
        }
    }
}

#[test]
fn the_older_call_does_what_its_first_and_last_step_name() {
    let swap = |asked, named| judged("swapTokensGeneric", asked, named);
    assert_eq!(swap((USDC, DAI), (USDC.0, DAI.0)), Ok(()));
    assert_eq!(swap((USDC, Coin::NATIVE), (USDC.0, COIN)), Ok(()));
    assert_eq!(swap((Coin::NATIVE, DAI), (COIN, DAI.0)), Ok(()));
    assert_eq!(swap((USDC, DAI), (USDC.0, COIN)), Err(Breach::Token));
    // The 0xEeee… placeholder of other vendors is neither a token nor the native coin for this contract.
    assert_eq!(swap((USDC, Coin::NATIVE), (USDC.0, Coin::NATIVE.0)), Err(Breach::Unreadable));
}

#[test]
fn bytes_that_hide_something_are_refused() {
    let built = call(&with("\"type\"", "\"type\"").unwrap().unwrap());
    let text = hex::encode(&built.data);
    let with = |text: String| looked(&Built { data: hex::decode(text).unwrap(), ..built.clone() });
    assert_eq!(with(format!("{text}deadbeef")), Err(Breach::Unreadable));
    assert_eq!(with(format!("{text}{}", "00".repeat(32))), Err(Breach::Unreadable));
    let dirty = text.replacen(&format!("{}f39fd6", "00".repeat(12)), &format!("{}f39fd6", "01".repeat(12)), 1);
    assert_ne!(dirty, text);
    assert_eq!(with(dirty), Err(Breach::Unreadable));
}

#[test]
fn shares_of_what_is_kept_are_added() {
    let told = |text: &str| fee(&parse(text).unwrap());
    assert_eq!(told("[]").as_deref(), Some("0"));
    assert_eq!(told(r#"[{"percentage":"0.0025"},{"percentage":0.01}]"#).as_deref(), Some("1.25"));
    for text in
        ["null", "{}", "[{}]", r#"[{"percentage":"-1"}]"#, r#"[{"percentage":"2"}]"#, r#"[{"percentage":"1e30"}]"#]
    {
        assert_eq!(told(text), None, "{text}");
    }
}
