//! Confirmations of what a visitor does in the settings, and the passkeys that give them.

use super::asker::{Asker, asker_columns};
use crate::db::{Database, on};
use sqlx::{ColumnIndex, Decode, Error, FromRow, Row, Type, query, query_as, query_scalar};

/// A confirmation as it begins.
pub(in crate::vault) struct NewConfirmation<'a> {
    /// Hash of the transaction.
    pub(in crate::vault) id: &'a str,
    /// Empty for a login by passkey.
    pub(in crate::vault) user: &'a str,
    /// "export", "change", or "login".
    pub(in crate::vault) deed: &'a str,
    pub(in crate::vault) asker: &'a Asker,
    /// Hash of the token in the mail, if one is sent.
    pub(in crate::vault) approval: Option<&'a str>,
}

/// What the page of a mail's link shows and decides.
pub(in crate::vault) struct Confirmation {
    pub(in crate::vault) id: String,
    pub(in crate::vault) user: String,
    pub(in crate::vault) deed: String,
    pub(in crate::vault) state: String,
    pub(in crate::vault) asker: Asker,
}

impl<'r, R: Row> FromRow<'r, R> for Confirmation
where
    &'static str: ColumnIndex<R>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<Confirmation, Error> {
        Ok(Confirmation {
            id: row.try_get("id")?,
            user: row.try_get("user_id")?,
            deed: row.try_get("deed")?,
            state: row.try_get("state")?,
            asker: Asker::from_row(row)?,
        })
    }
}

/// Public key of a passkey and whose it is.
pub(in crate::vault) struct Passkey {
    pub(in crate::vault) user: String,
    /// Time from which it confirms exports.
    pub(in crate::vault) exports_from: i64,
    /// Uncompressed point, encoded.
    pub(in crate::vault) point: String,
}

pub(in crate::vault) async fn insert_confirmation(database: &Database, new: &NewConfirmation<'_>) -> Result<(), Error> {
    const INSERT: &str = concat!(
        "insert into vault_confirm (id, user_id, deed, state, ",
        asker_columns!(),
        ", approval) values ($1, $2, $3, 'open', $4, $5, $6, $7, $8, $9, $10, $11)"
    );
    let asker = new.asker;
    on!(database, |pool| {
        let insert = query(INSERT).bind(new.id).bind(new.user).bind(new.deed).bind(&asker.device).bind(&asker.host);
        let insert = insert.bind(&asker.browser).bind(&asker.place).bind(&asker.number).bind(&asker.language);
        insert.bind(asker.ends_at).bind(new.approval).execute(pool).await.map(drop)
    })
}

/// Confirmation of the token of a mail.
pub(in crate::vault) async fn confirmation_of(
    database: &Database,
    approval: &str,
    now: i64,
) -> Result<Option<Confirmation>, Error> {
    const SELECT: &str = concat!(
        "select id, user_id, deed, state, ",
        asker_columns!(),
        " from vault_confirm where approval = $1 and ends_at > $2"
    );
    on!(database, |pool| query_as(SELECT).bind(approval).bind(now).fetch_optional(pool).await)
}

/// Deed and state of a confirmation of a user, for the device that began it alone.
pub(in crate::vault) async fn confirmation_state(
    database: &Database,
    id: &str,
    user: &str,
    device: &str,
    now: i64,
) -> Result<Option<(String, String)>, Error> {
    const SELECT: &str = "select deed, state from vault_confirm
        where id = $1 and user_id = $2 and device = $3 and ends_at > $4";
    on!(database, |pool| query_as(SELECT).bind(id).bind(user).bind(device).bind(now).fetch_optional(pool).await)
}

/// Decides a confirmation; false if somebody decided before. One that is approved is noted in the session of its device, good until `until`, with
/// whether a passkey that confirms exports gave it.
pub(in crate::vault) async fn decide_confirmation(
    database: &Database,
    id: &str,
    approved: bool,
    by_passkey: bool,
    now: i64,
    until: i64,
) -> Result<bool, Error> {
    const DECIDE: &str = "update vault_confirm set state = $2 where id = $1 and state = 'open' and ends_at > $3";
    const NOTE: &str = "update vault_session set confirmed_until = $2, by_passkey = $3,
            confirmed = (select deed from vault_confirm where id = $1)
        where user_id = (select user_id from vault_confirm where id = $1)
            and device = (select device from vault_confirm where id = $1)";
    let state = if approved { "approved" } else { "refused" };
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let decide = query(DECIDE).bind(id).bind(state).bind(now).execute(&mut *transaction).await?;
        if decide.rows_affected() != 1 {
            return Ok(false);
        }
        if approved {
            query(NOTE).bind(id).bind(until).bind(i64::from(by_passkey)).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    })
}

/// Takes a login by passkey that its device began; nobody takes it twice. Host and browser of it.
pub(in crate::vault) async fn take_passkey_login(
    database: &Database,
    id: &str,
    device: &str,
    now: i64,
) -> Result<Option<(String, String)>, Error> {
    const UPDATE: &str = "update vault_confirm set state = 'approved'
        where id = $1 and device = $2 and deed = 'login' and state = 'open' and ends_at > $3
        returning host, browser";
    on!(database, |pool| query_as(UPDATE).bind(id).bind(device).bind(now).fetch_optional(pool).await)
}

/// Passkey of a credential.
pub(in crate::vault) async fn passkey_of(database: &Database, credential: &str) -> Result<Option<Passkey>, Error> {
    const SELECT: &str = "select user_id, point, exports_from from vault_passkey where credential = $1";
    let row: Option<(String, String, i64)> =
        on!(database, |pool| query_as(SELECT).bind(credential).fetch_optional(pool).await)?;
    Ok(row.map(|(user, point, exports_from)| Passkey { user, exports_from, point }))
}

/// Whether a user has a passkey.
pub(in crate::vault) async fn has_passkey(database: &Database, user: &str) -> Result<bool, Error> {
    const SELECT: &str = "select count(*) from vault_passkey where user_id = $1";
    let count: i64 = on!(database, |pool| query_scalar(SELECT).bind(user).fetch_one(pool).await)?;
    Ok(count > 0)
}
