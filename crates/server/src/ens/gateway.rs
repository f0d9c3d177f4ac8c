//! Requests to the gateways that contracts name (EIP-3668), and batches of them (ENSIP-21).

use super::abi::{HttpError, Query, called, queryCall};
use crate::AppState;
use crate::egress::{Ask, Limits, Refused};
use alloy_primitives::{Address, hex};
use alloy_sol_types::{SolCall, SolError};
use axum::http::StatusCode;
use futures_util::future::join_all;
use serde::Deserialize;
use std::time::Duration;

/// Marks the client itself as the batch gateway (ENSIP-21): it queries each gateway directly.
pub(super) const OURSELVES: &str = "x-batch-gateway:true";

const LIMITS: Limits = Limits { bytes: 512 * 1024, time: Duration::from_secs(4) };

/// Maximum number of gateway URLs tried per query.
const MOST_URLS: usize = 4;

/// Maximum number of queries in a batch.
const MOST_QUERIES: usize = 16;

#[derive(Deserialize)]
struct Answer {
    data: String,
}

/// Response to a query, or the refusal as an HTTP error for the contract.
pub(super) async fn ask(state: &AppState, question: &Query) -> Result<Vec<u8>, HttpError> {
    if question.urls.iter().any(|url| url == OURSELVES) {
        return each(state, &question.data).await;
    }
    one(state, question).await
}

/// Sends each query of a batch to its own gateways. Failures are part of the response, for the resolver contract.
async fn each(state: &AppState, data: &[u8]) -> Result<Vec<u8>, HttpError> {
    let malformed = || failed(StatusCode::BAD_REQUEST, "use a batch of lookups");
    let batch = called::<queryCall>(data).ok_or_else(malformed)?;
    if batch.queries.len() > MOST_QUERIES {
        return Err(failed(StatusCode::BAD_REQUEST, "too many lookups at once"));
    }
    let answers = join_all(batch.queries.iter().map(|query| one(state, query))).await;
    let failures = answers.iter().map(Result::is_err).collect();
    let told = |answer: Result<Vec<u8>, HttpError>| answer.unwrap_or_else(|error| error.abi_encode()).into();
    let responses = answers.into_iter().map(told).collect();
    Ok(queryCall::abi_encode_returns(&super::abi::queryReturn { failures, responses }))
}

/// Tries the gateways in order. A 4xx status is final; on any other failure the next one is tried.
async fn one(state: &AppState, question: &Query) -> Result<Vec<u8>, HttpError> {
    let mut last = failed(StatusCode::NOT_FOUND, "no gateway is named");
    for url in question.urls.iter().take(MOST_URLS) {
        match fetch(state, url, question.sender, &question.data).await {
            Ok(answer) => return Ok(answer),
            Err(error) if (400..500).contains(&error.status) => return Err(error),
            Err(error) => last = error,
        }
    }
    Err(last)
}

async fn fetch(state: &AppState, template: &str, sender: Address, data: &[u8]) -> Result<Vec<u8>, HttpError> {
    let (sender, hex_data) = (hex::encode_prefixed(sender), hex::encode_prefixed(data));
    let url = template.replace("{sender}", &sender).replace("{data}", &hex_data);
    let ask = if template.contains("{data}") {
        Ask::Get
    } else {
        Ask::Post(serde_json::json!({ "data": hex_data, "sender": sender }).to_string().into())
    };
    let fetched = state.egress().fetch(&url, ask, LIMITS).await.map_err(|refused| match refused {
        refused if refused.may_pass() => failed(StatusCode::SERVICE_UNAVAILABLE, &refused.to_string()),
        Refused::TooLong(_) | Refused::Encoded => failed(StatusCode::BAD_GATEWAY, &refused.to_string()),
        // Our own HTTP client refuses, not the gateway: the next one may be tried. Status 0, since a retry later would not help.
        refused => HttpError { status: 0, message: refused.to_string() },
    })?;
    if !fetched.status.is_success() {
        return Err(failed(fetched.status, "the gateway refuses"));
    }
    let nonsense = || HttpError { status: 0, message: "couldn't read the gateway's answer".into() };
    let answer: Answer = serde_json::from_slice(&fetched.body).map_err(|_| nonsense())?;
    let data = answer.data.strip_prefix("0x").ok_or_else(nonsense)?;
    hex::decode(data).map_err(|_| nonsense())
}

fn failed(status: StatusCode, message: &str) -> HttpError {
    HttpError { status: status.as_u16(), message: message.into() }
}
