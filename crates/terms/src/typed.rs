//! Amounts as people type and paste them. Ambiguous text is rejected, so that no visitor pays a thousand times the intended amount.

use crate::Amount;
use crate::amount::AmountError;

/// Error for a text that is not an amount.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TypedError {
    /// The text is empty.
    Missing,
    /// Not a number, or its separators contradict each other.
    Shape,
    /// The text has a sign.
    Signed,
    /// The text has an exponent.
    Exponent,
    /// Ambiguous, such as `1,000`: a thousand to some, and one to others.
    Ambiguous,
    /// More decimals than the coin has; amounts are never rounded.
    Precision,
    /// The amount exceeds 256 bits.
    Overflow,
}

/// Meaning of a character in an amount.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Sign {
    Digit(u8),
    Point,
    Comma,
    /// Space of any width.
    Space,
    Apostrophe,
    ArabicPoint,
    ArabicComma,
}

fn sign_of(letter: char) -> Option<Sign> {
    let digit = |zero: char| Sign::Digit((letter as u32 - zero as u32) as u8);
    Some(match letter {
        '0'..='9' => digit('0'),
        // Digits of Arabic, Persian and full-width keyboards.
        '\u{660}'..='\u{669}' => digit('\u{660}'),
        '\u{6f0}'..='\u{6f9}' => digit('\u{6f0}'),
        '\u{ff10}'..='\u{ff19}' => digit('\u{ff10}'),
        '.' | '\u{ff0e}' => Sign::Point,
        ',' | '\u{ff0c}' => Sign::Comma,
        ' ' | '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{202f}' => Sign::Space,
        '\'' | '\u{2019}' => Sign::Apostrophe,
        '\u{66b}' => Sign::ArabicPoint,
        '\u{66c}' => Sign::ArabicComma,
        _ => return None,
    })
}

/// Whether a character is invisible: white space or a mark that a page puts around a number to fix its direction. Overrides of the
/// direction do not count, since the field would then display other digits than are read.
fn is_unseen(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Reads an amount of a coin with this number of decimals: `1234.5`, `1234,5`, `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`, `12,34,567`,
/// `.5`, `1.`, also in the digits of Arabic, Persian and full-width keyboards.
pub fn read(text: &str, decimals: u8) -> Result<Amount, TypedError> {
    let text = text.trim_matches(is_unseen);
    let Some(first) = text.chars().next() else { return Err(TypedError::Missing) };
    if matches!(first, '-' | '+' | '\u{2212}' | '\u{2013}' | '\u{2014}') {
        return Err(TypedError::Signed);
    }
    let mut signs = Vec::new();
    for letter in text.chars() {
        match sign_of(letter) {
            Some(sign) => signs.push(sign),
            None if matches!(letter, 'e' | 'E') && matches!(signs.last(), Some(Sign::Digit(_) | Sign::Point)) => {
                return Err(TypedError::Exponent);
            }
            None => return Err(TypedError::Shape),
        }
    }
    let point = decimal_sign(&signs)?;
    let (whole, fraction) = point.map_or((&signs[..], &[][..]), |at| (&signs[..at], &signs[at + 1..]));
    let mut plain = digits_of_groups(whole)?;
    if plain.is_empty() && fraction.is_empty() {
        return Err(TypedError::Shape);
    }
    plain.push('.');
    for sign in fraction {
        let Sign::Digit(digit) = sign else { return Err(TypedError::Shape) };
        plain.push(char::from(b'0' + digit));
    }
    Amount::from_units(&plain, decimals).map_err(|error| match error {
        AmountError::Overflow => TypedError::Overflow,
        AmountError::Precision => TypedError::Precision,
        AmountError::Shape => TypedError::Shape,
    })
}

/// Finds the position of the decimal sign, if there is one.
fn decimal_sign(signs: &[Sign]) -> Result<Option<usize>, TypedError> {
    let is_digit = |sign: &Sign| matches!(sign, Sign::Digit(_));
    let Some(last) = signs.iter().rposition(|sign| !is_digit(sign)) else { return Ok(None) };
    let sign = signs[last];
    if !matches!(sign, Sign::Point | Sign::Comma | Sign::ArabicPoint) {
        return Ok(None);
    }
    let same = signs.iter().filter(|other| **other == sign).count();
    let grouped = signs[..last].iter().any(|other| !is_digit(other) && *other != sign);
    if same > 1 {
        // `1,234,567` has only group separators; in `1,234.567.890` the separators contradict each other.
        return if grouped { Err(TypedError::Shape) } else { Ok(None) };
    }
    // A point is how the widget itself writes decimals. A single comma before three digits is ambiguous if there is no other separator.
    let whole = &signs[..last];
    let thousands = signs.len() - last - 1 == 3 && (1..=3).contains(&whole.len()) && whole[0] != Sign::Digit(0);
    if sign == Sign::Comma && !grouped && thousands { Err(TypedError::Ambiguous) } else { Ok(Some(last)) }
}

/// Digits before the decimal sign: in groups with one kind of separator, or without groups.
fn digits_of_groups(signs: &[Sign]) -> Result<String, TypedError> {
    let mut groups = vec![String::new()];
    let mut separator = None;
    for sign in signs {
        match sign {
            Sign::Digit(digit) => {
                if let Some(group) = groups.last_mut() {
                    group.push(char::from(b'0' + digit));
                }
            }
            Sign::ArabicPoint => return Err(TypedError::Shape),
            sign if separator.is_none_or(|known| known == *sign) => {
                separator = Some(*sign);
                groups.push(String::new());
            }
            _ => return Err(TypedError::Shape),
        }
    }
    if let [first, middle @ .., last] = groups.as_slice()
        && separator.is_some()
    {
        // Groups of three, or as in India of two except for the last.
        let width = middle.first().map_or(3, String::len);
        let even = middle.iter().all(|group| group.len() == width) && last.len() == 3 && (2..=3).contains(&width);
        if !even || first.is_empty() || first.len() > width || first.starts_with('0') {
            return Err(TypedError::Shape);
        }
    }
    Ok(groups.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn told(text: &str) -> Result<String, TypedError> {
        read(text, 6).map(|amount| amount.to_units(6))
    }

    #[test]
    fn what_is_no_amount_is_refused_with_its_reason() {
        use TypedError::{Ambiguous, Exponent, Missing, Overflow, Precision, Shape, Signed};
        for (text, error) in [
            ("", Missing),
            ("  ", Missing),
            ("\u{200e}\u{feff}", Missing),
            ("-1", Signed),
            ("+1", Signed),
            ("\u{2212}1", Signed),
            ("1e3", Exponent),
            ("1.5E-7", Exponent),
            ("1.e3", Exponent),
            ("e3", Shape),
            ("1,000", Ambiguous),
            ("12,345", Ambiguous),
            ("123,456", Ambiguous),
            (".", Shape),
            (",", Shape),
            ("'", Shape),
            ("0x10", Shape),
            ("1.2.3", Shape),
            ("1,2,3", Shape),
            ("1,234.567,8", Shape),
            ("1.234,567.8", Shape),
            ("1,234.567.890", Shape),
            ("1,23.5", Shape),
            ("1234,567.5", Shape),
            (",123.5", Shape),
            ("0,123,456", Shape),
            ("1 2", Shape),
            ("1 234'567", Shape),
            ("1  234", Shape),
            ("1.234 5", Shape),
            ("1 23", Shape),
            ("12,3,456", Shape),
            ("1,2345,678", Shape),
            ("$1", Shape),
            ("1 ETH", Shape),
            ("1-2", Shape),
            ("1\u{200d}2", Shape),
            ("\u{202e}5.1", Shape),
            ("\u{202d}1.5", Shape),
            ("∞", Shape),
            ("NaN", Shape),
            ("½", Shape),
            ("1\u{66c}5", Shape),
            ("0.0000001", Precision),
            ("1,0000001", Precision),
        ] {
            assert_eq!(told(text), Err(error), "{text:?}");
        }
        assert_eq!(told(&"9".repeat(80)), Err(Overflow));
        assert_eq!(told(&"0".repeat(80)), Ok("0".into()));
    }

    #[test]
    fn every_notation_that_can_be_read_in_one_way_is_read() {
        for (text, amount) in [
            ("1", "1"),
            ("007", "7"),
            (".5", "0.5"),
            (",5", "0.5"),
            ("5.", "5"),
            ("1.5", "1.5"),
            ("1,5", "1.5"),
            ("1.234", "1.234"),
            ("0,123", "0.123"),
            (",123", "0.123"),
            ("1234,567", "1234.567"),
            ("1,2345", "1.2345"),
            ("1,234.5", "1234.5"),
            ("1.234,5", "1234.5"),
            ("1,234,567", "1234567"),
            ("1.234.567", "1234567"),
            ("12,34,567.25", "1234567.25"),
            ("1 234", "1234"),
            ("1\u{202f}234,567", "1234.567"),
            ("1\u{a0}234.5", "1234.5"),
            ("1'234'567.5", "1234567.5"),
            ("1\u{2019}234,5", "1234.5"),
            (" \u{200e}1.5\u{200f}\n", "1.5"),
            ("\u{661}\u{66c}\u{662}\u{663}\u{664}\u{66b}\u{665}", "1234.5"),
            ("\u{6f1}\u{66b}\u{6f5}", "1.5"),
            ("\u{ff11}\u{ff0e}\u{ff15}", "1.5"),
            ("1.5000000000000000000000000000000000000000", "1.5"),
        ] {
            assert_eq!(told(text).as_deref(), Ok(amount), "{text:?}");
        }
    }

    /// Writes a whole number in groups of three digits.
    fn grouped(digits: &str, separator: &str) -> String {
        let mut out = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                out.push_str(separator);
            }
            out.push(digit);
        }
        out
    }

    proptest! {
        #[test]
        fn an_amount_written_in_any_country_is_the_amount_that_was_meant(
            whole in 1_000u128.., fraction in "[0-9]{0,9}", style in 0..5usize
        ) {
            let (separator, point) = [(",", "."), (".", ","), (" ", ","), ("'", "."), ("\u{202f}", ",")][style];
            let text = [&grouped(&whole.to_string(), separator), point, &fraction].concat();
            // An empty fraction leaves a trailing decimal sign, which is accepted too.
            let meant: BigUint = format!("{whole}{fraction:0<9}").parse().unwrap();
            let amount = read(&text, 9).unwrap();
            prop_assert_eq!(amount.to_string().parse::<BigUint>().unwrap(), meant, "{}", text);
        }

        #[test]
        fn what_is_read_has_the_digits_that_were_typed_and_no_others(text in "[0-9., ']{0,30}", decimals in 0..30u8) {
            let Ok(amount) = read(&text, decimals) else { return Ok(()) };
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            let typed: BigUint = if digits.is_empty() { BigUint::default() } else { digits.parse().unwrap() };
            let amount: BigUint = amount.to_string().parse().unwrap();
            // The amount equals the typed digits with the decimal sign at some place.
            let places = 0..=digits.len() as u32;
            let scale = BigUint::from(10u8).pow(decimals.into());
            prop_assert!(places.into_iter().any(|place| &amount * BigUint::from(10u8).pow(place) == &typed * &scale));
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,90}", decimals in any::<u8>()) {
            let _ = read(&text, decimals);
        }
    }
}
