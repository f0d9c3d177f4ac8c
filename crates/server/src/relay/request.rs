//! What a client says: a request of one of the relay's methods, or the answer to a message it was told.

use super::fault::Fault;
use super::id::{MessageId, Topic};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// So many things are asked for at once.
const BATCH: usize = 500;

/// Ids are made of the time; what is shorter was not made by a client of this protocol.
const LEAST_ID: u128 = 1_000_000_000;

/// Tag and time to live of the messages that `wc_proposeSession` and `wc_approveSession` stand for, in seconds.
const PROPOSAL: u32 = 1100;
const RESPONSE: u32 = 1101;
const SETTLEMENT: u32 = 1102;
const SESSION_TTL: u64 = 300;

/// What was heard.
#[derive(Debug)]
pub(super) enum Heard<'t> {
    /// A request, with its id as it came: 19 digits are more than a double holds, so it stays a text.
    Request(&'t RawValue, RelayCall),
    /// The client has the message that it was told under this id.
    Acknowledged(u64),
    /// It has not, or answers what nobody asked.
    Nothing,
}

/// What cannot be done, and the id it is told under.
#[derive(Debug)]
pub(super) struct Refused {
    /// `0` where none can be read.
    pub(super) id: String,
    pub(super) fault: Fault,
}

/// One method with its parameters.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum RelayCall {
    Publish(Vec<Publication>),
    /// One id is answered where one topic was asked for.
    Subscribe {
        topics: Vec<Topic>,
        form: Form,
    },
    Unsubscribe(Vec<Topic>),
    Fetch(Vec<Topic>),
    Receive(Vec<(Topic, MessageId)>),
    WatchRegister(String),
    WatchUnregister(String),
    /// Listens and says `true`.
    CreateTopic(Topic),
    /// Listens to the topic and publishes.
    ListenAndPublish(Topic, Vec<Publication>),
}

/// What a subscription is answered with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    One,
    Many,
    /// Of each an id or an error.
    ManyBlocking,
}

/// What is published.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Publication {
    pub(super) topic: Topic,
    pub(super) message: String,
    /// In seconds.
    pub(super) ttl: u64,
    pub(super) tag: u32,
    pub(super) attestation: Option<String>,
}

#[derive(Deserialize)]
struct Frame<'t> {
    #[serde(borrow)]
    id: Option<&'t RawValue>,
    #[serde(borrow)]
    jsonrpc: Option<Cow<'t, str>>,
    #[serde(borrow)]
    method: Option<Cow<'t, str>>,
    #[serde(borrow)]
    params: Option<&'t RawValue>,
    #[serde(borrow)]
    result: Option<&'t RawValue>,
    #[serde(borrow)]
    error: Option<&'t RawValue>,
}

/// Reads a text. Whatever else clients put beside what is named here is not looked at.
pub(super) fn read(text: &str) -> Result<(Heard<'_>, &'static str), Refused> {
    let nameless = |fault| Refused { id: "0".into(), fault };
    let frame: Frame<'_> = serde_json::from_str(text).map_err(|_| nameless(Fault::Serialization))?;
    let Some(method) = &frame.method else {
        return match (frame.result, frame.error) {
            (Some(result), None) if result.get() == "true" => {
                Ok((frame.id.and_then(number).map_or(Heard::Nothing, Heard::Acknowledged), "answer"))
            }
            (Some(_), None) | (None, Some(_)) => Ok((Heard::Nothing, "answer")),
            _ => Err(nameless(Fault::Serialization)),
        };
    };
    let id = frame.id.filter(|id| is_id(id)).ok_or_else(|| nameless(Fault::InvalidRequestId))?;
    let refuse = |fault| Refused { id: id.get().into(), fault };
    if frame.jsonrpc.as_deref() != Some("2.0") {
        return Err(refuse(Fault::InvalidJsonRpcVersion));
    }
    let params = frame.params.map_or("{}", RawValue::get);
    let (call, name) = call(method, params).map_err(refuse)?;
    Ok((Heard::Request(id, call), name))
}

/// The digits of an id, which is a number or a text of one.
fn digits(id: &RawValue) -> Option<&str> {
    let text = id.get();
    let digits = text.strip_prefix('"').map_or(Some(text), |rest| rest.strip_suffix('"'))?;
    let fits = (1..=38).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    fits.then_some(digits)
}

fn is_id(id: &RawValue) -> bool {
    digits(id).and_then(|digits| digits.parse::<u128>().ok()).is_some_and(|id| id >= LEAST_ID)
}

fn number(id: &RawValue) -> Option<u64> {
    digits(id)?.parse().ok()
}

/// The method by either of its names, with the name that metrics know it by.
fn call(method: &str, params: &str) -> Result<(RelayCall, &'static str), Fault> {
    match method {
        "wc_createTopic" => return Ok((RelayCall::CreateTopic(topic_of(params)?), "wc_createTopic")),
        "wc_proposeSession" => return Ok((propose(params)?, "wc_proposeSession")),
        "wc_approveSession" => return Ok((approve(params)?, "wc_approveSession")),
        _ => {}
    }
    let name = method.strip_prefix("irn_").or_else(|| method.strip_prefix("iridium_"));
    Ok(match name.ok_or(Fault::InvalidMethod)? {
        "publish" => (RelayCall::Publish(vec![publication(params)?]), "publish"),
        "batchPublish" => (RelayCall::Publish(publications(params)?), "batchPublish"),
        "subscribe" => (subscribe(params)?, "subscribe"),
        "subscribeBlocking" => (subscribe(params)?, "subscribeBlocking"),
        "batchSubscribe" => (RelayCall::Subscribe { topics: topics(params)?, form: Form::Many }, "batchSubscribe"),
        "batchSubscribeBlocking" => {
            (RelayCall::Subscribe { topics: topics(params)?, form: Form::ManyBlocking }, "batchSubscribeBlocking")
        }
        "unsubscribe" => (RelayCall::Unsubscribe(vec![topic_of(params)?]), "unsubscribe"),
        "batchUnsubscribe" => (RelayCall::Unsubscribe(left(params)?), "batchUnsubscribe"),
        "fetchMessages" => (RelayCall::Fetch(vec![topic_of(params)?]), "fetchMessages"),
        "batchFetchMessages" => (RelayCall::Fetch(topics(params)?), "batchFetchMessages"),
        "batchReceive" => (RelayCall::Receive(receipts(params)?), "batchReceive"),
        "watchRegister" => (RelayCall::WatchRegister(from::<Register>(params)?.register_auth), "watchRegister"),
        "watchUnregister" => {
            (RelayCall::WatchUnregister(from::<Unregister>(params)?.unregister_auth), "watchUnregister")
        }
        _ => return Err(Fault::InvalidMethod),
    })
}

fn from<'t, T: Deserialize<'t>>(params: &'t str) -> Result<T, Fault> {
    serde_json::from_str(params).map_err(|_| Fault::InvalidParams)
}

fn topic(text: &str) -> Result<Topic, Fault> {
    Topic::parse(text).ok_or(Fault::InvalidTopic)
}

#[derive(Deserialize)]
struct OneTopic<'t> {
    #[serde(borrow)]
    topic: Cow<'t, str>,
}

/// Beside an id that clients make up, which is not looked at.
fn topic_of(params: &str) -> Result<Topic, Fault> {
    topic(&from::<OneTopic<'_>>(params)?.topic)
}

fn subscribe(params: &str) -> Result<RelayCall, Fault> {
    Ok(RelayCall::Subscribe { topics: vec![topic_of(params)?], form: Form::One })
}

#[derive(Deserialize)]
struct Topics<'t> {
    #[serde(borrow)]
    topics: Vec<Cow<'t, str>>,
}

fn topics(params: &str) -> Result<Vec<Topic>, Fault> {
    let asked = from::<Topics<'_>>(params)?.topics;
    sized(&asked)?;
    asked.iter().map(|text| topic(text)).collect()
}

fn sized<T>(batch: &[T]) -> Result<(), Fault> {
    match batch.len() {
        0 => Err(Fault::BatchEmpty),
        1..=BATCH => Ok(()),
        _ => Err(Fault::BatchLimitExceeded),
    }
}

#[derive(Deserialize)]
struct Left<'t> {
    #[serde(borrow)]
    subscriptions: Vec<OneTopic<'t>>,
}

fn left(params: &str) -> Result<Vec<Topic>, Fault> {
    let left = from::<Left<'_>>(params)?.subscriptions;
    sized(&left)?;
    left.iter().map(|one| topic(&one.topic)).collect()
}

#[derive(Deserialize)]
struct Receipts<'t> {
    #[serde(borrow)]
    receipts: Vec<Receipt<'t>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Receipt<'t> {
    #[serde(borrow)]
    topic: Cow<'t, str>,
    #[serde(borrow)]
    message_id: Cow<'t, str>,
}

fn receipts(params: &str) -> Result<Vec<(Topic, MessageId)>, Fault> {
    let receipts = from::<Receipts<'_>>(params)?.receipts;
    sized(&receipts)?;
    let read = |receipt: &Receipt<'_>| {
        Ok((topic(&receipt.topic)?, MessageId::parse(&receipt.message_id).ok_or(Fault::InvalidParams)?))
    };
    receipts.iter().map(read).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Register {
    register_auth: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Unregister {
    unregister_auth: String,
}

#[derive(Deserialize)]
struct Published<'t> {
    #[serde(borrow)]
    topic: Cow<'t, str>,
    message: String,
    ttl: u64,
    #[serde(default)]
    tag: u32,
    attestation: Option<String>,
}

impl Published<'_> {
    fn read(self) -> Result<Publication, Fault> {
        let Published { topic: on, message, ttl, tag, attestation } = self;
        Ok(Publication { topic: topic(&on)?, message: text(message)?, ttl, tag, attestation: attested(attestation)? })
    }
}

/// PostgreSQL holds every character but this one, and no envelope holds it.
fn text(text: String) -> Result<String, Fault> {
    if text.contains('\0') { Err(Fault::InvalidParams) } else { Ok(text) }
}

fn attested(attestation: Option<String>) -> Result<Option<String>, Fault> {
    attestation.filter(|said| !said.is_empty()).map(text).transpose()
}

fn publication(params: &str) -> Result<Publication, Fault> {
    from::<Published<'_>>(params)?.read()
}

#[derive(Deserialize)]
struct Publications<'t> {
    #[serde(borrow)]
    messages: Vec<Published<'t>>,
}

fn publications(params: &str) -> Result<Vec<Publication>, Fault> {
    let messages = from::<Publications<'_>>(params)?.messages;
    sized(&messages)?;
    let messages: Vec<Publication> = messages.into_iter().map(Published::read).collect::<Result<_, _>>()?;
    let mut seen = BTreeSet::new();
    // The same message twice in a batch is one.
    Ok(messages.into_iter().filter(|one| seen.insert((one.topic, MessageId::of(&one.message)))).collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Proposal<'t> {
    #[serde(borrow)]
    pairing_topic: Cow<'t, str>,
    session_proposal: String,
    attestation: Option<String>,
}

fn propose(params: &str) -> Result<RelayCall, Fault> {
    let proposal = from::<Proposal<'_>>(params)?;
    let pairing = topic(&proposal.pairing_topic)?;
    let attestation = attested(proposal.attestation)?;
    let published = session_message(pairing, proposal.session_proposal, PROPOSAL, attestation)?;
    Ok(RelayCall::ListenAndPublish(pairing, vec![published]))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Approval<'t> {
    #[serde(borrow)]
    pairing_topic: Cow<'t, str>,
    #[serde(borrow)]
    session_topic: Cow<'t, str>,
    session_proposal_response: String,
    session_settlement_request: String,
}

fn approve(params: &str) -> Result<RelayCall, Fault> {
    let approval = from::<Approval<'_>>(params)?;
    let (pairing, session) = (topic(&approval.pairing_topic)?, topic(&approval.session_topic)?);
    let response = session_message(pairing, approval.session_proposal_response, RESPONSE, None)?;
    let settlement = session_message(session, approval.session_settlement_request, SETTLEMENT, None)?;
    Ok(RelayCall::ListenAndPublish(session, vec![response, settlement]))
}

fn session_message(topic: Topic, message: String, tag: u32, attestation: Option<String>) -> Result<Publication, Fault> {
    Ok(Publication { topic, message: text(message)?, ttl: SESSION_TTL, tag, attestation })
}

// By its path, for the fuzz target takes this file in from another folder.
#[cfg(test)]
#[path = "request/tests.rs"]
mod tests;
