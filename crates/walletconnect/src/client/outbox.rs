//! Messages to send to one relay. Each is sent again until the relay accepts it, refuses it for good, or its time is over.

use super::link::{LinkEvent, MAX_DELAY};
use super::post::Post;
use super::reason::will_not_take;
use crate::relay::RelayError;
use portico_json::{Value, to_text};

/// Milliseconds after which an unanswered message is sent again.
const RESEND: u64 = 10_000;
/// Milliseconds until the first retry of a message that the relay refused for now.
const PAUSE: u64 = 1000;

#[derive(Default)]
pub(super) struct Outbox(Vec<Post>);

impl Outbox {
    pub fn push(&mut self, post: Post) {
        self.0.push(post);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Gives up the messages of a topic: all, or only those with a tag.
    pub fn forget(&mut self, topic: &str, tag: Option<u32>) {
        let said = |post: &&mut Post| post.publication.topic.as_str() == topic;
        for post in self.0.iter_mut().filter(said).filter(|post| tag.is_none_or(|tag| post.publication.tag == tag)) {
            post.until = 0;
        }
    }

    /// Shifts all times back after the clock was set back by `back` milliseconds.
    pub fn rewind(&mut self, back: u64) {
        for time in self.0.iter_mut().flat_map(|post| [&mut post.due, &mut post.until]) {
            *time = time.saturating_sub(back);
        }
    }

    /// Gives up the largest sent message, after the relay closed because of a frame's size.
    pub fn give_up_largest(&mut self) {
        let sent = self.0.iter_mut().filter(|post| !post.flights.is_empty());
        if let Some(post) = sent.max_by_key(|post| post.publication.message.len()) {
            post.until = 0;
        }
    }

    /// Removes and returns the messages whose time is over.
    pub fn give_up(&mut self, now: u64) -> Vec<LinkEvent> {
        let mut given_up = Vec::new();
        while let Some(index) = self.0.iter().position(|post| post.until <= now) {
            given_up.push(LinkEvent::Failed(self.0.remove(index), "The relay did not take the message".into()));
        }
        given_up
    }

    /// Whether a response of the relay is outstanding.
    pub fn flies(&self) -> bool {
        self.0.iter().any(|post| !post.flights.is_empty())
    }

    /// Index of the message that was sent under an id.
    pub fn sent_as(&self, id: u64) -> Option<usize> {
        self.0.iter().position(|post| post.flights.contains(&id))
    }

    pub fn answered(&mut self, index: usize, outcome: Result<Value, RelayError>, now: u64) -> Option<LinkEvent> {
        match outcome {
            Ok(_) => Some(LinkEvent::Taken(self.0.remove(index))),
            Err(error) if will_not_take(&error) => Some(LinkEvent::Failed(self.0.remove(index), error.message)),
            Err(_) => {
                let post = &mut self.0[index];
                post.flights.clear();
                post.due = now + pause(&mut post.refusals);
                None
            }
        }
    }

    /// Index and text of the next message to send.
    pub fn due(&self, now: u64) -> Option<(usize, String)> {
        let index = self.0.iter().position(|post| post.due <= now)?;
        Some((index, to_text(&self.0[index].publication)))
    }

    pub fn sent(&mut self, index: usize, id: u64, now: u64) {
        let post = &mut self.0[index];
        post.flights.push(id);
        post.due = now + RESEND;
    }

    /// Schedules all messages again after their socket was lost.
    pub fn lose(&mut self) {
        for post in &mut self.0 {
            post.flights.clear();
            post.due = 0;
        }
    }

    /// Times at which messages are given up, in epoch milliseconds.
    pub fn ends(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|post| post.until)
    }

    /// Times at which messages are sent, in epoch milliseconds.
    pub fn dues(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|post| post.due)
    }
}

/// Milliseconds until the next attempt after a temporary refusal: exponential backoff up to [`MAX_DELAY`].
pub(super) fn pause(refusals: &mut u32) -> u64 {
    *refusals += 1;
    (PAUSE << (*refusals - 1).min(5)).min(MAX_DELAY)
}
