//! Receives a relay's messages: decrypts, deduplicates and dispatches them by topic; also publishes messages.

#[cfg(feature = "wallet")]
use super::Verification;
use super::link::LinkEvent;
use super::message::{Method, Payload, write_failure, write_result};
use super::post::{OnAccepted, Post};
use super::records::{OWN, POST, SEEN, outlives_page, write_post};
use super::world::error;
use super::{Client, Output, RpcError};
#[cfg(feature = "wallet")]
use crate::attestation::origin_of;
#[cfg(feature = "sign-in")]
use crate::crypto::PublicKey;
use crate::crypto::{Envelope, SymKey, message_id, seal};
use crate::relay::{Publication, Topic};
use portico_json::Value;

/// Milliseconds after which a message that no relay has accepted is given up.
const PATIENCE: u64 = 60_000;

/// Destination of a message: topic, key and relay.
pub(super) struct Address {
    pub topic: String,
    pub key: SymKey,
    /// URL of one relay; `None` for all configured ones.
    pub relay: Option<String>,
}

/// Publication options of a message.
pub(super) struct PublishOptions {
    pub tag: u32,
    /// Time that the relay stores the message, in seconds.
    pub ttl: u64,
    /// Whether it wakes a phone with a push notification.
    pub prompt: bool,
    /// Time at which it is given up if no relay has accepted it, in epoch milliseconds.
    pub until: u64,
}

/// Relay that delivered a message. Another tab that passes a message on is no relay.
#[derive(Default)]
pub(super) struct Source {
    /// URL of the relay, or empty.
    pub relay: String,
    /// Origin of the publishing page, attested by the relay.
    #[cfg(feature = "wallet")]
    pub origin: Option<String>,
}

#[cfg(feature = "wallet")]
impl Source {
    /// Compares the attested origin with those of the URLs that a dapp names.
    pub fn verify(&self, urls: &[&str]) -> Verification {
        let Some(origin) = self.origin.clone() else { return Verification::Unverified };
        if urls.iter().all(|url| origin_of(url).is_some_and(|named| named == origin)) {
            Verification::Verified { origin }
        } else {
            Verification::Mismatch { origin }
        }
    }
}

/// Kind of a topic on which a message arrived.
enum TopicKind {
    Pairing,
    /// Agreed session topic on which the settlement is awaited, with the topic of its pairing.
    Agreed(String),
    /// Topic for the response to a sign-in, with the pairing topic, the wallet's public key and the agreed key.
    #[cfg(feature = "sign-in")]
    Response(String, PublicKey, SymKey),
    Session,
}

impl Client {
    pub(super) fn message(&mut self, socket: u32, frame: &str) {
        let Some(link) = self.links.iter().position(|link| link.has(socket)) else { return };
        let (id, heard) = self.links[link].message(frame, &mut self.world);
        // A message on a topic of another tab is left for that tab to acknowledge.
        let topics = self.topics_on(&self.links[link]);
        let ours = heard.iter().any(
            |heard| matches!(heard, LinkEvent::Delivered(delivery) if topics.iter().any(|topic| topic == delivery.topic.as_str())),
        );
        for heard in heard {
            self.heard(link, heard);
        }
        // Acknowledge only after processing, because the relay deletes the message then.
        if let Some(id) = id.filter(|_| ours) {
            self.links[link].acknowledge(&id, &mut self.world);
        }
    }

    /// Handles a message from a relay, or from another tab if the source names none.
    pub(super) fn deliver(&mut self, source: &Source, topic: &str, message: &str) {
        let id = message_id(message);
        if self.seen.has(topic, &id) {
            return;
        }
        let Some((place, text)) = self.open(topic, message) else { return };
        let marks = self.seen.add(topic, &id).to_owned();
        self.world.outputs.push(Output::Store { key: [SEEN, topic].concat(), value: marks });
        let Some(payload) = Payload::parse(&text) else { return };
        if !source.relay.is_empty() {
            self.share(topic, message, &payload);
        }
        match payload {
            Payload::Request { id, method, params } => self.asked(place, topic, source, id, &method, &params),
            Payload::Answer { id, outcome } => self.answered(place, topic, &source.relay, id, outcome),
        }
    }

    /// Decrypts a message on one of our topics. All other messages are ignored.
    fn open(&self, topic: &str, message: &str) -> Option<(TopicKind, String)> {
        let envelope = Envelope::parse(message).ok()?;
        if let Some(held) = self.held(topic) {
            return Some((TopicKind::Session, envelope.open(&held.key()?).ok()?));
        }
        for pairing in &self.pairings {
            if pairing.topic == topic {
                return Some((TopicKind::Pairing, envelope.open(&pairing.key()?).ok()?));
            }
            let Some(offer) = &pairing.offer else { continue };
            if let Some(agreed) = offer.agreed.as_ref().filter(|agreed| agreed.topic == topic) {
                let text = envelope.open(&SymKey::from_hex(&agreed.sym_key)?).ok()?;
                return Some((TopicKind::Agreed(pairing.topic.clone()), text));
            }
            #[cfg(feature = "sign-in")]
            if offer.authentication.as_ref().is_some_and(|asked| asked.topic == topic) {
                let Envelope::Addressed { sender, .. } = &envelope else { return None };
                let sender = *sender;
                let (key, text) = envelope.open_addressed(&offer.pair()?).ok()?;
                return Some((TopicKind::Response(pairing.topic.clone(), sender, key), text));
            }
        }
        None
    }

    fn asked(&mut self, place: TopicKind, topic: &str, source: &Source, id: u64, method: &str, params: &Value) {
        match (place, Method::from_word(method)) {
            #[cfg(feature = "wallet")]
            (TopicKind::Pairing, Some(Method::Propose)) => self.proposed(topic, source, id, params),
            #[cfg(feature = "wallet")]
            (TopicKind::Pairing, Some(Method::Authenticate)) => self.authenticate_asked(topic, source, id, params),
            (TopicKind::Pairing, method) => self.pairing_asked(topic, &source.relay, id, method),
            (TopicKind::Agreed(pairing), Some(Method::Settle)) => self.settled(&pairing, id, params),
            (TopicKind::Session, method) => self.session_asked(topic, source, id, method, params),
            _ => {}
        }
    }

    fn answered(&mut self, place: TopicKind, topic: &str, relay: &str, id: u64, outcome: Result<Value, RpcError>) {
        match place {
            TopicKind::Pairing => self.pairing_answered(topic, relay, id, outcome),
            #[cfg(feature = "sign-in")]
            TopicKind::Response(pairing, sender, key) => {
                self.authenticated(&pairing, relay, id, outcome, &sender, &key)
            }
            TopicKind::Session => self.session_answered(topic, id, outcome),
            TopicKind::Agreed(_) => {}
        }
    }

    /// Encrypts a payload and publishes it on its relays.
    pub(super) fn say(&mut self, to: &Address, payload: &str, stamp: PublishOptions, after: OnAccepted) {
        let message = seal(payload, &to.key, self.world.random.iv());
        self.publish(to, message, stamp, after);
    }

    /// Publishes an encrypted message on its relays. It counts as seen, so that a relay's echo is ignored.
    pub(super) fn publish(&mut self, to: &Address, message: String, stamp: PublishOptions, after: OnAccepted) {
        let Some(topic) = Topic::parse(&to.topic) else { return };
        let id = message_id(&message);
        self.seen.add(OWN, &id);
        let PublishOptions { tag, ttl, prompt, until } = stamp;
        let publication = Publication { topic, message, ttl, tag, prompt, attestation: None };
        let url = to.relay.as_deref().unwrap_or_default();
        if outlives_page(tag) {
            let value = write_post(url, until, &publication);
            self.world.outputs.push(Output::Store { key: [POST, &id].concat(), value });
        }
        self.post(url, Post::new(publication, until, after));
    }

    /// Hands a message to the link of a relay, or with an empty URL to all configured links.
    pub(super) fn post(&mut self, relay_url: &str, post: Post) {
        if !relay_url.is_empty() {
            return self.link_of(relay_url).post(post);
        }
        for link in self.links.iter_mut().filter(|link| link.configured) {
            link.post(Post::new(post.publication.clone(), post.until, OnAccepted::Nothing));
        }
    }

    /// Publication options without a push notification; given up after [`PATIENCE`].
    pub(super) fn stamp(&self, tag: u32, ttl: u64) -> PublishOptions {
        PublishOptions { tag, ttl, prompt: false, until: self.world.now + PATIENCE }
    }

    /// Sends a result to the peer.
    pub(super) fn reply(&mut self, to: &Address, method: Method, id: u64, result: &str) {
        let stamp = self.stamp(method.tag() + 1, method.ttl());
        self.say(to, &write_result(id, result), stamp, OnAccepted::Nothing);
    }

    /// Sends an error to the peer.
    pub(super) fn fail(&mut self, to: &Address, method: Method, id: u64, code: i64, message: &str) {
        let stamp = self.stamp(method.tag() + 1, method.ttl());
        self.say(to, &write_failure(id, &error(code, message)), stamp, OnAccepted::Nothing);
    }
}
