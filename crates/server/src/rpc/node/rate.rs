//! Rate limit for requests to a node.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::Instant;

/// A visitor queues for at most this part of the slots: an eighth.
const PARTS: u32 = 8;

const SECOND: Duration = Duration::from_secs(1);

/// Request slots at a fixed interval (`each`); a burst of one second's worth is allowed.
pub(super) struct Rate {
    each: Duration,
    next: Instant,
    /// Interval of the slots that a visitor may queue for, and the next of each visitor.
    each_of_visitor: Duration,
    of_visitors: HashMap<IpAddr, Instant>,
}

/// Answer to a request for a slot.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::rpc) enum Slot {
    /// The request may be sent after this delay.
    Taken(Duration),
    /// The visitor has used up its part, so it waits for a slot that nobody queues for; there may be one after this delay.
    Busy(Duration),
    /// Too many requests are queued.
    None,
}

impl Rate {
    pub(super) fn new(per_second: u32, now: Instant) -> Rate {
        let each = SECOND / per_second.max(1);
        Rate { each, next: now, each_of_visitor: (each * PARTS).min(SECOND), of_visitors: HashMap::new() }
    }

    /// Delay before the next request could be sent.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        delay(self.next, self.each, now)
    }

    /// Takes the next slot for a visitor, or for the server itself, if its delay is at most `at_most`.
    pub(super) fn take(&mut self, visitor: Option<IpAddr>, now: Instant, at_most: Duration) -> Slot {
        let wait = self.wait(now);
        let (each, next) = (self.each_of_visitor, |of: &Rate| visitor.and_then(|it| of.of_visitors.get(&it).copied()));
        let queues = next(self).is_none_or(|next| delay(next, each, now).is_zero());
        if !queues && !wait.is_zero() {
            return Slot::Busy(wait);
        }
        if wait > at_most {
            return Slot::None;
        }
        self.next = self.next.max(now) + self.each;
        if let Some(visitor) = visitor.filter(|_| queues) {
            if self.of_visitors.len().is_power_of_two() {
                self.of_visitors.retain(|_, next| *next > now);
            }
            let next = self.of_visitors.entry(visitor).or_insert(now);
            *next = (*next).max(now) + each;
        }
        Slot::Taken(wait)
    }
}

/// Delay before the next of the slots at this interval, of which one second's worth may be taken at once.
fn delay(next: Instant, each: Duration, now: Instant) -> Duration {
    next.saturating_duration_since(now).saturating_sub(SECOND.saturating_sub(each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_second_s_worth_goes_at_once_and_then_one_after_the_other() {
        let now = Instant::now();
        let mut rate = Rate::new(4, now);
        let after = |millis| Slot::Taken(Duration::from_millis(millis));
        for _ in 0..4 {
            assert_eq!(rate.take(None, now, Duration::ZERO), after(0));
        }
        assert_eq!(rate.take(None, now, Duration::ZERO), Slot::None);
        assert_eq!(rate.take(None, now, SECOND), after(250));
        assert_eq!(rate.take(None, now + 2 * SECOND, Duration::ZERO), after(0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_visitor_takes_what_nobody_needs_and_queues_for_an_eighth() {
        let now = Instant::now();
        let mut rate = Rate::new(16, now);
        let [abuser, neighbour] = [66, 7].map(|last| Some(IpAddr::from([192, 0, 2, last])));
        let taken = (0..1000).filter(|_| matches!(rate.take(abuser, now, 2 * SECOND), Slot::Taken(_))).count();
        assert_eq!(taken, 16);
        let millis = |tenths: u32| Duration::from_micros(62_500) * tenths;
        assert_eq!(rate.take(abuser, now, 2 * SECOND), Slot::Busy(millis(1)));
        // The neighbour waits for its own slots alone.
        assert_eq!(rate.take(neighbour, now, 2 * SECOND), Slot::Taken(millis(1)));
        assert_eq!(rate.take(neighbour, now, 2 * SECOND), Slot::Taken(millis(2)));
        assert_eq!(rate.take(neighbour, now, 2 * SECOND), Slot::Busy(millis(3)));
        assert_eq!(rate.take(abuser, now, 2 * SECOND), Slot::Busy(millis(3)));
        // A second later the bucket is full again, and so are the parts.
        let later = now + 2 * SECOND;
        assert_eq!((0..1000).filter(|_| matches!(rate.take(abuser, later, SECOND), Slot::Taken(_))).count(), 16);
        // A visitor that asks nothing is forgotten in time.
        for number in 0..100_u32 {
            let visitor = Some(IpAddr::from((0x0a00_0000 + number).to_be_bytes()));
            rate.take(visitor, later + number * SECOND, SECOND);
        }
        assert!(rate.of_visitors.len() < 80);
    }
}
