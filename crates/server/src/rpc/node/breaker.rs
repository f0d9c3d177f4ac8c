//! When a node that fails is left alone, and when it is tried again.

use std::time::Duration;
use tokio::time::Instant;

/// So many answers are looked back on.
const WINDOW: u32 = 20;

/// At so many failures among them the node is left alone.
const MOST_FAILED: u32 = 10;

/// How long it is left alone.
pub(super) const REST: Duration = Duration::from_secs(30);

/// A probe that nobody waited for to the end is forgotten after this time.
const PROBE: Duration = Duration::from_secs(10);

/// A ring of the last answers, and what follows from it.
pub(super) struct Breaker {
    /// One bit an answer, the newest lowest; set where it failed.
    failed: u32,
    rest: Option<Rest>,
}

struct Rest {
    until: Instant,
    /// When one request was let through to see whether it is well again.
    probed: Option<Instant>,
}

impl Breaker {
    pub(super) fn new() -> Breaker {
        Breaker { failed: 0, rest: None }
    }

    /// Whether the node may be asked like any other: it is well, or the time has come to try it with one request.
    pub(super) fn lets_through(&self, now: Instant) -> bool {
        self.rest.as_ref().is_none_or(|rest| now >= rest.until && rest.probed.is_none_or(|at| now >= at + PROBE))
    }

    /// A request is about to be sent.
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

    /// Leaves the node alone for so long, whatever it did before.
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
        // Half open: one request and no second.
        let later = now + REST;
        assert!(breaker.lets_through(later));
        breaker.asked(later);
        assert!(!breaker.lets_through(later));
        breaker.answered();
        assert!(breaker.lets_through(later));
        // What it did before the rest is forgotten.
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
