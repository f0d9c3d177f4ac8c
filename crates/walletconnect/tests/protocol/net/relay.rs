use super::START;
use portico_json::to_text;
use portico_walletconnect::attestation::attest;
use portico_walletconnect::crypto::message_id;
use portico_walletconnect::jwt::ClientKey;
use portico_walletconnect::relay::{
    Delivery, Publication, RelayCall, RelayFault, RequestId, write_answer, write_call, write_error,
};

/// Minimal relay, with the faults that a test sets.
#[derive(Default)]
pub struct Relay {
    pub down: bool,
    /// Accepts frames and responds to none.
    pub deaf: bool,
    /// Sends every response and delivery twice.
    pub twice: bool,
    /// Delivers in reverse order.
    pub reversed: bool,
    /// Close code and reason for each new socket.
    pub refuses: Option<(i64, String)>,
    /// Error response to each publish.
    pub fault: Option<RelayFault>,
    /// Ignores calls to subscribe.
    pub unwilling: bool,
    /// Number of further publications that it silently drops.
    pub swallows: usize,
    /// Delivers publications also to their publisher.
    pub echoes: bool,
    pub publishes: usize,
    /// Number of fetches received, answered or not.
    pub fetches: usize,
    /// Longest frame in bytes; a longer one closes the socket.
    pub longest: Option<usize>,
    /// Attestation of a message: its key and the origin.
    pub attests: Option<(ClientKey, &'static str)>,
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
                    attestation: (self.attests.as_ref())
                        .map(|(key, origin)| attest(key, &message_id(&publication.message), origin, now / 1000 + 300)),
                };
                self.next += 1;
                let params = format!(r#"{{"id":"s","data":{}}}"#, to_text(&delivery));
                frames.push((*node, write_call(&RequestId::from(START + self.next), "irn_subscription", &params)));
            }
        }
        frames
    }

    /// Number of messages with a tag in the mailbox.
    pub fn tagged(&self, tag: u32) -> usize {
        self.mailbox.iter().filter(|kept| kept.0.tag == tag).count()
    }
}
