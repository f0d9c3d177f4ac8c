//! Messages on a session that only the wallet may send: update, extend, events.

use super::super::message::{Fields, Method, to_wire, write_request};
use super::super::post::OnAccepted;
use super::super::proposal::WEEK;
use super::super::receive::Address;
use super::super::world::error;
use super::super::{Client, Event, Given, RpcError, Session};
use crate::namespaces::{SessionNamespaces, allows_event, check_session};
use portico_json::{Value, to_text};

/// Change of a session by the wallet: id of its request, and the session before it.
pub(in crate::client) struct Change {
    pub id: u64,
    pub before: Session,
}

impl Client {
    /// Address of a session if this side is the wallet: only it decides the namespaces and the lifetime.
    fn controlled(&self, topic: &str, code: i64) -> Result<Address, RpcError> {
        if !self.known(topic)?.controls() {
            return Err(error(code, "Only the wallet may do this"));
        }
        self.session_address(topic)
    }

    pub(in crate::client) fn update_session(
        &mut self,
        ticket: u32,
        topic: &str,
        namespaces: SessionNamespaces,
    ) -> Given {
        let to = self.controlled(topic, 3003)?;
        check_session(&namespaces, &self.known(topic)?.session.required_namespaces)
            .map_err(|fault| error(fault.code(), fault.text()))?;
        let params = Fields::new().raw("namespaces", &to_wire(&namespaces)).end();
        self.ask_change(ticket, &to, (Method::Update, &params), |session| session.namespaces = namespaces)
    }

    pub(in crate::client) fn extend_session(&mut self, ticket: u32, topic: &str) -> Given {
        let to = self.controlled(topic, 3004)?;
        let expiry = self.world.seconds() + WEEK;
        let params = Fields::new().number("expiry", expiry).end();
        self.ask_change(ticket, &to, (Method::Extend, &params), |session| session.expiry = expiry)
    }

    /// A change applies at once, since the dapp may rely on it before the relay has answered. It is undone if the relay does not accept it
    /// or the dapp refuses it.
    fn ask_change(
        &mut self,
        ticket: u32,
        to: &Address,
        (method, params): (Method, &str),
        change: impl FnOnce(&mut Session),
    ) -> Given {
        let before = self.known(&to.topic)?.session.clone();
        self.change_session(&to.topic, |held| change(&mut held.session));
        self.emit_updated(&to.topic);
        let id = self.world.id();
        // Only the last change can be undone, back to the state before it.
        self.wallet.changes.retain(|change| change.before.topic != to.topic);
        self.wallet.changes.push(Change { id, before });
        let stamp = self.stamp(method.tag(), method.ttl());
        self.say(to, &write_request(id, method, params), stamp, OnAccepted::Changed(ticket, id));
        Ok(None)
    }

    /// Removes a pending change that the dapp confirmed. Undoes it if the dapp or the relay refused it.
    pub(in crate::client) fn change_answered(&mut self, id: u64, refused: bool) {
        let Some(index) = self.wallet.changes.iter().position(|change| change.id == id) else { return };
        let before = self.wallet.changes.remove(index).before;
        if refused {
            let topic = before.topic.clone();
            self.change_session(&topic, |held| {
                held.session.namespaces = before.namespaces;
                held.session.expiry = before.expiry;
            });
            self.emit_updated(&topic);
        }
    }

    pub(in crate::client) fn emit(&mut self, ticket: u32, topic: &str, chain: &str, name: &str, data: &Value) -> Given {
        let to = self.controlled(topic, 3002)?;
        if !allows_event(&self.known(topic)?.session.namespaces, chain, name) {
            return Err(error(3002, "The session doesn't have this event"));
        }
        let event = Fields::new().text("name", name).raw("data", &to_text(data)).end();
        let params = Fields::new().raw("event", &event).text("chainId", chain).end();
        self.ask(&to, Method::Event, &params, OnAccepted::Answer(ticket, Value::Null));
        Ok(None)
    }

    /// Marks a session as known to the dapp, which has confirmed the settlement or sent a message on the topic.
    pub(in crate::client) fn acknowledged(&mut self, topic: &str) {
        if self.held(topic).is_none_or(|held| held.session.acknowledged) {
            return;
        }
        self.change_session(topic, |held| {
            held.session.acknowledged = true;
            held.settlement = None;
        });
        if let Some(session) = self.held(topic).map(|held| held.session.clone()) {
            let pairing_topic = session.pairing_topic.clone();
            self.world.emit(Event::Settled { session, pairing_topic });
        }
    }
}
