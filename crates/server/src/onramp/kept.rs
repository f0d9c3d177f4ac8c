//! What those who sell told, kept for a while. The same question is asked by one request at a time: who asks it meanwhile waits, and gets
//! the same answer.

use super::Fault;
use crate::AppState;
use axum::body::Bytes;
use moka::future::Cache;
use portico_json::{Value, Write, parse, to_text};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Questions that are remembered to be under way.
const MOST: u64 = 10_000;

/// None takes so long.
const OVER: Duration = Duration::from_secs(60);

/// A question that is being asked, and how it failed last.
type Turn = Arc<Mutex<Option<(Instant, Fault)>>>;

/// The questions that are being asked.
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

/// What is kept under this key, or else what is asked now; it is kept for a time, where it is worth any.
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
    // It failed while this one waited for it.
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

/// What was read, as it is kept.
pub(super) fn value(read: &impl Write) -> Result<Value, Fault> {
    parse(&to_text(read)).map_err(|_| Fault::Nonsense)
}
