//! Tests of amounts: tables of what people type and what is shown, and a comparison with another library of big numbers.

use super::*;
use num_bigint::BigUint;
use proptest::prelude::*;

#[test]
fn spec_2_10_and_2_11_an_amount_has_three_decimals_and_a_balance_in_a_list_two() {
    let wei = |text: &str| Amount::from_units(text, 18).unwrap();
    for (units, amount, balance) in [
        ("0", "0.000", "0.00"),
        ("1234.56789", "1234.567", "1234.56"),
        ("0.004", "0.004", "<0.01"),
        ("0.000000000000000001", "<0.001", "<0.01"),
    ] {
        let shown = (shown_units(units, AMOUNT_DECIMALS), wei(units).shown_balance(18));
        assert_eq!(shown, (Some(amount.into()), balance.into()));
    }
    assert_eq!(Amount::from(123_456u64).dollars(), "1234.56");
}

#[test]
fn what_people_type_is_read_exactly_or_refused() {
    for (text, wei) in [
        ("1", "1000000000000000000"),
        ("0.5", "500000000000000000"),
        (".5", "500000000000000000"),
        ("1.", "1000000000000000000"),
        ("1,5", "1500000000000000000"),
        ("1,50", "1500000000000000000"),
        ("0,125", "125000000000000000"),
        ("1,0000", "1000000000000000000"),
        (" 2 ", "2000000000000000000"),
        ("0.000000000000000001", "1"),
        ("1.50000000000000000000", "1500000000000000000"),
        ("007", "7000000000000000000"),
    ] {
        assert_eq!(Amount::from_units(text, 18).map(|amount| amount.to_string()).as_deref(), Ok(wei), "{text}");
    }
    for text in
        ["", ".", ",", " ", "-1", "+1", "1e3", "0x1", "1.2.3", "1,000.5", "1,000", "10,125", "1 000", "∞", "١", "NaN"]
    {
        assert_eq!(Amount::from_units(text, 18), Err(AmountError::Shape), "{text}");
    }
    assert_eq!(Amount::from_units("0.0000000000000000001", 18), Err(AmountError::Precision));
    assert_eq!(Amount::from_units(&"9".repeat(80), 18), Err(AmountError::Overflow));
}

#[test]
fn an_amount_is_cut_and_never_rounded_up() {
    let amount = Amount::from_units("1.9999", 18).unwrap();
    assert_eq!(amount.to_units_fixed(18, 3), "1.999");
    assert_eq!(amount.to_units_fixed(18, 0), "1");
    assert_eq!(Amount::ZERO.to_units_fixed(18, 3), "0.000");
    assert_eq!(Amount::from(5u32).to_units_fixed(0, 2), "5.00");
    assert_eq!(amount.to_units(18), "1.9999");
    assert_eq!(Amount::ZERO.to_units(18), "0");
}

#[test]
fn what_is_too_little_for_its_decimals_is_shown_as_less_than_the_least() {
    for (text, shown) in [
        ("1.2399", Some("1.23")),
        ("0", Some("0.00")),
        ("0.000", Some("0.00")),
        ("0.0099", Some("<0.01")),
        ("12", Some("12.00")),
        ("1.", Some("1.00")),
        ("", None),
        (".5", None),
        ("-1", None),
        ("1e3", None),
        ("1,5", None),
        ("1.2.3", None),
        ("\u{661}", None),
    ] {
        assert_eq!(shown_units(text, 2).as_deref(), shown, "{text}");
    }
    assert_eq!(shown_units(&"9".repeat(80), 2), None);
}

#[test]
fn what_has_moved_is_rounded_to_the_nearest() {
    for (text, shown) in [
        ("0.00997", Some("0.010")),
        ("0.0094", Some("0.009")),
        ("1.9995", Some("2.000")),
        ("9.99949", Some("9.999")),
        ("0.0005", Some("0.001")),
        ("0.0004", Some("<0.001")),
        ("0", Some("0.000")),
        ("7", Some("7.000")),
        ("1e3", None),
    ] {
        assert_eq!(nearest_units(text, 3).as_deref(), shown, "{text}");
    }
    let most = Amount::from_hex(&["0x", &"f".repeat(64)].concat()).unwrap();
    assert_eq!(nearest_units(&format!("{most}.9"), 0), None);
}

#[test]
fn a_quantity_that_is_none_is_refused() {
    for text in ["", "0x", "1", "0xg", "0x-1", "10"] {
        assert_eq!(Amount::from_hex(text), Err(AmountError::Shape), "{text}");
    }
    assert_eq!(Amount::from_hex(&format!("0x1{}", "0".repeat(64))), Err(AmountError::Overflow));
    assert_eq!(Amount::from_hex("0x00ff").unwrap().to_hex(), "0xff");
    assert_eq!(Amount::ZERO.to_hex(), "0x0");
}

#[test]
fn a_word_of_calldata_is_read_from_its_most_significant_byte() {
    let word: [u8; 32] = std::array::from_fn(|place| u8::try_from(place + 1).unwrap());
    let hex = "0x102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";
    assert_eq!(Amount::from_be_bytes(word).to_hex(), hex);
    assert_eq!(Amount::from_be_bytes(word).to_be_bytes(), word);
    assert_eq!(Amount::from_be_bytes([0; 32]), Amount::ZERO);
}

fn big(amount: Amount) -> BigUint {
    amount.to_string().parse().unwrap()
}

fn amounts() -> impl Strategy<Value = Amount> {
    (prop::array::uniform8(any::<u32>()), 0..=8usize).prop_map(|(mut limbs, kept)| {
        limbs[kept..].fill(0);
        Amount(limbs)
    })
}

proptest! {
    #[test]
    fn arithmetic_agrees_with_big_integers(one in amounts(), two in amounts(), small in any::<u32>()) {
        let limit = BigUint::from(1u8) << 256;
        let fits = |sum: BigUint| if sum < limit { Some(sum) } else { None };
        prop_assert_eq!(one.plus(two).map(big), fits(big(one) + big(two)));
        prop_assert_eq!(one.times(small).map(big), fits(big(one) * small));
        prop_assert_eq!(one.by(two).map(big), fits(big(one) * big(two)));
        prop_assert_eq!(one.minus(two).map(big), if big(one) >= big(two) { Some(big(one) - big(two)) } else { None });
        prop_assert_eq!(one.cmp(&two), big(one).cmp(&big(two)));
        prop_assert_eq!(one.over(two).map(big), if two.is_zero() { None } else { Some(big(one) / big(two)) });
        if small > 0 {
            let (quotient, rest) = one.divided(small).unwrap();
            prop_assert_eq!((big(quotient), rest), (big(one) / small, (big(one) % small).try_into().unwrap()));
        }
    }

    #[test]
    fn an_amount_survives_every_notation(amount in amounts(), decimals in 0..40u8) {
        prop_assert_eq!(Amount::from_hex(&amount.to_hex()), Ok(amount));
        prop_assert_eq!(amount.to_string().parse(), Ok(amount));
        prop_assert_eq!(Amount::from_units(&amount.to_units(decimals), decimals), Ok(amount));
        let hex = format!("{:x}", big(amount));
        prop_assert_eq!(amount.to_hex(), format!("0x{hex}"));
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,90}", decimals in any::<u8>()) {
        let _ = Amount::from_units(&text, decimals);
        let _ = Amount::from_hex(&text);
        let _ = text.parse::<Amount>();
    }
}
