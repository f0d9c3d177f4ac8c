//! Nodes that kept silent or could not be reached a moment ago: they are asked last, so that not every visitor waits for them.

use reqwest::Url;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long such a node stands behind the others.
const REST: Duration = Duration::from_secs(30);

/// Which nodes rest, and since when. There are never more than the configuration names.
#[derive(Default)]
pub(crate) struct Resting {
    since: Mutex<HashMap<Url, Instant>>,
}

impl Resting {
    /// The nodes in the order to ask them: those that rest come last.
    pub(super) fn order<'a>(&self, upstreams: &'a [Url]) -> Vec<&'a Url> {
        let now = Instant::now();
        let mut since = self.since();
        since.retain(|_, since| now < *since + REST);
        let (last, first): (Vec<&Url>, Vec<&Url>) = upstreams.iter().partition(|url| since.contains_key(url));
        [first, last].concat()
    }

    /// From now on this node is asked last.
    pub(super) fn begin(&self, upstream: &Url) {
        self.since().insert(upstream.clone(), Instant::now());
    }

    fn since(&self) -> MutexGuard<'_, HashMap<Url, Instant>> {
        self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
