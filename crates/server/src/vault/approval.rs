//! Approval of a device by the link of a mail. The web tier draws the page; a GET shows it and a POST decides, so that programs that fetch
//! links approve nothing.

use super::code;
use super::encoding::{decode, hash};
use super::login::send;
use super::mail::{Address, Matter};
use super::table;
use super::{Vault, answer, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_json::{Json, Read, parse};

/// Paths of the web tier's own requests, which visitors cannot reach.
pub(crate) const SHOW: &str = "/approval";
pub(crate) const DECIDE: &str = "/approve";

/// Token of the mail.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(crate) struct Shown {
    pub(crate) token: String,
}

/// Decision of the visitor.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(crate) struct Decision {
    pub(crate) token: String,
    pub(crate) approve: bool,
}

/// What the page shows.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(crate) struct Approving {
    pub(crate) host: String,
    pub(crate) browser: String,
    pub(crate) place: String,
    pub(crate) number: String,
    /// Whether nobody decided yet.
    pub(crate) open: bool,
}

fn body<T: Read>(text: &str) -> Result<T, Failure> {
    let read = parse(text).ok().and_then(|value| T::read(&value).ok());
    read.ok_or_else(|| Failure::parameter("body", "The body is not JSON of this path"))
}

async fn found(vault: &Vault, token: &str) -> Result<table::Approval, Failure> {
    let ended = || Failure::new(StatusCode::GONE, "token", "This link has ended");
    let token = decode::<32>(token).map(|_| hash(token)).ok_or_else(ended)?;
    table::approval_of(vault.database(), &token, vault.now()).await.map_err(unread)?.ok_or_else(ended)
}

/// What a link is about; changes nothing.
pub(super) async fn show(State(vault): State<Vault>, text: String) -> Result<Response, Failure> {
    let Shown { token } = body(&text)?;
    let login = found(&vault, &token).await?;
    let open = login.state == "device";
    let table::Approval { host, browser, place, number, .. } = login;
    Ok(answer(&Approving { host, browser, place, number, open }))
}

/// Approves or refuses the device; an approved one gets the mail with the code.
pub(super) async fn decide(State(vault): State<Vault>, text: String) -> Result<Response, Failure> {
    let Decision { token, approve } = body(&text)?;
    let login = found(&vault, &token).await?;
    let decided = match approve {
        true => approved(&vault, &login).await?,
        false => table::refuse(vault.database(), &login.id, vault.now()).await.map_err(unread)?,
    };
    if !decided {
        return Err(Failure::new(StatusCode::CONFLICT, "token", "This request was answered before"));
    }
    vault.log(if approve { "device approved" } else { "device refused" }, "", &login.device).await?;
    vault.inner.waiting.ring(&login.id);
    let table::Approval { host, browser, place, number, .. } = login;
    Ok(answer(&Approving { host, browser, place, number, open: false }))
}

async fn approved(vault: &Vault, login: &table::Approval) -> Result<bool, Failure> {
    let code = code::new().map_err(|error| broken(&error))?;
    let code_hash = vault.keys().code_hash(&login.id, &code, &login.device);
    let now = vault.now();
    let ends = now + code::GOOD;
    if !table::approve(vault.database(), &login.id, &code_hash, now, ends).await.map_err(unread)? {
        return Ok(false);
    }
    let email = vault.keys().open(&["login email", &login.id], &login.email_sealed).map_err(|error| broken(&error))?;
    if let Some(to) = std::str::from_utf8(&email).ok().and_then(Address::parse) {
        send(vault, to, &login.language, Matter::Code { code, host: login.host.clone() })?;
    }
    Ok(true)
}
