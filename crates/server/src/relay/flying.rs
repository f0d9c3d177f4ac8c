//! Messages that a client was told and has not acknowledged.

use super::id::{MessageId, Topic};
use super::now;
use std::collections::{HashMap, HashSet, VecDeque};

/// So many messages may be on their way to a client that has not acknowledged them; the rest stays in the mailbox until half of them are.
const MOST_IN_FLIGHT: usize = 1024;

/// So many that it has acknowledged are remembered, for as long as the mailbox may still hold them.
const MOST_LANDED: usize = 1024;

/// Messages that the client was told and has not acknowledged.
#[derive(Default)]
pub(super) struct Flying {
    by_request: HashMap<u64, (Topic, MessageId)>,
    in_order: VecDeque<u64>,
    /// Those of `by_request`, and those that were acknowledged lately: the mailbox may still hold them.
    known: HashSet<(Topic, MessageId)>,
    acknowledged: VecDeque<(Topic, MessageId)>,
    last: u64,
    full: bool,
}

impl Flying {
    /// The id under which the client is to be told; none where it was told already. 16 digits, as a double holds.
    pub(super) fn fly(&mut self, topic: Topic, message: MessageId) -> Option<u64> {
        if !self.known.insert((topic, message)) {
            return None;
        }
        let time = now().unsigned_abs().saturating_mul(1000);
        let request = time.max(self.last + 1);
        self.last = request;
        self.by_request.insert(request, (topic, message));
        self.in_order.push_back(request);
        Some(request)
    }

    /// Whether the client is to acknowledge some before it is told more.
    pub(super) fn is_full(&mut self) -> bool {
        let many = self.by_request.len();
        self.full = many >= MOST_IN_FLIGHT || (self.full && many > MOST_IN_FLIGHT / 2);
        self.full
    }

    /// The message that was told under this id.
    pub(super) fn land(&mut self, request: u64) -> Option<(Topic, MessageId)> {
        let landed = self.by_request.remove(&request)?;
        if let Ok(place) = self.in_order.binary_search(&request) {
            self.in_order.remove(place);
        }
        self.remember(landed);
        Some(landed)
    }

    /// The client has it without having been told.
    pub(super) fn fetched(&mut self, topic: Topic, message: MessageId) {
        if self.known.insert((topic, message)) {
            self.remember((topic, message));
        }
    }

    fn remember(&mut self, landed: (Topic, MessageId)) {
        self.acknowledged.push_back(landed);
        if self.acknowledged.len() > MOST_LANDED
            && let Some(oldest) = self.acknowledged.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_flies_once_under_ids_of_16_digits_that_grow() {
        let mut flying = Flying::default();
        let topic = Topic([1; 32]);
        let one = flying.fly(topic, MessageId([1; 32])).unwrap();
        let two = flying.fly(topic, MessageId([2; 32])).unwrap();
        assert!(two > one && one.to_string().len() == 16);
        assert_eq!(flying.fly(topic, MessageId([1; 32])), None);
        assert_eq!(flying.land(one), Some((topic, MessageId([1; 32]))));
        assert_eq!((flying.land(one), flying.land(7)), (None, None));
        // The mailbox may still hold what was acknowledged a moment ago.
        assert_eq!(flying.fly(topic, MessageId([1; 32])), None);
        flying.fetched(topic, MessageId([3; 32]));
        assert_eq!(flying.fly(topic, MessageId([3; 32])), None);
    }

    #[test]
    fn who_acknowledges_nothing_is_told_so_many_and_more_when_half_of_them_are() {
        let mut flying = Flying::default();
        let mut told = Vec::new();
        for number in 0..5000_u16 {
            let mut id = [0; 32];
            id[..2].copy_from_slice(&number.to_be_bytes());
            if !flying.is_full() {
                told.extend(flying.fly(Topic([1; 32]), MessageId(id)));
            }
        }
        assert_eq!((told.len(), flying.known.len()), (1024, 1024));
        for request in &told[..511] {
            assert!(flying.land(*request).is_some() && flying.is_full());
        }
        assert!(flying.land(told[511]).is_some() && !flying.is_full());
    }
}
