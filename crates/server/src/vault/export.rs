//! Releases that the visitor confirmed: for an export of the keys, and for a recovery slot that is put back.

use super::asked::Signed;
use super::audit::RELEASED;
use super::confirm::unconfirmed;
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
use portico_api::wallet::{Deed, Release, SlotKind, Unlock, Unlocked};

/// Milliseconds without an export after a passkey or a password was removed, replaced, or joined by a passkey, by less than a passkey: whoever
/// reads the mailbox cannot get around it, and its owner hears of it in time.
pub(super) const HELD: i64 = 24 * 60 * 60 * 1000;

/// 403: a passkey or a password was changed lately.
pub(super) fn held() -> Failure {
    let sentence = "A passkey or password was changed less than 24 hours ago. Try again tomorrow.";
    Failure::new(StatusCode::FORBIDDEN, "wait", sentence)
}

/// Refuses a mail as the confirmation of an export, where a passkey confirms it.
pub(super) async fn by_mail(vault: &Vault, user: &str) -> Result<(), Failure> {
    if table::has_passkey(vault.database(), user).await.map_err(unread)? {
        let sentence = "Use your passkey to see the keys of this wallet";
        return Err(Failure::new(StatusCode::FORBIDDEN, "passkey", sentence));
    }
    let from = table::exports_from(vault.database(), user).await.map_err(unread)?;
    if from > vault.now() { Err(held()) } else { Ok(()) }
}

impl Vault {
    /// Uses up the confirmation of an export.
    async fn exports(&self, signed: &Signed) -> Result<(), Failure> {
        let (user, device, deed) = (&signed.session.user, &signed.session.device, Deed::Export.word());
        if table::spend_export(self.database(), user, device, deed, self.now()).await.map_err(unread)? {
            return Ok(());
        }
        by_mail(self, user).await?;
        Err(unconfirmed())
    }

    /// End of the time in which what the session does to passkeys and passwords holds exports; `None` if it confirmed by a passkey that confirms exports.
    pub(super) async fn held_until(&self, signed: &Signed) -> Result<Option<i64>, Failure> {
        let (user, device, now) = (&signed.session.user, &signed.session.device, self.now());
        let sure = table::confirmed_by_passkey(self.database(), user, device, now).await.map_err(unread)?;
        Ok((!sure).then_some(now + HELD))
    }
}

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
    vault.log_release(RELEASED, &user.id, device).await?;
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
