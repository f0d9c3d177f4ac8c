//! Limit for the memory of all request and response bodies together.
//!
//! Each reader limits a single body; this limits their sum, so that many large ones at once are rejected instead of crashing the process.

use crate::Failure;
use axum::http::StatusCode;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Granularity of the accounting, in bytes.
const UNIT: usize = 1024;

/// `Retry-After` of a rejected request in seconds, about the time that requests take.
const AGAIN_AFTER: u32 = 2;

/// Free memory; clones share the same counter.
#[derive(Clone)]
pub(crate) struct Memory {
    free: Arc<Semaphore>,
}

/// Not enough memory is free.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Full;

impl Memory {
    pub(crate) fn new(mebibytes: usize) -> Memory {
        let units = mebibytes.saturating_mul(1024 * 1024 / UNIT).min(Semaphore::MAX_PERMITS);
        Memory { free: Arc::new(Semaphore::new(units)) }
    }

    /// An empty share.
    pub(crate) fn share(&self) -> Share {
        Share { free: self.free.clone(), taken: None, bytes: 0 }
    }
}

/// Memory reserved for one body, freed on drop.
pub(crate) struct Share {
    free: Arc<Semaphore>,
    taken: Option<OwnedSemaphorePermit>,
    bytes: usize,
}

impl Share {
    /// Reserves more bytes. Never waits: requests that wait with half a body in memory could deadlock.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), Full> {
        self.bytes = self.bytes.saturating_add(bytes);
        let has = self.taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = self.bytes.div_ceil(UNIT).saturating_sub(has);
        if more == 0 {
            return Ok(());
        }
        let more = u32::try_from(more).map_err(|_| Full)?;
        let more = self.free.clone().try_acquire_many_owned(more).map_err(|_| Full)?;
        match &mut self.taken {
            Some(taken) => taken.merge(more),
            None => self.taken = Some(more),
        }
        Ok(())
    }

    /// Grows the share to this many bytes, if it has less.
    pub(crate) fn reach(&mut self, bytes: usize) -> Result<(), Full> {
        self.grow(bytes.saturating_sub(self.bytes))
    }

    /// Frees the whole share at once.
    pub(crate) fn give_back(&mut self) {
        self.taken = None;
        self.bytes = 0;
    }
}

impl From<Full> for Failure {
    fn from(Full: Full) -> Failure {
        let sentence = "The server has too many large requests at the moment; ask again in a few seconds";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", sentence).again_after(AGAIN_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_grow_until_nothing_is_free_and_give_back_all_they_took() {
        let memory = Memory::new(1);
        let (mut one, mut two) = (memory.share(), memory.share());
        assert_eq!(one.grow(1), Ok(()));
        assert_eq!(one.grow(UNIT - 1), Ok(()));
        assert_eq!(two.grow(1024 * UNIT), Err(Full));
        let mut three = memory.share();
        assert_eq!(three.grow(1023 * UNIT), Ok(()));
        assert_eq!(one.grow(1), Err(Full));
        drop(three);
        assert_eq!(one.grow(1), Ok(()));
        let mut four = memory.share();
        assert_eq!((four.reach(3 * UNIT), four.reach(1022 * UNIT), four.reach(2 * UNIT)), (Ok(()), Ok(()), Ok(())));
        assert_eq!(four.reach(1023 * UNIT), Err(Full));
    }

    #[test]
    fn a_share_that_was_given_back_is_free_for_others_at_once_and_begins_anew() {
        let memory = Memory::new(1);
        let (mut one, mut other) = (memory.share(), memory.share());
        assert_eq!((one.grow(1024 * UNIT), other.grow(1)), (Ok(()), Err(Full)));
        let mut other = memory.share();
        one.give_back();
        assert_eq!((other.grow(1023 * UNIT), one.reach(UNIT), one.reach(2 * UNIT)), (Ok(()), Ok(()), Err(Full)));
    }

    #[test]
    fn a_size_that_no_machine_has_is_refused_and_nothing_overflows() {
        let memory = Memory::new(usize::MAX);
        let mut share = memory.share();
        assert_eq!(share.grow(usize::MAX), Err(Full));
        assert_eq!(share.grow(usize::MAX), Err(Full));
    }
}
