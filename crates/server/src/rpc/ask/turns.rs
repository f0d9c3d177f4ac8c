//! Turns of the requests of one batch to nodes that take no batches.

use super::exchange::Exchange;
use super::{CallResult, LIMIT, NoResult};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

/// Number of requests of one batch that are in flight at the same time.
const AT_ONCE: usize = 8;

/// Turns of one batch, which end with the time limit of its answer.
#[derive(Clone)]
pub(super) struct Turns {
    turns: Arc<Semaphore>,
    end: Instant,
}

impl Turns {
    pub(super) fn new() -> Turns {
        Turns { turns: Arc::new(Semaphore::new(AT_ONCE)), end: Instant::now() + LIMIT }
    }

    /// Runs an exchange of one call once it is its turn.
    pub(super) async fn run(self, exchange: Exchange) -> Arc<Vec<CallResult>> {
        match timeout_at(self.end, self.turns.acquire()).await {
            // The semaphore is never closed.
            Ok(_turn) => exchange.run().await,
            Err(_) => Arc::new(vec![CallResult::NoResult(NoResult::InTime)]),
        }
    }
}
