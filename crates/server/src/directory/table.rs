//! SQL statements of the directory.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

use super::import::Import;
use crate::db::{Database, on};
use sqlx::{Error, query, query_as, query_scalar};
use std::time::{SystemTime, UNIX_EPOCH};

const WALLETS: &str = "select id, place, image_id, record from directory_wallet order by id";
const PICTURES: &str = "select id, webp from directory_picture";
const PUT_WALLET: &str = "insert into directory_wallet (id, place, image_id, record, imported_at)
    values ($1, $2, $3, $4, $5)
    on conflict (id) do update set place = excluded.place, image_id = excluded.image_id, record = excluded.record,
        imported_at = excluded.imported_at";
const PUT_PICTURE: &str = "insert into directory_picture (id, webp) values ($1, $2) on conflict (id) do nothing";
const UNUSED: &str = "delete from directory_picture
    where id not in (select image_id from directory_wallet where image_id is not null)";
const RISE: &str = "update directory_version set version = version + 1 where id = 1";

/// Stored wallet of the operator.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Stored {
    /// Id in lower case.
    pub(crate) id: String,
    /// `order` of the record, if it has one.
    pub(crate) place: Option<u32>,
    /// Id of the picture.
    pub(crate) image_id: Option<String>,
    /// Record in JSON.
    pub(crate) record: String,
}

/// Version of the stored list, which every change increments.
pub(super) async fn version(database: &Database) -> Result<i64, Error> {
    let select = "select version from directory_version where id = 1";
    on!(database, |pool| query_scalar(select).fetch_one(pool).await)
}

/// All stored wallets, sorted by id.
pub(crate) async fn wallets(database: &Database) -> Result<Vec<Stored>, Error> {
    let rows: Vec<(String, Option<i64>, Option<String>, String)> =
        on!(database, |pool| query_as(WALLETS).fetch_all(pool).await)?;
    let stored = rows.into_iter().map(|(id, place, image_id, record)| Stored {
        id,
        place: place.and_then(|place| u32::try_from(place).ok()),
        image_id,
        record,
    });
    Ok(stored.collect())
}

/// All stored pictures with their ids.
pub(crate) async fn pictures(database: &Database) -> Result<Vec<(String, Vec<u8>)>, Error> {
    on!(database, |pool| query_as(PICTURES).fetch_all(pool).await)
}

/// Stores wallets and their pictures and replaces those with the same ids, in one transaction.
pub(crate) async fn put(database: &Database, import: &Import) -> Result<(), Error> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        query(RISE).execute(&mut *transaction).await?;
        for picture in &import.pictures {
            query(PUT_PICTURE).bind(&picture.id).bind(&picture.webp).execute(&mut *transaction).await?;
        }
        for wallet in &import.wallets {
            query(PUT_WALLET)
                .bind(&wallet.id)
                .bind(wallet.place.map(i64::from))
                .bind(&wallet.image_id)
                .bind(&wallet.record)
                .bind(now)
                .execute(&mut *transaction)
                .await?;
        }
        query(UNUSED).execute(&mut *transaction).await?;
        transaction.commit().await
    })
}

/// Removes a wallet. False if no wallet has this id.
pub(crate) async fn remove(database: &Database, id: &str) -> Result<bool, Error> {
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        query(RISE).execute(&mut *transaction).await?;
        let gone = query("delete from directory_wallet where id = $1").bind(id).execute(&mut *transaction).await?;
        query(UNUSED).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(gone.rows_affected() > 0)
    })
}
