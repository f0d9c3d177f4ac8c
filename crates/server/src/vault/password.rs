//! The password of a wallet (OPAQUE): each try is counted here, because the first answer lets a client test one guess. Nothing is given for the
//! protocol's third message, so there is none.

use super::asked::Signed;
use super::encoding::{decode_any, encode, random};
use super::limits::Kind;
use super::login::count;
use super::root::SealError;
use super::table::{self, UserRow};
use super::wallet::{frozen, user};
use super::{Vault, answer as answered, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{NewPassword, PasswordAnswered, PasswordAsked, PasswordBegun};
use portico_password::server::{Kept, begin as begin_password, pretend};

/// Passwords that may be tried for one wallet in a time: what people mistype, and nothing to guess by.
const TRIES: [(i64, usize); 2] = [(10 * 60_000, 5), (24 * 60 * 60_000, 20)];
/// Longest message of a client in letters.
const LONGEST: usize = 1024;

/// Place of a sealed password.
pub(super) fn password_place<'a>(user: &'a str, slot: &'a str) -> [&'a str; 3] {
    ["password", user, slot]
}

/// Place of the server's part of a password that is being set.
fn setup_place(user: &str) -> [&str; 2] {
    ["password setup", user]
}

fn malformed() -> Failure {
    Failure::parameter("password", "Couldn't read the password's message. Try again.")
}

fn message(text: &str) -> Result<Vec<u8>, Failure> {
    Some(text).filter(|text| text.len() <= LONGEST).and_then(decode_any).ok_or_else(malformed)
}

/// `/wallet/v1/password/set`
pub(super) async fn begin(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Request, signed.asked.client).await?;
    let PasswordAsked { request } = signed.asked.read()?;
    vault.changes(&signed).await?;
    let user = &signed.session.user;
    let seed = random().map_err(|error| broken(&error))?;
    let begun = begin_password(&seed, user.as_bytes(), &message(&request)?).ok_or_else(malformed)?;
    let state = vault.keys().seal(&setup_place(user), &begun.setup).map_err(|error| broken(&error))?;
    Ok(answered(&PasswordBegun { response: encode(begun.response), state }))
}

/// Sealed form of a new password, for the slot of this id.
pub(super) fn kept(vault: &Vault, user: &str, slot: &str, new: &NewPassword) -> Result<String, Failure> {
    let record = message(&new.record)?;
    let ended = |_| Failure::new(StatusCode::GONE, "password", "This took too long. Start again.");
    let setup = vault.keys().open(&setup_place(user), &new.state).map_err(ended)?;
    let kept = Kept::new(&setup, &record).ok_or_else(malformed)?;
    vault.keys().seal(&password_place(user, slot), kept.as_bytes()).map_err(|error| broken(&error))
}

/// `/wallet/v1/password`: one try.
pub(super) async fn answer(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Request, signed.asked.client).await?;
    let PasswordAsked { request } = signed.asked.read()?;
    let request = message(&request)?;
    let UserRow { id, frozen: is_frozen, .. } = user(&vault, &signed).await?;
    if is_frozen {
        return Err(frozen());
    }
    // A wallet whose tries are used up takes nothing from what visitors of its network, and all visitors, may try.
    count(&vault, &format!("{id} password"), &TRIES, 0).await?;
    vault.inner.limits.spend(Kind::Password, signed.asked.client).await?;
    metrics::counter!(super::metrics::PASSWORD_TRIES).increment(1);
    vault.log("password tried", &id, &signed.session.device).await?;
    let seed = random().map_err(|error| broken(&error))?;
    let response = match table::password_of(vault.database(), &id).await.map_err(unread)? {
        Some((slot, sealed)) => {
            let opened = vault.keys().open(&password_place(&id, &slot), &sealed);
            let kept = opened.and_then(|bytes| Kept::read(bytes).ok_or(SealError::Cipher));
            kept.map_err(|error| broken(&error))?.answer(&seed, id.as_bytes(), &request)
        }
        None => {
            let none = vault.keys().no_password(&id).map_err(|error| broken(&error))?;
            pretend(&seed, &none, id.as_bytes(), &request)
        }
    };
    Ok(answered(&PasswordAnswered { response: encode(response.ok_or_else(malformed)?) }))
}
