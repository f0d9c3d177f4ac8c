//! SQL statements of the vault.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

mod asker;
mod audit;
mod change;
mod confirm;
mod login;
mod person;
mod rotate;
mod session;
mod social;
mod undo;
mod user;
mod wallet;

pub(super) use asker::Asker;
pub(super) use audit::{AuditRow, add_audit, audit_after, last_audit, released_since};
pub(super) use change::{Change, begin_change, confirm_change, end_change, try_change};
pub(super) use confirm::{
    Confirmation, NewConfirmation, Passkey, confirmation_of, confirmation_state, decide_confirmation, has_passkey,
    insert_confirmation, passkey_of, take_passkey_login,
};
pub(super) use login::{
    Approval, Login, approval_of, approve, approved_user, finish, insert_login, login_of, mailings, note_mailing,
    note_unsent, refuse, try_code,
};
pub(super) use person::{Added, add_person, is_login, logs_in_by_address, persons, remove_login};
pub(super) use rotate::{Part, SealedRow, kept, rotate as rotate_root};
pub(super) use session::{
    Held, Rotated, confirmed, confirmed_by_passkey, delete_session, insert_session, live_session, note_confirmed,
    rotate, session_of_refresh, spend_export,
};
pub(super) use social::{
    NewPerson, SocialRow, end_social, find_or_insert_person, finish_social, insert_once, insert_social, is_new_device,
    open_social, put_person, take_social,
};
pub(super) use undo::{Undo, Undone, insert_undo, undo, undo_of};
pub(super) use user::{
    DeviceRow, NewDevice, UserRow, devices, exports_from, find_or_insert, freeze, has_other_device, hold, host_of,
    insert_user, put_device, remove_device, set_email, share, take_share, take_shares, touch_device, user_of,
};
pub(super) use wallet::{Wallet, insert_wallet, password_of, put_slot, remove_slot, slots, wallet_of};

use crate::db::{Database, on};
use sqlx::{Error, query, query_scalar};

/// The text that tells which root key the database belongs to; `new` is stored if there is none. Waits for a rotation that goes on.
pub(super) async fn root_check(database: &Database, new: &str) -> Result<String, Error> {
    const INSERT: &str = "insert into vault_setting (name, value) values ('root', $1)
        on conflict (name) do update set value = vault_setting.value returning value";
    on!(database, |pool| query_scalar(INSERT).bind(new).fetch_one(pool).await)
}

/// The text that tells which root key the database belongs to; `None` if it belongs to none yet.
pub(super) async fn root_of(database: &Database) -> Result<Option<String>, Error> {
    on!(database, |pool| query_scalar("select value from vault_setting where name = 'root'").fetch_optional(pool).await)
}

/// Users of a passkey without a wallet, a session or another login.
macro_rules! lost {
    () => {
        "select id from vault_user where provider = 'passkey' and email_index is null
            and not exists (select 1 from vault_wallet where vault_wallet.user_id = vault_user.id)
            and not exists (select 1 from vault_session where vault_session.user_id = vault_user.id)
            and not exists (select 1 from vault_person where vault_person.user_id = vault_user.id)
            and not exists (select 1 from vault_change where vault_change.user_id = vault_user.id)
            and not exists (select 1 from vault_undo where vault_undo.user_id = vault_user.id)"
    };
}

/// Deletes logins, mailings, changes and sessions that have ended, and users of a passkey who never stored a wallet: nobody can log in as
/// them any more, as the passkey is stored with the wallet.
pub(super) async fn sweep(database: &Database, now: i64) -> Result<(), Error> {
    /// Time after which a mailing counts in no limit.
    const DAY: i64 = 24 * 60 * 60 * 1000;
    const REFRESH: &str = "delete from vault_refresh where session_id in
        (select id from vault_session where ends_at <= $1)";
    const DEVICES: &str = concat!("delete from vault_device where user_id in (", lost!(), ")");
    const USERS: &str = concat!("delete from vault_user where id in (", lost!(), ")");
    on!(database, |pool| {
        query("delete from vault_login where ends_at <= $1").bind(now).execute(pool).await?;
        query("delete from vault_social where ends_at <= $1").bind(now).execute(pool).await?;
        query("delete from vault_mailing where at <= $1").bind(now - DAY).execute(pool).await?;
        query("delete from vault_confirm where ends_at <= $1").bind(now).execute(pool).await?;
        query("delete from vault_change where ends_at <= $1").bind(now).execute(pool).await?;
        query("delete from vault_undo where ends_at <= $1").bind(now).execute(pool).await?;
        let mut transaction = pool.begin().await?;
        query(REFRESH).bind(now).execute(&mut *transaction).await?;
        query("delete from vault_session where ends_at <= $1").bind(now).execute(&mut *transaction).await?;
        query(DEVICES).execute(&mut *transaction).await?;
        query(USERS).execute(&mut *transaction).await?;
        transaction.commit().await
    })
}
