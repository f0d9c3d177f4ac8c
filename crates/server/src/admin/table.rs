//! SQL statements of the keys to the admin page.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

use crate::db::{Database, on};
use sqlx::{Error, query, query_scalar};

/// Purpose of a key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// A link, which opens a session once.
    Link,
    /// A session, which opens the page.
    Session,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Link => "link",
            Kind::Session => "session",
        }
    }
}

/// Stores a key that is valid until a time in epoch milliseconds, and deletes those that have ended.
pub(super) async fn insert(
    database: &Database,
    kind: Kind,
    id: &str,
    secret_hash: &str,
    now: i64,
    ends_at: i64,
) -> Result<(), Error> {
    on!(database, |pool| {
        query("delete from admin_key where ends_at <= $1").bind(now).execute(pool).await?;
        query("insert into admin_key (id, kind, secret_hash, ends_at) values ($1, $2, $3, $4)")
            .bind(id)
            .bind(kind.word())
            .bind(secret_hash)
            .bind(ends_at)
            .execute(pool)
            .await?;
    });
    Ok(())
}

/// Hash of the secret of a key that has not ended.
pub(super) async fn secret_hash(database: &Database, kind: Kind, id: &str, now: i64) -> Result<Option<String>, Error> {
    let select = "select secret_hash from admin_key where id = $1 and kind = $2 and ends_at > $3";
    on!(database, |pool| query_scalar(select).bind(id).bind(kind.word()).bind(now).fetch_optional(pool).await)
}

/// Deletes a key; false if it is gone already, so that of two uses at the same time only one counts.
pub(super) async fn delete(database: &Database, kind: Kind, id: &str) -> Result<bool, Error> {
    let delete = "delete from admin_key where id = $1 and kind = $2";
    let deleted = on!(database, |pool| query(delete).bind(id).bind(kind.word()).execute(pool).await?.rows_affected());
    Ok(deleted > 0)
}
