//! What is to be said to one relay: each message again and again until the relay takes it, refuses it for good, or its time is over.

use super::link::{Heard, MAX_DELAY};
use super::post::Post;
use super::reason::will_not_take;
use crate::relay::RelayError;
use portico_json::{Value, to_text};

/// Milliseconds after which an unanswered message is sent again.
const RESEND: u64 = 10_000;
/// Milliseconds until the second attempt at what the relay refused for now.
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

    /// Takes back what was to be said on a topic, all or what has a tag.
    pub fn forget(&mut self, topic: &str, tag: Option<u32>) {
        let said = |post: &&mut Post| post.publication.topic.as_str() == topic;
        for post in self.0.iter_mut().filter(said).filter(|post| tag.is_none_or(|tag| post.publication.tag == tag)) {
            post.until = 0;
        }
    }

    /// The clock was set back by so many milliseconds.
    pub fn rewind(&mut self, back: u64) {
        for time in self.0.iter_mut().flat_map(|post| [&mut post.due, &mut post.until]) {
            *time = time.saturating_sub(back);
        }
    }

    /// The relay hung up because of a frame's size.
    pub fn give_up_largest(&mut self) {
        let sent = self.0.iter_mut().filter(|post| !post.flights.is_empty());
        if let Some(post) = sent.max_by_key(|post| post.publication.message.len()) {
            post.until = 0;
        }
    }

    /// What is over its time.
    pub fn give_up(&mut self, now: u64) -> Vec<Heard> {
        let mut given_up = Vec::new();
        while let Some(index) = self.0.iter().position(|post| post.until <= now) {
            given_up.push(Heard::Failed(self.0.remove(index), "The relay did not take the message".into()));
        }
        given_up
    }

    /// Whether an answer is owed.
    pub fn flies(&self) -> bool {
        self.0.iter().any(|post| !post.flights.is_empty())
    }

    /// Where the message is that was sent under an id.
    pub fn sent_as(&self, id: u64) -> Option<usize> {
        self.0.iter().position(|post| post.flights.contains(&id))
    }

    pub fn answered(&mut self, index: usize, outcome: Result<Value, RelayError>, now: u64) -> Option<Heard> {
        match outcome {
            Ok(_) => Some(Heard::Taken(self.0.remove(index))),
            Err(error) if will_not_take(&error) => Some(Heard::Failed(self.0.remove(index), error.message)),
            Err(_) => {
                let post = &mut self.0[index];
                post.flights.clear();
                post.due = now + pause(&mut post.refusals);
                None
            }
        }
    }

    /// Where the next message is that has to be sent, and its text.
    pub fn due(&self, now: u64) -> Option<(usize, String)> {
        let index = self.0.iter().position(|post| post.due <= now)?;
        Some((index, to_text(&self.0[index].publication)))
    }

    pub fn sent(&mut self, index: usize, id: u64, now: u64) {
        let post = &mut self.0[index];
        post.flights.push(id);
        post.due = now + RESEND;
    }

    /// What was said on a socket that is gone has to be said again.
    pub fn lose(&mut self) {
        for post in &mut self.0 {
            post.flights.clear();
            post.due = 0;
        }
    }

    /// Epoch milliseconds at which messages are given up.
    pub fn ends(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|post| post.until)
    }

    /// Epoch milliseconds at which messages are to be sent.
    pub fn dues(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|post| post.due)
    }
}

/// Milliseconds until the next attempt at what a relay refused for now, twice as many each time.
pub(super) fn pause(refusals: &mut u32) -> u64 {
    *refusals += 1;
    (PAUSE << (*refusals - 1).min(5)).min(MAX_DELAY)
}
