//! Changes of an address that the old one can cancel.

use super::asker::{Asker, asker_columns};
use super::person::SHOWN;
use super::wallet::LOCK;
use crate::db::{Database, on};
use sqlx::{Error, query, query_as};

/// Logins, slots and devices that were added in this time before a change, in milliseconds, end with its cancellation.
const ADDED_BEFORE: i64 = 24 * 60 * 60 * 1000;

/// A change that was made, and what restores the old address.
pub(in crate::vault) struct Undo<'a> {
    /// Hash of the token in the mail.
    pub(in crate::vault) token: &'a str,
    pub(in crate::vault) user: &'a str,
    pub(in crate::vault) email_index: &'a str,
    pub(in crate::vault) email_sealed: &'a str,
    /// Who changed it.
    pub(in crate::vault) asker: &'a Asker,
    pub(in crate::vault) at: i64,
}

/// Outcome of a cancellation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(in crate::vault) enum Undone {
    /// The user has the old address again.
    Restored(String),
    /// The old address belongs to another user by now.
    Taken,
    /// The link was used before, or has ended.
    Unknown,
}

pub(in crate::vault) async fn insert_undo(database: &Database, undo: &Undo<'_>) -> Result<(), Error> {
    const INSERT: &str = concat!(
        "insert into vault_undo (token, user_id, email_index, email_sealed, ",
        asker_columns!(),
        ", at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
    );
    let asker = undo.asker;
    on!(database, |pool| {
        let insert = query(INSERT).bind(undo.token).bind(undo.user).bind(undo.email_index).bind(undo.email_sealed);
        let insert = insert.bind(&asker.device).bind(&asker.host).bind(&asker.browser).bind(&asker.place);
        let insert = insert.bind(&asker.number).bind(&asker.language).bind(asker.ends_at).bind(undo.at);
        insert.execute(pool).await.map(drop)
    })
}

/// Who made the change of a link.
pub(in crate::vault) async fn undo_of(database: &Database, token: &str, now: i64) -> Result<Option<Asker>, Error> {
    const SELECT: &str = concat!("select ", asker_columns!(), " from vault_undo where token = $1 and ends_at > $2");
    on!(database, |pool| query_as(SELECT).bind(token).bind(now).fetch_optional(pool).await)
}

/// Restores the old address, once, and signs all devices out. Links of later changes end with it, so that nobody who got in cancels the
/// cancellation; those of earlier ones stay. Where there was a passkey or a password, exports are held until `held_until`.
pub(in crate::vault) async fn undo(
    database: &Database,
    token: &str,
    now: i64,
    held_until: i64,
) -> Result<Undone, Error> {
    /// A way to open the wallet without a device, which nobody added lately.
    macro_rules! other_way {
        () => {
            "exists (select 1 from vault_slot other where other.user_id = $1 and (other.kind = 'recovery'
                or (other.kind in ('passkey', 'password', 'kit') and other.created_at < $2)))"
        };
    }
    const USE: &str = "delete from vault_undo where token = $1 and ends_at > $2
        returning user_id, email_index, email_sealed, at";
    /// The link came by a mail, and may end a passkey.
    const HOLD: &str = "update vault_user set exports_from = $2
        where id = $1 and (exists (select 1 from vault_passkey where user_id = $1)
            or exists (select 1 from vault_password where user_id = $1))";
    const RESTORE: &str = "update vault_user set email_index = $2, email_sealed = $3 where id = $1";
    const LATER: &str = "delete from vault_undo where user_id = $1 and at >= $2";
    /// Whoever got in may have added logins, passkeys, passwords and kits, shortly before too. Where no other way is left, one of these, or a
    /// device that was there before, may be all that opens the wallet. The login with which the account began was not added.
    const SINCE: [&str; 4] = [
        "delete from vault_person where user_id = $1 and created_at >= $2
            and created_at > (select created_at from vault_user where id = $1)",
        concat!(
            "delete from vault_slot where user_id = $1 and created_at >= $2 and kind in ('passkey', 'password', 'kit') and ",
            other_way!()
        ),
        concat!(
            "update vault_device set share_sealed = null where user_id = $1 and (approved_at >= $2 or ",
            other_way!(),
            ")"
        ),
        concat!(
            "delete from vault_slot where user_id = $1 and device is not null and (",
            other_way!(),
            " or device in (select id from vault_device where user_id = $1 and approved_at >= $2))"
        ),
    ];
    const ALL: [&str; 4] = [
        "delete from vault_change where user_id = $1",
        "delete from vault_refresh where session_id in (select id from vault_session where user_id = $1)",
        "delete from vault_session where user_id = $1",
        SHOWN,
    ];
    let undone = on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let used: Option<(String, String, String, i64)> =
            query_as(USE).bind(token).bind(now).fetch_optional(&mut *transaction).await?;
        let Some((user, index, sealed, at)) = used else { return Ok(Undone::Unknown) };
        match query(RESTORE).bind(&user).bind(index).bind(sealed).execute(&mut *transaction).await {
            Ok(_) => {}
            Err(Error::Database(error)) if error.is_unique_violation() => return Ok(Undone::Taken),
            Err(error) => return Err(error),
        }
        query(LATER).bind(&user).bind(at).execute(&mut *transaction).await?;
        query(LOCK).bind(&user).execute(&mut *transaction).await?;
        query(HOLD).bind(&user).bind(held_until).execute(&mut *transaction).await?;
        for statement in SINCE {
            query(statement).bind(&user).bind(at - ADDED_BEFORE).execute(&mut *transaction).await?;
        }
        for statement in ALL {
            query(statement).bind(&user).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Undone::Restored(user)
    });
    database.forget_deleted().await?;
    Ok(undone)
}
