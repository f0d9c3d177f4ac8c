use super::START;
use portico_json::to_text;
use portico_walletconnect::relay::{
    Delivery, Publication, RelayCall, RelayFault, RequestId, write_answer, write_call, write_error,
};

/// A relay as small as one can be, and as bad as a test wants it.
#[derive(Default)]
pub struct Relay {
    pub down: bool,
    /// Takes frames and answers none.
    pub deaf: bool,
    /// Answers and delivers everything twice.
    pub twice: bool,
    /// Hands out what it has in the reverse order.
    pub reversed: bool,
    /// Closes each socket with this.
    pub refuses: Option<(i64, String)>,
    /// Answers each publish with this.
    pub fault: Option<RelayFault>,
    /// Takes calls to subscribe and does nothing.
    pub unwilling: bool,
    /// Publications that it swallows without a word.
    pub swallows: usize,
    /// Sends publications back to who published them.
    pub echoes: bool,
    pub publishes: usize,
    /// Fetches that reached it, answered or not.
    pub fetches: usize,
    /// Closes a socket that sends a longer frame.
    pub longest: Option<usize>,
    pub subscriptions: Vec<(String, usize)>,
    pub mailbox: Vec<(Publication, u64, Vec<usize>)>,
    next: u64,
}

impl Relay {
    pub fn answer(&mut self, id: &RequestId, call: RelayCall, node: usize, now: u64) -> String {
        match call {
            RelayCall::Publish(publication) => {
                if let Some(fault) = self.fault {
                    return write_error(id, &fault.into());
                }
                let known = self.mailbox.iter().any(|kept| kept.0.message == publication.message);
                if !known {
                    let heard = if self.echoes { Vec::new() } else { vec![node] };
                    self.mailbox.push((publication, now, heard));
                }
                write_answer(id, "true")
            }
            RelayCall::Subscribe { topic, .. } => {
                self.subscribe(topic.as_str(), node);
                write_answer(id, "\"subscription\"")
            }
            RelayCall::BatchSubscribe { topics, .. } => {
                for topic in &topics {
                    self.subscribe(topic.as_str(), node);
                }
                write_answer(id, "[]")
            }
            RelayCall::Unsubscribe(topic) => {
                self.subscriptions.retain(|known| known.0 != topic.as_str() || known.1 != node);
                write_answer(id, "true")
            }
            RelayCall::FetchMessages(_) => write_answer(id, r#"{"messages":[],"hasMore":false}"#),
            other => panic!("not a call of ours: {other:?}"),
        }
    }

    fn subscribe(&mut self, topic: &str, node: usize) {
        self.subscriptions.retain(|known| known.0 != topic || known.1 != node);
        self.subscriptions.push((topic.into(), node));
    }

    pub fn deliveries(&mut self, now: u64) -> Vec<(usize, String)> {
        let mut frames = Vec::new();
        for (publication, at, heard) in &mut self.mailbox {
            if *at + publication.ttl * 1000 <= now {
                continue;
            }
            for (topic, node) in &self.subscriptions {
                if *topic != publication.topic.as_str() || heard.contains(node) {
                    continue;
                }
                heard.push(*node);
                let delivery = Delivery {
                    topic: publication.topic.clone(),
                    message: publication.message.clone(),
                    published_at: *at,
                    tag: publication.tag,
                    attestation: None,
                };
                self.next += 1;
                let params = format!(r#"{{"id":"s","data":{}}}"#, to_text(&delivery));
                frames.push((*node, write_call(&RequestId::from(START + self.next), "irn_subscription", &params)));
            }
        }
        frames
    }

    /// Messages with a tag, by the relay's knowledge.
    pub fn tagged(&self, tag: u32) -> usize {
        self.mailbox.iter().filter(|kept| kept.0.tag == tag).count()
    }
}
