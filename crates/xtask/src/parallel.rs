//! Runs two independent tasks at the same time.

use std::thread;

use crate::failure::{Failure, Result};
use crate::process;

/// Runs both tasks in parallel. The first failure stops all running programs and is returned.
pub fn both<A, B: Send>(
    first: impl FnOnce() -> Result<A>,
    second: impl FnOnce() -> Result<B> + Send,
) -> Result<(A, B)> {
    thread::scope(|scope| {
        let second = scope.spawn(|| or_stop_all(second()));
        let first = or_stop_all(first());
        let second = second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match (first, second) {
            (Ok(first), Ok(second)) => Ok((first, second)),
            (Err((true, cause)), _) | (_, Err((true, cause))) | (Err((_, cause)), _) | (_, Err((_, cause))) => {
                Err(cause)
            }
        }
    })
}

/// Stops all programs on a failure, and marks the failure as the cause unless programs were already being stopped.
fn or_stop_all<T>(result: Result<T>) -> std::result::Result<T, (bool, Failure)> {
    result.map_err(|failure| {
        let cause = !process::stopping();
        if cause {
            process::stop_all();
        }
        (cause, failure)
    })
}
