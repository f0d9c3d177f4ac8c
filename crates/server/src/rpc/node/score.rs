//! Score of a node from its error rate and latency.

use std::time::Duration;
use tokio::time::Instant;

/// Load of a call on a node. Latency is tracked per class, as slow heavy calls say nothing about light ones.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(in crate::rpc) enum Class {
    Light,
    Heavy,
}

/// Weight of a new sample in the moving averages.
const WEIGHT: f64 = 0.05;

/// Half-life of the error rate, after which a node that failed gets requests again.
const FORGETS: Duration = Duration::from_secs(30);

/// A latency sample older than this is ignored.
const STALE: Duration = Duration::from_secs(60);

/// Assumed latency of a node without samples, in milliseconds.
const UNKNOWN: f64 = 50.0;

/// Penalty for an error rate of 1, in milliseconds.
const FAILURE: f64 = 2000.0;

/// Exponential moving averages of errors and latency.
pub(super) struct Score {
    /// Error rate from 0 to 1.
    errors: f64,
    errors_at: Instant,
    latency: [Option<Latency>; 2],
}

struct Latency {
    millis: f64,
    at: Instant,
}

impl Score {
    pub(super) fn new(now: Instant) -> Score {
        Score { errors: 0.0, errors_at: now, latency: [None, None] }
    }

    pub(super) fn answered(&mut self, class: Class, took: Duration, now: Instant) {
        self.mix_errors(0.0, now);
        self.mix_latency(class, took, now);
    }

    pub(super) fn failed(&mut self, now: Instant) {
        self.mix_errors(1.0, now);
    }

    /// Another node answered first after this one had `waited`. The true latency is unknown, so twice the wait is assumed.
    pub(super) fn overtaken(&mut self, class: Class, waited: Duration, now: Instant) {
        self.mix_errors(0.5, now);
        self.mix_latency(class, 2 * waited, now);
    }

    /// Expected cost, about milliseconds; lower is better.
    pub(super) fn cost(&self, class: Class, now: Instant) -> f64 {
        let millis = match &self.latency[class as usize] {
            // Outdated: zero makes the node look fast, so that it is measured again.
            Some(latency) if now >= latency.at + STALE => 0.0,
            Some(latency) => latency.millis,
            None => UNKNOWN,
        };
        millis + FAILURE * self.errors_now(now)
    }

    /// Moving average of the latency in milliseconds, and the age of its last sample; `None` without a sample.
    pub(super) fn latency(&self, class: Class, now: Instant) -> Option<(f64, Duration)> {
        let latency = self.latency[class as usize].as_ref()?;
        Some((latency.millis, now.saturating_duration_since(latency.at)))
    }

    /// Error rate from 0 to 1.
    fn errors_now(&self, now: Instant) -> f64 {
        let periods = now.saturating_duration_since(self.errors_at).as_secs_f64() / FORGETS.as_secs_f64();
        self.errors * 0.5_f64.powf(periods)
    }

    fn mix_errors(&mut self, error: f64, now: Instant) {
        let before = self.errors_now(now);
        self.errors = before + WEIGHT * (error - before);
        self.errors_at = now;
    }

    fn mix_latency(&mut self, class: Class, took: Duration, now: Instant) {
        let took = took.as_secs_f64() * 1000.0;
        let latency = &mut self.latency[class as usize];
        let millis = match latency {
            Some(latency) if now < latency.at + STALE => latency.millis + WEIGHT * (took - latency.millis),
            _ => took,
        };
        *latency = Some(Latency { millis, at: now });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: Duration = Duration::from_millis(20);

    #[tokio::test(start_paused = true)]
    async fn one_percent_of_failures_costs_more_than_a_few_milliseconds() {
        let now = Instant::now();
        let (mut sick, mut healthy) = (Score::new(now), Score::new(now));
        for count in 0..200 {
            healthy.answered(Class::Light, QUICK, now);
            if count % 100 == 99 { sick.failed(now) } else { sick.answered(Class::Light, QUICK, now) }
        }
        assert!(sick.cost(Class::Light, now) > 2.0 * healthy.cost(Class::Light, now));
        // Old errors decay.
        let later = now + 10 * FORGETS;
        assert!(sick.cost(Class::Light, later) < 1.0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_that_is_slow_with_heavy_calls_is_not_slow_with_light_ones() {
        let now = Instant::now();
        let mut score = Score::new(now);
        score.answered(Class::Heavy, 100 * QUICK, now);
        score.answered(Class::Light, QUICK, now);
        assert!((score.cost(Class::Light, now) - 20.0).abs() < 0.1);
        assert!(score.cost(Class::Heavy, now) > 1000.0);
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_latency_stays_known_with_its_age() {
        let now = Instant::now();
        let mut score = Score::new(now);
        assert_eq!(score.latency(Class::Light, now), None);
        score.answered(Class::Light, QUICK, now);
        assert_eq!(score.latency(Class::Light, now + 3 * STALE), Some((20.0, 3 * STALE)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_that_was_overtaken_is_worse_than_one_that_nobody_knows() {
        let now = Instant::now();
        let (mut slow, unknown) = (Score::new(now), Score::new(now));
        slow.overtaken(Class::Light, Duration::from_millis(100), now);
        assert!(slow.cost(Class::Light, now) > unknown.cost(Class::Light, now));
        assert!(slow.cost(Class::Light, now + 5 * STALE) < unknown.cost(Class::Light, now));
    }
}
