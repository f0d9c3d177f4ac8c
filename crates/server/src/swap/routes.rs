//! `GET /v1/convert/quotes` and `GET /v1/convert/build-approve`.

use super::ask::{Query, Words, needed, spend};
use super::kept::{self, LIFE, Quote};
use super::trade::{Coin, Found, Tolerance, Trade, caip};
use super::{Fault, gas};
use crate::error::json;
use crate::guard::part::InQuery;
use crate::guard::project::Project;
use crate::source::kept::now;
use crate::{AppState, Failure};
use alloy_primitives::{U256, hex};
use alloy_sol_types::{SolCall, sol};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::swap::{SwapApproval, SwapApprovalTransaction, SwapGas, SwapQuotes};
use portico_json::to_text;

sol! {
    function approve(address spender, uint256 amount) external returns (bool);
}

/// `Retry-After` of 503 responses, in seconds.
const AGAIN_AFTER: u32 = 10;

impl Query {
    fn trade(&self, state: &AppState, project: &Project) -> Result<Trade, Failure> {
        let to_amount = self.to_amount.as_deref().filter(|text| !text.is_empty());
        let amount = match to_amount {
            Some(_) => self.amount.as_deref().filter(|text| !text.is_empty()),
            None => Some(needed(self.amount.as_ref(), "amount")?),
        };
        let words = Words {
            amount,
            to_amount,
            from: needed(self.from.as_ref(), "from")?,
            to: needed(self.to.as_ref(), "to")?,
            user: self.user_address.as_deref().filter(|text| !text.is_empty()),
        };
        words.read(state, project)
    }
}

pub(super) async fn quotes(
    State(state): State<AppState>,
    project: Project,
    InQuery(query): InQuery<Query>,
) -> Result<Response, Failure> {
    let trade = query.trade(&state, &project)?;
    spend(&state, &project).await?;
    let found = state.swaps().quotes(&state, &trade, Tolerance::USUAL).await.map_err(|fault| refusal(fault, &trade))?;
    let expiry = now() / 1000 + LIFE.as_secs();
    let mut quotes = Vec::with_capacity(found.len());
    for (provider, found) in found {
        let quote = Quote::new(provider, &trade, found);
        let id = kept::put(&state, &quote).await.ok_or_else(|| refusal(Fault::NoWay, &trade))?;
        quotes.push(quote.found.to_api(&trade, provider, id, expiry));
    }
    Ok(json(StatusCode::OK, to_text(&SwapQuotes { quotes })))
}

pub(super) async fn build_approve(
    State(state): State<AppState>,
    project: Project,
    InQuery(query): InQuery<Query>,
) -> Result<Response, Failure> {
    if query.amount.is_none() && query.to_amount.is_none() {
        let sentence = "Add amount to the query. An approval covers only what is swapped.";
        return Err(Failure::parameter("amount", sentence));
    }
    needed(query.user_address.as_ref(), "userAddress")?;
    let trade = query.trade(&state, &project)?;
    let owner = trade.user.ok_or_else(|| Failure::parameter("userAddress", "Add userAddress to the query"))?;
    if trade.from.is_native() {
        return Err(Failure::parameter("from", "The chain's own coin needs no approval"));
    }
    spend(&state, &project).await?;
    let found = match query.quote_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => kept::get(&state, id, &trade).await?.found,
        None => best(&state, &trade).await?,
    };
    let Some(spender) = found.spender else {
        return Err(Failure::parameter("from", "This swap needs no approval"));
    };
    let amount = if trade.exact_out { Tolerance::USUAL.most(found.paid) } else { trade.amount };
    let data = approveCall { spender, amount }.abi_encode();
    let call = gas::UserCall { from: owner, to: trade.from.0, data: &data, value: U256::ZERO };
    let fails = "The token refuses the approval. Reset the old one to 0 first.";
    let (gas, gas_price) = gas::cost(&state, &trade.chain.id, &call, None, fails).await?;
    let tx = SwapApprovalTransaction {
        from: caip(&trade.chain.id, owner),
        to: trade.from.caip(&trade.chain.id),
        data: hex::encode_prefixed(&data),
        value: "0".into(),
        eip155: SwapGas { gas: gas.to_string(), gas_price: gas_price.to_string() },
    };
    Ok(json(StatusCode::OK, to_text(&SwapApproval { tx })))
}

async fn best(state: &AppState, trade: &Trade) -> Result<Found, Failure> {
    let found = state.swaps().quotes(state, trade, Tolerance::USUAL).await.map_err(|fault| refusal(fault, trade))?;
    found.into_iter().next().map(|(_, found)| found).ok_or_else(|| refusal(Fault::NoWay, trade))
}

/// Error response, with a readable sentence, for a quote or a transaction that failed.
pub(super) fn refusal(fault: Fault, trade: &Trade) -> Failure {
    match fault {
        Fault::NotServed => {
            Failure::parameter("userAddress", "Add userAddress to the query. Providers on this chain need it.")
        }
        Fault::NoWay => {
            let name = |coin: Coin| if coin.is_native() { "the chain's coin".to_owned() } else { coin.0.to_string() };
            let (from, to, chain) = (name(trade.from), name(trade.to), &trade.chain.id);
            let sentence = match trade.exact_out {
                true => format!("Couldn't find a way to swap {from} for this amount of {to} on {chain}"),
                false => format!("Couldn't find a way to swap this amount of {from} for {to} on {chain}"),
            };
            let field = if trade.exact_out { "toAmount" } else { "amount" };
            Failure::new(StatusCode::UNPROCESSABLE_ENTITY, field, sentence)
        }
        Fault::Moved if trade.exact_out => {
            let sentence = "The price has moved, so you'd pay more. Get a new quote.";
            Failure::new(StatusCode::CONFLICT, "fromAmountMax", sentence)
        }
        Fault::Moved => {
            let sentence = "The price has moved, so you'd get less. Get a new quote.";
            Failure::new(StatusCode::CONFLICT, "toAmountMin", sentence)
        }
        Fault::Fails => {
            let sentence = "This swap would fail. One of the tokens restricts transfers or takes a fee on them.";
            Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "from", sentence)
        }
        Fault::Taxed => {
            let sentence = "One of the tokens takes a fee on transfers, so you'd get less than promised";
            Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "from", sentence)
        }
        Fault::Limited => {
            let sentence = "Swap providers on this chain are busy. Try again in a minute.";
            Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", sentence).again_after(AGAIN_AFTER)
        }
        Fault::Upstream(_) => silent(),
        Fault::Breach(breach) => {
            Failure::new(StatusCode::BAD_GATEWAY, "", format!("Refused the provider's answer because {breach}"))
        }
    }
}

pub(super) fn silent() -> Failure {
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "Swap providers on this chain aren't responding. Try again.")
        .again_after(AGAIN_AFTER)
}
