//! Cancellation of a changed address by the link in the mail to the old one (protocol of spec 3.30): for a day whoever reads the old mailbox
//! takes the wallet back, and all devices are signed out.

use super::asked::Signed;
use super::encoding::{encode, hash, random};
use super::export::HELD;
use super::link::{Asking, Decision, Shown, body, ended, token_hash};
use super::login::place;
use super::table::{self, Asker, Undo, Undone};
use super::{Vault, answer, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

/// Paths of the web tier's own requests, which visitors cannot reach.
pub(crate) const SHOW: &str = "/undo";
pub(crate) const DECIDE: &str = "/undo/decide";

/// Milliseconds in which a change can be cancelled.
const GOOD: i64 = 24 * 60 * 60 * 1000;
/// Word of the change among what a page decides about.
const EMAIL: &str = "email";

/// Stores what restores an address; the link for the mail to it. Index and sealed text are those of the old address.
pub(super) async fn remember(
    vault: &Vault,
    signed: &Signed,
    email_index: &str,
    email_sealed: &str,
) -> Result<String, Failure> {
    let token = encode(random::<32>().map_err(|error| broken(&error))?);
    let (user, device) = (&signed.session.user, &signed.session.device);
    let host = table::host_of(vault.database(), user, device).await.map_err(unread)?.unwrap_or_default();
    let asker = Asker {
        device: device.clone(),
        host,
        browser: signed.asked.browser.clone(),
        place: place(signed.asked.client),
        number: String::new(),
        language: signed.asked.language.tag().into(),
        ends_at: vault.now() + GOOD,
    };
    let (at, token_hash) = (vault.now(), hash(&token));
    let undo = Undo { token: &token_hash, user, email_index, email_sealed, asker: &asker, at };
    table::insert_undo(vault.database(), &undo).await.map_err(unread)?;
    Ok(format!("{}/cancel?t={token}", vault.inner.origin))
}

async fn found(vault: &Vault, token: &str) -> Result<Asker, Failure> {
    table::undo_of(vault.database(), &token_hash(token)?, vault.now()).await.map_err(unread)?.ok_or_else(ended)
}

/// What a link is about; changes nothing.
pub(super) async fn show(State(vault): State<Vault>, text: String) -> Result<Response, Failure> {
    let Shown { token } = body(&text)?;
    Ok(answer(&Asking::new(EMAIL, found(&vault, &token).await?, GOOD, true)))
}

/// Restores the old address and signs all devices out, if the visitor says so.
pub(super) async fn decide(State(vault): State<Vault>, text: String) -> Result<Response, Failure> {
    let Decision { token, approve } = body(&text)?;
    let asker = found(&vault, &token).await?;
    if approve {
        let now = vault.now();
        match table::undo(vault.database(), &token_hash(&token)?, now, now + HELD).await.map_err(unread)? {
            Undone::Restored(user) => {
                vault.log("address change cancelled", &user, "").await?;
            }
            Undone::Taken => {
                return Err(Failure::new(StatusCode::CONFLICT, "email", "This address belongs to another account"));
            }
            Undone::Unknown => return Err(ended()),
        }
    }
    Ok(answer(&Asking::new(EMAIL, asker, GOOD, false)))
}
