//! Values in memory, up to a number of bytes. The least recently used ones are removed first, and those of a visitor above its share
//! before those of others.

use axum::body::Bytes;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Size of an entry beside its key and value, in bytes.
const OVERHEAD: usize = 128;

/// Room for values of one kind.
pub(super) struct Shelf {
    most: usize,
    share: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    entries: HashMap<Arc<str>, Entry>,
    /// Keys in the order of their last use.
    order: BTreeMap<u64, Arc<str>>,
    owners: HashMap<IpAddr, Owner>,
    bytes: usize,
    uses: u64,
}

struct Entry {
    value: Bytes,
    until: Instant,
    owner: Option<IpAddr>,
    used: u64,
}

/// Entries of one visitor.
#[derive(Default)]
struct Owner {
    bytes: usize,
    order: BTreeSet<u64>,
}

impl Shelf {
    /// Room for this many bytes, of which each visitor may fill one of `parts`.
    pub(super) fn new(most: usize, parts: usize) -> Shelf {
        Shelf { most, share: most / parts, kept: Mutex::default() }
    }

    pub(super) fn get(&self, key: &str) -> Option<Bytes> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let expired = kept.entries.get(key)?.until <= Instant::now();
        if expired {
            kept.remove(key);
            return None;
        }
        kept.touch(key)
    }

    /// Stores a value for this time, at most; a value without an owner is the server's own. One larger than the share is not stored.
    pub(super) fn put(&self, owner: Option<IpAddr>, key: &str, value: Bytes, for_time: Duration) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(key);
        if size(key, &value) > self.share {
            return;
        }
        kept.add(key.into(), Entry { value, until: Instant::now() + for_time, owner, used: 0 });
        while let Some(oldest) = owner.and_then(|owner| kept.oldest_of(owner, self.share)) {
            kept.remove(&oldest);
        }
        while kept.bytes > self.most
            && let Some(oldest) = kept.order.first_key_value().map(|(_, key)| key.clone())
        {
            kept.remove(&oldest);
        }
    }
}

impl Kept {
    fn add(&mut self, key: Arc<str>, mut entry: Entry) {
        self.uses += 1;
        entry.used = self.uses;
        let size = size(&key, &entry.value);
        self.bytes += size;
        if let Some(owner) = entry.owner {
            let owner = self.owners.entry(owner).or_default();
            owner.bytes += size;
            owner.order.insert(entry.used);
        }
        self.order.insert(entry.used, key.clone());
        self.entries.insert(key, entry);
    }

    /// The value, which is now the most recently used.
    fn touch(&mut self, key: &str) -> Option<Bytes> {
        let (key, entry) = self.remove(key)?;
        let value = entry.value.clone();
        self.add(key, entry);
        Some(value)
    }

    fn remove(&mut self, key: &str) -> Option<(Arc<str>, Entry)> {
        let (key, entry) = self.entries.remove_entry(key)?;
        let size = size(&key, &entry.value);
        self.order.remove(&entry.used);
        self.bytes -= size;
        if let Some(address) = entry.owner
            && let Some(owner) = self.owners.get_mut(&address)
        {
            owner.bytes -= size;
            owner.order.remove(&entry.used);
            if owner.order.is_empty() {
                self.owners.remove(&address);
            }
        }
        Some((key, entry))
    }

    /// Least recently used key of a visitor that has more than its share.
    fn oldest_of(&self, owner: IpAddr, share: usize) -> Option<Arc<str>> {
        let owner = self.owners.get(&owner).filter(|owner| owner.bytes > share)?;
        self.order.get(owner.order.first()?).cloned()
    }
}

/// Memory that an entry takes, in bytes.
fn size(key: &str, value: &Bytes) -> usize {
    key.len() + value.len() + OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn ip(text: &str) -> Option<IpAddr> {
        Some(text.parse().unwrap())
    }

    /// Value with which an entry of a key of two letters takes 1000 bytes.
    fn value() -> Bytes {
        vec![7; 998 - OVERHEAD].into()
    }

    #[test]
    fn a_visitor_above_its_share_loses_its_own_values_and_nobody_else_does() {
        let shelf = Shelf::new(8000, 4);
        shelf.put(ip("192.0.2.7"), "mine", "a".into(), MINUTE);
        shelf.put(None, "own", "b".into(), MINUTE);
        for number in 10..90 {
            shelf.put(ip("192.0.2.66"), &number.to_string(), value(), MINUTE);
        }
        let found = (10..90).filter(|number| shelf.get(&number.to_string()).is_some());
        assert_eq!(found.collect::<Vec<_>>(), [88, 89]);
        assert_eq!((shelf.get("mine"), shelf.get("own")), (Some("a".into()), Some("b".into())));
    }

    #[test]
    fn the_least_recently_used_leaves_first_and_a_new_value_is_always_stored() {
        let shelf = Shelf::new(3000, 1);
        for key in ["aa", "bb", "cc"] {
            shelf.put(None, key, value(), MINUTE);
            // However often older values were read.
            for _ in 0..100 {
                shelf.get("aa");
            }
        }
        shelf.put(None, "dd", value(), MINUTE);
        assert_eq!(["aa", "bb", "cc", "dd"].map(|key| shelf.get(key).is_some()), [true, false, true, true]);
        shelf.put(None, "ee", vec![0; 3000].into(), MINUTE);
        assert_eq!(["aa", "cc", "dd", "ee"].map(|key| shelf.get(key).is_some()), [true, true, true, false]);
        assert!(shelf.kept.lock().unwrap().bytes == 3000);
    }

    #[tokio::test(start_paused = true)]
    async fn a_value_is_found_until_it_expires_and_nothing_is_left_of_it() {
        let shelf = Shelf::new(8000, 1);
        shelf.put(ip("192.0.2.7"), "aa", "1".into(), MINUTE);
        shelf.put(ip("192.0.2.8"), "aa", "2".into(), MINUTE);
        shelf.put(None, "bb", "3".into(), Duration::ZERO);
        assert_eq!((shelf.get("aa"), shelf.get("bb"), shelf.get("cc")), (Some("2".into()), None, None));
        tokio::time::advance(MINUTE).await;
        assert_eq!(shelf.get("aa"), None);
        let kept = shelf.kept.lock().unwrap();
        assert!(kept.entries.is_empty() && kept.order.is_empty() && kept.owners.is_empty());
        assert_eq!(kept.bytes, 0);
    }
}
