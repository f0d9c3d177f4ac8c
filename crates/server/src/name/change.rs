//! Changing names: each change is signed by the account whose name it is or shall be.

use super::ask::{Ask, unfit};
use super::part::InPath;
use super::table::{Registered, Registration, Transferred};
use super::{absent, coin, names, normal, record, table, time};
use crate::error::json;
use crate::guard::project::Project;
use crate::{AppState, Failure};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use portico_json::{Value, to_text};
use portico_terms::{EnsName, address::with_checksum};
use std::collections::BTreeMap;

/// So long, in milliseconds, a name that was released is kept for its last owner: whoever pays to it still means that one.
pub(super) const HELD: i64 = 30 * 24 * 3600 * 1000;

/// Letters in the value of an attribute.
const LONGEST_VALUE: usize = 255;

pub(super) async fn register(
    State(state): State<AppState>,
    project: Project,
    request: Request,
) -> Result<Response, Failure> {
    let names = names(&state)?;
    let ask = Ask::read(&state, &project, request, &["name", "attributes"]).await?;
    let name = ask.said.get("name").as_str().ok_or_else(|| unfit("name", "The signed message names no name"))?;
    let name = normal::name(name, &names.parent).map_err(|error| unfit("name", &error.to_string()))?;
    let attributes = written_attributes(ask.said.get("attributes"))?;
    ask.prove(&state).await?;
    if names.reserved.contains(name.label()) {
        return Err(conflict(format!("The name {} is reserved. Try another.", name.as_str())));
    }
    let coin_types = if ask.coin_type == coin::ETHER { vec![coin::ETHER] } else { vec![ask.coin_type, coin::ETHER] };
    let now = time::now();
    let registration = Registration {
        label: name.label(),
        owner: &ask.signer,
        coin_types: &coin_types,
        attributes: &attributes.into_iter().filter(|(_, value)| !value.is_empty()).collect(),
        per_address: names.per_address,
        now,
        released_before: now - HELD,
    };
    match table::register(state.database(), &registration).await.map_err(|error| Failure::database(&error))? {
        Registered::Done => shown(&state, &name).await,
        Registered::Taken => Err(conflict(format!("The name {} is taken. Try another.", name.as_str()))),
        Registered::Enough => Err(conflict(enough(names.per_address, "This account"))),
    }
}

pub(super) async fn attributes(
    State(state): State<AppState>,
    project: Project,
    InPath(name): InPath<String>,
    request: Request,
) -> Result<Response, Failure> {
    let name = of_path(&state, &name)?;
    let ask = Ask::read(&state, &project, request, &["name", "attributes"]).await?;
    same_name(&state, &ask, &name, false)?;
    let written = written_attributes(ask.said.get("attributes"))?;
    if written.is_empty() {
        return Err(unfit("attributes", "The signed message sets no attribute"));
    }
    ask.prove(&state).await?;
    let owned = (name.label(), ask.signer.as_str());
    let done = table::set_attributes(state.database(), owned, &written, time::now()).await;
    settle(&state, &name, done.map_err(|error| Failure::database(&error))?).await
}

pub(super) async fn address(
    State(state): State<AppState>,
    project: Project,
    InPath(name): InPath<String>,
    request: Request,
) -> Result<Response, Failure> {
    let name = of_path(&state, &name)?;
    let ask = Ask::read(&state, &project, request, &["name", "coin_type", "coinType", "address"]).await?;
    same_name(&state, &ask, &name, false)?;
    let coin_type = match ask.said.get("coinType") {
        Value::Null => ask.said.get("coin_type"),
        given => given,
    };
    let coin_type = coin_type.as_u64().and_then(|number| u32::try_from(number).ok());
    let coin_type = coin_type.ok_or_else(|| unfit("coin_type", "The signed message names no coin type"))?;
    let address =
        ask.said.get("address").as_str().ok_or_else(|| unfit("address", "The signed message names no address"))?;
    let kept = if address.is_empty() { Some(String::new()) } else { coin::address(coin_type, address) };
    let kept = kept
        .ok_or_else(|| unfit("address", "This is no address of that coin type, or nobody here knows the coin type"))?;
    ask.prove(&state).await?;
    let owned = (name.label(), ask.signer.as_str());
    let done = table::set_address(state.database(), owned, (coin_type, &kept), time::now()).await;
    settle(&state, &name, done.map_err(|error| Failure::database(&error))?).await
}

pub(super) async fn transfer(
    State(state): State<AppState>,
    project: Project,
    InPath(name): InPath<String>,
    request: Request,
) -> Result<Response, Failure> {
    let name = of_path(&state, &name)?;
    let per_address = names(&state)?.per_address;
    let ask = Ask::read(&state, &project, request, &["name", "owner"]).await?;
    same_name(&state, &ask, &name, true)?;
    let owner =
        ask.said.get("owner").as_str().ok_or_else(|| unfit("owner", "The signed message names no new owner"))?;
    let owner = with_checksum(owner).map_err(|error| unfit("owner", &error.to_string()))?;
    if owner == ask.signer || owner.bytes().skip(2).all(|digit| digit == b'0') {
        return Err(unfit("owner", "The new owner must be another account"));
    }
    ask.prove(&state).await?;
    let owned = (name.label(), ask.signer.as_str());
    let done = table::transfer(state.database(), owned, &owner, per_address, time::now()).await;
    match done.map_err(|error| Failure::database(&error))? {
        Transferred::Enough => Err(conflict(enough(per_address, "The new owner"))),
        done => settle(&state, &name, done == Transferred::Done).await,
    }
}

pub(super) async fn release(
    State(state): State<AppState>,
    project: Project,
    InPath(name): InPath<String>,
    request: Request,
) -> Result<Response, Failure> {
    let name = of_path(&state, &name)?;
    let ask = Ask::read(&state, &project, request, &["name", "release"]).await?;
    same_name(&state, &ask, &name, true)?;
    if ask.said.get("release").as_bool() != Some(true) {
        return Err(unfit("release", "The signed message does not release the name"));
    }
    ask.prove(&state).await?;
    let owned = (name.label(), ask.signer.as_str());
    if table::release(state.database(), owned, time::now()).await.map_err(|error| Failure::database(&error))? {
        return Ok(json(StatusCode::OK, "{}"));
    }
    settle(&state, &name, false).await
}

fn of_path(state: &AppState, name: &str) -> Result<EnsName, Failure> {
    normal::name(name, &names(state)?.parent).map_err(|error| Failure::parameter("name", error.to_string()))
}

/// A message for one name changes no other.
fn same_name(state: &AppState, ask: &Ask, name: &EnsName, needed: bool) -> Result<(), Failure> {
    let said = match ask.said.get("name") {
        Value::Null if !needed => return Ok(()),
        said => said.as_str().and_then(|said| normal::name(said, &names(state).ok()?.parent).ok()),
    };
    if said.as_ref() == Some(name) { Ok(()) } else { Err(unfit("name", "The signed message is not about this name")) }
}

fn written_attributes(written: &Value) -> Result<BTreeMap<String, String>, Failure> {
    if written.is_null() {
        return Ok(BTreeMap::new());
    }
    let fields = written.as_object().ok_or_else(|| unfit("attributes", "The attributes are not a JSON object"))?;
    let mut attributes = BTreeMap::new();
    for (attribute, value) in fields {
        let value = value.as_str().ok_or_else(|| unfit("attributes", "The value of an attribute must be a text"))?;
        if value.chars().count() > LONGEST_VALUE {
            return Err(unfit("attributes", "The value of an attribute has at most 255 letters"));
        }
        if value.chars().any(disturbs) {
            return Err(unfit(
                "attributes",
                "The value of an attribute has no line breaks, changes of direction or other control characters",
            ));
        }
        match attribute.as_str() {
            "bio" => {}
            "avatar" if value.is_empty() || is_picture(value) => {}
            "avatar" => {
                return Err(unfit(
                    "attributes",
                    "The avatar must begin with https://, ipfs://, eip155: or data:image/",
                ));
            }
            _ => return Err(unfit("attributes", "The attributes of a name are avatar and bio")),
        }
        attributes.insert(attribute.clone(), value.to_owned());
    }
    Ok(attributes)
}

/// Controls, and what turns the direction of the text beside it (Unicode TR 36).
fn disturbs(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The forms of ENSIP-12.
fn is_picture(value: &str) -> bool {
    ["https://", "ipfs://", "eip155:", "data:image/"].iter().any(|beginning| value.starts_with(beginning))
}

fn enough(per_address: u32, who: &str) -> String {
    match per_address {
        1 => format!("{who} has a name already."),
        many => format!("{who} has {many} names already, and may have no more."),
    }
}

fn conflict(description: String) -> Failure {
    Failure::new(StatusCode::CONFLICT, "name", description)
}

/// The answer to a change that was done, or was not because the signer has no such name.
async fn settle(state: &AppState, name: &EnsName, done: bool) -> Result<Response, Failure> {
    if done {
        return shown(state, name).await;
    }
    match table::find(state.database(), name.label()).await.map_err(|error| Failure::database(&error))? {
        Some(_) => Err(Failure::new(StatusCode::UNAUTHORIZED, "signature", "The name belongs to another account")),
        None => Err(absent(name)),
    }
}

async fn shown(state: &AppState, name: &EnsName) -> Result<Response, Failure> {
    let row = table::find(state.database(), name.label()).await.map_err(|error| Failure::database(&error))?;
    let row = row.ok_or_else(|| absent(name))?;
    Ok(json(StatusCode::OK, to_text(&record(row, &names(state)?.parent))))
}
