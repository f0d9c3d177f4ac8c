//! `POST /v1/convert/build-transaction`: builds the swap transaction and checks it before it is returned.

use super::ask::{Words, amount, spend};
use super::check;
use super::gas::{self, UserCall};
use super::kept::{self, Quote};
use super::routes::refusal;
use super::trade::{Found, Order, Tolerance, Trade, caip};
use super::{Fault, LIMIT, simulation};
use crate::error::json;
use crate::guard::body;
use crate::guard::project::{Asker, Project};
use crate::source::kept::now;
use crate::{AppState, Failure};
use alloy_primitives::{U256, hex};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::swap::{BuiltSwap, SwapGas, SwapOrder, SwapTransaction};
use portico_json::{Read, ReadError, Value, parse, to_text};
use tokio::time::timeout;

/// Maximum size of a request body in bytes; an order has a few hundred.
const BODY_LIMIT: usize = 16 * 1024;

/// Time that the user has to sign, in seconds.
const PATIENCE: u64 = 20 * 60;

pub(super) async fn build_transaction(
    State(state): State<AppState>,
    asker: Asker,
    request: Request,
) -> Result<Response, Failure> {
    let (order, project) = read(&state, asker, request).await?;
    spend(&state, &project).await?;
    let words = Words {
        amount: order.amount.as_deref(),
        to_amount: order.to_amount.as_deref(),
        from: &order.from,
        to: &order.to,
        user: Some(&order.user_address),
    };
    let trade = words.read(&state, &project)?;
    let tolerance = tolerance(&order)?;
    let named = |text: &Option<String>, field| text.as_deref().map(|text| amount(text, field)).transpose();
    let promised = Promised {
        least: named(&order.to_amount_min, "toAmountMin")?,
        most: named(&order.from_amount_max, "fromAmountMax")?,
    };
    let quote = match order.quote_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => kept::get(&state, id, &trade).await?,
        None => anew(&state, &trade, tolerance).await?,
    };
    let built = build(&state, trade, quote, tolerance, promised, order.disable_estimate == Some(true)).await?;
    Ok(json(StatusCode::OK, to_text(&built)))
}

/// Reads the body and the project. If the query or a header names the project, the body of a project without access is not read.
async fn read(state: &AppState, asker: Asker, request: Request) -> Result<(SwapOrder, Project), Failure> {
    let mut share = state.memory().of(Some(asker.visitor())).share();
    let body = async || {
        let body = body::read_within(request, &mut share, BODY_LIMIT).await?;
        let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Send the body as UTF-8 text"))?;
        parse(text).map_err(|_| Failure::parameter("body", "Send the body as JSON"))
    };
    let (value, project): (Value, Project) = if asker.is_named() {
        let project = asker.project(state, None).await?;
        (body().await?, project)
    } else {
        let value = body().await?;
        let project = asker.project(state, value.get("projectId").as_str()).await?;
        (value, project)
    };
    if value.get("amount").is_null() && value.get("toAmount").is_null() {
        return Err(unread("amount"));
    }
    let order = SwapOrder::read(&value).map_err(|ReadError(part)| unread(part))?;
    Ok((order, project))
}

/// 422 that names the invalid field.
fn unread(part: &'static str) -> Failure {
    let (field, sentence) = match part {
        "eip155" => ("slippage", SLIPPAGE.to_owned()),
        "disableEstimate" => (part, "Use true or false as disableEstimate".into()),
        "toAmount" | "projectId" | "quoteId" | "toAmountMin" | "fromAmountMax" => {
            (part, format!("Send {part} as text, if at all"))
        }
        part => (part, "Add amount, from, to and userAddress to the body, each a text".into()),
    };
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, field, sentence)
}

const SLIPPAGE: &str = "Use 0 to 50 percent with at most two decimals as slippage";

fn tolerance(order: &SwapOrder) -> Result<Tolerance, Failure> {
    let Some(slippage) = order.eip155.as_ref().and_then(|said| said.slippage.as_ref()) else {
        return Ok(Tolerance::USUAL);
    };
    Tolerance::read(slippage.as_str()).ok_or_else(|| Failure::parameter("slippage", SLIPPAGE))
}

async fn anew(state: &AppState, trade: &Trade, tolerance: Tolerance) -> Result<Quote, Failure> {
    let found = state.swaps().quotes(state, trade, tolerance).await.map_err(|fault| refusal(fault, trade))?;
    let (provider, found) = found.into_iter().next().ok_or_else(|| refusal(Fault::NoWay, trade))?;
    Ok(Quote::new(provider, trade, found))
}

/// Bounds that the user was shown.
struct Promised {
    least: Option<U256>,
    most: Option<U256>,
}

impl Promised {
    /// Maximum paid and minimum received of the swap; `None` if the quote is beyond them.
    fn bounds(&self, trade: &Trade, found: &Found, tolerance: Tolerance) -> Option<(U256, U256)> {
        if trade.exact_out {
            let most = tolerance.most(found.paid).min(self.most.unwrap_or(U256::MAX));
            return (found.paid <= most).then_some((most, trade.amount));
        }
        let least = tolerance.least(found.out).max(self.least.unwrap_or_default());
        (least <= found.out).then_some((trade.amount, least))
    }
}

async fn build(
    state: &AppState,
    trade: Trade,
    quote: Quote,
    tolerance: Tolerance,
    promised: Promised,
    as_quoted: bool,
) -> Result<BuiltSwap, Failure> {
    let gone = || Failure::new(StatusCode::CONFLICT, "quoteId", "The provider of this quote is gone. Get a new quote.");
    let swaps = state.swaps();
    let chain = trade.chain.clone();
    let provider = swaps.named(&chain, &quote.provider).ok_or_else(gone)?;
    let user = trade.user.ok_or_else(|| refusal(Fault::NotServed, &trade))?;
    let bounds = promised.bounds(&trade, &quote.found, tolerance);
    let (most, least) = bounds.ok_or_else(|| refusal(Fault::Moved, &trade))?;
    let time = now() / 1000;
    let order = Order { trade, user, most, least, tolerance, deadline: time + PATIENCE, found: quote.found };
    let asked = timeout(LIMIT, provider.build(state, &order)).await;
    let asked = asked.unwrap_or(Err(Fault::Upstream(crate::source::Fault::Silent)));
    let built = asked.and_then(|built| {
        let said = provider.read(&order, &built);
        let looked = check::built(&order, &built, said.as_ref(), &provider.routers(&chain), time);
        looked.map(|()| built).map_err(Fault::Breach)
    });
    let built = built.map_err(|fault| {
        tracing::warn!(chain = %chain.id, provider = provider.id(), ?fault, "couldn't build a swap");
        refusal(fault, &order.trade)
    })?;
    let limit = if as_quoted { Some(built.gas.unwrap_or(order.found.gas)) } else { None };
    let call = UserCall { from: user, to: built.to, data: &built.data, value: built.value };
    let fails = "This swap would fail. Check your balance and approval, then get a new quote.";
    let cost = gas::cost(state, &chain.id, &call, limit, fails);
    let (cost, tried) = tokio::join!(cost, simulation::built(state, &order, &built));
    let (gas, gas_price) = cost?;
    tried.map_err(|fault| {
        tracing::warn!(chain = %chain.id, provider = provider.id(), ?fault, "a swap failed its simulation");
        match fault {
            Fault::Fails => Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "from", fails),
            fault => refusal(fault, &order.trade),
        }
    })?;
    let tx = SwapTransaction {
        from: caip(&chain.id, user),
        to: caip(&chain.id, built.to),
        data: hex::encode_prefixed(&built.data),
        amount: order.most.to_string(),
        value: built.value.to_string(),
        eip155: SwapGas { gas: gas.to_string(), gas_price: gas_price.to_string() },
    };
    let from_amount_max = order.trade.exact_out.then(|| order.most.to_string());
    Ok(BuiltSwap { tx, to_amount_min: order.least.to_string(), from_amount_max, expiry: order.deadline })
}
