//! Executes batches of orders in one transaction.

use super::statement::{Statement, all, each};
use crate::db::{Database, Engine, on};
use crate::relay::id::{ClientId, MessageId, Topic};
use crate::relay::message::Message;
use crate::relay::room::{self, Free, MailboxSizes, Most, ROW, Receiver, Refused, UNCLAIMED, row};
use crate::relay::share::{Payer, RECEIPT_ROW};
use sqlx::{Connection, Error};
use std::collections::HashMap;
use std::io;
use std::sync::LazyLock;
use tokio::time::{Instant, timeout_at};

/// Stores a row per subscriber other than the publisher; without any, one row for any later subscriber (empty client), which lives
/// for minutes. Returns payer and size of each row.
static STORE: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (topic, id, publisher, tag, published_at, expires_at, unclaimed_until, size, visitor, project,
             attestation, body) as",
        12,
        "insert into relay_mailbox
             (topic, id, client, publisher, tag, published_at, expires_at, size, visitor, project, attestation, body)
         select v.topic, v.id, coalesce(s.client, ''), v.publisher, v.tag, v.published_at,
             case when s.client is null then v.unclaimed_until else v.expires_at end, v.size,
             v.visitor, v.project, v.attestation, v.body
         from v left join relay_subscription s on s.topic = v.topic and s.client <> v.publisher
         where true on conflict (topic, id, client) do nothing returning visitor, project, size",
    )
});

/// Stores one row for each given receiver.
static STORE_FOR: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (topic, id, client, publisher, tag, published_at, expires_at, size, visitor, project, attestation, body) as",
        12,
        "insert into relay_mailbox
             (topic, id, client, publisher, tag, published_at, expires_at, size, visitor, project, attestation, body)
         select topic, id, client, publisher, tag, published_at, expires_at, size, visitor, project, attestation, body
         from v
         where true on conflict (topic, id, client) do nothing",
    )
});

static LISTENING: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (topic) as",
        1,
        "select topic, client from relay_subscription where topic in (select topic from v)",
    )
});

static SUBSCRIBE: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (client, topic, seen_at, visitor, project) as",
        5,
        "insert into relay_subscription (client, topic, seen_at, visitor, project)
         select client, topic, seen_at, visitor, project from v
         where true on conflict (client, topic) do update set seen_at = excluded.seen_at",
    )
});

static UNSUBSCRIBE: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (client, topic) as",
        2,
        "delete from relay_subscription where (client, topic) in (select client, topic from v)",
    )
});

static EMPTY: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (client, topic) as",
        2,
        "delete from relay_mailbox where (topic, client) in (select topic, client from v)",
    )
});

static TAKE: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (client, topic, id) as",
        3,
        "delete from relay_mailbox where (topic, id, client) in (select topic, id, client from v)",
    )
});

/// Those of the given receipts that are needed: the message is stored for any subscriber, and would be sent to this client again.
static NEEDED: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (client, topic, id, place) as",
        4,
        "select v.place from v join relay_mailbox m on m.topic = v.topic and m.id = v.id and m.client = ''
         where m.publisher <> v.client and not exists (select 1 from relay_receipt r
             where r.topic = v.topic and r.id = v.id and r.client = v.client)",
    )
});

/// Records who has received a message that is stored for any subscriber.
static RECEIPT: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (client, topic, id, visitor, project) as",
        5,
        "insert into relay_receipt (topic, id, client, expires_at, visitor, project)
         select m.topic, m.id, v.client, m.expires_at, v.visitor, v.project
         from v join relay_mailbox m on m.topic = v.topic and m.id = v.id and m.client = ''
         where true on conflict (topic, id, client) do nothing",
    )
});

static HELD: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (topic) as",
        1,
        "select topic, client, count(*), cast(sum(size) as bigint) from relay_mailbox
         where topic in (select topic from v) group by topic, client",
    )
});

static SUBSCRIBERS: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (topic) as",
        1,
        "select topic, count(*) from relay_subscription where topic in (select topic from v) group by topic",
    )
});

/// A client has received a message; the payer is the client's, as a receipt may have to be stored.
pub(in crate::relay) type Receipt = (ClientId, Topic, MessageId, Payer);

/// A batch of orders, in order of execution.
#[derive(Default)]
pub(in crate::relay) struct Batch {
    pub(in crate::relay) unsubscribed: Vec<(ClientId, Topic)>,
    /// Each with the payer whose shares it counts against.
    pub(in crate::relay) subscribed: Vec<(ClientId, Topic, Payer)>,
    pub(in crate::relay) published: Vec<std::sync::Arc<Message>>,
    pub(in crate::relay) taken: Vec<Receipt>,
}

impl Batch {
    pub(in crate::relay) fn is_empty(&self) -> bool {
        let Batch { unsubscribed, subscribed, published, taken } = self;
        unsubscribed.is_empty() && subscribed.is_empty() && published.is_empty() && taken.is_empty()
    }
}

/// Result of all batches.
#[derive(Debug, Default)]
pub(in crate::relay) struct Committed {
    pub(in crate::relay) refused: Refused,
    /// Number of bytes stored, by payer.
    pub(in crate::relay) stored: Vec<(Payer, u64)>,
    /// Payer of each subscription stored.
    pub(in crate::relay) subscribed: Vec<Payer>,
    /// Whether a message to delete was not found.
    pub(in crate::relay) took_nothing: bool,
}

/// Executes the batches one after the other, all or nothing, before `until`. `now` is in epoch milliseconds.
pub(in crate::relay) async fn commit(
    database: &Database,
    batches: &[Batch],
    (most, free): (Most, &Free),
    now: i64,
    until: Instant,
) -> Result<Committed, Error> {
    // In SQLite a transaction that has read fails at once when it writes after another one has written. With `begin immediate` it
    // waits for the write lock first.
    let begin = match database.engine() {
        Engine::Sqlite(_) => "begin immediate",
        // The server does not notice that a statement waiting for a lock was given up, so it needs a timeout of its own.
        Engine::Postgres(_) => "begin; set local statement_timeout = '10s'",
    };
    on!(database, |pool| {
        let mut held = timeout_at(until, pool.acquire()).await.map_err(io::Error::from)??;
        let work = async {
            let mut transaction = held.begin_with(begin).await?;
            let connection = &mut *transaction;
            let mut done = Committed::default();
            let mut free = free.clone();
            // Number of subscriptions and of publications in earlier batches.
            let mut before = [0, 0];
            for batch in batches {
                let mut refused = Refused::default();
                all!(connection, UNSUBSCRIBE, &batch.unsubscribed, |query, row| query
                    .bind(row.0.to_string())
                    .bind(row.1.to_string()));
                all!(connection, EMPTY, &batch.unsubscribed, |query, row| query
                    .bind(row.0.to_string())
                    .bind(row.1.to_string()));
                if !batch.subscribed.is_empty() {
                    let mut topics: Vec<Topic> = batch.subscribed.iter().map(|(_, topic, _)| *topic).collect();
                    topics.sort_unstable();
                    topics.dedup();
                    let counts: Vec<(String, i64)> =
                        each!(connection, SUBSCRIBERS, &topics, |query, topic| query.bind(topic.to_string()));
                    let admitted = room::admitted(batch, &counts, most, &mut free, &mut refused);
                    all!(connection, SUBSCRIBE, &admitted, |query, row| query
                        .bind(row.0.to_string())
                        .bind(row.1.to_string())
                        .bind(now)
                        .bind(row.2.visitor)
                        .bind(row.2.project));
                    done.subscribed.extend(admitted.into_iter().map(|(_, _, payer)| payer));
                }
                if !batch.published.is_empty() {
                    let mut topics: Vec<Topic> = batch.published.iter().map(|message| message.topic).collect();
                    topics.sort_unstable();
                    topics.dedup();
                    let held: Vec<(String, String, i64, i64)> =
                        each!(connection, HELD, &topics, |query, topic| query.bind(topic.to_string()));
                    let held = read_held(held);
                    let crowded = room::crowded(batch, &held, (most, &free));
                    let listening: Vec<(String, String)> =
                        each!(connection, LISTENING, &crowded, |query, topic| query.bind(topic.to_string()));
                    let listening = read_listening(&listening);
                    let fitting = room::fitting(batch, held, (&crowded, &listening), (most, &mut free), &mut refused);
                    let rows: Vec<(i64, i64, i64)> =
                        each!(connection, STORE, &fitting.everyone, |query, message| query
                            .bind(message.topic.to_string())
                            .bind(message.id.to_string())
                            .bind(message.publisher.to_string())
                            .bind(i64::from(message.tag))
                            .bind(message.published_at)
                            .bind(message.expires_at)
                            .bind(unclaimed_until(message))
                            .bind(size(message))
                            .bind(message.payer.visitor)
                            .bind(message.payer.project)
                            .bind(message.attestation.as_deref())
                            .bind(&*message.body));
                    all!(connection, STORE_FOR, &fitting.some, |query, row| query
                        .bind(row.0.topic.to_string())
                        .bind(row.0.id.to_string())
                        .bind(row.1.map_or_else(String::new, |client| client.to_string()))
                        .bind(row.0.publisher.to_string())
                        .bind(i64::from(row.0.tag))
                        .bind(row.0.published_at)
                        .bind(row.1.map_or_else(|| unclaimed_until(row.0), |_| row.0.expires_at))
                        .bind(size(row.0))
                        .bind(row.0.payer.visitor)
                        .bind(row.0.payer.project)
                        .bind(row.0.attestation.as_deref())
                        .bind(&*row.0.body));
                    let stored = by_payer(&rows);
                    stored.iter().for_each(|(payer, bytes)| free.store(*payer, *bytes));
                    done.stored.extend(stored);
                    done.stored.extend(fitting.some.iter().map(|(message, _)| (message.payer, row(message))));
                }
                if !batch.taken.is_empty() {
                    let mut taken = batch.taken.clone();
                    taken.sort_unstable();
                    taken.dedup_by_key(|(client, topic, id, _)| (*client, *topic, *id));
                    let gone = all!(connection, TAKE, &taken, |query, row| query
                        .bind(row.0.to_string())
                        .bind(row.1.to_string())
                        .bind(row.2.to_string()));
                    if gone < taken.len() as u64 {
                        done.took_nothing = true;
                        let places: Vec<(i64, &Receipt)> = (0..).zip(&taken).collect();
                        let needed: Vec<(i64,)> = each!(connection, NEEDED, &places, |query, row| query
                            .bind(row.1.0.to_string())
                            .bind(row.1.1.to_string())
                            .bind(row.1.2.to_string())
                            .bind(row.0));
                        let receipts = fitting_receipts(&taken, needed, &mut free);
                        all!(connection, RECEIPT, &receipts, |query, row| query
                            .bind(row.0.to_string())
                            .bind(row.1.to_string())
                            .bind(row.2.to_string())
                            .bind(row.3.visitor)
                            .bind(row.3.project));
                        done.stored.extend(receipts.iter().map(|(.., payer)| (*payer, RECEIPT_ROW)));
                    }
                }
                done.refused.subscribed.extend(refused.subscribed.iter().map(|place| before[0] + place));
                done.refused.published.extend(refused.published.iter().map(|place| before[1] + place));
                before = [before[0] + batch.subscribed.len(), before[1] + batch.published.len()];
            }
            transaction.commit().await?;
            Ok(done)
        };
        let done = timeout_at(until, work).await;
        if done.is_err() {
            // The connection may be in the middle of a transaction that sqlx does not know of, so it must not be reused.
            held.close_on_drop();
        }
        done.map_err(io::Error::from)?
    })
}

/// Sum of the bytes of these rows by payer: a message costs its own payer as many rows as it has receivers.
fn by_payer(rows: &[(i64, i64, i64)]) -> HashMap<Payer, u64> {
    let mut sums = HashMap::new();
    for (visitor, project, size) in rows {
        let sum = sums.entry(Payer { visitor: *visitor, project: *project }).or_default();
        *sum += size.unsigned_abs() + ROW as u64;
    }
    sums
}

/// The needed receipts that fit into the shares of their payers; a client without one is sent the message once more.
fn fitting_receipts(taken: &[Receipt], mut needed: Vec<(i64,)>, free: &mut Free) -> Vec<Receipt> {
    // Sorted as all rows are, so that two nodes do not deadlock.
    needed.sort_unstable();
    let receipts = needed.into_iter().filter_map(|(place,)| taken.get(usize::try_from(place).ok()?).copied());
    let fits = |receipt: &Receipt| {
        let fits = free.of(receipt.3) >= RECEIPT_ROW;
        if fits {
            free.store(receipt.3, RECEIPT_ROW);
        }
        fits
    };
    receipts.filter(fits).collect()
}

fn size(message: &Message) -> i64 {
    i64::try_from(message.bytes()).unwrap_or(i64::MAX)
}

/// End of a message that nobody subscribes to, in epoch milliseconds.
fn unclaimed_until(message: &Message) -> i64 {
    message.expires_at.min(message.published_at.saturating_add(UNCLAIMED))
}

fn read_held(rows: Vec<(String, String, i64, i64)>) -> MailboxSizes {
    let read = |(topic, client, messages, bytes): (String, String, i64, i64)| {
        let receiver: Receiver = ClientId::parse(&client);
        let (messages, bytes) = (usize::try_from(messages).ok()?, usize::try_from(bytes).ok()?);
        Some(((Topic::parse(&topic)?, receiver), (messages, bytes)))
    };
    rows.into_iter().filter_map(read).collect()
}

fn read_listening(rows: &[(String, String)]) -> Vec<(Topic, ClientId)> {
    rows.iter().filter_map(|(topic, client)| Some((Topic::parse(topic)?, ClientId::parse(client)?))).collect()
}
