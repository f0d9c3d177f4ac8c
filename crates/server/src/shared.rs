//! What the nodes of one installation know together: limits spent, answers worth keeping, things that may happen once.
//!
//! In one process it is memory; with Redis, several nodes see the same. When Redis fails, reads go on as if nothing were kept and
//! limits are kept by each node alone, which is told once in the log.

mod memory;

use axum::body::Bytes;
use memory::Memory;
use std::time::Duration;

/// A handle; a clone is another on the same.
#[derive(Clone)]
pub struct Shared {
    memory: Memory,
}

/// How fast a bucket may be spent: on average so many a second, and so many at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// On average.
    pub per_second: f64,
    /// At once, after a rest. At least 1.
    pub burst: u32,
}

/// A limit is spent; there is more after this many seconds, at least 1.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Spent {
    /// For `Retry-After`.
    pub seconds: u32,
}

impl Shared {
    /// Memory of this process alone.
    pub fn in_memory() -> Shared {
        Shared { memory: Memory::new() }
    }

    /// An answer that was kept and has not run out.
    pub async fn get(&self, key: &str) -> Option<Bytes> {
        self.memory.get(key).await
    }

    /// Keeps an answer for so long.
    pub async fn put(&self, key: &str, value: Bytes, for_time: Duration) {
        self.memory.put(key, value, for_time).await;
    }

    /// Spends `cost` of a bucket that fills at `rate` (GCRA).
    pub async fn spend(&self, bucket: &str, cost: u32, rate: Rate) -> Result<(), Spent> {
        self.memory.spend(bucket, cost, rate)
    }

    /// True the first time within so long, false afterwards: for what may not be replayed.
    pub async fn first(&self, key: &str, within: Duration) -> bool {
        self.memory.first(key, within)
    }
}
