use super::{Answer, Publication, RelayFault, RequestId, Topic};
use portico_json::{Read, Value, parse};

/// Items that one batch may hold.
pub const MAX_BATCH: usize = 500;

/// A smaller id is no timestamp.
const MIN_ID: u64 = 1_000_000_000;

/// What a relay receives from a client.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Request {
    /// A call, to be answered under its id.
    Call {
        /// To be echoed.
        id: RequestId,
        /// What is asked.
        call: RelayCall,
    },
    /// The acknowledgement of a delivery.
    Answer(Answer),
}

/// Everything a client may ask. Each `irn_` method has an alias `iridium_`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RelayCall {
    /// `irn_publish`
    Publish(Publication),
    /// `irn_batchPublish`
    BatchPublish(Vec<Publication>),
    /// `irn_subscribe`, and `irn_subscribeBlocking` which is answered after the mailbox was looked at.
    Subscribe {
        /// Where.
        topic: Topic,
        /// The blocking form.
        blocking: bool,
    },
    /// `irn_batchSubscribe` and `irn_batchSubscribeBlocking`. The results of the latter are objects, one a topic.
    BatchSubscribe {
        /// In the order in which they are to be answered.
        topics: Vec<Topic>,
        /// The blocking form.
        blocking: bool,
    },
    /// `irn_unsubscribe`. The id is not looked at: clients send ids of their own making.
    Unsubscribe(Topic),
    /// `irn_batchUnsubscribe`
    BatchUnsubscribe(Vec<Topic>),
    /// `irn_fetchMessages` and `irn_batchFetchMessages`.
    FetchMessages(Vec<Topic>),
    /// `irn_batchReceive`
    BatchReceive(Vec<Receipt>),
    /// `irn_watchRegister`: a JWT.
    WatchRegister(String),
    /// `irn_watchUnregister`: a JWT.
    WatchUnregister(String),
    /// `wc_createTopic`: registers a topic and subscribes the caller.
    CreateTopic(Topic),
    /// `wc_proposeSession`: subscribes the caller to the pairing and publishes the proposal there (tag 1100, 300 s, prompt).
    ProposeSession {
        /// Of the pairing.
        pairing_topic: Topic,
        /// An envelope in base64.
        proposal: String,
        /// A signed statement about the sender's origin.
        attestation: Option<String>,
    },
    /// `wc_approveSession`: subscribes the caller to the session, publishes the response on the pairing (tag 1101) and the settlement
    /// on the session (tag 1102), both for 300 s.
    ApproveSession {
        /// Of the pairing.
        pairing_topic: Topic,
        /// Of the session.
        session_topic: Topic,
        /// An envelope in base64.
        response: String,
        /// An envelope in base64.
        settlement: String,
    },
}

/// A message that a client has, by another way than the socket.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Receipt {
    /// Where it was.
    pub topic: Topic,
    /// The hex of the SHA-256 of the message.
    pub message_id: String,
}

/// Why a frame is no request, and the id under which to say so: 0 where none could be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Refused {
    /// As it came, or 0.
    pub id: RequestId,
    /// What was wrong.
    pub fault: RelayFault,
}

impl Request {
    /// Reads a frame of a client.
    pub fn parse(frame: &str) -> Result<Request, Refused> {
        let value = parse(frame).map_err(|_| Refused { id: RequestId::zero(), fault: RelayFault::Serialization })?;
        let Some(method) = value.get("method").as_str() else {
            let refused = Refused { id: RequestId::zero(), fault: RelayFault::Serialization };
            return Answer::read(&value).map(Request::Answer).ok_or(refused);
        };
        let id = RequestId::read_field(&value, "id")
            .map_err(|_| Refused { id: RequestId::zero(), fault: RelayFault::InvalidRequestId })?;
        let call = if id.number() < MIN_ID {
            Err(RelayFault::InvalidRequestId)
        } else if value.get("jsonrpc").as_str() != Some("2.0") {
            Err(RelayFault::InvalidJsonRpcVersion)
        } else {
            RelayCall::read(method, value.get("params"))
        };
        match call {
            Ok(call) => Ok(Request::Call { id, call }),
            Err(fault) => Err(Refused { id, fault }),
        }
    }
}

impl RelayCall {
    fn read(method: &str, params: &Value) -> Result<RelayCall, RelayFault> {
        Ok(match method.strip_prefix("irn_").or(method.strip_prefix("iridium_")) {
            Some("publish") => RelayCall::Publish(publication(params)?),
            Some("batchPublish") => RelayCall::BatchPublish(batch(params, "messages", publication)?),
            Some("subscribe") => RelayCall::Subscribe { topic: topic(params, "topic")?, blocking: false },
            Some("subscribeBlocking") => RelayCall::Subscribe { topic: topic(params, "topic")?, blocking: true },
            Some("batchSubscribe") => RelayCall::BatchSubscribe { topics: topics(params)?, blocking: false },
            Some("batchSubscribeBlocking") => RelayCall::BatchSubscribe { topics: topics(params)?, blocking: true },
            Some("unsubscribe") => RelayCall::Unsubscribe(topic(params, "topic")?),
            Some("batchUnsubscribe") => {
                RelayCall::BatchUnsubscribe(batch(params, "subscriptions", |item| topic(item, "topic"))?)
            }
            Some("fetchMessages") => RelayCall::FetchMessages(vec![topic(params, "topic")?]),
            Some("batchFetchMessages") => RelayCall::FetchMessages(topics(params)?),
            Some("batchReceive") => RelayCall::BatchReceive(batch(params, "receipts", |item| {
                Ok(Receipt { topic: topic(item, "topic")?, message_id: text(item, "messageId")? })
            })?),
            Some("watchRegister") => RelayCall::WatchRegister(text(params, "registerAuth")?),
            Some("watchUnregister") => RelayCall::WatchUnregister(text(params, "unregisterAuth")?),
            _ => return RelayCall::read_session(method, params),
        })
    }

    fn read_session(method: &str, params: &Value) -> Result<RelayCall, RelayFault> {
        Ok(match method {
            "wc_createTopic" => RelayCall::CreateTopic(topic(params, "topic")?),
            "wc_proposeSession" => RelayCall::ProposeSession {
                pairing_topic: topic(params, "pairingTopic")?,
                proposal: text(params, "sessionProposal")?,
                attestation: params.get("attestation").as_str().map(Into::into),
            },
            "wc_approveSession" => RelayCall::ApproveSession {
                pairing_topic: topic(params, "pairingTopic")?,
                session_topic: topic(params, "sessionTopic")?,
                response: text(params, "sessionProposalResponse")?,
                settlement: text(params, "sessionSettlementRequest")?,
            },
            _ => return Err(RelayFault::InvalidMethod),
        })
    }
}

fn publication(params: &Value) -> Result<Publication, RelayFault> {
    topic(params, "topic")?;
    Publication::read(params).map_err(|_| RelayFault::InvalidParams)
}

/// A text that is no topic is told apart from one that is missing.
fn topic(params: &Value, name: &str) -> Result<Topic, RelayFault> {
    let text = params.get(name).as_str().ok_or(RelayFault::InvalidParams)?;
    Topic::parse(text).ok_or(RelayFault::InvalidTopic)
}

fn topics(params: &Value) -> Result<Vec<Topic>, RelayFault> {
    batch(params, "topics", |item| {
        Topic::parse(item.as_str().ok_or(RelayFault::InvalidParams)?).ok_or(RelayFault::InvalidTopic)
    })
}

fn text(params: &Value, name: &str) -> Result<String, RelayFault> {
    params.get(name).as_str().map(Into::into).ok_or(RelayFault::InvalidParams)
}

fn batch<T>(params: &Value, name: &str, read: impl Fn(&Value) -> Result<T, RelayFault>) -> Result<Vec<T>, RelayFault> {
    let items = params.get(name).as_list().ok_or(RelayFault::InvalidParams)?;
    match items.len() {
        0 => Err(RelayFault::BatchEmpty),
        1..=MAX_BATCH => items.iter().map(read).collect(),
        _ => Err(RelayFault::BatchLimitExceeded),
    }
}
