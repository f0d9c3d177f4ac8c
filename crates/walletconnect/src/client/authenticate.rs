//! Sign-in together with the pairing (`clients/sign/wallet-authentication.md`). The response has its own topic, is encrypted for the dapp's
//! key and may carry a session.

use super::message::{Fields, Method, to_wire, without_nulls, write_failure, write_request, write_result};
use super::pairing::ProposalContent;
use super::post::OnAccepted;
use super::proposal::WEEK;
use super::receive::{Address, PublishOptions, Source};
use super::records::{Authentication, SessionRecord, participant};
use super::timestamp::iso_time;
use super::wallet::{AskedAuthentication, value_of};
use super::world::error;
use super::{
    AuthPayload, AuthenticateRequest, Client, Event, Given, Input, Participant, RpcError, Session, Verification,
};
use crate::cacao::{self, Cacao};
use crate::crypto::{PublicKey, SymKey, seal_from, topic_of};
use crate::encoding::hex;
use crate::namespaces::{ProposalNamespace, ProposalNamespaces, check_session, is_chain, namespace_of};
use crate::recap::Recap;
use portico_json::{Map, Read, Value, to_text};

/// Lifetime of a sign-in message on the relay, in seconds.
const LIFETIME: u64 = 3600;

/// Relay tags of refusals: by the visitor, and of malformed requests that the visitor never sees.
const AUTHENTICATE_REJECTED: u32 = 1118;
const AUTHENTICATE_UNFIT: u32 = 1119;

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

    /// Wallet: handles a sign-in request of a dapp.
    pub(super) fn authenticate_asked(&mut self, topic: &str, source: &Source, id: u64, params: &Value) {
        let Some(pairing) = self.pairings.iter().find(|pairing| pairing.topic == topic && pairing.offer.is_none())
        else {
            return;
        };
        let expiry = pairing.expiry;
        let (Some(requester), Some(auth_payload)) =
            (participant(params.get("requester")), asked_payload(params.get("authPayload")))
        else {
            let Some(to) = self.pairing_address(topic, &source.relay) else { return };
            let stamp = self.stamp(AUTHENTICATE_UNFIT, super::pairing::LIFETIME);
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
    pub(super) fn authenticate_message(&mut self, command: Input) -> Given {
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
    pub(super) fn approve_authenticate(&mut self, ticket: u32, id: u64, cacaos: Vec<Value>) -> Given {
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
            self.keep_session(SessionRecord {
                session,
                sym_key: key.to_hex(),
                settlement: None,
                updated: 0,
                heard: Vec::new(),
            });
        }
        self.forget_offer(&request.pairing_topic);
        Ok(None)
    }

    /// Wallet: refuses a sign-in. With code 10001 the plain proposal of the same pairing replaces it.
    pub(super) fn reject_authenticate(&mut self, ticket: u32, id: u64, code: i64, message: Option<String>) -> Given {
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
        pair: &crate::crypto::KeyPair,
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
            self.keep_session(SessionRecord {
                session,
                sym_key: key.to_hex(),
                settlement: None,
                updated: 0,
                heard: Vec::new(),
            });
        }
        self.drop_pairing(pairing_topic);
        self.world.emit(Event::Authenticated { pairing_topic: pairing_topic.into(), cacaos, session });
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
struct SessionBase {
    own: Participant,
    peer: Participant,
    controller: String,
    pairing_topic: String,
    relay_url: String,
    topic: String,
    expiry: u64,
}

/// Parsed signatures; `None` if there are none or one does not match the request. Does not verify that the account made them.
fn fitting(cacaos: &[Value], asked: &AuthPayload) -> Option<Vec<Cacao>> {
    let signed = cacaos.iter().map(|cacao| Cacao::read(cacao).ok().filter(|cacao| cacao.check(asked).is_ok()));
    signed.collect::<Option<Vec<_>>>().filter(|signed| !signed.is_empty())
}

/// Session that the signatures authorise, if any.
fn signed_in(cacaos: &[Cacao], side: SessionBase) -> Option<Session> {
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
