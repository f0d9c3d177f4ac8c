//! Amount typed by its value in US dollars. The value only helps to type: what is reviewed and sent is the amount in coins.

use super::Send;
use crate::cx::Cx;
use crate::pay::tokens::Purse;
use crate::pay::typed::{AmountFault, amount_of, cut};
use portico_terms::{Amount, Price};

/// Decimals of a typed value.
const CENTS: u8 = 2;

/// Number of digits that an amount keeps: further ones are worth less than a cent, and nobody compares them.
const KEPT: usize = 8;

/// Smallest amount in coins, with few digits, that is worth at least the typed value.
pub fn amount_worth(text: &str, price: Price, decimals: u8) -> Result<String, AmountFault> {
    let cents = amount_of(text, CENTS)?;
    let amount = price.amount_for(cents, decimals).and_then(rounded).ok_or(AmountFault::AboveBalance)?;
    Ok(amount.to_units(decimals))
}

/// Rounds up to [`KEPT`] digits.
fn rounded(amount: Amount) -> Option<Amount> {
    let digits = amount.to_string().len();
    let step = (KEPT..digits).try_fold(Amount::from(1u32), |step, _| step.times(10))?;
    let down = amount.over(step)?.by(step)?;
    if down < amount { down.plus(step) } else { Some(down) }
}

impl Send {
    /// Value in the field, if a value is typed and not an amount. That of the maximum follows the fee, as its amount does.
    pub(super) fn value_field(&self, price: Option<Price>, decimals: Option<u8>) -> Option<String> {
        let (value, price, decimals) = (self.value.as_ref()?, price?, decimals?);
        if self.all.is_none() {
            return Some(value.clone());
        }
        let amount = amount_of(&self.amount, decimals).unwrap_or(Amount::ZERO);
        price.nearest_cents(amount, decimals).map(|cents| cents.to_units(CENTS))
    }

    /// The visitor typed a value: the amount is the smallest one that is worth it now. It does not follow the price later.
    pub(super) fn value_typed(&mut self, text: &str, purse: &Purse, cx: &mut Cx) {
        let funds = self.funds(purse, cx.facts);
        let Some((price, decimals)) = funds.price.zip(funds.decimals) else { return };
        let found = amount_worth(text, price, decimals);
        self.value_fault = found.as_ref().err().copied();
        self.amount = found.unwrap_or_default();
        self.value = Some(cut(text));
        self.all = None;
        self.typed(cx);
    }

    /// Switches what is typed. The amount itself stays as it is; a value that cannot be told leaves the field empty.
    pub(super) fn unit_switched(&mut self, purse: &Purse, cx: &mut Cx) {
        self.value_fault = None;
        if self.value.take().is_some() {
            return;
        }
        let funds = self.funds(purse, cx.facts);
        let Some((price, decimals)) = funds.price.zip(funds.decimals) else { return };
        let cents = amount_of(&self.amount, decimals).ok().and_then(|amount| price.nearest_cents(amount, decimals));
        let told = cents.filter(|cents| !cents.is_zero()).map(|cents| cents.to_units(CENTS));
        if told.is_none() && self.all.is_none() {
            self.amount.clear();
        }
        self.value = Some(told.unwrap_or_default());
        self.typed(cx);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_becomes_an_amount_of_few_digits_that_is_worth_it() {
        for (text, price, decimals, amount) in [
            ("1", "3120.5", 18, "0.00032046147"),
            ("1000", "2000", 18, "0.5"),
            ("100", "1.0003", 6, "99.970009"),
            ("1,5", "2", 18, "0.75"),
            ("100000", "3", 0, "33334"),
        ] {
            let price: Price = price.parse().unwrap();
            assert_eq!(amount_worth(text, price, decimals).as_deref(), Ok(amount), "{text}");
        }
    }

    #[test]
    fn what_is_no_value_in_cents_says_why() {
        let price: Price = "2000".parse().unwrap();
        let most = "9".repeat(60);
        for (text, fault) in [
            ("", AmountFault::Missing),
            ("0", AmountFault::Zero),
            ("0.001", AmountFault::TooPrecise),
            ("-1", AmountFault::Signed),
            ("1,000", AmountFault::Ambiguous),
            (&most, AmountFault::AboveBalance),
        ] {
            assert_eq!(amount_worth(text, price, 18), Err(fault), "{text}");
        }
    }
}
