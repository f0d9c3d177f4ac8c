//! Cache of responses from on-ramp providers. Identical concurrent requests are deduplicated: the later ones wait for the first
//! and get its result.

use super::Fault;
use crate::AppState;
use axum::body::Bytes;
use moka::future::Cache;
use portico_json::{Value, Write, parse, to_text};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Maximum number of in-flight requests that are tracked.
const MOST: u64 = 10_000;

/// Time after which a request is no longer tracked; longer than any takes.
const OVER: Duration = Duration::from_secs(60);

/// In-flight request: locked while it runs, with its last failure.
type Turn = Arc<Mutex<Option<(Instant, Fault)>>>;

/// In-flight requests by key.
#[derive(Clone)]
pub(crate) struct Turns(Cache<String, Turn>);

impl Turns {
    pub(crate) fn new() -> Turns {
        Turns(Cache::builder().max_capacity(MOST).time_to_idle(OVER).build())
    }

    async fn of(&self, key: &str) -> Turn {
        self.0.get_with_by_ref(key, async { Turn::default() }).await
    }
}

/// Cached response for this key, or a new one, which is cached for `time`; zero means not at all.
pub(super) async fn kept(
    state: &AppState,
    key: &str,
    time: impl FnOnce(&Value) -> Duration,
    ask: impl Future<Output = Result<Value, Fault>>,
) -> Result<Value, Fault> {
    if let Some(found) = found(state, key).await {
        return Ok(found);
    }
    let came = Instant::now();
    let turn = state.onramp_turns().of(key).await;
    let mut failed = turn.lock().await;
    if let Some(found) = found(state, key).await {
        return Ok(found);
    }
    // The request failed while this caller waited for it.
    if let Some((at, fault)) = *failed
        && at >= came
    {
        return Err(fault);
    }
    match ask.await {
        Ok(told) => {
            let time = time(&told);
            if !time.is_zero() {
                state.shared().put(key, Bytes::from(to_text(&told)), time).await;
            }
            Ok(told)
        }
        Err(fault) => {
            *failed = Some((Instant::now(), fault));
            Err(fault)
        }
    }
}

async fn found(state: &AppState, key: &str) -> Option<Value> {
    let kept = state.shared().get(key).await?;
    parse(std::str::from_utf8(&kept).ok()?).ok()
}

/// Value in its cached form.
pub(super) fn value(read: &impl Write) -> Result<Value, Fault> {
    parse(&to_text(read)).map_err(|_| Fault::Nonsense)
}
