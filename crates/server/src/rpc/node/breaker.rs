//! Circuit breaker of a node: stops requests to a failing node and later probes it again.

use std::time::Duration;
use tokio::time::Instant;

/// Number of recent requests that the breaker considers.
const WINDOW: u32 = 20;

/// Number of failures within [`WINDOW`] that opens the breaker.
const MOST_FAILED: u32 = 10;

/// Time for which the breaker stays open.
pub(super) const REST: Duration = Duration::from_secs(30);

/// A probe without a result after this time is ignored, so that another one may be sent.
const PROBE: Duration = Duration::from_secs(10);

/// Results of the last requests, and the rest of the node that follows from them.
pub(super) struct Breaker {
    /// One bit per request, the newest lowest; set for a failure.
    failed: u32,
    rest: Option<Rest>,
}

struct Rest {
    until: Instant,
    /// Time of the probe: the one request let through after `until`.
    probed: Option<Instant>,
}

impl Breaker {
    pub(super) fn new() -> Breaker {
        Breaker { failed: 0, rest: None }
    }

    /// Whether requests may be sent: the breaker is closed, or the rest has passed and no probe is in flight.
    pub(super) fn lets_through(&self, now: Instant) -> bool {
        self.rest.as_ref().is_none_or(|rest| now >= rest.until && rest.probed.is_none_or(|at| now >= at + PROBE))
    }

    /// Called right before a request is sent.
    pub(super) fn asked(&mut self, now: Instant) {
        if let Some(rest) = self.rest.as_mut().filter(|rest| now >= rest.until) {
            rest.probed = Some(now);
        }
    }

    pub(super) fn answered(&mut self) {
        if self.rest.take().is_some() {
            self.failed = 0;
        }
        self.failed <<= 1;
    }

    pub(super) fn failed(&mut self, now: Instant) {
        self.failed = self.failed << 1 | 1;
        let of_late = self.failed & ((1 << WINDOW) - 1);
        if self.rest.is_some() || of_late.count_ones() >= MOST_FAILED {
            self.trip(now, REST);
        }
    }

    /// Opens the breaker for `time`, whatever the earlier results.
    pub(super) fn trip(&mut self, now: Instant, time: Duration) {
        self.rest = Some(Rest { until: now + time, probed: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_opens_when_half_of_the_last_20_failed_and_closes_when_a_probe_succeeds() {
        let mut breaker = Breaker::new();
        let now = Instant::now();
        for _ in 0..MOST_FAILED - 1 {
            breaker.failed(now);
            breaker.answered();
        }
        assert!(breaker.lets_through(now));
        breaker.failed(now);
        breaker.failed(now);
        assert!(!breaker.lets_through(now) && !breaker.lets_through(now + REST / 2));
        // Half open: exactly one request passes.
        let later = now + REST;
        assert!(breaker.lets_through(later));
        breaker.asked(later);
        assert!(!breaker.lets_through(later));
        breaker.answered();
        assert!(breaker.lets_through(later));
        // Results from before the rest no longer count.
        breaker.failed(later);
        assert!(breaker.lets_through(later));
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_fails_opens_it_again_and_one_that_is_forgotten_does_not_close_it_for_ever() {
        let mut breaker = Breaker::new();
        let now = Instant::now();
        breaker.trip(now, REST);
        breaker.asked(now + REST);
        breaker.failed(now + REST);
        assert!(!breaker.lets_through(now + REST + REST / 2));
        breaker.asked(now + 2 * REST);
        assert!(!breaker.lets_through(now + 2 * REST));
        assert!(breaker.lets_through(now + 2 * REST + PROBE));
    }

    #[tokio::test(start_paused = true)]
    async fn failures_of_long_ago_leave_the_ring() {
        let mut breaker = Breaker::new();
        let now = Instant::now();
        for _ in 0..MOST_FAILED - 1 {
            breaker.failed(now);
        }
        for _ in 0..WINDOW {
            breaker.answered();
        }
        breaker.failed(now);
        assert!(breaker.lets_through(now));
    }
}
