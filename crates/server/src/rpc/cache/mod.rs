//! Response cache: recent results in memory, and permanent ones also in the store that all server processes share.

mod life;

use super::served::Served;
use crate::shared::Shared;
use alloy_primitives::keccak256;
use axum::body::Bytes;
use moka::future::Cache as Moka;
use portico_terms::ChainId;
use serde::Deserialize;
use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;
use tokio::time::{Instant, timeout};

pub(super) use life::{Life, life, quantity, state_at};

/// Longest lifetime of a result that the next block may change; usually it is half the block time.
const LONGEST: Duration = Duration::from_secs(2);

/// Lifetime of an entry in the shared store.
const SHARED_FOR: Duration = Duration::from_secs(7 * 24 * 3600);

/// Time limit for the shared store: one slower than a node is of no use.
const SHARED_LIMIT: Duration = Duration::from_millis(50);

/// One entry may take at most this fraction of the cache: 1/32.
const LARGEST_PART: u64 = 32;

/// Size of an entry beside its text, in bytes.
const OVERHEAD: usize = 128;

/// Cache key of a call: two hashes with random keys that only this process knows, so that clients cannot forge a collision.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct Key(u64, u64);

pub(crate) struct Cache {
    kept: Moka<Key, CachedText>,
    room: u64,
    hashers: [RandomState; 2],
}

/// Result of a cache lookup.
pub(super) enum Found {
    /// The JSON text of a result.
    Result(Bytes),
    /// An expired entry.
    Stale,
    Nothing,
}

#[derive(Clone)]
struct CachedText {
    text: Bytes,
    until: Until,
}

#[derive(Clone, Copy)]
enum Until {
    Ever,
    /// Valid until this time or until a block newer than this one.
    Block(Instant, u64),
}

impl Cache {
    pub(crate) fn new(mebibytes: usize) -> Cache {
        let room = u64::try_from(mebibytes).unwrap_or(u64::MAX).saturating_mul(1024 * 1024);
        let weigh = |_: &Key, kept: &CachedText| u32::try_from(kept.text.len() + OVERHEAD).unwrap_or(u32::MAX);
        Cache {
            kept: Moka::builder().max_capacity(room).weigher(weigh).build(),
            room,
            hashers: [RandomState::new(), RandomState::new()],
        }
    }

    /// Missing parameters and an empty list of them give the same key.
    pub(super) fn key(&self, chain: &ChainId, method: &str, params: Option<&str>) -> Key {
        let call = (chain, method, params.unwrap_or("[]"));
        let [one, other] = &self.hashers;
        Key(one.hash_one(call), other.hash_one(call))
    }

    /// Looks up a call.
    pub(super) async fn get(&self, served: &Served, key: &Key) -> Found {
        let Some(kept) = self.kept.get(key).await else { return Found::Nothing };
        match kept.until {
            Until::Block(until, head) if Instant::now() >= until || served.head() != head => Found::Stale,
            Until::Ever | Until::Block(..) => Found::Result(kept.text),
        }
    }

    /// Stores a result for its lifetime. `head` was the newest block when the call was sent. Returns whether the result is permanent.
    pub(super) async fn put(&self, served: &Served, key: Key, life: Life, head: u64, result: &str) -> bool {
        let Some(until) = until(served, life, head, result) else { return false };
        if result.len() as u64 <= self.room / LARGEST_PART {
            // Copied, as a slice would keep the whole response of a batch in memory.
            let text = Bytes::copy_from_slice(result.as_bytes());
            self.kept.insert(key, CachedText { text, until }).await;
        }
        matches!(until, Until::Ever)
    }

    /// Looks up a result that another server process stored.
    pub(super) async fn get_shared(&self, shared: &Shared, key: Key, name: &str) -> Option<Bytes> {
        let text = timeout(SHARED_LIMIT, shared.get(name)).await.ok()??;
        // The store is outside this process, so its content is validated.
        serde_json::from_slice::<&serde_json::value::RawValue>(&text).ok()?;
        self.kept.insert(key, CachedText { text: text.clone(), until: Until::Ever }).await;
        Some(text)
    }

    pub(super) async fn put_shared(shared: &Shared, name: &str, result: &str) {
        let text = Bytes::copy_from_slice(result.as_bytes());
        // A failed write is harmless: the result is requested again.
        let _ = timeout(SHARED_LIMIT, shared.put(name, text, SHARED_FOR)).await;
    }
}

/// Key of a call in the shared store.
pub(super) fn shared_name(chain: &ChainId, method: &str, params: Option<&str>) -> String {
    format!("rpc:{chain}:{method}:{:x}", keccak256(params.unwrap_or("[]")))
}

fn until(served: &Served, life: Life, head: u64, result: &str) -> Option<Until> {
    // `null` is a receipt or block that does not exist yet.
    if result == "null" {
        return None;
    }
    let is_final = |number: u64| served.last_final().is_some_and(|last| number <= last);
    let for_ever = match life {
        Life::None => return None,
        Life::Block => false,
        Life::Numbered(number) => is_final(number),
        Life::Named => is_final(block_named_in(result)?),
        Life::Ever => true,
    };
    if for_ever {
        return Some(Until::Ever);
    }
    let time = (served.block_time? / 2).min(LONGEST);
    Some(Until::Block(Instant::now() + time, head))
}

/// Block number in a transaction or receipt, in the field of EVM chains or of Bitcoin; `None` while it is pending.
pub(super) fn block_named_in(result: &str) -> Option<u64> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct InBlock<'a> {
        #[serde(borrow)]
        block_number: Option<Cow<'a, str>>,
        #[serde(rename = "blockheight")]
        height: Option<u32>,
    }
    let found: InBlock<'_> = serde_json::from_str(result).ok()?;
    found.height.map(u64::from).or_else(|| quantity(&found.block_number?))
}
