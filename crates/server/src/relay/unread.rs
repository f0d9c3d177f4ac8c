//! Queue of the topics whose mailboxes one socket still has to read. Each topic is queued once, however often it is added.

use super::id::Topic;
use std::collections::{HashSet, VecDeque};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Delay of a second read. Other nodes push a message before storing it, so a client that subscribes in between needs this read.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

#[derive(Default)]
pub(super) struct Unread {
    topics: VecDeque<Topic>,
    waiting: HashSet<Topic>,
    /// Topics to be read again at `again_at`, and topics added too late for that time.
    again: HashSet<Topic>,
    later: HashSet<Topic>,
    again_at: Option<Instant>,
    /// Topics that are being read, up to the place `after`.
    reading: Vec<Topic>,
    after: i64,
}

impl Unread {
    pub(super) fn add(&mut self, topics: impl IntoIterator<Item = Topic>) {
        for topic in topics {
            if self.waiting.insert(topic) {
                self.topics.push_back(topic);
            }
        }
    }

    /// Queues a second read, not before [`LOOK_AGAIN`] has passed.
    pub(super) fn look_again(&mut self, topics: &[Topic]) {
        if topics.is_empty() {
            return;
        }
        if self.again_at.is_none() {
            self.again_at = Some(Instant::now() + LOOK_AGAIN);
            self.again.extend(topics);
        } else {
            self.later.extend(topics);
        }
    }

    /// Time at which [`Unread::again`] is to be called, if any.
    pub(super) fn again_at(&self) -> Option<Instant> {
        self.again_at
    }

    pub(super) fn again(&mut self) {
        let due = std::mem::replace(&mut self.again, std::mem::take(&mut self.later));
        self.again_at = (!self.again.is_empty()).then(|| Instant::now() + LOOK_AGAIN);
        self.add(due);
    }

    /// Next topics to read, at most `most`, and the place after which to read; unfinished topics come first.
    pub(super) fn next(&mut self, most: usize, joined: impl Fn(Topic) -> bool) -> Option<(Vec<Topic>, i64)> {
        if self.reading.is_empty() {
            self.after = 0;
            while self.reading.len() < most {
                let Some(topic) = self.topics.pop_front() else { break };
                self.waiting.remove(&topic);
                // The client may have unsubscribed meanwhile.
                if joined(topic) {
                    self.reading.push(topic);
                }
            }
        }
        (!self.reading.is_empty()).then(|| (self.reading.clone(), self.after))
    }

    /// Records that the topics were read up to this place; `None` if they were read to the end.
    pub(super) fn was_read(&mut self, to: Option<i64>) {
        match to {
            Some(place) => self.after = place,
            None => self.reading.clear(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.topics.is_empty() && self.reading.is_empty()
    }
}

/// Waits until this time; forever if there is none.
pub(super) async fn due(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics(from: u8, many: u8) -> Vec<Topic> {
        (from..from + many).map(|number| Topic([number; 32])).collect()
    }

    #[test]
    fn a_topic_that_is_asked_for_again_and_again_is_read_once() {
        let mut unread = Unread::default();
        for _ in 0..1000 {
            unread.add(topics(0, 5));
        }
        assert_eq!((unread.topics.len(), unread.waiting.len()), (5, 5));
        assert_eq!(unread.next(3, |_| true), Some((topics(0, 3), 0)));
        unread.was_read(Some(7));
        assert_eq!(unread.next(3, |_| true), Some((topics(0, 3), 7)));
        // A topic added during its read is read once more.
        unread.add(topics(0, 1));
        unread.was_read(None);
        assert_eq!(unread.next(9, |topic| topic != topics(4, 1)[0]), Some((vec![topics(3, 1)[0], topics(0, 1)[0]], 0)));
        unread.was_read(None);
        assert!(unread.is_empty() && unread.next(9, |_| true).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn whatever_comes_late_gets_its_second_look_as_late() {
        let mut unread = Unread::default();
        let begun = Instant::now();
        unread.look_again(&[]);
        assert_eq!(unread.again_at(), None);
        unread.look_again(&topics(1, 1));
        tokio::time::advance(Duration::from_millis(1900)).await;
        for _ in 0..1000 {
            unread.look_again(&topics(2, 1));
        }
        due(unread.again_at()).await;
        assert_eq!(begun.elapsed(), LOOK_AGAIN);
        unread.again();
        assert_eq!(unread.next(9, |_| true), Some((topics(1, 1), 0)));
        unread.was_read(None);
        due(unread.again_at()).await;
        assert_eq!(begun.elapsed(), 2 * LOOK_AGAIN);
        unread.again();
        assert_eq!(unread.next(9, |_| true), Some((topics(2, 1), 0)));
        assert_eq!(unread.again_at(), None);
    }
}
