//! Sign-in requests of dapps, on the wallet's side.

use super::super::authenticate::{LIFETIME, SessionBase, fitting, signed_in};
use super::super::message::{Fields, Method, to_wire, without_nulls, write_failure, write_result};
use super::super::pairing::LIFETIME as PAIRING_LIFETIME;
use super::super::post::OnAccepted;
use super::super::proposal::WEEK;
use super::super::receive::{Address, Source};
use super::super::records::{SessionRecord, participant};
use super::super::world::error;
use super::super::{AuthPayload, AuthenticateRequest, Client, Event, Given, Input, RpcError, Verification};
use super::{AskedAuthentication, value_of};
use crate::cacao;
use crate::crypto::{KeyPair, SymKey, seal_from, topic_of};
use crate::encoding::hex;
use crate::namespaces::is_chain;
use portico_json::{Read, Value, to_text};

/// Relay tags of refusals: by the visitor, and of malformed requests that the visitor never sees.
const AUTHENTICATE_REJECTED: u32 = 1118;
const AUTHENTICATE_UNFIT: u32 = 1119;

impl Client {
    /// Wallet: handles a sign-in request of a dapp.
    pub(in super::super) fn authenticate_asked(&mut self, topic: &str, source: &Source, id: u64, params: &Value) {
        let Some(pairing) = self.pairings.iter().find(|pairing| pairing.topic == topic && pairing.offer.is_none())
        else {
            return;
        };
        let expiry = pairing.expiry;
        let (Some(requester), Some(auth_payload)) =
            (participant(params.get("requester")), asked_payload(params.get("authPayload")))
        else {
            let Some(to) = self.pairing_address(topic, &source.relay) else { return };
            let stamp = self.stamp(AUTHENTICATE_UNFIT, PAIRING_LIFETIME);
            let payload = write_failure(id, &error(11002, "The request is malformed"));
            return self.say(&to, &payload, stamp, OnAccepted::Nothing);
        };
        if self
            .wallet
            .authentications
            .iter()
            .any(|asked| asked.request.pairing_topic == topic || asked.request.id == id)
        {
            return;
        }
        let expiry_timestamp = self.lasting(params, expiry);
        // The text that the visitor signs names `domain` and `aud`; pages on plain http exist on a developer's machine.
        let domain = |scheme: &str| [scheme, "://", &auth_payload.domain].concat();
        let verification = match source.verify(&[&requester.metadata.url, &auth_payload.aud]) {
            Verification::Verified { origin } if ![domain("https"), domain("http")].contains(&origin) => {
                Verification::Mismatch { origin }
            }
            verification => verification,
        };
        let request = AuthenticateRequest {
            id,
            pairing_topic: topic.into(),
            requester,
            auth_payload,
            expiry_timestamp,
            verification,
        };
        let relay_url = source.relay.clone();
        self.wallet.authentications.push(AskedAuthentication { request: request.clone(), relay_url });
        self.world.emit(Event::AuthenticateAsked { request });
    }

    fn authentication(&self, id: u64) -> Result<&AskedAuthentication, RpcError> {
        let asked = self.wallet.authentications.iter().find(|asked| asked.request.id == id);
        asked.ok_or_else(|| error(11005, "The request has expired"))
    }

    /// Wallet: returns the text that an account has to sign.
    pub(in super::super) fn authenticate_message(&mut self, command: Input) -> Given {
        let Input::AuthenticateMessage { id, issuer, chains, methods, .. } = command else { return Ok(None) };
        let mut payload = self.authentication(id)?.request.auth_payload.clone();
        if chains.is_some() || methods.is_some() {
            let offered =
                |list: &Option<Vec<String>>, one: &String| list.as_ref().is_none_or(|list| list.contains(one));
            cacao::cut_down(&mut payload, &issuer, |chain| offered(&chains, chain), |method| offered(&methods, method));
        }
        let message = cacao::message(&payload, &issuer).ok_or_else(|| error(11006, "The issuer is malformed"))?;
        let claims = without_nulls(value_of(&cacao::payload_for(&payload, &issuer)));
        Ok(Some(Value::Object(vec![("message".into(), message.into()), ("payload".into(), claims)])))
    }

    /// Wallet: responds with signatures and settles the session that they authorise.
    pub(in super::super) fn approve_authenticate(&mut self, ticket: u32, id: u64, cacaos: Vec<Value>) -> Given {
        let asked = self.authentication(id)?;
        let (request, relay) = (asked.request.clone(), asked.relay_url.clone());
        let now = self.world.seconds();
        let signed = fitting(&cacaos, &request.auth_payload);
        let signed = signed.ok_or_else(|| error(11001, "The signatures don't match the request"))?;
        let pair = self.world.random.key_pair();
        let (key, own) = self.agree(&pair, &request.requester)?;
        let session = signed_in(
            &signed,
            SessionBase {
                own: own.clone(),
                peer: request.requester.clone(),
                controller: own.public_key.clone(),
                pairing_topic: request.pairing_topic.clone(),
                relay_url: relay.clone(),
                topic: key.topic(),
                expiry: now + WEEK,
            },
        );
        let result = Fields::new()
            .raw("cacaos", &to_text(&cacaos))
            .raw(
                "responder",
                &Fields::new().text("publicKey", &own.public_key).raw("metadata", &to_wire(&own.metadata)).end(),
            )
            .end();
        let after = match &session {
            Some(session) => OnAccepted::Settled(session.topic.clone(), ticket),
            None => OnAccepted::Answer(ticket, Value::Null),
        };
        let tag = Method::Authenticate.tag() + 1;
        self.answer_requester(&request, &relay, &pair, &key, &write_result(id, &result), (tag, after))?;
        if let Some(mut session) = session {
            // Acknowledged once the relay has accepted the response.
            session.acknowledged = false;
            self.keep_session(SessionRecord::new(session, key.to_hex(), None));
        }
        self.forget_offer(&request.pairing_topic);
        Ok(None)
    }

    /// Wallet: refuses a sign-in. With code 10001 the plain proposal of the same pairing replaces it.
    pub(in super::super) fn reject_authenticate(
        &mut self,
        ticket: u32,
        id: u64,
        code: i64,
        message: Option<String>,
    ) -> Given {
        let asked = self.authentication(id)?;
        let (request, relay) = (asked.request.clone(), asked.relay_url.clone());
        let pair = self.world.random.key_pair();
        let (key, _) = self.agree(&pair, &request.requester)?;
        let payload = write_failure(id, &error(code, message.as_deref().unwrap_or("User rejected.")));
        let after = OnAccepted::Answer(ticket, Value::Null);
        self.answer_requester(&request, &relay, &pair, &key, &payload, (AUTHENTICATE_REJECTED, after))?;
        if code != 10001 {
            self.forget_offer(&request.pairing_topic);
            return Ok(None);
        }
        self.wallet.authentications.retain(|asked| asked.request.id != id);
        let topic = &request.pairing_topic;
        if let Some(pairing) = self.pairings.iter_mut().find(|pairing| pairing.topic == *topic) {
            pairing.authenticates = false;
        }
        if let Some(event) = self.wallet.show(topic) {
            self.world.emit(event);
        }
        Ok(None)
    }

    /// Responds in a type 1 envelope, because the dapp does not know our key yet.
    fn answer_requester(
        &mut self,
        request: &AuthenticateRequest,
        relay: &str,
        pair: &KeyPair,
        key: &SymKey,
        payload: &str,
        (tag, after): (u32, OnAccepted),
    ) -> Result<(), RpcError> {
        let public =
            hex::decode32(&request.requester.public_key).ok_or_else(|| error(5, "The peer's key is malformed"))?;
        let to = Address { topic: topic_of(&public), key: key.clone(), relay: Some(relay.into()) };
        let message = seal_from(pair.public(), payload, key, self.world.random.iv());
        let stamp = self.stamp(tag, LIFETIME);
        self.publish(&to, message, stamp, after);
        Ok(())
    }
}

/// Payload to sign, unless one of its texts has control characters: a line break could forge another field of the message.
fn asked_payload(value: &Value) -> Option<AuthPayload> {
    let payload = AuthPayload::read(value).ok().filter(|_| in_lines(value))?;
    (!payload.chains.is_empty() && payload.chains.iter().all(|chain| is_chain(chain))).then_some(payload)
}

fn in_lines(value: &Value) -> bool {
    match value {
        Value::Text(text) => !text.contains(char::is_control),
        Value::List(items) => items.iter().all(in_lines),
        Value::Object(fields) => fields.iter().all(|(_, value)| in_lines(value)),
        _ => true,
    }
}
