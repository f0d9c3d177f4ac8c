//! Prices from a file of the operator: for a private chain, whose tokens are not traded.

use super::{Decimal, Money, Priced, Prices};
use crate::AppState;
use crate::upstream::{Fault, SourceAnswer, loose};
use futures_util::FutureExt;
use portico_json::parse;
use portico_terms::AccountId;
use std::collections::HashMap;
use std::path::Path;

/// The file: `{"prices": {"eip155:31337:0x…": 1.25}, "rates": {"eur": 0.92}}`, prices per whole coin in US dollars, rates per dollar.
#[derive(Clone, Debug, Default)]
pub struct PriceTable {
    prices: HashMap<AccountId, Decimal>,
    rates: HashMap<&'static str, Decimal>,
}

impl PriceTable {
    /// Reads the file; the error is a sentence for the operator.
    pub(crate) fn read(path: &Path) -> Result<PriceTable, String> {
        let shown = path.display();
        let text =
            std::fs::read_to_string(path).map_err(|error| format!("the prices {shown} cannot be read ({error})"))?;
        PriceTable::parse(&text).map_err(|sentence| format!("the prices {shown} {sentence}"))
    }

    fn parse(text: &str) -> Result<PriceTable, String> {
        let file = parse(text).map_err(|_| "are not JSON".to_owned())?;
        let mut table = PriceTable::default();
        for (token, price) in file.get("prices").as_object().ok_or("have no object called `prices`")? {
            let account: AccountId =
                token.parse().map_err(|_| format!("name `{token}`, which is not the CAIP-10 id of a token"))?;
            let price = loose::text(price).and_then(|text| text.parse().ok());
            let price = price.ok_or_else(|| format!("give `{token}` a price that is not a number"))?;
            table.prices.insert(super::named(&account), price);
        }
        for (word, rate) in file.get("rates").as_object().unwrap_or_default() {
            let money =
                Money::read(word).ok_or_else(|| format!("have a rate of `{word}`, which is no currency known here"))?;
            let rate = loose::text(rate).and_then(|text| text.parse().ok());
            let rate = rate.ok_or_else(|| format!("give `{word}` a rate that is not a number"))?;
            table.rates.insert(money.word(), rate);
        }
        Ok(table)
    }
}

impl Prices for PriceTable {
    fn word(&self) -> &'static str {
        "file"
    }

    fn knows(&self, coin: &AccountId) -> bool {
        self.prices.contains_key(coin)
    }

    fn prices<'a>(
        &'a self,
        _state: &'a AppState,
        coins: &'a [AccountId],
    ) -> SourceAnswer<'a, Vec<(AccountId, Priced)>> {
        let known = coins.iter().filter_map(|coin| Some((coin.clone(), Priced::of(*self.prices.get(coin)?))));
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
        assert_eq!(refused("{"), "are not JSON");
        assert_eq!(refused("[]"), "have no object called `prices`");
        assert_eq!(refused(r#"{"prices":{"usdc":1}}"#), "name `usdc`, which is not the CAIP-10 id of a token");
        let coin = "eip155:31337:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
        assert_eq!(
            refused(&format!(r#"{{"prices":{{"{coin}":-1}}}}"#)),
            format!("give `{coin}` a price that is not a number")
        );
        assert_eq!(
            refused(r#"{"prices":{},"rates":{"xyz":1}}"#),
            "have a rate of `xyz`, which is no currency known here"
        );
        assert_eq!(refused(r#"{"prices":{},"rates":{"eur":true}}"#), "give `eur` a rate that is not a number");
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
