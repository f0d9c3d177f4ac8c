//! Sends messages published on one node to clients connected to other nodes, by Redis.
//!
//! This is only the fast path: messages lost here are still in the mailbox. A node that may have missed messages of the others has
//! its clients' mailboxes read again.

use super::hub::Hub;
use super::mailbox::Mailbox;
use super::message::Message;
use crate::shared::Shared;
use axum::body::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, timeout};

/// Redis channel of all nodes.
const CHANNEL: &str = "relay";

/// Length of the send queue; further messages are only stored in the mailbox.
const MOST: usize = 4096;

/// Maximum number of messages per send.
const AT_ONCE: usize = 256;

/// Delay before listening again to a Redis that was lost, and interval of notices about missed messages.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Prefix of a notice that the other nodes missed messages. The sending node's name follows.
const MISSED: &[u8] = b"missed:";

pub(super) struct Fan {
    /// Name of this node, to recognize its own messages.
    node: Arc<str>,
    /// `None` without other nodes.
    sender: Option<Sender<Bytes>>,
    /// Whether messages could not be sent and the other nodes were not notified yet.
    missed: Arc<AtomicBool>,
}

impl Fan {
    /// Starts sending and listening, as long as the server runs.
    pub(super) fn start(shared: Shared, hub: Arc<Hub>, mailbox: Mailbox) -> Fan {
        let node: Arc<str> = crate::project::random_secret().unwrap_or_default().into();
        let missed = Arc::new(AtomicBool::new(false));
        if !shared.spans_processes() {
            return Fan { node, sender: None, missed };
        }
        let (sender, receiver) = channel(MOST);
        let teller = Teller { shared: shared.clone(), mailbox, node: node.clone(), missed: missed.clone() };
        tokio::spawn(teller.publish_all(receiver));
        tokio::spawn(listen(shared, hub, node.clone()));
        Fan { node, sender: Some(sender), missed }
    }

    pub(super) fn deliver(&self, message: &Message) {
        if let Some(sender) = &self.sender
            && sender.try_send(message.pass_on(&self.node).into()).is_err()
        {
            // The other nodes find it in the mailbox once they receive the notice.
            self.missed.store(true, Ordering::Relaxed);
        }
    }
}

struct Teller {
    shared: Shared,
    mailbox: Mailbox,
    node: Arc<str>,
    missed: Arc<AtomicBool>,
}

impl Teller {
    async fn publish_all(self, mut receiver: Receiver<Bytes>) {
        let mut texts = Vec::new();
        let mut noted = Instant::now();
        loop {
            let more = receiver.recv_many(&mut texts, AT_ONCE);
            let more =
                if self.missed.load(Ordering::Relaxed) { timeout(AGAIN_AFTER, more).await } else { Ok(more.await) };
            if more == Ok(0) {
                return;
            }
            if !texts.is_empty() && !self.shared.publish(CHANNEL, &texts).await {
                self.missed.store(true, Ordering::Relaxed);
            }
            texts.clear();
            if self.missed.load(Ordering::Relaxed) && noted.elapsed() >= AGAIN_AFTER {
                noted = Instant::now();
                self.say_missed().await;
            }
        }
    }

    /// Notifies the other nodes to read the mailboxes, once all missed messages are stored.
    async fn say_missed(&self) {
        self.missed.store(false, Ordering::Relaxed);
        // A message that could not be stored cannot be found anyway.
        let _ = self.mailbox.settled().await;
        let note = [MISSED, self.node.as_bytes()].concat();
        if !self.shared.publish(CHANNEL, &[note.into()]).await {
            self.missed.store(true, Ordering::Relaxed);
        }
    }
}

async fn listen(shared: Shared, hub: Arc<Hub>, node: Arc<str>) {
    loop {
        if let Some(mut heard) = shared.listen(CHANNEL).await {
            // Messages before this point were missed.
            look(&hub);
            while let Some(bytes) = heard.next().await {
                take(&bytes, &hub, &node);
            }
        }
        tokio::time::sleep(AGAIN_AFTER).await;
    }
}

/// Handles a message from the channel.
fn take(bytes: &[u8], hub: &Arc<Hub>, node: &str) {
    if let Some(of) = bytes.strip_prefix(MISSED) {
        if of != node.as_bytes() {
            look(hub);
        }
    } else if let Some(message) = Message::passed_on(bytes, node) {
        super::metrics::pushed(hub.deliver(&Arc::new(message)));
    }
}

fn look(hub: &Arc<Hub>) {
    let hub = hub.clone();
    tokio::spawn(async move { hub.miss().await });
}

#[cfg(test)]
mod tests {
    use super::super::hub::Inbox;
    use super::super::id::{ClientId, MessageId, Topic};
    use super::*;
    use crate::visitors::Visitors;

    #[tokio::test(start_paused = true)]
    async fn what_cannot_be_told_is_noted_and_whoever_hears_the_note_looks() {
        let message = Message {
            topic: Topic([1; 32]),
            id: MessageId([1; 32]),
            publisher: ClientId([1; 32]),
            tag: 0,
            published_at: 0,
            expires_at: 1,
            attestation: None,
            payer: Default::default(),
            body: "a".into(),
        };
        let (sender, _receiver) = channel(1);
        let fan = Fan { node: "here".into(), sender: Some(sender), missed: Arc::default() };
        fan.deliver(&message);
        assert!(!fan.missed.load(Ordering::Relaxed));
        fan.deliver(&message);
        assert!(fan.missed.load(Ordering::Relaxed));
        let hub = Arc::new(Hub::new());
        let (inbox, _told) = Inbox::new(ClientId([2; 32]), Visitors::new(1).nothing([192, 0, 2, 1].into()));
        hub.join(message.topic, &inbox);
        take(b"missed:here", &hub, "here");
        tokio::task::yield_now().await;
        assert_eq!(inbox.take_behind(), []);
        take(b"missed:there", &hub, "here");
        timeout(AGAIN_AFTER, inbox.woken()).await.unwrap();
        assert_eq!(inbox.take_behind(), [message.topic]);
    }
}
