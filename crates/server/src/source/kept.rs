//! Cache of source responses: fresh for seconds, and stored for hours in case every source fails.

use crate::AppState;
use axum::body::Bytes;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Lifetime of a stale cache entry, served with its age if every source fails.
const STALE: Duration = Duration::from_secs(6 * 3600);

/// Cached response with its source.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct CachedAnswer {
    /// Time of the response, in milliseconds since 1970.
    pub(crate) at: u64,
    /// Id of the source, such as "rpc".
    pub(crate) source: String,
    /// Body in JSON.
    pub(crate) body: String,
}

impl CachedAnswer {
    /// Entry for a response received now.
    pub(crate) fn new(source: &str, body: String) -> CachedAnswer {
        CachedAnswer { at: now(), source: source.into(), body }
    }

    /// Age in whole seconds.
    pub(crate) fn age(&self) -> u32 {
        u32::try_from(now().saturating_sub(self.at) / 1000).unwrap_or(u32::MAX)
    }

    /// Whether the entry is younger than `within`.
    pub(crate) fn fresh(&self, within: Duration) -> bool {
        u128::from(now().saturating_sub(self.at)) < within.as_millis()
    }
}

/// Cache entry of this key, fresh or stale.
pub(crate) async fn get(state: &AppState, key: &str) -> Option<CachedAnswer> {
    let bytes = state.shared().get(key).await?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let (at, rest) = text.split_once(' ')?;
    let (source, body) = rest.split_once(' ')?;
    Some(CachedAnswer { at: at.parse().ok()?, source: source.into(), body: body.into() })
}

/// Stores a cache entry.
pub(crate) async fn put(state: &AppState, key: &str, kept: &CachedAnswer) {
    let text = format!("{} {} {}", kept.at, kept.source, kept.body);
    state.shared().put(key, Bytes::from(text), STALE).await;
}

/// Current time, in milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
