//! Requests of dapps, and the wallet's responses.

use super::super::message::{Method, write_failure, write_result};
use super::super::post::OnAccepted;
use super::super::receive::{Address, PublishOptions, Source};
use super::super::request::{LONGEST, SHORTEST};
use super::super::world::error;
use super::super::{Client, Event, Given, RpcError, SessionRequest};
use super::{LEEWAY, REQUEST, request_name};
use crate::namespaces::{allows_chain, allows_method};
use portico_json::{Value, to_text};

/// Maximum number of unanswered requests per session.
const QUEUE: usize = 100;

impl Client {
    /// Wallet: handles a request of a dapp.
    pub(in crate::client) fn requested(&mut self, to: &Address, source: &Source, id: u64, params: &Value) {
        // A dapp receives no requests: this one is the echo of another tab's, or forged.
        if self.held(&to.topic).is_some_and(|held| !held.controls()) {
            return;
        }
        match self.request_of(&to.topic, source, id, params) {
            Ok(request) => {
                self.acknowledged(&to.topic);
                if self.is_fresh(&to.topic, id) {
                    self.keep_request(request.clone());
                    self.world.emit(Event::Requested { request });
                }
            }
            Err(fault) => self.fail(to, Method::Request, id, fault.code, &fault.message),
        }
    }

    fn request_of(&self, topic: &str, source: &Source, id: u64, params: &Value) -> Result<SessionRequest, RpcError> {
        let session = &self.known(topic)?.session;
        let asked = params.get("request");
        let (Some(chain), Some(method)) = (params.get("chainId").as_str(), asked.get("method").as_str()) else {
            return Err(error(1001, "The request is malformed"));
        };
        if !allows_chain(&session.namespaces, chain) {
            return Err(error(3005, "The session doesn't have this chain"));
        }
        if !allows_method(&session.namespaces, chain, method) {
            return Err(error(3001, "The session doesn't have this method"));
        }
        let now = self.world.seconds();
        let expiry_timestamp = asked.get("expiryTimestamp").as_u64().unwrap_or(now + SHORTEST).min(now + LONGEST);
        if expiry_timestamp + LEEWAY <= now {
            return Err(error(8000, "The request has expired"));
        }
        if self.wallet.requests.iter().filter(|known| known.topic == topic).count() >= QUEUE {
            return Err(error(-32005, "Too many requests wait for an answer"));
        }
        Ok(SessionRequest {
            topic: topic.into(),
            id,
            chain_id: chain.into(),
            method: method.into(),
            params: asked.get("params").clone(),
            expiry_timestamp: expiry_timestamp.max(now + LEEWAY),
            peer: session.peer.clone(),
            verification: source.verify(&[&session.peer.metadata.url]),
        })
    }

    /// Wallet: responds to a request. The command is answered once the relay has accepted the response.
    pub(in crate::client) fn respond(
        &mut self,
        ticket: u32,
        topic: &str,
        id: u64,
        result: Option<Value>,
        refusal: Option<RpcError>,
    ) -> Given {
        let to = self.session_address(topic)?;
        let position = self.wallet.requests.iter().position(|request| request.id == id && request.topic == topic);
        let request = self.wallet.requests.remove(position.ok_or_else(|| error(8000, "The request has expired"))?);
        self.world.remove(REQUEST, &request_name(&request));
        let payload = match refusal {
            Some(refusal) => write_failure(id, &refusal),
            None => write_result(id, &to_text(&result.unwrap_or_default())),
        };
        // Retried as long as the dapp waits, since the wallet may be offline.
        let until = request.expiry_timestamp * 1000;
        let stamp = PublishOptions { until, ..self.stamp(Method::Request.tag() + 1, Method::Request.ttl()) };
        self.say(&to, &payload, stamp, OnAccepted::Responded(ticket, Box::new(request)));
        Ok(None)
    }

    pub(in crate::client) fn keep_request(&mut self, request: SessionRequest) {
        self.world.store(REQUEST, &request_name(&request), &request);
        self.wallet.requests.push(request);
    }
}
