//! Parses a client's message: a request, or the acknowledgement of a message sent to it.

use super::fault::Fault;
use super::id::{MessageId, Topic};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Maximum number of entries in a batch.
const BATCH: usize = 500;

/// Smallest valid id: ids are derived from the time, so a shorter one is not from a client of this protocol.
const LEAST_ID: u128 = 1_000_000_000;

/// Tags and time to live, in seconds, of the messages that `wc_proposeSession` and `wc_approveSession` stand for.
const PROPOSAL: u32 = 1100;
const RESPONSE: u32 = 1101;
const SETTLEMENT: u32 = 1102;
const SESSION_TTL: u64 = 300;

/// A parsed message.
#[derive(Debug)]
pub(super) enum ClientMessage<'t> {
    /// A request with its original id: ids of 19 digits exceed the precision of a double, so it stays text.
    Request(&'t RawValue, RelayCall),
    /// Acknowledgement of the message that was sent with this request id.
    Acknowledged(u64),
    /// A negative or unexpected response; ignored.
    Nothing,
}

/// Error, with the id to respond to.
#[derive(Debug)]
pub(super) struct Refused {
    /// `0` if no valid id was found.
    pub(super) id: String,
    pub(super) fault: Fault,
}

/// One method with its parameters.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum RelayCall {
    Publish(Vec<Publication>),
    /// The response is a single subscription id for `Form::One`, else a list.
    Subscribe {
        topics: Vec<Topic>,
        form: Form,
    },
    Unsubscribe(Vec<Topic>),
    Fetch(Vec<Topic>),
    Receive(Vec<(Topic, MessageId)>),
    WatchRegister(String),
    WatchUnregister(String),
    /// Subscribes and responds with `true`.
    CreateTopic(Topic),
    /// Subscribes to the topic and publishes.
    ListenAndPublish(Topic, Vec<Publication>),
}

/// Response format of a subscription.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    One,
    Many,
    /// An id or an error for each topic.
    ManyBlocking,
}

/// A message to publish.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Publication {
    pub(super) topic: Topic,
    pub(super) message: String,
    /// Time to live in seconds.
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

/// Parses a message. Unknown fields are ignored.
pub(super) fn read(text: &str) -> Result<(ClientMessage<'_>, &'static str), Refused> {
    let nameless = |fault| Refused { id: "0".into(), fault };
    let frame: Frame<'_> = serde_json::from_str(text).map_err(|_| nameless(Fault::Serialization))?;
    let Some(method) = &frame.method else {
        return match (frame.result, frame.error) {
            (Some(result), None) if result.get() == "true" => {
                Ok((frame.id.and_then(number).map_or(ClientMessage::Nothing, ClientMessage::Acknowledged), "answer"))
            }
            (Some(_), None) | (None, Some(_)) => Ok((ClientMessage::Nothing, "answer")),
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
    Ok((ClientMessage::Request(id, call), name))
}

/// Digits of an id, which is a number or a string of digits.
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

/// Parses the call by either name of its method; also returns its name for metrics.
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

/// Parses the topic. The id that clients send beside it is ignored.
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
struct BatchUnsubscribe<'t> {
    #[serde(borrow)]
    subscriptions: Vec<OneTopic<'t>>,
}

fn left(params: &str) -> Result<Vec<Topic>, Fault> {
    let left = from::<BatchUnsubscribe<'_>>(params)?.subscriptions;
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

/// Rejects NUL, the one character that PostgreSQL cannot store; no envelope contains it.
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
    // Duplicates within a batch count once.
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

// Explicit path, as the fuzz target includes this file from another folder.
#[cfg(test)]
#[path = "request/tests.rs"]
mod tests;
