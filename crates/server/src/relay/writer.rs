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
use super::table::{self, Batch, Committed, Receipt};
use crate::db::Database;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, WeakUnboundedSender};
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

/// Maximum number of orders per transaction, about that of topics and messages in them, and that of batches: more could exceed the time
/// limit.
pub(super) const MOST_AT_ONCE: usize = 2048;
const MOST_NAMED: usize = 16 * 1024;
const MOST_BATCHES: usize = 128;

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
    Take(ClientId, Vec<(Topic, MessageId)>, Payer, Option<Answer<()>>),
    /// Second deletion: another node may have stored the message after the first one.
    TakeAgain(Vec<Receipt>),
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
            Order::Take(_, taken, ..) => taken.len(),
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

/// Orders that share a transaction, and the batches that it executes for them, one after the other.
#[derive(Default)]
struct Gathered {
    orders: Vec<Ordered>,
    batches: Vec<Batch>,
    /// Topics that the last batch subscribes to or publishes on.
    touched: HashSet<Topic>,
    written: usize,
    named: usize,
}

impl Gathered {
    fn has_room(&self) -> bool {
        self.written < MOST_AT_ONCE && self.named < MOST_NAMED && self.batches.len() < MOST_BATCHES
    }

    fn add(&mut self, ordered: Ordered) {
        let names = ordered.order.names();
        self.named += names;
        self.written += usize::from(names > 0);
        // A batch unsubscribes first, which makes a difference only on topics that its earlier orders touch. Deletions are not among them,
        // as an unsubscription deletes the same messages.
        let is_late = match &ordered.order {
            Order::Unsubscribe(_, topics, _) => topics.iter().any(|topic| self.touched.contains(topic)),
            _ => false,
        };
        if is_late || self.batches.is_empty() {
            self.batches.push(Batch::default());
            self.touched.clear();
        }
        if let Some(batch) = self.batches.last_mut() {
            match &ordered.order {
                Order::Publish(message, _) => {
                    self.touched.insert(message.topic);
                    batch.published.push(message.clone());
                }
                Order::Subscribe(client, topics, payer, _) => {
                    self.touched.extend(topics);
                    batch.subscribed.extend(topics.iter().map(|topic| (*client, *topic, *payer)));
                }
                Order::Unsubscribe(client, topics, _) => {
                    batch.unsubscribed.extend(topics.iter().map(|topic| (*client, *topic)));
                }
                Order::Take(client, taken, payer, _) => {
                    batch.taken.extend(taken.iter().map(|(topic, id)| (*client, *topic, *id, *payer)));
                }
                Order::TakeAgain(taken) => batch.taken.extend(taken),
                Order::Wait(_) => {}
            }
        }
        self.orders.push(ordered);
    }
}

/// Runs until all senders of orders are dropped.
pub(super) async fn write(writer: Writer, mut receiver: UnboundedReceiver<Ordered>) {
    while let Some(first) = receiver.recv().await {
        let gathered = gather(first, &mut receiver, |late| writer.fail(late));
        if !gathered.orders.is_empty() {
            do_all(&writer, gathered).await;
        }
    }
}

/// Collects the first order and pending ones for one transaction, without those that waited too long.
fn gather(first: Ordered, receiver: &mut UnboundedReceiver<Ordered>, give_up: impl Fn(Order)) -> Gathered {
    let mut gathered = Gathered::default();
    let mut next = Some(first);
    while let Some(ordered) = next {
        if ordered.since.elapsed() >= GIVE_UP {
            give_up(ordered.order);
        } else {
            gathered.add(ordered);
        }
        next = if gathered.has_room() { receiver.try_recv().ok() } else { None };
    }
    gathered
}

async fn do_all(writer: &Writer, Gathered { orders, batches, .. }: Gathered) {
    let committed = writer.commit(&batches).await;
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
            Order::Unsubscribe(_, _, answer) | Order::Take(.., Some(answer)) | Order::Wait(answer) => {
                let _ = answer.send(Ok(()));
            }
            Order::Take(.., None) | Order::TakeAgain(_) => {}
        }
    }
}

impl Writer {
    /// Writes batches with retries; `None` if all attempts failed.
    async fn commit(&self, batches: &[Batch]) -> Option<Committed> {
        if batches.iter().all(Batch::is_empty) {
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
                let free = self.free_for(batches).await?;
                table::commit(&self.database, batches, (self.ledger.most(), &free), now(), until).await
            };
            match written.await {
                Ok(committed) => {
                    metrics::stored(begun.elapsed());
                    self.ledger.add(&committed.stored, &committed.subscribed);
                    return Some(committed);
                }
                Err(error) => tracing::error!(%error, "couldn't write the mailbox"),
            }
        }
        None
    }

    /// Room for these batches. Where room ends, receipts give way, then messages that nobody subscribes to, the oldest first.
    async fn free_for(&self, batches: &[Batch]) -> Result<Free, sqlx::Error> {
        loop {
            let free = self.ledger.free_for(batches);
            let published = batches.iter().flat_map(|batch| &batch.published);
            if free.bytes >= free.within_shares(published.map(|message| (message.payer, row(message)))) {
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
            if let Order::Take(client, some, payer, _) = order {
                taken.extend(some.iter().map(|(topic, id)| (*client, *topic, *id, *payer)));
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
            Order::Unsubscribe(_, _, answer) | Order::Take(.., Some(answer)) | Order::Wait(answer) => {
                let _ = answer.send(Err(Fault::Storage));
            }
            Order::Subscribe(.., answer) => {
                let _ = answer.send(Err(Fault::Storage));
            }
            Order::Take(.., None) | Order::TakeAgain(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc::unbounded_channel;

    fn take(messages: usize) -> Ordered {
        let taken = (ClientId([1; 32]), Topic([1; 32]), MessageId([1; 32]), Payer::default());
        Ordered::new(Order::TakeAgain(vec![taken; messages]), None)
    }

    fn leave(topic: u8) -> Ordered {
        Ordered::new(Order::Unsubscribe(ClientId([1; 32]), vec![Topic([topic; 32])], oneshot::channel().0), None)
    }

    fn come(client: u8, topic: u8) -> Ordered {
        let topics = vec![Topic([topic; 32])];
        let order = Order::Subscribe(ClientId([client; 32]), topics, Payer::default(), oneshot::channel().0);
        Ordered::new(order, None)
    }

    /// Number of orders and of batches in the next transaction, and number of orders that are left.
    fn gathered(orders: Vec<Ordered>) -> (usize, usize, usize) {
        let (sender, mut receiver) = unbounded_channel();
        let mut orders = orders.into_iter();
        let first = orders.next().unwrap();
        orders.for_each(|order| sender.send(order).ok().unwrap());
        let gathered = gather(first, &mut receiver, |_| panic!("nothing is late"));
        (gathered.orders.len(), gathered.batches.len(), receiver.len())
    }

    #[test]
    fn one_transaction_does_only_so_much() {
        assert_eq!(gathered([0, MOST_NAMED - 1, 1, 1, 1].map(take).into()), (3, 1, 2));
        assert_eq!(gathered((0..=MOST_AT_ONCE).map(|_| take(1)).collect()), (MOST_AT_ONCE, 1, 1));
        let again = (0..200).flat_map(|_| [come(1, 1), leave(1)]).collect();
        assert_eq!(gathered(again), (2 * (MOST_BATCHES - 1), MOST_BATCHES, 400 - 2 * (MOST_BATCHES - 1)));
    }

    #[test]
    fn a_wait_takes_no_place_of_an_order_in_a_transaction() {
        let wait = || Ordered::new(Order::Wait(oneshot::channel().0), None);
        let orders = (0..MOST_AT_ONCE).map(|_| wait()).chain([come(2, 2)]).collect();
        assert_eq!(gathered(orders), (MOST_AT_ONCE + 1, 1, 0));
    }

    #[test]
    fn a_visitor_that_unsubscribes_between_other_orders_leaves_its_neighbour_in_the_same_transaction() {
        let abused = (0..500).flat_map(|_| [take(1), leave(9)]);
        assert_eq!(gathered(abused.chain([come(2, 2)]).collect()), (1001, 1, 0));
        // Where the order of a visitor's own orders matters, they stay in order and still share the transaction.
        let abused = (0..50).flat_map(|_| [come(1, 9), leave(9)]);
        assert_eq!(gathered(abused.chain([come(2, 2)]).collect()), (101, 51, 0));
    }
}
