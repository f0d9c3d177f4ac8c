//! Database tables of names.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

use super::owner::{Owner, counted};
use crate::db::{Database, on};
use sqlx::{Error, query, query_as, query_scalar};
use std::collections::BTreeMap;

/// Registered name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Row {
    pub(super) label: String,
    /// Epoch milliseconds, as all times here.
    pub(super) registered_at: i64,
    pub(super) updated_at: i64,
    /// Address and time of its record, by coin type.
    pub(super) addresses: BTreeMap<u32, (String, i64)>,
    pub(super) attributes: BTreeMap<String, String>,
}

/// Result of a registration.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Registered {
    Done,
    Taken,
    /// The owner is at its limit of names.
    Enough,
}

/// New name to register.
pub(super) struct Registration<'a> {
    pub(super) label: &'a str,
    pub(super) owner: &'a Owner,
    pub(super) coin_types: &'a [u32],
    pub(super) attributes: &'a BTreeMap<String, String>,
    pub(super) per_address: u32,
    pub(super) now: i64,
    /// Names released before this time are free; names released later are reserved for their last owner.
    pub(super) released_before: i64,
}

const HEAD: &str = "select label, registered_at, updated_at from name where label = $1 and released_at is null";

pub(super) async fn find(database: &Database, label: &str) -> Result<Option<Row>, Error> {
    on!(database, |pool| {
        let head: Option<(String, i64, i64)> = query_as(HEAD).bind(label).fetch_optional(pool).await?;
        let Some((label, registered_at, updated_at)) = head else { return Ok(None) };
        let addresses: Vec<(i64, String, i64)> =
            query_as("select coin_type, address, created_at from name_address where label = $1")
                .bind(&label)
                .fetch_all(pool)
                .await?;
        let attributes: Vec<(String, String)> =
            query_as("select attribute, value from name_attribute where label = $1")
                .bind(&label)
                .fetch_all(pool)
                .await?;
        let address =
            |(coin_type, address, at): (i64, String, i64)| Some((u32::try_from(coin_type).ok()?, (address, at)));
        Ok(Some(Row {
            label,
            registered_at,
            updated_at,
            addresses: addresses.into_iter().filter_map(address).collect(),
            attributes: attributes.into_iter().collect(),
        }))
    })
}

/// Labels of both owners' names, oldest first.
pub(super) async fn of_owners(database: &Database, owners: [&Owner; 2]) -> Result<Vec<String>, Error> {
    const TEXT: &str = "select label from name where owner in ($1, $2) and released_at is null order by registered_at, label limit 100";
    let [one, other] = owners.map(Owner::text);
    on!(database, |pool| query_scalar(TEXT).bind(&one).bind(&other).fetch_all(pool).await)
}

/// Labels among these (at most twelve) that cannot be registered now.
pub(super) async fn taken(database: &Database, labels: &[String], released_before: i64) -> Result<Vec<String>, Error> {
    const TEXT: &str = "select label from name where label in ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        and (released_at is null or released_at >= $13)";
    let label = |place: usize| labels.get(place).map_or("", String::as_str);
    on!(database, |pool| {
        let mut asked = query_scalar(TEXT);
        for place in 0..12 {
            asked = asked.bind(label(place));
        }
        asked.bind(released_before).fetch_all(pool).await
    })
}

/// Registers a name. The first statement writes, so SQLite runs concurrent registrations one by one and PostgreSQL locks the rows.
pub(super) async fn register(database: &Database, asked: &Registration<'_>) -> Result<Registered, Error> {
    const INSERT: &str = "insert into name (label, owner, registered_at, updated_at) values ($1, $2, $3, $3)
        on conflict (label) do update
        set owner = excluded.owner, registered_at = excluded.registered_at, updated_at = excluded.updated_at, released_at = null
        where name.released_at is not null
            and (name.released_at < $4 or name.owner = excluded.owner or name.owner like $5)";
    let (owner, counted) = (asked.owner.text(), asked.owner.counted());
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let counted = query(MORE).bind(&counted).bind(i64::from(asked.per_address)).execute(&mut *transaction).await?;
        let inserted = query(INSERT)
            .bind(asked.label)
            .bind(&owner)
            .bind(asked.now)
            .bind(asked.released_before)
            .bind(asked.owner.pattern())
            .execute(&mut *transaction)
            .await?;
        // A taken name is reported first, even to an owner at its limit.
        if inserted.rows_affected() == 0 {
            return Ok(Registered::Taken);
        }
        if counted.rows_affected() == 0 {
            return Ok(Registered::Enough);
        }
        for coin_type in asked.coin_types {
            query("insert into name_address (label, coin_type, address, created_at) values ($1, $2, $3, $4)")
                .bind(asked.label)
                .bind(i64::from(*coin_type))
                .bind(&asked.owner.address)
                .bind(asked.now)
                .execute(&mut *transaction)
                .await?;
        }
        for (attribute, value) in asked.attributes {
            query("insert into name_attribute (label, attribute, value) values ($1, $2, $3)")
                .bind(asked.label)
                .bind(attribute)
                .bind(value)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(Registered::Done)
    })
}

/// Counts one more name of an owner, unless it is at its limit.
const MORE: &str = "insert into name_owner (address, names) values ($1, 1)
    on conflict (address) do update set names = name_owner.names + 1 where name_owner.names < $2";
const LESS: &str = "update name_owner set names = names - 1 where address = $1 and names > 0";

/// Change of a name by an account that must be its owner.
pub(super) struct Change<'a> {
    pub(super) label: &'a str,
    pub(super) owner: &'a Owner,
    pub(super) now: i64,
}

/// Marks the name as changed and returns its stored owner; no row if the name is not this owner's.
const TOUCH: &str = "update name set updated_at = $1
    where label = $2 and (owner = $3 or owner like $4) and released_at is null returning owner";

macro_rules! touch {
    ($change:expr, $transaction:expr) => {
        query_scalar::<_, String>(TOUCH)
            .bind($change.now)
            .bind($change.label)
            .bind($change.owner.text())
            .bind($change.owner.pattern())
            .fetch_optional(&mut *$transaction)
            .await?
    };
}

/// Sets attributes; an empty value deletes one. False if the name is not this owner's.
pub(super) async fn set_attributes(
    database: &Database,
    change: &Change<'_>,
    attributes: &BTreeMap<String, String>,
) -> Result<bool, Error> {
    const SET: &str = "insert into name_attribute (label, attribute, value) values ($1, $2, $3)
        on conflict (label, attribute) do update set value = excluded.value";
    const CLEAR: &str = "delete from name_attribute where label = $1 and attribute = $2";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        if touch!(change, transaction).is_none() {
            return Ok(false);
        }
        for (attribute, value) in attributes {
            let work = if value.is_empty() {
                query(CLEAR).bind(change.label).bind(attribute)
            } else {
                query(SET).bind(change.label).bind(attribute).bind(value)
            };
            work.execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    })
}

/// Sets one address; an empty one deletes it. False if the name is not this owner's.
pub(super) async fn set_address(
    database: &Database,
    change: &Change<'_>,
    (coin_type, address): (u32, &str),
) -> Result<bool, Error> {
    const SET: &str = "insert into name_address (label, coin_type, address, created_at) values ($1, $2, $3, $4)
        on conflict (label, coin_type) do update set address = excluded.address, created_at = excluded.created_at";
    const CLEAR: &str = "delete from name_address where label = $1 and coin_type = $2";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        if touch!(change, transaction).is_none() {
            return Ok(false);
        }
        let coin_type = i64::from(coin_type);
        let work = if address.is_empty() {
            query(CLEAR).bind(change.label).bind(coin_type)
        } else {
            query(SET).bind(change.label).bind(coin_type).bind(address).bind(change.now)
        };
        work.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(true)
    })
}

/// Result of a transfer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Transferred {
    Done,
    /// The signer does not own the name.
    NotOwned,
    /// The new owner is at its limit of names.
    Enough,
}

const FORGET: [&str; 2] = ["delete from name_address where label = $1", "delete from name_attribute where label = $1"];

/// Transfers a name to an account of one chain and makes it resolve there; all other records are deleted.
pub(super) async fn transfer(
    database: &Database,
    change: &Change<'_>,
    (to, coin_type): (&Owner, u32),
    per_address: u32,
) -> Result<Transferred, Error> {
    const GIVE: &str = "update name set owner = $2 where label = $1";
    const LEAD: &str = "insert into name_address (label, coin_type, address, created_at) values ($1, $2, $3, $4)";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let more = query(MORE).bind(to.counted()).bind(i64::from(per_address)).execute(&mut *transaction).await?;
        let Some(owner) = touch!(change, transaction) else { return Ok(Transferred::NotOwned) };
        if more.rows_affected() == 0 {
            return Ok(Transferred::Enough);
        }
        query(GIVE).bind(change.label).bind(to.text()).execute(&mut *transaction).await?;
        query(LESS).bind(counted(&owner)).execute(&mut *transaction).await?;
        for forget in FORGET {
            query(forget).bind(change.label).execute(&mut *transaction).await?;
        }
        let lead = query(LEAD).bind(change.label).bind(i64::from(coin_type)).bind(&to.address).bind(change.now);
        lead.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(Transferred::Done)
    })
}

/// Releases the name. False if it is not this owner's.
pub(super) async fn release(database: &Database, change: &Change<'_>) -> Result<bool, Error> {
    const RELEASE: &str = "update name set released_at = $2 where label = $1";
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let Some(owner) = touch!(change, transaction) else { return Ok(false) };
        query(RELEASE).bind(change.label).bind(change.now).execute(&mut *transaction).await?;
        query(LESS).bind(counted(&owner)).execute(&mut *transaction).await?;
        for forget in FORGET {
            query(forget).bind(change.label).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    })
}

/// Marks a nonce as used; false if it was used before. Deletes nonces used before `forget`, which have expired.
pub(super) async fn use_nonce(database: &Database, nonce: &str, now: i64, forget: i64) -> Result<bool, Error> {
    const USE: &str = "insert into name_nonce (nonce, used_at) values ($1, $2) on conflict (nonce) do nothing";
    on!(database, |pool| {
        let used = query(USE).bind(nonce).bind(now).execute(pool).await?;
        query("delete from name_nonce where used_at < $1").bind(forget).execute(pool).await?;
        Ok(used.rows_affected() == 1)
    })
}

/// Marks a message of an older client as used until its end; false if it was used before. Deletes messages that ended before `forget`.
pub(super) async fn use_message(database: &Database, hash: &str, end: i64, forget: i64) -> Result<bool, Error> {
    const USE: &str = "insert into name_message (hash, expires_at) values ($1, $2) on conflict (hash) do nothing";
    on!(database, |pool| {
        let used = query(USE).bind(hash).bind(end).execute(pool).await?;
        query("delete from name_message where expires_at < $1").bind(forget).execute(pool).await?;
        Ok(used.rows_affected() == 1)
    })
}

/// Secret of this installation; stores `new` if there is none yet.
pub(super) async fn secret(database: &Database, new: &str) -> Result<String, Error> {
    const READ: &str = "select secret from name_secret where id = 1";
    const MAKE: &str = "insert into name_secret (id, secret) values (1, $1) on conflict (id) do nothing";
    on!(database, |pool| {
        if let Some(secret) = query_scalar(READ).fetch_optional(pool).await? {
            return Ok(secret);
        }
        query(MAKE).bind(new).execute(pool).await?;
        query_scalar(READ).fetch_one(pool).await
    })
}
