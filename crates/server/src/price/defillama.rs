//! Price source DefiLlama, in US dollars and without a key (<https://defillama.com/docs/api>); exchange rates of the European Central Bank.

use super::{Answered, Decimal, Money, Priced, Prices, exchange, market};
use crate::AppState;
use crate::source::{Fault, SourceAnswer, fetch, loose};
use futures_util::FutureExt;
use portico_json::Value;
use portico_terms::AccountId;
use reqwest::Url;

pub(super) struct DefiLlama {
    pub(super) url: Url,
    pub(super) exchange: Option<Url>,
}

/// Minimum confidence of a price; below it, the price is a guess.
const SURE: &str = "0.5";

impl DefiLlama {
    async fn ask(&self, state: &AppState, words: &[String]) -> Result<Value, Fault> {
        let mut url = self.url.clone();
        let mut path = url.path_segments_mut().map_err(|()| Fault::Nonsense)?;
        path.pop_if_empty().extend(["prices", "current", &words.join(",")]);
        drop(path);
        fetch(state.http().get(url)).await
    }
}

/// Data of one coin, if its confidence is sufficient.
fn said<'a>(answer: &'a Value, word: &str) -> Option<(Decimal, &'a Value)> {
    let coins = answer.get("coins").as_object()?;
    let (_, said) = coins.iter().find(|(key, _)| key.eq_ignore_ascii_case(word))?;
    let price: Decimal = loose::text(said.get("price"))?.parse().ok()?;
    let confidence = loose::text(said.get("confidence")).and_then(|text| text.parse::<Decimal>().ok());
    let believed = confidence.is_none_or(|confidence| confidence >= SURE.parse().unwrap_or_default());
    (believed && !price.is_zero()).then_some((price, said))
}

impl Prices for DefiLlama {
    fn word(&self) -> &'static str {
        "defillama"
    }

    fn knows(&self, coin: &AccountId) -> bool {
        market::traded(coin.chain())
    }

    fn prices<'a>(&'a self, state: &'a AppState, coins: &'a [AccountId]) -> SourceAnswer<'a, Vec<Answered>> {
        async move {
            let words: Vec<String> = coins.iter().filter_map(market::defillama).collect();
            let answer = self.ask(state, &words).await?;
            answer.get("coins").as_object().ok_or(Fault::Nonsense)?;
            let priced = |coin: &AccountId| {
                let (usd, said) = said(&answer, &market::defillama(coin)?)?;
                let symbol = loose::word(said.get("symbol")).unwrap_or_default();
                Some(Priced { usd, symbol, decimals: loose::decimals(said.get("decimals")) })
            };
            Ok(coins.iter().map(|coin| (coin.clone(), priced(coin))).collect())
        }
        .boxed()
    }

    fn rate<'a>(&'a self, state: &'a AppState, money: Money) -> SourceAnswer<'a, Decimal> {
        async move {
            let coin = match money.word() {
                "btc" => "coingecko:bitcoin",
                "eth" => "coingecko:ethereum",
                _ => return exchange::rate(state, self.exchange.as_ref().ok_or(Fault::NotServed)?, money).await,
            };
            let answer = self.ask(state, &[coin.to_owned()]).await?;
            said(&answer, coin).and_then(|(usd, _)| Decimal::ONE.over(usd)).ok_or(Fault::Nonsense)
        }
        .boxed()
    }
}
