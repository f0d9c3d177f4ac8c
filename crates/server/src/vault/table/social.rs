//! Logins at other services, and the persons whom they name.

use super::UserRow;
use super::user::user_of;
use crate::db::{Database, on};
use sqlx::{ColumnIndex, Decode, Error, FromRow, Row, Type, query, query_as, query_scalar};

/// A login at a service.
pub(in crate::vault) struct SocialRow {
    /// Hash of the transaction.
    pub(in crate::vault) id: String,
    pub(in crate::vault) provider: String,
    pub(in crate::vault) device: String,
    pub(in crate::vault) host: String,
    /// Page of the host to which the visitor is sent back.
    pub(in crate::vault) back: Option<String>,
    pub(in crate::vault) browser: String,
    /// Network from which it began, as visitors read it.
    pub(in crate::vault) place: String,
    pub(in crate::vault) verifier_sealed: String,
    pub(in crate::vault) ends_at: i64,
    /// User to whose wallet the login is added; `None` where somebody logs in.
    pub(in crate::vault) user: Option<String>,
}

/// A person whom a service names.
pub(in crate::vault) struct NewPerson<'a> {
    /// Id of the user, if the person has none.
    pub(in crate::vault) id: &'a str,
    pub(in crate::vault) provider: &'a str,
    /// Name under which the person is found.
    pub(in crate::vault) index: &'a str,
    pub(in crate::vault) name: Option<String>,
    /// Address, sealed for `id`; to show.
    pub(in crate::vault) email_sealed: Option<String>,
}

/// Columns of a [`SocialRow`].
macro_rules! columns {
    () => {
        "id, provider, device, host, back, browser, place, verifier_sealed, ends_at, user_id"
    };
}

impl<'r, R: Row> FromRow<'r, R> for SocialRow
where
    &'static str: ColumnIndex<R>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    Option<String>: Decode<'r, R::Database> + Type<R::Database>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<SocialRow, Error> {
        Ok(SocialRow {
            id: row.try_get("id")?,
            provider: row.try_get("provider")?,
            device: row.try_get("device")?,
            host: row.try_get("host")?,
            back: row.try_get("back")?,
            browser: row.try_get("browser")?,
            place: row.try_get("place")?,
            verifier_sealed: row.try_get("verifier_sealed")?,
            ends_at: row.try_get("ends_at")?,
            user: row.try_get("user_id")?,
        })
    }
}

/// A login whose visitor came back, with the right code and the sealed person.
struct Ended {
    login: SocialRow,
    code: String,
    person_sealed: String,
}

impl<'r, R: Row> FromRow<'r, R> for Ended
where
    SocialRow: FromRow<'r, R>,
    &'static str: ColumnIndex<R>,
    String: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<Ended, Error> {
        let login = SocialRow::from_row(row)?;
        Ok(Ended { login, code: row.try_get("code")?, person_sealed: row.try_get("person_sealed")? })
    }
}

pub(in crate::vault) async fn insert_social(database: &Database, login: &SocialRow, state: &str) -> Result<(), Error> {
    const INSERT: &str = "insert into vault_social
        (id, state, stage, provider, device, host, back, browser, place, verifier_sealed, ends_at, user_id)
        values ($1, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    on!(database, |pool| {
        let insert = query(INSERT).bind(&login.id).bind(state).bind(&login.provider).bind(&login.device);
        let insert = insert.bind(&login.host).bind(&login.back).bind(&login.browser).bind(&login.place);
        let insert = insert.bind(&login.verifier_sealed).bind(login.ends_at);
        insert.bind(&login.user).execute(pool).await.map(drop)
    })
}

/// Stores a login that ends at once, under an id that is good once; false if it was used before.
pub(in crate::vault) async fn insert_once(database: &Database, login: &SocialRow) -> Result<bool, Error> {
    const INSERT: &str =
        "insert into vault_social (id, state, stage, provider, device, host, browser, verifier_sealed, ends_at)
        values ($1, $1, 'done', $2, $3, $4, $5, $6, $7) on conflict (id) do nothing";
    on!(database, |pool| {
        let insert = query(INSERT).bind(&login.id).bind(&login.provider).bind(&login.device).bind(&login.host);
        let insert = insert.bind(&login.browser).bind(&login.verifier_sealed).bind(login.ends_at);
        insert.execute(pool).await.map(|done| done.rows_affected() == 1)
    })
}

/// Takes a login by the state with which the visitor came back; nobody takes it twice.
pub(in crate::vault) async fn take_social(
    database: &Database,
    state: &str,
    provider: &str,
    now: i64,
) -> Result<Option<SocialRow>, Error> {
    const UPDATE: &str = concat!(
        "update vault_social set stage = 'taken'
        where state = $1 and provider = $2 and stage = 'open' and ends_at > $3 returning ",
        columns!()
    );
    on!(database, |pool| query_as(UPDATE).bind(state).bind(provider).bind(now).fetch_optional(pool).await)
}

/// An open login of a device at a service that sends no visitor back.
pub(in crate::vault) async fn open_social(
    database: &Database,
    id: &str,
    provider: &str,
    device: &str,
    now: i64,
) -> Result<Option<SocialRow>, Error> {
    const FIND: &str = concat!(
        "select ",
        columns!(),
        " from vault_social where id = $1 and provider = $2 and device = $3 and stage = 'open' and ends_at > $4"
    );
    on!(database, |pool| query_as(FIND).bind(id).bind(provider).bind(device).bind(now).fetch_optional(pool).await)
}

/// Ends an open login; false if it was ended before.
pub(in crate::vault) async fn end_social(database: &Database, id: &str) -> Result<bool, Error> {
    const UPDATE: &str = "update vault_social set stage = 'done' where id = $1 and stage = 'open'";
    on!(database, |pool| query(UPDATE).bind(id).execute(pool).await.map(|done| done.rows_affected() == 1))
}

/// Stores whom the service named, under the hash of the code that the page gets.
pub(in crate::vault) async fn put_person(
    database: &Database,
    id: &str,
    code: &str,
    person_sealed: &str,
) -> Result<(), Error> {
    const UPDATE: &str =
        "update vault_social set stage = 'back', code = $2, person_sealed = $3 where id = $1 and stage = 'taken'";
    on!(database, |pool| query(UPDATE).bind(id).bind(code).bind(person_sealed).execute(pool).await.map(drop))
}

/// Ends a login by its code, on its device alone; the sealed person. A wrong code ends it as well. `user` is that to whose wallet it is added.
pub(in crate::vault) async fn finish_social(
    database: &Database,
    id: &str,
    device: &str,
    user: Option<&str>,
    code: &str,
    now: i64,
) -> Result<Option<(SocialRow, String)>, Error> {
    const UPDATE: &str = concat!(
        "update vault_social set stage = 'done'
        where id = $1 and device = $2 and coalesce(user_id, '') = $3 and stage = 'back' and ends_at > $4 returning ",
        columns!(),
        ", code, person_sealed"
    );
    let of = user.unwrap_or_default();
    let ended: Option<Ended> =
        on!(database, |pool| query_as(UPDATE).bind(id).bind(device).bind(of).bind(now).fetch_optional(pool).await)?;
    Ok(ended.filter(|ended| ended.code == code).map(|ended| (ended.login, ended.person_sealed)))
}

/// Whether the person with this index has a wallet that the device never opened.
pub(in crate::vault) async fn is_new_device(database: &Database, index: &str, device: &str) -> Result<bool, Error> {
    const SELECT: &str =
        "select count(*) from vault_person join vault_wallet on vault_wallet.user_id = vault_person.user_id
        where vault_person.id = $1 and not exists (select 1 from vault_device
            where vault_device.user_id = vault_person.user_id and vault_device.id = $2)";
    let count = on!(database, |pool| query_scalar::<_, i64>(SELECT).bind(index).bind(device).fetch_one(pool).await)?;
    Ok(count > 0)
}

/// The user of a person, made if there is none.
pub(in crate::vault) async fn find_or_insert_person(
    database: &Database,
    new: &NewPerson<'_>,
    now: i64,
) -> Result<UserRow, Error> {
    const USER: &str =
        "insert into vault_user (id, name, provider, email_sealed, created_at) values ($1, $2, $3, $4, $5)";
    const PERSON: &str = "insert into vault_person (id, user_id, created_at, provider, name) values ($1, $2, $3, $4, $5) on conflict (id) do nothing";
    const FIND: &str = "select user_id from vault_person where id = $1";
    let user: String = on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let user = query(USER).bind(new.id).bind(&new.name).bind(new.provider).bind(&new.email_sealed).bind(now);
        user.execute(&mut *transaction).await?;
        let person = query(PERSON).bind(new.index).bind(new.id).bind(now).bind(new.provider).bind(&new.name);
        let person = person.execute(&mut *transaction).await?;
        // The user of a person who is known already goes with the transaction.
        if person.rows_affected() == 1 {
            transaction.commit().await?;
        } else {
            transaction.rollback().await?;
        }
        query_scalar(FIND).bind(new.index).fetch_one(pool).await
    })?;
    user_of(database, &user).await
}
