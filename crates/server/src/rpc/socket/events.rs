//! Queue of events for the session of one client, limited in bytes: a hub waits for no session.

use super::outbox::MOST;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Size of an event without its text, in bytes.
const SIZE: usize = 128;

/// Event of a subscription.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A node accepted the subscription.
    Taken,
    /// The subscription was rejected with this error.
    Refused(Arc<str>),
    /// Content of a notification from the node.
    Happened(Arc<RawValue>),
    /// No node accepts the subscription any more.
    Lost,
}

impl Event {
    fn size(&self) -> usize {
        SIZE + match self {
            Event::Refused(error) => error.len(),
            Event::Happened(result) => result.get().len(),
            Event::Taken | Event::Lost => 0,
        }
    }
}

/// More events wait than may.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct TooMany;

/// Sending side; a hub has one for each subscription.
#[derive(Clone)]
pub(super) struct Teller {
    queue: UnboundedSender<(Arc<str>, Event)>,
    waiting: Arc<Waiting>,
}

/// Receiving side, in the session.
pub(super) struct Told {
    queue: UnboundedReceiver<(Arc<str>, Event)>,
    waiting: Arc<Waiting>,
}

#[derive(Default)]
struct Waiting {
    bytes: AtomicUsize,
    too_many: AtomicBool,
}

/// Queue of one session.
pub(super) fn queue() -> (Teller, Told) {
    let (tell, told) = unbounded_channel();
    let waiting = Arc::<Waiting>::default();
    (Teller { queue: tell, waiting: waiting.clone() }, Told { queue: told, waiting })
}

impl Teller {
    /// Tells the session an event of the subscription with this id. If too many wait, the session ends instead.
    pub(super) fn tell(&self, id: &Arc<str>, event: Event) {
        let size = event.size();
        if self.waiting.bytes.fetch_add(size, Ordering::Relaxed) + size > MOST {
            self.waiting.too_many.store(true, Ordering::Relaxed);
            return;
        }
        // A failed send means that the client is gone; its session removes the listener.
        let _ = self.queue.send((id.clone(), event));
    }
}

impl Told {
    /// Next event with the id of its subscription. Cancel-safe.
    pub(super) async fn next(&mut self) -> Result<(Arc<str>, Event), TooMany> {
        // The session keeps a sender, so the queue never ends; it is not empty when too many wait.
        let Some((id, event)) = self.queue.recv().await else { return std::future::pending().await };
        if self.waiting.too_many.load(Ordering::Relaxed) {
            return Err(TooMany);
        }
        self.waiting.bytes.fetch_sub(event.size(), Ordering::Relaxed);
        Ok((id, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn happened(length: usize) -> Event {
        Event::Happened(RawValue::from_string(format!("\"{}\"", "x".repeat(length))).unwrap().into())
    }

    #[tokio::test]
    async fn a_session_that_reads_its_events_gets_all_and_one_that_does_not_ends_before_they_fill_the_memory() {
        let (tell, mut told) = queue();
        let id: Arc<str> = "a".into();
        for _ in 0..100 {
            tell.tell(&id, happened(MOST / 2));
            assert!(matches!(told.next().await, Ok((of, Event::Happened(_))) if of == id));
        }
        for _ in 0..100 {
            tell.tell(&id, happened(MOST / 20));
        }
        assert!(tell.waiting.bytes.load(Ordering::Relaxed) > MOST);
        assert!(told.queue.len() < 20);
        assert!(matches!(told.next().await, Err(TooMany)));
        // Short events are counted too.
        let (tell, mut told) = queue();
        for _ in 0..=MOST / SIZE {
            tell.tell(&id, Event::Taken);
        }
        assert!(matches!(told.next().await, Err(TooMany)));
    }
}
