//! End of a login: the user and the device are known, so a session begins and the shares are released.

use super::audit::{RELEASED, RELEASED_FIRST};
use super::encoding::{encode, random};
use super::export::recovery_of;
use super::seal::{WorkerKey, seal};
use super::table::{self, NewDevice, UserRow};
use super::wallet::record;
use super::{Vault, broken, session, unread};
use crate::Failure;
use portico_api::wallet::{LoggedIn, Release, SlotKind, WalletRecord, WalletUser};
use zeroize::Zeroizing;

/// Version of the recovery key of a user without a wallet.
pub(super) const FIRST_VERSION: i64 = 1;

/// A device whose login was proved.
pub(super) struct Entry<'a> {
    pub(super) device: &'a str,
    pub(super) label: &'a str,
    pub(super) host: &'a str,
    pub(super) proof: By,
}

/// Proof of a login.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum By {
    /// An account at a service, or the code of a mail to a device that was approved before.
    Visitor,
    /// Code of a mail, after the link of a mail to the same address approved the device.
    ApprovedMail,
    /// A host's token, which is no act of the visitor.
    Token,
    /// A passkey, and whether it confirms exports.
    Passkey(bool),
}

/// Logs a user in on a device; the shares are sealed to `key`.
pub(super) async fn enter(
    vault: &Vault,
    user: UserRow,
    entry: &Entry<'_>,
    key: &WorkerKey,
) -> Result<LoggedIn, Failure> {
    let wallet = table::wallet_of(vault.database(), &user.id).await.map_err(unread)?;
    let version = wallet.as_ref().map_or(FIRST_VERSION, |wallet| wallet.version);
    let wallet = match wallet {
        Some(wallet) => Some(record(vault, &user, wallet, entry.device).await?),
        None => None,
    };
    // First, so that a login above a limit stores no device.
    let recovery = recovery(vault, &user, wallet.as_ref(), version, entry.device).await?;
    let share = approve(vault, &user, entry).await?;
    // A frozen wallet gets no shares.
    let release = if user.frozen { Release::default() } else { Release { recovery, device: encode(share) } };
    let release = seal(release, key, &user.id, entry.device)?;
    vault.log("logged in", &user.id, entry.device).await?;
    let session = session::begin(vault, &user.id, entry.device).await?;
    vault.entered(&user, entry).await?;
    Ok(LoggedIn { user: told(vault, user)?, session, wallet, release })
}

/// Stores the device and returns its share, which is made with its first login. The user is told of a new device.
async fn approve(vault: &Vault, user: &UserRow, entry: &Entry<'_>) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let new = Zeroizing::new(random::<32>().map_err(|error| broken(&error))?);
    let place = share_place(&user.id, entry.device);
    let share_sealed = vault.keys().seal(&place, &new[..]).map_err(|error| broken(&error))?;
    let device = NewDevice {
        user: &user.id,
        id: entry.device,
        label: entry.label,
        host: entry.host,
        share_sealed: &share_sealed,
    };
    let (sealed, is_new) = table::put_device(vault.database(), &device, vault.now()).await.map_err(unread)?;
    if is_new {
        vault.arrived(user, entry).await;
    }
    vault.keys().open(&place, &sealed).map_err(|error| broken(&error))
}

/// Recovery share of a login; none while the wallet is frozen, or where its slot was removed.
async fn recovery(
    vault: &Vault,
    user: &UserRow,
    wallet: Option<&WalletRecord>,
    version: i64,
    device: &str,
) -> Result<Option<String>, Failure> {
    let recovers = wallet.is_none_or(|wallet| wallet.slots.iter().any(|slot| slot.kind == SlotKind::Recovery));
    if user.frozen || !recovers {
        return Ok(None);
    }
    let event = if wallet.is_some() { RELEASED } else { RELEASED_FIRST };
    vault.log_release(event, &user.id, device).await?;
    recovery_of(vault, &user.id, version).map(Some)
}

/// Place of a sealed share.
pub(super) fn share_place<'a>(user: &'a str, device: &'a str) -> [&'a str; 3] {
    ["device share", user, device]
}

/// Place of the sealed address of a user.
pub(super) fn email_place(user: &str) -> [&str; 2] {
    ["user email", user]
}

/// A user as devices see it.
pub(super) fn told(vault: &Vault, user: UserRow) -> Result<WalletUser, Failure> {
    let email = match &user.email_sealed {
        Some(sealed) => {
            let opened = vault.keys().open(&email_place(&user.id), sealed).map_err(|error| broken(&error))?;
            Some(String::from_utf8_lossy(&opened).into_owned())
        }
        None => None,
    };
    Ok(WalletUser { id: user.id, email, name: user.name, provider: user.provider })
}
