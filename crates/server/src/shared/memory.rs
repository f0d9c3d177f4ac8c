//! The memory of one process.

use super::{Rate, Spent};
use axum::body::Bytes;
use moka::Expiry;
use moka::future::Cache;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// All that is kept together, in bytes.
const ROOM: u64 = 64 * 1024 * 1024;

/// So many buckets and things that happened once are remembered before those that have run out are cleared away.
const MOST: usize = 100_000;

#[derive(Clone)]
pub(super) struct Memory {
    kept: Cache<String, Kept>,
    /// When a bucket is full again, or a thing may happen again.
    full_at: Arc<Mutex<HashMap<String, Instant>>>,
}

#[derive(Clone)]
struct Kept {
    value: Bytes,
    for_time: Duration,
}

struct ByEntry;

impl Expiry<String, Kept> for ByEntry {
    fn expire_after_create(&self, _key: &String, kept: &Kept, _at: std::time::Instant) -> Option<Duration> {
        Some(kept.for_time)
    }

    fn expire_after_update(
        &self,
        _key: &String,
        kept: &Kept,
        _at: std::time::Instant,
        _left: Option<Duration>,
    ) -> Option<Duration> {
        Some(kept.for_time)
    }
}

impl Memory {
    pub(super) fn new() -> Memory {
        let weight = |key: &String, kept: &Kept| u32::try_from(key.len() + kept.value.len()).unwrap_or(u32::MAX);
        let kept = Cache::builder().max_capacity(ROOM).weigher(weight).expire_after(ByEntry).build();
        Memory { kept, full_at: Arc::default() }
    }

    pub(super) async fn get(&self, key: &str) -> Option<Bytes> {
        self.kept.get(key).await.map(|kept| kept.value)
    }

    pub(super) async fn put(&self, key: &str, value: Bytes, for_time: Duration) {
        self.kept.insert(key.into(), Kept { value, for_time }).await;
    }

    pub(super) fn spend(&self, bucket: &str, cost: u32, rate: Rate) -> Result<(), Spent> {
        let now = Instant::now();
        let each = Duration::from_secs_f64(1.0 / rate.per_second.max(f64::MIN_POSITIVE).max(1e-9));
        let depth = each.saturating_mul(rate.burst.max(1));
        self.at(bucket, |full_at| {
            let full_at = full_at.map_or(now, |at| at.max(now)) + each.saturating_mul(cost);
            let over = full_at.saturating_duration_since(now + depth);
            if over.is_zero() { Ok(full_at) } else { Err(Spent { seconds: whole_seconds(over) }) }
        })
    }

    pub(super) fn first(&self, key: &str, within: Duration) -> bool {
        let now = Instant::now();
        self.at(key, |until| match until {
            Some(until) if until > now => Err(()),
            _ => Ok(now + within),
        })
        .is_ok()
    }

    /// Reads and writes one time under one lock.
    fn at<E>(&self, key: &str, next: impl FnOnce(Option<Instant>) -> Result<Instant, E>) -> Result<(), E> {
        let mut times = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if times.len() >= MOST {
            let now = Instant::now();
            times.retain(|_, at| *at > now);
        }
        let at = next(times.get(key).copied())?;
        times.insert(key.into(), at);
        Ok(())
    }
}

fn whole_seconds(time: Duration) -> u32 {
    let rest = u64::from(time.subsec_nanos() > 0);
    u32::try_from(time.as_secs() + rest).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { per_second: 2.0, burst: 4 };

    #[tokio::test(start_paused = true)]
    async fn a_bucket_gives_its_burst_at_once_and_then_as_it_fills() {
        let memory = Memory::new();
        for _ in 0..4 {
            assert_eq!(memory.spend("a", 1, RATE), Ok(()));
        }
        assert_eq!(memory.spend("a", 1, RATE), Err(Spent { seconds: 1 }));
        assert_eq!(memory.spend("b", 4, RATE), Ok(()));
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(memory.spend("a", 1, RATE), Ok(()));
        assert_eq!(memory.spend("a", 3, RATE), Err(Spent { seconds: 2 }));
    }

    #[tokio::test(start_paused = true)]
    async fn a_thing_happens_once_within_its_time() {
        let memory = Memory::new();
        let minute = Duration::from_secs(60);
        assert!(memory.first("nonce", minute));
        assert!(!memory.first("nonce", minute));
        assert!(memory.first("other", minute));
        tokio::time::advance(minute).await;
        assert!(memory.first("nonce", minute));
    }

    #[tokio::test]
    async fn what_is_kept_is_found_until_it_runs_out() {
        let memory = Memory::new();
        memory.put("long", "a".into(), Duration::from_secs(60)).await;
        memory.put("short", "b".into(), Duration::ZERO).await;
        assert_eq!(memory.get("long").await.as_deref(), Some(b"a".as_slice()));
        assert_eq!((memory.get("short").await, memory.get("none").await), (None, None));
    }
}
