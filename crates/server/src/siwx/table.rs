//! Database tables of the sign-in with a wallet.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

use crate::db::{Database, on};
use sqlx::{Error, query, query_as, query_scalar};

/// Most open sessions of one account at one visitor's address; a further one ends the oldest of them. How many accounts an address may have is
/// left to the rate limit of sign-ins: several people may share it, and nobody may end the sessions of the others.
pub(crate) const PER_ACCOUNT: i64 = 20;

/// Share of one visitor in the list of ended sessions. Open sessions count once they are ended.
pub(super) const ENDED_PER_VISITOR: i64 = 300;

/// Milliseconds for which a session is kept after its token expired: back ends' clocks may be late.
pub(super) const GRACE: i64 = 60_000;

/// Key that signs sessions: its id, PKCS #8 in base64, and the time from which it signs.
pub(crate) type KeyRow = (String, String, i64);

/// Open session.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct SessionRow {
    pub(crate) id: String,
    pub(crate) project: String,
    /// CAIP-10.
    pub(crate) account: String,
    pub(crate) origin: String,
    /// Keyed hash of the visitor's address.
    pub(crate) visitor: String,
    /// Epoch milliseconds, as all times here.
    pub(crate) created_at: i64,
    pub(crate) expires_at: i64,
}

/// All keys, the latest first.
pub(crate) async fn keys(database: &Database) -> Result<Vec<KeyRow>, Error> {
    const TEXT: &str = "select id, private, signs_from from siwx_key order by signs_from desc, id limit 16";
    on!(database, |pool| query_as(TEXT).fetch_all(pool).await)
}

pub(crate) async fn add_key(database: &Database, (id, private, signs_from): &KeyRow) -> Result<(), Error> {
    const TEXT: &str = "insert into siwx_key (id, private, signs_from) values ($1, $2, $3)";
    on!(database, |pool| query(TEXT).bind(id).bind(private).bind(signs_from).execute(pool).await.map(drop))
}

/// Deletes the keys with these ids.
pub(crate) async fn delete_keys(database: &Database, ids: &[String]) -> Result<(), Error> {
    on!(database, |pool| {
        for id in ids {
            query("delete from siwx_key where id = $1").bind(id).execute(pool).await?;
        }
        Ok(())
    })
}

/// Secret of this installation; stores `new` if there is none yet.
pub(super) async fn secret(database: &Database, new: &str) -> Result<String, Error> {
    const READ: &str = "select secret from siwx_secret where id = 1";
    const MAKE: &str = "insert into siwx_secret (id, secret) values (1, $1) on conflict (id) do nothing";
    on!(database, |pool| {
        if let Some(secret) = query_scalar(READ).fetch_optional(pool).await? {
            return Ok(secret);
        }
        query(MAKE).bind(new).execute(pool).await?;
        query_scalar(READ).fetch_one(pool).await
    })
}

/// Time at which the visitor's share of the list of ended sessions has room again; `None` if it has some now.
pub(super) async fn share_spent_until(database: &Database, visitor: &str, now: i64) -> Result<Option<i64>, Error> {
    const TEXT: &str = "select count(*), min(expires_at) from siwx_session
        where visitor = $1 and ended_at is not null and expires_at > $2";
    on!(database, |pool| {
        let row = query_as(TEXT).bind(visitor).bind(now - GRACE).fetch_one(pool).await?;
        let (ended, first_end): (i64, Option<i64>) = row;
        Ok(first_end.filter(|_| ended >= ENDED_PER_VISITOR).map(|end| end + GRACE))
    })
}

/// Nonce that is used up, and the time until which it is remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct UsedNonce<'a> {
    pub(super) nonce: &'a str,
    pub(super) expires_at: i64,
}

/// Uses up a nonce, stores the sessions that it opens, and ends those of their accounts beyond [`PER_ACCOUNT`]: all of it, or, if the nonce was used
/// before, none of it; false then. Forgets nonces that ended before `now` and sessions whose tokens have expired.
pub(super) async fn open(
    database: &Database,
    used: UsedNonce<'_>,
    sessions: &[SessionRow],
    now: i64,
) -> Result<bool, Error> {
    const USE: &str = "insert into siwx_nonce (nonce, expires_at) values ($1, $2) on conflict (nonce) do nothing";
    const INSERT: &str = "insert into siwx_session (id, project, account, origin, visitor, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7)";
    const END_SURPLUS: &str =
        "update siwx_session set ended_at = $4 where visitor = $1 and account = $2 and ended_at is null and id not in
        (select id from siwx_session where visitor = $1 and account = $2 and ended_at is null and expires_at > $4
         order by created_at desc, id limit $3)";
    // In one order, so that two requests with the same accounts don't wait for each other.
    let mut sessions: Vec<&SessionRow> = sessions.iter().collect();
    sessions.sort_by_key(|session| (&session.visitor, &session.account));
    on!(database, |pool| {
        query("delete from siwx_nonce where expires_at < $1").bind(now).execute(pool).await?;
        query("delete from siwx_session where expires_at <= $1").bind(now - GRACE).execute(pool).await?;
        let mut transaction = pool.begin().await?;
        let new = query(USE).bind(used.nonce).bind(used.expires_at).execute(&mut *transaction).await?;
        if new.rows_affected() == 0 {
            return Ok(false);
        }
        for session in sessions {
            query(INSERT)
                .bind(&session.id)
                .bind(&session.project)
                .bind(&session.account)
                .bind(&session.origin)
                .bind(&session.visitor)
                .bind(session.created_at)
                .bind(session.expires_at)
                .execute(&mut *transaction)
                .await?;
            query(END_SURPLUS)
                .bind(&session.visitor)
                .bind(&session.account)
                .bind(PER_ACCOUNT)
                .bind(now)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(true)
    })
}

/// Whether a session is open.
pub(super) async fn is_open(database: &Database, id: &str, now: i64) -> Result<bool, Error> {
    const TEXT: &str = "select id from siwx_session where id = $1 and ended_at is null and expires_at > $2";
    on!(database, |pool| {
        let found: Option<String> = query_scalar(TEXT).bind(id).bind(now).fetch_optional(pool).await?;
        Ok(found.is_some())
    })
}

/// Open sessions, the newest first; of one account (CAIP-10) if it is given.
pub(crate) async fn list(
    database: &Database,
    account: Option<&str>,
    now: i64,
    most: i64,
) -> Result<Vec<SessionRow>, Error> {
    const TEXT: &str = "select id, project, account, origin, visitor, created_at, expires_at from siwx_session
        where ended_at is null and expires_at > $1 and ($2 = '' or account = $2) order by created_at desc, id limit $3";
    type Row = (String, String, String, String, String, i64, i64);
    let rows: Vec<Row> = on!(database, |pool| {
        query_as(TEXT).bind(now).bind(account.unwrap_or_default()).bind(most).fetch_all(pool).await
    })?;
    let row = |(id, project, account, origin, visitor, created_at, expires_at): Row| SessionRow {
        id,
        project,
        account,
        origin,
        visitor,
        created_at,
        expires_at,
    };
    Ok(rows.into_iter().map(row).collect())
}

/// Ends a session by its id, or all sessions of an account (CAIP-10). Returns the number of those that were open.
pub(crate) async fn end(database: &Database, id_or_account: &str, now: i64) -> Result<u64, Error> {
    const TEXT: &str = "update siwx_session set ended_at = $2
        where (id = $1 or account = $1) and ended_at is null and expires_at > $2";
    on!(database, |pool| Ok(query(TEXT).bind(id_or_account).bind(now).execute(pool).await?.rows_affected()))
}

/// Ends all sessions of a project. Returns the number of those that were open.
pub(crate) async fn end_of_project(database: &Database, project: &str, now: i64) -> Result<u64, Error> {
    const TEXT: &str = "update siwx_session set ended_at = $2
        where project = $1 and ended_at is null and expires_at > $2";
    on!(database, |pool| Ok(query(TEXT).bind(project).bind(now).execute(pool).await?.rows_affected()))
}

/// Ends all sessions. Returns the number of those that were open.
pub(crate) async fn end_all(database: &Database, now: i64) -> Result<u64, Error> {
    const TEXT: &str = "update siwx_session set ended_at = $1 where ended_at is null and expires_at > $1";
    on!(database, |pool| Ok(query(TEXT).bind(now).execute(pool).await?.rows_affected()))
}

/// Ended session: its id, the time at which it began, and the end of its token.
pub(super) type EndedRow = (String, i64, i64);

/// Ended sessions of a project whose tokens have not expired, those with the latest start first.
pub(super) async fn ended(database: &Database, project: &str, now: i64, most: i64) -> Result<Vec<EndedRow>, Error> {
    const TEXT: &str = "select id, created_at, expires_at from siwx_session
        where project = $1 and ended_at is not null and expires_at > $2 order by created_at desc, id limit $3";
    on!(database, |pool| query_as(TEXT).bind(project).bind(now - GRACE).bind(most).fetch_all(pool).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn session(id: &str, account: &str) -> SessionRow {
        SessionRow {
            id: id.into(),
            project: "shop".into(),
            account: account.into(),
            origin: "https://shop.example".into(),
            visitor: "visitor".into(),
            created_at: NOW,
            expires_at: NOW + 3_600_000,
        }
    }

    #[tokio::test]
    async fn the_sessions_of_a_nonce_are_stored_together_or_none_of_them_and_the_nonce_stays_unused() {
        let database = Database::empty().await.unwrap();
        database.migrate().await.unwrap();
        let used = UsedNonce { nonce: "nonce", expires_at: NOW + 1 };
        let open = async |sessions: &[SessionRow]| open(&database, used, sessions, NOW).await;
        let count = async || list(&database, None, NOW, 9).await.unwrap().len();
        // The second one fails: its id is taken.
        open(&[session("one", "a"), session("one", "b")]).await.unwrap_err();
        assert_eq!(count().await, 0);
        assert!(open(&[session("one", "a"), session("two", "b")]).await.unwrap());
        assert!(!open(&[session("three", "a"), session("four", "b")]).await.unwrap());
        assert_eq!(count().await, 2);
    }
}
