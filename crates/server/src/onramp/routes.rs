//! `/v1/onramp/…` and `/v1/generators/onrampurl`

use super::ask::{self, Purchase, Region, unfit};
use super::chains::{self, FALLBACK};
use super::coinbase::Coinbase;
use super::meld::Meld;
use super::places::countries;
use super::purchase::{purchase as purchased, reference};
use super::{FEE, Fault, LIMIT, Offers, failure, label, offers, quote, seller};
use crate::config::{Onramp, Seller};
use crate::error::{in_words, json};
use crate::guard::body;
use crate::guard::client::Client;
use crate::guard::part::InQuery;
use crate::guard::project::Project;
use crate::marks::picture_of;
use crate::picture::reachable;
use crate::picture_link::picture;
use crate::shared::Rate;
use crate::{AppState, Failure};
use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use futures_util::future::join_all;
use portico_api::onramp::{
    OnrampOptions, OnrampProvider, OnrampProviders, OnrampQuestion, OnrampUrl, OnrampUrlQuestion, PaymentCurrency,
    PurchaseCurrency,
};
use portico_json::{Read, Value, parse, to_text};
use portico_terms::amount;
use serde::Deserialize;
use tokio::time::timeout;

/// Maximum size of a body; usual ones have some hundred bytes.
const BODY_LIMIT: usize = 16 * 1024;

/// Rate limit of quotes per visitor.
const QUOTES: Rate = Rate { per_second: 2.0, burst: 40 };

/// Maximum number of coins and of currencies in a response.
const MOST: usize = 500;

/// Local currencies (ISO 4217) by country, listed first there; elsewhere dollars come first.
const MONEY: [(&str, &[&str]); 8] = [
    (
        "EUR",
        &["AT", "BE", "DE", "ES", "FI", "FR", "GR", "IE", "IT", "LT", "LU", "LV", "NL", "PT", "SI", "SK", "EE", "HR"],
    ),
    ("GBP", &["GB"]),
    ("CHF", &["CH", "LI"]),
    ("CAD", &["CA"]),
    ("AUD", &["AU"]),
    ("BRL", &["BR"]),
    ("INR", &["IN"]),
    ("JPY", &["JP"]),
];

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1/onramp/providers", get(providers))
        .route("/v1/onramp/options", get(options))
        .route("/v1/onramp/countries", get(countries))
        .route("/v1/onramp/quote", post(quoted))
}

/// Separate router: its responses go only to origins that the project lists.
pub(crate) fn session_router() -> Router<AppState> {
    Router::new().route("/v1/generators/onrampurl", post(session)).route("/v1/onramp/purchase", get(purchased))
}

async fn providers(State(state): State<AppState>, _project: Project) -> Response {
    let told = |seller: &Seller| OnrampProvider {
        name: seller.word().into(),
        label: label(seller).into(),
        fee_from: FEE.0,
        fee_to: FEE.1,
        chains: chains::ids(),
        fallback: FALLBACK.into(),
    };
    let providers = state.onramp().sellers.iter().map(told).collect();
    json(StatusCode::OK, to_text(&OnrampProviders { providers }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfferQuery {
    chain_id: Option<String>,
    country: Option<String>,
    subdivision: Option<String>,
    time_zone: Option<String>,
}

async fn options(
    State(state): State<AppState>,
    project: Project,
    InQuery(asked): InQuery<OfferQuery>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let chain = ask::chain("chainId", asked.chain_id.as_deref().unwrap_or(FALLBACK))?;
    let zone = asked.time_zone.as_deref();
    let place = Region::read(asked.country.as_deref(), asked.subdivision.as_deref(), zone, &headers)?;
    spend(&state, &project, "quotes", QUOTES).await?;
    let mut answer = OnrampOptions {
        country: place.country.clone(),
        subdivision: place.subdivision.clone(),
        ..OnrampOptions::default()
    };
    let mut failed = None;
    let mut answered = false;
    let sellers = &state.onramp().sellers;
    let told = join_all(sellers.iter().map(|one| offers(&state, one, chain, &place))).await;
    for (one, told) in sellers.iter().zip(told) {
        match told {
            Ok(found) => {
                answered = true;
                merge(&mut answer, found, one.word(), chain.id);
            }
            // The provider can answer once the visitor names the region.
            Err(Fault::NoCountry | Fault::NoState) => answered = true,
            Err(fault) => failed = failed.or(Some(failure(one, fault))),
        }
    }
    if !answered {
        return Err(failed.unwrap_or_else(nobody));
    }
    let own = MONEY.iter().find(|(_, countries)| place.country.as_deref().is_some_and(|own| countries.contains(&own)));
    let own = own.map_or("USD", |(money, _)| money);
    answer.payment_currencies.sort_by_key(|money| (money.id != own, money.id != "USD", money.id != "EUR"));
    answer.purchase_currencies.sort_by_key(|coin| coin.symbol != chain.coin);
    for coin in &mut answer.purchase_currencies {
        reachable(&state, &project, &mut coin.icon_url);
    }
    Ok(json(StatusCode::OK, to_text(&answer)))
}

/// Adds the offers of one provider.
fn merge(into: &mut OnrampOptions, found: Offers, by: &str, network: &str) {
    for id in found.money.into_iter().filter_map(|id| ask::money("", &id).ok()) {
        let known = into.payment_currencies.iter().position(|known| known.id == id);
        let place = known.unwrap_or(into.payment_currencies.len());
        if known.is_none() && place < MOST {
            into.payment_currencies.push(PaymentCurrency { id, providers: Vec::new() });
        }
        add(into.payment_currencies.get_mut(place).map(|money| &mut money.providers), by);
    }
    for coin in found.coins {
        let Ok(id) = ask::coin("", &coin.symbol) else { continue };
        let known = into.purchase_currencies.iter().position(|known| known.id == id);
        let place = known.unwrap_or(into.purchase_currencies.len());
        if known.is_none() && place < MOST {
            into.purchase_currencies.push(PurchaseCurrency {
                id,
                name: coin.name,
                symbol: coin.symbol,
                icon_url: match (network.parse(), &coin.contract) {
                    (Ok(chain), Some(contract)) => picture_of(&coin.picture, &chain, contract),
                    _ => picture(&coin.picture),
                },
                network: network.into(),
                contract_address: coin.contract,
                providers: Vec::new(),
            });
        }
        add(into.purchase_currencies.get_mut(place).map(|coin| &mut coin.providers), by);
    }
}

fn add(providers: Option<&mut Vec<String>>, by: &str) {
    if let Some(providers) = providers.filter(|providers| providers.iter().all(|known| known != by)) {
        providers.push(by.into());
    }
}

async fn quoted(State(state): State<AppState>, project: Project, request: Request) -> Result<Response, Failure> {
    let headers = request.headers().clone();
    let asked: OnrampQuestion = read(&state, &project, request).await?;
    let onramp = state.onramp();
    let seller = seller(onramp, asked.provider.as_deref())?;
    let chain = ask::chain("network", asked.network.as_deref().unwrap_or(FALLBACK))?;
    let purchase = Purchase {
        chain,
        coin: ask::coin("purchaseCurrency", &asked.purchase_currency)?,
        money: Some(ask::money("paymentCurrency", &asked.payment_currency)?),
        amount: Some(ask::amount("amount", &asked.amount, 2)?),
        place: Region::read(asked.country.as_deref(), asked.subdivision.as_deref(), None, &headers)?,
    };
    spend(&state, &project, "quotes", QUOTES).await?;
    let quote = quote(&state, seller, &purchase).await.map_err(|fault| failure(seller, fault))?;
    Ok(json(StatusCode::OK, to_text(&quote)))
}

async fn session(State(state): State<AppState>, request: Request) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let project = Project::from_request_parts(&mut parts, &state).await?;
    if project.client().is_none() {
        return Err(unfit(
            "x-project-secret",
            "Send this request from a page. It tells the provider the buyer's address.",
        ));
    }
    let (headers, client) = (parts.headers.clone(), Client::whole_address(&parts, state.limits()));
    let asked: OnrampUrlQuestion = read(&state, &project, Request::from_parts(parts, body)).await?;
    let onramp = state.onramp();
    let seller = seller(onramp, asked.provider.as_deref())?;
    let (purchase, address) = purchase(&asked, &headers)?;
    let back = asked.return_url.as_deref().map(|url| ask::page(url, &headers)).transpose()?.filter(|_| onramp.returns);
    let minute = onramp.sessions_per_client_per_minute;
    spend(&state, &project, "sessions", Rate { per_second: f64::from(minute) / 60.0, burst: minute }).await?;
    let buyer = asked.partner_user_id.as_deref().unwrap_or_default();
    let reference = if buyer.is_empty() { reference() } else { None };
    let made = async {
        match seller {
            Seller::Coinbase { url, key } => {
                let assets = asked.destination_wallets.first().and_then(|wallet| wallet.assets.as_deref());
                let known = reference.as_deref().unwrap_or(buyer);
                let more = more(&asked, known, back.as_deref())?;
                let made = Coinbase { url, key };
                let made = made.url(&state, &purchase, &address, assets.unwrap_or_default(), client, &more);
                made.await.map_err(|fault| failure(seller, fault))
            }
            Seller::Meld(keyed) => {
                let meld = Meld(keyed);
                let made = meld.url(&state, &purchase, &address, (buyer, reference.as_deref()), back.as_deref());
                made.await.map_err(|fault| failure(seller, fault))
            }
        }
    };
    let url = timeout(LIMIT, made).await.unwrap_or_else(|_| Err(failure(seller, Fault::Unreachable)))?;
    Ok(json(StatusCode::OK, to_text(&OnrampUrl { url, network: purchase.chain.id.into(), reference })))
}

/// Optional parameters of the purchase page's URL.
fn more(asked: &OnrampUrlQuestion, buyer: &str, back: Option<&str>) -> Result<Vec<(&'static str, String)>, Failure> {
    let mut more = Vec::new();
    if let Some(amount) = &asked.preset_crypto_amount {
        more.push(("presetCryptoAmount", ask::amount("presetCryptoAmount", amount, 18)?));
    }
    if let Some(amount) = &asked.preset_fiat_amount {
        more.push(("presetFiatAmount", ask::amount("presetFiatAmount", amount, 2)?));
    }
    match asked.default_experience.as_deref() {
        Some(experience @ ("buy" | "send")) => more.push(("defaultExperience", experience.into())),
        Some(_) => return Err(unfit("defaultExperience", "Use buy or send as experience")),
        None => {}
    }
    if !buyer.is_empty() {
        more.push(("partnerUserRef", buyer.into()));
    }
    if let Some(back) = back {
        more.push(("redirectUrl", back.into()));
    }
    Ok(more)
}

fn purchase(asked: &OnrampUrlQuestion, headers: &HeaderMap) -> Result<(Purchase, String), Failure> {
    let [wallet] = asked.destination_wallets.as_slice() else {
        return Err(unfit("destinationWallets", "Add exactly one wallet"));
    };
    let listed = wallet.blockchains.as_deref().unwrap_or_default();
    let network = asked.default_network.as_deref().or(listed.first().map(String::as_str)).unwrap_or(FALLBACK);
    let chain = ask::chain("defaultNetwork", network)?;
    let assets = wallet.assets.as_deref().unwrap_or_default();
    if assets.len() > MOST || assets.iter().any(|asset| ask::coin("assets", asset).is_err()) {
        return Err(unfit("destinationWallets", "Use symbols as assets, such as ETH"));
    }
    let address = ask::address(chain, &wallet.address)?;
    let buyer = asked.partner_user_id.as_deref().unwrap_or_default();
    if buyer.len() > 50 || !buyer.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(unfit("partnerUserId", "Use at most 50 letters as id of a buyer"));
    }
    let named = |text: &Option<String>, check: fn(&'static str, &str) -> Result<String, Failure>, field| {
        text.as_deref().map(|text| check(field, text)).transpose()
    };
    let coin = named(&asked.purchase_currency, ask::coin, "purchaseCurrency")?;
    Ok((
        Purchase {
            coin: coin.unwrap_or_else(|| chain.coin.into()),
            chain,
            money: named(&asked.payment_currency, ask::money, "paymentCurrency")?,
            amount: named(&asked.preset_fiat_amount, |field, text| ask::amount(field, text, 2), "presetFiatAmount")?,
            place: Region::read(asked.country.as_deref(), asked.subdivision.as_deref(), None, headers)?,
        },
        address,
    ))
}

pub(super) fn nobody() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "", "No provider is set up on this server")
}

async fn read<T: Read>(state: &AppState, project: &Project, request: Request) -> Result<T, Failure> {
    let mut share = state.memory().of(project.visitor()).share();
    let body = body::read_within(request, &mut share, BODY_LIMIT).await?;
    let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Send the body as UTF-8 text"))?;
    let value = parse(text).map_err(|_| Failure::parameter("body", "Send the body as JSON"))?;
    T::read(&plain(value)).map_err(|_| Failure::parameter("body", "The body doesn't match /openapi.json"))
}

/// Body in our form: clients of other servers name a currency by the object that describes it, and write amounts as numbers.
fn plain(body: Value) -> Value {
    let Value::Object(fields) = body else { return body };
    let plain = |(name, value): (String, Value)| {
        let value = match (name.as_str(), value) {
            // The id of a coin is a provider's own there; its symbol is that of all providers.
            ("purchaseCurrency", Value::Object(coin)) => named(coin, ["symbol", "id"]),
            ("paymentCurrency", Value::Object(money)) => named(money, ["id", "symbol"]),
            ("amount" | "presetFiatAmount" | "presetCryptoAmount", Value::Number(number)) => {
                Value::Text(amount::plain(&number).unwrap_or(number))
            }
            (_, value) => value,
        };
        (name, value)
    };
    Value::Object(fields.into_iter().map(plain).collect())
}

/// First of these fields of a currency that is a text.
fn named(currency: Vec<(String, Value)>, fields: [&str; 2]) -> Value {
    let currency = Value::Object(currency);
    let name = fields.into_iter().find_map(|field| currency.get(field).as_str());
    name.map_or(Value::Null, Value::from)
}

/// 429 if a visitor exceeds the rate limit, in all projects together: the upstreams limit the server.
pub(super) async fn spend(state: &AppState, project: &Project, what: &str, rate: Rate) -> Result<(), Failure> {
    let Some(client) = project.client() else { return Ok(()) };
    let spent = state.shared().spend(&format!("onramp:{what}:{client}"), 1, rate).await;
    spent.map_err(|spent| {
        let description = format!("Too many purchases from here. Try again in {}.", in_words(spent.seconds));
        Failure::new(StatusCode::TOO_MANY_REQUESTS, "", description).again_after(spent.seconds)
    })
}

/// Whether an on-ramp provider is configured.
pub(crate) fn is_there(onramp: &Onramp) -> bool {
    !onramp.sellers.is_empty()
}
