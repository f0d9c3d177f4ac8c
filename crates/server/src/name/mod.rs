//! Names below the operator's own name: `/v1/profile/…` and the gateway through which they resolve in ENS (spec 3.24, 4.29, 5.1, 7.3).

mod ask;
mod attribute;
mod change;
mod coin;
mod gateway;
mod nonce;
pub(crate) mod normal;
mod owner;
mod read;
pub(crate) mod signature;
mod suggest;
mod table;
mod time;

use crate::config::Names;
use crate::{AppState, Failure};
use alloy_primitives::Address;
use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};
use portico_api::name::{NameAddress, NameRecord};
use portico_terms::{EnsName, address};

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1/profile/account", post(change::register))
        .route("/v1/profile/account/{name}", get(read::account))
        .route("/v1/profile/account/{name}/attributes", post(change::attributes))
        .route("/v1/profile/account/{name}/address", post(change::address))
        .route("/v1/profile/account/{name}/transfer", post(change::transfer))
        .route("/v1/profile/account/{name}/release", post(change::release))
        .route("/v1/profile/reverse/{address}", get(read::reverse))
        .route("/v1/profile/reverse/{coin_type}/{address}", get(read::reverse_of_coin))
        .route("/v1/profile/suggestions/{name}", get(read::suggestions))
        .route("/v1/profile/nonce", get(read::nonce))
        .merge(gateway::router())
}

/// Oldest name that the address owns and that resolves back to it.
pub(crate) async fn reverse(state: &AppState, address: &str) -> Option<NameRecord> {
    let names = state.names()?;
    let owner = address::with_checksum(address).ok()?;
    let found = read::names_of(state, names, &owner, Some(coin::ETHER)).await;
    found.map_err(|error| Failure::database(&error)).ok()?.into_iter().next()
}

/// Avatar record of one of our names, and the Ethereum account that the name resolves to; `None` if the name is not ours or has no avatar.
pub(crate) async fn avatar(state: &AppState, name: &str) -> Result<Option<(String, Option<Address>)>, Failure> {
    let Some(names) = state.names() else { return Ok(None) };
    let below = name.strip_suffix(names.parent.as_str()).is_some_and(|rest| rest.ends_with('.'));
    let Some(name) = below.then(|| normal::name(name, &names.parent).ok()).flatten() else { return Ok(None) };
    let row = table::find(state.database(), name.label()).await.map_err(|error| Failure::database(&error))?;
    Ok(row.and_then(|mut row| {
        let owner = row.addresses.get(&coin::ETHER).and_then(|(address, _)| address.parse().ok());
        Some((row.attributes.remove("avatar")?, owner))
    }))
}

/// Settings of names; 404 if this server registers none.
fn names(state: &AppState) -> Result<&Names, Failure> {
    state.names().ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "", "Names aren't set up on this server"))
}

fn record(row: table::Row, parent: &str) -> NameRecord {
    let mut record = NameRecord {
        name: format!("{}.{parent}", row.label),
        registered: time::rfc3339(row.registered_at),
        updated: time::rfc3339(row.updated_at),
        registered_at: time::rfc3339(row.registered_at),
        updated_at: time::rfc3339(row.updated_at),
        ..NameRecord::default()
    };
    for (coin_type, (address, created)) in row.addresses {
        record.addresses.insert(coin_type.to_string(), NameAddress { address, created: time::rfc3339(created) });
    }
    for (attribute, value) in row.attributes {
        record.attributes.insert(attribute, value);
    }
    record
}

/// 404: the name is not registered.
fn absent(name: &EnsName) -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "name", format!("The name {} isn't registered", name.as_str()))
}
