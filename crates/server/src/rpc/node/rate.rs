//! Rate limit for requests to a node.

use std::time::Duration;
use tokio::time::Instant;

/// Request slots at a fixed interval (`each`); a burst of one second's worth is allowed.
pub(super) struct Rate {
    each: Duration,
    next: Instant,
}

impl Rate {
    pub(super) fn new(per_second: u32, now: Instant) -> Rate {
        Rate { each: Duration::from_secs(1) / per_second.max(1), next: now }
    }

    /// Delay before the next request could be sent.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        let ahead = self.next.saturating_duration_since(now);
        ahead.saturating_sub(Duration::from_secs(1).saturating_sub(self.each))
    }

    /// Takes the next slot if its delay is at most `at_most`, and returns the delay.
    pub(super) fn take(&mut self, now: Instant, at_most: Duration) -> Option<Duration> {
        let wait = self.wait(now);
        if wait > at_most {
            return None;
        }
        self.next = self.next.max(now) + self.each;
        Some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_second_s_worth_goes_at_once_and_then_one_after_the_other() {
        let now = Instant::now();
        let mut rate = Rate::new(4, now);
        for _ in 0..4 {
            assert_eq!(rate.take(now, Duration::ZERO), Some(Duration::ZERO));
        }
        assert_eq!(rate.take(now, Duration::ZERO), None);
        assert_eq!(rate.take(now, Duration::from_secs(1)), Some(Duration::from_millis(250)));
        assert_eq!(rate.take(now + Duration::from_secs(2), Duration::ZERO), Some(Duration::ZERO));
    }
}
