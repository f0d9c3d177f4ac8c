//! Size limits of mailboxes, and the part of a batch that still fits.

use super::id::{ClientId, Topic};
use super::message::Message;
use super::table::Batch;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Size limits.
#[derive(Clone, Copy)]
pub(super) struct Most {
    pub(super) messages: usize,
    pub(super) bytes: usize,
    pub(super) subscribers: usize,
    /// Limit of all mailboxes together, in bytes.
    pub(super) total: u64,
}

/// Rejected parts of a batch, by their index.
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
fn row(message: &Message) -> u64 {
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
    refused: &mut Refused,
) -> Vec<(ClientId, Topic)> {
    let count = |(topic, count): &(String, i64)| Some((Topic::parse(topic)?, usize::try_from(*count).ok()?));
    let mut counts: HashMap<Topic, usize> = counts.iter().filter_map(count).collect();
    let mut admitted = HashSet::with_capacity(batch.subscribed.len());
    for (place, subscription) in batch.subscribed.iter().enumerate() {
        let count = counts.entry(subscription.1).or_default();
        // A duplicate within the batch does not take a second place.
        if !admitted.contains(subscription) {
            if *count >= most.subscribers {
                refused.subscribed.push(place);
            } else {
                *count += 1;
                admitted.insert(*subscription);
            }
        }
    }
    let mut admitted: Vec<(ClientId, Topic)> = admitted.into_iter().collect();
    admitted.sort_unstable();
    admitted
}

/// Topics with a mailbox that this batch may overfill. All topics of the batch if the limit of all mailboxes together may be exceeded,
/// as the number of receivers per message matters then.
pub(super) fn crowded(batch: &Batch, held: &MailboxSizes, (most, left): (Most, u64)) -> Vec<Topic> {
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
    let rows: u64 = batch.published.iter().map(|message| row(message)).sum();
    let all = rows.saturating_mul(most.subscribers as u64) > left;
    let mut crowded: Vec<Topic> = coming.keys().filter(|topic| all || over(topic, (0, 0))).copied().collect();
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
/// mailbox accepts is rejected. `listening` lists the subscribers of crowded topics, `left` is the free space of all mailboxes in bytes.
pub(super) fn fitting<'b>(
    batch: &'b Batch,
    mut held: MailboxSizes,
    (crowded, listening): (&[Topic], &[(Topic, ClientId)]),
    (most, mut left): (Most, u64),
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
            if *messages < most.messages && *bytes + message.bytes() <= most.bytes && row(message) <= left {
                *messages += 1;
                *bytes += message.bytes();
                left -= row(message);
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

    const MOST: Most = Most { messages: 3, bytes: 100, subscribers: 2, total: 10_000 };
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
                body: (*body).into(),
            })
        };
        Batch { published: bodies.iter().map(message).collect(), ..Batch::default() }
    }

    fn fit(bodies: &[&str], held: &[(u8, usize)], listening: &[u8], left: u64) -> (usize, Vec<Receiver>, Vec<usize>) {
        let batch = batch(bodies);
        let held: MailboxSizes =
            held.iter().map(|(number, messages)| ((TOPIC, Some(client(*number))), (*messages, 0))).collect();
        let crowded = crowded(&batch, &held, (MOST, left));
        let listening: Vec<_> = listening.iter().map(|number| (TOPIC, client(*number))).collect();
        let mut refused = Refused::default();
        let fitting = fitting(&batch, held, (&crowded, &listening), (MOST, left), &mut refused);
        let some = fitting.some.iter().map(|(_, receiver)| *receiver).collect();
        (fitting.everyone.len(), some, refused.published)
    }

    #[test]
    fn a_topic_takes_so_many_subscribers_also_of_those_who_come_at_once() {
        let (full, other) = (Topic([2; 32]), Topic([3; 32]));
        let subscribed = vec![
            (client(3), TOPIC),
            (client(2), TOPIC),
            (client(3), TOPIC),
            (client(4), TOPIC),
            (client(1), full),
            (client(1), other),
        ];
        let batch = Batch { subscribed, ..Batch::default() };
        let mut refused = Refused::default();
        let admitted = admitted(&batch, &[(full.to_string(), 2), (other.to_string(), 1)], MOST, &mut refused);
        assert_eq!(admitted, [(client(1), other), (client(2), TOPIC), (client(3), TOPIC)]);
        assert_eq!(refused.subscribed, [3, 4]);
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
            let crowded = crowded(&batch, &held(bytes), (MOST, 10_000));
            fitting(&batch, held(bytes), (&crowded, &listening), (MOST, 10_000), &mut refused);
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
