//! The statements of the relay, all of them, for both engines: hence the length. Those that many clients need at once take many rows at once.

use super::id::{ClientId, MessageId, Topic};
use super::message::Message;
use super::room::{self, Held, Most, ROW, Receiver, Refused};
use crate::db::{Database, Engine, on};
use sqlx::{AssertSqlSafe, Connection, Error, query, query_as, query_scalar};
use std::io;
use std::sync::LazyLock;
use tokio::time::{Instant, timeout_at};

/// One statement for several numbers of rows, so that few have to be prepared.
struct Statement {
    texts: [String; 3],
}

const ROWS: [usize; 3] = [64, 8, 1];

impl Statement {
    /// `head` and `tail` with `(values …)` of so many columns between them.
    fn new(head: &str, columns: usize, tail: &str) -> Statement {
        let text = |rows: usize| {
            let row = |row: usize| {
                let values: Vec<String> = (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
                format!("({})", values.join(", "))
            };
            let rows: Vec<String> = (0..rows).map(row).collect();
            format!("{head} (values {}) {tail}", rows.join(", "))
        };
        Statement { texts: ROWS.map(text) }
    }

    /// The one for the most rows that are not more than these.
    fn of(&'static self, rows: usize) -> (&'static str, usize) {
        let place = ROWS.iter().position(|most| *most <= rows).unwrap_or(ROWS.len() - 1);
        (&self.texts[place], ROWS[place])
    }
}

/// Does a statement with all rows; how many were changed.
macro_rules! all {
    ($connection:expr, $statement:expr, $rows:expr, |$query:ident, $row:ident| $bound:expr) => {{
        let mut changed = 0;
        let mut rest: &[_] = $rows;
        while !rest.is_empty() {
            let (text, rows) = $statement.of(rest.len());
            let (these, others) = rest.split_at(rows);
            let mut $query = query(AssertSqlSafe(text));
            for $row in these {
                $query = $bound;
            }
            changed += $query.execute(&mut *$connection).await?.rows_affected();
            rest = others;
        }
        changed
    }};
}

/// The same for what is read.
macro_rules! each {
    ($connection:expr, $statement:expr, $rows:expr, |$query:ident, $row:ident| $bound:expr) => {{
        let mut found = Vec::new();
        let mut rest: &[_] = $rows;
        while !rest.is_empty() {
            let (text, rows) = $statement.of(rest.len());
            let (these, others) = rest.split_at(rows);
            let mut $query = query_as(AssertSqlSafe(text));
            for $row in these {
                $query = $bound;
            }
            found.extend($query.fetch_all(&mut *$connection).await?);
            rest = others;
        }
        found
    }};
}

/// A row for each who listens and did not publish it, or one for whoever comes where nobody does.
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

/// A row for each receiver that is named.
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

/// Who has had what waits for whoever comes.
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

/// What many asked for, in the order in which it is done.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) unsubscribed: Vec<(ClientId, Topic)>,
    pub(super) subscribed: Vec<(ClientId, Topic)>,
    pub(super) published: Vec<std::sync::Arc<Message>>,
    pub(super) taken: Vec<(ClientId, Topic, MessageId)>,
}

impl Batch {
    pub(super) fn is_empty(&self) -> bool {
        let Batch { unsubscribed, subscribed, published, taken } = self;
        unsubscribed.is_empty() && subscribed.is_empty() && published.is_empty() && taken.is_empty()
    }
}

/// What became of a batch.
#[derive(Debug, Default)]
pub(super) struct Committed {
    pub(super) refused: Refused,
    /// What was stored, about.
    pub(super) bytes: u64,
    /// Something that was to be taken is not there.
    pub(super) took_nothing: bool,
}

/// Does all of it or nothing, until then. `left` is how many bytes all mailboxes together still take, `now` is in epoch milliseconds.
pub(super) async fn commit(
    database: &Database,
    batch: &Batch,
    (most, left): (Most, u64),
    now: i64,
    until: Instant,
) -> Result<Committed, Error> {
    // SQLite refuses at once to write behind what it has read where another has written in between, and waits where it is to write from
    // the beginning.
    let begin = match database.engine() {
        Engine::Sqlite(_) => "begin immediate",
        // Of a statement that waits for a lock nobody tells the server that it was given up.
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
                let each: usize = batch.published.iter().map(|message| message.body.len() + ROW).sum();
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
            // It may be anywhere in the transaction, even before sqlx knows of one: the next user would be within it.
            held.close_on_drop();
        }
        done.map_err(io::Error::from)?
    })
}

fn size(message: &Message) -> i64 {
    i64::try_from(message.body.len()).unwrap_or(i64::MAX)
}

fn read_held(rows: Vec<(String, String, i64, i64)>) -> Held {
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

/// How many bytes all mailboxes hold.
pub(super) async fn total(database: &Database) -> Result<u64, Error> {
    let select = "select cast(coalesce(sum(size), 0) + $1 * count(*) as bigint) from relay_mailbox";
    let row = i64::try_from(ROW).unwrap_or(i64::MAX);
    let total: i64 = on!(database, |pool| query_scalar(select).bind(row).fetch_one(pool).await)?;
    Ok(total.unsigned_abs())
}

/// What a client listens to.
pub(super) async fn topics(database: &Database, client: ClientId) -> Result<Vec<Topic>, Error> {
    let select = "select topic from relay_subscription where client = $1";
    let found: Vec<String> = on!(database, |pool| query_scalar(select).bind(client.to_string()).fetch_all(pool).await)?;
    Ok(found.iter().filter_map(|topic| Topic::parse(topic)).collect())
}

/// Says that a client was here, where that was last said before `before`.
pub(super) async fn seen(database: &Database, client: ClientId, now: i64, before: i64) -> Result<(), Error> {
    let update = "update relay_subscription set seen_at = $2 where client = $1 and seen_at < $3";
    let client = client.to_string();
    on!(database, |pool| query(update).bind(client).bind(now).bind(before).execute(pool).await.map(drop))
}

/// What waits for a client, and its place.
pub(super) type Waiting = (i64, Message);

type Row = (i64, String, String, i64, i64, i64, Option<String>, String);

/// So many topics are looked into at once.
pub(super) const AT_ONCE: usize = 128;

static WAITING: LazyLock<[String; 2]> = LazyLock::new(|| {
    [1, AT_ONCE].map(|topics| {
        let topics: Vec<String> = (5..5 + topics).map(|topic| format!("${topic}")).collect();
        format!(
            "select m.seq, m.topic, m.publisher, m.tag, m.published_at, m.expires_at, m.attestation, m.body
             from relay_mailbox m
             where m.topic in ({}) and m.client in ($1, '') and m.publisher <> $1 and m.seq > $2 and m.expires_at > $3
                 and not exists (select 1 from relay_receipt r
                     where m.client = '' and r.topic = m.topic and r.id = m.id and r.client = $1)
             order by m.seq limit $4",
            topics.join(", ")
        )
    })
});

/// What waits for a client on at most [`AT_ONCE`] topics, after the place `after`.
pub(super) async fn waiting(
    database: &Database,
    client: ClientId,
    topics: &[Topic],
    (after, limit): (i64, usize),
    now: i64,
) -> Result<Vec<Waiting>, Error> {
    let Some(last) = topics.last() else { return Ok(Vec::new()) };
    let (text, rows) = if topics.len() == 1 { (&WAITING[0], 1) } else { (&WAITING[1], AT_ONCE) };
    let client = client.to_string();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let found: Vec<Row> = on!(database, |pool| {
        let mut select = query_as(AssertSqlSafe(text.as_str())).bind(&client).bind(after).bind(now).bind(limit);
        for place in 0..rows {
            select = select.bind(topics.get(place).unwrap_or(last).to_string());
        }
        select.fetch_all(pool).await?
    });
    Ok(found.into_iter().filter_map(read).collect())
}

fn read((place, topic, publisher, tag, published_at, expires_at, attestation, body): Row) -> Option<Waiting> {
    let message = Message {
        topic: Topic::parse(&topic)?,
        id: MessageId::of(&body),
        publisher: ClientId::parse(&publisher)?,
        tag: u32::try_from(tag).ok()?,
        published_at,
        expires_at,
        attestation: attestation.map(String::into_boxed_str),
        body: body.into_boxed_str(),
    };
    Some((place, message))
}

/// Clears away some of what has expired; how many messages those were.
pub(super) async fn sweep(database: &Database, now: i64, some: i64) -> Result<u64, Error> {
    let messages =
        "delete from relay_mailbox where seq in (select seq from relay_mailbox where expires_at <= $1 limit $2)";
    let receipts = "delete from relay_receipt where expires_at <= $1";
    on!(database, |pool| {
        query(receipts).bind(now).execute(pool).await?;
        Ok(query(messages).bind(now).bind(some).execute(pool).await?.rows_affected())
    })
}

/// Forgets clients that were not here since `before`.
pub(super) async fn forget(database: &Database, before: i64) -> Result<u64, Error> {
    let delete = "delete from relay_subscription where seen_at < $1";
    Ok(on!(database, |pool| query(delete).bind(before).execute(pool).await?.rows_affected()))
}

/// How many messages wait, and how many subscriptions there are.
pub(crate) async fn counts(database: &Database) -> Result<(i64, i64), Error> {
    on!(database, |pool| {
        let messages = query_scalar("select count(*) from relay_mailbox").fetch_one(pool).await?;
        Ok((messages, query_scalar("select count(*) from relay_subscription").fetch_one(pool).await?))
    })
}
