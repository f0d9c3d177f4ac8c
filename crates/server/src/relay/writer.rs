//! The task that writes: what came while a transaction ran is done by the next one together.

use super::fault::Fault;
use super::id::{ClientId, MessageId, Topic};
use super::mailbox::Well;
use super::message::Message;
use super::metrics;
use super::now;
use super::recent::{Outcome, Recent};
use super::room::{Most, Refused};
use super::table::{self, Batch, Committed};
use crate::db::Database;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, WeakUnboundedSender};
use tokio::sync::{OwnedSemaphorePermit, oneshot, watch};
use tokio::time::Instant;

/// So many orders are done by one transaction, and about so many topics and messages that they name: more might never be written in time.
const MOST_AT_ONCE: usize = 2048;
const MOST_NAMED: usize = 16 * 1024;

/// A transaction that failed, perhaps because of another node, is done again after each of these times.
const PAUSES: [Duration; 3] = [Duration::ZERO, Duration::from_millis(50), Duration::from_millis(250)];

/// What is not written after this time, all attempts together, is given up, and so is what waited so long for its turn: a table that is
/// locked or a server that says nothing must not be waited for in silence.
pub(super) const GIVE_UP: Duration = Duration::from_secs(10);

/// Messages may be told, and taken, on one node before the other has stored them; after this time it has.
pub(super) const TAKE_AGAIN: Duration = Duration::from_secs(5);

/// What waits to be written.
pub(super) enum Order {
    Publish(Arc<Message>, watch::Sender<Outcome>),
    Subscribe(ClientId, Vec<Topic>, Answer<Vec<bool>>),
    Unsubscribe(ClientId, Vec<Topic>, Answer<()>),
    Take(ClientId, Vec<(Topic, MessageId)>, Option<Answer<()>>),
    /// Once more: another node may have stored it after it was taken.
    TakeAgain(Vec<(ClientId, Topic, MessageId)>),
    /// Nothing: it is answered when all before it is done.
    Wait(Answer<()>),
}

pub(super) type Answer<T> = oneshot::Sender<Result<T, Fault>>;

impl Order {
    /// How many topics or messages it names.
    fn names(&self) -> usize {
        match self {
            Order::Publish(..) => 1,
            Order::Subscribe(_, topics, _) | Order::Unsubscribe(_, topics, _) => topics.len(),
            Order::Take(_, taken, _) => taken.len(),
            Order::TakeAgain(taken) => taken.len(),
            Order::Wait(_) => 0,
        }
    }
}

pub(super) struct Ordered {
    order: Order,
    since: Instant,
    _room: Option<OwnedSemaphorePermit>,
}

impl Ordered {
    pub(super) fn new(order: Order, room: Option<OwnedSemaphorePermit>) -> Ordered {
        Ordered { order, since: Instant::now(), _room: room }
    }
}

pub(super) struct Writer {
    pub(super) database: Database,
    pub(super) most: Most,
    pub(super) recent: Arc<Recent>,
    pub(super) well: Well,
    /// What all mailboxes hold, about: counted now and then, and what was stored since.
    pub(super) total: Arc<AtomicU64>,
    /// Where there are other nodes.
    pub(super) later: Option<WeakUnboundedSender<Ordered>>,
}

/// Writes as long as there is anyone to give orders.
pub(super) async fn write(writer: Writer, mut receiver: UnboundedReceiver<Ordered>) {
    let mut held_over = None;
    loop {
        let first = match held_over.take() {
            Some(order) => order,
            None => match receiver.recv().await {
                Some(order) => order,
                None => return,
            },
        };
        let mut orders = gather(first, &mut receiver, &mut held_over);
        // They are in the order in which they came.
        let late = orders.partition_point(|ordered| ordered.since.elapsed() >= GIVE_UP);
        orders.drain(..late).for_each(|ordered| writer.fail(ordered.order));
        if !orders.is_empty() {
            do_all(&writer, orders).await;
        }
    }
}

/// What waits and can be done together with the first.
fn gather(first: Ordered, receiver: &mut UnboundedReceiver<Ordered>, held_over: &mut Option<Ordered>) -> Vec<Ordered> {
    let mut named = first.order.names();
    let mut orders = vec![first];
    while orders.len() < MOST_AT_ONCE && named < MOST_NAMED {
        let Ok(next) = receiver.try_recv() else { break };
        // A batch leaves topics before it does anything else.
        if leaves(&next) && !orders.iter().all(leaves) {
            *held_over = Some(next);
            break;
        }
        named += next.order.names();
        orders.push(next);
    }
    orders
}

fn leaves(ordered: &Ordered) -> bool {
    matches!(ordered.order, Order::Unsubscribe(..))
}

async fn do_all(writer: &Writer, orders: Vec<Ordered>) {
    let mut batch = Batch::default();
    for Ordered { order, .. } in &orders {
        match order {
            Order::Publish(message, _) => batch.published.push(message.clone()),
            Order::Subscribe(client, topics, _) => {
                batch.subscribed.extend(topics.iter().map(|topic| (*client, *topic)));
            }
            Order::Unsubscribe(client, topics, _) => {
                batch.unsubscribed.extend(topics.iter().map(|topic| (*client, *topic)));
            }
            Order::Take(client, taken, _) => {
                batch.taken.extend(taken.iter().map(|(topic, id)| (*client, *topic, *id)));
            }
            Order::TakeAgain(taken) => batch.taken.extend(taken),
            Order::Wait(_) => {}
        }
    }
    let committed = writer.commit(&batch).await;
    writer.well.set(committed.is_some());
    let Some(Committed { refused, took_nothing, .. }) = committed else {
        return orders.into_iter().for_each(|ordered| writer.fail(ordered.order));
    };
    if took_nothing {
        writer.take_again(&orders);
    }
    answer(writer, orders, &refused);
}

fn answer(writer: &Writer, orders: Vec<Ordered>, refused: &Refused) {
    let (mut published, mut subscribed) = (0, 0);
    for Ordered { order, .. } in orders {
        // Who asked may be gone.
        match order {
            Order::Publish(message, answer) => {
                let full = refused.published.binary_search(&published).is_ok();
                published += 1;
                writer.settle(&message, &answer, if full { Err(Fault::MailboxLimitExceeded) } else { Ok(()) });
            }
            Order::Subscribe(_, topics, answer) => {
                let places = subscribed..subscribed + topics.len();
                subscribed = places.end;
                let _ =
                    answer.send(Ok(places.map(|place| refused.subscribed.binary_search(&place).is_err()).collect()));
            }
            Order::Unsubscribe(_, _, answer) | Order::Take(_, _, Some(answer)) | Order::Wait(answer) => {
                let _ = answer.send(Ok(()));
            }
            Order::Take(_, _, None) | Order::TakeAgain(_) => {}
        }
    }
}

impl Writer {
    /// None where it cannot be done.
    async fn commit(&self, batch: &Batch) -> Option<Committed> {
        if batch.is_empty() {
            return Some(Committed::default());
        }
        let begun = Instant::now();
        let until = begun + GIVE_UP;
        for pause in PAUSES {
            if Instant::now() + pause >= until {
                break;
            }
            tokio::time::sleep(pause).await;
            let left = self.most.total.saturating_sub(self.total.load(Ordering::Relaxed));
            match table::commit(&self.database, batch, (self.most, left), now(), until).await {
                Ok(committed) => {
                    metrics::stored(begun.elapsed());
                    self.total.fetch_add(committed.bytes, Ordering::Relaxed);
                    return Some(committed);
                }
                Err(error) => tracing::error!(%error, "the mailbox could not be written"),
            }
        }
        None
    }

    /// What was taken for the first time is taken once more, a little later.
    fn take_again(&self, orders: &[Ordered]) {
        let Some(later) = self.later.clone() else { return };
        let mut taken = Vec::new();
        for Ordered { order, .. } in orders {
            if let Order::Take(client, some, _) = order {
                taken.extend(some.iter().map(|(topic, id)| (*client, *topic, *id)));
            }
        }
        if taken.is_empty() {
            return;
        }
        tokio::spawn(async move {
            tokio::time::sleep(TAKE_AGAIN).await;
            if let Some(sender) = later.upgrade() {
                let _ = sender.send(Ordered::new(Order::TakeAgain(taken), None));
            }
        });
    }

    /// What became of a message is remembered before it is told.
    fn settle(&self, message: &Message, answer: &watch::Sender<Outcome>, outcome: Result<(), Fault>) {
        self.recent.settle(message.topic, message.id, outcome.is_ok());
        answer.send_replace(Some(outcome));
    }

    fn fail(&self, order: Order) {
        match order {
            Order::Publish(message, answer) => self.settle(&message, &answer, Err(Fault::Storage)),
            Order::Unsubscribe(_, _, answer) | Order::Take(_, _, Some(answer)) | Order::Wait(answer) => {
                let _ = answer.send(Err(Fault::Storage));
            }
            Order::Subscribe(_, _, answer) => {
                let _ = answer.send(Err(Fault::Storage));
            }
            Order::Take(_, _, None) | Order::TakeAgain(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc::unbounded_channel;

    #[test]
    fn one_transaction_does_only_so_much() {
        let (sender, mut receiver) = unbounded_channel();
        let take = |messages| {
            let taken = (ClientId([1; 32]), Topic([1; 32]), MessageId([1; 32]));
            Ordered::new(Order::TakeAgain(vec![taken; messages]), None)
        };
        for messages in [MOST_NAMED - 1, 1, 1, 1] {
            sender.send(take(messages)).ok().unwrap();
        }
        let together = gather(take(0), &mut receiver, &mut None);
        assert_eq!((together.len(), receiver.len()), (3, 2));
    }
}
