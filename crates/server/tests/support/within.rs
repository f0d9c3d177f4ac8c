//! A bound on waiting: what never comes is a failure that says what was waited for, not a run without an end.

use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// In real seconds, whatever a test does to its own clock; many times what the slowest takes on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

/// A clock that no test stops.
static CLOCK: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap());

/// Waits for it. `what` is its name in the failure.
#[track_caller]
pub fn within<T>(what: &str, awaited: impl Future<Output = T>) -> impl Future<Output = T> {
    let caller = std::panic::Location::caller();
    async move {
        let alarm = CLOCK.spawn(async { tokio::time::sleep(LONGEST).await });
        let rings = alarm.abort_handle();
        tokio::select! {
            biased;
            done = awaited => {
                rings.abort();
                done
            }
            _ = alarm => panic!("{caller} waited {LONGEST:?} for {what}"),
        }
    }
}
