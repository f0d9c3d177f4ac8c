//! Price source CoinGecko (<https://docs.coingecko.com>), with the key of a demo or paid account, or without a key.

use super::{Answered, Decimal, Money, Priced, Prices, market};
use crate::AppState;
use crate::config::Secret;
use crate::shared::Quota;
use crate::source::{Fault, SourceAnswer, fetch, loose};
use futures_util::FutureExt;
use portico_json::Value;
use portico_terms::{AccountId, ChainId};
use reqwest::{StatusCode, Url};
use std::time::Duration;

pub(super) struct CoinGecko {
    pub(super) url: Url,
    pub(super) key: Option<Secret>,
}

/// Number of contracts per request, with and without a key.
const AT_ONCE: usize = 30;
const WITHOUT_KEY: usize = 1;

/// Maximum number of requests per lookup, to bound its time; without a key no more are allowed per minute.
const MOST_ASKED: usize = 8;

/// Requests without a key. A lookup takes several at once, so a visitor may begin with half of a minute's.
const QUOTA: Quota = Quota { upstream: "coingecko", requests: 8, within: Duration::from_secs(60), burst: 4 };

impl CoinGecko {
    async fn ask(&self, state: &AppState, path: &[&str], query: &[(&str, &str)]) -> Result<Value, Fault> {
        let admitted = match &self.key {
            Some(_) => state.shared().spend_keyed(QUOTA.upstream).await,
            None => state.shared().spend_part(QUOTA).await,
        };
        if !admitted {
            return Err(Fault::Status(StatusCode::TOO_MANY_REQUESTS.as_u16()));
        }
        let mut url = self.url.clone();
        url.path_segments_mut().map_err(|()| Fault::Nonsense)?.pop_if_empty().extend(["api", "v3"]).extend(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut request = state.http().get(url);
        if let Some(key) = &self.key {
            request = request.header(key_header(&self.url), key.reveal());
        }
        fetch(request).await
    }

    async fn coins(&self, state: &AppState, coins: &[&AccountId]) -> Result<Vec<Answered>, Fault> {
        let mut words: Vec<&str> = coins.iter().filter_map(|coin| market::coingecko_coin(coin)).collect();
        words.dedup();
        if words.is_empty() {
            return Ok(coins.iter().map(|coin| ((*coin).clone(), None)).collect());
        }
        let answer =
            self.ask(state, &["simple", "price"], &[("ids", &words.join(",")), ("vs_currencies", "usd")]).await?;
        answer.as_object().ok_or(Fault::Nonsense)?;
        let priced = |coin: &AccountId| usd(answer.get(market::coingecko_coin(coin)?)).map(Priced::of);
        Ok(coins.iter().map(|coin| ((*coin).clone(), priced(coin))).collect())
    }

    async fn tokens(&self, state: &AppState, chain: &ChainId, tokens: &[&AccountId]) -> Result<Vec<Answered>, Fault> {
        let Some(platform) = market::coingecko_platform(chain) else {
            return Ok(tokens.iter().map(|token| ((*token).clone(), None)).collect());
        };
        let mut priced = Vec::new();
        let at_once = if self.key.is_some() { AT_ONCE } else { WITHOUT_KEY };
        for some in tokens.chunks(at_once).take(MOST_ASKED) {
            let addresses: Vec<&str> = some.iter().map(|token| token.address()).collect();
            let query = [("contract_addresses", &*addresses.join(",")), ("vs_currencies", "usd")];
            let answer = match self.ask(state, &["simple", "token_price", platform], &query).await {
                // The prices fetched before the rate limit are used.
                Err(Fault::Status(_)) if !priced.is_empty() => break,
                answer => answer?,
            };
            let said = answer.as_object().ok_or(Fault::Nonsense)?;
            priced.extend(some.iter().map(|token| {
                let said = said.iter().find(|(key, _)| key.eq_ignore_ascii_case(token.address()));
                ((*token).clone(), said.and_then(|(_, said)| usd(said)).map(Priced::of))
            }));
        }
        Ok(priced)
    }
}

/// Header of the API key; demo and paid accounts use different ones.
fn key_header(url: &Url) -> &'static str {
    let is_paid = url.host_str().is_some_and(|host| host.starts_with("pro-"));
    if is_paid { "x-cg-pro-api-key" } else { "x-cg-demo-api-key" }
}

fn usd(said: &Value) -> Option<Decimal> {
    loose::text(said.get("usd"))?.parse().ok().filter(|price: &Decimal| !price.is_zero())
}

impl Prices for CoinGecko {
    fn word(&self) -> &'static str {
        "coingecko"
    }

    fn knows(&self, coin: &AccountId) -> bool {
        market::traded(coin.chain())
    }

    fn prices<'a>(&'a self, state: &'a AppState, coins: &'a [AccountId]) -> SourceAnswer<'a, Vec<Answered>> {
        async move {
            let (own, tokens): (Vec<&AccountId>, Vec<&AccountId>) =
                coins.iter().partition(|coin| market::is_coin(coin));
            let mut priced = self.coins(state, &own).await?;
            let mut chains: Vec<&ChainId> = tokens.iter().map(|token| token.chain()).collect();
            chains.sort();
            chains.dedup();
            for chain in chains {
                let tokens: Vec<&AccountId> = tokens.iter().copied().filter(|token| token.chain() == chain).collect();
                priced.extend(self.tokens(state, chain, &tokens).await?);
            }
            Ok(priced)
        }
        .boxed()
    }

    fn rate<'a>(&'a self, state: &'a AppState, money: Money) -> SourceAnswer<'a, Decimal> {
        async move {
            let answer = self.ask(state, &["exchange_rates"], &[]).await?;
            let of_bitcoin =
                |word: &str| loose::text(answer.get("rates").get(word).get("value"))?.parse::<Decimal>().ok();
            let (bought, dollars) = (of_bitcoin(money.word()), of_bitcoin("usd"));
            bought.zip(dollars).and_then(|(bought, dollars)| bought.over(dollars)).ok_or(Fault::Nonsense)
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_named_by_the_kind_of_account_whose_address_is_asked() {
        assert_eq!(key_header(&Url::parse("https://api.coingecko.com").unwrap()), "x-cg-demo-api-key");
        assert_eq!(key_header(&Url::parse("https://pro-api.coingecko.com").unwrap()), "x-cg-pro-api-key");
    }
}
