//! Change of a user's address (spec 3.30, 7.29, 7.30): a code to the present one, then a code to the new one.

use super::account::seen;
use super::asked::Signed;
use super::code;
use super::enter::{email_place, told};
use super::limits::Kind;
use super::login::{mailing, send, spent, wrong};
use super::mail::{Address, Matter};
use super::table::{self, Change, UserRow};
use super::undo;
use super::wallet::user;
use super::{Vault, answer, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{EmailUpdate, UpdateAction, UpdateCode, UpdateStarted};
use zeroize::Zeroizing;

/// `/wallet/v1/email/update`
pub(super) async fn update(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Login, signed.asked.client).await?;
    let EmailUpdate { email } = signed.asked.read()?;
    let new = Address::parse(&email).ok_or_else(|| Failure::parameter("email", "Enter a valid email address"))?;
    let user = user(&vault, &signed).await?;
    let (id, present) = present(&vault, user)?;
    if present.canonical() == new.canonical() {
        return Err(Failure::parameter("email", "This is your email address already"));
    }
    // Codes of both addresses count as mails to them.
    mailing(&vault, &format!("{} change", vault.keys().index(present.canonical()))).await?;
    let code = code::new().map_err(|error| broken(&error))?;
    let sealed = vault.keys().seal(&["change email", &id], new.as_str().as_bytes()).map_err(|error| broken(&error))?;
    let (index, device) = (vault.keys().index(new.canonical()), &signed.session.device);
    let code_hash = vault.keys().code_hash(&id, &code, device);
    let change = Change {
        user: &id,
        device,
        email_index: &index,
        email_sealed: &sealed,
        code: &code_hash,
        ends_at: vault.now() + code::GOOD,
    };
    table::begin_change(vault.database(), &change).await.map_err(unread)?;
    send(&vault, present, signed.asked.language.tag(), Matter::Change { code })?;
    Ok(answer(&UpdateStarted { action: UpdateAction::VerifyPrimaryOtp }))
}

/// `/wallet/v1/email/primary`
pub(super) async fn primary(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    let tried = tried(&vault, &signed, "primary").await?;
    let new = address(&vault, &signed.session.user, &tried.sealed)?;
    mailing(&vault, &tried.index).await?;
    let code = code::new().map_err(|error| broken(&error))?;
    let next = vault.keys().code_hash(&signed.session.user, &code, &signed.session.device);
    let ends = vault.now() + code::GOOD;
    let user = &signed.session.user;
    if !table::confirm_change(vault.database(), user, &tried.code, &next, ends).await.map_err(unread)? {
        return Err(ended());
    }
    send(&vault, new, signed.asked.language.tag(), Matter::Change { code })?;
    Ok(answer(&UpdateStarted { action: UpdateAction::VerifySecondaryOtp }))
}

/// `/wallet/v1/email/secondary`: changes the address, and tells the old one.
pub(super) async fn secondary(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    let tried = tried(&vault, &signed, "secondary").await?;
    let id = &signed.session.user;
    if !table::end_change(vault.database(), id, &tried.code).await.map_err(unread)? {
        return Err(ended());
    }
    let before = user(&vault, &signed).await?;
    let old_sealed = before.email_sealed.clone().unwrap_or_default();
    let (_, old) = present(&vault, before)?;
    let new = address(&vault, id, &tried.sealed)?;
    let sealed = vault.keys().seal(&email_place(id), new.as_str().as_bytes()).map_err(|error| broken(&error))?;
    vault.log("address changed", id, &signed.session.device).await?;
    if !table::set_email(vault.database(), id, &tried.index, &sealed).await.map_err(unread)? {
        return Err(Failure::new(StatusCode::CONFLICT, "email", "This address belongs to another account"));
    }
    let link = undo::remember(&vault, &signed, &vault.keys().index(old.canonical()), &old_sealed).await?;
    send(&vault, old, signed.asked.language.tag(), Matter::Changed { link })?;
    let user = user(&vault, &signed).await?;
    seen(&vault, user, &signed.session.device).await
}

/// A change whose code was right: its hash, and index and sealed text of the new address.
struct Tried {
    code: String,
    index: String,
    sealed: String,
}

async fn tried(vault: &Vault, signed: &Signed, state: &str) -> Result<Tried, Failure> {
    vault.inner.limits.spend(Kind::Code, signed.asked.client).await?;
    let UpdateCode { code } = signed.asked.read()?;
    let code = code::read(&Zeroizing::new(code))
        .ok_or_else(|| Failure::parameter("code", "Enter the 6 digits of the email"))?;
    let (user, device) = (&signed.session.user, &signed.session.device);
    let tried = table::try_change(vault.database(), user, device, state, code::TRIES, vault.now()).await;
    let (expected, index, sealed) = tried.map_err(unread)?.ok_or_else(spent)?;
    if !vault.keys().is_code(&expected, user, &code, device) {
        return Err(wrong());
    }
    Ok(Tried { code: expected, index, sealed })
}

fn ended() -> Failure {
    Failure::new(StatusCode::GONE, "code", "This change has ended. Start again.")
}

/// Id and present address of a user.
fn present(vault: &Vault, user: UserRow) -> Result<(String, Address), Failure> {
    let told = told(vault, user)?;
    let none = || Failure::parameter("email", "This account has no email address");
    Ok((told.id, told.email.as_deref().and_then(Address::parse).ok_or_else(none)?))
}

/// New address of a change.
fn address(vault: &Vault, user: &str, sealed: &str) -> Result<Address, Failure> {
    let opened = vault.keys().open(&["change email", user], sealed).map_err(|error| broken(&error))?;
    std::str::from_utf8(&opened).ok().and_then(Address::parse).ok_or_else(ended)
}
