//! SQL statements of analytics.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

use super::event::Event;
use crate::db::{Database, on};
use sqlx::{Error, Row, query, query_scalar};
use std::time::{SystemTime, UNIX_EPOCH};

const INSERT: &str = "insert into analytics_event
    (project, event_id, received_at, happened_at, event, url, domain, address, properties, sdk_type, sdk_version)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    on conflict (project, event_id) do nothing";

const PAGE: &str =
    "select position, project, event_id, received_at, happened_at, event, url, domain, address, properties,
        sdk_type, sdk_version
    from analytics_event
    where position > $1 and received_at >= $2 and received_at < $3 and ($4 = '' or project = $4)
    order by position limit $5";

const DELETE: &str = "delete from analytics_event where position in
    (select position from analytics_event where received_at < $1 order by received_at limit $2)
    returning cast(octet_length(project) + octet_length(event_id) + octet_length(event) + octet_length(url)
        + octet_length(domain) + coalesce(octet_length(address), 0) + octet_length(properties)
        + octet_length(sdk_type) + octet_length(sdk_version) as bigint)";

/// Bytes of the texts of all events, which are counted as events come and go.
const SIZE: &str = "select bytes from analytics_size";
const ADD_SIZE: &str = "update analytics_size set bytes = bytes + $1";

/// Number of events between the oldest and the newest, which is found without counting.
const SPAN: &str = "select coalesce(max(position) - min(position) + 1, 0) from analytics_event";

/// Maximum size of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    pub(crate) events: usize,
    /// Bytes of their texts.
    pub(crate) bytes: usize,
}

/// Stores events; an event that exists already stays unchanged. `false`, and none is stored, if there were more than `most` then.
pub(super) async fn insert(
    database: &Database,
    project: &str,
    sdk: [&str; 2],
    events: &[Event],
    most: Most,
) -> Result<bool, Error> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    let [sdk_type, sdk_version] = sdk;
    let size = |event: &Event| project.len() + event.bytes() + sdk_type.len() + sdk_version.len();
    on!(database, |pool| {
        let stored: i64 = query_scalar(SPAN).fetch_one(pool).await?;
        let bytes: i64 = query_scalar(SIZE).fetch_one(pool).await?;
        let bytes = usize::try_from(bytes).unwrap_or_default() + events.iter().map(size).sum::<usize>();
        if usize::try_from(stored).unwrap_or_default() + events.len() > most.events || bytes > most.bytes {
            return Ok(false);
        }
        let mut transaction = pool.begin().await?;
        let mut added = 0;
        for event in events {
            let inserted = query(INSERT)
                .bind(project)
                .bind(&event.id)
                .bind(now)
                .bind(event.happened_at)
                .bind(&event.name)
                .bind(&event.url)
                .bind(&event.domain)
                .bind(&event.address)
                .bind(&event.properties)
                .bind(sdk_type)
                .bind(sdk_version)
                .execute(&mut *transaction)
                .await?;
            if inserted.rows_affected() > 0 {
                added += size(event);
            }
        }
        let added = i64::try_from(added).unwrap_or(i64::MAX);
        query(ADD_SIZE).bind(added).execute(&mut *transaction).await?;
        transaction.commit().await.map(|()| true)
    })
}

#[derive(Debug)]
pub(super) struct Stored {
    pub(super) position: i64,
    pub(super) project: String,
    pub(super) event_id: String,
    pub(super) received_at: i64,
    pub(super) happened_at: i64,
    pub(super) event: String,
    pub(super) url: String,
    pub(super) domain: String,
    pub(super) address: Option<String>,
    pub(super) properties: String,
    pub(super) sdk_type: String,
    pub(super) sdk_version: String,
}

/// Filter of events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Project id; empty for all.
    pub(crate) project: String,
    /// Earliest time of receipt (inclusive), in epoch milliseconds.
    pub(crate) from: i64,
    /// Latest time of receipt (exclusive), in epoch milliseconds.
    pub(crate) until: i64,
}

/// Next matching events after a position, in order of receipt.
pub(super) async fn page(database: &Database, wanted: &Wanted, after: i64, most: i64) -> Result<Vec<Stored>, Error> {
    on!(database, |pool| {
        let select = query(PAGE).bind(after).bind(wanted.from).bind(wanted.until).bind(&wanted.project).bind(most);
        let rows = select.fetch_all(pool).await?;
        rows.iter()
            .map(|row| {
                Ok(Stored {
                    position: row.try_get("position")?,
                    project: row.try_get("project")?,
                    event_id: row.try_get("event_id")?,
                    received_at: row.try_get("received_at")?,
                    happened_at: row.try_get("happened_at")?,
                    event: row.try_get("event")?,
                    url: row.try_get("url")?,
                    domain: row.try_get("domain")?,
                    address: row.try_get("address")?,
                    properties: row.try_get("properties")?,
                    sdk_type: row.try_get("sdk_type")?,
                    sdk_version: row.try_get("sdk_version")?,
                })
            })
            .collect()
    })
}

/// Deletes the oldest events received before this time, in epoch milliseconds; returns their number.
pub(super) async fn delete(database: &Database, before: i64, most: i64) -> Result<u64, Error> {
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        let sizes: Vec<i64> = query_scalar(DELETE).bind(before).bind(most).fetch_all(&mut *transaction).await?;
        query(ADD_SIZE).bind(-sizes.iter().sum::<i64>()).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(sizes.len() as u64)
    })
}
