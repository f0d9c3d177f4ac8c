//! A published message, as the relay sees it: an envelope that it cannot decrypt.

use super::id::{ClientId, MessageId, Topic};
use super::share::Payer;
use serde::{Deserialize, Serialize};

/// A published message. Analytics fields that clients add are dropped unread.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Message {
    pub(super) topic: Topic,
    pub(super) id: MessageId,
    pub(super) publisher: ClientId,
    pub(super) tag: u32,
    /// In epoch milliseconds.
    pub(super) published_at: i64,
    /// In epoch milliseconds.
    pub(super) expires_at: i64,
    pub(super) attestation: Option<Box<str>>,
    /// Payer while it is stored; empty on a message that was read back or came from another node.
    pub(super) payer: Payer,
    pub(super) body: Box<str>,
}

/// JSON form for clients.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MessageJson<'m> {
    topic: String,
    message: &'m str,
    published_at: i64,
    tag: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    attestation: Option<&'m str>,
}

impl Message {
    /// Bytes of the message that its publisher chose: body and attestation.
    pub(super) fn bytes(&self) -> usize {
        self.body.len() + self.attestation.as_ref().map_or(0, |attestation| attestation.len())
    }

    /// Memory that the message takes in the relay, in bytes.
    pub(super) fn size(&self) -> usize {
        self.bytes() + size_of::<Message>()
    }

    /// The message as a JSON object for clients.
    pub(super) fn json(&self) -> String {
        let told = MessageJson {
            topic: self.topic.to_string(),
            message: &self.body,
            published_at: self.published_at,
            tag: self.tag,
            attestation: self.attestation.as_deref(),
        };
        // Serializing strings and numbers cannot fail.
        serde_json::to_string(&told).unwrap_or_default()
    }
}

/// JSON form between nodes.
#[derive(Deserialize, Serialize)]
struct Passed<'m> {
    #[serde(borrow)]
    node: std::borrow::Cow<'m, str>,
    topic: [u8; 32],
    publisher: [u8; 32],
    tag: u32,
    published_at: i64,
    expires_at: i64,
    attestation: Option<Box<str>>,
    body: Box<str>,
}

impl Message {
    /// Serializes the message for other nodes; `node` is the name of this one.
    pub(super) fn pass_on(&self, node: &str) -> Vec<u8> {
        let passed = Passed {
            node: node.into(),
            topic: self.topic.0,
            publisher: self.publisher.0,
            tag: self.tag,
            published_at: self.published_at,
            expires_at: self.expires_at,
            attestation: self.attestation.clone(),
            body: self.body.clone(),
        };
        serde_json::to_vec(&passed).unwrap_or_default()
    }

    /// Parses a message from another node. `None` for a message of this node, `to`, or for invalid bytes.
    pub(super) fn passed_on(bytes: &[u8], to: &str) -> Option<Message> {
        let passed: Passed<'_> = serde_json::from_slice(bytes).ok()?;
        (passed.node != to).then(|| Message {
            topic: Topic(passed.topic),
            id: MessageId::of(&passed.body),
            publisher: ClientId(passed.publisher),
            tag: passed.tag,
            published_at: passed.published_at,
            expires_at: passed.expires_at,
            attestation: passed.attestation,
            payer: Payer::default(),
            body: passed.body,
        })
    }
}
