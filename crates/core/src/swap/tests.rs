use super::bounds::Bounds;
use super::calls::Call;
use super::quote::{Question, Quote, rate};
use super::slippage::Slippage;
use super::tokens::{Coin, address_of};
use super::{Impact, Target, build, quote, tokens};
use crate::facts::Facts;
use num_bigint::BigUint;
use portico_api::swap::{COIN, SLIPPAGE, SWAP_CHAINS, SwapToken};
use portico_calldata::{Contract, Protocol, hex};
use portico_json::{Value, parse, read_sound, to_text};
use portico_terms::{Amount, ChainId, Network};
use portico_testkit::exchange::{ROUTER, WRAPPED, swap_call};
use proptest::prelude::*;
use std::rc::Rc;

const USER: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const USDC: &str = "0x00000000000000000000000000000000000000c0";
const NOW: u64 = 1_700_000_000_000;

fn coin(symbol: &str, address: &str, decimals: u8) -> Coin {
    Coin { name: symbol.into(), symbol: symbol.into(), address: address.into(), decimals, icon: None }
}

/// 1,000 USDC for coins, or the other way round.
fn question(native: bool) -> Question {
    let (usdc, ether) = (coin("USDC", USDC, 6), coin("ETH", COIN, 18));
    let (from, to) = if native { (ether, usdc) } else { (usdc, ether) };
    Question {
        chain: ChainId::eip155(1),
        address: USER.into(),
        from,
        to,
        amount: Amount::from(1_000_000_000u32),
        typed: Target::SourceToken,
    }
}

fn id(address: &str) -> String {
    format!("eip155:1:{address}")
}

fn told(native: bool) -> String {
    let (from, to) = if native { (COIN, USDC) } else { (USDC, COIN) };
    let spender = if native { "null".into() } else { format!("\"{}\"", id(ROUTER)) };
    format!(
        r#"{{"id":"q1","provider":"onchain","fromAmount":"1000000000","fromAccount":"{}","toAmount":"100000","toAmountMin":"99000","toAccount":"{}","route":[{{"name":"Uniswap V3 0.05%","from":"","to":""}}],"priceImpact":"0.12","fee":"0.05","spender":{spender},"allowance":"0","gas":"180000","expiry":1700000060}}"#,
        id(from),
        id(to)
    )
}

/// Contracts of the chain: the router, and this wrapped coin.
fn contracts(wrapped: &str) -> [Contract; 2] {
    [(Protocol::UniswapV2, ROUTER), (Protocol::WrappedCoin, wrapped)]
        .map(|(protocol, address)| Contract { protocol, address: hex::address(address).unwrap() })
}

/// First quote of a response that matches the question.
fn best(answer: &str, question: &Question) -> Option<Quote> {
    quote::best(read_sound(&parse(answer).ok()?, &mut 0)?, question, &contracts(WRAPPED), NOW)
}

fn read_quote(item: &str, native: bool) -> Option<Quote> {
    best(&format!(r#"{{"quotes":[{item}]}}"#), &question(native))
}

#[test]
fn spec_9_7_and_9_10_the_slippage_is_one_per_cent_and_twelve_chains_are_known_to_swap() {
    assert_eq!(SLIPPAGE, 1);
    assert_eq!(SWAP_CHAINS, [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554]);
}

#[test]
fn a_quote_of_anything_but_what_was_asked_is_none() {
    let good = told(false);
    assert!(read_quote(&good, false).is_some() && read_quote(&told(true), true).is_some());
    for (part, other) in [
        (r#""fromAmount":"1000000000""#, r#""fromAmount":"1000000001""#),
        (r#""fromAmount":"1000000000""#, r#""fromAmount":1000000000"#),
        (r#""toAmount":"100000""#, r#""toAmount":"0""#),
        (r#""toAmount":"100000""#, r#""toAmount":"-1""#),
        (r#""toAmountMin":"99000""#, r#""toAmountMin":"98998""#),
        (r#""toAmountMin":"99000""#, r#""toAmountMin":"0""#),
        (r#""toAmountMin":"99000""#, r#""toAmountMin":"100001""#),
        ("eip155:1:0x00000000000000000000000000000000000000c0", "eip155:10:0x00000000000000000000000000000000000000c0"),
        ("eip155:1:0x00000000000000000000000000000000000000c0", "0x00000000000000000000000000000000000000c0"),
        (COIN, USDC),
        (r#""id":"q1""#, r#""id":7"#),
        (ROUTER, "0x0000000000000000000000000000000000000000"),
        (ROUTER, "0x12"),
        (&format!("\"{}\"", id(ROUTER)), "7"),
    ] {
        assert!(good.contains(part), "{part}");
        assert_eq!(read_quote(&good.replace(part, other), false), None, "{part} -> {other}");
    }
    // A token that does not become the coin needs a spender: only the wrapped coin unwraps itself.
    let nobody = good.replace(&format!("\"{}\"", id(ROUTER)), "null");
    assert_eq!(read_quote(&nobody, false).map(|quote| quote.spender), Some(None));
    let mut pair = question(false);
    pair.to = coin("DAI", ROUTER, 18);
    for (text, found) in [(&good, true), (&nobody, false)] {
        let item = text.replace(&id(COIN), &id(ROUTER));
        assert_eq!(best(&format!(r#"{{"quotes":[{item}]}}"#), &pair).is_some(), found, "{item}");
    }
    // The chain's own coin has no spender.
    assert_eq!(
        read_quote(&told(true).replace("\"spender\":null", &format!("\"spender\":\"{}\"", id(ROUTER))), true),
        None
    );
    for nonsense in ["null", "7", "[]", r#"{"quotes":{}}"#, r#"{"quotes":[null,7,"x",[]]}"#] {
        assert_eq!(best(nonsense, &question(false)), None, "{nonsense}");
    }
}

#[test]
fn the_first_quote_that_can_be_read_counts_and_what_is_only_shown_may_be_missing() {
    let good = told(false);
    let bad = good.replace("\"id\":\"q1\"", "\"id\":null");
    let second = good.replace("q1", "q2").replace(r#""priceImpact":"0.12","fee":"0.05""#, r#""priceImpact":null"#);
    let quote = best(&format!(r#"{{"quotes":[{bad},{second},{good}]}}"#), &question(false)).unwrap();
    assert_eq!((quote.id.as_str(), quote.impact, quote.fee), ("q2", None, None));
    assert_eq!(quote.route, ["Uniswap V3 0.05%"]);
}

#[test]
fn the_impact_of_an_amount_on_its_price_has_three_levels() {
    for (told_impact, level) in [
        ("\"0.12\"", Some(Impact::Low)),
        ("\"2.999\"", Some(Impact::Low)),
        ("\"3\"", Some(Impact::High)),
        ("\"9.99\"", Some(Impact::High)),
        ("\"10.00\"", Some(Impact::Severe)),
        ("\"99\"", Some(Impact::Severe)),
        ("null", None),
        ("\"100.01\"", None),
        ("\"-1\"", None),
        ("\"1e3\"", None),
        ("\"\"", None),
    ] {
        let quote = read_quote(&told(false).replace("\"0.12\"", told_impact), false).unwrap();
        assert_eq!(quote.impact.map(quote::level), level, "{told_impact}");
    }
}

#[test]
fn a_quote_is_asked_for_anew_before_it_expires_and_never_without_a_pause() {
    let quote = read_quote(&told(false), false).unwrap();
    assert_eq!(quote.rest(NOW), 15_000);
    assert_eq!(quote.rest(NOW + 50_000), 8_000);
    assert_eq!(quote.rest(NOW + 70_000), 5_000);
    assert!(!quote.is_over(NOW + 59_999) && quote.is_over(NOW + 60_000));
    // A clock that was set back does not delay the refresh for ever.
    assert_eq!((quote.rest(0), quote.is_over(0)), (15_000, false));
}

fn swaps(native: bool, least: u128) -> String {
    let (from, to) = if native { (COIN, USDC) } else { (USDC, COIN) };
    swap_call(USER, from, to, Some(1_000_000_000), least)
}

fn built(native: bool) -> String {
    let value = if native { "1000000000" } else { "0" };
    format!(
        r#"{{"tx":{{"from":"{}","to":"{}","data":"{}","amount":"1000000000","value":"{value}","eip155":{{"gas":"1","gasPrice":"1"}}}},"toAmountMin":"99000","expiry":1700000060}}"#,
        id(USER),
        id(ROUTER),
        swaps(native, 99_000),
    )
}

/// Bounds of a swap of this amount that brings at least `least`.
fn at_least(least: u32, question: &Question) -> Bounds {
    Bounds { pays: question.amount, brings: Amount::from(least), typed: question.typed }
}

/// Call of a build response, if it passes all checks against this quote.
fn call(answer: &str, question: &Question, quote: &Quote, wrapped: &str) -> Option<Call> {
    let built = read_sound(&parse(answer).unwrap(), &mut 0)?;
    let promised = at_least(99_000, question);
    build::check(built, question, quote, promised, &contracts(wrapped)).map(|(call, _)| call)
}

fn check(answer: &str, native: bool) -> bool {
    call(answer, &question(native), &read_quote(&told(native), native).unwrap(), WRAPPED).is_some()
}

#[test]
fn a_transaction_that_is_not_what_was_quoted_and_promised_is_none() {
    assert!(check(&built(false), false) && check(&built(true), true));
    for native in [false, true] {
        let data = swaps(native, 99_000);
        let other = |from: &str, to: &str| data.replace(from, to);
        let user = &USER[2..].to_lowercase();
        for (part, other) in [
            (id(USER).as_str(), id(ROUTER).as_str()),
            ("eip155:1:0xf39F", "eip155:10:0xf39F"),
            (r#""to":"eip155:1:"#, r#""to":"eip155:10:"#),
            (r#""to":"eip155:1:"#, r#""to":""#),
            (&id(ROUTER), &id(USER)),
            (&id(ROUTER), &id(USDC)),
            (&id(ROUTER), &id(WRAPPED)),
            (&id(ROUTER), &id("0x0000000000000000000000000000000000000000")),
            // Another contract than those of the table.
            (&id(ROUTER), &id("0x00000000000000000000000000000000000000ab")),
            (&data, "0x"),
            (&data, &data[..data.len() - 1]),
            (&data, &data[2..]),
            (&data, &[&data, "00"].concat()),
            (&data, &other(user, &"05".repeat(20))),
            (&data, &other(&USDC[2..], &"05".repeat(20))),
            (&data, &other(&WRAPPED[2..], &"05".repeat(20))),
            (&data, &swaps(native, 98_999)),
            (&data, &swaps(!native, 99_000)),
            (&data, &swap_call(USER, USDC, COIN, Some(1_000_000_001), 99_000)),
            (r#""value":""#, r#""value":"1"#),
            (r#""value":""#, r#""value":"-"#),
        ] {
            let text = built(native);
            assert!(text.contains(part), "{part}");
            assert!(!check(&text.replacen(part, other, 1), native), "{native} {part} -> {other}");
        }
        // The server's own words are not needed, and prove nothing.
        assert!(check(&built(native).replace(r#""toAmountMin":"99000""#, r#""toAmountMin":"1""#), native));
    }
    for nonsense in ["null", "[]", "7", r#"{"tx":7}"#] {
        assert!(!check(nonsense, false), "{nonsense}");
    }
    // Permit2, even as the spender.
    let permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
    let quote = Quote { spender: Some(permit2.into()), ..read_quote(&told(false), false).unwrap() };
    assert!(call(&built(false).replace(ROUTER, permit2), &question(false), &quote, WRAPPED).is_none());
}

#[test]
fn a_quote_whose_spender_is_not_in_the_table_is_none() {
    for spender in [USER, USDC, WRAPPED, "0x00000000000000000000000000000000000000ab"] {
        assert_eq!(read_quote(&told(false).replace(ROUTER, spender), false), None, "{spender}");
    }
}

#[test]
fn the_wrapped_coin_is_wrapped_and_unwrapped_by_itself_alone_and_for_exactly_what_is_paid() {
    let mut quote = read_quote(&told(false), false).unwrap();
    let (wraps, unwraps) = (question(true), question(false));
    let exactly = format!("0x2e1a7d4d{:064x}", 1_000_000_000);
    let passes = |question: &Question, quote: &Quote, to: &str, data: &str| {
        let native = question.from.is_native();
        let answer = built(native).replace(&id(ROUTER), &id(to)).replace(&swaps(native, 99_000), data);
        call(&answer, question, quote, USDC).is_some()
    };
    assert!(!passes(&unwraps, &quote, USDC, &exactly), "who needs a permission is who takes it");
    quote.spender = None;
    assert!(passes(&unwraps, &quote, USDC, &exactly));
    assert!(passes(&wraps, &quote, USDC, "0xd0e30db0"));
    for (to, data) in [
        (ROUTER, exactly.as_str()),
        (ROUTER, &swaps(false, 99_000)),
        (USDC, &swaps(false, 99_000)),
        (USDC, "0x2e1a7d4d"),
        (USDC, "0xd0e30db0"),
        (USDC, &exactly.replace("3b9aca00", "3b9aca01")),
        (USDC, &[&exactly, "00"].concat()),
    ] {
        assert!(!passes(&unwraps, &quote, to, data), "{to} {data}");
    }
    let other = Question { to: coin("DAI", ROUTER, 18), ..question(false) };
    assert!(!passes(&other, &quote, USDC, &exactly), "it becomes another token");
}

#[test]
fn the_order_names_the_quote_and_the_minimum_that_was_shown() {
    let quote = read_quote(&told(false), false).unwrap();
    let question = question(false);
    let promised = at_least(99_500, &question);
    let order = parse(&build::order(&question, &quote, promised, &Slippage::default(), "abc", true)).unwrap();
    for (name, value) in [
        ("projectId", "abc"),
        ("amount", "1000000000"),
        ("from", &id(USDC)),
        ("to", &id(COIN)),
        ("userAddress", &id(USER)),
        ("quoteId", "q1"),
        ("toAmountMin", "99500"),
    ] {
        assert_eq!(order.get(name).as_str(), Some(value), "{name}");
    }
    assert_eq!(order.get("eip155").get("slippage"), &Value::Number("1".into()));
    assert_eq!(order.get("disableEstimate").as_bool(), Some(false));
    // Without the allowance an estimate would fail, whatever is built.
    let order = parse(&build::order(&question, &quote, promised, &Slippage::default(), "abc", false)).unwrap();
    assert_eq!(order.get("disableEstimate").as_bool(), Some(true));
}

#[test]
fn what_is_lost_is_told_in_hundredths_of_a_per_cent_of_what_is_paid() {
    for (paid, received, lost) in [
        ("1000", "970", Some(300)),
        ("1000.00", "999.9", Some(1)),
        ("1000", "999.91", Some(0)),
        ("0.000001", "0.0000005", Some(5_000)),
        ("1000", "0", Some(10_000)),
        // Prices are not that exact.
        ("1000", "1000.5", Some(0)),
        ("0", "1", None),
        ("", "1", None),
        ("1", "-1", None),
        (&"9".repeat(77), "1", None),
    ] {
        assert_eq!(quote::lost(paid, received), lost.map(|lost: u32| Amount::from(lost)), "{paid} {received}");
    }
}

/// Facts with Ethereum, as a host configures it.
fn facts() -> Facts {
    let network = parse(
        r#"{"id":1,"name":"Ethereum","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"rpcUrls":{"default":{"http":["https://rpc.example"]}}}"#,
    );
    Facts { networks: vec![Rc::new(Network::from_host(&network.unwrap()).unwrap())], ..Facts::default() }
}

/// Tokens of a list that can be swapped on Ethereum.
fn usable(answer: &str) -> Option<Vec<Coin>> {
    Some(tokens::usable(read_sound(&parse(answer).unwrap(), &mut 0)?, &ChainId::eip155(1), &facts()))
}

#[test]
fn what_the_coin_is_called_and_how_it_counts_the_host_says_and_no_list() {
    let token = SwapToken { name: "Tether".into(), symbol: "USDT".into(), decimals: 19, ..SwapToken::default() };
    let item = to_text(&SwapToken { address: id(COIN), ..token });
    let list = usable(&format!(r#"{{"tokens":[{item}],"provider":"onchain"}}"#)).unwrap();
    assert_eq!(list, [coin("ETH", COIN, 18)].map(|coin| Coin { name: "Ether".into(), ..coin }));
}

#[test]
fn a_list_that_calls_another_contract_by_a_known_symbol_is_not_believed() {
    let known = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    let token = |symbol: &str, address: &str| {
        format!(
            r#"{{"name":"USD Coin","symbol":"{symbol}","address":"{}","decimals":6,"logoUri":"","eip2612":false}}"#,
            id(address)
        )
    };
    let symbols = |items: &[String]| -> Vec<String> {
        let list = usable(&format!(r#"{{"tokens":[{}],"provider":"onchain"}}"#, items.join(","))).unwrap();
        list.into_iter().map(|coin| coin.symbol).collect()
    };
    // Another contract as USDC and as the chain's own coin, and the contract of USDC as DAI.
    assert_eq!(
        symbols(&[token("USDC", ROUTER), token("usdc", ROUTER), token("ETH", ROUTER), token("DAI", known)]),
        [""; 0]
    );
    // Letters that look the same.
    assert_eq!(symbols(&[token("USDС", ROUTER), token("USDC\u{301}", ROUTER), token("ＵＳＤＣ", ROUTER)]), [""; 0]);
    assert_eq!(symbols(&[token("USDC", known), token("GOLD", ROUTER)]), ["USDC", "GOLD"]);
}

#[test]
fn a_list_keeps_what_can_be_read_each_address_once() {
    let token = |symbol: &str, address: &str, decimals: &str| {
        format!(
            r#"{{"name":"","symbol":"{symbol}","address":"{address}","decimals":{decimals},"logoUri":"","eip2612":false}}"#
        )
    };
    let items = [
        token("ETH", &id(COIN), "18"),
        token("GOLD", &id(USDC), "6"),
        token("TWICE", &id(&USDC.to_uppercase().replace("0X", "0x")), "6"),
        token("", &id(ROUTER), "6"),
        token("FAR", "eip155:10:0x00000000000000000000000000000000000000ab", "6"),
        token("SHORT", "eip155:1:0x12", "6"),
        token("MANY", &id("0x00000000000000000000000000000000000000ac"), "37"),
        token("TEXT", &id("0x00000000000000000000000000000000000000ad"), "\"6\""),
        "7".into(),
    ];
    let list = usable(&format!(r#"{{"tokens":[{}],"provider":"onchain"}}"#, items.join(","))).unwrap();
    let symbols: Vec<&str> = list.iter().map(|coin| coin.symbol.as_str()).collect();
    assert_eq!(symbols, ["ETH", "GOLD"]);
    assert_eq!(list[1].name, "GOLD");
    for nonsense in ["null", "[]", r#"{"tokens":7}"#] {
        assert_eq!(usable(nonsense), None);
    }
}

#[test]
fn a_rate_has_six_digits_that_say_something_and_cents() {
    let amount = |text: &str, decimals| Amount::from_units(text, decimals).unwrap();
    for (paid, received, told) in [
        ("1", "3120.123456", "3120.12"),
        ("3", "1", "0.333333"),
        ("1000000", "0.000001", "0.000000000001"),
        ("1", "1234567", "1234567"),
        ("1", "491446.118407", "491446.11"),
    ] {
        assert_eq!(rate(amount(paid, 18), 18, amount(received, 6), 6).as_deref(), Some(told), "{paid} {received}");
    }
    assert_eq!(rate(Amount::ZERO, 18, amount("1", 6), 6), None);
    let most = Amount::from_hex(&format!("0x{}", "f".repeat(64))).unwrap();
    assert_eq!(rate(most, 36, most, 36), None);
}

#[test]
fn an_amount_keeps_its_cents_and_a_maximum_is_never_less_than_it_is() {
    for (exact, least, most) in [
        ("491446.118407", "491446.11", "491446.12"),
        ("1234567.5", "1234567.5", "1234567.5"),
        ("3899.218407", "3899.21", "3899.22"),
        ("1.250250614", "1.25025", "1.25026"),
        ("0.000012345678", "0.0000123456", "0.0000123457"),
        ("7", "7", "7"),
    ] {
        assert_eq!((quote::significant(exact), quote::significant_above(exact)), (least.into(), most.into()));
    }
}

fn big(amount: Amount) -> BigUint {
    amount.to_string().parse().unwrap()
}

proptest! {
    #[test]
    fn what_is_lost_is_that_of_big_integers(paid in 1u64.., received in 0u64.., places in 0usize..18) {
        let (paid, received) = (Amount::from(paid), Amount::from(received));
        let expected = if received >= paid { BigUint::ZERO } else { (big(paid) - big(received)) * 10_000u32 / big(paid) };
        let text = |amount: Amount| amount.to_units(places as u8);
        prop_assert_eq!(quote::lost(&text(paid), &text(received)).map(big), Some(expected));
    }

    #[test]
    fn a_minimum_is_never_below_what_the_slippage_leaves(expected in 1u64.., less in 0u64..) {
        let minimum = expected.saturating_sub(less % (expected / 50 + 3));
        let item = told(false)
            .replace("\"toAmount\":\"100000\"", &format!("\"toAmount\":\"{expected}\""))
            .replace("\"toAmountMin\":\"99000\"", &format!("\"toAmountMin\":\"{minimum}\""));
        let kept = read_quote(&item, false).is_some();
        // A provider may round down by one, and so may the core.
        let least = BigUint::from(expected) * 99u32;
        let given = BigUint::from(minimum) * 100u32;
        if kept {
            prop_assert!(minimum > 0 && given.clone() + 200u32 >= least, "{minimum} of {expected}");
        }
        if minimum > 0 && given >= least {
            prop_assert!(kept, "{minimum} of {expected}");
        }
    }

    #[test]
    fn no_answer_makes_it_panic(text in ".{0,80}", digits in "[0-9.]{0,90}") {
        for text in [&text, &digits] {
            let item = told(false).replace("99000", &text.replace(['"', '\\'], "")).replace("0.12", &digits);
            let _ = best(&format!(r#"{{"quotes":[{item}]}}"#), &question(false));
            let _ = address_of(text, &ChainId::eip155(1));
        }
    }
}
