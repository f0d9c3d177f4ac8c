//! On-ramp provider Coinbase (<https://docs.cdp.coinbase.com/onramp>): options, quotes, and a session token per purchase.

use super::ask::{Purchase, Region};
use super::chains::Sold;
use super::kept::{kept, value};
use super::places::{self, CountryListing as Country};
use super::purchase::{Paid, Progress, Purchased, hash};
use super::{Fault, Offered, Offers, bought, number};
use crate::AppState;
use crate::config::CdpKey;
use crate::source::kept as clock;
use crate::source::{fetch, loose};
use portico_api::onramp::{OnrampAmount, OnrampQuote};
use portico_json::{Read, Value};
use reqwest::{Method, Url};
use serde_json::json;
use std::net::IpAddr;
use std::time::Duration;

/// Purchase page.
const PAY: &str = "https://pay.coinbase.com/buy/select-asset";

/// Lifetime of cached options: they change seldom, and Coinbase asks to cache them.
const KEPT: Duration = Duration::from_secs(3600);

/// Country with different offers by state.
const BY_STATE: &str = "US";

/// Maximum length of a session token; usual tokens have some hundred letters.
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
        let now = clock::now() / 1000;
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

    /// Coins and currencies offered on a chain to buyers in a country.
    pub(super) async fn offers(&self, state: &AppState, chain: Sold, place: &Region) -> Result<Offers, Fault> {
        let (country, part) = whereabouts(place)?;
        let key = format!("onramp:coinbase:options:{}:{country}:{}", chain.name, part.unwrap_or_default());
        let time = |offers: &Value| match offers.get("coins").as_list() {
            // An empty list is not cached: a short outage would otherwise hide all offers for an hour.
            Some([]) | None => Duration::ZERO,
            Some(_) => KEPT,
        };
        let told = kept(state, &key, time, async {
            let mut query = vec![("country", country), ("networks", chain.name)];
            query.extend(part.map(|part| ("subdivision", part)));
            let answer = self.ask(state, Method::GET, &["onramp", "v1", "buy", "options"], &query, None).await?;
            let list = |old: &str, new: &str| either(&answer, old, new).as_list().ok_or(Fault::Nonsense);
            let money = list("payment_currencies", "paymentCurrencies")?;
            let coins = list("purchase_currencies", "purchaseCurrencies")?;
            value(&Offers {
                money: money.iter().filter_map(|one| one.get("id").as_str()).map(str::to_owned).collect(),
                coins: coins.iter().filter_map(|coin| offered(coin, chain)).collect(),
            })
        });
        Offers::read(&told.await?).map_err(|_| Fault::Nonsense)
    }

    /// Supported countries.
    pub(super) async fn countries(&self, state: &AppState) -> Result<Vec<Country>, Fault> {
        let answer = kept(state, "onramp:coinbase:countries", |_| places::KEPT, async {
            let answer = self.ask(state, Method::GET, &["onramp", "v1", "buy", "config"], &[], None).await?;
            // One page of Coinbase's documentation nests the list in `data`.
            let list = match answer.get("countries") {
                Value::Null => answer.get("data").get("countries"),
                list => list,
            };
            list.as_list().filter(|list| !list.is_empty()).ok_or(Fault::Nonsense)?;
            Ok(list.clone())
        });
        let read = |one: &Value| {
            let country = places::country(one.get("id"))?;
            let states = places::few(one.get("subdivisions")).filter_map(|state| places::state_of(&country, state));
            Some(Country { states: states.collect(), country })
        };
        Ok(places::few(&answer.await?).filter_map(read).collect())
    }

    /// Latest purchase with a reference, which is the first of the list.
    pub(super) async fn purchase(&self, state: &AppState, reference: &str) -> Result<Purchased, Fault> {
        let path = ["onramp", "v1", "buy", "user", reference, "transactions"];
        let answer = match self.ask(state, Method::GET, &path, &[], None).await {
            // No purchase was begun.
            Err(Fault::Refused) => return Ok(Purchased::default()),
            answer => answer?,
        };
        let list = answer.get("transactions").as_list().ok_or(Fault::Nonsense)?;
        let own = |one: &&Value| {
            let of = either(one, "partner_user_ref", "partnerUserRef").as_str();
            of.is_none_or(|of| of.is_empty() || of == reference)
        };
        Ok(list.iter().find(own).map(purchased).unwrap_or_default())
    }

    pub(super) async fn quote(&self, state: &AppState, purchase: &Purchase) -> Result<OnrampQuote, Fault> {
        let (country, part) = whereabouts(&purchase.place)?;
        let (Some(money), Some(amount)) = (&purchase.money, &purchase.amount) else { return Err(Fault::Refused) };
        let body = json!({"purchaseCurrency": purchase.coin, "purchaseNetwork": purchase.chain.name,
            "paymentAmount": amount, "paymentCurrency": money, "paymentMethod": "CARD", "country": country,
            "subdivision": part.unwrap_or_default()});
        let answer = self.ask(state, Method::POST, &["onramp", "v1", "buy", "quote"], &[], Some(body)).await?;
        let told = |old: &str, new: &str| amount_of(either(&answer, old, new));
        let quote = OnrampQuote {
            payment_total: told("payment_total", "paymentTotal").ok_or(Fault::Nonsense)?,
            payment_subtotal: told("payment_subtotal", "paymentSubtotal").ok_or(Fault::Nonsense)?,
            purchase_amount: told("purchase_amount", "purchaseAmount")
                .filter(|_| bought(either(&answer, "purchase_amount", "purchaseAmount").get("value")).is_some())
                .ok_or(Fault::Nonsense)?,
            network_fee: told("network_fee", "networkFee"),
            provider_fee: told("coinbase_fee", "coinbaseFee"),
            quote_id: loose::word(either(&answer, "quote_id", "quoteId")).unwrap_or_default(),
            provider: "coinbase".into(),
        };
        // For an unsupported currency Coinbase quotes in dollars, which is not what was requested.
        let same = quote.payment_total.currency == *money
            && quote.purchase_amount.currency.eq_ignore_ascii_case(&purchase.coin);
        if same { Ok(quote) } else { Err(Fault::Nonsense) }
    }

    /// URL of a purchase page. The token in it contains the account; it can be used once, within five minutes.
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

/// Country and state, as far as Coinbase requires them.
fn whereabouts(place: &Region) -> Result<(&str, Option<&str>), Fault> {
    let country = place.country.as_deref().ok_or(Fault::NoCountry)?;
    let part = place.subdivision.as_deref();
    if country == BY_STATE && part.is_none() { Err(Fault::NoState) } else { Ok((country, part)) }
}

fn purchased(one: &Value) -> Purchased {
    let progress = match one.get("status").as_str().and_then(|status| status.strip_prefix("ONRAMP_TRANSACTION_STATUS_"))
    {
        Some("SUCCESS") => Progress::Done,
        Some("FAILED") => Progress::Failed,
        _ => Progress::Pending,
    };
    let amount = amount_of(either(one, "purchase_amount", "purchaseAmount"));
    Purchased {
        progress,
        amount: amount.map(|OnrampAmount { amount, currency }| Paid { amount, currency }),
        hash: hash(either(one, "tx_hash", "txHash")),
    }
}

/// Field under one of two names: documentation and responses differ.
fn either<'a>(answer: &'a Value, old: &str, new: &str) -> &'a Value {
    match answer.get(old) {
        Value::Null => answer.get(new),
        told => told,
    }
}

fn amount_of(value: &Value) -> Option<OnrampAmount> {
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
