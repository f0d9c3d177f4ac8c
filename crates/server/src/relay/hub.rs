//! Connected sockets by topic: the path of live messages, which does not use the database.

use super::id::{ClientId, Topic};
use super::message::Message;
use crate::visitors::Taken;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Number of topic tables with a lock each, so that publishers rarely block one another.
const SHARDS: usize = 64;

/// Limits of a slow socket's queue; the rest stays in its mailbox and is read once the queue is empty.
const MOST_MESSAGES: usize = 256;
const MOST_BYTES: usize = 512 * 1024;

/// Number of sockets that reread their mailboxes at the same time, and the pause before the next ones: 10,000 in two seconds.
const MISS_AT_ONCE: usize = 50;
const MISS_PAUSE: Duration = Duration::from_millis(10);

/// Queue of live messages for one socket.
pub(super) struct Inbox {
    pub(super) client: ClientId,
    sender: UnboundedSender<Arc<Message>>,
    messages: AtomicUsize,
    bytes: AtomicUsize,
    /// Topics with messages that were left in the mailbox.
    behind: Mutex<HashSet<Topic>>,
    /// Subscribed topics, each of which takes one of the visitor's share.
    joined: Mutex<HashSet<Topic>>,
    share: Mutex<Taken>,
    woken: Notify,
}

impl Inbox {
    /// `share` is that of the visitor in the topics of this node's sockets; it is still empty.
    pub(super) fn new(client: ClientId, share: Taken) -> (Arc<Inbox>, UnboundedReceiver<Arc<Message>>) {
        let (sender, receiver) = unbounded_channel();
        let inbox = Inbox {
            client,
            sender,
            messages: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            behind: Mutex::default(),
            joined: Mutex::default(),
            share: Mutex::new(share),
            woken: Notify::new(),
        };
        (Arc::new(inbox), receiver)
    }

    fn put(&self, message: &Arc<Message>) {
        let full = self.messages.load(Ordering::Relaxed) >= MOST_MESSAGES
            || self.bytes.load(Ordering::Relaxed) + message.size() > MOST_BYTES;
        if full && self.messages.load(Ordering::Relaxed) > 0 {
            lock(&self.behind).insert(message.topic);
            // The socket may have emptied the queue in the meantime.
            self.woken.notify_one();
            return;
        }
        self.messages.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(message.size(), Ordering::Relaxed);
        // A failed send means that the socket is gone.
        let _ = self.sender.send(message.clone());
    }

    /// Must be called for each message received.
    pub(super) fn taken(&self, message: &Message) {
        self.messages.fetch_sub(1, Ordering::Relaxed);
        self.bytes.fetch_sub(message.size(), Ordering::Relaxed);
    }

    /// Whether the queue is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.messages.load(Ordering::Relaxed) == 0
    }

    /// Leaves further messages of this topic in the mailbox for now.
    pub(super) fn put_off(&self, topic: Topic) {
        lock(&self.behind).insert(topic);
    }

    /// Returns and clears the topics with messages left in the mailbox.
    pub(super) fn take_behind(&self) -> Vec<Topic> {
        lock(&self.behind).drain().collect()
    }

    /// Waits until the mailboxes have to be read although no message arrived.
    pub(super) async fn woken(&self) {
        self.woken.notified().await;
    }

    pub(super) fn has_joined(&self, topic: Topic) -> bool {
        lock(&self.joined).contains(&topic)
    }

    /// Schedules all subscribed topics to be read from the mailbox, as messages may have been missed.
    fn miss(&self) {
        let joined: Vec<Topic> = lock(&self.joined).iter().copied().collect();
        lock(&self.behind).extend(joined);
        self.woken.notify_one();
    }
}

/// Sockets by topic.
pub(super) struct Hub {
    shards: Vec<Mutex<HashMap<Topic, Vec<Arc<Inbox>>>>>,
}

impl Hub {
    pub(super) fn new() -> Hub {
        Hub { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    /// Subscribes the inbox to messages of this topic; `false` if the visitor's share is used up.
    pub(super) fn join(&self, topic: Topic, inbox: &Arc<Inbox>) -> bool {
        // Always locks the shard before the inbox, to avoid a deadlock.
        let mut shard = self.shard(topic);
        let mut joined = lock(&inbox.joined);
        if joined.contains(&topic) {
            return true;
        }
        let fits = lock(&inbox.share).grow(1);
        if fits {
            joined.insert(topic);
            shard.entry(topic).or_default().push(inbox.clone());
        }
        fits
    }

    pub(super) fn leave(&self, topic: Topic, inbox: &Arc<Inbox>) {
        let mut shard = self.shard(topic);
        if !lock(&inbox.joined).remove(&topic) {
            return;
        }
        lock(&inbox.share).shrink(1);
        if let Some(inboxes) = shard.get_mut(&topic) {
            inboxes.retain(|other| !Arc::ptr_eq(other, inbox));
            if inboxes.is_empty() {
                shard.remove(&topic);
            }
        }
    }

    pub(super) fn leave_all(&self, inbox: &Arc<Inbox>) {
        let joined: Vec<Topic> = lock(&inbox.joined).iter().copied().collect();
        for topic in joined {
            self.leave(topic, inbox);
        }
    }

    /// Sends a message to all subscribed sockets except the publisher's; returns their number.
    pub(super) fn deliver(&self, message: &Arc<Message>) -> usize {
        let shard = self.shard(message.topic);
        let inboxes = shard.get(&message.topic).into_iter().flatten();
        inboxes.filter(|inbox| inbox.client != message.publisher).map(|inbox| inbox.put(message)).count()
    }

    /// Has all sockets reread their mailboxes after a gap in the messages of other nodes. Spread over time to spare the database.
    pub(super) async fn miss(&self) {
        let mut inboxes = HashMap::new();
        for shard in &self.shards {
            let shard = lock(shard);
            inboxes.extend(shard.values().flatten().map(|inbox| (Arc::as_ptr(inbox) as usize, Arc::downgrade(inbox))));
        }
        for (place, inbox) in inboxes.into_values().enumerate() {
            if place > 0 && place % MISS_AT_ONCE == 0 {
                tokio::time::sleep(MISS_PAUSE).await;
            }
            if let Some(inbox) = inbox.upgrade() {
                inbox.miss();
            }
        }
    }

    fn shard(&self, topic: Topic) -> MutexGuard<'_, HashMap<Topic, Vec<Arc<Inbox>>>> {
        let mut hasher = DefaultHasher::new();
        topic.hash(&mut hasher);
        let place = usize::try_from(hasher.finish() % SHARDS as u64).unwrap_or_default();
        lock(&self.shards[place])
    }
}

fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visitors::Visitors;
    use futures_util::FutureExt;
    use std::net::Ipv4Addr;

    fn share() -> Taken {
        Visitors::new(1000).nothing(Ipv4Addr::LOCALHOST.into())
    }

    #[test]
    fn a_visitor_listens_to_so_many_topics_on_all_its_sockets_and_a_topic_it_leaves_makes_room() {
        let (hub, visitors) = (Hub::new(), Visitors::new(3));
        let socket = |address: [u8; 4]| Inbox::new(ClientId([1; 32]), visitors.nothing(address.into())).0;
        let (one, two, neighbour) = (socket([192, 0, 2, 1]), socket([192, 0, 2, 1]), socket([192, 0, 2, 2]));
        let topic = |number| Topic([number; 32]);
        assert!(hub.join(topic(1), &one) && hub.join(topic(2), &one) && hub.join(topic(1), &one));
        assert!(hub.join(topic(1), &two) && !hub.join(topic(2), &two));
        assert!(hub.join(topic(2), &neighbour));
        hub.leave(topic(1), &one);
        assert!(hub.join(topic(2), &two));
        hub.leave_all(&two);
        assert!(hub.join(topic(1), &one) && hub.join(topic(3), &one));
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_missed_something_looks_once_however_much_it_listens_to() {
        let hub = Hub::new();
        let inboxes: Vec<Arc<Inbox>> = (0..120).map(|_| Inbox::new(ClientId([1; 32]), share()).0).collect();
        let topics: Vec<Topic> = (0..200).map(|number| Topic([number; 32])).collect();
        for inbox in &inboxes {
            assert!(topics.iter().all(|topic| hub.join(*topic, inbox)));
        }
        let begun = tokio::time::Instant::now();
        hub.miss().await;
        assert_eq!(begun.elapsed(), 2 * MISS_PAUSE);
        for inbox in &inboxes {
            assert_eq!(inbox.take_behind().len(), topics.len());
            assert!(inbox.woken().now_or_never().is_some());
        }
    }

    #[test]
    fn a_message_that_does_not_fit_wakes_the_socket_which_may_have_taken_the_others_by_then() {
        let hub = Hub::new();
        let (inbox, mut told) = Inbox::new(ClientId([1; 32]), share());
        let message = Arc::new(Message {
            topic: Topic([1; 32]),
            id: super::super::id::MessageId([1; 32]),
            publisher: ClientId([2; 32]),
            tag: 0,
            published_at: 0,
            expires_at: 1,
            attestation: None,
            payer: Default::default(),
            body: "a".repeat(MOST_BYTES - size_of::<Message>()).into(),
        });
        hub.join(message.topic, &inbox);
        assert_eq!((hub.deliver(&message), hub.deliver(&message)), (1, 1));
        assert!(told.try_recv().is_ok() && told.try_recv().is_err());
        assert!(inbox.woken().now_or_never().is_some());
        assert_eq!(inbox.take_behind(), [message.topic]);
    }
}
