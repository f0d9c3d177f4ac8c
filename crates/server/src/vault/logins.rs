//! The logins that open a wallet: the visitor adds one at another service and removes one, after a confirmation. A login that has a wallet of its
//! own is refused: wallets are never joined.

use super::account::seen;
use super::asked::Signed;
use super::enter::told;
use super::limits::Kind;
use super::login::send;
use super::mail::{Address, Matter, Notice};
use super::social::{Person, Wanted, check_back, returned, start};
use super::table::{self, Added, NewPerson, UserRow};
use super::wallet::{frozen, user};
use super::{Vault, undo, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{LinkFinish, LinkLogin, LoginRemoval, WalletLogin};

/// Id of the login by address.
const EMAIL: &str = "email";
/// Maximum number of logins at other services.
const MOST: i64 = 10;

/// `/wallet/v1/login/link`
pub(super) async fn begin(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    let LinkLogin { provider, back } = signed.asked.read()?;
    may_change(&vault, &signed).await?;
    if let Some(back) = &back {
        let host = table::host_of(vault.database(), &signed.session.user, &signed.session.device).await;
        check_back(back, &host.map_err(unread)?.unwrap_or_default())?;
    }
    // The window belongs to the frame, whose origin is the wallet's.
    let host = vault.inner.origin.clone();
    let user = Some(signed.session.user.clone());
    start(&vault, &signed.asked, Wanted { provider, host, back, user }).await
}

/// `/wallet/v1/login/link/finish`
pub(super) async fn finish(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Code, signed.asked.client).await?;
    let LinkFinish { transaction, code } = signed.asked.read()?;
    may_change(&vault, &signed).await?;
    let (own, device) = (&signed.session.user, &signed.session.device);
    let (login, person) = returned(&vault, device, Some(own), &transaction, &code).await?;
    add(&vault, &signed, (&login.provider, &login.provider), person).await?;
    seen(&vault, user(&vault, &signed).await?, device).await
}

/// Adds a person to the wallet of the session: the word of their service, and the place that tells whose id theirs is.
pub(super) async fn add(
    vault: &Vault,
    signed: &Signed,
    (provider, place): (&str, &str),
    person: Person,
) -> Result<(), Failure> {
    let own = &signed.session.user;
    let index = person.index(vault, place);
    let new = NewPerson { id: own, provider, index: &index, name: person.name, email_sealed: None };
    // The proof may have waited for another server, while the visitor froze the wallet.
    may_change(vault, signed).await?;
    vault.log("login added", own, provider).await?;
    match table::add_person(vault.database(), &new, MOST, vault.now()).await.map_err(unread)? {
        Added::There => {}
        Added::OfAnother => {
            let sentence = "This login already opens another wallet. Use a different account.";
            return Err(Failure::new(StatusCode::CONFLICT, "login", sentence));
        }
        Added::TooMany => {
            let sentence = "This wallet has too many logins. Remove one first.";
            return Err(Failure::new(StatusCode::CONFLICT, "login", sentence));
        }
    }
    vault.notify(user(vault, signed).await?, signed.asked.language, Notice::LoginAdded)
}

/// `/wallet/v1/login/unlink`
pub(super) async fn remove(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    let LoginRemoval { id } = signed.asked.read()?;
    // Told at the address of before, which may be what is removed.
    let before = may_change(&vault, &signed).await?;
    let (own, device) = (&signed.session.user, &signed.session.device);
    vault.log("login removed", own, device).await?;
    let person = Some(id.as_str()).filter(|id| *id != EMAIL);
    if !table::remove_login(vault.database(), own, person).await.map_err(unread)? {
        let sentence = "This is the only login of the wallet. Add another one first.";
        return Err(Failure::new(StatusCode::CONFLICT, "login", sentence));
    }
    match (person, address_of(&vault, &before)?) {
        // Like a changed address, a removed one can be restored from its mailbox.
        (None, Some((address, sealed))) => {
            let link = undo::remember(&vault, &signed, &vault.keys().index(address.canonical()), &sealed).await?;
            send(&vault, address, signed.asked.language.tag(), Matter::Removed { link })?;
        }
        _ => vault.notify(before, signed.asked.language, Notice::LoginRemoved)?,
    }
    seen(&vault, user(&vault, &signed).await?, device).await
}

/// The user, after a confirmation. The logins of a frozen wallet stay as they are.
pub(super) async fn may_change(vault: &Vault, signed: &Signed) -> Result<UserRow, Failure> {
    vault.changes(signed).await?;
    let user = user(vault, signed).await?;
    if user.frozen { Err(frozen()) } else { Ok(user) }
}

/// Address of a user, and its sealed text.
pub(super) fn address_of(vault: &Vault, user: &UserRow) -> Result<Option<(Address, String)>, Failure> {
    let Some(sealed) = &user.email_sealed else { return Ok(None) };
    let address = told(vault, user.clone())?.email.as_deref().and_then(Address::parse);
    Ok(address.map(|address| (address, sealed.clone())))
}

/// Logins of a user; `email` is the address of the account.
pub(super) async fn of(vault: &Vault, user: &str, email: Option<&str>) -> Result<Vec<WalletLogin>, Failure> {
    let by_address = table::logs_in_by_address(vault.database(), user).await.map_err(unread)?;
    let persons = table::persons(vault.database(), user).await.map_err(unread)?;
    let address =
        by_address.then(|| WalletLogin { id: EMAIL.into(), provider: EMAIL.into(), name: email.map(String::from) });
    let persons = persons.into_iter().map(|(id, provider, name)| WalletLogin { id, provider, name });
    Ok(address.into_iter().chain(persons).collect())
}
