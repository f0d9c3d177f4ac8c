//! Changes of an address that wait for their codes.

use crate::db::{Database, on};
use sqlx::{Error, query, query_as};

/// A change: the new address, and the hash of the code that is waited for.
pub(in crate::vault) struct Change<'a> {
    pub(in crate::vault) user: &'a str,
    pub(in crate::vault) device: &'a str,
    /// "primary" if the present address has to be proved first, "add" where there is none.
    pub(in crate::vault) state: &'a str,
    pub(in crate::vault) email_index: &'a str,
    pub(in crate::vault) email_sealed: &'a str,
    pub(in crate::vault) code: &'a str,
    pub(in crate::vault) ends_at: i64,
}

/// Begins a change, in place of one that waits.
pub(in crate::vault) async fn begin_change(database: &Database, change: &Change<'_>) -> Result<(), Error> {
    const UPSERT: &str =
        "insert into vault_change (user_id, device, state, email_index, email_sealed, code, tries, ends_at)
        values ($1, $2, $7, $3, $4, $5, 0, $6)
        on conflict (user_id) do update set device = excluded.device, state = excluded.state, tries = 0,
            email_index = excluded.email_index, email_sealed = excluded.email_sealed, code = excluded.code,
            ends_at = excluded.ends_at";
    on!(database, |pool| {
        let upsert = query(UPSERT).bind(change.user).bind(change.device).bind(change.email_index);
        upsert
            .bind(change.email_sealed)
            .bind(change.code)
            .bind(change.ends_at)
            .bind(change.state)
            .execute(pool)
            .await
            .map(drop)
    })
}

/// Counts a try; hash of the code, index and sealed text of the new address. `None` if no change waits for this code, or no try is left.
pub(in crate::vault) async fn try_change(
    database: &Database,
    user: &str,
    device: &str,
    state: &str,
    most: i64,
    now: i64,
) -> Result<Option<(String, String, String)>, Error> {
    const UPDATE: &str = "update vault_change set tries = tries + 1
        where user_id = $1 and device = $2 and state = $3 and tries < $4 and ends_at > $5
        returning code, email_index, email_sealed";
    on!(database, |pool| {
        let update = query_as(UPDATE).bind(user).bind(device).bind(state).bind(most);
        update.bind(now).fetch_optional(pool).await
    })
}

/// Goes on to the new address, after the present one was proved by the code with this hash; false if another request did so.
pub(in crate::vault) async fn confirm_change(
    database: &Database,
    user: &str,
    proved: &str,
    next: &str,
    ends_at: i64,
) -> Result<bool, Error> {
    const UPDATE: &str = "update vault_change set state = 'secondary', code = $3, tries = 0, ends_at = $4
        where user_id = $1 and state = 'primary' and code = $2";
    let updated = on!(database, |pool| {
        query(UPDATE).bind(user).bind(proved).bind(next).bind(ends_at).execute(pool).await?.rows_affected()
    });
    Ok(updated == 1)
}

/// Ends a change whose last code was right; false if another request did so.
pub(in crate::vault) async fn end_change(
    database: &Database,
    user: &str,
    state: &str,
    proved: &str,
) -> Result<bool, Error> {
    const DELETE: &str = "delete from vault_change where user_id = $1 and state = $2 and code = $3";
    let deleted =
        on!(database, |pool| query(DELETE).bind(user).bind(state).bind(proved).execute(pool).await?.rows_affected());
    Ok(deleted == 1)
}
