//! Exchange rates of a US dollar, from the daily reference rates of the European Central Bank, which are per euro.

use super::{Decimal, Money};
use crate::AppState;
use crate::source::{Fault, fetch_text};
use reqwest::Url;

pub(super) async fn rate(state: &AppState, url: &Url, money: Money) -> Result<Decimal, Fault> {
    let text = fetch_text(state.http().get(url.clone())).await?;
    rate_of(&text, money).ok_or(Fault::Nonsense)
}

fn rate_of(text: &str, money: Money) -> Option<Decimal> {
    let dollars = of_euro(text, Money::USD)?;
    let bought = if money.word() == "eur" { Decimal::ONE } else { of_euro(text, money)? };
    bought.over(dollars).filter(|rate| !rate.is_zero())
}

/// Rate from a line such as `<Cube currency='USD' rate='1.0876'/>`.
fn of_euro(text: &str, money: Money) -> Option<Decimal> {
    let word = money.word().to_ascii_uppercase();
    let line = text.split('<').find(|line| line.starts_with("Cube") && attribute(line, "currency") == Some(&word))?;
    attribute(line, "rate")?.parse().ok()
}

fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}="))?;
    let quote = rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    rest.get(1..)?.split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: &str = "<gesmes:Envelope><Cube><Cube time='2026-11-20'>\n<Cube currency='USD' rate='1.25'/>\n\
        <Cube currency=\"JPY\" rate=\"180.5\"/><Cube currency='GBP' rate='x'/><Cube currency='INR' rate='0'/></Cube></Cube>";

    #[test]
    fn a_rate_is_that_of_the_dollar() {
        let rate = |word: &str| rate_of(DAY, Money::read(word).unwrap()).map(|rate| rate.to_string());
        assert_eq!(rate("eur").as_deref(), Some("0.8"));
        assert_eq!(rate("jpy").as_deref(), Some("144.4"));
        for word in ["gbp", "inr", "cad"] {
            assert_eq!(rate(word), None, "{word}");
        }
        assert_eq!(rate_of("<html><body>Not today", Money::read("eur").unwrap()), None);
    }
}
