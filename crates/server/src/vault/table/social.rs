//! Logins at other services, and the persons whom they name.

use super::UserRow;
use super::user::user_of;
use crate::db::{Database, on};
use sqlx::{Error, query, query_as, query_scalar};

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
    pub(in crate::vault) verifier_sealed: String,
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

type Row = (String, String, String, String, Option<String>, String, String, Option<String>);

fn row((id, provider, device, host, back, browser, verifier_sealed, user): Row) -> SocialRow {
    SocialRow { id, provider, device, host, back, browser, verifier_sealed, user }
}

pub(in crate::vault) async fn insert_social(
    database: &Database,
    login: &SocialRow,
    state: &str,
    ends_at: i64,
) -> Result<(), Error> {
    const INSERT: &str =
        "insert into vault_social (id, state, stage, provider, device, host, back, browser, verifier_sealed, ends_at, user_id)
        values ($1, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10)";
    on!(database, |pool| {
        let insert = query(INSERT).bind(&login.id).bind(state).bind(&login.provider).bind(&login.device);
        let insert = insert.bind(&login.host).bind(&login.back).bind(&login.browser).bind(&login.verifier_sealed);
        insert.bind(ends_at).bind(&login.user).execute(pool).await.map(drop)
    })
}

/// Stores a login that ends at once, under an id that is good once; false if it was used before.
pub(in crate::vault) async fn insert_once(database: &Database, login: &SocialRow, ends_at: i64) -> Result<bool, Error> {
    const INSERT: &str =
        "insert into vault_social (id, state, stage, provider, device, host, browser, verifier_sealed, ends_at)
        values ($1, $1, 'done', $2, $3, $4, $5, $6, $7) on conflict (id) do nothing";
    on!(database, |pool| {
        let insert = query(INSERT).bind(&login.id).bind(&login.provider).bind(&login.device).bind(&login.host);
        let insert = insert.bind(&login.browser).bind(&login.verifier_sealed).bind(ends_at);
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
    const UPDATE: &str = "update vault_social set stage = 'taken'
        where state = $1 and provider = $2 and stage = 'open' and ends_at > $3
        returning id, provider, device, host, back, browser, verifier_sealed, user_id";
    let taken: Option<Row> =
        on!(database, |pool| query_as(UPDATE).bind(state).bind(provider).bind(now).fetch_optional(pool).await)?;
    Ok(taken.map(row))
}

/// An open login of a device at a service that sends no visitor back.
pub(in crate::vault) async fn open_social(
    database: &Database,
    id: &str,
    provider: &str,
    device: &str,
    now: i64,
) -> Result<Option<SocialRow>, Error> {
    const FIND: &str = "select id, provider, device, host, back, browser, verifier_sealed, user_id from vault_social
        where id = $1 and provider = $2 and device = $3 and stage = 'open' and ends_at > $4";
    let found: Option<Row> = on!(database, |pool| {
        query_as(FIND).bind(id).bind(provider).bind(device).bind(now).fetch_optional(pool).await
    })?;
    Ok(found.map(row))
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
    const UPDATE: &str = "update vault_social set stage = 'done'
        where id = $1 and device = $2 and coalesce(user_id, '') = $3 and stage = 'back' and ends_at > $4
        returning id, provider, device, host, back, browser, verifier_sealed, code, person_sealed";
    type Ended = (String, String, String, String, Option<String>, String, String, String, String);
    let of = user.unwrap_or_default();
    let ended: Option<Ended> =
        on!(database, |pool| query_as(UPDATE).bind(id).bind(device).bind(of).bind(now).fetch_optional(pool).await)?;
    let fits = |(id, provider, device, host, back, browser, verifier, right, person): Ended| {
        let user = user.map(String::from);
        (right == code).then(|| (row((id, provider, device, host, back, browser, verifier, user)), person))
    };
    Ok(ended.and_then(fits))
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
