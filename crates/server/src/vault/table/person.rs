//! Logins of a user: persons at other services, beside the address.

use super::NewPerson;
use crate::db::{Database, on};
use sqlx::{Error, query, query_as, query_scalar};

/// Id, service and name of a person.
pub(in crate::vault) type PersonRow = (String, String, Option<String>);

/// Whether somebody logs in by the user's address. One that a service only told is no login.
pub(in crate::vault) async fn logs_in_by_address(database: &Database, user: &str) -> Result<bool, Error> {
    const SELECT: &str = "select count(*) from vault_user where id = $1 and email_index is not null";
    on!(database, |pool| query_scalar::<_, i64>(SELECT).bind(user).fetch_one(pool).await).map(|count| count == 1)
}

/// Whether somebody logs in by the address with this index.
pub(in crate::vault) async fn is_login(database: &Database, email_index: &str) -> Result<bool, Error> {
    const SELECT: &str = "select count(*) from vault_user where email_index = $1";
    on!(database, |pool| query_scalar::<_, i64>(SELECT).bind(email_index).fetch_one(pool).await).map(|count| count > 0)
}

/// Persons of a user, the oldest first.
pub(in crate::vault) async fn persons(database: &Database, user: &str) -> Result<Vec<PersonRow>, Error> {
    const SELECT: &str = "select id, provider, name from vault_person where user_id = $1 order by created_at, id";
    on!(database, |pool| query_as(SELECT).bind(user).fetch_all(pool).await)
}

/// How adding a person ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::vault) enum Added {
    /// It is there now, or was before.
    There,
    /// The person has a wallet of its own, which stays apart.
    OfAnother,
    /// The user has as many as may be.
    TooMany,
}

/// Adds a person to a user, `new.id`.
pub(in crate::vault) async fn add_person(
    database: &Database,
    new: &NewPerson<'_>,
    most: i64,
    now: i64,
) -> Result<Added, Error> {
    const INSERT: &str = "insert into vault_person (id, user_id, created_at, provider, name)
        select $1, $2, $3, $4, $5 where (select count(*) from vault_person where user_id = $2) < $6
        on conflict (id) do nothing";
    const OWNER: &str = "select user_id from vault_person where id = $1";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        query(LOCK).bind(new.id).execute(&mut *transaction).await?;
        let insert = query(INSERT).bind(new.index).bind(new.id).bind(now).bind(new.provider).bind(&new.name).bind(most);
        insert.execute(&mut *transaction).await?;
        let owner: Option<String> = query_scalar(OWNER).bind(new.index).fetch_optional(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(match owner {
            Some(owner) if owner == new.id => Added::There,
            Some(_) => Added::OfAnother,
            None => Added::TooMany,
        })
    })
}

/// Holds the user's row, so that two changes of the logins follow each other.
const LOCK: &str = "update vault_user set provider = provider where id = $1";

/// Lets the account show a login that is left.
pub(super) const SHOWN: &str = "update vault_user set
        provider = coalesce((select provider from vault_person where user_id = $1 order by created_at, id limit 1), 'email'),
        name = (select name from vault_person where user_id = $1 order by created_at, id limit 1)
    where id = $1 and not (provider = 'email' and email_index is not null)
        and not exists (select 1 from vault_person where user_id = $1 and vault_person.provider = vault_user.provider)";

/// Removes a person of a user, or the address where there is no `person`; false if it is no login of the user, or the last one.
pub(in crate::vault) async fn remove_login(
    database: &Database,
    user: &str,
    person: Option<&str>,
) -> Result<bool, Error> {
    const PERSON: &str = "delete from vault_person where user_id = $1 and id = $2
        and ((select count(*) from vault_person where user_id = $1) > 1
            or exists (select 1 from vault_user where id = $1 and email_index is not null))";
    const ADDRESS: &str = "update vault_user set email_index = null, email_sealed = null where id = $1
        and email_index is not null and exists (select 1 from vault_person where user_id = $1)";
    // The first login told the address of an account without one of its own. Confirmations no longer go there: it may be why it is removed.
    const TOLD: &str = "update vault_user set email_sealed = null where id = $1 and email_index is null
        and $2 = (select id from vault_person where user_id = $1 order by created_at, id limit 1)";
    const CHANGES: &str = "delete from vault_change where user_id = $1";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        query(LOCK).bind(user).execute(&mut *transaction).await?;
        let removed = match person {
            Some(person) => {
                query(TOLD).bind(user).bind(person).execute(&mut *transaction).await?;
                query(PERSON).bind(user).bind(person).execute(&mut *transaction).await?
            }
            None => query(ADDRESS).bind(user).execute(&mut *transaction).await?,
        };
        if removed.rows_affected() == 0 {
            return Ok(false);
        }
        query(SHOWN).bind(user).execute(&mut *transaction).await?;
        query(CHANGES).bind(user).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(true)
    })
}
