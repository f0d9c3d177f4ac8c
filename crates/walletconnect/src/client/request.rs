//! What a dapp asks of a wallet on a session, and the wallet's answer.

use super::message::{Fields, Method, write_request};
use super::post::After;
use super::receive::Stamp;
use super::world::error;
use super::{Client, Given, Input, RpcError};
use crate::namespaces::{allows_chain, allows_method};
use portico_json::{Value, to_text};

/// Seconds a request may live (`clients/sign/rpc-methods.md`).
pub(super) const SHORTEST: u64 = 300;
pub(super) const LONGEST: u64 = 604_800;

/// Milliseconds that a ping waits.
const PING: u64 = 30_000;

/// A request of ours whose answer is awaited. It belongs to this page: a reloaded one has nobody to give the answer to.
pub(super) struct Awaited {
    pub id: u64,
    pub topic: String,
    pub ticket: u32,
    /// Epoch milliseconds.
    pub until: u64,
}

impl Client {
    pub(super) fn request(&mut self, command: Input) -> Given {
        let Input::Request { ticket, topic, chain_id, method, params, expiry_seconds } = command else {
            return Ok(None);
        };
        let to = self.session_address(&topic)?;
        let namespaces = &self.known(&topic)?.session.namespaces;
        if !allows_chain(namespaces, &chain_id) {
            return Err(error(3005, "The session does not have this chain"));
        }
        if !allows_method(namespaces, &chain_id, &method) {
            return Err(error(3001, "The session does not have this method"));
        }
        let lifetime = expiry_seconds.unwrap_or(SHORTEST);
        if !(SHORTEST..=LONGEST).contains(&lifetime) {
            return Err(error(8000, "The expiry is out of bounds"));
        }
        let asked = Fields::new()
            .text("method", &method)
            .raw("params", &to_text(&params))
            .number("expiryTimestamp", self.world.seconds() + lifetime)
            .end();
        let params = Fields::new().raw("request", &asked).text("chainId", &chain_id).end();
        let id = self.world.id();
        let until = self.world.now + lifetime * 1000;
        let payload = write_request(id, Method::Request, &params);
        // Waits for the relay as long as for the wallet: the phone may be offline, or we.
        let stamp = Stamp { tag: Method::Request.tag(), ttl: lifetime, prompt: true, until };
        self.say(&to, &payload, stamp, After::Awaited(id));
        self.awaited.push(Awaited { id, topic, ticket, until });
        Ok(None)
    }

    pub(super) fn ping(&mut self, ticket: u32, topic: &str) -> Given {
        let to = self.session_address(topic)?;
        let id = self.world.id();
        let stamp = self.stamp(Method::Ping.tag(), Method::Ping.ttl());
        self.say(&to, &write_request(id, Method::Ping, "{}"), stamp, After::Awaited(id));
        self.awaited.push(Awaited { id, topic: topic.into(), ticket, until: self.world.now + PING });
        Ok(None)
    }

    /// Dapp: the wallet answered. An answer under an id that nobody awaits, or on another topic, is dropped.
    pub(super) fn request_answered(&mut self, topic: &str, id: u64, outcome: Result<Value, RpcError>) {
        let position = self.awaited.iter().position(|awaited| awaited.id == id && awaited.topic == topic);
        let Some(index) = position else { return };
        let ticket = self.awaited.remove(index).ticket;
        match outcome {
            Ok(value) => self.world.answer(ticket, value),
            Err(refusal) => self.world.refuse(ticket, refusal),
        }
    }

    /// Whether a request or an event of a session was not heard before.
    pub(super) fn is_fresh(&mut self, topic: &str, id: u64) -> bool {
        let mut fresh = false;
        self.change_session(topic, |held| fresh = held.fresh(id));
        fresh
    }
}
