//! Approval of a device by the link of a mail.

use super::code;
use super::link::{Asking, Decision, Shown, answered, body, ended, token_hash};
use super::login::{send, watch};
use super::mail::{Address, Matter, Sending};
use super::table;
use super::{Vault, answer, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::response::Response;

/// Paths of the web tier's own requests, which visitors cannot reach.
pub(crate) const SHOW: &str = "/approval";
pub(crate) const DECIDE: &str = "/approve";

/// Word of a login among what a page decides about.
const LOGIN: &str = "login";

async fn found(vault: &Vault, token: &str) -> Result<table::Approval, Failure> {
    table::approval_of(vault.database(), &token_hash(token)?, vault.now()).await.map_err(unread)?.ok_or_else(ended)
}

/// What a link is about; changes nothing.
pub(super) async fn show(State(vault): State<Vault>, text: String) -> Result<Response, Failure> {
    let Shown { token } = body(&text)?;
    let login = found(&vault, &token).await?;
    let open = login.state == "device";
    Ok(answer(&Asking::new(LOGIN, login.asker, code::GOOD, open)))
}

/// Approves or refuses the device; an approved one gets the mail with the code.
pub(super) async fn decide(State(vault): State<Vault>, text: String) -> Result<Response, Failure> {
    let Decision { token, approve } = body(&text)?;
    let login = found(&vault, &token).await?;
    let sending = match approve {
        true => Some(approved(&vault, &login).await?),
        false if table::refuse(vault.database(), &login.id, vault.now()).await.map_err(unread)? => None,
        false => return Err(answered()),
    };
    vault.log(if approve { "device approved" } else { "device refused" }, "", &login.asker.device).await?;
    match sending {
        Some(sending) => drop(tokio::spawn(watch(vault.clone(), login.id.clone(), sending))),
        None => vault.inner.waiting.ring(&login.id),
    }
    Ok(answer(&Asking::new(LOGIN, login.asker, code::GOOD, false)))
}

/// Approves the device, and sends the code.
async fn approved(vault: &Vault, login: &table::Approval) -> Result<Sending, Failure> {
    let code = code::new().map_err(|error| broken(&error))?;
    let code_hash = vault.keys().code_hash(&login.id, &code, &login.asker.device);
    let now = vault.now();
    let ends = now + code::GOOD;
    if !table::approve(vault.database(), &login.id, &code_hash, now, ends).await.map_err(unread)? {
        return Err(answered());
    }
    let email = vault.keys().open(&["login email", &login.id], &login.email_sealed).map_err(|error| broken(&error))?;
    // The address was parsed before it was sealed.
    let to = std::str::from_utf8(&email).ok().and_then(Address::parse).ok_or_else(ended)?;
    send(vault, to, &login.asker.language, Matter::Code { code, host: login.asker.host.clone() })
}
