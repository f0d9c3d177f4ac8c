//! Persists the daily quota usage of projects across restarts when there is no Redis to store it.
//!
//! Requests are counted in memory. New usage is added to the database every few seconds and on shutdown, so that a request costs no
//! write and a killed server forgets a few seconds of requests at most.

mod table;

use crate::AppState;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::{MissedTickBehavior, interval};

/// Interval at which new usage is written.
pub(crate) const WRITE: Duration = Duration::from_secs(5);

/// Loads the stored usage at startup.
pub(crate) async fn load(state: &AppState) -> Result<(), sqlx::Error> {
    if !state.shared().spans_processes() {
        state.shared().raise_windows(table::read(state.database(), now()).await?);
    }
    Ok(())
}

/// Writes new usage at intervals as long as the server runs.
pub(crate) async fn watch(state: AppState) {
    let mut write_again = interval(WRITE);
    write_again.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        write_again.tick().await;
        write(&state).await;
    }
}

/// Writes new usage, and reads the totals that include other nodes on the same database.
pub(crate) async fn write(state: &AppState) {
    let shared = state.shared();
    if shared.spans_processes() {
        return;
    }
    let windows = shared.take_windows();
    if windows.is_empty() {
        return;
    }
    match table::add(state.database(), &windows, now()).await {
        Ok(sums) => shared.raise_windows(sums),
        Err(error) => {
            tracing::error!(%error, "couldn't write the quota usage of projects. Next try in a few seconds.");
            shared.give_back_windows(&windows);
        }
    }
}

/// Current time in epoch milliseconds.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Flags};
    use crate::db::Database;
    use crate::shared::{Bucket, Limit, Shared};
    use std::path::Path;
    use tempfile::TempDir;
    use tokio::time::timeout;

    /// Starts a process on the database in this folder.
    async fn process(folder: &TempDir) -> AppState {
        let file = folder.path().join("portico.sqlite").display().to_string();
        let flags = Flags { database: Some(file), ..Flags::default() };
        let config = Config::parse(Path::new("portico.toml"), "", [], &flags).unwrap();
        let database = Database::open(&config.database).await.unwrap();
        database.migrate().await.unwrap();
        let state = AppState::new(&config, database, Shared::in_memory()).unwrap();
        load(&state).await.unwrap();
        state
    }

    async fn spends(state: &AppState, cost: u32) -> bool {
        let limit = Limit::Window { most: 10, ends_in: Duration::from_secs(3600) };
        state.shared().spend_each(&[Bucket { key: "day:demo:1".into(), limit }], cost).await.is_ok()
    }

    #[tokio::test]
    async fn what_was_written_is_still_spent_in_the_next_process() {
        let folder = tempfile::tempdir().unwrap();
        let first = process(&folder).await;
        assert!(spends(&first, 4).await && !spends(&first, 7).await);
        write(&first).await;
        assert!(spends(&first, 3).await);
        write(&first).await;
        write(&first).await;
        // Not written, so lost with the process.
        assert!(spends(&first, 1).await);
        let second = process(&folder).await;
        assert!(!spends(&second, 4).await && spends(&second, 3).await);
    }

    #[tokio::test]
    async fn nodes_on_one_database_hear_of_one_another_when_they_write() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (process(&folder).await, process(&folder).await);
        assert!(spends(&one, 5).await && spends(&two, 5).await);
        for node in [&one, &two, &one] {
            write(node).await;
        }
        assert!(!spends(&two, 1).await);
        // A node without new usage has not read the other's.
        assert!(spends(&one, 5).await);
        write(&one).await;
        assert!(!spends(&one, 1).await);
    }

    #[tokio::test]
    async fn what_cannot_be_written_is_written_later_and_what_has_ended_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let state = process(&folder).await;
        assert!(spends(&state, 4).await);
        let windows = state.shared().take_windows();
        assert_eq!((windows.len(), windows[0].spent), (1, 4));
        state.shared().give_back_windows(&windows);
        let ended = [crate::shared::Window { ends_in: Duration::from_millis(1), ..windows[0].clone() }];
        table::add(state.database(), &ended, 0).await.unwrap();
        assert_eq!(table::read(state.database(), 0).await.unwrap(), ended);
        table::add(state.database(), &[], now()).await.unwrap();
        assert_eq!(table::read(state.database(), -1).await.unwrap(), []);
        write(&state).await;
        assert_eq!(table::read(state.database(), now()).await.unwrap()[0].spent, 4);
    }

    #[tokio::test]
    async fn it_is_written_every_five_seconds() {
        let folder = tempfile::tempdir().unwrap();
        let state = process(&folder).await;
        let watching = tokio::spawn(watch(state.clone()));
        for spent in 1..=2 {
            assert!(spends(&state, 1).await);
            tokio::time::pause();
            tokio::time::advance(WRITE).await;
            tokio::time::resume();
            let written = timeout(Duration::from_secs(60), async {
                while table::read(state.database(), now()).await.unwrap().first().map(|window| window.spent)
                    != Some(spent)
                {
                    tokio::task::yield_now().await;
                }
            });
            assert!(written.await.is_ok());
        }
        watching.abort();
    }
}
