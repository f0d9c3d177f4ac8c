//! On-ramp aggregator Meld (<https://docs.meld.io>): many providers behind one key. A purchase goes to the provider with the best quote.

use super::ask::{Purchase, Region};
use super::chains::Sold;
use super::kept::kept;
use super::places::{self, CountryListing as Country};
use super::purchase::{Paid, Progress, Purchased, hash};
use super::{Fault, Offered, Offers, bought, number};
use crate::AppState;
use crate::config::Keyed;
use crate::price::Decimal;
use crate::source::{fetch_made, loose};
use portico_api::onramp::{OnrampAmount, OnrampQuote};
use portico_json::Value;
use reqwest::{RequestBuilder, Url};
use serde_json::json;
use std::time::Duration;

/// API version, which fixes the form of responses.
const VERSION: &str = "2023-12-19";

/// Amount used to choose a provider if the request names none.
const USUAL: &str = "100";

/// Lifetime of cached lists: they change seldom, and Meld asks to cache them for a week.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Fields of list entries that are cached; few, since there are lists for each country that visitors name.
const FIELDS: [&str; 7] =
    ["currencyCode", "countryCode", "name", "chainId", "chainCode", "contractAddress", "symbolImageUrl"];

/// Maximum numbers of list entries, and of letters per field.
const LONGEST_LIST: usize = 4000;
const LONGEST_FIELD: usize = 256;

/// Hosts of purchase pages; subdomains are allowed.
const PAGES: [&str; 2] = ["meldcrypto.com", "meld.io"];

pub(super) struct Meld<'a>(pub(super) &'a Keyed);

impl Meld<'_> {
    fn address(&self, path: &[&str]) -> Result<Url, Fault> {
        let mut url = self.0.url.clone();
        url.path_segments_mut().map_err(|()| Fault::Unreachable)?.pop_if_empty().extend(path);
        Ok(url)
    }

    async fn send(&self, request: RequestBuilder) -> Result<Value, Fault> {
        let key = format!("BASIC {}", self.0.key.reveal());
        Ok(fetch_made(request.header("authorization", key).header("meld-version", VERSION)).await?)
    }

    async fn post(&self, state: &AppState, path: &[&str], body: &serde_json::Value) -> Result<Value, Fault> {
        let request = state.http().post(self.address(path)?).header("content-type", "application/json");
        self.send(request.body(body.to_string())).await
    }

    /// List of service provider properties, cached for a week.
    async fn list(&self, state: &AppState, name: &str, country: Option<&str>) -> Result<Value, Fault> {
        let key = format!("onramp:meld:{name}:{}", country.unwrap_or_default());
        // An empty list is not cached: a short outage would otherwise hide all offers for a week.
        let time = |list: &Value| match list.as_list() {
            Some([]) | None => Duration::ZERO,
            Some(_) => KEPT,
        };
        kept(state, &key, time, async {
            let mut url = self.address(&["service-providers", "properties", name])?;
            url.query_pairs_mut().append_pair("accountFilter", "true");
            if let Some(country) = country {
                url.query_pairs_mut().append_pair("countries", country);
            }
            let list = self.send(state.http().get(url)).await?;
            Ok(brief(list.as_list().ok_or(Fault::Nonsense)?))
        })
        .await
    }

    /// Supported countries.
    pub(super) async fn countries(&self, state: &AppState) -> Result<Vec<Country>, Fault> {
        let list = self.list(state, "countries", None).await?;
        let read =
            |one: &Value| Some(Country { country: places::country(one.get("countryCode"))?, states: Vec::new() });
        Ok(places::few(&list).filter_map(read).collect())
    }

    /// Most successful purchase of a session: after a refused card the buyer may have paid with another.
    pub(super) async fn purchase(&self, state: &AppState, reference: &str) -> Result<Purchased, Fault> {
        let mut url = self.address(&["payments", "transactions"])?;
        url.query_pairs_mut().append_pair("externalSessionIds", reference);
        let answer = self.send(state.http().get(url)).await?;
        let list = answer.get("transactions").as_list().ok_or(Fault::Nonsense)?;
        let own = list.iter().filter(|one| one.get("externalSessionId").as_str() == Some(reference)).map(purchased);
        let rank = |one: &Purchased| match one.progress {
            Progress::Unseen => 0,
            Progress::Failed => 1,
            Progress::Pending => 2,
            Progress::Done => 3,
        };
        Ok(own.max_by_key(rank).unwrap_or_default())
    }

    pub(super) async fn offers(&self, state: &AppState, chain: Sold, place: &Region) -> Result<Offers, Fault> {
        let country = place.country.as_deref();
        let money = self.list(state, "fiat-currencies", country).await?;
        let coins = self.list(state, "crypto-currencies", country).await?;
        let code = |one: &Value| one.get("currencyCode").as_str().map(str::to_owned);
        Ok(Offers {
            money: money.as_list().unwrap_or_default().iter().filter_map(code).collect(),
            coins: coins.as_list().unwrap_or_default().iter().filter_map(|coin| offered(coin, chain)).collect(),
        })
    }

    /// Meld's code of a coin on a chain, such as `USDC_BASE`.
    async fn code(&self, state: &AppState, purchase: &Purchase) -> Result<String, Fault> {
        let coins = self.list(state, "crypto-currencies", purchase.place.country.as_deref()).await?;
        let same = |coin: &&Value| {
            offered(coin, purchase.chain).is_some_and(|found| found.symbol.eq_ignore_ascii_case(&purchase.coin))
        };
        let found = coins.as_list().unwrap_or_default().iter().find(same);
        found.and_then(|coin| loose::word(coin.get("currencyCode"))).ok_or(Fault::Refused)
    }

    /// Best quote and its provider.
    async fn best(&self, state: &AppState, purchase: &Purchase, code: &str) -> Result<(OnrampQuote, String), Fault> {
        let country = purchase.place.country.as_deref().ok_or(Fault::NoCountry)?;
        let money = purchase.money.as_deref().unwrap_or("USD");
        let amount = purchase.amount.as_deref().unwrap_or(USUAL);
        let mut body = json!({"countryCode": country, "sourceCurrencyCode": money,
            "sourceAmount": numeral(amount)?, "destinationCurrencyCode": code});
        if let Some(subdivision) = &purchase.place.subdivision {
            body["subdivision"] = json!(subdivision);
        }
        let answer = self.post(state, &["payments", "crypto", "quote"], &body).await?;
        let quotes = answer.get("quotes").as_list().ok_or(Fault::Refused)?;
        let read = |quote| read_quote(quote, money, code, &purchase.coin);
        let asked = amount.parse::<Decimal>().map_err(|_| Fault::Refused)?;
        // A quote for another amount is not comparable.
        let same = |quote: &OnrampQuote| quote.payment_total.amount.parse() == Ok(asked);
        let best = quotes
            .iter()
            .filter_map(read)
            .filter(|(quote, _)| same(quote))
            .max_by_key(|(quote, _)| quote.purchase_amount.amount.parse::<Decimal>().unwrap_or_default());
        best.ok_or(Fault::Refused)
    }

    pub(super) async fn quote(&self, state: &AppState, purchase: &Purchase) -> Result<OnrampQuote, Fault> {
        let code = self.code(state, purchase).await?;
        self.best(state, purchase, &code).await.map(|(quote, _)| quote)
    }

    /// URL of a purchase page, at the provider with the best quote.
    pub(super) async fn url(
        &self,
        state: &AppState,
        purchase: &Purchase,
        address: &str,
        (buyer, reference): (&str, Option<&str>),
        back: Option<&str>,
    ) -> Result<String, Fault> {
        let code = self.code(state, purchase).await?;
        let (_, seller) = self.best(state, purchase, &code).await?;
        let mut session = json!({"walletAddress": address, "countryCode": purchase.place.country,
            "sourceCurrencyCode": purchase.money.as_deref().unwrap_or("USD"), "destinationCurrencyCode": code,
            "sourceAmount": purchase.amount.as_deref().unwrap_or(USUAL), "serviceProvider": seller});
        if let Some(subdivision) = &purchase.place.subdivision {
            session["subdivision"] = json!(subdivision);
        }
        if let Some(back) = back {
            session["redirectUrl"] = json!(back);
        }
        let mut body = json!({"sessionType": "BUY", "sessionData": session});
        if let Some(reference) = reference {
            body["externalSessionId"] = json!(reference);
        }
        if !buyer.is_empty() {
            body["externalCustomerId"] = json!(buyer);
        }
        let answer = self.post(state, &["crypto", "session", "widget"], &body).await?;
        page(answer.get("widgetUrl").as_str().unwrap_or_default()).ok_or(Fault::Nonsense)
    }
}

fn purchased(one: &Value) -> Purchased {
    // <https://docs.meld.io/docs/transaction-statuses>: a transaction with ERROR may still continue.
    let progress = match one.get("status").as_str() {
        Some("SETTLED") => Progress::Done,
        Some("FAILED" | "DECLINED" | "CANCELLED" | "REFUNDED" | "VOIDED" | "AUTHORIZATION_EXPIRED") => Progress::Failed,
        _ => Progress::Pending,
    };
    let code = loose::word(one.get("destinationCurrencyCode"));
    let amount = number(one.get("destinationAmount"))
        .zip(code)
        .map(|(amount, code)| Paid { currency: code.split('_').next().unwrap_or(&code).to_owned(), amount });
    Purchased { progress, amount, hash: hash(one.get("cryptoDetails").get("blockchainTransactionId")) }
}

/// List reduced to the used fields.
fn brief(list: &[Value]) -> Value {
    let field = |one: &Value, name: &str| {
        let fits = loose::text(one.get(name)).is_some_and(|text| text.len() <= LONGEST_FIELD);
        fits.then(|| (name.to_owned(), one.get(name).clone()))
    };
    let entry = |one: &Value| Value::Object(FIELDS.iter().filter_map(|name| field(one, name)).collect());
    Value::List(list.iter().take(LONGEST_LIST).map(entry).collect())
}

/// Purchase page of a response, if it is on one of Meld's hosts.
fn page(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let host = url.host_str()?;
    let theirs = PAGES.iter().any(|own| host == *own || host.strip_suffix(own).is_some_and(|rest| rest.ends_with('.')));
    let plain =
        url.scheme() == "https" && url.username().is_empty() && url.password().is_none() && url.port().is_none();
    (theirs && plain && text.len() <= LONGEST_PAGE).then(|| url.into())
}

const LONGEST_PAGE: usize = 8192;

/// Amount as a JSON number.
fn numeral(amount: &str) -> Result<serde_json::Value, Fault> {
    serde_json::from_str(amount).map_err(|_| Fault::Refused)
}

fn read_quote(quote: &Value, money: &str, code: &str, coin: &str) -> Option<(OnrampQuote, String)> {
    let same = quote.get("sourceCurrencyCode").as_str() == Some(money)
        && quote.get("destinationCurrencyCode").as_str() == Some(code);
    let seller = loose::word(quote.get("serviceProvider")).filter(|_| same)?;
    let paid = |field: &str| Some(OnrampAmount { amount: number(quote.get(field))?, currency: money.into() });
    Some((
        OnrampQuote {
            payment_total: paid("sourceAmount")?,
            payment_subtotal: paid("sourceAmountWithoutFees").or_else(|| paid("fiatAmountWithoutFees"))?,
            purchase_amount: OnrampAmount { amount: bought(quote.get("destinationAmount"))?, currency: coin.into() },
            network_fee: paid("networkFee"),
            provider_fee: paid("transactionFee"),
            quote_id: String::new(),
            provider: "meld".into(),
        },
        seller,
    ))
}

fn offered(coin: &Value, chain: Sold) -> Option<Offered> {
    let here = if chain.is_solana() {
        coin.get("chainCode").as_str().is_some_and(|code| code.eq_ignore_ascii_case("solana"))
    } else {
        loose::text(coin.get("chainId")) == Some(chain.number())
    };
    let code = coin.get("currencyCode").as_str().filter(|_| here)?;
    let symbol = code.split('_').next().unwrap_or(code).to_owned();
    let contract = loose::word(coin.get("contractAddress"));
    Some(Offered {
        name: loose::word(coin.get("name")).unwrap_or_else(|| symbol.clone()),
        picture: loose::picture(coin.get("symbolImageUrl")),
        // The zero address stands for the native coin.
        contract: contract
            .filter(|contract| contract.get(2..).is_some_and(|rest| rest.bytes().any(|byte| byte != b'0'))),
        symbol,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::{parse, to_text};

    #[test]
    fn of_a_list_is_kept_what_is_read_of_it() {
        let long = "x".repeat(LONGEST_FIELD + 1);
        let text =
            format!(r#"[{{"currencyCode":"ETH","chainId":1,"name":"{long}","chainCode":[1],"more":"{long}"}},7]"#);
        let list = parse(&text).unwrap();
        assert_eq!(to_text(&brief(list.as_list().unwrap())), r#"[{"currencyCode":"ETH","chainId":1},{}]"#);
        let endless = vec![Value::Null; LONGEST_LIST + 1];
        assert_eq!(brief(&endless).as_list().unwrap().len(), LONGEST_LIST);
    }

    #[test]
    fn a_page_is_https_and_of_the_vendor() {
        for own in ["https://meldcrypto.com/?token=a", "https://sb.meldcrypto.com/?token=a.b", "https://app.meld.io/x"]
        {
            assert!(page(own).is_some(), "{own}");
        }
        for other in [
            "",
            "http://meldcrypto.com/",
            "https://evilmeldcrypto.com/",
            "https://meldcrypto.com.evil.example/",
            "https://user@meldcrypto.com/",
            "https://meldcrypto.com:8443/",
            "https://evil.example/?https://meldcrypto.com",
            "javascript:alert(1)",
            "//meldcrypto.com",
        ] {
            assert_eq!(page(other), None, "{other}");
        }
    }
}
