//! `POST /v1/fungible/price`

use super::{Money, market, named, quotes};
use crate::config::Chain;
use crate::error::json;
use crate::guard::body;
use crate::guard::project::{Asker, Project};
use crate::marks::picture_of;
use crate::picture::reachable;
use crate::{AppState, Failure};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use portico_api::price::{CURRENCIES, Fungible, PriceQuestion, Prices};
use portico_json::{Number, Read, Value, parse, to_text};
use portico_terms::AccountId;

/// Maximum size of a body; a hundred ids take a tenth of it.
const BODY_LIMIT: usize = 64 * 1024;

const MOST: usize = 100;

pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/v1/fungible/price", post(price))
}

async fn price(State(state): State<AppState>, asker: Asker, request: Request) -> Result<Response, Failure> {
    let (value, project) = read(&state, asker, request).await?;
    let (money, coins) = asked(&value)?;
    let found = quotes(&state, &coins, money).await.map_err(|_| {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "Couldn't load prices. Try again.").again_after(AGAIN_AFTER)
    })?;
    let priced = coins.iter().filter_map(|coin| {
        let (price, priced) = found.prices.get(&named(coin))?;
        let chain = state.chain(coin.chain());
        let known = chain.as_deref().and_then(|chain| known(chain, coin));
        // Without decimals a price would be misread, so such coins are left out.
        let (name, symbol, decimals, icon) = match known {
            Some(known) => known,
            None => (priced.symbol.clone(), priced.symbol.clone(), priced.decimals?, String::new()),
        };
        let mut icon_url = picture_of(&icon, coin.chain(), coin.address());
        reachable(&state, &project, &mut icon_url);
        Some(Fungible {
            address: coin.to_string(),
            name,
            symbol,
            icon_url,
            price: Number::read(&Value::Number(price.to_string())).ok()?,
            decimals: decimals.into(),
        })
    });
    let answer = Prices { fungibles: priced.collect(), source: found.source, age: Some(found.age) };
    Ok(json(StatusCode::OK, to_text(&answer)))
}

/// Body and project of a request. If the query or a header names the project, it is checked before the body is read.
async fn read(state: &AppState, asker: Asker, request: Request) -> Result<(Value, Project), Failure> {
    let mut share = state.memory().of(Some(asker.visitor())).share();
    let body = async || {
        let body = body::read_within(request, &mut share, BODY_LIMIT).await?;
        let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Send the body as UTF-8 text"))?;
        parse(text).map_err(|_| Failure::parameter("body", "Send the body as JSON"))
    };
    if asker.is_named() {
        let project = asker.project(state, None).await?;
        return Ok((body().await?, project));
    }
    let value = body().await?;
    let project = asker.project(state, value.get("projectId").as_str()).await?;
    Ok((value, project))
}

/// `Retry-After`, in seconds.
const AGAIN_AFTER: u32 = 30;

fn asked(body: &Value) -> Result<(Money, Vec<AccountId>), Failure> {
    let wrong = |field: &str, description: String| Failure::new(StatusCode::UNPROCESSABLE_ENTITY, field, description);
    let question = PriceQuestion::read(body).map_err(|_| {
        wrong("body", "Add projectId, currency and a list of addresses to the body, each a text".to_owned())
    })?;
    let money = Money::read(&question.currency)
        .ok_or_else(|| wrong("currency", format!("Use one of the currencies {}", CURRENCIES.join(", "))))?;
    if question.addresses.len() > MOST {
        return Err(wrong("addresses", format!("Ask for at most {MOST} prices at once")));
    }
    let ids = question.addresses.iter().map(|text| text.parse::<AccountId>());
    let ids = ids.collect::<Result<Vec<_>, _>>();
    let ids = ids.map_err(|_| wrong("addresses", "Use CAIP-10 ids as addresses, such as eip155:1:0x…".to_owned()))?;
    Ok((money, ids))
}

/// Name, symbol, decimals and picture from the configuration.
fn known(chain: &Chain, coin: &AccountId) -> Option<(String, String, u8, String)> {
    if market::is_coin(coin) {
        let own = &chain.assets.coin;
        return Some((own.name.clone(), own.symbol.clone(), own.decimals, String::new()));
    }
    let token = chain.assets.tokens.iter().find(|token| token.address.eq_ignore_ascii_case(coin.address()))?;
    Some((token.name.clone(), token.symbol.clone(), token.decimals, token.picture.clone()))
}
