//! Deletes events after the number of days that the operator configured.

use super::table;
use crate::db::Database;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::{MissedTickBehavior, interval};

/// Interval between searches for old events.
const LOOK: Duration = Duration::from_secs(60 * 60);

/// Rows per delete statement, so that others can write in between.
const STEP: u64 = 1000;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Deletes events that were received more than `days` days ago, as long as the server runs.
pub(crate) async fn watch(database: Database, days: u32) {
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        look.tick().await;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let before = i64::try_from(since.saturating_sub(DAY * days).as_millis()).unwrap_or(i64::MAX);
        match sweep(&database, before).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, days, "deleted expired events"),
            Err(error) => tracing::error!(%error, "couldn't delete expired events. Next try in an hour."),
        }
    }
}

/// Deletes all events received before this time, in epoch milliseconds, in steps; returns their number.
async fn sweep(database: &Database, before: i64) -> Result<u64, sqlx::Error> {
    let mut count = 0;
    loop {
        let deleted = table::delete(database, before, STEP as i64).await?;
        count += deleted;
        if deleted < STEP {
            return Ok(count);
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests change rows behind the code under test")]
mod tests {
    use super::*;
    use crate::analytics::event::Event;
    use crate::analytics::{Most, Wanted};
    use crate::config::DatabasePlace;
    use crate::db::on;
    use tempfile::TempDir;
    use tokio::time::timeout;

    const ALL: Most = Most { events: usize::MAX, bytes: usize::MAX };

    async fn database() -> (TempDir, Database) {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&DatabasePlace::Sqlite(folder.path().join("portico.sqlite"))).await.unwrap();
        database.migrate().await.unwrap();
        (folder, database)
    }

    /// Stores events with these ids as received at this time.
    async fn received(database: &Database, ids: std::ops::Range<i64>, at: i64) {
        let event = |id: i64| Event {
            id: id.to_string(),
            happened_at: 0,
            name: "MODAL_OPEN".into(),
            url: String::new(),
            domain: String::new(),
            address: None,
            properties: "{}".into(),
        };
        let events: Vec<Event> = ids.map(event).collect();
        let earliest = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
        table::insert(database, "demo", ["", ""], &events, ALL).await.unwrap();
        let update = "update analytics_event set received_at = $1 where received_at >= $2";
        on!(database, |pool| sqlx::query(update).bind(at).bind(earliest).execute(pool).await.map(drop)).unwrap();
    }

    async fn left(database: &Database) -> Vec<String> {
        let all = Wanted { until: i64::MAX, ..Wanted::default() };
        let page = table::page(database, &all, 0, 10_000).await.unwrap();
        page.into_iter().map(|stored| stored.event_id).collect()
    }

    #[tokio::test]
    async fn what_is_older_goes_in_steps_and_what_is_younger_stays() {
        let (_folder, database) = database().await;
        received(&database, 0..2500, 10).await;
        received(&database, 2500..2502, 20).await;
        assert_eq!(table::delete(&database, 20, 1000).await.unwrap(), 1000);
        assert_eq!(sweep(&database, 20).await.unwrap(), 1500);
        assert_eq!(left(&database).await, ["2500", "2501"]);
        assert_eq!(sweep(&database, 20).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn it_is_looked_for_at_the_start_and_every_hour() {
        let (_folder, database) = database().await;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let ago = |days: u32| i64::try_from((now - DAY * days).as_millis()).unwrap();
        received(&database, 0..1, ago(29)).await;
        received(&database, 1..2, ago(31)).await;
        let watching = tokio::spawn(watch(database.clone(), 30));
        let only_the_first = async || {
            timeout(Duration::from_secs(60), async {
                while left(&database).await != ["0"] {
                    tokio::task::yield_now().await;
                }
            })
            .await
        };
        assert!(only_the_first().await.is_ok());
        received(&database, 2..5, ago(31)).await;
        tokio::time::pause();
        tokio::time::advance(LOOK).await;
        tokio::time::resume();
        assert!(only_the_first().await.is_ok());
        watching.abort();
    }
}
