//! Name lookups.

use super::owner::Owner;
use super::{absent, coin, names, nonce as nonces, normal, record, suggest, table, time};
use crate::config::Names;
use crate::error::json;
use crate::guard::part::{InPath, InQuery};
use crate::guard::project::Project;
use crate::{AppState, Failure, ens};
use alloy_primitives::Address;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::name::{NameAddress, NameRecord, Nonce, Suggestion, Suggestions};
use portico_json::{Write, to_text};
use portico_terms::address::{is_evm, is_solana, to_checksum};
use portico_terms::{EnsName, EnsNameError};
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct NameQuery {
    #[serde(rename = "apiVersion")]
    api_version: Option<String>,
    #[serde(rename = "coinType")]
    coin_type: Option<u32>,
}

impl NameQuery {
    /// Response without results: an empty list from version 2 on, the refusal (404) in version 1.
    fn nothing(&self, refusal: Failure) -> Result<Response, Failure> {
        match self.api_version.as_deref() {
            None | Some("1") => Err(refusal),
            Some("2") => Ok(answered(&Vec::<NameRecord>::new())),
            Some(_) => Err(Failure::parameter("apiVersion", "Use 1 or 2 as version of the API")),
        }
    }
}

/// Looks up a name of ours or any ENS name, for example as a payment target.
pub(super) async fn account(
    State(state): State<AppState>,
    _project: Project,
    InPath(name): InPath<String>,
    InQuery(asked): InQuery<NameQuery>,
) -> Result<Response, Failure> {
    let own = state.names().map(|names| (normal::name(&name, &names.parent), &names.parent));
    match own {
        Some((Ok(name), parent)) => {
            let row = table::find(state.database(), name.label()).await.map_err(|error| Failure::database(&error))?;
            row.map_or_else(|| asked.nothing(absent(&name)), |row| Ok(answered(&record(row, parent))))
        }
        None if state.ens().is_none() => names(&state).map(|_| answered(&Vec::<NameRecord>::new())),
        None | Some((Err(EnsNameError::Parent), _)) => match foreign(&state, &name, asked.coin_type).await? {
            Some(record) => Ok(answered(&record)),
            None => asked.nothing(no_such_name()),
        },
        // An invalid name cannot be registered.
        Some((Err(_), _)) => asked.nothing(no_such_name()),
    }
}

fn no_such_name() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "name", "Name not found")
}

/// Addresses of an ENS name: on Ethereum, and on the requested chain.
async fn foreign(state: &AppState, name: &str, coin_type: Option<u32>) -> Result<Option<NameRecord>, Failure> {
    let Ok(name) = ens::EnsName::parse(name) else { return Ok(None) };
    let mut record = NameRecord { name: name.as_str().into(), ..NameRecord::default() };
    let other = coin_type.filter(|coin| *coin != coin::ETHER && coin::is_evm(*coin));
    for coin in [Some(coin::ETHER), other].into_iter().flatten() {
        let found = ens::address_of(state, &name, u64::from(coin)).await?;
        if let Some(account) =
            found.and_then(|bytes| Address::try_from(bytes.as_slice()).ok()).filter(|it| !it.is_zero())
        {
            let address = NameAddress { address: account.to_checksum(None), ..NameAddress::default() };
            record.addresses.insert(coin.to_string(), address);
        }
    }
    Ok((!record.addresses.is_empty()).then_some(record))
}

pub(super) async fn reverse(
    State(state): State<AppState>,
    _project: Project,
    InPath(address): InPath<String>,
    InQuery(asked): InQuery<NameQuery>,
) -> Result<Response, Failure> {
    all_of(&state, &address, None, &asked).await
}

pub(super) async fn reverse_of_coin(
    State(state): State<AppState>,
    _project: Project,
    InPath((coin_type, address)): InPath<(String, String)>,
    InQuery(asked): InQuery<NameQuery>,
) -> Result<Response, Failure> {
    let coin_type =
        coin_type.parse().map_err(|_| Failure::parameter("coin_type", "Use a whole number below 2^32 as coin type"))?;
    all_of(&state, &address, Some(coin_type), &asked).await
}

async fn all_of(
    state: &AppState,
    address: &str,
    coin_type: Option<u32>,
    asked: &NameQuery,
) -> Result<Response, Failure> {
    let names = names(state)?;
    // The checksum is not checked: looking up a mistyped address does no harm.
    let owner = match address {
        evm if is_evm(evm) => to_checksum(evm),
        // Solana accounts cannot sign for our names, so they have none.
        _ if is_solana(address) => return asked.nothing(no_name(address)),
        _ => return Err(Failure::parameter("address", "Use the address of an EVM or Solana account")),
    };
    let found = names_of(state, names, &owner, coin_type).await.map_err(|error| Failure::database(&error))?;
    if found.is_empty() { asked.nothing(no_name(&owner)) } else { Ok(answered(&found)) }
}

fn no_name(address: &str) -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "address", format!("The address {address} has no name"))
}

/// Names of this owner, oldest first; with a coin type, only those that resolve back to it. Without one, the account on
/// Ethereum is meant.
///
/// Names of others that point at the address are not included, nor those of a contract at that address on another chain.
pub(super) async fn names_of(
    state: &AppState,
    names: &Names,
    owner: &str,
    coin_type: Option<u32>,
) -> Result<Vec<NameRecord>, sqlx::Error> {
    let mut found = Vec::new();
    let by_key = Owner::by_key(owner);
    let chain = coin::on_one_chain(state, coin_type.unwrap_or(coin::ETHER));
    let on_chain = chain.map_or_else(|| by_key.clone(), |chain| Owner::on_chain(chain, owner));
    for label in table::of_owners(state.database(), [&by_key, &on_chain]).await? {
        let Some(row) = table::find(state.database(), &label).await? else { continue };
        let leads_back = |coin_type| {
            row.addresses.get(&coin_type).is_some_and(|(address, _)| coin::is_evm(coin_type) && address == owner)
        };
        if coin_type.is_none_or(leads_back) {
            found.push(record(row, &names.parent));
        }
    }
    Ok(found)
}

pub(super) async fn suggestions(
    State(state): State<AppState>,
    _project: Project,
    InPath(name): InPath<String>,
) -> Result<Response, Failure> {
    let names = names(&state)?;
    let parent = &names.parent;
    let normal = normal::normal(&name).unwrap_or(name.as_str().into());
    let typed = normal.strip_suffix(parent.as_str()).and_then(|rest| rest.strip_suffix('.')).unwrap_or(&normal);
    let labels = suggest::like(typed);
    let texts: Vec<String> = labels.iter().map(|label| label.as_str().to_owned()).collect();
    let held = time::now() - super::change::HELD;
    let taken = table::taken(state.database(), &texts, held).await.map_err(|error| Failure::database(&error))?;
    let suggestion = |label| {
        let name = EnsName::below(label, parent);
        let reserved = names.reserved.contains(name.label());
        let registered = reserved || taken.iter().any(|taken| taken == name.label());
        Suggestion { name: name.as_str().into(), registered, reserved: Some(reserved) }
    };
    Ok(answered(&Suggestions { suggestions: labels.iter().map(suggestion).collect() }))
}

pub(super) async fn nonce(State(state): State<AppState>, _project: Project) -> Result<Response, Failure> {
    names(&state)?;
    let nonce = nonces::make(&state).await.map_err(|error| Failure::database(&error))?;
    let mut response = answered(&Nonce { nonce });
    response.headers_mut().insert(axum::http::header::CACHE_CONTROL, axum::http::HeaderValue::from_static("no-store"));
    Ok(response)
}

fn answered(answer: &impl Write) -> Response {
    json(StatusCode::OK, to_text(answer))
}
