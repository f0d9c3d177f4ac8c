//! Offers and cancels pairings, and answers requests on them other than proposals and sign-ins.

use super::message::{Fields, Method, to_wire, write_failure, write_request};
use super::post::OnAccepted;
use super::receive::{Address, PublishOptions};
use super::records::{Offer, PAIRING, Pairing};
use super::world::{UNREACHABLE, error};
use super::{Client, Event, Given, Input, RpcError};
use crate::crypto::{KeyPair, SymKey};
use crate::encoding::hex;
use crate::namespaces::{ProposalNamespaces, check_proposal};
use crate::uri::PairingUri;
use portico_json::{Value, to_text};

/// Lifetime of an unanswered pairing, in seconds.
pub(super) const LIFETIME: u64 = 300;

/// Content of a proposal.
pub(super) struct ProposalContent {
    pub required: ProposalNamespaces,
    pub optional: ProposalNamespaces,
    pub session_properties: Option<Value>,
    pub scoped_properties: Option<Value>,
}

impl Client {
    pub(super) fn propose(&mut self, command: Input) -> Given {
        let Input::Propose { required_namespaces, optional_namespaces, session_properties, scoped_properties, .. } =
            command
        else {
            return Ok(None);
        };
        let wishes = ProposalContent {
            required: required_namespaces.unwrap_or_default(),
            optional: optional_namespaces.unwrap_or_default(),
            session_properties,
            scoped_properties,
        };
        let (pairing, uri) = self.offer(&wishes, Vec::new())?;
        let given = self.offered(&pairing, &uri);
        self.keep_pairing(pairing);
        Ok(Some(given))
    }

    /// Creates a pairing with a proposal and publishes the proposal on all relays. The caller stores the pairing.
    pub(super) fn offer(
        &mut self,
        wishes: &ProposalContent,
        methods: Vec<String>,
    ) -> Result<(Pairing, PairingUri), RpcError> {
        for namespaces in [&wishes.required, &wishes.optional] {
            check_proposal(namespaces).map_err(|fault| error(fault.code(), fault.text()))?;
        }
        if !self.links.iter().any(|link| link.configured) {
            return Err(error(UNREACHABLE, "No relay is configured"));
        }
        let sym_key = SymKey::new(self.world.random.bytes());
        let pair = self.world.random.key_pair();
        let expiry = self.world.seconds() + LIFETIME;
        let to = Address { topic: sym_key.topic(), key: sym_key.clone(), relay: None };
        let id = self.world.id();
        let params = self.proposal_params(&pair, wishes, expiry, &to.topic);
        let payload = write_request(id, Method::Propose, &params);
        let stamp = PublishOptions { tag: Method::Propose.tag(), ttl: LIFETIME, prompt: true, until: expiry * 1000 };
        self.say(&to, &payload, stamp, OnAccepted::Nothing);
        let offer = Offer {
            id,
            secret: hex::encode(pair.secret()),
            required: wishes.required.clone(),
            optional: wishes.optional.clone(),
            #[cfg(feature = "sign-in")]
            authentication: None,
            agreed: None,
        };
        let pairing = Pairing {
            topic: to.topic.clone(),
            sym_key: sym_key.to_hex(),
            expiry,
            offer: Some(offer),
            authenticates: false,
        };
        let uri = PairingUri {
            topic: to.topic,
            sym_key,
            relay_protocol: "irn".into(),
            relay_data: None,
            methods,
            expiry: Some(expiry),
        };
        Ok((pairing, uri))
    }

    fn proposal_params(&self, pair: &KeyPair, wishes: &ProposalContent, expiry: u64, topic: &str) -> String {
        Fields::new()
            .raw("requiredNamespaces", &to_wire(&wishes.required))
            .raw("optionalNamespaces", &to_wire(&wishes.optional))
            .raw("relays", "[{\"protocol\":\"irn\"}]")
            .text("pairingTopic", topic)
            .raw("proposer", &self.self_json(pair))
            .number("expiryTimestamp", expiry)
            .maybe("sessionProperties", &wishes.session_properties)
            .maybe("scopedProperties", &wishes.scoped_properties)
            .end()
    }

    /// JSON of this side: public key and metadata.
    pub(super) fn self_json(&self, pair: &KeyPair) -> String {
        let key = hex::encode(pair.public());
        Fields::new().text("publicKey", &key).raw("metadata", &to_wire(&self.metadata)).end()
    }

    /// Answer to the command that offered a pairing.
    pub(super) fn offered(&self, pairing: &Pairing, uri: &PairingUri) -> Value {
        let number = |number: u64| Value::Number(to_text(&number));
        Value::Object(vec![
            ("uri".into(), uri.to_text().into()),
            ("topic".into(), pairing.topic.clone().into()),
            ("expiryTimestamp".into(), number(pairing.expiry)),
        ])
    }

    pub(super) fn keep_pairing(&mut self, pairing: Pairing) {
        self.world.store(PAIRING, &pairing.topic, &pairing);
        self.pairings.retain(|known| known.topic != pairing.topic);
        self.pairings.push(pairing);
    }

    pub(super) fn drop_pairing(&mut self, topic: &str) {
        if self.pairings.iter().any(|pairing| pairing.topic == topic) {
            self.pairings.retain(|pairing| pairing.topic != topic);
            self.world.remove(PAIRING, topic);
        }
    }

    pub(super) fn cancel_pairing(&mut self, topic: &str) -> Given {
        self.drop_pairing(topic);
        for link in &mut self.links {
            link.forget(topic, None);
        }
        Ok(Some(Value::Null))
    }

    /// Address of a pairing on one relay.
    pub(super) fn pairing_address(&self, topic: &str, relay: &str) -> Option<Address> {
        let pairing = self.pairings.iter().find(|pairing| pairing.topic == topic)?;
        Some(Address { topic: topic.into(), key: pairing.key()?, relay: Some(relay.into()) })
    }

    /// Answers requests on a pairing, except proposals and sign-ins.
    pub(super) fn pairing_asked(&mut self, topic: &str, relay: &str, id: u64, method: Option<Method>) {
        let Some(to) = self.pairing_address(topic, relay) else { return };
        match method {
            Some(method @ (Method::PairingPing | Method::PairingExtend)) => self.reply(&to, method, id, "true"),
            Some(method @ Method::PairingDelete) => {
                self.reply(&to, method, id, "true");
                self.end_pairing(topic);
            }
            // The side that offers a pairing sends these itself, and ignores them from a peer.
            Some(Method::Propose | Method::Authenticate) => {}
            _ => {
                let payload = write_failure(id, &error(10001, "Method not supported"));
                let stamp = self.stamp(0, 86_400);
                self.say(&to, &payload, stamp, OnAccepted::Nothing);
            }
        }
    }

    /// Ends a pairing that the peer deleted. One whose settlement is still expected stays.
    fn end_pairing(&mut self, topic: &str) {
        let Some(pairing) = self.pairings.iter().find(|pairing| pairing.topic == topic) else { return };
        let offered = pairing.offer.as_ref();
        if offered.is_some_and(|offer| offer.agreed.is_some()) {
            return;
        }
        let rejected = offered.is_some();
        self.drop_pairing(topic);
        #[cfg(feature = "wallet")]
        self.withdrawn(topic);
        if rejected {
            let message = "The wallet ended the pairing".into();
            self.world.emit(Event::Rejected { pairing_topic: topic.into(), code: 6000, message });
        }
    }
}
