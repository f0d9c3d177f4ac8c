//! Gateway of EIP-3668: signed records of our names for a resolver contract.

mod abi;
mod layout;
mod records;

use super::table;
use crate::config::Gateway;
use crate::error::json;
use crate::guard::body;
use crate::guard::in_flight::until_sent;
use crate::guard::open::Visitor;
use crate::guard::part::InPath;
use crate::{AppState, Failure};
use abi::{GatewayCall, MOST};
use alloy_primitives::{Address, Bytes, hex, keccak256};
use alloy_sol_types::SolValue;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use portico_json::parse;
use records::Zone;

/// Maximum length of a call, in bytes. Calls of wallets have a few hundred.
const LONGEST: usize = 16 * 1024;

/// Memory of the answer for each record, in bytes: the longest text has 255 letters of up to four bytes, the answer is hex, and a signature
/// comes with it.
const RECORD: usize = 4 * 1024;

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/v1/ens/{sender}/{data}", get(by_path)).route("/v1/ens", post(by_body))
}

async fn by_path(
    State(state): State<AppState>,
    visitor: Visitor,
    InPath((sender, data)): InPath<(String, String)>,
) -> Result<Response, Failure> {
    answer(&state, &visitor, &sender, data.strip_suffix(".json").unwrap_or(&data)).await
}

async fn by_body(State(state): State<AppState>, visitor: Visitor, request: Request) -> Result<Response, Failure> {
    // Hex takes two letters per byte.
    let mut share = state.memory().of(Some(visitor.address())).share();
    let body = body::read_within(request, &mut share, 3 * LONGEST).await?;
    let body = str::from_utf8(&body).ok().and_then(|text| parse(text).ok());
    let body = body.ok_or_else(|| Failure::parameter("body", "Send the body as JSON"))?;
    let text = |name: &'static str| {
        body.get(name).as_str().ok_or_else(|| Failure::parameter(name, "Add sender and data to the body"))
    };
    answer(&state, &visitor, text("sender")?, text("data")?).await
}

async fn answer(state: &AppState, visitor: &Visitor, sender: &str, data: &str) -> Result<Response, Failure> {
    let off = || Failure::new(StatusCode::NOT_FOUND, "", "This server isn't a gateway for names");
    let names = state.names().ok_or_else(off)?;
    let gateway = names.gateway.as_ref().ok_or_else(off)?;
    let sender: Address =
        sender.parse().map_err(|_| Failure::parameter("sender", "Use a contract's address as sender"))?;
    if data.len() > 2 + 2 * LONGEST {
        return Err(too_long("data"));
    }
    let digits = data.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
    let request = digits.ok_or_else(|| Failure::parameter("data", "Use 0x and hex digits as data"))?;
    let answerer = Answerer { state, gateway, parent: &names.parent };
    let call = GatewayCall::read(&request).ok_or_else(|| Failure::parameter("data", NEITHER))?;
    let records = records_of(&call);
    if records > MOST {
        return Err(Failure::parameter("data", format!("Ask for at most {MOST} records in a call")));
    }
    visitor.spend(state, records.saturating_sub(1)).await?;
    let mut share = state.memory().of(Some(visitor.address())).share();
    share.grow(RECORD * records)?;
    let told = match call {
        GatewayCall::Resolve { name, data } => answerer.resolve(sender, &request, name, data).await?,
        GatewayCall::Query(items) => answerer.query(&items).await?,
    };
    let response = json(StatusCode::OK, format!("{{\"data\":\"{}\"}}", hex::encode_prefixed(told)));
    // A client that reads slowly keeps the answer in memory.
    Ok(response.map(|body| until_sent(body, share)))
}

/// Number of records that a call asks for, those of all its inner calls together. Offsets may lead to the same bytes, so a short call may ask
/// for many.
fn records_of(call: &GatewayCall<'_>) -> usize {
    match call {
        GatewayCall::Resolve { data, .. } => records::count(data),
        GatewayCall::Query(items) => {
            let of_item = |item: &abi::Item<'_>| match GatewayCall::read(item.data) {
                Some(GatewayCall::Resolve { data, .. }) => records::count(data),
                _ => 1,
            };
            items.iter().map(of_item).sum()
        }
    }
}

const NEITHER: &str = "Use a call of resolve(bytes,bytes) or query((address,string[],bytes)[]) as data";

fn too_long(field: &str) -> Failure {
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, field, "Shorten the call to 16 KiB")
}

struct Answerer<'a> {
    state: &'a AppState,
    gateway: &'a Gateway,
    parent: &'a str,
}

impl Answerer<'_> {
    /// ENSIP-10: the name in DNS encoding, and the resolver call about it.
    async fn resolve(&self, sender: Address, request: &[u8], name: &[u8], data: &[u8]) -> Result<Vec<u8>, Failure> {
        if sender != self.gateway.resolver {
            return Err(Failure::new(
                StatusCode::NOT_FOUND,
                "sender",
                "This gateway works with another contract. Check the resolver of the name.",
            ));
        }
        let zone = Zone::read(name, self.parent).map_err(|refused| refused.failure(self.parent))?;
        let row = match &zone {
            Zone::Name(name) => {
                table::find(self.state.database(), name.label()).await.map_err(|error| Failure::database(&error))?
            }
            Zone::Nothing => None,
        };
        let result = records::answer(row.as_ref(), data)
            .ok_or_else(|| Failure::parameter("data", "Couldn't decode the call about the name"))?;
        layout::sign(self.gateway, request, &result).ok_or_else(|| {
            tracing::error!("names: couldn't sign a gateway response");
            Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "", "Couldn't sign the response. Try again.")
        })
    }

    /// ENSIP-21: batch of gateway calls. Only calls of this gateway are executed; those for other servers are refused.
    async fn query(&self, items: &[abi::Item<'_>]) -> Result<Vec<u8>, Failure> {
        let mut failures = Vec::with_capacity(items.len());
        let mut answers = Vec::with_capacity(items.len());
        for item in items {
            let answer = match GatewayCall::read(item.data) {
                Some(GatewayCall::Resolve { name, data }) => {
                    self.resolve(Address::from(*item.sender), item.data, name, data).await
                }
                _ => Err(Failure::parameter("data", NEITHER)),
            };
            failures.push(answer.is_err());
            answers.push(Bytes::from(answer.unwrap_or_else(|failure| http_error(&failure))));
        }
        Ok((failures, answers).abi_encode_params())
    }
}

/// `HttpError(uint16 status, string message)`.
fn http_error(failure: &Failure) -> Vec<u8> {
    let mut error = keccak256("HttpError(uint16,string)")[..4].to_vec();
    error.extend((failure.status().as_u16(), failure.description().to_owned()).abi_encode_params());
    error
}
