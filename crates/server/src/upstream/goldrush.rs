//! GoldRush by Covalent (<https://goldrush.dev/docs>): balances and history. Needs a key.

mod transactions;

use super::{Balances, Fault, History, Holding, Kind, Question, SourceAnswer, fetch, loose, networks};
use crate::activity::{Page, doubt_coin};
use crate::config::{Chain, Keyed};
use crate::price::{Decimal, market};
use futures_util::FutureExt;
use portico_api::account::Transaction;
use portico_json::Value;

pub(super) struct GoldRush(pub(super) Keyed);

impl GoldRush {
    /// Requests data of the account and returns the `data` of the response.
    async fn ask(&self, asked: &Question<'_>, what: &[&str], query: &[(&str, &str)]) -> Result<Value, Fault> {
        let network = networks::goldrush(asked.account.chain()).ok_or(Fault::NotServed)?;
        let mut url = self.0.url.clone();
        let path = ["v1", network, "address", asked.account.address()];
        url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(path).extend(what).push("");
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let answer = fetch(asked.state.http().get(url).bearer_auth(self.0.key.reveal())).await?;
        if answer.get("error").as_bool() == Some(true) {
            return Err(Fault::Nonsense);
        }
        Ok(answer.get("data").clone())
    }
}

impl Balances for GoldRush {
    fn knows(&self, chain: &Chain) -> bool {
        networks::goldrush(&chain.id).is_some()
    }

    fn balances<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Vec<Holding>> {
        async move {
            // The API supports no cryptocurrency as quote currency.
            let priced = !matches!(asked.money.word(), "btc" | "eth");
            let currency = if priced { asked.money.word().to_ascii_uppercase() } else { "USD".into() };
            let query = [("quote-currency", currency.as_str()), ("no-spam", "true")];
            let data = self.ask(&asked, &["balances_v2"], &query).await?;
            let items = data.get("items").as_list().ok_or(Fault::Nonsense)?;
            Ok(items.iter().filter_map(|item| holding(item, priced)).collect())
        }
        .boxed()
    }
}

impl History for GoldRush {
    fn knows(&self, chain: &Chain) -> bool {
        networks::goldrush(&chain.id).is_some()
    }

    fn history<'a>(&'a self, asked: Question<'a>) -> SourceAnswer<'a, Page<Transaction>> {
        async move {
            let mut page = asked.merged(&[&transactions::Pages { vendor: self, asked }]).await?;
            page.rows.iter_mut().for_each(doubt_coin);
            Ok(page)
        }
        .boxed()
    }
}

fn holding(item: &Value, priced: bool) -> Option<Holding> {
    if item.get("is_spam").as_bool() == Some(true) || item.get("type").as_str() == Some("nft") {
        return None;
    }
    let address = loose::evm(item.get("contract_address"))?;
    let is_coin = item.get("native_token").as_bool() == Some(true) || address.eq_ignore_ascii_case(market::COIN);
    let symbol = loose::word(item.get("contract_ticker_symbol"))?;
    let logo = [item.get("logo_urls").get("token_logo_url"), item.get("logo_url")].map(loose::picture);
    Some(Holding {
        kind: if is_coin { Kind::Coin } else { Kind::Token(address) },
        name: loose::word(item.get("contract_name")).unwrap_or_else(|| symbol.clone()),
        symbol,
        decimals: loose::decimals(item.get("contract_decimals"))?,
        picture: logo.into_iter().find(|url| !url.is_empty()).unwrap_or_default(),
        amount: loose::amount(item.get("balance")).filter(|amount| !amount.is_zero())?,
        price: loose::text(item.get("quote_rate"))
            .and_then(|text| text.parse().ok())
            .filter(|price: &Decimal| priced && !price.is_zero()),
    })
}
