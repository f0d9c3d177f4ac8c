//! Limit for the memory of all request and response bodies together.
//!
//! Each reader limits a single body; this limits their sum, so that many large ones at once are rejected instead of crashing the process.
//! A visitor has a part of it only, so that the others always find room, and fills it at a limited rate: what is read has to be parsed too.

use crate::Failure;
use crate::visitors::{Behind, Pace, Taken, Visitors};
use axum::http::StatusCode;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Granularity of the accounting, in bytes.
const UNIT: usize = 1024;

/// One visitor takes at most this part of the whole: a quarter.
const PART: usize = 4;

/// Bytes of request bodies that one visitor may send in a second, and at once after a pause.
const BYTES_PER_SECOND: u64 = 4 * 1024 * 1024;
const BURST: u64 = 16 * 1024 * 1024;

/// A visitor above this rate waits for this long at most; its bodies beyond that are refused.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// `Retry-After` of a rejected request in seconds, about the time that requests take.
const AGAIN_AFTER: u32 = 2;

/// Free memory; clones share the same counter.
#[derive(Clone)]
pub(crate) struct Memory {
    units: usize,
    free: Arc<Semaphore>,
    visitors: Visitors,
    pace: Arc<Pace>,
    /// Visitor that the memory is reserved for; `None` for the server's own work and for hosts' servers.
    visitor: Option<IpAddr>,
}

/// Not enough memory is free.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Full {
    /// The share of the visitor is used up.
    OfVisitor,
    /// The memory of all is used up.
    OfAll,
}

impl Memory {
    pub(crate) fn new(mebibytes: usize) -> Memory {
        let units = mebibytes.saturating_mul(1024 * 1024 / UNIT).min(Semaphore::MAX_PERMITS);
        let visitors = Visitors::new(units.div_ceil(PART));
        let pace = Arc::new(Pace::new(BYTES_PER_SECOND, BURST, LONGEST_WAIT));
        Memory { units, free: Arc::new(Semaphore::new(units)), visitors, pace, visitor: None }
    }

    /// The same memory, of which what is reserved counts against the visitor as well.
    pub(crate) fn of(&self, visitor: Option<IpAddr>) -> Memory {
        Memory { visitor, ..self.clone() }
    }

    /// Visitor that what is reserved counts against.
    pub(crate) fn visitor(&self) -> Option<IpAddr> {
        self.visitor
    }

    /// An empty share.
    pub(crate) fn share(&self) -> Share {
        Share { memory: self.clone(), taken: None, of_visitor: None, bytes: 0 }
    }

    /// Waits while the visitor has sent more bytes of bodies than its rate allows; returns the time waited.
    pub(crate) async fn arrived(&self, bytes: usize) -> Result<Duration, Behind> {
        match self.visitor {
            Some(visitor) => self.pace.wait(visitor, bytes).await,
            None => Ok(Duration::ZERO),
        }
    }

    /// Cause of a lack of memory, as it appears afterwards: that of the visitor while all others find room for their shares.
    pub(crate) fn lack(&self) -> Full {
        let room = self.free.available_permits() >= self.units.div_ceil(PART);
        if self.visitor.is_some() && room { Full::OfVisitor } else { Full::OfAll }
    }

    /// Part of the memory that is reserved, from 0 to 1.
    pub(crate) fn fullness(&self) -> f64 {
        fullness(self.units - self.free.available_permits().min(self.units), self.units)
    }
}

/// Part of a limit that is used, from 0 to 1.
#[allow(clippy::cast_precision_loss, reason = "a ratio for people")]
pub(crate) fn fullness(used: usize, most: usize) -> f64 {
    if most == 0 { 1.0 } else { (used as f64 / most as f64).min(1.0) }
}

/// Memory reserved for one body, freed on drop.
pub(crate) struct Share {
    memory: Memory,
    taken: Option<OwnedSemaphorePermit>,
    of_visitor: Option<Taken>,
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
        let permits = u32::try_from(more).map_err(|_| Full::OfAll)?;
        let permits = self.memory.free.clone().try_acquire_many_owned(permits).map_err(|_| Full::OfAll)?;
        self.charge_visitor(more)?;
        match &mut self.taken {
            Some(taken) => taken.merge(permits),
            None => self.taken = Some(permits),
        }
        Ok(())
    }

    fn charge_visitor(&mut self, units: usize) -> Result<(), Full> {
        let Some(visitor) = self.memory.visitor else { return Ok(()) };
        match &mut self.of_visitor {
            Some(taken) => taken.grow(units).then_some(()).ok_or(Full::OfVisitor),
            none => {
                *none = Some(self.memory.visitors.take(visitor, units).ok_or(Full::OfVisitor)?);
                Ok(())
            }
        }
    }

    /// Grows the share to this many bytes, if it has less.
    pub(crate) fn reach(&mut self, bytes: usize) -> Result<(), Full> {
        self.grow(bytes.saturating_sub(self.bytes))
    }

    /// The memory that the share is part of, with the same visitor.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Frees the whole share at once.
    pub(crate) fn give_back(&mut self) {
        self.taken = None;
        self.of_visitor = None;
        self.bytes = 0;
    }
}

impl From<Full> for Failure {
    fn from(full: Full) -> Failure {
        let (status, sentence) = match full {
            Full::OfVisitor => {
                (StatusCode::TOO_MANY_REQUESTS, "You have too many large requests open. Try again in a few seconds.")
            }
            Full::OfAll => (
                StatusCode::SERVICE_UNAVAILABLE,
                "The server has too many large requests open. Try again in a few seconds.",
            ),
        };
        Failure::new(status, "", sentence).again_after(AGAIN_AFTER)
    }
}

impl From<Behind> for Failure {
    fn from(Behind: Behind) -> Failure {
        let sentence = "You're sending more than the server reads from one visitor. Try again in a few seconds.";
        Failure::new(StatusCode::TOO_MANY_REQUESTS, "body", sentence).again_after(AGAIN_AFTER)
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
        assert_eq!(two.grow(1024 * UNIT), Err(Full::OfAll));
        let mut three = memory.share();
        assert_eq!(three.grow(1023 * UNIT), Ok(()));
        assert_eq!(one.grow(1), Err(Full::OfAll));
        drop(three);
        assert_eq!(one.grow(1), Ok(()));
        let mut four = memory.share();
        assert_eq!((four.reach(3 * UNIT), four.reach(1022 * UNIT), four.reach(2 * UNIT)), (Ok(()), Ok(()), Ok(())));
        assert_eq!(four.reach(1023 * UNIT), Err(Full::OfAll));
    }

    #[test]
    fn one_visitor_takes_a_quarter_and_the_others_find_room() {
        let memory = Memory::new(1);
        let of = |address: &str| memory.of(Some(address.parse().unwrap()));
        let (mut first, mut second) = (of("192.0.2.1").share(), of("192.0.2.1").share());
        assert_eq!((first.grow(200 * UNIT), second.grow(57 * UNIT)), (Ok(()), Err(Full::OfVisitor)));
        assert_eq!((of("192.0.2.1").lack(), memory.lack()), (Full::OfVisitor, Full::OfAll));
        let mut neighbour = of("192.0.2.2").share();
        assert_eq!(neighbour.grow(256 * UNIT), Ok(()));
        assert!((memory.fullness() - 456.0 / 1024.0).abs() < 1e-9);
        // A refused growth is not charged.
        let mut third = of("192.0.2.1").share();
        assert_eq!(third.grow(56 * UNIT), Ok(()));
        first.give_back();
        assert_eq!(third.grow(200 * UNIT), Ok(()));
        // A host's server asks for all its visitors.
        assert_eq!(memory.of(None).share().grow(512 * UNIT), Ok(()));
    }

    #[test]
    fn a_share_that_was_given_back_is_free_for_others_at_once_and_begins_anew() {
        let memory = Memory::new(1);
        let (mut one, mut other) = (memory.share(), memory.share());
        assert_eq!((one.grow(1024 * UNIT), other.grow(1)), (Ok(()), Err(Full::OfAll)));
        let mut other = memory.share();
        one.give_back();
        assert_eq!((other.grow(1023 * UNIT), one.reach(UNIT), one.reach(2 * UNIT)), (Ok(()), Ok(()), Err(Full::OfAll)));
    }

    #[test]
    fn a_size_that_no_machine_has_is_refused_and_nothing_overflows() {
        let memory = Memory::new(usize::MAX);
        let mut share = memory.share();
        assert_eq!(share.grow(usize::MAX), Err(Full::OfAll));
        assert_eq!(share.grow(usize::MAX), Err(Full::OfAll));
    }
}
