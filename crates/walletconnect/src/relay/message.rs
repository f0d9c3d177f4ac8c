use super::RelayError;
use crate::encoding::hex;
use portico_json::{Read, ReadError, Shape, Shaped, Value, Write, parse, to_text, write_text};

/// Id of a JSON-RPC message between client and relay, stored as received: 19 digits exceed JavaScript's numbers, so some clients send a
/// string and others a number, and each expects its own form back.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RequestId {
    digits: String,
    quoted: bool,
}

impl RequestId {
    /// Id for the response to a message that could not be read.
    pub fn zero() -> RequestId {
        RequestId::from(0)
    }

    /// Numeric value of the id.
    pub fn number(&self) -> u64 {
        self.digits.parse().unwrap_or(0)
    }
}

impl From<u64> for RequestId {
    fn from(number: u64) -> RequestId {
        let mut digits = String::new();
        number.write(&mut digits);
        RequestId { digits, quoted: false }
    }
}

impl Read for RequestId {
    fn read(value: &Value) -> Result<RequestId, ReadError> {
        let (digits, quoted) = match value {
            Value::Number(text) => (text, false),
            Value::Text(text) => (text, true),
            _ => return Err(ReadError("id")),
        };
        let plain = digits.len() <= 20 && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !plain || digits.parse::<u64>().is_err() {
            return Err(ReadError("id"));
        }
        Ok(RequestId { digits: digits.clone(), quoted })
    }
}

impl Write for RequestId {
    fn write(&self, out: &mut String) {
        if self.quoted { write_text(&self.digits, out) } else { out.push_str(&self.digits) }
    }
}

/// Topic of messages: 64 hex digits, stored in lower case.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Topic(String);

impl Topic {
    /// Parses 64 hex digits of either case.
    pub fn parse(text: &str) -> Option<Topic> {
        hex::decode32(text).map(|bytes| Topic(hex::encode(&bytes)))
    }

    /// Topic as 64 hex digits in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Topic {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Read for Topic {
    fn read(value: &Value) -> Result<Topic, ReadError> {
        value.as_str().and_then(Topic::parse).ok_or(ReadError("topic"))
    }
}

impl Write for Topic {
    fn write(&self, out: &mut String) {
        write_text(&self.0, out);
    }
}

impl Shaped for Topic {
    fn shape() -> Shape {
        Shape::Text
    }
}

/// Message that a client publishes on a relay.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Publication {
    /// Topic on which it is published.
    pub topic: Topic,
    /// Envelope in base64.
    pub message: String,
    /// Time that the relay stores it, in seconds.
    pub ttl: u64,
    /// Number of the method inside, such as 1108.
    pub tag: u32,
    /// Whether a push notification should wake the receiver's phone.
    pub prompt: bool,
    /// Signed statement about the sender's origin, passed on unread.
    pub attestation: Option<String>,
}

impl Read for Publication {
    /// Ignores the analytics fields of other clients: they would reveal encrypted content to the relay.
    fn read(value: &Value) -> Result<Publication, ReadError> {
        Ok(Publication {
            topic: Topic::read_field(value, "topic")?,
            message: Read::read_field(value, "message")?,
            ttl: Read::read_field(value, "ttl")?,
            tag: Read::read_field(value, "tag")?,
            prompt: value.get("prompt").as_bool().unwrap_or(false),
            attestation: value.get("attestation").as_str().map(Into::into),
        })
    }
}

impl Write for Publication {
    fn write(&self, out: &mut String) {
        out.push_str("{\"topic\":");
        self.topic.write(out);
        out.push_str(",\"message\":");
        self.message.write(out);
        out.push_str(",\"ttl\":");
        self.ttl.write(out);
        out.push_str(",\"tag\":");
        self.tag.write(out);
        out.push_str(",\"prompt\":");
        self.prompt.write(out);
        if let Some(attestation) = &self.attestation {
            out.push_str(",\"attestation\":");
            attestation.write(out);
        }
        out.push('}');
    }
}

/// Message that a relay delivers to a client, in `irn_subscription` or in a fetched batch.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Delivery {
    /// Topic on which it was published.
    pub topic: Topic,
    /// Envelope in base64.
    pub message: String,
    /// Time of publication in milliseconds since 1970, by the relay's clock.
    pub published_at: u64,
    /// Number of the method inside, such as 1108.
    pub tag: u32,
    /// Signed statement about the sender's origin.
    pub attestation: Option<String>,
}

impl Read for Delivery {
    fn read(value: &Value) -> Result<Delivery, ReadError> {
        Ok(Delivery {
            topic: Topic::read_field(value, "topic")?,
            message: Read::read_field(value, "message")?,
            published_at: value.get("publishedAt").as_u64().unwrap_or(0),
            tag: Read::read_field(value, "tag")?,
            attestation: value.get("attestation").as_str().map(Into::into),
        })
    }
}

impl Write for Delivery {
    fn write(&self, out: &mut String) {
        out.push_str("{\"topic\":");
        self.topic.write(out);
        out.push_str(",\"message\":");
        self.message.write(out);
        if let Some(attestation) = &self.attestation {
            out.push_str(",\"attestation\":");
            attestation.write(out);
        }
        out.push_str(",\"publishedAt\":");
        self.published_at.write(out);
        out.push_str(",\"tag\":");
        self.tag.write(out);
        out.push('}');
    }
}

/// JSON-RPC response, in either direction.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Answer {
    /// Id of the request.
    pub id: RequestId,
    /// Result, or the error from the relay.
    pub outcome: Result<Value, RelayError>,
}

impl Answer {
    /// Reads a JSON-RPC object with a `result` or an `error`.
    pub fn read(value: &Value) -> Option<Answer> {
        let id = RequestId::read_field(value, "id").ok()?;
        let has = |name: &str| value.as_object().is_some_and(|fields| fields.iter().any(|(key, _)| key == name));
        if has("error") && !value.get("error").is_null() {
            let error = value.get("error");
            let error = RelayError {
                code: error.get("code").as_i64().unwrap_or(-32603),
                message: error.get("message").as_str().unwrap_or_default().into(),
                data: error.get("data").as_str().map(Into::into),
            };
            return Some(Answer { id, outcome: Err(error) });
        }
        if has("result") { Some(Answer { id, outcome: Ok(value.get("result").clone()) }) } else { None }
    }
}

/// Frame that a client receives from a relay.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Received {
    /// A message on a subscribed topic; it stays in the mailbox until the client responds with `true`.
    Delivery {
        /// Id to echo in the response.
        id: RequestId,
        /// Message and its topic.
        delivery: Delivery,
    },
    /// Response to a request.
    Answer(Answer),
}

impl Received {
    /// Parses a frame; `None` if it is neither.
    pub fn parse(frame: &str) -> Option<Received> {
        let value = parse(frame).ok()?;
        match value.get("method").as_str() {
            Some("irn_subscription" | "iridium_subscription") => Some(Received::Delivery {
                id: RequestId::read_field(&value, "id").ok()?,
                delivery: Delivery::read(value.get("params").get("data")).ok()?,
            }),
            Some(_) => None,
            None => Answer::read(&value).map(Received::Answer),
        }
    }
}

/// Frame of a request: a client's call to a relay, or `irn_subscription` the other way round.
pub fn write_call(id: &RequestId, method: &str, params: &str) -> String {
    ["{\"id\":", &to_text(id), ",\"jsonrpc\":\"2.0\",\"method\":\"", method, "\",\"params\":", params, "}"].concat()
}

/// Frame of a result, given as JSON text.
pub fn write_answer(id: &RequestId, result: &str) -> String {
    ["{\"id\":", &to_text(id), ",\"jsonrpc\":\"2.0\",\"result\":", result, "}"].concat()
}

/// Frame of an error.
pub fn write_error(id: &RequestId, error: &RelayError) -> String {
    let mut out =
        ["{\"id\":", &to_text(id), ",\"jsonrpc\":\"2.0\",\"error\":{\"code\":", &to_text(&error.code)].concat();
    out.push_str(",\"message\":");
    error.message.write(&mut out);
    if let Some(data) = &error.data {
        out.push_str(",\"data\":");
        data.write(&mut out);
    }
    out.push_str("}}");
    out
}
