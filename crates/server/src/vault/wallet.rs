//! Stored wallets and their slots (decision 19).

use super::asked::Signed;
use super::encoding::{decode, decode_any, encode};
use super::enter::{FIRST_VERSION, share_place, told};
use super::limits::Kind;
use super::login::place;
use super::logins;
use super::mail::Notice;
use super::passkey;
use super::password;
use super::seal::{WorkerKey, seal};
use super::table::{self, UserRow, Wallet};
use super::{Vault, answer, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{NewSlot, NewWallet, Release, Slot, SlotKind, SlotRemoval, Unlock, Unlocked, WalletRecord};
use portico_json::{Map, Read, parse, to_text};
use zeroize::Zeroizing;

/// Bytes of a sealed entropy and of a wrapped key: nonce, 32 bytes and tag.
const SEALED: usize = 24 + 32 + 16;
/// Slots of one user.
const MOST_SLOTS: i64 = 64;
/// Longest hint in bytes.
const LONGEST_HINT: usize = 2048;
/// Addresses of one wallet, and the longest one.
const MOST_ADDRESSES: usize = 8;
const LONGEST_ADDRESS: usize = 128;

/// `/wallet/v1/wallet`: stores the user's one wallet.
pub(super) async fn create(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    let new: NewWallet = signed.asked.read()?;
    check(&new, &signed.session.device)?;
    let user = user(&vault, &signed).await?;
    if user.frozen {
        return Err(frozen());
    }
    let addresses = to_text(&new.addresses);
    let wallet = Wallet { id: new.id, blob: new.blob, addresses, version: FIRST_VERSION };
    vault.log("wallet stored", &user.id, &wallet.id).await?;
    let stored = table::insert_wallet(vault.database(), &user.id, &wallet, &new.slots, vault.now()).await;
    if !stored.map_err(unread)? {
        return Err(Failure::new(StatusCode::CONFLICT, "wallet", "This user has a wallet"));
    }
    Ok(answer(&record(&vault, &user, wallet, &signed.session.device).await?))
}

/// `/wallet/v1/slot`
pub(super) async fn put_slot(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    let new: NewSlot = signed.asked.read()?;
    let slot = &new.slot;
    check_slot(slot, &signed.session.device)?;
    match (&new.passkey, &new.password, slot.kind) {
        (Some(key), None, SlotKind::Passkey) => passkey::check(key)?,
        (None, Some(_), SlotKind::Password) | (None, None, SlotKind::Device | SlotKind::Recovery | SlotKind::Kit) => {}
        _ => return Err(Failure::parameter("slot", "Can't add slots of this kind here")),
    }
    if slot.kind != SlotKind::Device {
        vault.changes(&signed).await?;
    }
    let user = user(&vault, &signed).await?;
    let password = match &new.password {
        Some(password) => Some(password::kept(&vault, &user.id, &slot.id, password)?),
        None => None,
    };
    vault.log("slot stored", &user.id, &slot.id).await?;
    let (database, held) = (vault.database(), vault.held_until(&signed).await?);
    match table::put_slot(database, &user.id, &new, password.as_deref(), MOST_SLOTS, vault.now(), held).await {
        Ok(true) => {
            let wallet = stored(&vault, &user, &signed.session.device).await?;
            match slot.kind {
                SlotKind::Recovery => vault.notify(user, signed.asked.language, Notice::RecoveryAdded)?,
                SlotKind::Passkey => vault.notify(user, signed.asked.language, Notice::PasskeyAdded)?,
                SlotKind::Kit => vault.notify(user, signed.asked.language, Notice::KitAdded)?,
                SlotKind::Password => vault.notify(user, signed.asked.language, Notice::PasswordSet)?,
                SlotKind::Device => {}
            }
            Ok(answer(&wallet))
        }
        Ok(false) => Err(Failure::new(
            StatusCode::CONFLICT,
            "slot",
            "Can't add another way to open this wallet. Remove one first.",
        )),
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            Err(Failure::new(StatusCode::CONFLICT, "slot", "There is a slot of this id"))
        }
        Err(error) => Err(unread(error)),
    }
}

/// `/wallet/v1/slot/remove`
pub(super) async fn remove_slot(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    let SlotRemoval { id } = signed.asked.read()?;
    let (user, device) = (user(&vault, &signed).await?, &signed.session.device);
    let slots = table::slots(vault.database(), &user.id, device).await.map_err(unread)?;
    let kind = slots.iter().find(|slot| slot.id == id).map(|slot| slot.kind);
    if kind != Some(SlotKind::Device) {
        vault.changes(&signed).await?;
    }
    vault.log("slot removed", &user.id, &id).await?;
    let held = vault.held_until(&signed).await?;
    if !table::remove_slot(vault.database(), &user.id, device, &id, held).await.map_err(unread)? {
        let logins = logins::of(&vault, &user.id, None).await?;
        let sentence = if kind == Some(SlotKind::Passkey) && logins.is_empty() {
            "This passkey is the only login of the wallet. Add another passkey or login first."
        } else {
            "This is the only way to open your wallet. Add a passkey, a password or a recovery kit first."
        };
        return Err(Failure::new(StatusCode::CONFLICT, "slot", sentence));
    }
    let wallet = stored(&vault, &user, device).await?;
    match kind {
        Some(SlotKind::Recovery) => vault.notify(user, signed.asked.language, Notice::RecoveryRemoved)?,
        Some(SlotKind::Device) => {}
        _ => vault.notify(user, signed.asked.language, Notice::WayRemoved)?,
    }
    Ok(answer(&wallet))
}

/// `/wallet/v1/unlock`: the share of this device, sealed to its worker.
pub(super) async fn unlock(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    let Unlock { key } = signed.asked.read()?;
    let key = WorkerKey::parse(&key)?;
    let (user, device) = (user(&vault, &signed).await?, &signed.session.device);
    if user.frozen {
        return Err(frozen());
    }
    let wallet = stored(&vault, &user, device).await?;
    let share = share_of(&vault, &user.id, device).await?;
    let release = Release { recovery: None, device: encode(&share) };
    let release = seal(release, &key, &user.id, device)?;
    vault.log("unlocked", &user.id, device).await?;
    let place = place(signed.asked.client);
    table::touch_device(vault.database(), &user.id, device, &place, vault.now()).await.map_err(unread)?;
    Ok(answer(&Unlocked { user: told(&vault, user)?, wallet, release }))
}

/// Server's share of a device's slot.
pub(super) async fn share_of(vault: &Vault, user: &str, device: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let sealed = table::share(vault.database(), user, device).await.map_err(unread)?;
    let sealed = sealed.ok_or_else(|| Failure::new(StatusCode::FORBIDDEN, "device", "Log in again on this device"))?;
    vault.keys().open(&share_place(user, device), &sealed).map_err(|error| broken(&error))
}

/// User of a session.
pub(super) async fn user(vault: &Vault, signed: &Signed) -> Result<UserRow, Failure> {
    table::user_of(vault.database(), &signed.session.user).await.map_err(unread)
}

/// A wallet as this device gets it.
pub(super) async fn record(
    vault: &Vault,
    user: &UserRow,
    wallet: Wallet,
    device: &str,
) -> Result<WalletRecord, Failure> {
    let slots = table::slots(vault.database(), &user.id, device).await.map_err(unread)?;
    // Written by `create`.
    let addresses = parse(&wallet.addresses).ok().and_then(|value| Map::read(&value).ok()).unwrap_or_default();
    Ok(WalletRecord { id: wallet.id, blob: wallet.blob, slots, addresses, frozen: user.frozen })
}

/// The wallet of a user who has to have one.
async fn stored(vault: &Vault, user: &UserRow, device: &str) -> Result<WalletRecord, Failure> {
    let wallet = table::wallet_of(vault.database(), &user.id).await.map_err(unread)?;
    let missing = || Failure::new(StatusCode::NOT_FOUND, "wallet", "This user has no wallet yet");
    record(vault, user, wallet.ok_or_else(missing)?, device).await
}

pub(super) fn frozen() -> Failure {
    Failure::new(StatusCode::FORBIDDEN, "frozen", portico_api::frame::FROZEN)
}

/// Checks the form of a new wallet: it has one recovery slot and one of this device.
fn check(new: &NewWallet, device: &str) -> Result<(), Failure> {
    let wrong = |field: &str| Err(Failure::parameter(field, "Couldn't read the wallet. Create it again."));
    if decode::<16>(&new.id).is_none() {
        return wrong("id");
    }
    if decode::<SEALED>(&new.blob).is_none() {
        return wrong("blob");
    }
    for slot in &new.slots {
        check_slot(slot, device)?;
    }
    let kinds: Vec<SlotKind> = new.slots.iter().map(|slot| slot.kind).collect();
    if !matches!(kinds[..], [SlotKind::Recovery, SlotKind::Device] | [SlotKind::Device, SlotKind::Recovery])
        || new.slots[0].id == new.slots[1].id
    {
        return wrong("slots");
    }
    let namespace = |text: &str| {
        (3..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let address =
        |text: &str| (1..=LONGEST_ADDRESS).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric());
    let mut count = 0;
    for (key, value) in new.addresses.iter() {
        count += 1;
        if count > MOST_ADDRESSES || !namespace(key) || !address(value) {
            return wrong("addresses");
        }
    }
    if count == 0 { wrong("addresses") } else { Ok(()) }
}

/// Checks the form of a slot; one of a device is of this device.
fn check_slot(slot: &Slot, device: &str) -> Result<(), Failure> {
    let of = slot.device.as_deref();
    let own = if slot.kind == SlotKind::Device { of == Some(device) } else { of.is_none() };
    let hint = slot.hint.as_ref().is_none_or(|hint| hint.len() <= LONGEST_HINT && parse(hint).is_ok());
    let fits = decode::<16>(&slot.id).is_some() && decode_any(&slot.wrapped).is_some_and(|key| key.len() == SEALED);
    if fits && own && hint { Ok(()) } else { Err(Failure::parameter("slot", "Couldn't read the slot. Add it again.")) }
}
