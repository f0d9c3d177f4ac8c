//! The writer task: orders that arrive during a transaction are written together by the next one.

use super::fault::Fault;
use super::id::{ClientId, MessageId, Topic};
use super::mailbox::{Place, WriteHealth};
use super::message::Message;
use super::metrics;
use super::now;
use super::recent::{Outcome, Recent};
use super::room::{Free, Refused, row};
use super::share::{Ledger, Payer};
use super::table::{self, Batch, Committed};
use crate::db::Database;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, WeakUnboundedSender};
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

/// Maximum number of orders per transaction, and about that of topics and messages in them: more could exceed the time limit.
const MOST_AT_ONCE: usize = 2048;
const MOST_NAMED: usize = 16 * 1024;

/// Pauses before each attempt at a transaction; it may fail because of another node.
const PAUSES: [Duration; 3] = [Duration::ZERO, Duration::from_millis(50), Duration::from_millis(250)];

/// Time limit for all attempts of a write together, and for the wait of an order before: a locked table or a server that does not
/// respond must not block silently.
pub(super) const GIVE_UP: Duration = Duration::from_secs(10);

/// Delay of a second deletion: a message may be sent and acknowledged on one node before another has stored it; by then it has.
pub(super) const TAKE_AGAIN: Duration = Duration::from_secs(5);

/// Number of messages deleted per statement where room ends.
const EVICTED: i64 = 1000;

/// An order to the writer.
pub(super) enum Order {
    Publish(Arc<Message>, watch::Sender<Outcome>),
    Subscribe(ClientId, Vec<Topic>, Payer, Answer<Vec<bool>>),
    Unsubscribe(ClientId, Vec<Topic>, Answer<()>),
    Take(ClientId, Vec<(Topic, MessageId)>, Option<Answer<()>>),
    /// Second deletion: another node may have stored the message after the first one.
    TakeAgain(Vec<(ClientId, Topic, MessageId)>),
    /// No write: answered when all earlier orders are done.
    Wait(Answer<()>),
}

pub(super) type Answer<T> = oneshot::Sender<Result<T, Fault>>;

impl Order {
    /// Number of topics or messages in the order.
    fn names(&self) -> usize {
        match self {
            Order::Publish(..) => 1,
            Order::Subscribe(_, topics, ..) | Order::Unsubscribe(_, topics, _) => topics.len(),
            Order::Take(_, taken, _) => taken.len(),
            Order::TakeAgain(taken) => taken.len(),
            Order::Wait(_) => 0,
        }
    }
}

pub(super) struct Ordered {
    order: Order,
    since: Instant,
    _place: Option<Place>,
}

impl Ordered {
    pub(super) fn new(order: Order, place: Option<Place>) -> Ordered {
        Ordered { order, since: Instant::now(), _place: place }
    }
}

pub(super) struct Writer {
    pub(super) database: Database,
    pub(super) recent: Arc<Recent>,
    pub(super) well: WriteHealth,
    /// Counts of the stored rows: taken at intervals, plus those of this node since.
    pub(super) ledger: Ledger,
    /// Sender for delayed orders; `None` without other nodes.
    pub(super) later: Option<WeakUnboundedSender<Ordered>>,
}

/// Runs until all senders of orders are dropped.
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
        // Orders are sorted by arrival.
        let late = orders.partition_point(|ordered| ordered.since.elapsed() >= GIVE_UP);
        orders.drain(..late).for_each(|ordered| writer.fail(ordered.order));
        if !orders.is_empty() {
            do_all(&writer, orders).await;
        }
    }
}

/// Collects pending orders that can share a transaction with the first.
fn gather(first: Ordered, receiver: &mut UnboundedReceiver<Ordered>, held_over: &mut Option<Ordered>) -> Vec<Ordered> {
    let mut named = first.order.names();
    let mut orders = vec![first];
    while orders.len() < MOST_AT_ONCE && named < MOST_NAMED {
        let Ok(next) = receiver.try_recv() else { break };
        // A batch executes its unsubscriptions first, so a later one must start a new batch.
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
            Order::Subscribe(client, topics, payer, _) => {
                batch.subscribed.extend(topics.iter().map(|topic| (*client, *topic, *payer)));
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
        // A failed send means that the caller is gone.
        match order {
            Order::Publish(message, answer) => {
                let full = refused.published.binary_search(&published).is_ok();
                published += 1;
                writer.settle(&message, &answer, if full { Err(Fault::MailboxLimitExceeded) } else { Ok(()) });
            }
            Order::Subscribe(_, topics, _, answer) => {
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
    /// Writes a batch with retries; `None` if all attempts failed.
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
            let written = async {
                let free = self.free_for(batch).await?;
                table::commit(&self.database, batch, (self.ledger.most(), &free), now(), until).await
            };
            match written.await {
                Ok(committed) => {
                    metrics::stored(begun.elapsed());
                    self.ledger.add(&committed.stored, &committed.subscribed);
                    return Some(committed);
                }
                Err(error) => tracing::error!(%error, "the mailbox could not be written"),
            }
        }
        None
    }

    /// Room for this batch. Where room ends, messages that nobody subscribes to give way, the oldest first.
    async fn free_for(&self, batch: &Batch) -> Result<Free, sqlx::Error> {
        let wanted: u64 = batch.published.iter().map(|message| row(message)).sum();
        loop {
            let free = self.ledger.free_for(batch);
            if free.bytes >= wanted {
                return Ok(free);
            }
            let freed = table::evict(&self.database, EVICTED).await?;
            if freed == 0 {
                return Ok(free);
            }
            self.ledger.subtract(freed);
        }
    }

    /// Schedules a second deletion for messages deleted for the first time.
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

    /// Records the outcome of a message before reporting it.
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
            Order::Subscribe(.., answer) => {
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
