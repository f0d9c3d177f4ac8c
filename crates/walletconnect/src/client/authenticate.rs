//! Sign-in together with the pairing (`clients/sign/wallet-authentication.md`), on the dapp's side. The response has its own topic, is
//! encrypted for the dapp's key and may carry a session.

use super::message::{Fields, Method, to_wire, write_request};
use super::pairing::ProposalContent;
use super::post::OnAccepted;
use super::proposal::WEEK;
use super::receive::{Address, PublishOptions};
use super::records::{Authentication, SessionRecord, participant};
use super::timestamp::iso_time;
use super::world::error;
use super::{AuthPayload, Client, Event, Given, Input, Participant, RpcError, Session};
use crate::cacao::{self, Cacao};
use crate::crypto::{PublicKey, SymKey, topic_of};
use crate::encoding::hex;
use crate::namespaces::{ProposalNamespace, ProposalNamespaces, check_session, is_chain, namespace_of};
use crate::recap::Recap;
use portico_json::{Map, Read, Value};

/// Lifetime of a sign-in message on the relay, in seconds.
pub(super) const LIFETIME: u64 = 3600;

const EVENTS: [&str; 2] = ["chainChanged", "accountsChanged"];

impl Client {
    /// Dapp: offers a pairing with a sign-in, and a plain proposal with the same key for wallets without sign-in.
    pub(super) fn authenticate(&mut self, command: Input) -> Given {
        let Input::Authenticate {
            chains,
            domain,
            aud,
            nonce,
            statement,
            methods,
            resources,
            exp,
            nbf,
            request_id,
            optional_namespaces,
            ..
        } = command
        else {
            return Ok(None);
        };
        let namespace = chains.first().map_or("", |chain| namespace_of(chain)).to_owned();
        if chains.is_empty() || !chains.iter().all(|chain| is_chain(chain) && namespace_of(chain) == namespace) {
            return Err(error(5100, "The chains must be of one namespace"));
        }
        let methods = methods.unwrap_or_default();
        let mut resources = resources.unwrap_or_default();
        if !methods.is_empty() {
            resources.push(Recap::new(&namespace, &methods, &chains).resource());
        }
        let payload = AuthPayload {
            chains: chains.clone(),
            domain,
            aud,
            nonce,
            version: "1".into(),
            iat: iso_time(self.world.seconds()),
            kind: Some("caip122".into()),
            statement,
            exp,
            nbf,
            request_id,
            resources: Some(resources).filter(|resources| !resources.is_empty()),
        };
        let optional = optional_namespaces.unwrap_or_else(|| plain(namespace, chains, methods));
        let wishes =
            ProposalContent { required: Map::default(), optional, session_properties: None, scoped_properties: None };
        let (mut pairing, uri) = self.offer(&wishes, vec![Method::Authenticate.word().into()])?;
        if let Some(offer) = &mut pairing.offer
            && let Some(pair) = offer.pair()
            && let Some(key) = SymKey::from_hex(&pairing.sym_key)
        {
            let to = Address { topic: pairing.topic.clone(), key, relay: None };
            let id = self.world.id();
            let params = Fields::new()
                .raw("authPayload", &to_wire(&payload))
                .raw("requester", &self.self_json(&pair))
                .number("expiryTimestamp", pairing.expiry)
                .end();
            let message = write_request(id, Method::Authenticate, &params);
            let (tag, until) = (Method::Authenticate.tag(), pairing.expiry * 1000);
            self.say(&to, &message, PublishOptions { tag, ttl: LIFETIME, prompt: true, until }, OnAccepted::Nothing);
            offer.authentication = Some(Authentication { id, payload, topic: topic_of(pair.public()) });
        }
        let given = self.offered(&pairing, &uri);
        self.keep_pairing(pairing);
        Ok(Some(given))
    }

    /// Dapp: handles a response to the sign-in on the pairing topic, where only a refusal is valid.
    pub(super) fn authentication_refused(&mut self, pairing: &str, outcome: Result<Value, RpcError>) {
        // 10001: the wallet does not support sign-in and responds to the proposal sent with it.
        if let Err(refusal) = outcome
            && refusal.code != 10001
        {
            self.refused(pairing, refusal);
        }
    }

    /// Dapp: handles a wallet's response to the sign-in, encrypted with the newly agreed key.
    pub(super) fn authenticated(
        &mut self,
        pairing_topic: &str,
        relay: &str,
        id: u64,
        outcome: Result<Value, RpcError>,
        sender: &PublicKey,
        key: &SymKey,
    ) {
        let Some(pairing) = self.pairings.iter().find(|pairing| pairing.topic == pairing_topic) else { return };
        let Some(offer) = &pairing.offer else { return };
        let (Some(asked), Some(pair)) = (&offer.authentication, offer.pair()) else { return };
        // The first valid response wins, whether to the sign-in or to the proposal.
        if asked.id != id || offer.agreed.is_some() {
            return;
        }
        let result = match outcome {
            Ok(result) => result,
            refusal => return self.authentication_refused(pairing_topic, refusal),
        };
        let cacaos = result.get("cacaos").as_list().unwrap_or_default().to_vec();
        let now = self.world.seconds();
        let responder = participant(result.get("responder")).filter(|told| told.public_key == hex::encode(sender));
        let (Some(peer), Some(signed)) = (responder, fitting(&cacaos, &asked.payload)) else {
            return self.refused(pairing_topic, error(11001, "The wallet's answer doesn't match the request"));
        };
        let messages = signed.iter().filter_map(|cacao| cacao.message(&asked.payload)).collect();
        let session = signed_in(
            &signed,
            SessionBase {
                own: Participant { public_key: hex::encode(pair.public()), metadata: self.metadata.clone() },
                controller: peer.public_key.clone(),
                peer,
                pairing_topic: pairing_topic.into(),
                relay_url: relay.into(),
                topic: key.topic(),
                expiry: now + WEEK,
            },
        );
        if let Some(session) = session.clone() {
            self.keep_session(SessionRecord::new(session, key.to_hex(), None));
        }
        self.drop_pairing(pairing_topic);
        self.world.emit(Event::Authenticated { pairing_topic: pairing_topic.into(), cacaos, messages, session });
    }
}

/// Namespaces of the proposal for wallets without sign-in.
fn plain(namespace: String, chains: Vec<String>, mut methods: Vec<String>) -> ProposalNamespaces {
    if !methods.iter().any(|method| method == "personal_sign") {
        methods.push("personal_sign".into());
    }
    let mut optional = Map::default();
    let events = EVENTS.map(String::from).to_vec();
    optional.insert(namespace, ProposalNamespace { chains: Some(chains), methods, events });
    optional
}

/// Fields of a session that do not come from the signatures.
pub(super) struct SessionBase {
    pub own: Participant,
    pub peer: Participant,
    pub controller: String,
    pub pairing_topic: String,
    pub relay_url: String,
    pub topic: String,
    pub expiry: u64,
}

/// Parsed signatures; `None` if there are none or one does not match the request. Does not verify that the account made them.
pub(super) fn fitting(cacaos: &[Value], asked: &AuthPayload) -> Option<Vec<Cacao>> {
    let signed = cacaos.iter().map(|cacao| Cacao::read(cacao).ok().filter(|cacao| cacao.check(asked).is_ok()));
    signed.collect::<Option<Vec<_>>>().filter(|signed| !signed.is_empty())
}

/// Session that the signatures authorise, if any.
pub(super) fn signed_in(cacaos: &[Cacao], side: SessionBase) -> Option<Session> {
    let namespaces = cacao::namespaces(cacaos);
    check_session(&namespaces, &Map::default()).ok()?;
    // Like other clients, do not create a session from a signature without a ReCap.
    if namespaces.iter().all(|(_, allowed)| allowed.methods.is_empty()) {
        return None;
    }
    Some(Session {
        topic: side.topic,
        pairing_topic: side.pairing_topic,
        relay_url: side.relay_url,
        expiry: side.expiry,
        acknowledged: true,
        controller: side.controller,
        namespaces,
        own: side.own,
        peer: side.peer,
        ..Session::default()
    })
}
