//! Wallet side of the sign client (feature `wallet`). Pages that act only as a dapp do not load it.

mod authenticate;
mod pairing;
mod proposal;
mod request;
mod session;

use super::message::{Method, write_request};
use super::post::OnAccepted;
use super::receive::{Address, PublishOptions};
use super::records::read;
use super::types::{AuthenticateRequest, Proposal, SessionRequest};
use super::world::error;
use super::{Client, Event, Given, Input, RpcError};
use portico_json::{Json, Value, Write, parse, to_text};
use session::Change;

const PROPOSAL: &str = "wc/proposal/";
const REQUEST: &str = "wc/request/";

/// Seconds by which a dapp's clock may differ: a pairing or a request counts as expired only this long after its end.
const LEEWAY: u64 = 120;

/// A proposal that the wallet has not answered.
#[derive(Clone, Json)]
pub(super) struct PendingProposal {
    pub proposal: Proposal,
    /// Relay on which it arrived.
    pub relay_url: String,
    /// Time at which the app receives the proposal, in epoch milliseconds, unless a sign-in of the same dapp arrives first; `None` once
    /// reported.
    pub due: Option<u64>,
}

/// An authentication request that the wallet has not answered.
pub(super) struct AskedAuthentication {
    pub request: AuthenticateRequest,
    pub relay_url: String,
}

/// Pending proposals, authentications, requests and changes of a wallet.
#[derive(Default)]
pub(super) struct Wallet {
    pub proposals: Vec<PendingProposal>,
    pub authentications: Vec<AskedAuthentication>,
    pub requests: Vec<SessionRequest>,
    /// Changes of sessions that the dapps have not confirmed.
    pub changes: Vec<Change>,
}

impl Wallet {
    /// Reads a stored record if it is a proposal or a request.
    pub fn read(&mut self, key: &str, text: &str) {
        if key.starts_with(PROPOSAL) {
            self.proposals.extend(read::<PendingProposal>(text));
        } else if key.starts_with(REQUEST) {
            self.requests.extend(read::<SessionRequest>(text));
        }
    }

    /// Proposals that were reported to the app.
    pub fn proposals(&self) -> Vec<Proposal> {
        self.proposals.iter().filter(|asked| asked.due.is_none()).map(|asked| asked.proposal.clone()).collect()
    }

    /// Times at which something expires, in seconds since 1970.
    pub fn expiries(&self) -> impl Iterator<Item = u64> {
        (self.proposals.iter().map(|asked| asked.proposal.expiry_timestamp))
            .chain(self.authentications.iter().map(|asked| asked.request.expiry_timestamp))
            .chain(self.requests.iter().map(|request| request.expiry_timestamp))
    }

    /// Times at which proposals are reported to the app if no sign-in replaces them, in epoch milliseconds.
    pub fn dues(&self) -> impl Iterator<Item = u64> {
        self.proposals.iter().filter_map(|asked| self.due(asked))
    }

    fn due(&self, asked: &PendingProposal) -> Option<u64> {
        let topic = &asked.proposal.pairing_topic;
        asked.due.filter(|_| !self.authentications.iter().any(|asked| asked.request.pairing_topic == *topic))
    }

    /// Event for a proposal that was held back for a sign-in which did not arrive or which the wallet does not support.
    pub fn show(&mut self, pairing_topic: &str) -> Option<Event> {
        let asked = self.proposals.iter_mut().find(|asked| asked.proposal.pairing_topic == pairing_topic)?;
        asked.due.take().map(|_| Event::Proposed { proposal: asked.proposal.clone() })
    }

    /// Pairing topic of a proposal or a sign-in that has expired.
    fn over(&self, now: u64) -> Option<String> {
        let proposals = self.proposals.iter().map(|asked| &asked.proposal);
        let proposals = proposals.map(|proposal| (proposal.expiry_timestamp, &proposal.pairing_topic));
        let sign_ins = self.authentications.iter().map(|asked| &asked.request);
        let mut all = proposals.chain(sign_ins.map(|request| (request.expiry_timestamp, &request.pairing_topic)));
        all.find(|(expiry, _)| *expiry <= now).map(|(_, topic)| topic.clone())
    }
}

/// A value as parsed JSON, for answers.
pub(super) fn value_of<T: Write + ?Sized>(value: &T) -> Value {
    parse(&to_text(value)).unwrap_or_default()
}

/// Storage name of a request. Dapps choose the ids, so those of two sessions may be equal.
fn request_name(request: &SessionRequest) -> String {
    [&request.topic, "/", &to_text(&request.id)].concat()
}

impl Client {
    /// Runs a command of a wallet or of a sign-in. Returns its ticket and result; `None` for an input that is not such a command.
    pub(super) fn wallet_command(&mut self, command: Input) -> Option<(u32, Given)> {
        Some(match command {
            Input::Pair { ticket, uri } => (ticket, self.pair(&uri)),
            command @ Input::Approve { ticket, .. } => (ticket, self.approve(command)),
            Input::Reject { ticket, proposal, code, message } => {
                (ticket, self.reject(ticket, proposal, code.unwrap_or(5000), message))
            }
            Input::Respond { ticket, topic, id, result, error } => {
                (ticket, self.respond(ticket, &topic, id, result, error))
            }
            Input::Update { ticket, topic, namespaces } => (ticket, self.update_session(ticket, &topic, namespaces)),
            Input::Extend { ticket, topic } => (ticket, self.extend_session(ticket, &topic)),
            Input::Emit { ticket, topic, chain_id, name, data } => {
                (ticket, self.emit(ticket, &topic, &chain_id, &name, &data))
            }
            command @ Input::AuthenticateMessage { ticket, .. } => (ticket, self.authenticate_message(command)),
            Input::ApproveAuthenticate { ticket, id, cacaos } => {
                (ticket, self.approve_authenticate(ticket, id, cacaos))
            }
            Input::RejectAuthenticate { ticket, id, code, message } => {
                (ticket, self.reject_authenticate(ticket, id, code.unwrap_or(12001), message))
            }
            _ => return None,
        })
    }

    /// Completes a command after the relay accepted its message or the message was given up.
    pub(super) fn wallet_heard(&mut self, after: OnAccepted, failure: Option<RpcError>) {
        let (ticket, value) = match (after, &failure) {
            (OnAccepted::Answer(ticket, value), _) => (ticket, value),
            (OnAccepted::Settled(topic, ticket), _) => return self.settlement_said(&topic, ticket, failure),
            (OnAccepted::Responded(ticket, request), Some(_)) => {
                // The visitor may respond again, as long as the dapp still waits.
                if request.expiry_timestamp > self.world.seconds() && self.held(&request.topic).is_some() {
                    self.keep_request((*request).clone());
                    self.world.emit(Event::Requested { request: *request });
                }
                (ticket, Value::Null)
            }
            (OnAccepted::Changed(ticket, id), Some(_)) => {
                self.change_answered(id, true);
                (ticket, Value::Null)
            }
            (OnAccepted::Responded(ticket, _) | OnAccepted::Changed(ticket, ..), None) => (ticket, Value::Null),
            (OnAccepted::Nothing | OnAccepted::Awaited(_), _) => return,
        };
        match failure {
            None => self.world.answer(ticket, value),
            Some(failure) => self.world.refuse(ticket, failure),
        }
    }

    /// Removes expired proposals and requests. `tell` is false while the page is loading: no events then.
    pub(super) fn expire_asked(&mut self, tell: bool) {
        let now = self.world.seconds();
        while let Some(pairing_topic) = self.wallet.over(now) {
            self.forget_offer(&pairing_topic);
            if tell {
                self.world.emit(Event::ProposalExpired { pairing_topic });
            }
        }
        let now_ms = self.world.now;
        let is_due = |wallet: &Wallet, asked: &&PendingProposal| wallet.due(asked).is_some_and(|due| due <= now_ms);
        while let Some(asked) = self.wallet.proposals.iter().find(|asked| is_due(&self.wallet, asked)) {
            let topic = asked.proposal.pairing_topic.clone();
            if let Some(event) = self.wallet.show(&topic).filter(|_| tell) {
                self.world.emit(event);
            }
        }
        let wallet = &mut self.wallet;
        while let Some(index) = wallet.requests.iter().position(|request| request.expiry_timestamp <= now) {
            let request = wallet.requests.remove(index);
            self.world.remove(REQUEST, &request_name(&request));
            if tell {
                self.world.emit(Event::RequestExpired { topic: request.topic, id: request.id });
            }
        }
    }

    /// Handles a pairing that the dapp ended while its proposal or sign-in was pending.
    pub(super) fn withdrawn(&mut self, pairing_topic: &str) {
        if self.forget_asked(pairing_topic) {
            self.world.emit(Event::ProposalExpired { pairing_topic: pairing_topic.into() });
        }
    }

    /// Drops the pending requests and changes of a session that has ended.
    pub(super) fn forget_requests(&mut self, topic: &str) {
        self.wallet.changes.retain(|change| change.before.topic != topic);
        let requests = &mut self.wallet.requests;
        while let Some(index) = requests.iter().position(|request| request.topic == topic) {
            let request = requests.remove(index);
            self.world.remove(REQUEST, &request_name(&request));
        }
    }

    /// Handles a record that another tab of this wallet changed: a new or answered request, or an answered proposal.
    pub(super) fn wallet_stored(&mut self, key: &str, value: Option<&str>) {
        if let Some(name) = key.strip_prefix(REQUEST) {
            let known = self.wallet.requests.iter().position(|request| request_name(request) == name);
            match (known, value.and_then(read::<SessionRequest>)) {
                (Some(index), None) if value.is_none() => {
                    let request = self.wallet.requests.remove(index);
                    self.world.emit(Event::RequestExpired { topic: request.topic, id: request.id });
                }
                (None, Some(request)) if request_name(&request) == name && self.held(&request.topic).is_some() => {
                    self.wallet.requests.push(request.clone());
                    self.world.emit(Event::Requested { request });
                }
                _ => {}
            }
        } else if let (Some(id), None) = (key.strip_prefix(PROPOSAL), value)
            && let Some(index) = self.wallet.proposals.iter().position(|asked| to_text(&asked.proposal.id) == id)
        {
            let pairing_topic = self.wallet.proposals.remove(index).proposal.pairing_topic;
            self.pairings.retain(|pairing| pairing.topic != pairing_topic);
            self.world.emit(Event::ProposalExpired { pairing_topic });
        }
    }

    /// Sends a request to the peer and returns its id.
    fn ask(&mut self, to: &Address, method: Method, params: &str, after: OnAccepted) -> u64 {
        let id = self.world.id();
        let stamp = PublishOptions { prompt: method.prompt(), ..self.stamp(method.tag(), method.ttl()) };
        self.say(to, &write_request(id, method, params), stamp, after);
        id
    }

    fn drop_session(&mut self, topic: &str) {
        self.forget_session(topic, &error(7001, "No session for this topic"));
    }
}
