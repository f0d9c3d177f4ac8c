//! Two lanes of work that do not need one another.

use std::thread;

use crate::failure::{Failure, Result};
use crate::process;

/// Does both at once. The first to fail stops all that runs, and its failure is the one handed back.
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

/// Marks a failure as the cause when nothing was being stopped before it.
fn or_stop_all<T>(result: Result<T>) -> std::result::Result<T, (bool, Failure)> {
    result.map_err(|failure| {
        let cause = !process::stopping();
        if cause {
            process::stop_all();
        }
        (cause, failure)
    })
}
