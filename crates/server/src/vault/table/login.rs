//! Logins by e-mail, and the mails of each address.

use super::asker::{Asker, asker_columns};
use crate::db::{Database, on};
use sqlx::{ColumnIndex, Decode, Error, FromRow, Row, Type, query, query_as, query_scalar};

/// A login as it begins.
pub(in crate::vault) struct Login<'a> {
    /// Hash of the transaction.
    pub(in crate::vault) id: &'a str,
    pub(in crate::vault) email_index: &'a str,
    pub(in crate::vault) email_sealed: &'a str,
    pub(in crate::vault) asker: &'a Asker,
    /// Hash of the token in the approval mail, while the device is not approved.
    pub(in crate::vault) approval: Option<&'a str>,
    /// Hash of the code, where the device is approved.
    pub(in crate::vault) code: Option<&'a str>,
}

/// What an approval page shows, and the mail with the code needs.
pub(in crate::vault) struct Approval {
    pub(in crate::vault) id: String,
    pub(in crate::vault) state: String,
    pub(in crate::vault) email_sealed: String,
    pub(in crate::vault) asker: Asker,
}

impl<'r, R: Row> FromRow<'r, R> for Approval
where
    &'static str: ColumnIndex<R>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<Approval, Error> {
        Ok(Approval {
            id: row.try_get("id")?,
            state: row.try_get("state")?,
            email_sealed: row.try_get("email_sealed")?,
            asker: Asker::from_row(row)?,
        })
    }
}

/// State and tries of a login, and 1 if its last mail couldn't be sent; for its device alone.
pub(in crate::vault) async fn login_of(
    database: &Database,
    id: &str,
    device: &str,
    now: i64,
) -> Result<Option<(String, i64, i64)>, Error> {
    const SELECT: &str = "select state, tries, unsent from vault_login where id = $1 and device = $2 and ends_at > $3";
    on!(database, |pool| query_as(SELECT).bind(id).bind(device).bind(now).fetch_optional(pool).await)
}

pub(in crate::vault) async fn insert_login(database: &Database, login: &Login<'_>) -> Result<(), Error> {
    const INSERT: &str = concat!(
        "insert into vault_login (id, state, email_index, email_sealed, ",
        asker_columns!(),
        ", approval, code, tries) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0)"
    );
    let state = if login.approval.is_some() { "device" } else { "code" };
    let asker = login.asker;
    on!(database, |pool| {
        let insert = query(INSERT).bind(login.id).bind(state).bind(login.email_index).bind(login.email_sealed);
        let insert = insert.bind(&asker.device).bind(&asker.host).bind(&asker.browser).bind(&asker.place);
        let insert = insert.bind(&asker.number).bind(&asker.language).bind(asker.ends_at);
        insert.bind(login.approval).bind(login.code).execute(pool).await.map(drop)
    })
}

/// Notes that the last mail of a login couldn't be sent.
pub(in crate::vault) async fn note_unsent(database: &Database, id: &str) -> Result<(), Error> {
    const UPDATE: &str = "update vault_login set unsent = 1 where id = $1";
    on!(database, |pool| query(UPDATE).bind(id).execute(pool).await.map(drop))
}

/// User of this address who approved this device.
pub(in crate::vault) async fn approved_user(
    database: &Database,
    email_index: &str,
    device: &str,
) -> Result<Option<String>, Error> {
    const SELECT: &str = "select vault_user.id from vault_user
        join vault_device on vault_device.user_id = vault_user.id and vault_device.id = $2
        where vault_user.email_index = $1";
    on!(database, |pool| query_scalar(SELECT).bind(email_index).bind(device).fetch_optional(pool).await)
}

/// Login of the token of a mail.
pub(in crate::vault) async fn approval_of(
    database: &Database,
    approval: &str,
    now: i64,
) -> Result<Option<Approval>, Error> {
    const SELECT: &str = concat!(
        "select id, state, email_sealed, ",
        asker_columns!(),
        " from vault_login where approval = $1 and ends_at > $2"
    );
    on!(database, |pool| query_as(SELECT).bind(approval).bind(now).fetch_optional(pool).await)
}

/// Approves the device of a login, whose code has this hash; false if somebody decided before.
pub(in crate::vault) async fn approve(
    database: &Database,
    id: &str,
    code: &str,
    now: i64,
    ends_at: i64,
) -> Result<bool, Error> {
    const UPDATE: &str = "update vault_login set state = 'code', code = $2, ends_at = $4
        where id = $1 and state = 'device' and ends_at > $3";
    let updated = on!(database, |pool| query(UPDATE)
        .bind(id)
        .bind(code)
        .bind(now)
        .bind(ends_at)
        .execute(pool)
        .await?
        .rows_affected());
    Ok(updated == 1)
}

/// Refuses the device of a login; false if somebody decided before.
pub(in crate::vault) async fn refuse(database: &Database, id: &str, now: i64) -> Result<bool, Error> {
    const UPDATE: &str = "update vault_login set state = 'refused' where id = $1 and state = 'device' and ends_at > $2";
    let updated = on!(database, |pool| query(UPDATE).bind(id).bind(now).execute(pool).await?.rows_affected());
    Ok(updated == 1)
}

/// Hash of the code, index and sealed address, host and browser of a login, and the hash of the approval's token if a mail's link approved it.
type Tried = (String, String, String, String, String, Option<String>);

/// Counts a try before the code is compared, so that many at once are not more than allowed; `None` if there is no such login, or no try left.
pub(in crate::vault) async fn try_code(
    database: &Database,
    id: &str,
    device: &str,
    most: i64,
    now: i64,
) -> Result<Option<Tried>, Error> {
    const UPDATE: &str = "update vault_login set tries = tries + 1
        where id = $1 and device = $2 and state = 'code' and tries < $3 and ends_at > $4
        returning code, email_index, email_sealed, host, browser, approval";
    on!(database, |pool| query_as(UPDATE).bind(id).bind(device).bind(most).bind(now).fetch_optional(pool).await)
}

/// Ends a login whose code was right; false if another request did so before.
pub(in crate::vault) async fn finish(database: &Database, id: &str) -> Result<bool, Error> {
    const UPDATE: &str = "update vault_login set state = 'done', code = null where id = $1 and state = 'code'";
    let updated = on!(database, |pool| query(UPDATE).bind(id).execute(pool).await?.rows_affected());
    Ok(updated == 1)
}

/// Times of the mails of a subject, or of tries of a password, since a time, the newest first.
pub(in crate::vault) async fn mailings(database: &Database, subject: &str, since: i64) -> Result<Vec<i64>, Error> {
    const SELECT: &str = "select at from vault_mailing where subject = $1 and at > $2 order by at desc limit 100";
    on!(database, |pool| query_scalar(SELECT).bind(subject).bind(since).fetch_all(pool).await)
}

pub(in crate::vault) async fn note_mailing(database: &Database, subject: &str, now: i64) -> Result<(), Error> {
    const INSERT: &str = "insert into vault_mailing (subject, at) values ($1, $2)";
    on!(database, |pool| query(INSERT).bind(subject).bind(now).execute(pool).await.map(drop))
}
