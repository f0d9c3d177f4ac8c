//! Releases that the visitor confirmed: for an export of the keys, and for a recovery slot that is put back.

use super::asked::Signed;
use super::encoding::{decode, encode};
use super::enter::told;
use super::limits::Kind;
use super::mail::Notice;
use super::seal::{WorkerKey, seal};
use super::table::{self, UserRow, Wallet};
use super::wallet::{frozen, record, share_of, user};
use super::{Vault, answer, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{Release, SlotKind, Unlock, Unlocked};

/// `/wallet/v1/export`: the share of this device, once for each confirmation. The visitor is told by mail.
pub(super) async fn export(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    let Unlock { key } = signed.asked.read()?;
    let key = WorkerKey::parse(&key)?;
    let (user, wallet) = opened(&vault, &signed).await?;
    vault.exports(&signed).await?;
    vault.log("exported", &user.id, &signed.session.device).await?;
    let response = released(&vault, &signed, user, wallet, None, &key).await?;
    vault.notify(super::wallet::user(&vault, &signed).await?, signed.asked.language, Notice::Exported)?;
    Ok(answer(&response))
}

/// `/wallet/v1/recovery`: the key of a new recovery slot, where there is none.
pub(super) async fn recovery(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    let Unlock { key } = signed.asked.read()?;
    let key = WorkerKey::parse(&key)?;
    vault.changes(&signed).await?;
    let (user, wallet) = opened(&vault, &signed).await?;
    let device = &signed.session.device;
    let slots = table::slots(vault.database(), &user.id, device).await.map_err(unread)?;
    if slots.iter().any(|slot| slot.kind == SlotKind::Recovery) {
        return Err(Failure::new(StatusCode::CONFLICT, "slot", "The wallet has a recovery slot"));
    }
    vault.log_release(&user.id, device).await?;
    let share = recovery_of(&vault, &user.id, wallet.version)?;
    let response = released(&vault, &signed, user, wallet, Some(share), &key).await?;
    Ok(answer(&response))
}

/// Key of the recovery slot, encoded.
pub(super) fn recovery_of(vault: &Vault, user: &str, version: i64) -> Result<String, Failure> {
    let (Some(id), Ok(version)) = (decode::<16>(user), u32::try_from(version)) else {
        let sentence = "Your wallet isn't available right now. Try again later.";
        return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", sentence));
    };
    let key = vault.keys().recovery(&id, version).map_err(|error| broken(&error))?;
    Ok(encode(*key))
}

/// User and wallet of a session, unless the wallet is frozen.
async fn opened(vault: &Vault, signed: &Signed) -> Result<(UserRow, Wallet), Failure> {
    let user = user(vault, signed).await?;
    if user.frozen {
        return Err(frozen());
    }
    let wallet = table::wallet_of(vault.database(), &user.id).await.map_err(unread)?;
    let missing = || Failure::new(StatusCode::NOT_FOUND, "wallet", "This user has no wallet yet");
    Ok((user, wallet.ok_or_else(missing)?))
}

async fn released(
    vault: &Vault,
    signed: &Signed,
    user: UserRow,
    wallet: Wallet,
    recovery: Option<String>,
    key: &WorkerKey,
) -> Result<Unlocked, Failure> {
    let device = &signed.session.device;
    let share = share_of(vault, &user.id, device).await?;
    let release = seal(Release { recovery, device: encode(&share) }, key, &user.id, device)?;
    let wallet = record(vault, &user, wallet, device).await?;
    Ok(Unlocked { user: told(vault, user)?, wallet, release })
}
