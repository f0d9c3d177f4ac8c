use alloy_primitives::{U256, U512};
use portico_terms::Amount;
use std::fmt;
use std::str::FromStr;

/// Price or rate: never negative, exact to 18 decimals; further ones are cut off.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Decimal(U256);

/// Error: the text is not a number, or it is too large.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("Use a smaller number")]
pub struct NotDecimal;

const PLACES: usize = 18;

/// Maximum number of digits before the point.
const MOST_DIGITS: usize = 40;

const LONGEST: usize = 100;

impl Decimal {
    pub(crate) const ONE: Decimal = Decimal(U256::from_limbs([1_000_000_000_000_000_000, 0, 0, 0]));

    pub(crate) fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Product, cut to 18 decimals.
    pub(crate) fn by(self, other: Decimal) -> Option<Decimal> {
        narrow(U512::from(self.0) * U512::from(other.0) / U512::from(Decimal::ONE.0))
    }

    /// Quotient, cut to 18 decimals.
    pub(crate) fn over(self, other: Decimal) -> Option<Decimal> {
        narrow((U512::from(self.0) * U512::from(Decimal::ONE.0)).checked_div(U512::from(other.0))?)
    }

    /// Exact value of an amount in the smallest unit, if this is the price of one whole coin.
    pub(crate) fn worth(self, amount: Amount, decimals: u8) -> String {
        let amount: U512 = amount.to_string().parse().unwrap_or_default();
        plain(&(amount * U512::from(self.0)).to_string(), usize::from(decimals) + PLACES)
    }
}

fn narrow(wide: U512) -> Option<Decimal> {
    let limbs: [u64; 4] = wide.as_limbs()[..4].try_into().ok()?;
    (wide >> 256 == U512::ZERO).then_some(Decimal(U256::from_limbs(limbs)))
}

/// Digits with a decimal point `places` from the end, without trailing zeros.
pub(crate) fn plain(digits: &str, places: usize) -> String {
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { whole.into() } else { [whole, ".", fraction].concat() }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&plain(&self.0.to_string(), PLACES))
    }
}

impl FromStr for Decimal {
    type Err = NotDecimal;

    /// Parses a JSON number that is not negative.
    fn from_str(text: &str) -> Result<Decimal, NotDecimal> {
        if text.len() > LONGEST {
            return Err(NotDecimal);
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i64 = exponent.parse().map_err(|_| NotDecimal)?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [whole, fraction].concat();
        if whole.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) || exponent.abs() > LONGEST as i64 {
            return Err(NotDecimal);
        }
        // Position of the point among the digits, moved by the number of stored decimals.
        let end = whole.len() as i64 + exponent + PLACES as i64;
        let end = usize::try_from(end.max(0)).map_err(|_| NotDecimal)?;
        let kept = &digits[..end.min(digits.len())];
        let zeros = "0".repeat(if kept.trim_start_matches('0').is_empty() { 0 } else { end - kept.len() });
        let scaled = [kept, &zeros].concat();
        let scaled = scaled.trim_start_matches('0');
        if scaled.len() > MOST_DIGITS + PLACES {
            return Err(NotDecimal);
        }
        U256::from_str_radix(if scaled.is_empty() { "0" } else { scaled }, 10).map(Decimal).map_err(|_| NotDecimal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_number_is_read_in_every_notation_of_json() {
        for (text, read) in [
            ("0", "0"),
            ("1", "1"),
            ("3456.780", "3456.78"),
            ("1.2e-7", "0.00000012"),
            ("1E+3", "1000"),
            ("0.1234567890123456789", "0.123456789012345678"),
            ("1e-19", "0"),
            ("0e99", "0"),
            ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ] {
            assert_eq!(text.parse::<Decimal>().map(|number| number.to_string()).as_deref(), Ok(read), "{text}");
        }
        for text in
            ["", "-1", "+1", ".5", "1e", "NaN", "Infinity", "0x1", "1,5", "1e41", "1e999999999999", "é", "1.é", " 1"]
        {
            assert_eq!(text.parse::<Decimal>(), Err(NotDecimal), "{text}");
        }
    }

    #[test]
    fn what_an_amount_is_worth_is_exact_however_large() {
        let price: Decimal = "2000.000000000000000001".parse().unwrap();
        let amount = Amount::from_units("1.5", 18).unwrap();
        assert_eq!(price.worth(amount, 18), "3000.0000000000000000015");
        let most = Amount::from_hex(&format!("0x{}", "f".repeat(64))).unwrap();
        assert_eq!(Decimal::ONE.worth(most, 0), most.to_string());
        assert_eq!(Decimal::ONE.worth(Amount::from(1u32), 255).len(), 2 + 255);
    }

    #[test]
    fn rates_are_multiplied_and_divided_and_nothing_is_divided_by_nothing() {
        let number = |text: &str| text.parse::<Decimal>().unwrap();
        assert_eq!(number("2000").by(number("0.92")), Some(number("1840")));
        assert_eq!(number("1").over(number("1.0876")), Some(number("0.919455682236116219")));
        assert_eq!(number("1").over(number("0")), None);
    }

    proptest! {
        #[test]
        fn a_number_survives_its_own_text(whole in 0..u128::MAX, fraction in 0..1_000_000_000_000_000_000u64) {
            let text = format!("{whole}.{fraction:018}");
            let number: Decimal = text.parse().unwrap();
            prop_assert_eq!(number.to_string().parse(), Ok(number));
            let shown = number.to_string();
            prop_assert_eq!(shown.trim_end_matches('.'), text.trim_end_matches('0').trim_end_matches('.'));
        }

        #[test]
        fn a_whole_coin_is_worth_its_price(price in 0..u128::MAX, decimals in 0..60u8) {
            let price: Decimal = price.to_string().parse().unwrap();
            let one = Amount::from_units("1", decimals).unwrap();
            prop_assert_eq!(price.worth(one, decimals), price.to_string());
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,120}") {
            let _ = text.parse::<Decimal>();
        }

        #[test]
        fn no_exponent_makes_it_panic(digits in "[0-9]{1,30}", exponent in any::<i64>()) {
            let _ = format!("{digits}.5e{exponent}").parse::<Decimal>();
        }
    }
}
