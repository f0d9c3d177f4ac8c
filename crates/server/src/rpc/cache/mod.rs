//! Answers that are kept: in memory while there is room, and among the nodes of an installation what holds for ever.

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

/// An answer that a block may change holds for half the time between blocks, and at most for this long.
const LONGEST: Duration = Duration::from_secs(2);

/// What the nodes of an installation keep together is asked for anew after this time.
const SHARED_FOR: Duration = Duration::from_secs(7 * 24 * 3600);

/// A shared cache that is slower than a node is of no use.
const SHARED_LIMIT: Duration = Duration::from_millis(50);

/// One answer may take this part of all the room.
const LARGEST_PART: u64 = 32;

/// What an entry takes beside its text, in bytes.
const OVERHEAD: usize = 128;

/// What a call is known by: two hashes whose keys nobody outside this process knows, so that nobody can make two calls look the same.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct Key(u64, u64);

pub(crate) struct Cache {
    kept: Moka<Key, Kept>,
    room: u64,
    hashers: [RandomState; 2],
}

/// What is found in the cache.
pub(super) enum Found {
    /// The text of a result.
    Result(Bytes),
    /// One that holds no more.
    Stale,
    Nothing,
}

#[derive(Clone)]
struct Kept {
    text: Bytes,
    until: Until,
}

#[derive(Clone, Copy)]
enum Until {
    Ever,
    /// This time, or a block after this one.
    Block(Instant, u64),
}

impl Cache {
    pub(crate) fn new(mebibytes: usize) -> Cache {
        let room = u64::try_from(mebibytes).unwrap_or(u64::MAX).saturating_mul(1024 * 1024);
        let weigh = |_: &Key, kept: &Kept| u32::try_from(kept.text.len() + OVERHEAD).unwrap_or(u32::MAX);
        Cache {
            kept: Moka::builder().max_capacity(room).weigher(weigh).build(),
            room,
            hashers: [RandomState::new(), RandomState::new()],
        }
    }

    /// No parameters and an empty list of them are the same.
    pub(super) fn key(&self, chain: &ChainId, method: &str, params: Option<&str>) -> Key {
        let call = (chain, method, params.unwrap_or("[]"));
        let [one, other] = &self.hashers;
        Key(one.hash_one(call), other.hash_one(call))
    }

    /// What is kept of a call.
    pub(super) async fn get(&self, served: &Served, key: &Key) -> Found {
        let Some(kept) = self.kept.get(key).await else { return Found::Nothing };
        match kept.until {
            Until::Block(until, head) if Instant::now() >= until || served.head() != head => Found::Stale,
            Until::Ever | Until::Block(..) => Found::Result(kept.text),
        }
    }

    /// Keeps a result as long as it holds. `head` was the chain's newest block when it was asked for. Tells whether it holds for ever.
    pub(super) async fn put(&self, served: &Served, key: Key, life: Life, head: u64, result: &str) -> bool {
        let Some(until) = until(served, life, head, result) else { return false };
        if result.len() as u64 <= self.room / LARGEST_PART {
            // A copy, as a slice would keep the whole answer of a batch.
            let text = Bytes::copy_from_slice(result.as_bytes());
            self.kept.insert(key, Kept { text, until }).await;
        }
        matches!(until, Until::Ever)
    }

    /// What another node of the installation kept.
    pub(super) async fn get_shared(&self, shared: &Shared, key: Key, name: &str) -> Option<Bytes> {
        let text = timeout(SHARED_LIMIT, shared.get(name)).await.ok()??;
        // What comes from outside is not believed to be what we wrote.
        serde_json::from_slice::<&serde_json::value::RawValue>(&text).ok()?;
        self.kept.insert(key, Kept { text: text.clone(), until: Until::Ever }).await;
        Some(text)
    }

    pub(super) async fn put_shared(shared: &Shared, name: &str, result: &str) {
        let text = Bytes::copy_from_slice(result.as_bytes());
        // What could not be kept is asked for again.
        let _ = timeout(SHARED_LIMIT, shared.put(name, text, SHARED_FOR)).await;
    }
}

/// The name under which all nodes of an installation know a call.
pub(super) fn shared_name(chain: &ChainId, method: &str, params: Option<&str>) -> String {
    format!("rpc:{chain}:{method}:{:x}", keccak256(params.unwrap_or("[]")))
}

fn until(served: &Served, life: Life, head: u64, result: &str) -> Option<Until> {
    // A receipt that is not there yet, a block that has not come.
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

/// The block of a transaction or a receipt; none where it is pending.
pub(super) fn block_named_in(result: &str) -> Option<u64> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct InBlock<'a> {
        #[serde(borrow)]
        block_number: Option<Cow<'a, str>>,
    }
    let found: InBlock<'_> = serde_json::from_str(result).ok()?;
    quantity(&found.block_number?)
}
