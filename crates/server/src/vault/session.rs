//! Sessions: opaque tokens, worthless without the device's key. Only hashes are stored.

use super::asked::{Asked, Signed};
use super::encoding::{decode, encode, hash, random};
use super::limits::Kind;
use super::login::place;
use super::table::{self, Held, Rotated};
use super::{Vault, answer, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{Empty, Session, SessionRefresh};

/// Milliseconds in which an access token is good, and a session without use.
const ACCESS: i64 = 15 * 60 * 1000;
const SESSION: i64 = 30 * 24 * 60 * 60 * 1000;

/// A session that has not ended.
pub(super) struct Live {
    pub(super) user: String,
    pub(super) device: String,
}

/// Session of the hash of an access token, for its device alone.
pub(super) async fn live(vault: &Vault, access: &str, device: &str) -> Result<Option<Live>, Failure> {
    let found = table::live_session(vault.database(), access, device, vault.now()).await.map_err(unread)?;
    Ok(found.map(|(_, user)| Live { user, device: device.into() }))
}

/// New tokens.
fn tokens(now: i64) -> Result<Session, Failure> {
    let token = || random::<32>().map(encode).map_err(|error| broken(&error));
    Ok(Session { access: token()?, access_expires: now + ACCESS, refresh: token()?, refresh_expires: now + SESSION })
}

/// Begins a session of a device.
pub(super) async fn begin(vault: &Vault, user: &str, device: &str) -> Result<Session, Failure> {
    let session = tokens(vault.now())?;
    let (access, refresh) = (hash(&session.access), hash(&session.refresh));
    let held = Held {
        access: &access,
        access_ends: session.access_expires,
        refresh: &refresh,
        ends_at: session.refresh_expires,
    };
    let id = encode(random::<16>().map_err(|error| broken(&error))?);
    table::insert_session(vault.database(), &id, user, device, &held).await.map_err(unread)?;
    Ok(session)
}

/// `/wallet/v1/session/refresh`: the next tokens. A token that was used before is in two hands, so its session ends.
pub(super) async fn refresh(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Request, asked.client).await?;
    let SessionRefresh { refresh } = asked.read()?;
    let ended = || Failure::new(StatusCode::UNAUTHORIZED, "session", "The session has ended. Log in again.");
    let used = decode::<32>(&refresh).map(|_| hash(&refresh)).ok_or_else(ended)?;
    let found = table::session_of_refresh(vault.database(), &used, &asked.device).await.map_err(unread)?;
    let (id, user) = found.ok_or_else(ended)?;
    let session = tokens(vault.now())?;
    let (access, refresh) = (hash(&session.access), hash(&session.refresh));
    let next = Held {
        access: &access,
        access_ends: session.access_expires,
        refresh: &refresh,
        ends_at: session.refresh_expires,
    };
    match table::rotate(vault.database(), &id, &used, &next, vault.now()).await.map_err(unread)? {
        Rotated::Done => {}
        Rotated::Again => {
            tracing::warn!("a refresh token was used twice, so its session was ended");
            vault.log("refresh token reused", &user, &asked.device).await?;
            table::delete_session(vault.database(), &id).await.map_err(unread)?;
            return Err(ended());
        }
        Rotated::Unknown => return Err(ended()),
    }
    let place = place(asked.client);
    table::touch_device(vault.database(), &user, &asked.device, &place, vault.now()).await.map_err(unread)?;
    Ok(answer(&session))
}

/// `/wallet/v1/session/end`: the device stays approved, but its share is deleted.
pub(super) async fn end(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    vault.log("session ended", &signed.session.user, &signed.session.device).await?;
    let Live { user, device } = &signed.session;
    table::take_share(vault.database(), user, device).await.map_err(unread)?;
    Ok(answer(&Empty {}))
}
