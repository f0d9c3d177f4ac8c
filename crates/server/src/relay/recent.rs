//! Recently published messages: clients without a response publish again, and that is the same message (dedupe).
//!
//! The mailbox also knows messages that still wait for a receiver; this cache knows those that every receiver already has.
//! Publishing a message that is being stored waits for the outcome, which the writer reports to all publishers still connected.

use super::fault::Fault;
use super::id::{MessageId, Topic};
use super::message::Message;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Size of a generation, and its minimum age unless it fills up earlier; clients publish again within a minute.
const MOST: usize = 100_000;
const TIME: Duration = Duration::from_secs(300);

/// Outcome of storing a message; `None` while it is being stored.
pub(super) type Outcome = Option<Result<(), Fault>>;

/// Whether a message is known.
pub(super) enum Known {
    /// New: the writer reports the outcome through the sender and calls [`Recent::settle`].
    No(watch::Sender<Outcome>, watch::Receiver<Outcome>),
    /// Being stored.
    Storing(watch::Receiver<Outcome>),
    Stored,
}

/// Cache with two generations: the older one is dropped when the younger is full or old.
#[derive(Default)]
pub(super) struct Recent {
    generations: Mutex<Option<Generations>>,
}

struct Generations {
    young: HashMap<(Topic, MessageId), Entry>,
    old: HashMap<(Topic, MessageId), Entry>,
    since: Instant,
}

struct Entry {
    /// In epoch milliseconds.
    expires_at: i64,
    /// Outcome to wait for; `None` if the message is stored.
    storing: Option<watch::Receiver<Outcome>>,
}

impl Recent {
    /// Looks a message up, and remembers it if it is new or its earlier entry has expired. Times are in epoch milliseconds.
    pub(super) fn meet(&self, message: &Message, at: i64) -> Known {
        let now = Instant::now();
        let key = (message.topic, message.id);
        let mut generations = self.lock();
        let generations =
            generations.get_or_insert_with(|| Generations { young: HashMap::new(), old: HashMap::new(), since: now });
        if generations.young.len() >= MOST || now.duration_since(generations.since) >= TIME {
            generations.old = std::mem::take(&mut generations.young);
            generations.since = now;
        }
        let known = generations.young.get(&key).or_else(|| generations.old.get(&key));
        match known.filter(|entry| entry.expires_at > at) {
            Some(Entry { storing: Some(outcome), .. }) => Known::Storing(outcome.clone()),
            Some(Entry { storing: None, .. }) => Known::Stored,
            None => {
                let (tell, outcome) = watch::channel(None);
                let entry = Entry { expires_at: message.expires_at, storing: Some(outcome.clone()) };
                generations.young.insert(key, entry);
                Known::No(tell, outcome)
            }
        }
    }

    /// Records the outcome. A message that could not be stored counts as new the next time.
    pub(super) fn settle(&self, topic: Topic, id: MessageId, stored: bool) {
        let mut generations = self.lock();
        let Some(generations) = generations.as_mut() else { return };
        for known in [&mut generations.young, &mut generations.old] {
            if !stored {
                known.remove(&(topic, id));
            } else if let Some(entry) = known.get_mut(&(topic, id)) {
                entry.storing = None;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Generations>> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::id::ClientId;
    use super::*;

    fn message(topic: u8, expires_at: i64) -> Message {
        Message {
            topic: Topic([topic; 32]),
            id: MessageId([1; 32]),
            publisher: ClientId([1; 32]),
            tag: 0,
            published_at: 0,
            expires_at,
            attestation: None,
            payer: Default::default(),
            body: "a".into(),
        }
    }

    fn is_first(recent: &Recent, message: &Message, at: i64) -> bool {
        matches!(recent.meet(message, at), Known::No(..))
    }

    #[tokio::test(start_paused = true)]
    async fn a_message_is_new_once_for_five_minutes_at_least_and_ten_at_most() {
        let recent = Recent::default();
        let one = message(1, i64::MAX);
        assert!(is_first(&recent, &one, 0) && !is_first(&recent, &one, 0));
        assert!(is_first(&recent, &message(2, i64::MAX), 0));
        tokio::time::advance(TIME).await;
        assert!(!is_first(&recent, &one, 0));
        tokio::time::advance(TIME).await;
        assert!(is_first(&recent, &one, 0));
        recent.settle(one.topic, one.id, false);
        assert!(is_first(&recent, &one, 0));
    }

    #[tokio::test]
    async fn what_has_expired_may_be_published_again() {
        let recent = Recent::default();
        let one = message(1, 1000);
        assert!(is_first(&recent, &one, 0) && !is_first(&recent, &one, 999) && is_first(&recent, &one, 1000));
    }

    #[tokio::test]
    async fn who_comes_while_it_is_stored_is_told_what_becomes_of_it() {
        let recent = Recent::default();
        let one = message(1, i64::MAX);
        let Known::No(tell, _) = recent.meet(&one, 0) else { panic!("it is new") };
        let Known::Storing(mut outcome) = recent.meet(&one, 0) else { panic!("it is not stored yet") };
        recent.settle(one.topic, one.id, true);
        assert!(matches!(recent.meet(&one, 0), Known::Stored));
        tell.send_replace(Some(Ok(())));
        assert_eq!(*outcome.wait_for(Option::is_some).await.unwrap(), Some(Ok(())));
    }
}
