//! Which endpoint to ask first: the mean of its last answers.

/// So many answers count (spec 9.18).
pub const RANK_SAMPLES: usize = 10;

/// A failure weighs like so many milliseconds.
const FAILURE: u64 = 10_000;

/// The last answers of one endpoint.
#[derive(Debug, Default)]
pub struct Rank {
    samples: Vec<u64>,
}

impl Rank {
    /// Notes one answer.
    pub fn record(&mut self, took: u64, well: bool) {
        if self.samples.len() == RANK_SAMPLES {
            self.samples.remove(0);
        }
        self.samples.push(if well { took.min(FAILURE) } else { FAILURE });
    }

    /// The mean, in steps of a tenth of a second: endpoints that are alike keep the host's order.
    pub fn cost(&self) -> u64 {
        let sum: u64 = self.samples.iter().sum();
        sum / (self.samples.len().max(1) as u64) / 100
    }
}
