//! Time limit of waiting: a missing event fails with a text that names it, instead of a run without end.

use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Real time, independent of a test's clock; many times the slowest wait on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

/// Clock that tests cannot pause.
static CLOCK: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap());

/// Awaits a future with the time limit; `what` is its name in the failure.
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
