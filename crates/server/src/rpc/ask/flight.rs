//! Questions that are being asked: who asks the same meanwhile waits for the same answer.
//!
//! A question is asked as long as anybody waits for it: a client that goes away does not take the answer from the others, and the
//! last one takes the question with it.

use super::Said;
use crate::rpc::cache::Key;
use futures_util::future::{BoxFuture, FutureExt, Shared, WeakShared};
use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Landing = Arc<Vec<Said>>;

/// A question under way. Its answers stand in the order of its calls.
pub(super) type Flight = Shared<BoxFuture<'static, Landing>>;

/// All of them, by the calls they carry.
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
}

/// The flights at one moment: nobody else sees or starts one meanwhile.
pub(super) struct Sky<'a> {
    flights: &'a Flights,
    seats: MutexGuard<'a, HashMap<Key, Seat>>,
}

impl Flights {
    pub(super) fn look(&self) -> Sky<'_> {
        Sky { flights: self, seats: self.inner.seats.lock().unwrap_or_else(PoisonError::into_inner) }
    }
}

impl Sky<'_> {
    /// The flight that carries this call, and its place there.
    pub(super) fn find(&self, key: &Key) -> Option<(Flight, usize)> {
        let seat = self.seats.get(key)?;
        Some((seat.flight.upgrade()?, seat.place))
    }

    /// Starts one. Calls with a key may be boarded by others.
    pub(super) fn start(
        &mut self,
        keys: Vec<Option<Key>>,
        landing: impl Future<Output = Landing> + Send + 'static,
    ) -> Flight {
        let number = self.flights.inner.started.fetch_add(1, Ordering::Relaxed);
        let aboard = Aboard { inner: self.flights.inner.clone(), number, keys };
        let keys = aboard.keys.clone();
        let flight = async move {
            let landing = landing.await;
            drop(aboard);
            landing
        };
        let flight = flight.boxed().shared();
        for (place, key) in keys.into_iter().enumerate() {
            if let (Some(key), Some(weak)) = (key, flight.downgrade()) {
                self.seats.insert(key, Seat { flight: weak, number, place });
            }
        }
        flight
    }
}

/// Takes a flight off the list when it has landed or nobody waits for it.
struct Aboard {
    inner: Arc<Inner>,
    number: u64,
    keys: Vec<Option<Key>>,
}

impl Drop for Aboard {
    fn drop(&mut self) {
        let mut seats = self.inner.seats.lock().unwrap_or_else(PoisonError::into_inner);
        for key in self.keys.iter().flatten() {
            if seats.get(key).is_some_and(|seat| seat.number == self.number) {
                seats.remove(key);
            }
        }
    }
}
