//! Life of a session on both sides: update, extend, events, ping, delete.

use super::message::{Method, to_wire, write_failure, write_request};
use super::post::OnAccepted;
use super::proposal::WEEK;
use super::receive::{Address, PublishOptions, Source};
use super::records::{HEARD, SESSION, SessionRecord};
use super::world::error;
use super::{Client, Event, Given, RpcError};
use crate::namespaces::{SessionNamespaces, allows_event, check_session};
use portico_json::{Read, Value};

/// Seconds by which a peer's clock may differ from ours.
const LEEWAY: u64 = 600;

impl Client {
    pub(super) fn session_address(&self, topic: &str) -> Result<Address, RpcError> {
        let held = self.known(topic)?;
        let key = held.key().ok_or_else(|| error(2, "The session has no key"))?;
        Ok(Address { topic: topic.into(), key, relay: Some(held.session.relay_url.clone()) })
    }

    pub(super) fn emit_updated(&mut self, topic: &str) {
        if let Some(session) = self.held(topic).map(|held| held.session.clone()) {
            self.world.emit(Event::Updated { session });
        }
    }

    /// Ends a session here at once; the peer learns of it when the relay delivers the message.
    pub(super) fn delete_session(&mut self, topic: &str, code: i64, message: Option<String>) -> Given {
        let to = self.session_address(topic)?;
        let reason = error(code, message.as_deref().unwrap_or("User disconnected."));
        let id = self.world.id();
        let ttl = Method::Delete.ttl();
        let stamp = PublishOptions { until: self.world.now + ttl * 1000, ..self.stamp(Method::Delete.tag(), ttl) };
        self.say(&to, &write_request(id, Method::Delete, &to_wire(&reason)), stamp, OnAccepted::Nothing);
        self.forget_session(topic, &reason);
        Ok(Some(Value::Null))
    }

    /// Removes a session with its pending requests. Returns false if it did not exist.
    pub(super) fn forget_session(&mut self, topic: &str, reason: &RpcError) -> bool {
        let before = self.sessions.len();
        self.sessions.retain(|held| held.session.topic != topic);
        if self.sessions.len() == before {
            return false;
        }
        self.world.remove(SESSION, topic);
        self.world.remove(HEARD, topic);
        // The user of the wallet must not see requests of a dapp that has left.
        for link in &mut self.links {
            link.forget(topic, Some(Method::Request.tag()));
        }
        #[cfg(feature = "wallet")]
        self.forget_requests(topic);
        while let Some(index) = self.awaited.iter().position(|awaited| awaited.topic == topic) {
            let ticket = self.awaited.remove(index).ticket;
            self.world.refuse(ticket, reason.clone());
        }
        true
    }

    pub(super) fn emit_deleted(&mut self, topic: &str, reason: RpcError) {
        self.world.emit(Event::Deleted { topic: topic.into(), code: reason.code, message: reason.message });
    }

    /// Changes a session and stores it.
    pub(super) fn change_session(&mut self, topic: &str, change: impl FnOnce(&mut SessionRecord)) {
        if let Some(held) = self.sessions.iter_mut().find(|held| held.session.topic == topic) {
            change(held);
            self.world.store(SESSION, topic, held);
        }
    }

    /// Handles a request of the peer on a session.
    #[cfg_attr(not(feature = "wallet"), expect(unused_variables, reason = "only wallets receive requests"))]
    pub(super) fn session_asked(
        &mut self,
        topic: &str,
        source: &Source,
        id: u64,
        method: Option<Method>,
        params: &Value,
    ) {
        let Ok(to) = self.session_address(topic) else { return };
        let Some(method) = method else {
            let payload = write_failure(id, &error(10001, "Method not supported"));
            let stamp = self.stamp(0, Method::Delete.ttl());
            return self.say(&to, &payload, stamp, OnAccepted::Nothing);
        };
        let answer = match method {
            Method::Ping => Ok(()),
            Method::Update => self.updated(topic, id, params),
            Method::Extend => self.extended(topic, params),
            Method::Event => self.emitted(topic, id, params),
            Method::Delete => return self.deleted(&to, id, params),
            #[cfg(feature = "wallet")]
            Method::Request => return self.requested(&to, source, id, params),
            // A dapp receives no requests: this one is the echo of another tab's, or forged.
            #[cfg(not(feature = "wallet"))]
            Method::Request => return,
            // A session is settled once: a second settlement changes nothing. The same one is confirmed again, since another tab may have
            // received it first.
            Method::Settle if self.held(topic).is_some_and(|held| !held.controls() && held.settlement == Some(id)) => {
                Ok(())
            }
            Method::Settle => Err(error(7000, "The session is settled")),
            _ => Err(error(10001, "Method not supported")),
        };
        match answer {
            Ok(()) => self.reply(&to, method, id, "true"),
            Err(fault) => self.fail(&to, method, id, fault.code, &fault.message),
        }
    }

    fn updated(&mut self, topic: &str, id: u64, params: &Value) -> Result<(), RpcError> {
        let held = self.known(topic)?;
        if held.controls() {
            return Err(error(3003, "Only the wallet may update"));
        }
        let namespaces =
            SessionNamespaces::read(params.get("namespaces")).map_err(|_| error(1003, "The update is malformed"))?;
        check_session(&namespaces, &held.session.required_namespaces)
            .map_err(|fault| error(fault.code(), fault.text()))?;
        // An earlier update that arrives late is answered and changes nothing.
        if id > held.updated {
            self.change_session(topic, |held| {
                held.updated = id;
                held.session.namespaces = namespaces;
            });
            self.emit_updated(topic);
        }
        Ok(())
    }

    fn extended(&mut self, topic: &str, params: &Value) -> Result<(), RpcError> {
        let held = self.known(topic)?;
        if held.controls() {
            return Err(error(3004, "Only the wallet may extend"));
        }
        // Some wallets send no expiry and mean seven days.
        let longest = self.world.seconds() + WEEK;
        let expiry = params.get("expiry").as_u64().unwrap_or(longest);
        if expiry > longest + LEEWAY || expiry < held.session.expiry.saturating_sub(LEEWAY) {
            return Err(error(1004, "The extension is out of bounds"));
        }
        self.change_session(topic, |held| held.session.expiry = held.session.expiry.max(expiry.min(longest)));
        let session = self.known(topic)?.session.clone();
        self.world.emit(Event::Extended { session });
        Ok(())
    }

    fn emitted(&mut self, topic: &str, id: u64, params: &Value) -> Result<(), RpcError> {
        let held = self.known(topic)?;
        let (chain, event) = (params.get("chainId").as_str(), params.get("event"));
        let (Some(chain), Some(name)) = (chain, event.get("name").as_str()) else {
            return Err(error(1002, "The event is malformed"));
        };
        if held.controls() || !allows_event(&held.session.namespaces, chain, name) {
            return Err(error(3002, "The session doesn't have this event"));
        }
        if self.is_fresh(topic, id) {
            let (topic, chain_id, name) = (topic.into(), chain.into(), name.into());
            self.world.emit(Event::Emitted { topic, chain_id, name, data: event.get("data").clone() });
        }
        Ok(())
    }

    fn deleted(&mut self, to: &Address, id: u64, params: &Value) {
        self.reply(to, Method::Delete, id, "true");
        let code = params.get("code").as_i64().unwrap_or(6000);
        let reason = error(code, params.get("message").as_str().unwrap_or("Disconnected"));
        self.forget_session(&to.topic, &reason);
        self.emit_deleted(&to.topic, reason);
    }

    /// Handles a response of the peer on a session.
    pub(super) fn session_answered(&mut self, topic: &str, id: u64, outcome: Result<Value, RpcError>) {
        #[cfg(feature = "wallet")]
        if self.held(topic).is_some_and(|held| held.settlement == Some(id) && !held.session.acknowledged) {
            return match outcome {
                Ok(_) => self.acknowledged(topic),
                Err(reason) => {
                    self.forget_session(topic, &reason);
                    self.emit_deleted(topic, reason);
                }
            };
        }
        #[cfg(feature = "wallet")]
        if self.wallet.changes.iter().any(|change| change.id == id && change.before.topic == topic) {
            return self.change_answered(id, outcome.is_err());
        }
        self.request_answered(topic, id, outcome);
    }
}
