//! Deletes expired messages and counts the stored bytes at regular intervals.

use super::id::ClientId;
use super::mailbox::WriteHealth;
use super::share::Ledger;
use super::{metrics, now, table};
use crate::db::Database;
use std::io;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// Interval of turns, rows deleted per statement, and number of turns between deletions of absent clients.
const SWEEP: Duration = Duration::from_secs(10);
const SOME: i64 = 5000;
const FORGET_EVERY: u32 = 360;

/// Time limit of a statement, after which the next turn tries again, and of the deletions of one turn.
const GIVE_UP: Duration = Duration::from_secs(30);

/// Number of turns between counts of all stored bytes.
const COUNT_EVERY: u32 = 6;

/// A client that was away for this long loses its subscriptions.
const ABSENCE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Interval at which the presence of a client is written.
pub(super) const SEEN_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Part of a share below which a visitor is left out of the counts.
const FEW: u64 = 16;

/// Runs as long as the server. `ledger` receives the counts, `here` lists the connected clients.
pub(super) async fn run(
    database: Database,
    well: WriteHealth,
    ledger: Ledger,
    here: impl Fn() -> Vec<ClientId> + Send + 'static,
) {
    let mut turn = tokio::time::interval(SWEEP);
    turn.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    for count in 0_u32.. {
        turn.tick().await;
        if let Err(error) = clear(&database, &well).await {
            tracing::error!(%error, "couldn't delete expired messages. Next try with the next sweep.");
        }
        if count % COUNT_EVERY == 0 {
            let most = ledger.most();
            let subscriptions = most.visitor_subscriptions.min(most.project_subscriptions);
            let few = (most.visitor.min(most.project) / FEW, subscriptions / FEW);
            ledger.begin_count();
            match within(table::counted(&database, few)).await {
                Ok(counts) => ledger.counted(counts),
                Err(error) => {
                    tracing::error!(%error, "couldn't read the size of the mailboxes. Next try with the next sweep.")
                }
            }
        }
        if count % FORGET_EVERY == 0
            && let Err(error) = forget(&database, here()).await
        {
            tracing::error!(%error, "couldn't delete subscriptions of absent clients. Next try with the next sweep.");
        }
    }
}

/// Deletes expired messages and receipts until none are left or the time limit is reached: more may expire than one turn can delete.
async fn clear(database: &Database, well: &WriteHealth) -> Result<(), sqlx::Error> {
    let until = Instant::now() + GIVE_UP;
    loop {
        let [messages, receipts] = within(table::sweep(database, now(), SOME)).await?;
        well.set(true);
        metrics::expired(messages);
        if messages.max(receipts) < SOME.unsigned_abs() || Instant::now() >= until {
            return Ok(());
        }
    }
}

/// Applies the time limit to a statement, so that a database which does not respond cannot block the following work.
async fn within<T>(work: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, sqlx::Error> {
    timeout(GIVE_UP, work).await.map_err(io::Error::from)?
}

/// Deletes the subscriptions of clients absent for too long. Connected clients are marked as present first.
async fn forget(database: &Database, here: Vec<ClientId>) -> Result<u64, sqlx::Error> {
    for client in here {
        within(table::seen(database, client, now(), before(SEEN_EVERY))).await?;
    }
    within(table::forget(database, before(ABSENCE))).await
}

/// The time this long ago, in epoch milliseconds.
pub(super) fn before(time: Duration) -> i64 {
    now().saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests write rows behind the code under test")]
mod tests {
    use super::super::id::Topic;
    use super::super::mailbox::{Mailbox, Orderer};
    use super::super::room::Most;
    use super::super::share::{Payer, RECEIPT_ROW};
    use super::*;
    use crate::config::DatabasePlace;
    use crate::db::on;
    use std::net::Ipv4Addr;

    #[tokio::test]
    async fn who_stays_for_a_month_is_not_forgotten_and_who_stays_away_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = DatabasePlace::Sqlite(folder.path().join("portico.db"));
        let database = Database::open(&file).await.unwrap();
        database.migrate().await.unwrap();
        let most = Most {
            messages: 1,
            bytes: 1,
            subscribers: 9,
            total: 1,
            visitor: 1,
            project: 1,
            subscriptions: 9,
            visitor_subscriptions: 9,
            project_subscriptions: 9,
        };
        let (mailbox, write) = Mailbox::new(database.clone(), most, false);
        tokio::spawn(write);
        let (here, away) = (ClientId([1; 32]), ClientId([2; 32]));
        for client in [here, away] {
            let by = Orderer { client, visitor: Ipv4Addr::LOCALHOST.into(), payer: Payer::default() };
            mailbox.subscribe(by, vec![Topic([1; 32])]).done().await.unwrap();
            // Both were last seen 31 days ago.
            table::seen(&database, client, before(ABSENCE + SEEN_EVERY), i64::MAX).await.unwrap();
        }
        assert_eq!(forget(&database, vec![here]).await.unwrap(), 1);
        assert_eq!(table::topics(&database, here).await.unwrap().len(), 1);
        assert_eq!(table::topics(&database, away).await.unwrap().len(), 0);
    }

    #[tokio::test]
    async fn expired_receipts_are_deleted_in_steps_until_none_are_left() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&DatabasePlace::Sqlite(folder.path().join("portico.db"))).await.unwrap();
        database.migrate().await.unwrap();
        on!(&database, |pool| {
            for client in ["a", "b", "c", "d"] {
                let insert = "insert into relay_receipt (topic, id, client, expires_at) values ('t', 'm', $1, 1000)";
                sqlx::query(insert).bind(client).execute(pool).await.unwrap();
            }
        });
        for (swept, left) in [(3, 1), (1, 0)] {
            assert_eq!(table::sweep(&database, 1000, 3).await.unwrap(), [0, swept]);
            assert_eq!(table::filled(&database).await.unwrap(), [left * RECEIPT_ROW, 0]);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_that_says_nothing_is_given_up_and_one_that_is_slow_is_waited_for() {
        let begun = Instant::now();
        let silent = within(std::future::pending::<Result<(), sqlx::Error>>()).await;
        assert!(matches!(silent, Err(sqlx::Error::Io(_))), "{silent:?}");
        assert_eq!(begun.elapsed().as_secs(), GIVE_UP.as_secs());
        let slow = async {
            tokio::time::sleep(GIVE_UP / 2).await;
            Ok(7)
        };
        assert_eq!(within(slow).await.ok(), Some(7));
    }
}
