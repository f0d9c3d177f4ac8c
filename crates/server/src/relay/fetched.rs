//! Messages that a client fetched and may not have received: they stay in its mailbox until it has answered the ping that follows.
//!
//! A completed write proves nothing if the network has changed or the phone has slept; neither does an incoming frame, which may
//! have been sent earlier. A pong proves that everything before its ping arrived.

use super::id::{MessageId, Topic};
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of remembered messages per socket; older ones stay in the mailbox and are sent or fetched again.
const MOST: usize = 1024;

/// Unconfirmed fetched messages of one socket.
#[derive(Default)]
pub(super) struct Fetched {
    held: Mutex<InFlight>,
}

#[derive(Default)]
struct InFlight {
    sent: VecDeque<(u64, Vec<(Topic, MessageId)>)>,
    known: Arc<HashSet<(Topic, MessageId)>>,
    last: u64,
}

impl Fetched {
    /// Records messages as sent. Returns the mark for the ping that follows them.
    pub(super) fn send(&self, messages: Vec<(Topic, MessageId)>) -> u64 {
        let mut held = self.held();
        held.last += 1;
        let mark = held.last;
        Arc::make_mut(&mut held.known).extend(&messages);
        held.sent.push_back((mark, messages));
        while held.known.len() > MOST {
            let Some((_, oldest)) = held.sent.pop_front() else { break };
            for message in oldest {
                Arc::make_mut(&mut held.known).remove(&message);
            }
        }
        mark
    }

    /// Removes and returns the messages that the pong with this mark confirms.
    pub(super) fn arrived(&self, mark: &[u8]) -> Vec<(Topic, MessageId)> {
        let Ok(mark) = mark.try_into().map(u64::from_be_bytes) else { return Vec::new() };
        let mut held = self.held();
        let mut arrived = Vec::new();
        while held.sent.front().is_some_and(|(sent, _)| *sent <= mark) {
            arrived.extend(held.sent.pop_front().into_iter().flat_map(|(_, messages)| messages));
        }
        for message in &arrived {
            Arc::make_mut(&mut held.known).remove(message);
        }
        arrived
    }

    /// Snapshot of all unconfirmed messages; copied only when it changes.
    pub(super) fn all(&self) -> Arc<HashSet<(Topic, MessageId)>> {
        self.held().known.clone()
    }

    pub(super) fn has(&self, topic: Topic, message: MessageId) -> bool {
        self.held().known.contains(&(topic, message))
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.held().known.len()
    }

    fn held(&self) -> MutexGuard<'_, InFlight> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(from: u16, many: u16) -> Vec<(Topic, MessageId)> {
        let id = |number: u16| {
            let mut id = [0; 32];
            id[..2].copy_from_slice(&number.to_be_bytes());
            (Topic([1; 32]), MessageId(id))
        };
        (from..from + many).map(id).collect()
    }

    #[test]
    fn who_asks_before_a_pong_comes_knows_what_was_on_its_way_then() {
        let fetched = Fetched::default();
        let mark = fetched.send(some(0, 2));
        let had = fetched.all();
        assert_eq!(fetched.arrived(&mark.to_be_bytes()), some(0, 2));
        assert_eq!((had, fetched.all().len()), (Arc::new(some(0, 2).into_iter().collect()), 0));
    }

    #[test]
    fn what_was_sent_before_a_ping_has_arrived_with_its_pong() {
        let fetched = Fetched::default();
        let marks = [fetched.send(some(0, 2)), fetched.send(some(2, 2)), fetched.send(some(4, 1))];
        for nonsense in [&b""[..], b"1234567", b"123456789", &0_u64.to_be_bytes()] {
            assert_eq!(fetched.arrived(nonsense), []);
        }
        assert_eq!(fetched.arrived(&marks[1].to_be_bytes()), some(0, 4));
        assert!(!fetched.has(some(3, 1)[0].0, some(3, 1)[0].1) && fetched.has(some(4, 1)[0].0, some(4, 1)[0].1));
        assert_eq!(fetched.arrived(&marks[1].to_be_bytes()), []);
        assert_eq!(fetched.arrived(&u64::MAX.to_be_bytes()), some(4, 1));
    }

    #[test]
    fn what_is_remembered_of_a_client_that_never_answers_is_bounded() {
        let fetched = Fetched::default();
        for page in 0..100 {
            fetched.send(some(page * 32, 32));
        }
        assert_eq!((fetched.len(), fetched.held().sent.len()), (1024, 32));
    }
}
