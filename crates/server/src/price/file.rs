//! Prices from a file of the operator, as a price source.

use super::{Answered, Decimal, Money, Priced, Prices};
use crate::AppState;
use crate::money::PriceTable;
use crate::source::{Fault, SourceAnswer};
use futures_util::FutureExt;
use portico_terms::AccountId;

impl Prices for PriceTable {
    fn word(&self) -> &'static str {
        "file"
    }

    fn knows(&self, coin: &AccountId) -> bool {
        self.prices.contains_key(coin)
    }

    fn prices<'a>(&'a self, _state: &'a AppState, coins: &'a [AccountId]) -> SourceAnswer<'a, Vec<Answered>> {
        let known = coins.iter().map(|coin| (coin.clone(), self.prices.get(coin).copied().map(Priced::of)));
        futures_util::future::ready(Ok(known.collect())).boxed()
    }

    fn rate<'a>(&'a self, _state: &'a AppState, money: Money) -> SourceAnswer<'a, Decimal> {
        futures_util::future::ready(self.rates.get(money.word()).copied().ok_or(Fault::NotServed)).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_a_fault_is_refused_with_what_to_fix() {
        let refused = |text: &str| PriceTable::parse(text).unwrap_err();
        assert_eq!(refused("{"), "isn't valid JSON. Check its quotation marks, commas and brackets");
        let told = r#"has no `prices` object. Add one, such as {"prices": {"eip155:31337:0x…": 1.25}}"#;
        assert_eq!(refused("[]"), told);
        assert_eq!(
            refused(r#"{"prices":{"usdc":1}}"#),
            "has the price of `usdc`, which isn't the CAIP-10 id of a token"
        );
        let coin = "eip155:31337:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
        assert_eq!(
            refused(&format!(r#"{{"prices":{{"{coin}":-1}}}}"#)),
            format!("has a price of `{coin}` that isn't a number")
        );
        assert_eq!(refused(r#"{"prices":{},"rates":{"xyz":1}}"#), "has a rate of `xyz`, which isn't a known currency");
        assert_eq!(refused(r#"{"prices":{},"rates":{"eur":true}}"#), "has a rate of `eur` that isn't a number");
    }

    #[test]
    fn a_price_may_be_a_number_or_a_text_and_an_address_may_have_any_case() {
        let table = PriceTable::parse(
            r#"{"prices":{"eip155:31337:0xEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE":"2000.5"},"rates":{"EUR":0.92}}"#,
        );
        let table = table.unwrap();
        let coin: AccountId = "eip155:31337:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee".parse().unwrap();
        assert!(table.knows(&super::super::named(&coin)));
        assert_eq!(table.rates["eur"].to_string(), "0.92");
    }
}
