//! Response of the wallet to a proposal.

use super::super::message::{Fields, Method, to_wire, write_failure, write_result};
use super::super::post::OnAccepted;
use super::super::proposal::WEEK;
use super::super::receive::Address;
use super::super::records::SessionRecord;
use super::super::world::error;
use super::super::{Client, Given, Input, Participant, RpcError, Session, SessionConfig};
use super::value_of;
use crate::crypto::{KeyPair, SymKey};
use crate::encoding::hex;
use crate::namespaces::check_session;
use portico_json::Value;

const RELAY: &str = "{\"protocol\":\"irn\"}";

/// Relay tag of a refusal by the visitor.
const PROPOSE_REJECTED: u32 = 1120;

impl Client {
    /// Wallet: approves a proposal and settles the session. The command is answered once the relay has accepted the settlement.
    pub(in crate::client) fn approve(&mut self, command: Input) -> Given {
        let Input::Approve { ticket, proposal, namespaces, session_properties, scoped_properties, disable_deep_link } =
            command
        else {
            return Ok(None);
        };
        let (asked, pairing) = self.proposal(proposal)?;
        let asked = (asked.proposal, asked.relay_url);
        check_session(&namespaces, &asked.0.required_namespaces).map_err(|fault| error(fault.code(), fault.text()))?;
        let pair = self.world.random.key_pair();
        let (key, own) = self.agree(&pair, &asked.0.proposer)?;
        let to = Address { topic: key.topic(), key, relay: Some(asked.1.clone()) };
        let session = Session {
            topic: to.topic.clone(),
            pairing_topic: pairing.topic.clone(),
            relay_url: asked.1,
            expiry: self.world.seconds() + WEEK,
            acknowledged: false,
            controller: own.public_key.clone(),
            namespaces,
            required_namespaces: asked.0.required_namespaces,
            optional_namespaces: asked.0.optional_namespaces,
            session_properties,
            scoped_properties,
            session_config: disable_deep_link.map(|_| SessionConfig { disable_deep_link }),
            own,
            peer: asked.0.proposer,
        };
        let id = self.ask(&to, Method::Settle, &settlement(&session), OnAccepted::Settled(to.topic.clone(), ticket));
        let answer = Fields::new().raw("relay", RELAY).text("responderPublicKey", &session.own.public_key).end();
        let payload = write_result(proposal, &answer);
        let stamp = self.stamp(Method::Propose.tag() + 1, Method::Propose.ttl());
        self.say(&pairing, &payload, stamp, OnAccepted::Nothing);
        self.keep_session(SessionRecord::new(session, to.key.to_hex(), Some(id)));
        self.forget_offer(&pairing.topic);
        Ok(None)
    }

    /// Completes an approval after the relay accepted the message that makes the session, or after it was given up.
    pub(super) fn settlement_said(&mut self, topic: &str, ticket: u32, failure: Option<RpcError>) {
        let taken = failure.is_none();
        // The dapp does not confirm the response to a sign-in.
        if taken && self.held(topic).is_some_and(|held| held.settlement.is_none()) {
            self.acknowledged(topic);
        }
        let ended = failure.unwrap_or_else(|| error(7000, "The session ended before it was settled"));
        match self.held(topic) {
            // A dapp that sends on the topic knows the session, whatever the relay answered.
            Some(held) if taken || held.session.acknowledged => {
                let session = value_of(&held.session);
                self.world.answer(ticket, session);
            }
            _ => {
                self.drop_session(topic);
                self.world.refuse(ticket, ended);
            }
        }
    }

    /// Session key agreed with a peer, and this side as a participant.
    pub(in crate::client) fn agree(
        &self,
        pair: &KeyPair,
        peer: &Participant,
    ) -> Result<(SymKey, Participant), RpcError> {
        let key = hex::decode32(&peer.public_key).and_then(|public| pair.agree(&public));
        let key = key.ok_or_else(|| error(5, "The peer's key is malformed"))?;
        Ok((key, Participant { public_key: hex::encode(pair.public()), metadata: self.metadata.clone() }))
    }

    /// Wallet: rejects a proposal.
    pub(in crate::client) fn reject(
        &mut self,
        ticket: u32,
        proposal: u64,
        code: i64,
        message: Option<String>,
    ) -> Given {
        let (_, pairing) = self.proposal(proposal)?;
        let message = message.unwrap_or_else(|| "User rejected.".into());
        let payload = write_failure(proposal, &error(code, &message));
        let stamp = self.stamp(PROPOSE_REJECTED, Method::Propose.ttl());
        self.say(&pairing, &payload, stamp, OnAccepted::Answer(ticket, Value::Null));
        self.forget_offer(&pairing.topic);
        Ok(None)
    }
}

fn settlement(session: &Session) -> String {
    let config = session.session_config.as_ref().map(value_of);
    Fields::new()
        .raw("relay", RELAY)
        .raw("controller", &to_wire(&session.own))
        .raw("namespaces", &to_wire(&session.namespaces))
        .number("expiry", session.expiry)
        .maybe("sessionProperties", &session.session_properties)
        .maybe("scopedProperties", &session.scoped_properties)
        .maybe("sessionConfig", &config)
        .end()
}
