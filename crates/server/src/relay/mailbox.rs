//! The mailbox: stores messages and subscriptions. An acknowledged request has been stored.
//!
//! One task writes for the whole process, so that many messages share few transactions. Orders of one client stay in order.

use super::fault::Fault;
use super::id::{ClientId, MessageId, Topic};
use super::message::Message;
use super::now;
use super::recent::{Known, Outcome, Recent};
use super::room::{Most, row};
use super::share::{Ledger, Payer};
use super::sweep;
use super::writer::{Answer, MOST_AT_ONCE, Order, Ordered, Writer, write};
use crate::db::Database;
use crate::visitors::{Taken, Visitors};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

/// Bytes of messages that may wait to be stored; further publishers wait. And the share of one visitor; what exceeds it is rejected.
const ROOM: usize = 64 * 1024 * 1024;
const VISITOR_ROOM: usize = ROOM / 8;

/// Number of topics and messages that pending orders may name, and the share of one visitor; further orders are rejected.
const ORDERED: usize = 1 << 20;
const VISITOR_ORDERED: usize = ORDERED / 8;

/// Number of pending orders of one visitor: an order of its neighbour waits for one transaction of them at most.
const VISITOR_ORDERS: usize = MOST_AT_ONCE;

/// Memory of one message or order beside its text, in bytes.
const OVERHEAD: usize = 512;

#[derive(Clone)]
pub(super) struct Mailbox {
    sender: UnboundedSender<Ordered>,
    room: Arc<Semaphore>,
    ordered: Arc<Semaphore>,
    visitor_room: Visitors,
    visitor_ordered: Visitors,
    visitor_orders: Visitors,
    recent: Arc<Recent>,
    well: WriteHealth,
    ledger: Ledger,
}

/// Place of an order in the queue, or of its bytes in memory, of which its visitor has a share; free again on drop.
pub(super) struct Place {
    _of_all: OwnedSemaphorePermit,
    _of_visitor: Option<Taken>,
    _order: Option<Taken>,
}

/// Client and visitor that an order comes from.
#[derive(Clone, Copy)]
pub(super) struct Orderer {
    pub(super) client: ClientId,
    pub(super) visitor: IpAddr,
    pub(super) payer: Payer,
}

/// Whether the last write succeeded.
#[derive(Clone)]
pub(super) struct WriteHealth(Arc<AtomicBool>);

impl WriteHealth {
    pub(super) fn set(&self, well: bool) {
        self.0.store(well, Ordering::Relaxed);
    }
}

/// Result of an order, available once it is stored.
pub(super) struct Stored<T>(oneshot::Receiver<Result<T, Fault>>);

impl<T> Stored<T> {
    pub(super) async fn done(self) -> Result<T, Fault> {
        self.0.await.unwrap_or(Err(Fault::Storage))
    }
}

/// Result of publishing a message.
pub(super) struct Published(Option<watch::Receiver<Outcome>>);

impl Published {
    pub(super) async fn done(self) -> Result<(), Fault> {
        let Some(mut outcome) = self.0 else { return Ok(()) };
        match outcome.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.unwrap_or(Err(Fault::Storage)),
            Err(_) => Err(Fault::Storage),
        }
    }
}

impl Mailbox {
    /// Creates the mailbox and its writer task.
    /// `nodes` says whether other processes write to the same database.
    pub(super) fn new(
        database: Database,
        most: Most,
        nodes: bool,
    ) -> (Mailbox, impl Future<Output = ()> + Send + 'static) {
        let (sender, receiver) = unbounded_channel();
        let well = WriteHealth(Arc::new(AtomicBool::new(true)));
        let recent = Arc::new(Recent::default());
        let ledger = Ledger::new(most);
        let writer = Writer {
            database,
            recent: recent.clone(),
            well: well.clone(),
            ledger: ledger.clone(),
            later: nodes.then(|| sender.downgrade()),
        };
        let (room, ordered) = (Arc::new(Semaphore::new(ROOM)), Arc::new(Semaphore::new(ORDERED)));
        let (visitor_room, visitor_ordered) = (Visitors::new(VISITOR_ROOM), Visitors::new(VISITOR_ORDERED));
        let visitor_orders = Visitors::new(VISITOR_ORDERS);
        let mailbox =
            Mailbox { sender, room, ordered, visitor_room, visitor_ordered, visitor_orders, recent, well, ledger };
        (mailbox, write(writer, receiver))
    }

    /// Whether the last write succeeded.
    pub(super) fn is_well(&self) -> bool {
        self.well.0.load(Ordering::Relaxed)
    }

    /// Deletes expired messages as long as the server runs.
    pub(super) fn sweep(
        &self,
        database: Database,
        here: impl Fn() -> Vec<ClientId> + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        sweep::run(database, self.well.clone(), self.ledger.clone(), here)
    }

    #[cfg(test)]
    pub(super) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Used part of the room for messages and for subscriptions, from 0 to 1.
    pub(super) fn fullness(&self) -> [f64; 2] {
        self.ledger.fullness()
    }

    /// Reserves memory for a message, waiting until there is enough. Fails if a share of its payer is used up, before it costs a
    /// transaction; and if too much of this visitor waits, as waiting for one's own earlier messages would fill the queue of the others.
    pub(super) async fn room_for(&self, visitor: IpAddr, message: &Message) -> Result<Place, Fault> {
        if !self.ledger.has_room(message.payer, row(message)) {
            return Err(Fault::MailboxLimitExceeded);
        }
        let bytes = (message.size() + OVERHEAD).min(VISITOR_ROOM);
        let of_visitor = self.visitor_room.take(visitor, bytes).ok_or(Fault::TooManyRequests)?;
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let of_all = self.room.clone().acquire_many_owned(bytes).await.map_err(|_| Fault::Storage)?;
        Ok(Place { _of_all: of_all, _of_visitor: Some(of_visitor), _order: None })
    }

    /// Publishes a message; also returns whether it is new. Remembering and sending happen without an `await` in between, so that a
    /// remembered message is always stored, even if the publisher has disconnected.
    pub(super) fn publish(&self, message: &Arc<Message>, room: Option<Place>) -> (Published, bool) {
        match self.recent.meet(message, now()) {
            Known::No(tell, outcome) => {
                self.send(room, Order::Publish(message.clone(), tell));
                (Published(Some(outcome)), true)
            }
            Known::Storing(outcome) => (Published(Some(outcome)), false),
            Known::Stored => (Published(None), false),
        }
    }

    /// Returns for each topic whether it accepts one more subscriber.
    pub(super) fn subscribe(&self, by: Orderer, topics: Vec<Topic>) -> Stored<Vec<bool>> {
        self.order(by, topics.len(), |answer| Order::Subscribe(by.client, topics, by.payer, answer))
    }

    /// Also deletes the client's pending messages of these topics.
    pub(super) fn unsubscribe(&self, by: Orderer, topics: Vec<Topic>) -> Stored<()> {
        self.order(by, topics.len(), |answer| Order::Unsubscribe(by.client, topics, answer))
    }

    /// Deletes messages that the client has received, without waiting. If the order is rejected, they are sent once more.
    pub(super) fn take(&self, by: Orderer, taken: Vec<(Topic, MessageId)>) {
        if let Ok(place) = self.place_for(by, taken.len()) {
            self.send(Some(place), Order::Take(by.client, taken, by.payer, None));
        }
    }

    pub(super) fn take_stored(&self, by: Orderer, taken: Vec<(Topic, MessageId)>) -> Stored<()> {
        self.order(by, taken.len(), |answer| Order::Take(by.client, taken, by.payer, Some(answer)))
    }

    /// Completes when all earlier orders are done. Waits for a free place too, as an early return would miss orders still queued.
    pub(super) async fn settled(&self) -> Result<(), Fault> {
        let place = self.ordered.clone().acquire_owned().await.ok();
        let place = place.map(|of_all| Place { _of_all: of_all, _of_visitor: None, _order: None });
        let (answer, answered) = oneshot::channel();
        self.send(place, Order::Wait(answer));
        Stored(answered).done().await
    }

    fn order<T>(&self, by: Orderer, parts: usize, order: impl FnOnce(Answer<T>) -> Order) -> Stored<T> {
        let (answer, answered) = oneshot::channel();
        match self.place_for(by, parts) {
            Ok(place) => self.send(Some(place), order(answer)),
            Err(fault) => drop(answer.send(Err(fault))),
        }
        Stored(answered)
    }

    /// Reserves a place for an order of this many topics or messages. Fails if the visitor's share or all places are used up.
    fn place_for(&self, by: Orderer, parts: usize) -> Result<Place, Fault> {
        let parts = parts.clamp(1, VISITOR_ORDERED);
        let order = self.visitor_orders.take(by.visitor, 1).ok_or(Fault::TooManyRequests)?;
        let of_visitor = self.visitor_ordered.take(by.visitor, parts).ok_or(Fault::TooManyRequests)?;
        let parts = u32::try_from(parts).unwrap_or(u32::MAX);
        let of_all = self.ordered.clone().try_acquire_many_owned(parts).map_err(|_| Fault::Storage)?;
        Ok(Place { _of_all: of_all, _of_visitor: Some(of_visitor), _order: Some(order) })
    }

    fn send(&self, room: Option<Place>, order: Order) {
        // If the writer task has ended, the order is dropped, which the caller sees as a failure.
        let _ = self.sender.send(Ordered::new(order, room));
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests change rows behind the code under test")]
mod tests;
