use super::RelayError;
use crate::encoding::hex;
use portico_json::{Read, ReadError, Shape, Shaped, Value, Write, parse, to_text, write_text};

/// The id of a JSON-RPC message between client and relay, kept as it came: 19 digits are more than JavaScript's numbers hold, so some
/// clients write a text and others a number, and each wants its own back.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RequestId {
    digits: String,
    quoted: bool,
}

impl RequestId {
    /// The id of an answer to what could not be read.
    pub fn zero() -> RequestId {
        RequestId::from(0)
    }

    /// As a number.
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

/// Where messages meet: 64 hex digits, kept in lower case.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Topic(String);

impl Topic {
    /// Reads 64 hex digits of either case.
    pub fn parse(text: &str) -> Option<Topic> {
        hex::decode32(text).map(|bytes| Topic(hex::encode(&bytes)))
    }

    /// 64 hex digits in lower case.
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

/// A message that a client hands to the relay.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Publication {
    /// Where to.
    pub topic: Topic,
    /// The envelope in base64.
    pub message: String,
    /// Seconds that the relay keeps it.
    pub ttl: u64,
    /// The number of its method.
    pub tag: u32,
    /// Whether a phone should be woken by a push notification.
    pub prompt: bool,
    /// A signed statement about the sender's origin, passed on unread.
    pub attestation: Option<String>,
}

impl Read for Publication {
    /// Analytics that other clients add are not read: they would tell the relay what is sealed.
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

/// A message that the relay hands to a client: in `irn_subscription` and in a fetched batch.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Delivery {
    /// Where it was published.
    pub topic: Topic,
    /// The envelope in base64.
    pub message: String,
    /// Milliseconds since 1970, by the relay's clock.
    pub published_at: u64,
    /// The number of its method.
    pub tag: u32,
    /// A signed statement about the sender's origin.
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

/// An answer, in either direction.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Answer {
    /// Of the request.
    pub id: RequestId,
    /// The result, or the error as the relay told it.
    pub outcome: Result<Value, RelayError>,
}

impl Answer {
    /// Reads a JSON-RPC object that has a `result` or an `error`.
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

/// What a client receives from a relay.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Received {
    /// A message on a subscribed topic; it stays in the mailbox until it is answered with `true`.
    Delivery {
        /// To be echoed in the answer.
        id: RequestId,
        /// The message.
        delivery: Delivery,
    },
    /// The answer to a request.
    Answer(Answer),
}

impl Received {
    /// Reads a frame; `None` for what is neither.
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

/// The frame of a request: what a client asks of a relay, or `irn_subscription` the other way round.
pub fn write_call(id: &RequestId, method: &str, params: &str) -> String {
    ["{\"id\":", &to_text(id), ",\"jsonrpc\":\"2.0\",\"method\":\"", method, "\",\"params\":", params, "}"].concat()
}

/// The frame of a result, given as JSON text.
pub fn write_answer(id: &RequestId, result: &str) -> String {
    ["{\"id\":", &to_text(id), ",\"jsonrpc\":\"2.0\",\"result\":", result, "}"].concat()
}

/// The frame of an error.
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
