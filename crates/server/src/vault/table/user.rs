//! Users and their devices.

use crate::db::{Database, on};
use sqlx::{Error, query, query_as, query_scalar};

/// A user; the address is sealed.
#[derive(Clone)]
pub(in crate::vault) struct UserRow {
    pub(in crate::vault) id: String,
    pub(in crate::vault) email_sealed: Option<String>,
    pub(in crate::vault) name: Option<String>,
    pub(in crate::vault) provider: String,
    /// Whether no share is released.
    pub(in crate::vault) frozen: bool,
    /// Whether the operator froze the wallet.
    pub(in crate::vault) held: bool,
}

/// A device as it was approved.
pub(in crate::vault) struct NewDevice<'a> {
    pub(in crate::vault) user: &'a str,
    /// Thumbprint of its key.
    pub(in crate::vault) id: &'a str,
    pub(in crate::vault) label: &'a str,
    pub(in crate::vault) host: &'a str,
    /// Sealed share; one that is there is kept.
    pub(in crate::vault) share_sealed: &'a str,
}

/// Id, label, host, place, time of the approval and of the last use.
pub(in crate::vault) type DeviceRow = (String, String, String, String, i64, i64);

const USER: &str = "select id, email_sealed, name, provider, frozen_at, held_at from vault_user where id = $1";
type User = (String, Option<String>, Option<String>, String, Option<i64>, Option<i64>);

fn user((id, email_sealed, name, provider, frozen_at, held_at): User) -> UserRow {
    let held = held_at.is_some();
    UserRow { id, email_sealed, name, provider, frozen: held || frozen_at.is_some(), held }
}

pub(in crate::vault) async fn user_of(database: &Database, id: &str) -> Result<UserRow, Error> {
    let row: User = on!(database, |pool| query_as(USER).bind(id).fetch_one(pool).await)?;
    Ok(user(row))
}

/// Time from which a mail or a login of a user without a passkey confirms an export.
pub(in crate::vault) async fn exports_from(database: &Database, id: &str) -> Result<i64, Error> {
    on!(database, |pool| {
        query_scalar("select exports_from from vault_user where id = $1").bind(id).fetch_one(pool).await
    })
}

/// The user of an address, made with `new` as id if there is none. `sealed` seals the address for an id.
pub(in crate::vault) async fn find_or_insert(
    database: &Database,
    email_index: &str,
    new: &str,
    sealed: &str,
    now: i64,
) -> Result<UserRow, Error> {
    const INSERT: &str = "insert into vault_user (id, email_index, email_sealed, provider, created_at)
        values ($1, $2, $3, 'email', $4) on conflict (email_index) do nothing";
    const SELECT: &str =
        "select id, email_sealed, name, provider, frozen_at, held_at from vault_user where email_index = $1";
    let row: User = on!(database, |pool| {
        query(INSERT).bind(new).bind(email_index).bind(sealed).bind(now).execute(pool).await?;
        query_as(SELECT).bind(email_index).fetch_one(pool).await
    })?;
    Ok(user(row))
}

/// Makes a user without a login by an address or a service.
pub(in crate::vault) async fn insert_user(
    database: &Database,
    id: &str,
    provider: &str,
    now: i64,
) -> Result<UserRow, Error> {
    const INSERT: &str = "insert into vault_user (id, provider, created_at) values ($1, $2, $3)
        returning id, email_sealed, name, provider, frozen_at, held_at";
    let row: User = on!(database, |pool| query_as(INSERT).bind(id).bind(provider).bind(now).fetch_one(pool).await)?;
    Ok(user(row))
}

/// Changes the address of a user; false if it belongs to another one.
pub(in crate::vault) async fn set_email(
    database: &Database,
    id: &str,
    email_index: &str,
    sealed: &str,
) -> Result<bool, Error> {
    const UPDATE: &str = "update vault_user set email_index = $2, email_sealed = $3 where id = $1";
    let updated = on!(database, |pool| {
        query(UPDATE).bind(id).bind(email_index).bind(sealed).execute(pool).await.map(|done| done.rows_affected())
    });
    match updated {
        Ok(rows) => Ok(rows == 1),
        Err(Error::Database(error)) if error.is_unique_violation() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Freezes the wallet of a user for the user, or unfreezes it.
pub(in crate::vault) async fn freeze(database: &Database, id: &str, frozen_at: Option<i64>) -> Result<(), Error> {
    const UPDATE: &str = "update vault_user set frozen_at = $2 where id = $1";
    on!(database, |pool| query(UPDATE).bind(id).bind(frozen_at).execute(pool).await.map(|_| ()))
}

/// Freezes the wallet of a user for the operator; without a time it unfreezes the wallet, whoever froze it. `None` if there is no such user. `named`
/// is an id or the index of an address.
pub(in crate::vault) async fn hold(
    database: &Database,
    named: &str,
    held_at: Option<i64>,
) -> Result<Option<String>, Error> {
    const HOLD: &str = "update vault_user set held_at = $2 where id = $1 or email_index = $1 returning id";
    const THAW: &str =
        "update vault_user set held_at = $2, frozen_at = $2 where id = $1 or email_index = $1 returning id";
    let update = if held_at.is_some() { HOLD } else { THAW };
    on!(database, |pool| query_scalar(update).bind(named).bind(held_at).fetch_optional(pool).await)
}

/// Stores an approved device, or notes its use; returns its sealed share, and whether the device is new.
pub(in crate::vault) async fn put_device(
    database: &Database,
    device: &NewDevice<'_>,
    now: i64,
) -> Result<(String, bool), Error> {
    const UPSERT: &str = "insert into vault_device (user_id, id, label, host, approved_at, used_at, share_sealed)
        values ($1, $2, $3, $4, $5, $5, $6)
        on conflict (user_id, id) do update set label = excluded.label, host = excluded.host, used_at = excluded.used_at,
            share_sealed = coalesce(vault_device.share_sealed, excluded.share_sealed)
        returning share_sealed, approved_at";
    let (sealed, approved_at): (String, i64) = on!(database, |pool| {
        let upsert = query_as(UPSERT).bind(device.user).bind(device.id).bind(device.label).bind(device.host);
        upsert.bind(now).bind(device.share_sealed).fetch_one(pool).await
    })?;
    // One that signed out has a new share too, but was approved before.
    let is_new = approved_at == now && sealed == device.share_sealed;
    Ok((sealed, is_new))
}

/// Whether a user has a device beside this one.
pub(in crate::vault) async fn has_other_device(database: &Database, user: &str, device: &str) -> Result<bool, Error> {
    const SELECT: &str = "select count(*) from vault_device where user_id = $1 and id <> $2";
    let count: i64 = on!(database, |pool| query_scalar(SELECT).bind(user).bind(device).fetch_one(pool).await)?;
    Ok(count > 0)
}

/// Sealed share of a device; `None` after it signed out.
pub(in crate::vault) async fn share(database: &Database, user: &str, device: &str) -> Result<Option<String>, Error> {
    const SELECT: &str = "select share_sealed from vault_device where user_id = $1 and id = $2";
    let found: Option<Option<String>> =
        on!(database, |pool| query_scalar(SELECT).bind(user).bind(device).fetch_optional(pool).await)?;
    Ok(found.flatten())
}

/// Notes time and place of a use, to the minute.
pub(in crate::vault) async fn touch_device(
    database: &Database,
    user: &str,
    device: &str,
    place: &str,
    now: i64,
) -> Result<(), Error> {
    const UPDATE: &str = "update vault_device set used_at = $3, place = $4
        where user_id = $1 and id = $2 and (place <> $4 or used_at <= $3 - 60000)";
    on!(database, |pool| query(UPDATE).bind(user).bind(device).bind(now).bind(place).execute(pool).await.map(drop))
}

/// Devices of a user, the newest first.
pub(in crate::vault) async fn devices(database: &Database, user: &str) -> Result<Vec<DeviceRow>, Error> {
    const SELECT: &str = "select id, label, host, place, approved_at, used_at from vault_device where user_id = $1
        order by approved_at desc, id limit 100";
    on!(database, |pool| query_as(SELECT).bind(user).fetch_all(pool).await)
}

/// Statements that take from a device what it needs: its slot and its sessions.
const SLOT: &str = "delete from vault_slot where user_id = $1 and device = $2";
const REFRESH: &str = "delete from vault_refresh where session_id in
    (select id from vault_session where user_id = $1 and device = $2)";
const SESSIONS: &str = "delete from vault_session where user_id = $1 and device = $2";

/// Deletes a device, its share, its slot and its sessions; false if there is no such device.
pub(in crate::vault) async fn remove_device(database: &Database, user: &str, device: &str) -> Result<bool, Error> {
    const DELETE: &str = "delete from vault_device where user_id = $1 and id = $2";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let deleted = query(DELETE).bind(user).bind(device).execute(&mut *transaction).await?.rows_affected();
        for statement in [SLOT, REFRESH, SESSIONS] {
            query(statement).bind(user).bind(device).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(deleted == 1)
    })
}

/// Deletes share, slot and sessions of a device that signs out; it stays approved.
pub(in crate::vault) async fn take_share(database: &Database, user: &str, device: &str) -> Result<(), Error> {
    const UPDATE: &str = "update vault_device set share_sealed = null where user_id = $1 and id = $2";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        for statement in [UPDATE, SLOT, REFRESH, SESSIONS] {
            query(statement).bind(user).bind(device).execute(&mut *transaction).await?;
        }
        transaction.commit().await
    })
}

/// Does the same for all devices of a user.
pub(in crate::vault) async fn take_shares(database: &Database, user: &str) -> Result<(), Error> {
    const STATEMENTS: [&str; 4] = [
        "update vault_device set share_sealed = null where user_id = $1",
        "delete from vault_slot where user_id = $1 and device is not null",
        "delete from vault_refresh where session_id in (select id from vault_session where user_id = $1)",
        "delete from vault_session where user_id = $1",
    ];
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        for statement in STATEMENTS {
            query(statement).bind(user).execute(&mut *transaction).await?;
        }
        transaction.commit().await
    })
}

/// Origin of the host page on which a device was approved.
pub(in crate::vault) async fn host_of(database: &Database, user: &str, device: &str) -> Result<Option<String>, Error> {
    const SELECT: &str = "select host from vault_device where user_id = $1 and id = $2";
    on!(database, |pool| query_scalar(SELECT).bind(user).bind(device).fetch_optional(pool).await)
}
