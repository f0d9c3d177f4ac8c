//! Polling until a transaction is mined (spec 9.17, 9.18).

/// Time limit of the polling, in milliseconds.
pub const RECEIPT_TIMEOUT: u64 = 180_000;

/// Time between two polls, in milliseconds.
pub const POLLING_INTERVAL: u64 = 4_000;

/// Number of failed polls in a row that are retried.
pub const RECEIPT_RETRIES: u32 = 6;

/// Delay after failed poll number `attempt`, from 0, in milliseconds.
pub fn receipt_retry_delay(attempt: u32) -> u64 {
    200 << attempt.min(RECEIPT_RETRIES)
}

/// Polling of one receipt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Receipt {
    /// Hash of the transaction.
    pub hash: String,
    started: u64,
    failures: u32,
}

impl Receipt {
    /// Starts the polling.
    pub fn new(hash: String, now: u64) -> Receipt {
        Receipt { hash, started: now, failures: 0 }
    }

    /// Not mined yet: delay until the next poll; `None` after the time limit.
    pub fn not_yet(&mut self, now: u64) -> Option<u64> {
        self.failures = 0;
        if now.saturating_sub(self.started) + POLLING_INTERVAL > RECEIPT_TIMEOUT {
            None
        } else {
            Some(POLLING_INTERVAL)
        }
    }

    /// The poll failed: delay until the next one; `None` after too many failures.
    pub fn failed(&mut self, now: u64) -> Option<u64> {
        let delay = receipt_retry_delay(self.failures);
        self.failures += 1;
        if self.failures > RECEIPT_RETRIES || now.saturating_sub(self.started) + delay > RECEIPT_TIMEOUT {
            None
        } else {
            Some(delay)
        }
    }
}
