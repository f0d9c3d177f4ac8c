//! Waiting for a transaction to be mined (spec 9.17, 9.18).

/// Give up after so long.
pub const RECEIPT_TIMEOUT: u64 = 180_000;

/// Look again after so long.
pub const POLLING_INTERVAL: u64 = 4_000;

/// So many failed looks in a row are forgiven.
pub const RECEIPT_RETRIES: u32 = 6;

/// How long to wait after the failed look number `attempt`, from 0.
pub fn receipt_retry_delay(attempt: u32) -> u64 {
    200 << attempt.min(RECEIPT_RETRIES)
}

/// A wait for one receipt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Receipt {
    /// The transaction.
    pub hash: String,
    started: u64,
    failures: u32,
}

impl Receipt {
    /// Begins to wait.
    pub fn new(hash: String, now: u64) -> Receipt {
        Receipt { hash, started: now, failures: 0 }
    }

    /// Not mined yet: when to look again; `None` when the time is over.
    pub fn not_yet(&mut self, now: u64) -> Option<u64> {
        self.failures = 0;
        if now.saturating_sub(self.started) + POLLING_INTERVAL > RECEIPT_TIMEOUT {
            None
        } else {
            Some(POLLING_INTERVAL)
        }
    }

    /// The look failed: when to look again; `None` when it failed too often.
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
