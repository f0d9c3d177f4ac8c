//! Wallets and their slots. The server cannot open either.

use crate::db::{Database, on};
use portico_api::wallet::{NewSlot, Slot, SlotKind};
use sqlx::{Error, query, query_as, query_scalar};

/// A stored wallet.
pub(in crate::vault) struct Wallet {
    pub(in crate::vault) id: String,
    pub(in crate::vault) blob: String,
    /// JSON of the addresses.
    pub(in crate::vault) addresses: String,
    /// Version of the recovery key.
    pub(in crate::vault) version: i64,
}

type SlotRow = (String, String, String, Option<String>, Option<String>, i64);

/// Holds exports of a user.
const HOLD: &str = "update vault_user set exports_from = $2 where id = $1";
const INSERT_SLOT: &str = "insert into vault_slot (id, user_id, kind, wrapped, device, hint, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)";

/// Begins a change of the slots of a user: until it ends, others wait.
pub(super) const LOCK: &str = "update vault_wallet set version = version where user_id = $1";

fn word(kind: SlotKind) -> &'static str {
    match kind {
        SlotKind::Device => "device",
        SlotKind::Recovery => "recovery",
        SlotKind::Passkey => "passkey",
        SlotKind::Password => "password",
        SlotKind::Kit => "kit",
    }
}

fn kind(word: &str) -> SlotKind {
    let all = [SlotKind::Device, SlotKind::Recovery, SlotKind::Passkey, SlotKind::Password, SlotKind::Kit];
    // The table holds these words alone.
    all.into_iter().find(|kind| self::word(*kind) == word).unwrap_or_default()
}

pub(in crate::vault) async fn wallet_of(database: &Database, user: &str) -> Result<Option<Wallet>, Error> {
    const SELECT: &str = "select id, blob, addresses, version from vault_wallet where user_id = $1";
    let row: Option<(String, String, String, i64)> =
        on!(database, |pool| query_as(SELECT).bind(user).fetch_optional(pool).await)?;
    Ok(row.map(|(id, blob, addresses, version)| Wallet { id, blob, addresses, version }))
}

/// Slots of a user that a device may try, the oldest first.
pub(in crate::vault) async fn slots(database: &Database, user: &str, device: &str) -> Result<Vec<Slot>, Error> {
    const SELECT: &str = "select id, kind, wrapped, device, hint, created_at from vault_slot
        where user_id = $1 and (device is null or device = $2) order by created_at, id";
    let rows: Vec<SlotRow> = on!(database, |pool| query_as(SELECT).bind(user).bind(device).fetch_all(pool).await)?;
    let slot = |(id, word, wrapped, device, hint, created): SlotRow| Slot {
        id,
        kind: kind(&word),
        wrapped,
        device,
        hint,
        created,
    };
    Ok(rows.into_iter().map(slot).collect())
}

/// Stores a wallet with its slots; false, and nothing is stored, if the user has one.
pub(in crate::vault) async fn insert_wallet(
    database: &Database,
    user: &str,
    wallet: &Wallet,
    slots: &[Slot],
    now: i64,
) -> Result<bool, Error> {
    const INSERT: &str = "insert into vault_wallet (user_id, id, blob, addresses, version, created_at)
        values ($1, $2, $3, $4, $5, $6) on conflict do nothing";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let insert = query(INSERT).bind(user).bind(&wallet.id).bind(&wallet.blob).bind(&wallet.addresses);
        let insert = insert.bind(wallet.version).bind(now);
        if insert.execute(&mut *transaction).await?.rows_affected() != 1 {
            return Ok(false);
        }
        for slot in slots {
            let insert = query(INSERT_SLOT).bind(&slot.id).bind(user).bind(word(slot.kind)).bind(&slot.wrapped);
            insert.bind(&slot.device).bind(&slot.hint).bind(now).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    })
}

/// Adds a slot, with the passkey or the sealed password of one that has it; a slot of a device replaces that device's own, and a password the one
/// before, of which nothing stays in the files of SQLite. Where the time `held_until` is given, exports wait for it: all of them after a password
/// was replaced, and those of a passkey that is added beside another one or a password, or while exports are held. False, and nothing changes, if
/// the user has no wallet or `most` slots.
pub(in crate::vault) async fn put_slot(
    database: &Database,
    user: &str,
    NewSlot { slot, passkey, .. }: &NewSlot,
    password: Option<&str>,
    most: i64,
    now: i64,
    held_until: Option<i64>,
) -> Result<bool, Error> {
    const COUNT: &str = "select count(*) from vault_slot where user_id = $1";
    const PASSKEY: &str = "insert into vault_passkey (credential, user_id, slot, point, exports_from)
        values ($1, $2, $3, $4, case when exists (select 1 from vault_passkey where user_id = $2)
            or exists (select 1 from vault_password where user_id = $2)
            or exists (select 1 from vault_user where id = $2 and exports_from > $6) then $5 else 0 end)";
    const PASSWORD: &str = "insert into vault_password (user_id, slot, sealed) values ($1, $2, $3)";
    let stored = on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let found = query(LOCK).bind(user).execute(&mut *transaction).await?.rows_affected() == 1;
        let delete = query("delete from vault_slot where user_id = $1 and device = $2").bind(user).bind(&slot.device);
        delete.execute(&mut *transaction).await?;
        if password.is_some() {
            let delete = query("delete from vault_slot where user_id = $1 and kind = 'password'").bind(user);
            let replaced = delete.execute(&mut *transaction).await?.rows_affected() > 0;
            if let (Some(until), true) = (held_until, replaced) {
                query(HOLD).bind(user).bind(until).execute(&mut *transaction).await?;
            }
        }
        let (count,): (i64,) = query_as(COUNT).bind(user).fetch_one(&mut *transaction).await?;
        if !found || count >= most {
            return Ok(false);
        }
        let insert = query(INSERT_SLOT).bind(&slot.id).bind(user).bind(word(slot.kind)).bind(&slot.wrapped);
        insert.bind(&slot.device).bind(&slot.hint).bind(now).execute(&mut *transaction).await?;
        if let Some(passkey) = passkey {
            let insert = query(PASSKEY).bind(&passkey.credential).bind(user).bind(&slot.id).bind(&passkey.key);
            insert.bind(held_until.unwrap_or_default()).bind(now).execute(&mut *transaction).await?;
        }
        if let Some(sealed) = password {
            query(PASSWORD).bind(user).bind(&slot.id).bind(sealed).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok::<_, Error>(true)
    })?;
    if password.is_some() {
        database.forget_deleted().await?;
    }
    Ok(stored)
}

/// Slot and sealed password of a user.
pub(in crate::vault) async fn password_of(database: &Database, user: &str) -> Result<Option<(String, String)>, Error> {
    const SELECT: &str = "select slot, sealed from vault_password where user_id = $1";
    on!(database, |pool| query_as(SELECT).bind(user).fetch_optional(pool).await)
}

/// Deletes a slot of this device or of no device, but not the last one that opens the wallet on a new device, nor the last passkey of a user
/// without another login, and the recovery slot only beside one of the visitor's own. False if it stays. After a passkey or a password exports are held until `held_until`, if there is such a time.
/// The key that was released for a recovery slot opens none that is put back later, and nothing of the removed one stays in the files of SQLite.
pub(in crate::vault) async fn remove_slot(
    database: &Database,
    user: &str,
    device: &str,
    id: &str,
    held_until: Option<i64>,
) -> Result<bool, Error> {
    const DELETE: &str = "delete from vault_slot where id = $1 and user_id = $2 and (device = $3 or (device is null
        and exists (select 1 from vault_slot other where other.user_id = $2 and other.id <> $1
            and (other.kind in ('passkey', 'password', 'kit')
                or (other.kind = 'recovery' and vault_slot.kind <> 'recovery')))))
        and (kind <> 'passkey'
            or exists (select 1 from vault_slot other where other.user_id = $2 and other.id <> $1 and other.kind = 'passkey')
            or exists (select 1 from vault_user where id = $2 and email_index is not null)
            or exists (select 1 from vault_person where user_id = $2))
        returning kind";
    const NEXT: &str = "update vault_wallet set version = version + 1 where user_id = $1";
    let removed: Option<String> = on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        query(LOCK).bind(user).execute(&mut *transaction).await?;
        let delete = query_scalar(DELETE).bind(id).bind(user).bind(device);
        let removed: Option<String> = delete.fetch_optional(&mut *transaction).await?;
        if removed.as_deref() == Some(word(SlotKind::Recovery)) {
            query(NEXT).bind(user).execute(&mut *transaction).await?;
        }
        if let (Some(until), Some("passkey" | "password")) = (held_until, removed.as_deref()) {
            query(HOLD).bind(user).bind(until).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        removed
    });
    database.forget_deleted().await?;
    Ok(removed.is_some())
}
