//! Transactions that the server built: only the one that was quoted and promised reaches the wallet.

use super::{USDC, USER, coin, contracts, id, question, read_quote, told};
use crate::swap::bounds::Bounds;
use crate::swap::build;
use crate::swap::calls::Call;
use crate::swap::quote::{Question, Quote};
use crate::swap::slippage::Slippage;
use portico_api::swap::COIN;
use portico_json::{Value, parse, read_sound};
use portico_terms::Amount;
use portico_testkit::exchange::{ROUTER, WRAPPED, swap_call};

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
