//! Size limits of mailboxes, and the part of a batch that still fits.

use super::id::{ClientId, Topic};
use super::message::Message;
use super::share::Payer;
use super::table::Batch;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Size limits.
#[derive(Clone, Copy)]
pub(super) struct Most {
    pub(super) messages: usize,
    pub(super) bytes: usize,
    pub(super) subscribers: usize,
    /// Limit of all mailboxes together, in bytes; and the shares of one visitor and of one project.
    pub(super) total: u64,
    pub(super) visitor: u64,
    pub(super) project: u64,
    /// Limit of all subscriptions together, and the shares of one visitor and of one project.
    pub(super) subscriptions: u64,
    pub(super) visitor_subscriptions: u64,
    pub(super) project_subscriptions: u64,
}

/// Room that is free: in all, and of the shares of those who want it.
#[derive(Clone, Debug, Default)]
pub(super) struct Free {
    /// In bytes.
    pub(super) bytes: u64,
    pub(super) visitors: HashMap<i64, u64>,
    pub(super) projects: HashMap<i64, u64>,
    /// In subscriptions.
    pub(super) subscriptions: u64,
    pub(super) visitor_subscriptions: HashMap<i64, u64>,
    pub(super) project_subscriptions: HashMap<i64, u64>,
}

impl Free {
    pub(super) fn of(&self, payer: Payer) -> u64 {
        let of_visitor = self.visitors.get(&payer.visitor).copied().unwrap_or_default();
        let of_project = self.projects.get(&payer.project).copied().unwrap_or_default();
        self.bytes.min(of_visitor).min(of_project)
    }

    pub(super) fn store(&mut self, payer: Payer, bytes: u64) {
        let visitor = self.visitors.entry(payer.visitor).or_default();
        *visitor = visitor.saturating_sub(bytes);
        let project = self.projects.entry(payer.project).or_default();
        *project = project.saturating_sub(bytes);
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// Bytes of the rows that fit into the shares of their payers, whether or not there is room for all of them together. The others are
    /// rejected, so no row of another payer may give way to them.
    pub(super) fn within_shares(&self, rows: impl Iterator<Item = (Payer, u64)>) -> u64 {
        let mut left = Free { bytes: u64::MAX, ..self.clone() };
        let fitting = rows.filter(|(payer, bytes)| {
            let fits = *bytes <= left.of(*payer);
            if fits {
                left.store(*payer, *bytes);
            }
            fits
        });
        fitting.map(|(_, bytes)| bytes).sum()
    }

    /// Takes the place of one subscription; `false` if there is none.
    fn subscribe(&mut self, payer: Payer) -> bool {
        let of_visitor = self.visitor_subscriptions.entry(payer.visitor).or_default();
        let of_project = self.project_subscriptions.entry(payer.project).or_default();
        let fits = *of_visitor > 0 && *of_project > 0 && self.subscriptions > 0;
        if fits {
            *of_visitor -= 1;
            *of_project -= 1;
            self.subscriptions -= 1;
        }
        fits
    }
}

/// Lifetime of a message on a topic without subscribers, in milliseconds: somebody may be about to subscribe, as a phone does that has
/// just scanned a pairing code, which lives five minutes.
pub(super) const UNCLAIMED: i64 = 10 * 60 * 1000;

/// Rejected parts of batches, by their index among those of all batches.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Refused {
    pub(super) subscribed: Vec<usize>,
    pub(super) published: Vec<usize>,
}

/// Owner of a mailbox; `None` for the one for any later subscriber.
pub(super) type Receiver = Option<ClientId>;

/// Size of a row beside body and attestation of the message, in bytes.
pub(super) const ROW: usize = 700;

/// Size of a message in one mailbox, in bytes.
pub(super) fn row(message: &Message) -> u64 {
    (message.bytes() + ROW) as u64
}

/// Number of messages and bytes in each mailbox.
pub(super) type MailboxSizes = HashMap<(Topic, Receiver), (usize, usize)>;

/// The subscriptions that the topics still accept, deduplicated and sorted, so that two nodes do not deadlock. `counts` is the number
/// of subscribers that each topic already has.
pub(super) fn admitted(
    batch: &Batch,
    counts: &[(String, i64)],
    most: Most,
    free: &mut Free,
    refused: &mut Refused,
) -> Vec<(ClientId, Topic, Payer)> {
    let count = |(topic, count): &(String, i64)| Some((Topic::parse(topic)?, usize::try_from(*count).ok()?));
    let mut counts: HashMap<Topic, usize> = counts.iter().filter_map(count).collect();
    let mut admitted = HashMap::with_capacity(batch.subscribed.len());
    for (place, (client, topic, payer)) in batch.subscribed.iter().enumerate() {
        let count = counts.entry(*topic).or_default();
        // A duplicate within the batch does not take a second place.
        if let Entry::Vacant(vacant) = admitted.entry((*client, *topic)) {
            if *count >= most.subscribers || !free.subscribe(*payer) {
                refused.subscribed.push(place);
            } else {
                *count += 1;
                vacant.insert(*payer);
            }
        }
    }
    let mut admitted: Vec<(ClientId, Topic, Payer)> =
        admitted.into_iter().map(|((client, topic), payer)| (client, topic, payer)).collect();
    admitted.sort_unstable();
    admitted
}

/// Topics with a mailbox that this batch may overfill, and those of messages that may not fit into the room that is left to all, to the
/// visitor or to the project: the number of receivers per message matters then.
pub(super) fn crowded(batch: &Batch, held: &MailboxSizes, (most, free): (Most, &Free)) -> Vec<Topic> {
    let mut coming = HashMap::<Topic, (usize, usize)>::new();
    for message in &batch.published {
        let (messages, bytes) = coming.entry(message.topic).or_default();
        *messages += 1;
        *bytes += message.bytes();
    }
    let over = |topic: &Topic, (messages, bytes): (usize, usize)| {
        let (more, longer) = coming.get(topic).copied().unwrap_or_default();
        messages + more > most.messages || bytes + longer > most.bytes
    };
    let mut wanted = Free::default();
    for message in &batch.published {
        let bytes = row(message).saturating_mul(most.subscribers as u64);
        wanted.bytes = wanted.bytes.saturating_add(bytes);
        for sum in [
            wanted.visitors.entry(message.payer.visitor).or_default(),
            wanted.projects.entry(message.payer.project).or_default(),
        ] {
            *sum = sum.saturating_add(bytes);
        }
    }
    let tight = |payer: Payer| {
        wanted.bytes > free.bytes
            || wanted.visitors.get(&payer.visitor) > free.visitors.get(&payer.visitor)
            || wanted.projects.get(&payer.project) > free.projects.get(&payer.project)
    };
    let mut crowded: Vec<Topic> = coming.keys().filter(|topic| over(topic, (0, 0))).copied().collect();
    crowded.extend(batch.published.iter().filter(|message| tight(message.payer)).map(|message| message.topic));
    crowded.extend(held.iter().filter(|((topic, _), held)| over(topic, **held)).map(|((topic, _), _)| *topic));
    crowded.sort_unstable();
    crowded.dedup();
    crowded
}

/// Messages to store.
#[derive(Default)]
pub(super) struct Fitting<'b> {
    /// Messages for all subscribers.
    pub(super) everyone: Vec<&'b Arc<Message>>,
    /// Messages for single receivers, as other mailboxes are full.
    pub(super) some: Vec<(&'b Arc<Message>, Receiver)>,
}

/// Selects the messages that fit. A full mailbox is skipped: one client that never reads must not block the others. A message that no
/// mailbox accepts is rejected. `listening` lists the subscribers of crowded topics; `free` shrinks by what is
/// stored for single receivers.
pub(super) fn fitting<'b>(
    batch: &'b Batch,
    mut held: MailboxSizes,
    (crowded, listening): (&[Topic], &[(Topic, ClientId)]),
    (most, free): (Most, &mut Free),
    refused: &mut Refused,
) -> Fitting<'b> {
    let mut listeners = HashMap::<Topic, HashSet<ClientId>>::new();
    for (topic, client) in listening {
        listeners.entry(*topic).or_default().insert(*client);
    }
    let mut fitting = Fitting::default();
    for (place, message) in batch.published.iter().enumerate() {
        if crowded.binary_search(&message.topic).is_err() {
            fitting.everyone.push(message);
            continue;
        }
        let listeners = listeners.get(&message.topic).into_iter().flatten();
        let mut receivers: Vec<Receiver> =
            listeners.filter(|client| **client != message.publisher).map(|client| Some(*client)).collect();
        if receivers.is_empty() {
            receivers.push(None);
        }
        receivers.sort_unstable();
        let before = fitting.some.len();
        for receiver in receivers {
            let (messages, bytes) = held.entry((message.topic, receiver)).or_default();
            if *messages < most.messages
                && *bytes + message.bytes() <= most.bytes
                && row(message) <= free.of(message.payer)
            {
                *messages += 1;
                *bytes += message.bytes();
                free.store(message.payer, row(message));
                fitting.some.push((message, receiver));
            }
        }
        if fitting.some.len() == before {
            refused.published.push(place);
        }
    }
    fitting.everyone.sort_by_key(|message| (message.published_at, message.topic, message.id));
    fitting.some.sort_by_key(|(message, receiver)| (message.published_at, message.topic, message.id, *receiver));
    fitting
}

#[cfg(test)]
mod tests {
    use super::super::id::MessageId;
    use super::*;

    const MOST: Most = Most {
        messages: 3,
        bytes: 100,
        subscribers: 2,
        total: 10_000,
        visitor: 10_000,
        project: 10_000,
        subscriptions: 100,
        visitor_subscriptions: 100,
        project_subscriptions: 100,
    };

    /// So many bytes, and ten subscriptions, for the visitors 0 to 9 of project 0.
    fn free(bytes: u64) -> Free {
        let each = |left: u64| (0..10).map(|visitor| (visitor, left)).collect();
        let (visitor_subscriptions, project_subscriptions) = (each(10), each(10));
        let (visitors, projects) = (each(bytes), each(bytes));
        Free { bytes, visitors, projects, subscriptions: 10, visitor_subscriptions, project_subscriptions }
    }
    const TOPIC: Topic = Topic([1; 32]);

    fn client(number: u8) -> ClientId {
        ClientId([number; 32])
    }

    fn batch(bodies: &[&str]) -> Batch {
        let message = |body: &&str| {
            Arc::new(Message {
                topic: TOPIC,
                id: MessageId::of(body),
                publisher: client(1),
                tag: 0,
                published_at: 0,
                expires_at: 1,
                attestation: None,
                payer: Payer::default(),
                body: (*body).into(),
            })
        };
        Batch { published: bodies.iter().map(message).collect(), ..Batch::default() }
    }

    fn fit(bodies: &[&str], held: &[(u8, usize)], listening: &[u8], left: u64) -> (usize, Vec<Receiver>, Vec<usize>) {
        let batch = batch(bodies);
        let held: MailboxSizes =
            held.iter().map(|(number, messages)| ((TOPIC, Some(client(*number))), (*messages, 0))).collect();
        let mut free = free(left);
        let crowded = crowded(&batch, &held, (MOST, &free));
        let listening: Vec<_> = listening.iter().map(|number| (TOPIC, client(*number))).collect();
        let mut refused = Refused::default();
        let fitting = fitting(&batch, held, (&crowded, &listening), (MOST, &mut free), &mut refused);
        let some = fitting.some.iter().map(|(_, receiver)| *receiver).collect();
        (fitting.everyone.len(), some, refused.published)
    }

    #[test]
    fn a_topic_takes_so_many_subscribers_also_of_those_who_come_at_once() {
        let (full, other) = (Topic([2; 32]), Topic([3; 32]));
        let subscribed = vec![
            (client(3), TOPIC, Payer::default()),
            (client(2), TOPIC, Payer::default()),
            (client(3), TOPIC, Payer::default()),
            (client(4), TOPIC, Payer::default()),
            (client(1), full, Payer::default()),
            (client(1), other, Payer::default()),
        ];
        let batch = Batch { subscribed, ..Batch::default() };
        let mut refused = Refused::default();
        let admitted =
            admitted(&batch, &[(full.to_string(), 2), (other.to_string(), 1)], MOST, &mut free(0), &mut refused);
        let payer = Payer::default();
        assert_eq!(admitted, [(client(1), other, payer), (client(2), TOPIC, payer), (client(3), TOPIC, payer)]);
        assert_eq!(refused.subscribed, [3, 4]);
    }

    #[test]
    fn a_visitor_has_a_share_of_the_subscriptions_and_the_others_find_room() {
        let topic = |number| Topic([number; 32]);
        let of = |visitor| Payer { visitor, project: 0 };
        let subscribed = vec![(client(1), topic(1), of(1)), (client(1), topic(2), of(1)), (client(2), topic(3), of(2))];
        let batch = Batch { subscribed, ..Batch::default() };
        let mut refused = Refused::default();
        let mut free = Free { visitor_subscriptions: HashMap::from([(1, 1), (2, 1)]), ..free(0) };
        let taken = admitted(&batch, &[], MOST, &mut free, &mut refused);
        let fitting = vec![(client(1), topic(1), of(1)), (client(2), topic(3), of(2))];
        assert_eq!((taken, refused.subscribed), (fitting, vec![1]));
        // Those of a project are bounded, and all together.
        let mut refused = Refused::default();
        let mut free = Free { project_subscriptions: HashMap::from([(0, 2)]), ..self::free(0) };
        assert_eq!(admitted(&batch, &[], MOST, &mut free, &mut refused).len(), 2);
        assert_eq!(refused.subscribed, [2]);
        let mut refused = Refused::default();
        let mut free = Free { subscriptions: 1, ..self::free(0) };
        assert_eq!(admitted(&batch, &[], MOST, &mut free, &mut refused).len(), 1);
        assert_eq!(refused.subscribed, [1, 2]);
    }

    #[test]
    fn a_visitor_and_a_project_have_a_share_of_the_room_and_the_others_find_theirs() {
        let listening = [(TOPIC, client(8)), (TOPIC, client(9))];
        let of = |visitor, project| Payer { visitor, project };
        // Each message takes two rows of 701 bytes.
        for (full, payers, fits, refusals) in [
            (
                Free { visitors: HashMap::from([(1, 1402), (2, 1402)]), ..free(9000) },
                [of(1, 0), of(1, 0), of(2, 0)],
                4,
                vec![1],
            ),
            (
                Free { projects: HashMap::from([(1, 1402), (2, 1402)]), ..free(9000) },
                [of(1, 1), of(2, 1), of(1, 2)],
                4,
                vec![1],
            ),
            (free(9000), [of(1, 0), of(1, 0), of(2, 0)], 6, vec![]),
        ] {
            let mut batch = batch(&["a", "b", "c"]);
            for (message, payer) in batch.published.iter_mut().zip(payers) {
                *message = Arc::new(Message { payer, ..Message::clone(message) });
            }
            let (mut free, mut refused) = (full, Refused::default());
            let crowded = crowded(&batch, &MailboxSizes::new(), (MOST, &free));
            let most = (MOST, &mut free);
            let fitting = fitting(&batch, MailboxSizes::new(), (&crowded, &listening), most, &mut refused);
            assert_eq!((fitting.everyone.len() * 2 + fitting.some.len(), refused.published), (fits, refusals));
        }
    }

    #[test]
    fn a_full_mailbox_is_left_out_and_keeps_nothing_from_the_others() {
        assert_eq!(fit(&["a"], &[(2, 2)], &[1, 2, 3], 10_000), (1, vec![], vec![]));
        assert_eq!(fit(&["a"], &[(2, 3)], &[1, 2, 3], 10_000), (0, vec![Some(client(3))], vec![]));
        // The publisher gets no copy, so its own mailbox does not count.
        assert_eq!(fit(&["a"], &[(2, 3)], &[1, 2], 10_000), (0, vec![], vec![0]));
        let (everyone, some, refused) = fit(&["a", "b"], &[(2, 2)], &[2, 3], 10_000);
        assert_eq!((everyone, some.len(), refused), (0, 3, vec![]));
    }

    #[test]
    fn an_attestation_counts_as_the_message_does() {
        let mut batch = batch(&["a"]);
        let message = Message { attestation: Some("x".repeat(99).into()), ..Message::clone(&batch.published[0]) };
        batch.published = vec![Arc::new(message)];
        let mut refused = Refused::default();
        let held = |bytes| MailboxSizes::from([((TOPIC, Some(client(2))), (0, bytes))]);
        let listening = [(TOPIC, client(2))];
        for (bytes, rejected) in [(0, vec![]), (1, vec![0])] {
            let mut free = free(10_000);
            let crowded = crowded(&batch, &held(bytes), (MOST, &free));
            fitting(&batch, held(bytes), (&crowded, &listening), (MOST, &mut free), &mut refused);
            assert_eq!(refused.published, rejected, "{bytes}");
        }
        assert_eq!(row(&batch.published[0]), 100 + ROW as u64);
    }

    #[test]
    fn where_nobody_listens_the_mailbox_of_whoever_comes_is_bounded_as_any() {
        let (_, some, refused) = fit(&["a", "b", "c", "d"], &[], &[], 10_000);
        assert_eq!((some, refused), (vec![None; 3], vec![3]));
        let long = "a".repeat(60);
        let (_, some, refused) = fit(&[&long, &format!("b{long}"), "c"], &[], &[], 10_000);
        assert_eq!((some, refused), (vec![None; 2], vec![1]));
    }

    #[test]
    fn all_mailboxes_together_are_bounded() {
        assert_eq!(fit(&["a", "b"], &[], &[], 701), (0, vec![None], vec![1]));
        assert_eq!(fit(&["a"], &[], &[], 700), (0, vec![], vec![0]));
        // Each receiver has a row of its own.
        assert_eq!(fit(&["a", "b"], &[], &[2, 3], 4 * 701), (2, vec![], vec![]));
        let both = vec![Some(client(2)), Some(client(3))];
        assert_eq!(fit(&["a", "b"], &[], &[2, 3], 3 * 701 - 1), (0, both, vec![1]));
    }
}
