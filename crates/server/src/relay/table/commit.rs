//! Executes a batch of orders in one transaction.

use super::statement::{Statement, all, each};
use crate::db::{Database, Engine, on};
use crate::relay::id::{ClientId, MessageId, Topic};
use crate::relay::message::Message;
use crate::relay::room::{self, MailboxSizes, Most, ROW, Receiver, Refused};
use sqlx::{Connection, Error};
use std::io;
use std::sync::LazyLock;
use tokio::time::{Instant, timeout_at};

/// Stores a row per subscriber other than the publisher; without any, one row for any later subscriber (empty client).
static STORE: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (topic, id, publisher, tag, published_at, expires_at, size, attestation, body) as",
        9,
        "insert into relay_mailbox
             (topic, id, client, publisher, tag, published_at, expires_at, size, attestation, body)
         select v.topic, v.id, coalesce(s.client, ''), v.publisher, v.tag, v.published_at, v.expires_at, v.size,
             v.attestation, v.body
         from v left join relay_subscription s on s.topic = v.topic and s.client <> v.publisher
         where true on conflict (topic, id, client) do nothing",
    )
});

/// Stores one row for each given receiver.
static STORE_FOR: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (topic, id, client, publisher, tag, published_at, expires_at, size, attestation, body) as",
        10,
        "insert into relay_mailbox
             (topic, id, client, publisher, tag, published_at, expires_at, size, attestation, body)
         select topic, id, client, publisher, tag, published_at, expires_at, size, attestation, body from v
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
        "with v (client, topic, seen_at) as",
        3,
        "insert into relay_subscription (client, topic, seen_at) select client, topic, seen_at from v
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

/// Records who has received a message that is stored for any subscriber.
static RECEIPT: LazyLock<Statement> = LazyLock::new(|| {
    Statement::new(
        "with v (client, topic, id) as",
        3,
        "insert into relay_receipt (topic, id, client, expires_at)
         select m.topic, m.id, v.client, m.expires_at
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

/// A batch of orders, in order of execution.
#[derive(Default)]
pub(in crate::relay) struct Batch {
    pub(in crate::relay) unsubscribed: Vec<(ClientId, Topic)>,
    pub(in crate::relay) subscribed: Vec<(ClientId, Topic)>,
    pub(in crate::relay) published: Vec<std::sync::Arc<Message>>,
    pub(in crate::relay) taken: Vec<(ClientId, Topic, MessageId)>,
}

impl Batch {
    pub(in crate::relay) fn is_empty(&self) -> bool {
        let Batch { unsubscribed, subscribed, published, taken } = self;
        unsubscribed.is_empty() && subscribed.is_empty() && published.is_empty() && taken.is_empty()
    }
}

/// Result of a batch.
#[derive(Debug, Default)]
pub(in crate::relay) struct Committed {
    pub(in crate::relay) refused: Refused,
    /// Approximate number of bytes stored.
    pub(in crate::relay) bytes: u64,
    /// Whether a message to delete was not found.
    pub(in crate::relay) took_nothing: bool,
}

/// Executes all or nothing before `until`. `left` is the free space of all mailboxes in bytes, `now` is in epoch milliseconds.
pub(in crate::relay) async fn commit(
    database: &Database,
    batch: &Batch,
    (most, left): (Most, u64),
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
            let Committed { mut refused, mut bytes, mut took_nothing } = Committed::default();
            all!(connection, UNSUBSCRIBE, &batch.unsubscribed, |query, row| query
                .bind(row.0.to_string())
                .bind(row.1.to_string()));
            all!(connection, EMPTY, &batch.unsubscribed, |query, row| query
                .bind(row.0.to_string())
                .bind(row.1.to_string()));
            if !batch.subscribed.is_empty() {
                let mut topics: Vec<Topic> = batch.subscribed.iter().map(|(_, topic)| *topic).collect();
                topics.sort_unstable();
                topics.dedup();
                let counts: Vec<(String, i64)> =
                    each!(connection, SUBSCRIBERS, &topics, |query, topic| query.bind(topic.to_string()));
                let subscribed = room::admitted(batch, &counts, most, &mut refused);
                all!(connection, SUBSCRIBE, &subscribed, |query, row| query
                    .bind(row.0.to_string())
                    .bind(row.1.to_string())
                    .bind(now));
            }
            if !batch.published.is_empty() {
                let mut topics: Vec<Topic> = batch.published.iter().map(|message| message.topic).collect();
                topics.sort_unstable();
                topics.dedup();
                let held: Vec<(String, String, i64, i64)> =
                    each!(connection, HELD, &topics, |query, topic| query.bind(topic.to_string()));
                let held = read_held(held);
                let crowded = room::crowded(batch, &held, (most, left));
                let listening: Vec<(String, String)> =
                    each!(connection, LISTENING, &crowded, |query, topic| query.bind(topic.to_string()));
                let listening = read_listening(&listening);
                let fitting = room::fitting(batch, held, (&crowded, &listening), (most, left), &mut refused);
                let rows = all!(connection, STORE, &fitting.everyone, |query, message| query
                    .bind(message.topic.to_string())
                    .bind(message.id.to_string())
                    .bind(message.publisher.to_string())
                    .bind(i64::from(message.tag))
                    .bind(message.published_at)
                    .bind(message.expires_at)
                    .bind(size(message))
                    .bind(message.attestation.as_deref())
                    .bind(&*message.body));
                let some = all!(connection, STORE_FOR, &fitting.some, |query, row| query
                    .bind(row.0.topic.to_string())
                    .bind(row.0.id.to_string())
                    .bind(row.1.map_or_else(String::new, |client| client.to_string()))
                    .bind(row.0.publisher.to_string())
                    .bind(i64::from(row.0.tag))
                    .bind(row.0.published_at)
                    .bind(row.0.expires_at)
                    .bind(size(row.0))
                    .bind(row.0.attestation.as_deref())
                    .bind(&*row.0.body));
                let each: usize = batch.published.iter().map(|message| message.bytes() + ROW).sum();
                bytes = (rows + some) * (each / batch.published.len()) as u64;
            }
            if !batch.taken.is_empty() {
                let mut taken = batch.taken.clone();
                taken.sort_unstable();
                taken.dedup();
                let gone = all!(connection, TAKE, &taken, |query, row| query
                    .bind(row.0.to_string())
                    .bind(row.1.to_string())
                    .bind(row.2.to_string()));
                took_nothing = gone < taken.len() as u64;
                if took_nothing {
                    all!(connection, RECEIPT, &taken, |query, row| query
                        .bind(row.0.to_string())
                        .bind(row.1.to_string())
                        .bind(row.2.to_string()));
                }
            }
            transaction.commit().await?;
            Ok(Committed { refused, bytes, took_nothing })
        };
        let done = timeout_at(until, work).await;
        if done.is_err() {
            // The connection may be in the middle of a transaction that sqlx does not know of, so it must not be reused.
            held.close_on_drop();
        }
        done.map_err(io::Error::from)?
    })
}

fn size(message: &Message) -> i64 {
    i64::try_from(message.bytes()).unwrap_or(i64::MAX)
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
