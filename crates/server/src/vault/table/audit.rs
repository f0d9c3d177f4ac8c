//! Rows of the audit log.

use crate::db::{Database, on};
use sqlx::{Error, query, query_as};

/// One event.
#[derive(Clone, Debug)]
pub(in crate::vault) struct AuditRow {
    pub(in crate::vault) seq: i64,
    pub(in crate::vault) at: i64,
    pub(in crate::vault) event: String,
    pub(in crate::vault) user: String,
    pub(in crate::vault) detail: String,
    pub(in crate::vault) hash: String,
}

type Row = (i64, i64, String, String, String, String);

pub(in crate::vault) async fn last_audit(database: &Database) -> Result<Option<(i64, String)>, Error> {
    const SELECT: &str = "select seq, hash from vault_audit order by seq desc limit 1";
    on!(database, |pool| query_as(SELECT).fetch_optional(pool).await)
}

/// Adds a row; false if the database belongs to another root by now.
pub(in crate::vault) async fn add_audit(database: &Database, row: &AuditRow, root: &str) -> Result<bool, Error> {
    const INSERT: &str = "insert into vault_audit (seq, at, event, user_id, detail, hash) select $1, $2, $3, $4, $5, $6
        where exists (select 1 from vault_setting where name = 'root' and value = $7)";
    on!(database, |pool| {
        let insert = query(INSERT).bind(row.seq).bind(row.at).bind(&row.event).bind(&row.user).bind(&row.detail);
        insert.bind(&row.hash).bind(root).execute(pool).await.map(|done| done.rows_affected() == 1)
    })
}

/// Recovery shares that were released since a time.
#[derive(Clone, Copy, Debug)]
pub(in crate::vault) struct Releases {
    /// Those of one event, to all users.
    pub(in crate::vault) all: i64,
    /// Those of all events, to one user.
    pub(in crate::vault) own: i64,
    /// Time of the first of the user's.
    pub(in crate::vault) first: Option<i64>,
}

/// Counts the releases of an event to all, and those of both events of a release to one user.
pub(in crate::vault) async fn released_since(
    database: &Database,
    event: &str,
    events: [&str; 2],
    user: &str,
    since: i64,
) -> Result<Releases, Error> {
    const COUNT: &str = "select count(*) filter (where event = $1), count(*) filter (where user_id = $4),
            min(at) filter (where user_id = $4)
        from vault_audit where event in ($2, $3) and at > $5";
    let (all, own, first): (i64, i64, Option<i64>) = on!(database, |pool| {
        let count = query_as(COUNT).bind(event).bind(events[0]).bind(events[1]).bind(user);
        count.bind(since).fetch_one(pool).await
    })?;
    Ok(Releases { all, own, first })
}

/// Next rows after a number.
pub(in crate::vault) async fn audit_after(database: &Database, seq: i64) -> Result<Vec<AuditRow>, Error> {
    const SELECT: &str =
        "select seq, at, event, user_id, detail, hash from vault_audit where seq > $1 order by seq limit 1000";
    let rows: Vec<Row> = on!(database, |pool| query_as(SELECT).bind(seq).fetch_all(pool).await)?;
    let row = |(seq, at, event, user, detail, hash): Row| AuditRow { seq, at, event, user, detail, hash };
    Ok(rows.into_iter().map(row).collect())
}
