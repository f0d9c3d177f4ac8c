//! Price of one coin.

use crate::Amount;
use crate::amount::AmountError;
use std::str::FromStr;

/// Number of decimals stored of a price; the cheapest coins are worth a billionth of a dollar.
const DECIMALS: u8 = 12;

/// Price of one coin in US dollars. Never zero: a coin without a known price has no `Price`, nor has the coin of a test network.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Price(Amount);

impl FromStr for Price {
    type Err = AmountError;

    /// Reads plain notation. Decimals after the twelfth are cut.
    fn from_str(text: &str) -> Result<Price, AmountError> {
        let end = text.find('.').map_or(text.len(), |point| text.len().min(point + 1 + usize::from(DECIMALS)));
        let price = Amount::from_units(text.get(..end).unwrap_or_default(), DECIMALS)?;
        if price.is_zero() { Err(AmountError::Shape) } else { Ok(Price(price)) }
    }
}

impl Price {
    /// Value of an amount, only for comparison with another value of the same coin.
    pub fn of(self, amount: Amount) -> Option<Amount> {
        amount.by(self.0)
    }

    /// Reads a JSON number, in plain notation or with an exponent.
    pub fn from_number(number: &str) -> Option<Price> {
        crate::amount::plain(number).as_deref().unwrap_or(number).parse().ok()
    }

    /// Writes the price in plain notation.
    pub fn to_units(self) -> String {
        self.0.to_units(DECIMALS)
    }

    /// Value of an amount in US cents, rounded to the nearest; `decimals` are those of the coin.
    pub fn nearest_cents(self, amount: Amount, decimals: u8) -> Option<Amount> {
        let scale = decimals.checked_add(DECIMALS)?;
        let half = (0..scale.checked_sub(3)?).try_fold(Amount::from(5u32), |half, _| half.times(10))?;
        Amount::from_units(&self.of(amount)?.plus(half)?.to_units_fixed(scale, 2), 2).ok()
    }

    /// Smallest amount worth at least this many US cents; `decimals` are those of the coin.
    pub fn amount_for(self, cents: Amount, decimals: u8) -> Option<Amount> {
        let scaled = (0..decimals.checked_add(DECIMALS)?.checked_sub(2)?).try_fold(cents, |sum, _| sum.times(10))?;
        let down = scaled.over(self.0)?;
        if down.by(self.0)? < scaled { down.plus(Amount::from(1u32)) } else { Some(down) }
    }

    /// Exact value of an amount in US dollars; `decimals` are those of the coin.
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
    fn worth_to_the_nearest_cent() {
        let price: Price = "2500.05".parse().unwrap();
        for (amount, cents) in [("0.12345", 30_863), ("0.000004", 1), ("0.0000019", 0), ("1", 250_005)] {
            let amount = Amount::from_units(amount, 18).unwrap();
            assert_eq!(price.nearest_cents(amount, 18), Some(Amount::from(cents as u32)));
        }
        assert_eq!(price.nearest_cents(Amount::from_hex(&format!("0x{}", "f".repeat(64))).unwrap(), 18), None);
    }

    #[test]
    fn an_amount_for_some_cents_is_the_smallest_that_is_worth_them() {
        let cents = |number: u32| Amount::from(number);
        for (price, wanted, decimals, amount) in [
            ("2000", 100_000, 18, "0.5"),
            ("3120.5", 100, 18, "0.000320461464508893"),
            ("1.0003", 10_000, 6, "99.970009"),
            ("3", 1, 0, "1"),
            ("0.000000000001", 1, 0, "10000000000"),
        ] {
            let price: Price = price.parse().unwrap();
            let whole_cents = |amount| {
                let worth = price.of(amount).unwrap().to_units_fixed(decimals + DECIMALS, 2);
                Amount::from_units(&worth, 2).unwrap()
            };
            let found = price.amount_for(cents(wanted), decimals).unwrap();
            assert_eq!(found.to_units(decimals), amount);
            assert!(whole_cents(found) >= cents(wanted));
            let less = found.minus(Amount::from(1u32)).unwrap();
            assert!(whole_cents(less) < cents(wanted));
        }
        let most = Amount::from_hex(&format!("0x{}", "f".repeat(64))).unwrap();
        assert_eq!("1".parse::<Price>().unwrap().amount_for(most, 18), None);
        assert_eq!("1".parse::<Price>().unwrap().amount_for(cents(1), 255), None);
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
