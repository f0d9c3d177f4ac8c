//! Shares of the relay's room: each visitor and each project may fill a part of it only, and mail that nobody subscribes to gives way.
//!
//! The payer of a row stands in the table as keyed hashes, so that the counts survive a restart and hold for all nodes.
//! Between two counts each node adds what it has stored itself.

use super::room::{Free, Most};
use super::table::Batch;
use k256::sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Visitor and project whose shares a message, receipt or subscription counts against, as keyed hashes.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(super) struct Payer {
    pub(super) visitor: i64,
    pub(super) project: i64,
}

impl Payer {
    /// `secret` is the key of the hashes.
    pub(super) fn new(secret: &str, visitor: IpAddr, project: &str) -> Payer {
        let hash = |kind: &str, text: &str| {
            let hash: [u8; 32] = Sha256::digest([secret, kind, text].join("\n")).into();
            i64::from_be_bytes([hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]])
        };
        Payer { visitor: hash("visitor", &visitor.to_string()), project: hash("project", project) }
    }
}

/// Bytes that a receipt counts for, as it has three ids of 64 letters and stands in an index as well.
pub(super) const RECEIPT_ROW: u64 = 512;

/// Stored bytes and subscriptions, as counted in the tables.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Bytes of all mailboxes and receipts together.
    pub(super) bytes: u64,
    /// Bytes by visitor and by project; those with little may be missing.
    pub(super) visitors: HashMap<i64, u64>,
    pub(super) projects: HashMap<i64, u64>,
    pub(super) subscriptions: u64,
    /// Number of subscriptions by visitor and by project; those with few may be missing.
    pub(super) visitor_subscriptions: HashMap<i64, u64>,
    pub(super) project_subscriptions: HashMap<i64, u64>,
}

impl Counts {
    fn add(&mut self, stored: &[(Payer, u64)], subscribed: &[Payer]) {
        for (payer, bytes) in stored {
            self.bytes += bytes;
            *self.visitors.entry(payer.visitor).or_default() += bytes;
            *self.projects.entry(payer.project).or_default() += bytes;
        }
        self.subscriptions += subscribed.len() as u64;
        for payer in subscribed {
            *self.visitor_subscriptions.entry(payer.visitor).or_default() += 1;
            *self.project_subscriptions.entry(payer.project).or_default() += 1;
        }
    }
}

/// Counts of what is stored, and the limits.
#[derive(Clone)]
pub(super) struct Ledger {
    most: Most,
    books: Arc<Mutex<Books>>,
}

#[derive(Default)]
struct Books {
    counts: Counts,
    /// Rows stored while the tables are being counted: the count may or may not contain them.
    meanwhile: Option<Stored>,
}

/// Bytes by payer, and the payer of each new subscription.
#[derive(Default)]
struct Stored {
    bytes: Vec<(Payer, u64)>,
    subscribed: Vec<Payer>,
}

impl Ledger {
    pub(super) fn new(most: Most) -> Ledger {
        Ledger { most, books: Arc::default() }
    }

    pub(super) fn most(&self) -> Most {
        self.most
    }

    /// Room that is free for these batches.
    pub(super) fn free_for(&self, batches: &[Batch]) -> Free {
        let (most, books) = (&self.most, self.lock());
        let counts = &books.counts;
        let left =
            |most: u64, of: &HashMap<i64, u64>, key: i64| most.saturating_sub(of.get(&key).copied().unwrap_or(0));
        let payers = || {
            let published = batches.iter().flat_map(|batch| &batch.published).map(|message| message.payer);
            published.chain(batches.iter().flat_map(|batch| &batch.taken).map(|(.., payer)| *payer))
        };
        let of_visitor = |payer: Payer| (payer.visitor, left(most.visitor, &counts.visitors, payer.visitor));
        let of_project = |payer: Payer| (payer.project, left(most.project, &counts.projects, payer.project));
        let subscribers = || batches.iter().flat_map(|batch| &batch.subscribed).map(|(_, _, payer)| *payer);
        let visitor_subscriptions =
            |Payer { visitor, .. }| (visitor, left(most.visitor_subscriptions, &counts.visitor_subscriptions, visitor));
        let project_subscriptions =
            |Payer { project, .. }| (project, left(most.project_subscriptions, &counts.project_subscriptions, project));
        Free {
            bytes: most.total.saturating_sub(counts.bytes),
            visitors: payers().map(of_visitor).collect(),
            projects: payers().map(of_project).collect(),
            subscriptions: most.subscriptions.saturating_sub(counts.subscriptions),
            visitor_subscriptions: subscribers().map(visitor_subscriptions).collect(),
            project_subscriptions: subscribers().map(project_subscriptions).collect(),
        }
    }

    /// Whether the shares of the payer have room for one more row of this size.
    pub(super) fn has_room(&self, payer: Payer, bytes: u64) -> bool {
        let books = self.lock();
        let used = |of: &HashMap<i64, u64>, key: i64| of.get(&key).copied().unwrap_or(0).saturating_add(bytes);
        used(&books.counts.visitors, payer.visitor) <= self.most.visitor
            && used(&books.counts.projects, payer.project) <= self.most.project
    }

    /// Adds what was stored: bytes by payer, and the payer of each new subscription.
    pub(super) fn add(&self, stored: &[(Payer, u64)], subscribed: &[Payer]) {
        let mut books = self.lock();
        books.counts.add(stored, subscribed);
        if let Some(meanwhile) = &mut books.meanwhile {
            meanwhile.bytes.extend_from_slice(stored);
            meanwhile.subscribed.extend_from_slice(subscribed);
        }
    }

    /// Subtracts bytes that gave way to others.
    pub(super) fn subtract(&self, bytes: u64) {
        let mut books = self.lock();
        books.counts.bytes = books.counts.bytes.saturating_sub(bytes);
    }

    /// Remembers what is stored from now on until [`Ledger::counted`].
    pub(super) fn begin_count(&self) {
        self.lock().meanwhile = Some(Stored::default());
    }

    /// Replaces the counts by those of the tables. What was stored meanwhile is added, so that it counts twice rather than not at all.
    pub(super) fn counted(&self, counts: Counts) {
        let mut books = self.lock();
        let meanwhile = books.meanwhile.take().unwrap_or_default();
        books.counts = counts;
        books.counts.add(&meanwhile.bytes, &meanwhile.subscribed);
    }

    /// Used part of the bytes and of the subscriptions, from 0 to 1.
    pub(super) fn fullness(&self) -> [f64; 2] {
        let books = self.lock();
        let counts = &books.counts;
        let part = |used: u64, most: u64| {
            crate::guard::memory::fullness(used.try_into().unwrap_or(usize::MAX), most.try_into().unwrap_or(usize::MAX))
        };
        [part(counts.bytes, self.most.total), part(counts.subscriptions, self.most.subscriptions)]
    }

    fn lock(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fault::Fault;
    use super::super::id::{ClientId, MessageId, Topic};
    use super::super::mailbox::{Mailbox, Orderer};
    use super::super::message::Message;
    use super::super::room::UNCLAIMED;
    use super::super::{now, table};
    use super::*;
    use crate::config::DatabasePlace;
    use crate::db::Database;
    use std::net::Ipv4Addr;
    use tempfile::TempDir;

    #[test]
    fn a_payer_is_the_same_for_the_same_key_and_tells_nothing_without_it() {
        let payer = |secret, address: &str, project| Payer::new(secret, address.parse().unwrap(), project);
        let one = payer("a", "192.0.2.1", "shop");
        assert_eq!(one, payer("a", "192.0.2.1", "shop"));
        let others = [payer("b", "192.0.2.1", "shop"), payer("a", "192.0.2.2", "bank"), payer("a", "::1", "192.0.2.1")];
        for other in others {
            assert!(other.visitor != one.visitor && other.project != one.project);
        }
    }
    const MOST: Most = Most {
        messages: 10,
        bytes: 1024,
        subscribers: 2,
        total: 4 * ROW_OF_ONE,
        visitor: 2 * ROW_OF_ONE,
        project: 3 * ROW_OF_ONE,
        subscriptions: 3,
        visitor_subscriptions: 2,
        project_subscriptions: 2,
    };

    /// Bytes of a stored message of one letter.
    const ROW_OF_ONE: u64 = 701;

    struct Room {
        database: Database,
        mailbox: Mailbox,
        _folder: TempDir,
    }

    impl Room {
        async fn new() -> Room {
            let folder = tempfile::tempdir().unwrap();
            let database = Database::open(&DatabasePlace::Sqlite(folder.path().join("portico.db"))).await.unwrap();
            database.migrate().await.unwrap();
            let (mailbox, write) = Mailbox::new(database.clone(), MOST, false);
            tokio::spawn(write);
            Room { database, mailbox, _folder: folder }
        }

        async fn publish(&self, visitor: i64, topic: u8, body: &str) -> Result<(), Fault> {
            let message = Message {
                topic: Topic([topic; 32]),
                id: MessageId::of(body),
                publisher: ClientId([9; 32]),
                tag: 0,
                published_at: now(),
                expires_at: i64::MAX,
                attestation: None,
                payer: Payer { visitor, project: visitor / 10 },
                body: body.into(),
            };
            self.mailbox.publish(&Arc::new(message), None).0.done().await
        }

        async fn subscribe(&self, visitor: i64, client: u8, topic: u8) -> bool {
            let payer = Payer { visitor, project: visitor / 10 };
            let by = Orderer { client: ClientId([client; 32]), visitor: Ipv4Addr::LOCALHOST.into(), payer };
            self.mailbox.subscribe(by, vec![Topic([topic; 32])]).done().await.unwrap()[0]
        }
    }

    const FULL: Result<(), Fault> = Err(Fault::MailboxLimitExceeded);

    #[tokio::test]
    async fn a_visitor_fills_its_share_and_a_project_its_own_and_a_restart_forgets_neither() {
        let mut stored = Room::new().await;
        assert!(stored.subscribe(1, 1, 1).await);
        for round in 0..2 {
            for (visitor, body, expected) in [(11, "a", Ok(())), (11, "b", Ok(())), (11, "c", FULL), (12, "d", Ok(()))]
            {
                let body = format!("{body}{round}");
                let expected = if round == 0 { expected } else { FULL };
                assert_eq!(stored.publish(visitor, 1, &body[..=round]).await, expected, "{visitor} {body}");
            }
            // The project has no room left.
            assert_eq!(stored.publish(13, 1, "e").await, FULL);
            let (mailbox, write) = Mailbox::new(stored.database.clone(), MOST, false);
            tokio::spawn(write);
            mailbox.ledger().counted(table::counted(&stored.database, (1, 1)).await.unwrap());
            stored.mailbox = mailbox;
        }
        assert_eq!(stored.publish(21, 1, "f").await, Ok(()));
    }

    #[tokio::test]
    async fn a_visitor_has_a_share_of_the_subscriptions_also_after_a_restart() {
        let mut stored = Room::new().await;
        assert!(stored.subscribe(1, 1, 1).await && stored.subscribe(1, 1, 2).await);
        assert!(!stored.subscribe(1, 1, 3).await);
        let (mailbox, write) = Mailbox::new(stored.database.clone(), MOST, false);
        tokio::spawn(write);
        mailbox.ledger().counted(table::counted(&stored.database, (1, 1)).await.unwrap());
        stored.mailbox = mailbox;
        assert!(!stored.subscribe(1, 1, 3).await);
        assert!(stored.subscribe(12, 2, 3).await);
        assert_eq!(stored.mailbox.fullness()[1], 1.0);
        assert!(!stored.subscribe(23, 3, 3).await);
    }

    #[tokio::test]
    async fn a_project_has_a_share_of_the_subscriptions_also_after_a_restart() {
        let mut stored = Room::new().await;
        assert!(stored.subscribe(1, 1, 1).await && stored.subscribe(2, 2, 2).await);
        assert!(!stored.subscribe(3, 3, 3).await);
        let (mailbox, write) = Mailbox::new(stored.database.clone(), MOST, false);
        tokio::spawn(write);
        mailbox.ledger().counted(table::counted(&stored.database, (1, 1)).await.unwrap());
        stored.mailbox = mailbox;
        assert!(!stored.subscribe(3, 3, 3).await);
        assert!(stored.subscribe(13, 3, 3).await);
    }

    #[tokio::test]
    async fn a_message_that_exceeds_the_share_of_its_visitor_makes_no_others_give_way() {
        let stored = Room::new().await;
        assert!(stored.subscribe(1, 1, 1).await);
        for (visitor, topic, body) in [(1, 2, "a"), (2, 2, "b"), (11, 1, "c"), (11, 1, "d")] {
            assert_eq!(stored.publish(visitor, topic, body).await, Ok(()), "{body}");
        }
        for body in ["e", "f"] {
            assert_eq!(stored.publish(11, 1, body).await, FULL);
        }
        let waiting = table::waiting(&stored.database, ClientId([3; 32]), &[Topic([2; 32])], (0, 10), now()).await;
        let bodies: Vec<String> = waiting.unwrap().into_iter().map(|(_, message)| message.body.into_string()).collect();
        assert_eq!(bodies, ["a", "b"]);
        // A message within its share still makes them give way.
        assert_eq!(stored.publish(21, 1, "g").await, Ok(()));
    }

    #[tokio::test]
    async fn mail_that_nobody_subscribes_to_lives_ten_minutes_and_gives_way_where_room_ends() {
        let stored = Room::new().await;
        assert!(stored.subscribe(1, 1, 1).await);
        for (visitor, topic, body) in [(1, 2, "a"), (2, 2, "b"), (11, 1, "c"), (12, 1, "d")] {
            assert_eq!(stored.publish(visitor, topic, body).await, Ok(()), "{body}");
        }
        let waits = async |client: u8, topic: u8, at: i64| {
            let topics = [Topic([topic; 32])];
            let found = table::waiting(&stored.database, ClientId([client; 32]), &topics, (0, 10), at).await.unwrap();
            found.into_iter().map(|(_, message)| message.body.into_string()).collect::<Vec<_>>()
        };
        assert_eq!(waits(3, 2, now()).await, ["a", "b"]);
        assert!(waits(3, 2, now() + UNCLAIMED).await.is_empty());
        assert_eq!(waits(1, 1, now() + UNCLAIMED).await, ["c", "d"]);
        // All four rows are taken: the fifth finds room where nobody waits.
        assert_eq!(stored.publish(21, 1, "e").await, Ok(()));
        assert!(waits(3, 2, now()).await.is_empty());
        assert_eq!(waits(1, 1, now()).await, ["c", "d", "e"]);
    }
}
