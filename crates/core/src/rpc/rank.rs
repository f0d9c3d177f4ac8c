//! Ranking of endpoints by the mean time of their last responses.

/// Number of responses that count (spec 9.18).
pub const RANK_SAMPLES: usize = 10;

/// Weight of a failure, in milliseconds.
const FAILURE: u64 = 10_000;

/// Times of the last responses of one endpoint.
#[derive(Debug, Default)]
pub struct Rank {
    samples: Vec<u64>,
}

impl Rank {
    /// Adds one response.
    pub fn record(&mut self, took: u64, well: bool) {
        if self.samples.len() == RANK_SAMPLES {
            self.samples.remove(0);
        }
        self.samples.push(if well { took.min(FAILURE) } else { FAILURE });
    }

    /// Mean in steps of a tenth of a second, so that similar endpoints keep the host's order.
    pub fn cost(&self) -> u64 {
        let sum: u64 = self.samples.iter().sum();
        sum / (self.samples.len().max(1) as u64) / 100
    }
}
