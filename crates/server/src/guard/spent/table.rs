//! SQL statements for quota usage.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

use crate::db::{Database, on};
use crate::shared::Window;
use sqlx::{Error, query, query_as, query_scalar};
use std::time::Duration;

/// Adds to the stored amount, as other nodes may share the database.
const ADD: &str = "insert into limit_window (name, spent, ends_at) values ($1, $2, $3)
    on conflict (name) do update set spent = limit_window.spent + excluded.spent
    returning spent";

/// Windows that have not ended; `now` is in epoch milliseconds.
pub(super) async fn read(database: &Database, now: i64) -> Result<Vec<Window>, Error> {
    let select = "select name, spent, ends_at from limit_window where ends_at > $1";
    let rows: Vec<(String, i64, i64)> = on!(database, |pool| query_as(select).bind(now).fetch_all(pool).await)?;
    let window = |(key, spent, ends_at): (String, i64, i64)| Window {
        key,
        spent: number(spent),
        ends_in: Duration::from_millis(u64::try_from(ends_at - now).unwrap_or_default()),
    };
    Ok(rows.into_iter().map(window).collect())
}

/// Adds the usage, deletes ended windows, and returns the windows with their stored totals.
pub(super) async fn add(database: &Database, windows: &[Window], now: i64) -> Result<Vec<Window>, Error> {
    // Always in the same order, so that two nodes do not deadlock.
    let mut sums: Vec<Window> = windows.to_vec();
    sums.sort_by(|one, other| one.key.cmp(&other.key));
    on!(database, |pool| {
        let mut transaction = pool.begin().await?;
        for window in &mut sums {
            let ends_at = now.saturating_add(i64::try_from(window.ends_in.as_millis()).unwrap_or(i64::MAX));
            let add = query_scalar(ADD).bind(&window.key).bind(i64::from(window.spent)).bind(ends_at);
            window.spent = number(add.fetch_one(&mut *transaction).await?);
        }
        query("delete from limit_window where ends_at <= $1").bind(now).execute(&mut *transaction).await?;
        transaction.commit().await?;
    });
    Ok(sums)
}

fn number(spent: i64) -> u32 {
    u32::try_from(spent.max(0)).unwrap_or(u32::MAX)
}
