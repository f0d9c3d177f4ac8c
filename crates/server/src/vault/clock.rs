//! The vault's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Source of epoch milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Time that a test has set; without it, the time of the system.
    set: Option<Arc<AtomicI64>>,
}

impl Clock {
    /// Clock that stands still until it is moved.
    pub fn at(millis: i64) -> Clock {
        Clock { set: Some(Arc::new(AtomicI64::new(millis))) }
    }

    /// Moves a clock that was made by [`Clock::at`], and its clones.
    pub fn pass(&self, millis: i64) {
        if let Some(set) = &self.set {
            set.fetch_add(millis, Ordering::SeqCst);
        }
    }

    /// Epoch milliseconds.
    pub fn now(&self) -> i64 {
        match &self.set {
            Some(set) => set.load(Ordering::SeqCst),
            None => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
            }
        }
    }
}
