//! Messages between clients inside envelopes: JSON-RPC with numbered methods (`clients/sign/rpc-methods.md`).

use super::RpcError;
use portico_json::{Value, Write, parse, to_text};

/// JSON-RPC methods between clients.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Method {
    PairingDelete,
    PairingPing,
    PairingExtend,
    Propose,
    Settle,
    Update,
    Extend,
    Request,
    Event,
    Delete,
    Ping,
    Authenticate,
}

impl Method {
    const ALL: [Method; 12] = [
        Method::PairingDelete,
        Method::PairingPing,
        Method::PairingExtend,
        Method::Propose,
        Method::Settle,
        Method::Update,
        Method::Extend,
        Method::Request,
        Method::Event,
        Method::Delete,
        Method::Ping,
        Method::Authenticate,
    ];

    pub fn from_word(word: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.word() == word)
    }

    pub fn word(self) -> &'static str {
        self.facts().0
    }

    /// Relay tag of the request; the response has the next number.
    pub const fn tag(self) -> u32 {
        self.facts().1
    }

    /// Time that a relay stores the request and its response, in seconds.
    pub fn ttl(self) -> u64 {
        self.facts().2
    }

    /// Whether the request should wake a phone with a push notification.
    #[cfg(feature = "wallet")]
    pub fn prompt(self) -> bool {
        matches!(self, Method::Propose | Method::Request | Method::Event | Method::Authenticate)
    }

    const fn facts(self) -> (&'static str, u32, u64) {
        match self {
            Method::PairingDelete => ("wc_pairingDelete", 1000, 86_400),
            Method::PairingPing => ("wc_pairingPing", 1002, 30),
            Method::PairingExtend => ("wc_pairingExtend", 1004, 30),
            Method::Propose => ("wc_sessionPropose", 1100, 300),
            Method::Settle => ("wc_sessionSettle", 1102, 300),
            Method::Update => ("wc_sessionUpdate", 1104, 86_400),
            Method::Extend => ("wc_sessionExtend", 1106, 86_400),
            Method::Request => ("wc_sessionRequest", 1108, 300),
            Method::Event => ("wc_sessionEvent", 1110, 300),
            Method::Delete => ("wc_sessionDelete", 1112, 86_400),
            Method::Ping => ("wc_sessionPing", 1114, 30),
            Method::Authenticate => ("wc_sessionAuthenticate", 1116, 3600),
        }
    }
}

/// Decrypted message.
pub(super) enum Payload {
    Request { id: u64, method: String, params: Value },
    Answer { id: u64, outcome: Result<Value, RpcError> },
}

impl Payload {
    pub fn parse(text: &str) -> Option<Payload> {
        let value = parse(text).ok()?;
        let id = value.get("id").as_u64()?;
        if let Some(method) = value.get("method").as_str() {
            return Some(Payload::Request { id, method: method.into(), params: value.get("params").clone() });
        }
        let error = value.get("error");
        if !error.is_null() {
            let error = RpcError {
                code: error.get("code").as_i64().unwrap_or(5000),
                message: error.get("message").as_str().unwrap_or_default().into(),
                data: Some(error.get("data").clone()).filter(|data| !data.is_null()),
            };
            return Some(Payload::Answer { id, outcome: Err(error) });
        }
        let fields = value.as_object()?;
        let result = fields.iter().rev().find(|(name, _)| name == "result")?;
        Some(Payload::Answer { id, outcome: Ok(result.1.clone()) })
    }
}

pub(super) fn write_request(id: u64, method: Method, params: &str) -> String {
    ["{\"id\":", &to_text(&id), ",\"jsonrpc\":\"2.0\",\"method\":\"", method.word(), "\",\"params\":", params, "}"]
        .concat()
}

pub(super) fn write_result(id: u64, result: &str) -> String {
    ["{\"id\":", &to_text(&id), ",\"jsonrpc\":\"2.0\",\"result\":", result, "}"].concat()
}

pub(super) fn write_failure(id: u64, error: &RpcError) -> String {
    let head = ["{\"id\":", &to_text(&id), ",\"jsonrpc\":\"2.0\",\"error\":"].concat();
    [&head, to_wire(error).as_str(), "}"].concat()
}

/// JSON text of a value without its null fields, which other clients do not expect.
pub(super) fn to_wire<T: Write + ?Sized>(value: &T) -> String {
    let text = to_text(value);
    parse(&text).map(|value| to_text(&without_nulls(value))).unwrap_or(text)
}

pub(super) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(fields.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Value::List(items) => Value::List(items.into_iter().map(without_nulls).collect()),
        value => value,
    }
}

/// Writer of a JSON object, field by field. `None` is left out.
pub(super) struct Fields(String);

impl Fields {
    pub fn new() -> Fields {
        Fields(String::from("{"))
    }

    /// Appends a field given as JSON text.
    pub fn raw(mut self, name: &str, json: &str) -> Fields {
        self.0.push_str(if self.0.len() == 1 { "\"" } else { ",\"" });
        self.0.push_str(name);
        self.0.push_str("\":");
        self.0.push_str(json);
        self
    }

    pub fn text(self, name: &str, text: &str) -> Fields {
        let text = to_text(text);
        self.raw(name, &text)
    }

    pub fn number(self, name: &str, number: u64) -> Fields {
        let text = to_text(&number);
        self.raw(name, &text)
    }

    pub fn maybe(self, name: &str, value: &Option<Value>) -> Fields {
        match value {
            Some(value) if !value.is_null() => {
                let text = to_text(value);
                self.raw(name, &text)
            }
            _ => self,
        }
    }

    pub fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}
