//! From the response to a proposal to the settled session, on the dapp's side.

use super::message::Method;
use super::receive::Address;
use super::records::{Agreed, Pairing, SESSION, SessionRecord, participant, present};
use super::world::error;
use super::{Client, Event, Participant, RpcError, Session};
use crate::crypto::{KeyPair, SymKey};
use crate::encoding::hex;
use crate::namespaces::{SessionNamespaces, check_session};
use portico_json::{Read, Value};

/// Lifetime of a session, and the period by which it is extended, in seconds.
pub(super) const WEEK: u64 = 604_800;

impl Client {
    /// Dapp: handles the wallet's response on the pairing, to the proposal or to the sign-in sent with it.
    pub(super) fn pairing_answered(&mut self, topic: &str, relay: &str, id: u64, outcome: Result<Value, RpcError>) {
        let Some(pairing) = self.pairings.iter().find(|pairing| pairing.topic == topic) else { return };
        let Some(offer) = &pairing.offer else { return };
        #[cfg(feature = "sign-in")]
        if offer.authentication.as_ref().is_some_and(|asked| asked.id == id) {
            return self.authentication_refused(topic, outcome);
        }
        // A second response changes nothing: the first wallet wins.
        if offer.id != id || offer.agreed.is_some() {
            return;
        }
        match outcome {
            Err(refusal) => self.refused(topic, refusal),
            Ok(result) => {
                let responder = result.get("responderPublicKey").as_str().and_then(hex::decode32);
                let key = responder.and_then(|responder| Some((responder, offer.pair()?.agree(&responder)?)));
                match key {
                    Some((responder, key)) => {
                        let mut pairing: Pairing = pairing.clone();
                        pairing.expiry = self.world.seconds() + super::pairing::LIFETIME;
                        if let Some(offer) = &mut pairing.offer {
                            offer.agreed = Some(Agreed {
                                topic: key.topic(),
                                sym_key: key.to_hex(),
                                relay_url: relay.into(),
                                responder: hex::encode(&responder),
                            });
                        }
                        self.keep_pairing(pairing);
                    }
                    None => self.refused(topic, error(7000, "The wallet's answer is malformed")),
                }
            }
        }
    }

    /// Dapp: drops a pairing and reports that it was rejected.
    pub(super) fn refused(&mut self, pairing_topic: &str, refusal: RpcError) {
        self.drop_pairing(pairing_topic);
        let (pairing_topic, code) = (pairing_topic.into(), refusal.code);
        self.world.emit(Event::Rejected { pairing_topic, code, message: refusal.message });
    }

    /// Dapp: handles the settlement. It must allow all that is required and come from the wallet that responded.
    pub(super) fn settled(&mut self, pairing_topic: &str, id: u64, params: &Value) {
        let Some(pairing) = self.pairings.iter().find(|pairing| pairing.topic == pairing_topic) else { return };
        let Some((agreed, pair)) =
            pairing.offer.as_ref().and_then(|offer| Some((offer.agreed.clone()?, offer.pair()?)))
        else {
            return;
        };
        let Some(key) = SymKey::from_hex(&agreed.sym_key) else { return };
        let to = Address { topic: agreed.topic.clone(), key, relay: Some(agreed.relay_url.clone()) };
        match self.settlement_of(pairing, &agreed, &pair, params) {
            Ok(session) => {
                let told = Event::Settled { session: session.clone(), pairing_topic: pairing_topic.into() };
                self.keep_session(SessionRecord::new(session, agreed.sym_key, Some(id)));
                self.drop_pairing(pairing_topic);
                self.reply(&to, Method::Settle, id, "true");
                self.world.emit(told);
            }
            Err(fault) => {
                self.fail(&to, Method::Settle, id, 7000, &fault.message);
                self.refused(pairing_topic, error(7000, &fault.message));
            }
        }
    }

    fn settlement_of(
        &self,
        pairing: &Pairing,
        agreed: &Agreed,
        pair: &KeyPair,
        params: &Value,
    ) -> Result<Session, RpcError> {
        let malformed = || error(7000, "The settlement is malformed");
        let offer = pairing.offer.as_ref().ok_or_else(malformed)?;
        let peer = participant(params.get("controller")).ok_or_else(malformed)?;
        if peer.public_key != agreed.responder {
            return Err(error(7000, "The settlement isn't from the wallet that answered"));
        }
        let namespaces = SessionNamespaces::read(params.get("namespaces")).map_err(|_| malformed())?;
        check_session(&namespaces, &offer.required).map_err(|fault| error(fault.code(), fault.text()))?;
        let now = self.world.seconds();
        let expiry = params.get("expiry").as_u64().filter(|expiry| *expiry > now).ok_or_else(malformed)?;
        Ok(Session {
            topic: agreed.topic.clone(),
            pairing_topic: pairing.topic.clone(),
            relay_url: agreed.relay_url.clone(),
            expiry: expiry.min(now + WEEK),
            acknowledged: true,
            controller: peer.public_key.clone(),
            namespaces,
            required_namespaces: offer.required.clone(),
            optional_namespaces: offer.optional.clone(),
            session_properties: present(params.get("sessionProperties")),
            scoped_properties: present(params.get("scopedProperties")),
            session_config: Option::read(params.get("sessionConfig")).unwrap_or_default(),
            own: Participant { public_key: hex::encode(pair.public()), metadata: self.metadata.clone() },
            peer,
        })
    }

    pub(super) fn keep_session(&mut self, held: SessionRecord) {
        self.world.store(SESSION, &held.session.topic, &held);
        self.sessions.retain(|known| known.session.topic != held.session.topic);
        self.sessions.push(held);
    }
}
