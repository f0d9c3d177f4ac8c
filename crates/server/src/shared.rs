//! State that the nodes of one installation share: spent limits, cached responses, and keys that may be used only once.
//!
//! A single process uses its memory; with Redis, several nodes share it. While Redis is lost, reads find nothing and each node applies
//! limits alone; the log reports the start and the end of that once each.

mod memory;
mod redis;
mod shelf;

use crate::visitors;
use axum::body::Bytes;
use memory::Memory;
use redis::{Gone, Redis};
pub(crate) use redis::{Heard, Refusal};
use std::time::Duration;

/// Handle on the shared state; clones refer to the same state.
#[derive(Clone)]
pub struct Shared {
    /// State of this node alone, used without Redis or while it is lost.
    memory: Memory,
    redis: Option<Redis>,
}

/// Kind of a stored value. Each has room of its own in memory, and a visitor fills a part of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// The server gave a client its key and cannot make it again, such as a quote.
    Promise,
    Picture,
    /// A response of an upstream, which can be requested again.
    Answer,
}

/// Requests that an upstream allows this server without a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quota {
    /// Id of the upstream.
    pub(crate) upstream: &'static str,
    pub(crate) requests: u32,
    pub(crate) within: Duration,
    /// Requests of one visitor at once, after a pause.
    pub(crate) burst: u32,
}

/// One visitor takes at most this part of an upstream's quota: an eighth.
const PARTS: f64 = 8.0;

/// Lookups of one visitor at a vendor for which the operator has a key: enough for one that opens an account and switches networks. It is
/// no part of a quota, because plans differ.
const KEYED: Rate = Rate { per_second: 10.0 / 60.0, burst: 30 };

/// Kibibytes that one visitor may add to Redis in a second, and at once after a pause. Promises are few and exempt.
const ADDED: Rate = Rate { per_second: 256.0, burst: 16 * 1024 };

/// Rate limit of a bucket: an average per second, and a burst.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Average rate.
    pub per_second: f64,
    /// Maximum at once, after a pause. At least 1.
    pub burst: u32,
}

/// A limit is exceeded; the request is allowed after this many seconds, at least 1.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Spent {
    /// Value for `Retry-After`.
    pub seconds: u32,
}

impl Rate {
    /// Time in which one unit refills.
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

/// A limit with its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    /// Unique among all buckets.
    pub key: String,
    /// Rate or window of the bucket.
    pub limit: Limit,
}

/// Limit of a bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Refills continuously. A cost above the burst charges the whole burst.
    Rate(Rate),
    /// A fixed amount until the window ends.
    Window {
        /// Total amount.
        most: u32,
        /// Time left.
        ends_in: Duration,
    },
}

/// Amount spent of a window.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Window {
    /// Key of its bucket.
    pub(crate) key: String,
    pub(crate) spent: u32,
    /// Time left.
    pub(crate) ends_in: Duration,
}

/// Result of a charge that exceeds one of several buckets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Over {
    /// Index of the exceeded bucket.
    pub place: usize,
    /// Time until it allows the cost.
    pub spent: Spent,
}

impl Shared {
    /// State in the memory of this process alone.
    pub fn in_memory() -> Shared {
        Shared { memory: Memory::new(), redis: None }
    }

    /// State in Redis, under keys that begin with `prefix`. Redis need not be reachable yet.
    pub fn in_redis(place: ::redis::ConnectionInfo, prefix: &str) -> ::redis::RedisResult<Shared> {
        Ok(Shared { memory: Memory::new(), redis: Some(Redis::new(place, prefix)?) })
    }

    /// Whether nodes share their state: false if Redis is configured but lost.
    pub async fn whole(&self) -> bool {
        match &self.redis {
            Some(redis) => redis.answers().await,
            None => true,
        }
    }

    /// Why a configured Redis refused when it was last asked; `None` if it didn't, or gave no response.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        self.redis.as_ref().and_then(Redis::refusal)
    }

    /// Checks whether a lost Redis is back; returns at once without Redis.
    pub(crate) async fn watch(self) {
        if let Some(redis) = &self.redis {
            redis.watch().await;
        }
    }

    /// Whether other processes use the same state. If not, results cached in this process need not be stored here too.
    pub fn spans_processes(&self) -> bool {
        self.redis.is_some()
    }

    /// A stored response that has not expired.
    pub async fn get(&self, key: &str) -> Option<Bytes> {
        self.get_of(Kind::Answer, key).await
    }

    /// Stores a response for this time.
    pub async fn put(&self, key: &str, value: Bytes, for_time: Duration) {
        self.put_of(Kind::Answer, key, value, for_time).await;
    }

    /// A stored value of this kind that has not expired.
    pub(crate) async fn get_of(&self, kind: Kind, key: &str) -> Option<Bytes> {
        match &self.redis {
            Some(redis) => redis.get(key).await.unwrap_or(None),
            None => self.memory.get(kind, key),
        }
    }

    /// Stores a value of this kind for this time.
    pub(crate) async fn put_of(&self, kind: Kind, key: &str, value: Bytes, for_time: Duration) {
        match &self.redis {
            // A failed write is harmless: the value is requested again.
            Some(redis) if self.may_add(kind, value.len()) => {
                redis.put(key, &value, for_time).await.unwrap_or(());
            }
            Some(_) => {}
            None => self.memory.put(kind, key, value, for_time),
        }
    }

    /// Whether the visitor of the request may add a value of this length to Redis, which removes others when it is full. Each process
    /// counts alone, as a request to Redis costs more than it saves.
    fn may_add(&self, kind: Kind, length: usize) -> bool {
        let Some(visitor) = visitors::current().filter(|_| kind != Kind::Promise) else { return true };
        let bucket = Bucket { key: format!("added:{visitor}"), limit: Limit::Rate(ADDED) };
        let kibibytes = u32::try_from(length.div_ceil(1024)).unwrap_or(u32::MAX);
        kibibytes <= ADDED.burst && self.memory.spend_each(&[bucket], kibibytes).is_ok()
    }

    /// Charges `cost` to a bucket that refills at `rate` (GCRA).
    pub async fn spend(&self, bucket: &str, cost: u32, rate: Rate) -> Result<(), Spent> {
        let bucket = Bucket { key: bucket.into(), limit: Limit::Rate(rate) };
        self.spend_each(&[bucket], cost).await.map_err(|over| over.spent)
    }

    /// Charges one request to the visitor's part of an upstream's quota; `false` if it has used it up.
    pub(crate) async fn spend_part(&self, quota: Quota) -> bool {
        let per_second = f64::from(quota.requests) / PARTS / quota.within.as_secs_f64();
        self.spend_share(quota.upstream, Rate { per_second, burst: quota.burst }).await
    }

    /// Charges one lookup to the visitor's share of a vendor that is asked with a key; `false` if it has used it up.
    pub(crate) async fn spend_keyed(&self, vendor: &str) -> bool {
        self.spend_share(vendor, KEYED).await
    }

    async fn spend_share(&self, upstream: &str, rate: Rate) -> bool {
        let Some(visitor) = visitors::current() else { return true };
        let admitted = self.spend(&format!("upstream:{upstream}:{visitor}"), 1, rate).await.is_ok();
        if !admitted {
            visitors::leave_out();
        }
        admitted
    }

    /// Charges `cost` to every bucket, or to none if one has too little left.
    pub async fn spend_each(&self, buckets: &[Bucket], cost: u32) -> Result<(), Over> {
        match &self.redis {
            Some(redis) => {
                let spent = redis.spend_each(buckets, cost).await;
                spent.unwrap_or_else(|Gone| self.memory.spend_each(buckets, cost))
            }
            None => self.memory.spend_each(buckets, cost),
        }
    }

    /// Amounts spent of windows.
    pub(crate) async fn spent_of(&self, windows: &[String]) -> Vec<u32> {
        match &self.redis {
            Some(redis) if !windows.is_empty() => {
                redis.spent_of(windows).await.unwrap_or_else(|Gone| self.memory.spent_of(windows))
            }
            _ => self.memory.spent_of(windows),
        }
    }

    /// Amounts that this process has spent of windows since the last call.
    pub(crate) fn take_windows(&self) -> Vec<Window> {
        self.memory.take_windows()
    }

    /// Returns amounts that could not be written, so that [`Shared::take_windows`] returns them again.
    pub(crate) fn give_back_windows(&self, windows: &[Window]) {
        self.memory.give_back_windows(windows);
    }

    /// Raises counters to these totals, which include other processes. Never lowers one.
    pub(crate) fn raise_windows(&self, windows: Vec<Window>) {
        self.memory.raise_windows(windows);
    }

    /// Publishes messages to all nodes that listen. False if Redis is lost.
    pub(crate) async fn publish(&self, channel: &str, texts: &[Bytes]) -> bool {
        match &self.redis {
            Some(redis) => redis.publish(channel, texts).await.is_ok(),
            None => true,
        }
    }

    /// Subscribes to messages of all nodes, including this one, until Redis is lost. `None` if it cannot be reached.
    pub(crate) async fn listen(&self, channel: &str) -> Option<Heard> {
        self.redis.as_ref()?.listen(channel).await.ok()
    }

    /// True on the first call with this key within the time, false afterwards: protects against replay.
    pub async fn first(&self, key: &str, within: Duration) -> bool {
        match &self.redis {
            Some(redis) => redis.first(key, within).await.unwrap_or_else(|Gone| self.memory.first(key, within)),
            None => self.memory.first(key, within),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_visitor_adds_so_many_bytes_to_redis_in_a_while_and_its_promises_are_kept() {
        let shared = Shared::in_memory();
        let added = async |visitor: &str| {
            let pictures = async { (0..1000).filter(|_| shared.may_add(Kind::Picture, 256 * 1024)).count() };
            visitors::with(Some(visitor.parse().unwrap()), pictures).await
        };
        assert_eq!((added("192.0.2.66").await, added("192.0.2.66").await, added("192.0.2.7").await), (64, 0, 64));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(added("192.0.2.66").await, 2);
        let large = async { shared.may_add(Kind::Answer, 64 << 20) };
        assert!(!visitors::with(Some("192.0.2.9".parse().unwrap()), large).await);
        let kept = async { shared.may_add(Kind::Promise, 5000) && !shared.may_add(Kind::Answer, 5000) };
        assert!(visitors::with(Some("192.0.2.66".parse().unwrap()), kept).await);
        assert!(shared.may_add(Kind::Answer, usize::MAX));
    }
}
