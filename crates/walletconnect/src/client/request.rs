//! Requests of a dapp to a wallet on a session, and the wallet's responses.

use super::message::{Fields, Method, write_request};
use super::post::OnAccepted;
use super::receive::PublishOptions;
use super::world::error;
use super::{Client, Given, Input, RpcError};
use crate::namespaces::{allows_chain, allows_method};
use portico_json::{Value, to_text};

/// Bounds of a request's lifetime, in seconds (`clients/sign/rpc-methods.md`).
pub(super) const SHORTEST: u64 = 300;
pub(super) const LONGEST: u64 = 604_800;

/// Timeout of a ping, in milliseconds.
const PING: u64 = 30_000;

/// Pending request of ours. Not stored, because after a reload no caller waits for the response.
pub(super) struct Awaited {
    pub id: u64,
    pub topic: String,
    pub ticket: u32,
    /// Time at which it expires, in epoch milliseconds.
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
            return Err(error(3005, "The session doesn't have this chain"));
        }
        if !allows_method(namespaces, &chain_id, &method) {
            return Err(error(3001, "The session doesn't have this method"));
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
        // Given up no earlier than the request expires: the phone or this page may be offline for a while.
        let stamp = PublishOptions { tag: Method::Request.tag(), ttl: lifetime, prompt: true, until };
        self.say(&to, &payload, stamp, OnAccepted::Awaited(id));
        self.awaited.push(Awaited { id, topic, ticket, until });
        Ok(None)
    }

    pub(super) fn ping(&mut self, ticket: u32, topic: &str) -> Given {
        let to = self.session_address(topic)?;
        let id = self.world.id();
        let stamp = self.stamp(Method::Ping.tag(), Method::Ping.ttl());
        self.say(&to, &write_request(id, Method::Ping, "{}"), stamp, OnAccepted::Awaited(id));
        self.awaited.push(Awaited { id, topic: topic.into(), ticket, until: self.world.now + PING });
        Ok(None)
    }

    /// Dapp: handles the wallet's response. One with an unknown id or on another topic is dropped.
    pub(super) fn request_answered(&mut self, topic: &str, id: u64, outcome: Result<Value, RpcError>) {
        let position = self.awaited.iter().position(|awaited| awaited.id == id && awaited.topic == topic);
        let Some(index) = position else { return };
        let ticket = self.awaited.remove(index).ticket;
        match outcome {
            Ok(value) => self.world.answer(ticket, value),
            Err(refusal) => self.world.refuse(ticket, refusal),
        }
    }

    /// Records the id of a request or an event on a session and returns whether it is new.
    pub(super) fn is_fresh(&mut self, topic: &str, id: u64) -> bool {
        let mut fresh = false;
        self.change_session(topic, |held| fresh = held.fresh(id));
        fresh
    }
}
