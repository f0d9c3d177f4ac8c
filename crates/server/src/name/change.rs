//! Changes of names: each is signed by the account that owns, or will own, the name.

use super::ask::{Ask, coin_type, unfit};
use super::owner::Owner;
use super::table::{Registered, Registration, Transferred};
use super::{absent, attribute, coin, names, normal, record, table, time};
use crate::config::Names;
use crate::error::json;
use crate::guard::part::InPath;
use crate::guard::project::Project;
use crate::{AppState, Failure};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use portico_json::to_text;
use portico_terms::sign_in::name as statement;
use portico_terms::{EnsName, address::with_checksum};
use std::collections::BTreeMap;

/// Time in milliseconds that a released name stays reserved for its last owner, since people who pay to it still mean that owner.
pub(super) const HELD: i64 = 30 * 24 * 3600 * 1000;

pub(super) async fn register(
    State(state): State<AppState>,
    project: Project,
    request: Request,
) -> Result<Response, Failure> {
    let names = names(&state)?;
    let ask = Ask::read(&state, &project, request).await?;
    let name = ask.said.get("name").as_str().ok_or_else(|| unfit("name", "Add the name to register"))?;
    let name = normal::name(name, &names.parent).map_err(|error| unfit("name", &error.to_string()))?;
    let attributes = attribute::read(ask.said.get("attributes"))?;
    let owner = ask.prove(&state, &statement::register_with(&name, &ask.signer, texts(&attributes))).await?;
    if names.reserved.contains(name.label()) {
        return Err(conflict(format!("The name {} is reserved. Try another.", name.as_str())));
    }
    let now = time::now();
    let registration = Registration {
        label: name.label(),
        owner: &owner,
        coin_types: &led_to(&owner, ask.coin_type),
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

/// Coin types under which a new name resolves to its owner: that of the request, and Ethereum's if the account is the same there.
fn led_to(owner: &Owner, asked: u32) -> Vec<u32> {
    let also_on_ethereum = asked != coin::ETHER && owner.coin_type.is_none_or(|known| known == coin::ETHER);
    if also_on_ethereum { vec![asked, coin::ETHER] } else { vec![asked] }
}

/// Attributes as a statement says them.
fn texts(attributes: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, &str)> {
    attributes.iter().map(|(attribute, value)| (attribute.as_str(), value.as_str()))
}

pub(super) async fn attributes(
    State(state): State<AppState>,
    project: Project,
    InPath(name): InPath<String>,
    request: Request,
) -> Result<Response, Failure> {
    let wish = Wish::read(&state, &project, &name, request).await?;
    let written = attribute::read(wish.ask.said.get("attributes"))?;
    if written.is_empty() {
        return Err(unfit("attributes", "Add an attribute to set"));
    }
    let owner = wish.prove(&statement::describe(&wish.name, texts(&written))).await?;
    wish.settle(table::set_attributes(state.database(), &wish.by(&owner), &written).await).await
}

pub(super) async fn address(
    State(state): State<AppState>,
    project: Project,
    InPath(name): InPath<String>,
    request: Request,
) -> Result<Response, Failure> {
    let wish = Wish::read(&state, &project, &name, request).await?;
    let (coin_type, address) = wish.to()?;
    let kept = if address.is_empty() { Some(String::new()) } else { coin::address(coin_type, address) };
    let kept =
        kept.ok_or_else(|| unfit("to", "Use an address of that coin type. Other coin types aren't supported."))?;
    let said = match kept.as_str() {
        "" => statement::unpoint(&wish.name, coin_type),
        address => statement::point(&wish.name, coin_type, address),
    };
    let owner = wish.prove(&said).await?;
    wish.settle(table::set_address(state.database(), &wish.by(&owner), (coin_type, &kept)).await).await
}

pub(super) async fn transfer(
    State(state): State<AppState>,
    project: Project,
    InPath(name): InPath<String>,
    request: Request,
) -> Result<Response, Failure> {
    let wish = Wish::read(&state, &project, &name, request).await?;
    let (coin_type, to) = wish.to()?;
    let to = with_checksum(to).map_err(|error| unfit("to", &error.to_string()))?;
    if to == wish.ask.signer || to.bytes().skip(2).all(|digit| digit == b'0') {
        return Err(unfit("to", "Choose another account as new owner"));
    }
    // It is unknown whether the new owner is a key or a contract, so only one chain is assumed.
    let on_chain = coin::on_one_chain(&state, coin_type)
        .ok_or_else(|| unfit("to", "Use the coin type of one EVM chain for the new owner"))?;
    let owner = wish.prove(&statement::transfer(&wish.name, coin_type, &to)).await?;
    let to = (&Owner::on_chain(on_chain, &to), on_chain);
    let per_address = wish.names.per_address;
    match table::transfer(state.database(), &wish.by(&owner), to, per_address).await {
        Ok(Transferred::Enough) => Err(conflict(enough(per_address, "The new owner"))),
        done => wish.settle(done.map(|done| done == Transferred::Done)).await,
    }
}

pub(super) async fn release(
    State(state): State<AppState>,
    project: Project,
    InPath(name): InPath<String>,
    request: Request,
) -> Result<Response, Failure> {
    let wish = Wish::read(&state, &project, &name, request).await?;
    let owner = wish.prove(&statement::release(&wish.name)).await?;
    match table::release(state.database(), &wish.by(&owner)).await {
        Ok(true) => Ok(json(StatusCode::OK, "{}")),
        done => wish.settle(done).await,
    }
}

/// Request to change a registered name.
struct Wish<'a> {
    state: &'a AppState,
    names: &'a Names,
    name: EnsName,
    ask: Ask,
}

impl<'a> Wish<'a> {
    async fn read(state: &'a AppState, project: &Project, name: &str, request: Request) -> Result<Wish<'a>, Failure> {
        let names = names(state)?;
        let name = normal::name(name, &names.parent).map_err(|error| Failure::parameter("name", error.to_string()))?;
        let ask = Ask::read(state, project, request).await?;
        ask.sign_in_only()?;
        Ok(Wish { state, names, name, ask })
    }

    /// Coin type and address of the account of the request.
    fn to(&self) -> Result<(u32, &str), Failure> {
        let to = self.ask.said.get("to");
        let coin_type = match (to.get("coinType").is_null(), to.get("coin_type").is_null()) {
            (true, true) => Some(coin::ETHER),
            _ => coin_type(to),
        };
        let coin_type = coin_type.ok_or_else(|| unfit("to", "Use a whole number below 2^32 as coin type"))?;
        let address = to.get("address").as_str().ok_or_else(|| unfit("to", "Add the address of the account"))?;
        Ok((coin_type, address))
    }

    async fn prove(&self, statement: &str) -> Result<Owner, Failure> {
        self.ask.prove(self.state, statement).await
    }

    fn by<'b>(&'b self, owner: &'b Owner) -> table::Change<'b> {
        table::Change { label: self.name.label(), owner, now: time::now() }
    }

    /// Response to a change; an error if the name does not exist or is not the signer's.
    async fn settle(&self, done: Result<bool, sqlx::Error>) -> Result<Response, Failure> {
        if done.map_err(|error| Failure::database(&error))? {
            return shown(self.state, &self.name).await;
        }
        let found = table::find(self.state.database(), self.name.label()).await;
        match found.map_err(|error| Failure::database(&error))? {
            Some(_) => Err(Failure::new(StatusCode::UNAUTHORIZED, "signature", "This name belongs to another account")),
            None => Err(absent(&self.name)),
        }
    }
}

fn enough(per_address: u32, who: &str) -> String {
    match per_address {
        1 => format!("{who} already has a name."),
        many => format!("{who} already has {many} names, which is the limit."),
    }
}

fn conflict(description: String) -> Failure {
    Failure::new(StatusCode::CONFLICT, "name", description)
}

async fn shown(state: &AppState, name: &EnsName) -> Result<Response, Failure> {
    let row = table::find(state.database(), name.label()).await.map_err(|error| Failure::database(&error))?;
    let row = row.ok_or_else(|| absent(name))?;
    Ok(json(StatusCode::OK, to_text(&record(row, &names(state)?.parent))))
}
