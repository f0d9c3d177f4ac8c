use super::super::share::RECEIPT_ROW;
use super::super::table::{self, Batch};
use super::super::writer::{GIVE_UP, TAKE_AGAIN};
use super::*;
use crate::config::DatabasePlace;
use crate::db::on;
use futures_util::FutureExt;
use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use std::net::Ipv4Addr;
use tempfile::TempDir;
use tokio::time::Instant;

const MOST: Most = Most {
    messages: 10,
    bytes: 1024,
    subscribers: 1,
    total: 10_000,
    visitor: 10_000,
    project: 10_000,
    subscriptions: 100,
    visitor_subscriptions: 100,
    project_subscriptions: 100,
};
const VISITOR: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn of(client: u8) -> Orderer {
    Orderer { client: ClientId([client; 32]), visitor: VISITOR, payer: Payer::default() }
}

async fn database() -> (Database, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = DatabasePlace::Sqlite(folder.path().join("portico.db"));
    (Database::open(&file).await.unwrap(), folder)
}

fn started(database: &Database, most: Most, nodes: bool) -> Mailbox {
    let (mailbox, write) = Mailbox::new(database.clone(), most, nodes);
    tokio::spawn(write);
    mailbox
}

fn message(body: &str) -> Arc<Message> {
    Arc::new(Message {
        topic: Topic([1; 32]),
        id: MessageId::of(body),
        publisher: ClientId([1; 32]),
        tag: 0,
        published_at: now(),
        expires_at: i64::MAX,
        attestation: None,
        payer: Payer::default(),
        body: body.into(),
    })
}

#[tokio::test]
async fn what_could_not_be_stored_is_new_the_next_time_though_its_publisher_has_left() {
    let (database, _folder) = database().await;
    let mailbox = started(&database, MOST, false);
    let one = message("a");
    // The table does not exist yet.
    let (published, is_new) = mailbox.publish(&one, None);
    drop(published);
    assert!(is_new);
    let (again, is_new) = mailbox.publish(&one, None);
    assert!(!is_new);
    assert_eq!(again.done().await, Err(Fault::Storage));
    database.migrate().await.unwrap();
    let (published, is_new) = mailbox.publish(&one, None);
    assert_eq!((published.done().await, is_new), (Ok(()), true));
    let (published, is_new) = mailbox.publish(&one, None);
    assert_eq!((published.done().await, is_new), (Ok(()), false));
    assert_eq!(table::counts(&database).await.unwrap(), (1, 0));
}

#[tokio::test]
async fn whoever_waits_for_room_and_leaves_has_published_nothing() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let mailbox = started(&database, MOST, false);
    let one = message("a");
    let all = mailbox.room.clone().acquire_many_owned(u32::try_from(ROOM).unwrap()).await.unwrap();
    let mut waiting = Box::pin(mailbox.room_for(VISITOR, &one));
    assert!(futures_util::poll!(&mut waiting).is_pending());
    drop((waiting, all));
    let room = mailbox.room_for(VISITOR, &one).await.unwrap();
    let (published, is_new) = mailbox.publish(&one, Some(room));
    assert_eq!((published.done().await, is_new), (Ok(()), true));
    assert_eq!(mailbox.room.available_permits(), ROOM);
}

#[tokio::test]
async fn what_was_taken_before_another_node_had_stored_it_is_taken_once_more() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let (here, there) = (started(&database, MOST, true), started(&database, MOST, true));
    let one = message("a");
    here.subscribe(of(2), vec![one.topic]).done().await.unwrap();
    here.take_stored(of(2), vec![(one.topic, one.id)]).done().await.unwrap();
    there.publish(&one, None).0.done().await.unwrap();
    assert_eq!(table::counts(&database).await.unwrap(), (1, 1));
    tokio::time::pause();
    tokio::time::advance(TAKE_AGAIN).await;
    tokio::time::resume();
    // The timer has fired, and its order is queued before this one.
    tokio::task::yield_now().await;
    here.settled().await.unwrap();
    assert_eq!(table::counts(&database).await.unwrap(), (0, 1));
}

#[tokio::test]
async fn what_others_write_meanwhile_is_waited_for_and_fails_nothing() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let batches = [Batch { published: vec![message("a")], ..Batch::default() }];
    let other = Batch { subscribed: vec![(ClientId([2; 32]), Topic([2; 32]), Payer::default())], ..Batch::default() };
    on!(&database, |pool| {
        let mut held = pool.begin_with("begin immediate").await.unwrap();
        let committing = tokio::spawn({
            let database = database.clone();
            async move {
                table::commit(
                    &database,
                    &batches,
                    (MOST, &Ledger::new(MOST).free_for(&batches)),
                    now(),
                    Instant::now() + GIVE_UP,
                )
                .await
                .map(drop)
            }
        });
        // Long enough for the commit to read the state that the insert below changes.
        for _ in 0..50 {
            table::counts(&database).await.unwrap();
        }
        let insert = "insert into relay_subscription (client, topic, seen_at) values ('a', 'b', 0)";
        sqlx::query(insert).execute(&mut *held).await.unwrap();
        held.commit().await.unwrap();
        committing.await.unwrap().unwrap();
    });
    let free = Ledger::new(MOST).free_for(std::slice::from_ref(&other));
    table::commit(&database, &[other], (MOST, &free), now(), Instant::now() + GIVE_UP).await.unwrap();
    assert_eq!(table::counts(&database).await.unwrap(), (1, 2));
}

#[tokio::test]
async fn all_mailboxes_together_take_so_much_and_more_when_something_was_read() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let mailbox = started(&database, Most { total: 1500, ..MOST }, false);
    let first = message("a");
    mailbox.subscribe(of(2), vec![first.topic]).done().await.unwrap();
    mailbox.publish(&first, None).0.done().await.unwrap();
    mailbox.publish(&message("b"), None).0.done().await.unwrap();
    assert_eq!(mailbox.publish(&message("c"), None).0.done().await, Err(Fault::MailboxLimitExceeded));
    let count = async || table::counted(&database, (0, 0)).await.unwrap();
    let left = mailbox.ledger.free_for(&[]).bytes;
    assert_eq!(count().await.bytes, 1500 - left);
    mailbox.take_stored(of(2), vec![(first.topic, first.id)]).done().await.unwrap();
    // As the sweep does at intervals.
    mailbox.ledger.counted(count().await);
    mailbox.publish(&message("c"), None).0.done().await.unwrap();
}

#[tokio::test]
async fn a_message_to_many_receivers_costs_its_own_visitor_and_not_a_neighbour_of_the_same_batch() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let most = Most { messages: 1000, bytes: 1 << 20, subscribers: 64, total: 1 << 30, visitor: 1 << 30, ..MOST };
    let most = Most { project: 1 << 30, ..most };
    let mailbox = started(&database, most, false);
    for client in 100..164 {
        mailbox.subscribe(of(client), vec![Topic([1; 32])]).done().await.unwrap();
    }
    let paid = |one: Arc<Message>, visitor, topic| {
        let payer = Payer { visitor, project: visitor };
        Arc::new(Message { payer, topic: Topic([topic; 32]), ..Message::clone(&one) })
    };
    let mut published: Vec<_> = (0..10).map(|number| paid(message(&number.to_string()), 66, 1)).collect();
    published.push(paid(message(&"x".repeat(100_000)), 7, 2));
    let batch = Batch { published, ..Batch::default() };
    let free = mailbox.ledger.free_for(std::slice::from_ref(&batch));
    let stored =
        table::commit(&database, &[batch], (most, &free), now(), Instant::now() + GIVE_UP).await.unwrap().stored;
    let charged =
        |visitor| -> u64 { stored.iter().filter(|(payer, _)| payer.visitor == visitor).map(|(_, bytes)| bytes).sum() };
    assert_eq!((charged(66), charged(7)), (10 * 64 * 701, 100_700));
    let counts = table::counted(&database, (0, 0)).await.unwrap();
    assert_eq!((counts.visitors[&66], counts.visitors[&7]), (charged(66), charged(7)));
}

#[tokio::test]
async fn what_cannot_be_written_in_time_is_given_up_and_holds_nothing_afterwards() {
    let (database, folder) = database().await;
    database.migrate().await.unwrap();
    let mailbox = started(&database, MOST, false);
    let file = SqliteConnectOptions::new().filename(folder.path().join("portico.db"));
    let mut other = SqliteConnection::connect_with(&file).await.unwrap();
    let held = other.begin_with("begin immediate").await.unwrap();
    let one = message("a");
    tokio::time::pause();
    let begun = Instant::now();
    let published = mailbox.publish(&one, None).0;
    // A paused clock does not wait for the thread that reads the file: 16 and 19 seconds were seen where 10 are expected.
    let refused = tokio::time::timeout(3 * GIVE_UP, published.done()).await;
    assert_eq!((refused, mailbox.is_well()), (Ok(Err(Fault::Storage)), false));
    assert!(begun.elapsed() >= GIVE_UP);
    let subscribed = mailbox.subscribe(of(2), vec![one.topic]);
    let refused = tokio::time::timeout(3 * GIVE_UP, subscribed.done()).await;
    assert_eq!(refused, Ok(Err(Fault::Storage)));
    tokio::time::resume();
    held.rollback().await.unwrap();
    mailbox.subscribe(of(2), vec![one.topic]).done().await.unwrap();
    mailbox.publish(&one, None).0.done().await.unwrap();
    assert!(mailbox.is_well());
    assert_eq!(table::counts(&database).await.unwrap(), (1, 1));
}

#[tokio::test]
async fn what_waited_too_long_for_its_turn_is_given_up_and_what_came_later_is_not() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let (mailbox, write) = Mailbox::new(database.clone(), MOST, false);
    let early = mailbox.subscribe(of(2), vec![Topic([1; 32])]);
    tokio::time::pause();
    tokio::time::advance(GIVE_UP).await;
    tokio::time::resume();
    let late = mailbox.subscribe(of(3), vec![Topic([1; 32])]);
    tokio::spawn(write);
    assert_eq!((early.done().await, late.done().await), (Err(Fault::Storage), Ok(vec![true])));
    assert_eq!(table::counts(&database).await.unwrap(), (0, 1));
}

#[tokio::test]
async fn orders_are_refused_where_too_many_wait_and_taken_when_those_are_done() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let (mailbox, write) = Mailbox::new(database.clone(), MOST, false);
    let one = message("a");
    let waiting = mailbox.subscribe(of(2), vec![one.topic; 3]);
    assert_eq!(mailbox.ordered.available_permits(), ORDERED - 3);
    tokio::spawn(write);
    waiting.done().await.unwrap();
    mailbox.publish(&one, None).0.done().await.unwrap();
    let all = mailbox.ordered.clone().acquire_many_owned(u32::try_from(ORDERED).unwrap()).await.unwrap();
    assert_eq!(mailbox.unsubscribe(of(2), vec![one.topic]).done().await, Err(Fault::Storage));
    mailbox.take(of(2), vec![(one.topic, one.id)]);
    let mut settled = Box::pin(mailbox.settled());
    assert!(futures_util::poll!(&mut settled).is_pending());
    drop(all);
    settled.await.unwrap();
    assert_eq!(table::counts(&database).await.unwrap(), (1, 1));
    mailbox.take(of(2), vec![(one.topic, one.id)]);
    mailbox.settled().await.unwrap();
    assert_eq!(table::counts(&database).await.unwrap(), (0, 1));
    assert_eq!(mailbox.ordered.available_permits(), ORDERED);
}

#[tokio::test]
async fn orders_that_share_a_transaction_are_done_in_order() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let (mailbox, write) = Mailbox::new(database.clone(), Most { messages: 1, ..MOST }, false);
    let (first, later) = (message("a"), message("b"));
    let came = mailbox.subscribe(of(2), vec![first.topic]);
    let published = mailbox.publish(&first, None).0;
    let left = mailbox.unsubscribe(of(2), vec![first.topic]);
    let published_later = mailbox.publish(&later, None).0;
    // The first message was for the subscriber, so the mailbox for later ones has room for one more, not two.
    let full = mailbox.publish(&message("c"), None).0;
    let came_again = mailbox.subscribe(of(3), vec![Topic([3; 32]); 2]);
    tokio::spawn(write);
    assert_eq!(
        (came.done().await, left.done().await, came_again.done().await),
        (Ok(vec![true]), Ok(()), Ok(vec![true; 2]))
    );
    assert_eq!((published.done().await, published_later.done().await), (Ok(()), Ok(())));
    assert_eq!(full.done().await, Err(Fault::MailboxLimitExceeded));
    assert_eq!(table::counts(&database).await.unwrap(), (1, 1));
    let waits = table::waiting(&database, ClientId([2; 32]), &[first.topic], (0, 10), now()).await.unwrap();
    assert_eq!(waits[0].1.id, later.id);
}

#[tokio::test]
async fn a_share_is_one_for_all_batches_of_a_transaction() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    // Room for the worst case of both, which is two subscribers each, is not there, and room for one row of each is.
    let most = Most { subscribers: 2, total: 2 * 701, ..MOST };
    let batches = ["a", "b", "c"].map(|body| Batch { published: vec![message(body)], ..Batch::default() });
    let free = Ledger::new(most).free_for(&batches);
    let done = table::commit(&database, &batches, (most, &free), now(), Instant::now() + GIVE_UP).await.unwrap();
    assert_eq!((done.refused.published, table::counts(&database).await.unwrap()), (vec![2], (2, 0)));
}

#[tokio::test]
async fn orders_of_a_visitor_with_its_share_in_the_queue_are_refused_and_those_of_its_neighbour_are_done() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let (mailbox, write) = Mailbox::new(database.clone(), MOST, false);
    let one = message("a");
    let waiting: Vec<_> = (0..VISITOR_ORDERS / 2)
        .flat_map(|_| {
            let taken = mailbox.take_stored(of(2), vec![(one.topic, one.id)]);
            [taken, mailbox.unsubscribe(of(2), vec![one.topic])]
        })
        .collect();
    let refused = mailbox.unsubscribe(of(3), vec![one.topic]);
    assert_eq!(refused.0.now_or_never(), Some(Ok(Err(Fault::TooManyRequests))));
    let neighbour = Orderer { visitor: Ipv4Addr::new(192, 0, 2, 7).into(), ..of(4) };
    let came = mailbox.subscribe(neighbour, vec![one.topic]);
    tokio::spawn(write);
    assert_eq!(came.done().await, Ok(vec![true]));
    for one in waiting {
        one.done().await.unwrap();
    }
    mailbox.unsubscribe(of(3), vec![one.topic]).done().await.unwrap();
}

#[tokio::test]
async fn receipts_count_in_the_share_of_their_visitor_and_its_neighbour_leaves_its_own() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let mailbox = started(&database, Most { visitor: 3 * RECEIPT_ROW, ..MOST }, false);
    let one = message("a");
    mailbox.publish(&one, None).0.done().await.unwrap();
    let paid = |client, visitor| Orderer { payer: Payer { visitor, project: visitor }, ..of(client) };
    let waits = async |client: u8| {
        let topics = [one.topic];
        table::waiting(&database, ClientId([client; 32]), &topics, (0, 10), now()).await.unwrap().len()
    };
    for client in 10..20 {
        let invented = MessageId([client; 32]);
        mailbox.take_stored(paid(client, 66), vec![(one.topic, one.id), (one.topic, invented)]).done().await.unwrap();
        mailbox.take_stored(paid(client, 66), vec![(one.topic, one.id)]).done().await.unwrap();
        assert_eq!(waits(client).await, usize::from(client >= 13), "{client}");
    }
    // Its publisher is never sent the message and needs no receipt.
    mailbox.take_stored(paid(1, 1), vec![(one.topic, one.id)]).done().await.unwrap();
    assert_eq!(waits(20).await, 1);
    mailbox.take_stored(paid(20, 7), vec![(one.topic, one.id)]).done().await.unwrap();
    assert_eq!(waits(20).await, 0);
    let counts = table::counted(&database, (0, 0)).await.unwrap();
    let of = |visitor| counts.visitors.get(&visitor).copied();
    assert_eq!((of(66), of(7), of(1)), (Some(3 * RECEIPT_ROW), Some(RECEIPT_ROW), None));
    assert_eq!((counts.bytes, counts.projects[&66]), (701 + 4 * RECEIPT_ROW, 3 * RECEIPT_ROW));
    assert_eq!(mailbox.ledger.free_for(&[]).bytes, MOST.total - counts.bytes);
}

#[tokio::test]
async fn where_room_ends_receipts_give_way_before_messages_and_the_message_is_sent_once_more() {
    let (database, _folder) = database().await;
    database.migrate().await.unwrap();
    let mailbox = started(&database, Most { total: 1600, ..MOST }, false);
    let (first, second) = (message("a"), message("b"));
    mailbox.publish(&first, None).0.done().await.unwrap();
    mailbox.take_stored(of(2), vec![(first.topic, first.id)]).done().await.unwrap();
    mailbox.publish(&second, None).0.done().await.unwrap();
    let waits = table::waiting(&database, ClientId([2; 32]), &[first.topic], (0, 10), now()).await.unwrap();
    assert_eq!(waits.iter().map(|(_, message)| message.id).collect::<Vec<_>>(), [first.id, second.id]);
}
