//! GoldRush of Covalent (<https://goldrush.dev/docs>): balances. Needs a key.

use super::{Asked, Balances, Fault, Holding, Kind, fetch, loose, networks};
use crate::AppState;
use crate::config::Keyed;
use crate::price::{Decimal, Money, market};
use futures_util::FutureExt;
use portico_json::Value;
use portico_terms::AccountId;

pub(super) struct GoldRush(pub(super) Keyed);

impl Balances for GoldRush {
    fn balances<'a>(&'a self, state: &'a AppState, account: &'a AccountId, money: Money) -> Asked<'a, Vec<Holding>> {
        async move {
            let network = networks::goldrush(account.chain()).ok_or(Fault::NotServed)?;
            // It reckons in no coins.
            let priced = !matches!(money.word(), "btc" | "eth");
            let mut url = self.0.url.clone();
            let path = ["v1", network, "address", account.address(), "balances_v2", ""];
            url.path_segments_mut().map_err(|()| Fault::NotServed)?.pop_if_empty().extend(path);
            let currency = if priced { money.word().to_ascii_uppercase() } else { "USD".into() };
            url.query_pairs_mut().append_pair("quote-currency", &currency).append_pair("no-spam", "true");
            let answer = fetch(state.http().get(url).bearer_auth(self.0.key.reveal())).await?;
            if answer.get("error").as_bool() == Some(true) {
                return Err(Fault::Nonsense);
            }
            let items = answer.get("data").get("items").as_list().ok_or(Fault::Nonsense)?;
            Ok(items.iter().filter_map(|item| holding(item, priced)).collect())
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
