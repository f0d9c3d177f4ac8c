//! State of one process in memory.

use super::shelf::Shelf;
use super::{Bucket, Kind, Limit, Over, Spent, Window};
use crate::visitors;
use axum::body::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Size limit of the stored values of each kind, in bytes, and the number of parts of which one visitor may fill one.
const PROMISES: (usize, usize) = (16 << 20, 8);
const PICTURES: (usize, usize) = (24 << 20, 4);
const ANSWERS: (usize, usize) = (24 << 20, 4);

/// Number of entries from which on expired ones are removed, and the minimum interval between removals.
const MOST: usize = 100_000;
const CLEARING: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub(super) struct Memory {
    kept: Arc<[Shelf; 3]>,
    books: Arc<Mutex<Books>>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        let kept = [PROMISES, PICTURES, ANSWERS].map(|(most, parts)| Shelf::new(most, parts));
        let books = Books { entries: HashMap::new(), cleared: Instant::now() };
        Memory { kept: Arc::new(kept), books: Arc::new(Mutex::new(books)) }
    }

    pub(super) fn get(&self, kind: Kind, key: &str) -> Option<Bytes> {
        self.shelf(kind).get(key)
    }

    /// Stores a value, which counts against the visitor of the request.
    pub(super) fn put(&self, kind: Kind, key: &str, value: Bytes, for_time: Duration) {
        self.shelf(kind).put(visitors::current(), key, value, for_time);
    }

    fn shelf(&self, kind: Kind) -> &Shelf {
        let [promises, pictures, answers] = &*self.kept;
        match kind {
            Kind::Promise => promises,
            Kind::Picture => pictures,
            Kind::Answer => answers,
        }
    }

    pub(super) fn spend_each(&self, buckets: &[Bucket], cost: u32) -> Result<(), Over> {
        let now = Instant::now();
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        books.clear(now);
        let mut next = Vec::with_capacity(buckets.len());
        for (place, bucket) in buckets.iter().enumerate() {
            let entry = books.entries.get(&bucket.key).copied();
            let after = after(entry, bucket.limit, cost, now).map_err(|spent| Over { place, spent })?;
            next.push(after);
        }
        for (bucket, after) in buckets.iter().zip(next) {
            books.set(&bucket.key, after);
        }
        Ok(())
    }

    pub(super) fn spent_of(&self, windows: &[String]) -> Vec<u32> {
        let now = Instant::now();
        let books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        let spent = |window| books.entries.get(window).filter(|entry| entry.until > now).map_or(0, |entry| entry.count);
        windows.iter().map(spent).collect()
    }

    pub(super) fn take_windows(&self) -> Vec<Window> {
        let now = Instant::now();
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = books.entries.iter_mut().filter(|(_, entry)| entry.fresh > 0);
        let taken = fresh.map(|(key, entry)| Window {
            key: key.clone(),
            spent: std::mem::take(&mut entry.fresh),
            ends_in: entry.until.saturating_duration_since(now),
        });
        taken.collect()
    }

    pub(super) fn give_back_windows(&self, windows: &[Window]) {
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        for window in windows {
            if let Some(entry) = books.entries.get_mut(&window.key) {
                entry.fresh = entry.fresh.saturating_add(window.spent);
            }
        }
    }

    pub(super) fn raise_windows(&self, windows: Vec<Window>) {
        let now = Instant::now();
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        for Window { key, spent, ends_in } in windows {
            let entry = books.entries.entry(key).or_insert(Entry { until: now + ends_in, count: 0, fresh: 0 });
            entry.count = entry.count.max(spent.saturating_add(entry.fresh));
        }
    }

    pub(super) fn first(&self, key: &str, within: Duration) -> bool {
        let now = Instant::now();
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        books.clear(now);
        let first = books.entries.get(key).is_none_or(|entry| entry.until <= now);
        if first {
            books.set(key, Entry { until: now + within, count: 1, fresh: 0 });
        }
        first
    }
}

/// State of a bucket, or of a key that was used once.
#[derive(Clone, Copy)]
struct Entry {
    /// Expiry of the entry: when the bucket is full again, the window ends or the key may be used again.
    until: Instant,
    /// Amount spent in a window.
    count: u32,
    /// Part of `count` that [`Memory::take_windows`] has not returned yet.
    fresh: u32,
}

struct Books {
    entries: HashMap<String, Entry>,
    cleared: Instant,
}

impl Books {
    /// Removes expired entries if there are many. Not on each call, as all may still be valid.
    fn clear(&mut self, now: Instant) {
        if self.entries.len() >= MOST && now >= self.cleared + CLEARING {
            self.cleared = now;
            self.entries.retain(|_, entry| entry.until > now);
        }
    }

    fn set(&mut self, key: &str, entry: Entry) {
        match self.entries.get_mut(key) {
            Some(known) => *known = entry,
            None => drop(self.entries.insert(key.into(), entry)),
        }
    }
}

/// The entry after charging a cost, if the limit allows it.
fn after(entry: Option<Entry>, limit: Limit, cost: u32, now: Instant) -> Result<Entry, Spent> {
    let entry = entry.filter(|entry| entry.until > now);
    match limit {
        Limit::Rate(rate) => {
            let burst = rate.burst.max(1);
            let each = rate.each();
            let full_at = entry.map_or(now, |entry| entry.until) + each.saturating_mul(cost.min(burst));
            let over = full_at.saturating_duration_since(now + each.saturating_mul(burst));
            if over.is_zero() { Ok(Entry { until: full_at, count: 0, fresh: 0 }) } else { Err(Spent::after(over)) }
        }
        Limit::Window { most, ends_in } => {
            let Entry { until, count, fresh } = entry.unwrap_or(Entry { until: now + ends_in, count: 0, fresh: 0 });
            let (count, fresh) = (count.saturating_add(cost), fresh.saturating_add(cost));
            if count <= most { Ok(Entry { until, count, fresh }) } else { Err(Spent::after(until - now)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rate;
    use super::*;

    const RATE: Limit = Limit::Rate(Rate { per_second: 2.0, burst: 4 });

    fn spend(memory: &Memory, key: &str, cost: u32, limit: Limit) -> Result<(), u32> {
        let spent = memory.spend_each(&[Bucket { key: key.into(), limit }], cost);
        spent.map_err(|over| over.spent.seconds)
    }

    #[tokio::test(start_paused = true)]
    async fn a_bucket_gives_its_burst_at_once_and_then_as_it_fills() {
        let memory = Memory::new();
        for _ in 0..4 {
            assert_eq!(spend(&memory, "a", 1, RATE), Ok(()));
        }
        assert_eq!(spend(&memory, "a", 1, RATE), Err(1));
        assert_eq!(spend(&memory, "b", 4, RATE), Ok(()));
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(spend(&memory, "a", 1, RATE), Ok(()));
        assert_eq!(spend(&memory, "a", 3, RATE), Err(2));
    }

    #[tokio::test(start_paused = true)]
    async fn what_costs_more_than_a_bucket_takes_a_full_one() {
        let memory = Memory::new();
        assert_eq!(spend(&memory, "a", 1000, RATE), Ok(()));
        assert_eq!(spend(&memory, "a", 1000, RATE), Err(2));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(spend(&memory, "a", u32::MAX, RATE), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_holds_so_much_until_it_ends() {
        let memory = Memory::new();
        let window = |ends_in| Limit::Window { most: 3, ends_in: Duration::from_secs(ends_in) };
        assert_eq!(spend(&memory, "a", 4, window(10)), Err(10));
        assert_eq!(spend(&memory, "a", 2, window(10)), Ok(()));
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(spend(&memory, "a", 2, window(6)), Err(6));
        assert_eq!(spend(&memory, "a", 1, window(6)), Ok(()));
        tokio::time::advance(Duration::from_secs(6)).await;
        assert_eq!(spend(&memory, "a", 3, window(10)), Ok(()));
    }

    #[tokio::test]
    async fn of_several_buckets_all_are_spent_or_none() {
        let memory = Memory::new();
        let bucket = |key: &str, limit| Bucket { key: key.into(), limit };
        let small = Limit::Window { most: 1, ends_in: Duration::from_secs(60) };
        let both = [bucket("a", RATE), bucket("b", small)];
        assert_eq!(memory.spend_each(&both, 1), Ok(()));
        for _ in 0..5 {
            assert_eq!(memory.spend_each(&both, 1), Err(Over { place: 1, spent: Spent { seconds: 60 } }));
        }
        assert_eq!(spend(&memory, "a", 3, RATE), Ok(()));
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
    async fn a_visitor_that_stores_all_it_can_leaves_the_promises_answers_and_pictures_of_others() {
        let memory = Memory::new();
        let kinds = [Kind::Promise, Kind::Picture, Kind::Answer];
        let store = async |visitor: &str, kind, key: String, length: usize| {
            let stored = async { memory.put(kind, &key, vec![0; length].into(), Duration::from_secs(60)) };
            visitors::with(Some(visitor.parse().unwrap()), stored).await;
        };
        for kind in kinds {
            store("192.0.2.7", kind, "neighbour".into(), 1000).await;
            for number in 0..400 {
                store("192.0.2.66", kind, format!("noise{number}"), 256 * 1024).await;
            }
            store("192.0.2.8", kind, "later".into(), 1000).await;
        }
        for kind in kinds {
            assert!(memory.get(kind, "neighbour").is_some() && memory.get(kind, "later").is_some());
            assert!(memory.get(kind, "noise399").is_some() && memory.get(kind, "noise0").is_none());
        }
    }
}
