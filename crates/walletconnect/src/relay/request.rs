use super::{Answer, Publication, RelayFault, RequestId, Topic};
use portico_json::{Read, Value, parse};

/// Maximum number of items in a batch.
pub const MAX_BATCH: usize = 500;

/// Smallest valid id: ids begin with a timestamp.
const MIN_ID: u64 = 1_000_000_000;

/// Frame that a relay receives from a client.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Request {
    /// A call, to be answered under its id.
    Call {
        /// Id to echo in the response.
        id: RequestId,
        /// Method and parameters.
        call: RelayCall,
    },
    /// Acknowledgement of a delivery.
    Answer(Answer),
}

/// Calls of a client to a relay. Each `irn_` method has an alias `iridium_`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RelayCall {
    /// `irn_publish`: publishes a message.
    Publish(Publication),
    /// `irn_batchPublish`: publishes several messages.
    BatchPublish(Vec<Publication>),
    /// `irn_subscribe`, and `irn_subscribeBlocking`, which is answered after the mailbox was checked.
    Subscribe {
        /// Topic to subscribe.
        topic: Topic,
        /// Whether it is the blocking form.
        blocking: bool,
    },
    /// `irn_batchSubscribe` and `irn_batchSubscribeBlocking`. The results of the latter are objects, one per topic.
    BatchSubscribe {
        /// Topics, in the order of the results.
        topics: Vec<Topic>,
        /// Whether it is the blocking form.
        blocking: bool,
    },
    /// `irn_unsubscribe`. Its subscription id is ignored: clients send ids of their own making.
    Unsubscribe(Topic),
    /// `irn_batchUnsubscribe`: unsubscribes from several topics.
    BatchUnsubscribe(Vec<Topic>),
    /// `irn_fetchMessages` and `irn_batchFetchMessages`: fetch the messages of topics.
    FetchMessages(Vec<Topic>),
    /// `irn_batchReceive`: acknowledges messages.
    BatchReceive(Vec<Receipt>),
    /// `irn_watchRegister`: registers a webhook with a JWT.
    WatchRegister(String),
    /// `irn_watchUnregister`: removes a webhook with a JWT.
    WatchUnregister(String),
    /// `wc_createTopic`: registers a topic and subscribes the caller.
    CreateTopic(Topic),
    /// `wc_proposeSession`: subscribes the caller to the pairing and publishes the proposal there (tag 1100, 300 s, prompt).
    ProposeSession {
        /// Topic of the pairing.
        pairing_topic: Topic,
        /// Encrypted proposal, an envelope in base64.
        proposal: String,
        /// Signed statement about the sender's origin.
        attestation: Option<String>,
    },
    /// `wc_approveSession`: subscribes the caller to the session, publishes the response on the pairing (tag 1101) and the settlement
    /// on the session (tag 1102), both for 300 s.
    ApproveSession {
        /// Topic of the pairing.
        pairing_topic: Topic,
        /// Topic of the session.
        session_topic: Topic,
        /// Encrypted response, an envelope in base64.
        response: String,
        /// Encrypted settlement, an envelope in base64.
        settlement: String,
    },
}

/// Acknowledgement of a message that a client received other than by the socket.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Receipt {
    /// Topic of the message.
    pub topic: Topic,
    /// Id of the message: the hex of its SHA-256.
    pub message_id: String,
}

/// Error of a frame that is not a valid request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Refused {
    /// Id for the error response, as received; 0 if it could not be read.
    pub id: RequestId,
    /// Fault to report.
    pub fault: RelayFault,
}

impl Request {
    /// Parses a frame of a client.
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

/// Reads a topic. A malformed one is a different fault than a missing one.
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
