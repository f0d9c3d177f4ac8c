//! Rotation of the root key: one transaction over all that is sealed.

use crate::db::{Database, on};
use crate::vault::audit::chained;
use crate::vault::rotate::{RotateError, Turn};
use sqlx::{Error, query, query_as};

/// Kinds of sealed texts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::vault) enum Part {
    /// Address of a user; `id` is the user too.
    Email,
    /// Address that a link restores; `id` is the hash of its token.
    Undo,
    /// Share of the device `id`.
    Share,
    /// Wrapped key of the recovery slot `id`.
    Recovery,
    /// Password of the slot `id`.
    Password,
}

/// A sealed text with what its place needs.
pub(in crate::vault) struct SealedRow {
    pub(in crate::vault) user: String,
    pub(in crate::vault) id: String,
    pub(in crate::vault) sealed: String,
    /// Wallet of a slot, and the version of its recovery key.
    pub(in crate::vault) wallet: String,
    pub(in crate::vault) version: i64,
}

/// Takes the database for the new root, so that all others who ask whose it is wait until the end.
const CLAIM: &str = "update vault_setting set value = $2 where name = 'root' and value = $1";

/// What lives for minutes: logins and changes under way, confirmations, and sessions without a wallet. These may hold a recovery key of the old root
/// for a slot that they have yet to store.
const ENDED: [&str; 6] = [
    "delete from vault_login",
    // Tokens of hosts that were used stay used.
    "delete from vault_social where provider <> 'jwt'",
    "delete from vault_change",
    "update vault_session set confirmed = '', confirmed_until = 0 where confirmed_until > 0",
    "delete from vault_refresh where session_id in
        (select id from vault_session where user_id not in (select user_id from vault_wallet))",
    "delete from vault_session where user_id not in (select user_id from vault_wallet)",
];

const COUNT: &str = "select (select count(*) from vault_user where email_sealed is not null)
    + (select count(*) from vault_undo) + (select count(*) from vault_device where share_sealed is not null)
    + (select count(*) from vault_slot where kind = 'recovery')
    + (select count(*) from vault_password)";

/// Each part with the statements that read its next page and write one text.
const PARTS: [(Part, &str, &str); 5] = [
    (
        Part::Email,
        "select id as user_id, id, email_sealed as sealed, '' as wallet, cast(0 as bigint) as version from vault_user
            where email_sealed is not null and (id, id) > ($1, $2) order by id limit 500",
        "update vault_user set email_sealed = $3 where id = $1 and id = $2",
    ),
    (
        Part::Undo,
        "select user_id, token as id, email_sealed as sealed, '' as wallet, cast(0 as bigint) as version from vault_undo
            where (user_id, token) > ($1, $2) order by user_id, token limit 500",
        "update vault_undo set email_sealed = $3 where user_id = $1 and token = $2",
    ),
    (
        Part::Share,
        "select user_id, id, share_sealed as sealed, '' as wallet, cast(0 as bigint) as version from vault_device
            where share_sealed is not null and (user_id, id) > ($1, $2) order by user_id, id limit 500",
        "update vault_device set share_sealed = $3 where user_id = $1 and id = $2",
    ),
    (
        Part::Recovery,
        "select vault_slot.user_id, vault_slot.id, wrapped as sealed, vault_wallet.id as wallet, version from vault_slot
            join vault_wallet on vault_wallet.user_id = vault_slot.user_id
            where kind = 'recovery' and (vault_slot.user_id, vault_slot.id) > ($1, $2)
            order by vault_slot.user_id, vault_slot.id limit 500",
        "update vault_slot set wrapped = $3 where user_id = $1 and id = $2",
    ),
    (
        Part::Password,
        "select user_id, slot as id, sealed, '' as wallet, cast(0 as bigint) as version from vault_password
            where (user_id, slot) > ($1, $2) order by user_id, slot limit 500",
        "update vault_password set sealed = $3 where user_id = $1 and slot = $2",
    ),
];

const KEPT: &str = "select name, value from vault_setting where name like 'kept %' order by name";

/// Sealed keys of earlier roots, by name.
pub(in crate::vault) async fn kept(database: &Database) -> Result<Vec<(String, String)>, Error> {
    on!(database, |pool| query_as(KEPT).fetch_all(pool).await)
}

/// Seals everything again. An error of [`RotateError::Commit`] alone leaves open whether it happened; after any other nothing has changed.
pub(in crate::vault) async fn rotate(database: &Database, turn: &mut Turn<'_>) -> Result<(), RotateError> {
    const LAST: &str = "select seq, hash from vault_audit order by seq desc limit 1";
    const KEEP: &str = "insert into vault_setting (name, value) values ($1, $2)
        on conflict (name) do update set value = excluded.value";
    const LOG: &str = "insert into vault_audit (seq, at, event, user_id, detail, hash) values ($1, $2, $3, $4, $5, $6)";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let claim = query(CLAIM).bind(&turn.before).bind(&turn.after).execute(&mut *transaction).await?;
        if claim.rows_affected() != 1 {
            return Err(RotateError::Overtaken);
        }
        turn.alone().await?;
        for statement in ENDED {
            query(statement).execute(&mut *transaction).await?;
        }
        let (total,): (i64,) = query_as(COUNT).fetch_one(&mut *transaction).await?;
        for (part, select, update) in PARTS {
            let (mut user, mut id) = (String::new(), String::new());
            loop {
                let page = query_as(select).bind(&user).bind(&id);
                let rows: Vec<(String, String, String, String, i64)> = page.fetch_all(&mut *transaction).await?;
                if rows.is_empty() {
                    break;
                }
                for (user_id, row_id, sealed, wallet, version) in rows {
                    let row = SealedRow { user: user_id, id: row_id, sealed, wallet, version };
                    if let Some(sealed) = turn.renew(part, &row, total)? {
                        let update = query(update).bind(&row.user).bind(&row.id).bind(sealed);
                        update.execute(&mut *transaction).await?;
                    }
                    (user, id) = (row.user, row.id);
                }
            }
        }
        turn.complete()?;
        let kept: Vec<(String, String)> = query_as(KEPT).fetch_all(&mut *transaction).await?;
        let last: Option<(i64, String)> = query_as(LAST).fetch_optional(&mut *transaction).await?;
        let (seq, hash) = last.unwrap_or_default();
        for (name, sealed) in turn.old.hand_over(&turn.new, &kept, seq)? {
            query(KEEP).bind(name).bind(sealed).execute(&mut *transaction).await?;
        }
        let row = turn.row(seq + 1);
        let log = query(LOG).bind(row.seq).bind(row.at).bind(&row.event).bind(&row.user).bind(&row.detail);
        log.bind(chained(&turn.new, &row, &hash)).execute(&mut *transaction).await?;
        transaction.commit().await.map_err(RotateError::Commit)
    })
}
