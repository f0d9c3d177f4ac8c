//! In-flight requests to nodes: an equal call made meanwhile waits for the same response (dedupe).
//!
//! A request runs as long as at least one client waits for it: a client that disconnects does not cancel it for the others, but the
//! last one does.

use super::CallResult;
use crate::rpc::cache::Key;
use futures_util::future::{BoxFuture, FutureExt, Shared, WeakShared};
use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Landing = Arc<Vec<CallResult>>;

/// An in-flight request. Its results stand in the order of its calls.
pub(super) type Flight = Shared<BoxFuture<'static, Landing>>;

/// All in-flight requests, by the keys of their calls.
#[derive(Clone, Default)]
pub(crate) struct Flights {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    seats: Mutex<HashMap<Key, Seat>>,
    started: AtomicU64,
}

struct Seat {
    flight: WeakShared<BoxFuture<'static, Landing>>,
    number: u64,
    place: usize,
    shared: bool,
}

/// Place of a call in an in-flight request.
pub(super) struct FoundSeat {
    pub(super) flight: Flight,
    pub(super) place: usize,
    /// Whether the request has other calls too, which may be why it is slow or fails.
    pub(super) shared: bool,
}

/// Locked view of the in-flight requests: no other task reads or adds one meanwhile.
pub(super) struct LockedFlights<'a> {
    flights: &'a Flights,
    seats: MutexGuard<'a, HashMap<Key, Seat>>,
}

impl Flights {
    pub(super) fn look(&self) -> LockedFlights<'_> {
        LockedFlights { flights: self, seats: self.inner.seats.lock().unwrap_or_else(PoisonError::into_inner) }
    }
}

impl LockedFlights<'_> {
    /// The in-flight request that contains this call.
    pub(super) fn find(&self, key: &Key) -> Option<FoundSeat> {
        let Seat { flight, place, shared, .. } = self.seats.get(key)?;
        Some(FoundSeat { flight: flight.upgrade()?, place: *place, shared: *shared })
    }

    /// Starts a request. Calls with a key may be joined by other clients.
    pub(super) fn start(
        &mut self,
        keys: Vec<Option<Key>>,
        landing: impl Future<Output = Landing> + Send + 'static,
    ) -> Flight {
        let number = self.flights.inner.started.fetch_add(1, Ordering::Relaxed);
        let aboard = InFlightGuard { inner: self.flights.inner.clone(), number, keys };
        let keys = aboard.keys.clone();
        let flight = async move {
            let landing = landing.await;
            drop(aboard);
            landing
        };
        let flight = flight.boxed().shared();
        let shared = keys.len() > 1;
        for (place, key) in keys.into_iter().enumerate() {
            if let (Some(key), Some(weak)) = (key, flight.downgrade()) {
                self.seats.insert(key, Seat { flight: weak, number, place, shared });
            }
        }
        flight
    }
}

/// Removes a request from the list when it has finished or no client waits for it.
struct InFlightGuard {
    inner: Arc<Inner>,
    number: u64,
    keys: Vec<Option<Key>>,
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut seats = self.inner.seats.lock().unwrap_or_else(PoisonError::into_inner);
        for key in self.keys.iter().flatten() {
            if seats.get(key).is_some_and(|seat| seat.number == self.number) {
                seats.remove(key);
            }
        }
    }
}
