//! Prices from a file of the operator: for a private chain, whose tokens are not traded.

use super::{Decimal, Money, named};
use crate::source::loose;
use portico_json::parse;
use portico_terms::AccountId;
use std::collections::HashMap;

/// Sentence about a file without prices.
const NO_PRICES: &str = r#"has no `prices` object. Add one, such as {"prices": {"eip155:31337:0x…": 1.25}}"#;

/// The file: `{"prices": {"eip155:31337:0x…": 1.25}, "rates": {"eur": 0.92}}`, prices per whole coin in US dollars, rates per dollar.
#[derive(Clone, Debug, Default)]
pub struct PriceTable {
    pub(crate) prices: HashMap<AccountId, Decimal>,
    pub(crate) rates: HashMap<&'static str, Decimal>,
}

impl PriceTable {
    /// Parses the text of the file; the error is a sentence for the operator, after the name of the file.
    pub(crate) fn parse(text: &str) -> Result<PriceTable, String> {
        let file =
            parse(text).map_err(|_| "isn't valid JSON. Check its quotation marks, commas and brackets".to_owned())?;
        let mut table = PriceTable::default();
        for (token, price) in file.get("prices").as_object().ok_or(NO_PRICES)? {
            let account: AccountId = token
                .parse()
                .map_err(|_| format!("has the price of `{token}`, which isn't the CAIP-10 id of a token"))?;
            let price = loose::text(price).and_then(|text| text.parse().ok());
            let price = price.ok_or_else(|| format!("has a price of `{token}` that isn't a number"))?;
            table.prices.insert(named(&account), price);
        }
        for (word, rate) in file.get("rates").as_object().unwrap_or_default() {
            let money =
                Money::read(word).ok_or_else(|| format!("has a rate of `{word}`, which isn't a known currency"))?;
            let rate = loose::text(rate).and_then(|text| text.parse().ok());
            let rate = rate.ok_or_else(|| format!("has a rate of `{word}` that isn't a number"))?;
            table.rates.insert(money.word(), rate);
        }
        Ok(table)
    }
}
