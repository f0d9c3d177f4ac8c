//! How much may be there, and what of a batch still fits.

use super::id::{ClientId, Topic};
use super::message::Message;
use super::table::Batch;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How much may be there.
#[derive(Clone, Copy)]
pub(super) struct Most {
    pub(super) messages: usize,
    pub(super) bytes: usize,
    pub(super) subscribers: usize,
    /// In all mailboxes together, in bytes.
    pub(super) total: u64,
}

/// What could not be done of a batch, by its place.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Refused {
    pub(super) subscribed: Vec<usize>,
    pub(super) published: Vec<usize>,
}

/// Whose mailbox it is; none for that of whoever comes.
pub(super) type Receiver = Option<ClientId>;

/// What one row takes beside the message, in bytes.
pub(super) const ROW: usize = 700;

/// What a message takes in one mailbox, in bytes.
fn row(message: &Message) -> u64 {
    (message.body.len() + ROW) as u64
}

/// What mailboxes hold: messages and bytes.
pub(super) type MailboxSizes = HashMap<(Topic, Receiver), (usize, usize)>;

/// Those subscriptions that the topics still take, each once and always in the same order, so that two nodes do not wait for one
/// another. `counts` is how many each topic has already.
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
        // Whoever came with the same batch has a place too.
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

/// Topics of which a mailbox may become full by this batch. All of them where all mailboxes together may become too large: then it counts
/// how many receivers each message has.
pub(super) fn crowded(batch: &Batch, held: &MailboxSizes, (most, left): (Most, u64)) -> Vec<Topic> {
    let mut coming = HashMap::<Topic, (usize, usize)>::new();
    for message in &batch.published {
        let (messages, bytes) = coming.entry(message.topic).or_default();
        *messages += 1;
        *bytes += message.body.len();
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

/// What is to be stored.
#[derive(Default)]
pub(super) struct Fitting<'b> {
    /// For everyone who listens.
    pub(super) everyone: Vec<&'b Arc<Message>>,
    /// For these alone, as the mailboxes of others are full.
    pub(super) some: Vec<(&'b Arc<Message>, Receiver)>,
}

/// Those that fit. A mailbox that is full is left out: one client that never reads must not keep a message from the others. Refused is
/// what no mailbox takes. `listening` is who listens to the topics that are crowded, `left` how many bytes all mailboxes still take.
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
            if *messages < most.messages && *bytes + message.body.len() <= most.bytes && row(message) <= left {
                *messages += 1;
                *bytes += message.body.len();
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
        // The publisher is told nothing, so its own mailbox is no room.
        assert_eq!(fit(&["a"], &[(2, 3)], &[1, 2], 10_000), (0, vec![], vec![0]));
        let (everyone, some, refused) = fit(&["a", "b"], &[(2, 2)], &[2, 3], 10_000);
        assert_eq!((everyone, some.len(), refused), (0, 3, vec![]));
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
