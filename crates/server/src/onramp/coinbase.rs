//! Coinbase (<https://docs.cdp.coinbase.com/onramp>): options, quotes, and a session token for each purchase.

use super::ask::{Place, Purchase};
use super::chains::Sold;
use super::{Fault, Offered, Offers, number};
use crate::AppState;
use crate::config::CdpKey;
use crate::upstream::{fetch, kept, loose};
use portico_api::onramp::{OnrampAmount, OnrampQuote};
use portico_json::Value;
use reqwest::{Method, Url};
use serde_json::json;
use std::net::IpAddr;

/// Where purchases are made.
const PAY: &str = "https://pay.coinbase.com/buy/select-asset";

/// Tokens are some hundred letters.
const LONGEST_TOKEN: usize = 4096;

pub(super) struct Coinbase<'a> {
    pub(super) url: &'a Url,
    pub(super) key: &'a CdpKey,
}

impl Coinbase<'_> {
    async fn ask(
        &self,
        state: &AppState,
        method: Method,
        path: &[&str],
        query: &[(&str, &str)],
        body: Option<serde_json::Value>,
    ) -> Result<Value, Fault> {
        let mut url = self.url.clone();
        url.path_segments_mut().map_err(|()| Fault::Unreachable)?.pop_if_empty().extend(path);
        let host = match url.port() {
            Some(port) => format!("{}:{port}", url.host_str().unwrap_or_default()),
            None => url.host_str().unwrap_or_default().to_owned(),
        };
        let now = kept::now() / 1000;
        let token = self.key.token(method.as_str(), &host, url.path(), now).ok_or(Fault::Unreachable)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut request = state.http().request(method, url).bearer_auth(token);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        Ok(fetch(request).await?)
    }

    /// What it sells on a chain, and for what money, to buyers of a country.
    pub(super) async fn offers(&self, state: &AppState, chain: Sold, place: &Place) -> Result<Offers, Fault> {
        let country = place.country.as_deref().ok_or(Fault::NoCountry)?;
        let mut query = vec![("country", country), ("networks", chain.name)];
        query.extend(place.subdivision.as_deref().map(|state| ("subdivision", state)));
        let answer = self.ask(state, Method::GET, &["onramp", "v1", "buy", "options"], &query, None).await?;
        let list =
            |old: &str, new: &str| either(&answer, old, new).as_list().map(<[Value]>::to_vec).ok_or(Fault::Nonsense);
        let money = list("payment_currencies", "paymentCurrencies")?;
        let coins = list("purchase_currencies", "purchaseCurrencies")?;
        Ok(Offers {
            money: money.iter().filter_map(|one| one.get("id").as_str()).map(str::to_owned).collect(),
            coins: coins.iter().filter_map(|coin| offered(coin, chain)).collect(),
        })
    }

    pub(super) async fn quote(&self, state: &AppState, purchase: &Purchase) -> Result<OnrampQuote, Fault> {
        let country = purchase.place.country.as_deref().ok_or(Fault::NoCountry)?;
        let (Some(money), Some(amount)) = (&purchase.money, &purchase.amount) else { return Err(Fault::Refused) };
        let body = json!({"purchaseCurrency": purchase.coin, "purchaseNetwork": purchase.chain.name,
            "paymentAmount": amount, "paymentCurrency": money, "paymentMethod": "CARD", "country": country,
            "subdivision": purchase.place.subdivision.as_deref().unwrap_or_default()});
        let answer = self.ask(state, Method::POST, &["onramp", "v1", "buy", "quote"], &[], Some(body)).await?;
        let told = |old: &str, new: &str| told_amount(either(&answer, old, new));
        let quote = OnrampQuote {
            payment_total: told("payment_total", "paymentTotal").ok_or(Fault::Nonsense)?,
            payment_subtotal: told("payment_subtotal", "paymentSubtotal").ok_or(Fault::Nonsense)?,
            purchase_amount: told("purchase_amount", "purchaseAmount").ok_or(Fault::Nonsense)?,
            network_fee: told("network_fee", "networkFee"),
            provider_fee: told("coinbase_fee", "coinbaseFee"),
            quote_id: loose::word(either(&answer, "quote_id", "quoteId")).unwrap_or_default(),
            provider: "coinbase".into(),
        };
        // Where it does not take the money it answers in dollars: that is no answer to what was asked.
        let same = quote.payment_total.currency == *money
            && quote.purchase_amount.currency.eq_ignore_ascii_case(&purchase.coin);
        if same { Ok(quote) } else { Err(Fault::Nonsense) }
    }

    /// The page of one purchase: the account stands in the token, which is good once and for five minutes.
    pub(super) async fn url(
        &self,
        state: &AppState,
        purchase: &Purchase,
        address: &str,
        assets: &[String],
        client: IpAddr,
        more: &[(&str, String)],
    ) -> Result<String, Fault> {
        let mut body = json!({"addresses": [{"address": address, "blockchains": [purchase.chain.name]}],
            "clientIp": client.to_string()});
        if !assets.is_empty() {
            body["assets"] = json!(assets);
        }
        let answer = self.ask(state, Method::POST, &["onramp", "v1", "token"], &[], Some(body)).await?;
        let token = answer.get("token").as_str().unwrap_or_default();
        let fits = (1..=LONGEST_TOKEN).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic());
        if !fits {
            return Err(Fault::Nonsense);
        }
        let mut page = Url::parse(PAY).map_err(|_| Fault::Nonsense)?;
        let mut query = page.query_pairs_mut();
        query.append_pair("sessionToken", token).append_pair("defaultNetwork", purchase.chain.name);
        query.append_pair("defaultAsset", &purchase.coin);
        if let Some(money) = &purchase.money {
            query.append_pair("fiatCurrency", money);
        }
        query.extend_pairs(more.iter().map(|(name, value)| (*name, value.as_str())));
        drop(query);
        Ok(page.into())
    }
}

/// Its descriptions and its answers write names in two ways.
fn either<'a>(answer: &'a Value, old: &str, new: &str) -> &'a Value {
    match answer.get(old) {
        Value::Null => answer.get(new),
        told => told,
    }
}

fn told_amount(value: &Value) -> Option<OnrampAmount> {
    Some(OnrampAmount { amount: number(value.get("value"))?, currency: loose::word(value.get("currency"))? })
}

fn offered(coin: &Value, chain: Sold) -> Option<Offered> {
    let symbol = loose::word(coin.get("symbol"))?;
    let networks = coin.get("networks").as_list()?;
    let here = networks.iter().find(|network| network.get("name").as_str() == Some(chain.name))?;
    Some(Offered {
        name: loose::word(coin.get("name")).unwrap_or_else(|| symbol.clone()),
        symbol,
        picture: loose::picture(either(coin, "icon_url", "iconUrl")),
        contract: loose::word(either(here, "contract_address", "contractAddress")),
    })
}
