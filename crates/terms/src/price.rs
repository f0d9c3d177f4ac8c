//! What one coin is worth.

use crate::Amount;
use crate::amount::AmountError;
use std::str::FromStr;

/// The decimals that are kept of a price; the least of coins are worth a billionth of a dollar.
const DECIMALS: u8 = 12;

/// What one coin is worth in US dollars. Never zero: a coin whose price nobody knows has none, and a test network's coin as well.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Price(Amount);

impl FromStr for Price {
    type Err = AmountError;

    /// Reads plain notation. Decimals beyond the twelfth are cut.
    fn from_str(text: &str) -> Result<Price, AmountError> {
        let end = text.find('.').map_or(text.len(), |point| text.len().min(point + 1 + usize::from(DECIMALS)));
        let price = Amount::from_units(text.get(..end).unwrap_or_default(), DECIMALS)?;
        if price.is_zero() { Err(AmountError::Shape) } else { Ok(Price(price)) }
    }
}

impl Price {
    /// The worth of an amount, for comparing with another worth of the same coin.
    pub fn of(self, amount: Amount) -> Option<Amount> {
        amount.by(self.0)
    }

    /// Reads a number of JSON, in plain notation or with an exponent.
    pub fn from_number(number: &str) -> Option<Price> {
        crate::amount::plain(number).as_deref().unwrap_or(number).parse().ok()
    }

    /// In plain notation.
    pub fn to_units(self) -> String {
        self.0.to_units(DECIMALS)
    }

    /// The worth of an amount of a coin of so many decimals in hundredths of a dollar, cut.
    pub fn cents(self, amount: Amount, decimals: u8) -> Option<Amount> {
        let worth = self.of(amount)?.to_units_fixed(decimals.checked_add(DECIMALS)?, 2);
        Amount::from_units(&worth, 2).ok()
    }

    /// The worth of an amount of a coin of so many decimals in US dollars, exact.
    pub fn worth(self, amount: Amount, decimals: u8) -> Option<String> {
        Some(self.of(amount)?.to_units(decimals.checked_add(DECIMALS)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_read_from_plain_notation_and_zero_is_none() {
        for (text, read) in
            [("3456.78", Some("3456.78")), ("1", Some("1")), ("0.0000000000019", Some("0.000000000001"))]
        {
            assert_eq!(text.parse::<Price>().ok().map(|price| price.0.to_units(DECIMALS)).as_deref(), read);
        }
        for text in ["", "0", "0.00", "0.0000000000001", "1e3", "-1", "NaN", "é", "1.é"] {
            assert!(text.parse::<Price>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_price_is_read_from_a_number_of_json_and_told_in_plain_notation() {
        for (number, told) in [("1e-7", Some("0.0000001")), ("2.5E3", Some("2500")), ("3000.50", Some("3000.5"))] {
            assert_eq!(Price::from_number(number).map(Price::to_units).as_deref(), told);
        }
        for number in ["0", "0e5", "-1", "-1e5", "1e999999999999", "1e-60", "e", ""] {
            assert_eq!(Price::from_number(number), None, "{number}");
        }
    }

    #[test]
    fn worth_in_cents_is_cut() {
        let price: Price = "0.019999".parse().unwrap();
        assert_eq!(price.cents(Amount::from(150u32), 2), Some(Amount::from(2u32)));
        assert_eq!(price.cents(Amount::from_hex(&format!("0x{}", "f".repeat(64))).unwrap(), 18), None);
    }

    #[test]
    fn the_worth_of_an_amount_is_exact() {
        let price: Price = "2000.5".parse().unwrap();
        let amount = Amount::from_units("1.5", 18).unwrap();
        assert_eq!(price.worth(amount, 18).as_deref(), Some("3000.75"));
        assert_eq!(price.worth(Amount::from_hex(&format!("0x{}", "f".repeat(64))).unwrap(), 18), None);
        assert_eq!(price.worth(amount, 255), None);
    }
}
