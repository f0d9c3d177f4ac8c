//! Change of a user's address (spec 3.30, 7.29, 7.30): a code to the present one, then a code to the new one.
//! An account of a login elsewhere adds an address by a code to it.

use super::account::seen;
use super::asked::Signed;
use super::code;
use super::enter::{email_place, told};
use super::limits::Kind;
use super::login::{MAILINGS, count, deliver, mailing, send, spent, wrong};
use super::logins::{address_of, may_change};
use super::mail::{Address, Matter, Notice};
use super::table::{self, Change, UserRow};
use super::undo;
use super::wallet::user;
use super::{Vault, answer, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{EmailUpdate, Empty, UpdateAction, UpdateCode, UpdateStarted};
use zeroize::Zeroizing;

/// `/wallet/v1/email/update`
pub(super) async fn update(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Login, signed.asked.client).await?;
    let EmailUpdate { email } = signed.asked.read()?;
    let new = read(&email)?;
    let user = user(&vault, &signed).await?;
    let (id, present) = present(&vault, user)?;
    if present.canonical() == new.canonical() {
        return Err(Failure::parameter("email", "This is already your email address"));
    }
    // Codes of both addresses count as mails to them.
    mailing(&vault, &present, Some("change")).await?;
    let code = begin(&vault, &signed, &id, "primary", &new).await?;
    deliver(&vault, present, signed.asked.language.tag(), Matter::Change { code }).await?;
    Ok(answer(&UpdateStarted { action: UpdateAction::VerifyPrimaryOtp }))
}

/// `/wallet/v1/email/add`: a code to the address of a further login.
pub(super) async fn add(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Login, signed.asked.client).await?;
    let EmailUpdate { email } = signed.asked.read()?;
    let new = read(&email)?;
    let id = may_change(&vault, &signed).await?.id;
    if table::logs_in_by_address(vault.database(), &id).await.map_err(unread)? {
        let sentence = "This wallet already has an email login. Change its address instead.";
        return Err(Failure::new(StatusCode::CONFLICT, "email", sentence));
    }
    // An address gets no more mails than by logins, and one visitor writes to few addresses.
    count(&vault, &format!("{id} add"), &MAILINGS, vault.inner.mail_pause).await?;
    mailing(&vault, &new, None).await?;
    let code = begin(&vault, &signed, &id, "add", &new).await?;
    deliver(&vault, new, signed.asked.language.tag(), Matter::Add { code }).await?;
    Ok(answer(&Empty {}))
}

/// `/wallet/v1/email/add/finish`: the address opens the wallet from now on. Whether it opens another one is told to whoever reads its mails only.
pub(super) async fn added(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    let before = may_change(&vault, &signed).await?;
    let tried = tried(&vault, &signed, "add").await?;
    let id = &signed.session.user;
    if !table::end_change(vault.database(), id, "add", &tried.code).await.map_err(unread)? {
        return Err(ended());
    }
    let new = address(&vault, id, &tried.sealed)?;
    vault.log("email added", id, &signed.session.device).await?;
    if !put(&vault, id, &tried.index, &new).await? {
        let sentence = "This email already opens another wallet. Use a different one.";
        return Err(Failure::new(StatusCode::CONFLICT, "email", sentence));
    }
    tell(&vault, &signed, before, &new).await?;
    seen(&vault, user(&vault, &signed).await?, &signed.session.device).await
}

/// Tells the address that a service told of the visitor, if there is one. Confirmations went there until now, so it can cancel the addition, unless
/// it is the added address or opens a wallet of its own.
async fn tell(vault: &Vault, signed: &Signed, before: UserRow, new: &Address) -> Result<(), Failure> {
    let Some((old, sealed)) = address_of(vault, &before)? else { return Ok(()) };
    let index = vault.keys().index(old.canonical());
    let own = old.canonical() == new.canonical();
    if own || table::is_login(vault.database(), &index).await.map_err(unread)? {
        return vault.notify(before, signed.asked.language, Notice::EmailAdded);
    }
    let link = undo::remember(vault, signed, &index, &sealed).await?;
    send(vault, old, signed.asked.language.tag(), Matter::Added { link }).map(drop)
}

/// Stores a change that waits for its first code.
async fn begin(
    vault: &Vault,
    signed: &Signed,
    user: &str,
    state: &str,
    new: &Address,
) -> Result<Zeroizing<String>, Failure> {
    let code = code::new().map_err(|error| broken(&error))?;
    let sealed = vault.keys().seal(&["change email", user], new.as_str().as_bytes()).map_err(|error| broken(&error))?;
    let (index, device) = (vault.keys().index(new.canonical()), &signed.session.device);
    let change = Change {
        user,
        device,
        state,
        email_index: &index,
        email_sealed: &sealed,
        code: &vault.keys().code_hash(user, &code, device),
        ends_at: vault.now() + code::GOOD,
    };
    table::begin_change(vault.database(), &change).await.map_err(unread)?;
    Ok(code)
}

/// Makes an address that of a user; false if it is another one's.
async fn put(vault: &Vault, user: &str, index: &str, new: &Address) -> Result<bool, Failure> {
    let sealed = vault.keys().seal(&email_place(user), new.as_str().as_bytes()).map_err(|error| broken(&error))?;
    table::set_email(vault.database(), user, index, &sealed).await.map_err(unread)
}

fn read(email: &str) -> Result<Address, Failure> {
    Address::parse(email).ok_or_else(|| Failure::parameter("email", "Enter a valid email address"))
}

/// `/wallet/v1/email/primary`
pub(super) async fn primary(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    let tried = tried(&vault, &signed, "primary").await?;
    let new = address(&vault, &signed.session.user, &tried.sealed)?;
    mailing(&vault, &new, None).await?;
    let code = code::new().map_err(|error| broken(&error))?;
    let next = vault.keys().code_hash(&signed.session.user, &code, &signed.session.device);
    let ends = vault.now() + code::GOOD;
    let user = &signed.session.user;
    if !table::confirm_change(vault.database(), user, &tried.code, &next, ends).await.map_err(unread)? {
        return Err(ended());
    }
    deliver(&vault, new, signed.asked.language.tag(), Matter::Change { code }).await?;
    Ok(answer(&UpdateStarted { action: UpdateAction::VerifySecondaryOtp }))
}

/// `/wallet/v1/email/secondary`: changes the address, and tells the old one.
pub(super) async fn secondary(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    let tried = tried(&vault, &signed, "secondary").await?;
    let id = &signed.session.user;
    if !table::end_change(vault.database(), id, "secondary", &tried.code).await.map_err(unread)? {
        return Err(ended());
    }
    let before = user(&vault, &signed).await?;
    let old_sealed = before.email_sealed.clone().unwrap_or_default();
    let (_, old) = present(&vault, before)?;
    let new = address(&vault, id, &tried.sealed)?;
    vault.log("address changed", id, &signed.session.device).await?;
    if !put(&vault, id, &tried.index, &new).await? {
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
        .ok_or_else(|| Failure::parameter("code", "Enter the 6-digit code from the email"))?;
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
