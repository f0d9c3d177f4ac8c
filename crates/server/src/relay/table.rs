//! All SQL statements of the relay, for both database engines.

#![allow(clippy::disallowed_methods, reason = "the statements of this resource")]

mod commit;
mod statement;

pub(super) use commit::{Batch, Committed, Receipt, commit};

use super::id::{ClientId, MessageId, Topic};
use super::message::Message;
use super::room::ROW;
use super::share::{Counts, Payer, RECEIPT_ROW};
use crate::db::{Database, on};
use sqlx::{AssertSqlSafe, Error, query, query_as, query_scalar};
use std::sync::LazyLock;

/// Counts all mailboxes, receipts and subscriptions. Visitors and projects with less than `few` bytes or subscriptions are left out.
pub(super) async fn counted(database: &Database, (bytes, subscriptions): (u64, u64)) -> Result<Counts, Error> {
    const BYTES: &str = "select cast(coalesce(sum(size), 0) + $1 * count(*)
        + $2 * (select count(*) from relay_receipt) as bigint) from relay_mailbox";
    const VISITORS: &str = "select visitor, cast(sum(bytes) as bigint) from (
            select visitor, sum(size) + $1 * count(*) as bytes from relay_mailbox group by visitor
            union all select visitor, $2 * count(*) from relay_receipt group by visitor
        ) as rows_of group by visitor having sum(bytes) >= $3";
    const PROJECTS: &str = "select project, cast(sum(bytes) as bigint) from (
            select project, sum(size) + $1 * count(*) as bytes from relay_mailbox group by project
            union all select project, $2 * count(*) from relay_receipt group by project
        ) as rows_of group by project having sum(bytes) >= $3";
    const SUBSCRIPTIONS: &str = "select count(*) from relay_subscription";
    const OF_VISITORS: &str = "select visitor, count(*) from relay_subscription group by visitor having count(*) >= $1";
    const OF_PROJECTS: &str = "select project, count(*) from relay_subscription group by project having count(*) >= $1";
    let [row, receipt, bytes, few] =
        [ROW as u64, RECEIPT_ROW, bytes, subscriptions].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
    let each = |rows: Vec<(i64, i64)>| rows.into_iter().map(|(key, sum)| (key, sum.unsigned_abs())).collect();
    on!(database, |pool| {
        let all: i64 = query_scalar(BYTES).bind(row).bind(receipt).fetch_one(pool).await?;
        let visitors = query_as(VISITORS).bind(row).bind(receipt).bind(bytes).fetch_all(pool).await?;
        let projects = query_as(PROJECTS).bind(row).bind(receipt).bind(bytes).fetch_all(pool).await?;
        let subscriptions: i64 = query_scalar(SUBSCRIPTIONS).fetch_one(pool).await?;
        let of_visitors = query_as(OF_VISITORS).bind(few).fetch_all(pool).await?;
        let of_projects = query_as(OF_PROJECTS).bind(few).fetch_all(pool).await?;
        Ok(Counts {
            bytes: all.unsigned_abs(),
            visitors: each(visitors),
            projects: each(projects),
            subscriptions: subscriptions.unsigned_abs(),
            visitor_subscriptions: each(of_visitors),
            project_subscriptions: each(of_projects),
        })
    })
}

/// Bytes of all mailboxes and receipts together, and number of subscriptions.
pub(crate) async fn filled(database: &Database) -> Result<[u64; 2], Error> {
    let counts = counted(database, (u64::MAX, u64::MAX)).await?;
    Ok([counts.bytes, counts.subscriptions])
}

/// Deletes up to `some` receipts, without which a client is sent a message once more, and where there are none, the oldest messages of
/// topics without subscribers; returns the bytes that this frees.
pub(super) async fn evict(database: &Database, some: i64) -> Result<u64, Error> {
    const RECEIPTS: &str = "delete from relay_receipt where (topic, id, client) in
        (select topic, id, client from relay_receipt order by expires_at limit $1)";
    const DELETE: &str = "delete from relay_mailbox where seq in
        (select seq from relay_mailbox where client = '' order by seq limit $1) returning size";
    let receipts = on!(database, |pool| query(RECEIPTS).bind(some).execute(pool).await?.rows_affected());
    if receipts > 0 {
        return Ok(receipts * RECEIPT_ROW);
    }
    let sizes: Vec<i64> = on!(database, |pool| query_scalar(DELETE).bind(some).fetch_all(pool).await)?;
    Ok(sizes.into_iter().map(|size| size.unsigned_abs() + ROW as u64).sum())
}

/// Key of the hashes of [`Payer`]; stores `new` if there is none yet.
pub(super) async fn secret(database: &Database, new: &str) -> Result<String, Error> {
    const READ: &str = "select secret from relay_secret where id = 1";
    const MAKE: &str = "insert into relay_secret (id, secret) values (1, $1) on conflict (id) do nothing";
    on!(database, |pool| {
        if let Some(secret) = query_scalar(READ).fetch_optional(pool).await? {
            return Ok(secret);
        }
        query(MAKE).bind(new).execute(pool).await?;
        query_scalar(READ).fetch_one(pool).await
    })
}

/// Topics that a client is subscribed to.
pub(super) async fn topics(database: &Database, client: ClientId) -> Result<Vec<Topic>, Error> {
    let select = "select topic from relay_subscription where client = $1";
    let found: Vec<String> = on!(database, |pool| query_scalar(select).bind(client.to_string()).fetch_all(pool).await)?;
    Ok(found.iter().filter_map(|topic| Topic::parse(topic)).collect())
}

/// Updates the time a client was last seen, if it is older than `before`.
pub(super) async fn seen(database: &Database, client: ClientId, now: i64, before: i64) -> Result<(), Error> {
    let update = "update relay_subscription set seen_at = $2 where client = $1 and seen_at < $3";
    let client = client.to_string();
    on!(database, |pool| query(update).bind(client).bind(now).bind(before).execute(pool).await.map(drop))
}

/// A pending message, with its place in the table.
pub(super) type Waiting = (i64, Message);

type Row = (i64, String, String, i64, i64, i64, Option<String>, String);

/// Maximum number of topics per query.
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

/// Pending messages of a client on at most [`AT_ONCE`] topics, after the place `after`.
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
        payer: Payer::default(),
        body: body.into_boxed_str(),
    };
    Some((place, message))
}

/// Deletes up to `some` expired messages, and as many expired receipts; returns the number of each.
pub(super) async fn sweep(database: &Database, now: i64, some: i64) -> Result<[u64; 2], Error> {
    let messages =
        "delete from relay_mailbox where seq in (select seq from relay_mailbox where expires_at <= $1 limit $2)";
    let receipts = "delete from relay_receipt where (topic, id, client) in
        (select topic, id, client from relay_receipt where expires_at <= $1 limit $2)";
    on!(database, |pool| {
        let receipts = query(receipts).bind(now).bind(some).execute(pool).await?.rows_affected();
        Ok([query(messages).bind(now).bind(some).execute(pool).await?.rows_affected(), receipts])
    })
}

/// Deletes the subscriptions of clients last seen before `before`; returns their number.
pub(super) async fn forget(database: &Database, before: i64) -> Result<u64, Error> {
    let delete = "delete from relay_subscription where seen_at < $1";
    Ok(on!(database, |pool| query(delete).bind(before).execute(pool).await?.rows_affected()))
}

/// Number of stored messages and number of subscriptions.
pub(crate) async fn counts(database: &Database) -> Result<(i64, i64), Error> {
    on!(database, |pool| {
        let messages = query_scalar("select count(*) from relay_mailbox").fetch_one(pool).await?;
        Ok((messages, query_scalar("select count(*) from relay_subscription").fetch_one(pool).await?))
    })
}
