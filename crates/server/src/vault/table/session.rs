//! Sessions and their tokens, of which only hashes are stored.

use crate::db::{Database, on};
use sqlx::{Error, query, query_as, query_scalar};

/// Hashes and ends of the tokens of a session.
pub(in crate::vault) struct Held<'a> {
    pub(in crate::vault) access: &'a str,
    pub(in crate::vault) access_ends: i64,
    pub(in crate::vault) refresh: &'a str,
    pub(in crate::vault) ends_at: i64,
}

/// Outcome of the use of a refresh token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::vault) enum Rotated {
    Done,
    /// The token was used before.
    Again,
    /// It is not a token of this device, or its session has ended.
    Unknown,
}

const REFRESH: &str = "insert into vault_refresh (hash, session_id) values ($1, $2)";

/// Stores a session, in place of earlier ones of the same device.
pub(in crate::vault) async fn insert_session(
    database: &Database,
    id: &str,
    user: &str,
    device: &str,
    held: &Held<'_>,
) -> Result<(), Error> {
    const INSERT: &str = "insert into vault_session (id, user_id, device, access_hash, access_ends, ends_at)
        values ($1, $2, $3, $4, $5, $6)";
    const OLD: [&str; 2] = [
        "delete from vault_refresh where session_id in
            (select id from vault_session where user_id = $1 and device = $2)",
        "delete from vault_session where user_id = $1 and device = $2",
    ];
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        for old in OLD {
            query(old).bind(user).bind(device).execute(&mut *transaction).await?;
        }
        let insert = query(INSERT).bind(id).bind(user).bind(device).bind(held.access).bind(held.access_ends);
        insert.bind(held.ends_at).execute(&mut *transaction).await?;
        query(REFRESH).bind(held.refresh).bind(id).execute(&mut *transaction).await?;
        transaction.commit().await
    })
}

/// Id and user of the session of an access token that has not ended.
pub(in crate::vault) async fn live_session(
    database: &Database,
    access: &str,
    device: &str,
    now: i64,
) -> Result<Option<(String, String)>, Error> {
    const SELECT: &str = "select id, user_id from vault_session
        where access_hash = $1 and device = $2 and access_ends > $3 and ends_at > $3";
    on!(database, |pool| query_as(SELECT).bind(access).bind(device).bind(now).fetch_optional(pool).await)
}

/// Id and user of the session of a refresh token, used or not, of this device.
pub(in crate::vault) async fn session_of_refresh(
    database: &Database,
    refresh: &str,
    device: &str,
) -> Result<Option<(String, String)>, Error> {
    const SELECT: &str = "select vault_session.id, vault_session.user_id from vault_refresh
        join vault_session on vault_session.id = vault_refresh.session_id
        where vault_refresh.hash = $1 and vault_session.device = $2";
    on!(database, |pool| query_as(SELECT).bind(refresh).bind(device).fetch_optional(pool).await)
}

/// Uses up a refresh token and stores the next ones; of two uses at once, one is the second.
pub(in crate::vault) async fn rotate(
    database: &Database,
    session: &str,
    used: &str,
    next: &Held<'_>,
    now: i64,
) -> Result<Rotated, Error> {
    const USE: &str = "update vault_refresh set used_at = $3
        where hash = $1 and session_id = $2 and used_at is null";
    const UPDATE: &str = "update vault_session set access_hash = $2, access_ends = $3, ends_at = $4
        where id = $1 and ends_at > $5";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let first =
            query(USE).bind(used).bind(session).bind(now).execute(&mut *transaction).await?.rows_affected() == 1;
        if !first {
            return Ok(Rotated::Again);
        }
        let update = query(UPDATE).bind(session).bind(next.access).bind(next.access_ends).bind(next.ends_at);
        if update.bind(now).execute(&mut *transaction).await?.rows_affected() != 1 {
            return Ok(Rotated::Unknown);
        }
        query(REFRESH).bind(next.refresh).bind(session).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(Rotated::Done)
    })
}

pub(in crate::vault) async fn delete_session(database: &Database, id: &str) -> Result<(), Error> {
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        query("delete from vault_refresh where session_id = $1").bind(id).execute(&mut *transaction).await?;
        query("delete from vault_session where id = $1").bind(id).execute(&mut *transaction).await?;
        transaction.commit().await
    })
}

/// Notes a confirmation that is no row: a login of a visitor to whom no mail can go.
pub(in crate::vault) async fn note_confirmed(
    database: &Database,
    user: &str,
    device: &str,
    deed: &str,
    by_passkey: bool,
    until: i64,
) -> Result<(), Error> {
    const UPDATE: &str = "update vault_session set confirmed = $3, confirmed_until = $4, by_passkey = $5
        where user_id = $1 and device = $2";
    on!(database, |pool| {
        let update = query(UPDATE).bind(user).bind(device).bind(deed).bind(until);
        update.bind(i64::from(by_passkey)).execute(pool).await.map(drop)
    })
}

/// What the session of a device has confirmed, and until when; `None` if nothing is good any more.
pub(in crate::vault) async fn confirmed(
    database: &Database,
    user: &str,
    device: &str,
    now: i64,
) -> Result<Option<(String, i64)>, Error> {
    const SELECT: &str = "select confirmed, confirmed_until from vault_session
        where user_id = $1 and device = $2 and confirmed_until > $3";
    on!(database, |pool| query_as(SELECT).bind(user).bind(device).bind(now).fetch_optional(pool).await)
}

/// Whether a session confirmed something by a passkey that confirms exports, and it is still good.
pub(in crate::vault) async fn confirmed_by_passkey(
    database: &Database,
    user: &str,
    device: &str,
    now: i64,
) -> Result<bool, Error> {
    const SELECT: &str = "select count(*) from vault_session
        where user_id = $1 and device = $2 and confirmed_until > $3 and by_passkey = 1";
    let count: i64 =
        on!(database, |pool| query_scalar(SELECT).bind(user).bind(device).bind(now).fetch_one(pool).await)?;
    Ok(count > 0)
}

/// Uses up a confirmation of an export; false if there is none. Of two uses at once one succeeds. A mail or a login counts only for a user without
/// a passkey, and from a day after the last one was removed by a mail.
pub(in crate::vault) async fn spend_export(
    database: &Database,
    user: &str,
    device: &str,
    deed: &str,
    now: i64,
) -> Result<bool, Error> {
    const UPDATE: &str = "update vault_session set confirmed_until = 0
        where user_id = $1 and device = $2 and confirmed in ($3, 'login', 'token') and confirmed_until > $4
            and (by_passkey = 1 or (not exists (select 1 from vault_passkey where user_id = $1)
                and exists (select 1 from vault_user where id = $1 and exports_from <= $4)))";
    let spent = on!(database, |pool| {
        let update = query(UPDATE).bind(user).bind(device).bind(deed).bind(now);
        update.execute(pool).await?.rows_affected()
    });
    Ok(spent == 1)
}
