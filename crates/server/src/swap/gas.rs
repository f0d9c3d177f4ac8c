//! Gas price and gas estimates: `GET /v1/convert/gas-price`.

use super::ask::{Query, any_chain, needed};
use super::trade::wide;
use crate::error::json;
use crate::guard::part::InQuery;
use crate::guard::project::Project;
use crate::rpc::inside::{self, CallFailed};
use crate::{AppState, Failure};
use alloy_primitives::{Address, U256, hex};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::swap::GasPrice;
use portico_json::to_text;
use portico_terms::{Amount, ChainId, Namespace};
use serde_json::{Value, json};

/// Maximum size of a gas price, in bits; a node that reports more is wrong.
const MOST_BITS: usize = 128;

/// Divisor of the safety margin: the gas limit is the estimate plus a fifth, in case the call needs more when it is mined.
const MARGIN: u64 = 5;

pub(super) async fn gas_price(
    State(state): State<AppState>,
    project: Project,
    InQuery(query): InQuery<Query>,
) -> Result<Response, Failure> {
    let text = needed(query.chain_id.as_ref(), "chainId")?;
    let id = text.parse::<ChainId>();
    let id = id.map_err(|_| Failure::parameter("chainId", "Use a CAIP-2 id as chainId, such as eip155:1"))?;
    let chain = any_chain(&state, &project, &id, "chainId")?;
    if chain.id.namespace() != Namespace::Eip155 {
        let sentence = format!("Couldn't load the gas price of the chain {id}");
        return Err(Failure::new(StatusCode::NOT_FOUND, "chainId", sentence));
    }
    let price = price(&inside::call(&state, &id, "eth_gasPrice", &json!([])).await.map_err(unanswered)?)?;
    let more = |part: u64| (price + price / U256::from(part)).to_string();
    let told = GasPrice { standard: price.to_string(), fast: more(10), instant: more(4) };
    Ok(json(StatusCode::OK, to_text(&told)))
}

/// Call of the user, for a gas estimate.
pub(super) struct UserCall<'a> {
    pub(super) from: Address,
    pub(super) to: Address,
    pub(super) data: &'a [u8],
    pub(super) value: U256,
}

/// Cost of a call of the user: gas limit, and gas price in wei. Without a given `limit` a node estimates the gas; if the call reverts
/// there, the error is 422 with the text `fails`.
pub(super) async fn cost(
    state: &AppState,
    chain: &ChainId,
    call: &UserCall<'_>,
    limit: Option<u64>,
    fails: &str,
) -> Result<(u64, U256), Failure> {
    let tried = json!([{
        "from": call.from.to_string(),
        "to": call.to.to_string(),
        "data": hex::encode_prefixed(call.data),
        "value": format!("{:#x}", call.value),
    }]);
    let mut asked = vec![("eth_gasPrice", json!([]))];
    asked.extend(limit.is_none().then_some(("eth_estimateGas", tried)));
    let mut answers = inside::call_many(state, chain, asked).await.into_iter();
    let price = price(&answers.next().ok_or_else(nonsense)?.map_err(unanswered)?)?;
    let gas = match (limit, answers.next()) {
        (Some(limit), _) => limit,
        (None, Some(Ok(said))) => number(&said).and_then(|gas| gas.checked_add(gas / MARGIN)).ok_or_else(nonsense)?,
        (None, Some(Err(CallFailed::Refused { .. }))) => {
            return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "", fails));
        }
        (None, Some(Err(failed))) => return Err(unanswered(failed)),
        (None, None) => return Err(nonsense()),
    };
    Ok((gas, price))
}

fn price(said: &Value) -> Result<U256, Failure> {
    let price = said.as_str().and_then(|text| Amount::from_hex(text).ok()).map(wide);
    price.filter(|price| price.bit_len() <= MOST_BITS).ok_or_else(nonsense)
}

fn number(said: &Value) -> Option<u64> {
    said.as_str().and_then(|text| Amount::from_hex(text).ok()).and_then(|amount| u64::try_from(wide(amount)).ok())
}

/// `Retry-After` of 503 responses, in seconds.
const AGAIN_AFTER: u32 = 5;

fn unanswered(failed: CallFailed) -> Failure {
    tracing::warn!(error = %failed, "a chain didn't respond to a swap request");
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "The chain isn't responding. Try again.").again_after(AGAIN_AFTER)
}

fn nonsense() -> Failure {
    Failure::new(StatusCode::BAD_GATEWAY, "", "Couldn't read the chain's answer. Try again.")
}
