//! Changes by another tab of the same client. Tabs share one identity, so a relay may deliver a message to the wrong tab: the tab that
//! receives it first stores what the others cannot know.

use super::message::{Method, Payload};
use super::receive::Source;
use super::records::{self, HEARD, SESSION};
use super::world::error;
use super::{Client, Event, Output};

impl Client {
    /// Handles a record that another tab changed. A pairing belongs to the page that shows it, and is not shared.
    pub(super) fn stored(&mut self, key: &str, value: Option<&str>) {
        if let Some(topic) = key.strip_prefix(SESSION) {
            match value {
                None => {
                    let reason = error(6000, "Disconnected in another tab");
                    if self.forget_session(topic, &reason) {
                        self.emit_deleted(topic, reason);
                    }
                }
                Some(text) => self.session_stored(topic, text),
            }
        } else if let Some(topic) = key.strip_prefix(HEARD)
            && let Some(message) = value.filter(|_| self.held(topic).is_some())
        {
            self.deliver(&Source::default(), topic, message);
        }
        #[cfg(feature = "wallet")]
        self.wallet_stored(key, value);
    }

    fn session_stored(&mut self, topic: &str, text: &str) {
        let Some(mut held) = records::read_session(text).filter(|held| held.session.topic == topic) else { return };
        held.session.relay_url = self.link_of(&held.session.relay_url).url.clone();
        let session = held.session.clone();
        let event = match self.sessions.iter_mut().find(|known| known.session.topic == topic) {
            Some(known) => {
                for id in &known.heard {
                    held.fresh(*id);
                }
                let changed = known.session != session;
                *known = held;
                changed.then_some(Event::Updated { session })
            }
            None => {
                self.sessions.push(held);
                let pairing_topic = session.pairing_topic.clone();
                Some(Event::Settled { session, pairing_topic })
            }
        };
        if let Some(event) = event {
            self.world.emit(event);
        }
    }

    /// Dapp: stores a response that another tab may be waiting for, or an event, which is for all tabs.
    pub(super) fn share(&mut self, topic: &str, message: &str, payload: &Payload) {
        let shared = match payload {
            Payload::Request { method, .. } => method == Method::Event.word(),
            Payload::Answer { id, .. } => !self.awaited.iter().any(|awaited| awaited.id == *id),
        };
        if shared && self.held(topic).is_some_and(|held| !held.controls()) {
            self.world.outputs.push(Output::Store { key: [HEARD, topic].concat(), value: message.into() });
        }
    }
}
