//! Accepts pairings, and receives the proposals of dapps on them.

use super::super::message::{Method, write_failure};
use super::super::pairing::LIFETIME;
use super::super::post::OnAccepted;
use super::super::receive::{Address, Source};
use super::super::records::{Pairing, participant, present};
use super::super::world::{UNREACHABLE, error};
use super::super::{Client, Event, Given, Proposal, RpcError};
use super::{LEEWAY, PROPOSAL, PendingProposal, Wallet};
use crate::namespaces::{ProposalNamespaces, check_proposal};
use crate::uri::PairingUri;
use portico_json::{Read, Value, to_text};

/// Relay tag of the refusal of a proposal that is not shown to the visitor.
const PROPOSE_UNFIT: u32 = 1121;

/// Milliseconds that a proposal is held back for the sign-in that the URI announced.
const COMPANY: u64 = 5000;

impl Client {
    pub(in crate::client) fn pair(&mut self, uri: &str) -> Given {
        let uri = PairingUri::parse(uri).map_err(|fault| error(5, fault.text()))?;
        let now = self.world.seconds();
        if uri.expiry.is_some_and(|expiry| expiry.saturating_add(LEEWAY) <= now) {
            return Err(error(6, "The pairing has expired"));
        }
        if !self.links.iter().any(|link| link.configured) {
            return Err(error(UNREACHABLE, "No relay is configured"));
        }
        let known = self.pairings.iter().any(|pairing| pairing.topic == uri.topic);
        if known {
            // Scanned twice: report its proposal again.
            let asked = self
                .wallet
                .proposals
                .iter()
                .find(|asked| asked.due.is_none() && asked.proposal.pairing_topic == uri.topic);
            if let Some(proposal) = asked.map(|asked| asked.proposal.clone()) {
                self.world.emit(Event::Proposed { proposal });
            }
        } else {
            let expiry = uri.expiry.unwrap_or(0).clamp(now + LEEWAY, now + LIFETIME + LEEWAY);
            let authenticates = uri.methods.iter().any(|method| method == Method::Authenticate.word());
            let (topic, sym_key) = (uri.topic.clone(), uri.sym_key.to_hex());
            self.keep_pairing(Pairing { topic, sym_key, expiry, offer: None, authenticates });
        }
        Ok(Some(Value::Object(vec![("topic".into(), uri.topic.into())])))
    }

    /// Wallet: handles a proposal.
    pub(in crate::client) fn proposed(&mut self, topic: &str, source: &Source, id: u64, params: &Value) {
        let Some(pairing) = self.pairings.iter().find(|pairing| pairing.topic == topic && pairing.offer.is_none())
        else {
            return;
        };
        let relay = &source.relay;
        let (expiry, authenticates) = (pairing.expiry, pairing.authenticates);
        let read = |name: &str| Option::<ProposalNamespaces>::read(params.get(name));
        let (Some(proposer), Ok(required), Ok(optional)) =
            (participant(params.get("proposer")), read("requiredNamespaces"), read("optionalNamespaces"))
        else {
            return self.unfit(topic, relay, id, 5, "The proposal is malformed");
        };
        let (required, optional) = (required.unwrap_or_default(), optional.unwrap_or_default());
        if let Err(fault) = check_proposal(&required).and(check_proposal(&optional)) {
            return self.unfit(topic, relay, id, fault.code(), fault.text());
        }
        // A pairing and an id have one proposal each: a second must not replace the one that the visitor reads.
        if self.wallet.proposals.iter().any(|asked| asked.proposal.pairing_topic == topic || asked.proposal.id == id) {
            return;
        }
        let verification = source.verify(&[&proposer.metadata.url]);
        let proposal = Proposal {
            id,
            pairing_topic: topic.into(),
            proposer,
            required_namespaces: required,
            optional_namespaces: optional,
            session_properties: present(params.get("sessionProperties")),
            scoped_properties: present(params.get("scopedProperties")),
            expiry_timestamp: self.lasting(params, expiry),
            verification,
        };
        let due = authenticates.then(|| self.world.now + COMPANY);
        let asked = PendingProposal { proposal, relay_url: relay.clone(), due };
        self.world.store(PROPOSAL, &to_text(&id), &asked);
        if asked.due.is_none() {
            self.world.emit(Event::Proposed { proposal: asked.proposal.clone() });
        }
        self.wallet.proposals.push(asked);
    }

    /// Time until which the wallet may answer, in seconds since 1970: the dapp's expiry, but at least [`LEEWAY`] from now since clocks
    /// differ, and at most the pairing's.
    pub(in crate::client) fn lasting(&self, params: &Value, pairing: u64) -> u64 {
        let told = params.get("expiryTimestamp").as_u64().unwrap_or(pairing);
        told.max(self.world.seconds() + LEEWAY).min(pairing)
    }

    /// Wallet: refuses a proposal that cannot be shown to a visitor.
    fn unfit(&mut self, topic: &str, relay: &str, id: u64, code: i64, message: &str) {
        let Some(to) = self.pairing_address(topic, relay) else { return };
        let stamp = self.stamp(PROPOSE_UNFIT, LIFETIME);
        self.say(&to, &write_failure(id, &error(code, message)), stamp, OnAccepted::Nothing);
    }

    /// Removes a pairing with its proposal and its sign-in, since a pairing is for one answer.
    pub(in crate::client) fn forget_offer(&mut self, topic: &str) {
        self.drop_pairing(topic);
        self.forget_asked(topic);
    }

    /// Removes the proposal and the sign-in of a pairing. Returns whether there was one.
    pub(in crate::client) fn forget_asked(&mut self, topic: &str) -> bool {
        let Wallet { proposals, authentications, .. } = &mut self.wallet;
        let before = authentications.len();
        authentications.retain(|asked| asked.request.pairing_topic != topic);
        let mut asked = authentications.len() < before;
        while let Some(index) = proposals.iter().position(|asked| asked.proposal.pairing_topic == topic) {
            let id = proposals.remove(index).proposal.id;
            self.world.remove(PROPOSAL, &to_text(&id));
            asked = true;
        }
        asked
    }

    /// Proposal that the wallet answers, and the address of its pairing.
    pub(in crate::client) fn proposal(&self, id: u64) -> Result<(PendingProposal, Address), RpcError> {
        let asked = self.wallet.proposals.iter().find(|asked| asked.proposal.id == id);
        let asked = asked.ok_or_else(|| error(6, "The proposal has expired"))?.clone();
        let to = self.pairing_address(&asked.proposal.pairing_topic, &asked.relay_url);
        Ok((asked, to.ok_or_else(|| error(6, "The pairing has expired"))?))
    }
}
