//! Quotes: which of them is believed, when it is asked for anew, and the figures that are shown of it.

use super::{NOW, USDC, USER, best, coin, id, question, read_quote, told};
use crate::swap::Impact;
use crate::swap::quote::{self, rate};
use crate::swap::tokens::address_of;
use num_bigint::BigUint;
use portico_api::swap::COIN;
use portico_terms::{Amount, ChainId};
use portico_testkit::exchange::{ROUTER, WRAPPED};
use proptest::prelude::*;

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

#[test]
fn a_quote_whose_spender_is_not_in_the_table_is_none() {
    for spender in [USER, USDC, WRAPPED, "0x00000000000000000000000000000000000000ab"] {
        assert_eq!(read_quote(&told(false).replace(ROUTER, spender), false), None, "{spender}");
    }
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
