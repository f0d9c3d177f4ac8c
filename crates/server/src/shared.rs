//! What the nodes of one installation know together: limits spent, answers worth keeping, things that may happen once.
//!
//! In one process it is memory; with Redis, several nodes see the same. When Redis fails, reads go on as if nothing were kept and
//! limits are kept by each node alone, which is told once in the log, and once when it is over.

mod memory;
mod redis;

use axum::body::Bytes;
use memory::Memory;
pub(crate) use redis::Heard;
use redis::{Gone, Redis};
use std::time::Duration;

/// A handle; a clone is another on the same.
#[derive(Clone)]
pub struct Shared {
    /// Of this node alone, where there is no Redis or it is gone.
    memory: Memory,
    redis: Option<Redis>,
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

impl Rate {
    /// How long one unit takes to fill.
    fn each(self) -> Duration {
        Duration::from_secs_f64(1.0 / self.per_second.max(1e-9))
    }
}

impl Spent {
    fn after(time: Duration) -> Spent {
        let rest = u64::from(time.subsec_nanos() > 0);
        Spent { seconds: u32::try_from(time.as_secs() + rest).unwrap_or(u32::MAX).max(1) }
    }
}

/// A limit by its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    /// Unique among all.
    pub key: String,
    /// How much it holds.
    pub limit: Limit,
}

/// How much may be spent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Fills all the time. What costs more than the whole takes the whole.
    Rate(Rate),
    /// So much until the window ends.
    Window {
        /// In all.
        most: u32,
        /// From now.
        ends_in: Duration,
    },
}

/// What was spent of a window.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Window {
    /// That of its bucket.
    pub(crate) key: String,
    /// So much.
    pub(crate) spent: u32,
    /// From now.
    pub(crate) ends_in: Duration,
}

/// Which of several buckets does not hold as much.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Over {
    /// Its place among them.
    pub place: usize,
    /// When it will.
    pub spent: Spent,
}

impl Shared {
    /// Memory of this process alone.
    pub fn in_memory() -> Shared {
        Shared { memory: Memory::new(), redis: None }
    }

    /// Redis, under keys that begin with `prefix`. It need not be there yet.
    pub fn in_redis(place: ::redis::ConnectionInfo, prefix: &str) -> ::redis::RedisResult<Shared> {
        Ok(Shared { memory: Memory::new(), redis: Some(Redis::new(place, prefix)?) })
    }

    /// Whether nodes see the same: false where Redis is asked for and gone.
    pub async fn whole(&self) -> bool {
        match &self.redis {
            Some(redis) => redis.answers().await,
            None => true,
        }
    }

    /// Notices that a Redis which was gone is back; ends at once where there is none.
    pub(crate) async fn watch(self) {
        if let Some(redis) = &self.redis {
            redis.watch().await;
        }
    }

    /// Whether other processes see the same. Where none does, what this one keeps need not be kept here too.
    pub fn spans_processes(&self) -> bool {
        self.redis.is_some()
    }

    /// An answer that was kept and has not run out.
    pub async fn get(&self, key: &str) -> Option<Bytes> {
        match &self.redis {
            Some(redis) => redis.get(key).await.unwrap_or(None),
            None => self.memory.get(key).await,
        }
    }

    /// Keeps an answer for so long.
    pub async fn put(&self, key: &str, value: Bytes, for_time: Duration) {
        match &self.redis {
            // What cannot be kept is asked for again.
            Some(redis) => redis.put(key, &value, for_time).await.unwrap_or(()),
            None => self.memory.put(key, value, for_time).await,
        }
    }

    /// Spends `cost` of a bucket that fills at `rate` (GCRA).
    pub async fn spend(&self, bucket: &str, cost: u32, rate: Rate) -> Result<(), Spent> {
        let bucket = Bucket { key: bucket.into(), limit: Limit::Rate(rate) };
        self.spend_each(&[bucket], cost).await.map_err(|over| over.spent)
    }

    /// Spends `cost` of every bucket, or of none where one does not hold as much.
    pub async fn spend_each(&self, buckets: &[Bucket], cost: u32) -> Result<(), Over> {
        match &self.redis {
            Some(redis) => {
                let spent = redis.spend_each(buckets, cost).await;
                spent.unwrap_or_else(|Gone| self.memory.spend_each(buckets, cost))
            }
            None => self.memory.spend_each(buckets, cost),
        }
    }

    /// What this process has spent of windows since it was last asked.
    pub(crate) fn take_windows(&self) -> Vec<Window> {
        self.memory.take_windows()
    }

    /// What could not be kept is asked for again.
    pub(crate) fn give_back_windows(&self, windows: &[Window]) {
        self.memory.give_back_windows(windows);
    }

    /// What was spent in all, by this process or another. Nothing is given back by it.
    pub(crate) fn raise_windows(&self, windows: Vec<Window>) {
        self.memory.raise_windows(windows);
    }

    /// Tells all nodes that listen. False where Redis is gone.
    pub(crate) async fn tell(&self, channel: &str, texts: &[Bytes]) -> bool {
        match &self.redis {
            Some(redis) => redis.tell(channel, texts).await.is_ok(),
            None => true,
        }
    }

    /// What any node tells, this one too, from now on until Redis is gone. None where it is not there.
    pub(crate) async fn listen(&self, channel: &str) -> Option<Heard> {
        self.redis.as_ref()?.listen(channel).await.ok()
    }

    /// True the first time within so long, false afterwards: for what may not be replayed.
    pub async fn first(&self, key: &str, within: Duration) -> bool {
        match &self.redis {
            Some(redis) => redis.first(key, within).await.unwrap_or_else(|Gone| self.memory.first(key, within)),
            None => self.memory.first(key, within),
        }
    }
}
