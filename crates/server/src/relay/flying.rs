//! In-flight messages: sent to a client but not acknowledged yet.

use super::id::{MessageId, Topic};
use super::now;
use std::collections::{HashMap, HashSet, VecDeque};

/// Maximum number of messages in flight to a client; the rest stays in the mailbox until half of them are acknowledged.
const MOST_IN_FLIGHT: usize = 1024;

/// Number of acknowledged messages that are remembered, as the mailbox may still hold them.
const MOST_LANDED: usize = 1024;

/// In-flight messages of one socket.
#[derive(Default)]
pub(super) struct PublishInFlight {
    by_request: HashMap<u64, (Topic, MessageId)>,
    in_order: VecDeque<u64>,
    /// Messages of `by_request`, and recently acknowledged ones: the mailbox may still hold them.
    known: HashSet<(Topic, MessageId)>,
    acknowledged: VecDeque<(Topic, MessageId)>,
    last: u64,
    full: bool,
}

impl PublishInFlight {
    /// Returns the request id for a message; `None` if it was sent before. 16 digits, which a double can represent.
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

    /// Whether the client has to acknowledge messages before it gets more.
    pub(super) fn is_full(&mut self) -> bool {
        let many = self.by_request.len();
        self.full = many >= MOST_IN_FLIGHT || (self.full && many > MOST_IN_FLIGHT / 2);
        self.full
    }

    /// Removes the message that was sent with this request id.
    pub(super) fn land(&mut self, request: u64) -> Option<(Topic, MessageId)> {
        let landed = self.by_request.remove(&request)?;
        if let Ok(place) = self.in_order.binary_search(&request) {
            self.in_order.remove(place);
        }
        self.remember(landed);
        Some(landed)
    }

    /// Records a message that the client received by fetching it.
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
        let mut flying = PublishInFlight::default();
        let topic = Topic([1; 32]);
        let one = flying.fly(topic, MessageId([1; 32])).unwrap();
        let two = flying.fly(topic, MessageId([2; 32])).unwrap();
        assert!(two > one && one.to_string().len() == 16);
        assert_eq!(flying.fly(topic, MessageId([1; 32])), None);
        assert_eq!(flying.land(one), Some((topic, MessageId([1; 32]))));
        assert_eq!((flying.land(one), flying.land(7)), (None, None));
        // The mailbox may still hold a message that was just acknowledged.
        assert_eq!(flying.fly(topic, MessageId([1; 32])), None);
        flying.fetched(topic, MessageId([3; 32]));
        assert_eq!(flying.fly(topic, MessageId([3; 32])), None);
    }

    #[test]
    fn who_acknowledges_nothing_is_told_so_many_and_more_when_half_of_them_are() {
        let mut flying = PublishInFlight::default();
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
