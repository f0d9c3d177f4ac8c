//! Messages of the host page: an envelope is parsed before anything else looks at it, and each accepted one is answered exactly once.

use crate::effect::Operation;
use crate::frame::Frame;
use portico_api::frame::{APP, Envelope, FRAME, FrameEvent, FrameFault, LARGEST};
use portico_json::{Read, Value, parse};
use std::collections::VecDeque;

/// Error of the frame without a text of its own (spec 8.39).
pub const DEFAULT: &str = "An error occurred";

/// Error of an event that ran out of time or was withdrawn (spec 8.38).
pub const WENT_WRONG: &str = "Something went wrong";

/// Maximum number of requests that wait for their answers. More are refused at once.
const MOST_OPEN: usize = 48;

/// Ids of answered requests that are remembered, so that a message sent twice is handled once.
const REMEMBERED: usize = 512;

/// Longest id of a request.
const LONGEST_ID: usize = 64;

/// Request of the host. It is not `Clone`: answering consumes it.
#[derive(Debug)]
pub struct Request {
    id: String,
    /// Name without the prefix.
    name: String,
}

/// Ids of requests, open and answered.
#[derive(Debug, Default)]
pub struct Requests {
    open: Vec<String>,
    answered: VecDeque<String>,
}

impl Requests {
    fn knows(&self, id: &str) -> bool {
        self.open.iter().any(|open| open == id) || self.answered.iter().any(|answered| answered == id)
    }

    fn close(&mut self, id: &str) {
        self.open.retain(|open| open != id);
        self.remember(id);
    }

    fn remember(&mut self, id: &str) {
        if self.answered.len() == REMEMBERED {
            self.answered.pop_front();
        }
        self.answered.push_back(id.into());
    }
}

/// Reads an envelope of the host page: its name without the prefix, its id and its payload.
fn envelope(text: &str) -> Option<(String, String, Value)> {
    if text.len() > LARGEST {
        return None;
    }
    let envelope = Envelope::read(&parse(text).ok()?).ok()?;
    let name = envelope.kind.strip_prefix(APP)?;
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let is_id = |id: &str| (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
    if !(1..=64).contains(&name.len()) || !is_name(name) || !is_id(&envelope.id) {
        return None;
    }
    Some((name.into(), envelope.id, envelope.payload.unwrap_or_default()))
}

/// Reads a payload; the error names no part of it.
pub fn payload<T: Read>(payload: &Value) -> Result<T, FrameFault> {
    T::read(payload).map_err(|_| fault(DEFAULT))
}

/// Reads a text field of a payload, of at most `longest` bytes.
pub fn text_of<'a>(payload: &'a Value, field: &str, longest: usize) -> Result<&'a str, FrameFault> {
    payload.get(field).as_str().filter(|text| text.len() <= longest).ok_or_else(|| fault(DEFAULT))
}

pub fn fault(message: &str) -> FrameFault {
    FrameFault { message: message.into(), code: None }
}

pub fn coded(code: i64, message: &str) -> FrameFault {
    FrameFault { message: message.into(), code: Some(code) }
}

/// Object of JSON.
pub fn object(fields: &[(&str, Value)]) -> Value {
    Value::Object(fields.iter().map(|(name, value)| ((*name).into(), value.clone())).collect())
}

/// A value as JSON, to be put into another.
pub fn as_value<T: portico_json::Write>(value: &T) -> Value {
    parse(&portico_json::to_text(value)).unwrap_or_default()
}

impl Frame {
    /// Handles a message of the host. One that is no envelope of the page, or was sent before, is dropped without an answer.
    pub(crate) fn host_message(&mut self, text: &str) {
        let Some((name, id, payload)) = envelope(text) else { return };
        if self.requests.knows(&id) {
            return;
        }
        let full = self.requests.open.len() >= MOST_OPEN;
        self.requests.open.push(id.clone());
        let request = Request { id, name };
        let event = FrameEvent::read(&Value::Text(request.name.clone()));
        match event {
            Err(_) => self.reply(request, Err(fault(DEFAULT))),
            // Withdrawing frees a place, and signing out must always work.
            Ok(event)
                if full && !matches!(event, FrameEvent::RpcAbort | FrameEvent::SignOut | FrameEvent::HideSettings) =>
            {
                self.reply(request, Err(coded(-32005, "Too many requests are open")));
            }
            Ok(event) => self.handle(event, request, payload),
        }
    }

    fn handle(&mut self, event: FrameEvent, request: Request, payload: Value) {
        use FrameEvent as E;
        match event {
            E::ConnectEmail => self.connect_email(request, &payload),
            E::ConnectDevice => self.connect_device(request),
            E::ConnectOtp => self.connect_otp(request, &payload),
            E::GetUser => self.get_user(request, &payload),
            E::IsConnected => self.is_connected(request),
            E::SignOut => self.sign_out(request),
            E::SwitchNetwork => self.switch_network(request, &payload),
            E::GetChainId => self.get_chain_id(request),
            E::GetSmartAccountEnabledNetworks => {
                self.reply(request, Ok(object(&[("smartAccountEnabledNetworks", Value::List(vec![]))])));
            }
            E::SetPreferredAccount => self.set_preferred_account(request, &payload),
            E::InitSmartAccount => self.reply(request, Err(fault("Smart accounts aren't set up"))),
            E::GetSocialRedirectUri => self.get_social_redirect_uri(request, &payload),
            E::ConnectSocial => self.connect_social(request, &payload),
            E::ConnectJwt => self.connect_jwt(request, &payload),
            E::GetFarcasterUri => self.get_farcaster_uri(request),
            E::ConnectFarcaster => self.connect_farcaster(request),
            E::RpcRequest => self.rpc_request(request, &payload),
            E::RpcAbort => self.rpc_abort(request),
            E::UpdateEmail => self.update_email(request, &payload),
            E::UpdateEmailPrimaryOtp => self.update_email_primary(request, &payload),
            E::UpdateEmailSecondaryOtp => self.update_email_secondary(request, &payload),
            E::SyncTheme => self.sync_theme(request, &payload),
            E::SyncDappData => self.sync_host_data(request, &payload),
            E::Reload => self.reload(request),
            E::ShowSettings => self.show_settings(request, &payload),
            E::HideSettings => self.hide_settings(request),
        }
    }

    /// Answers a request with the type of the request and `_SUCCESS` or `_ERROR`.
    pub(crate) fn reply(&mut self, request: Request, answer: Result<Value, FrameFault>) {
        self.requests.close(&request.id);
        let (ending, payload) = match answer {
            Ok(Value::Null) => ("_SUCCESS", None),
            Ok(value) => ("_SUCCESS", Some(value)),
            Err(fault) => ("_ERROR", Some(as_value(&fault))),
        };
        let kind = [FRAME, &request.name, ending].concat();
        self.order(
            Operation::PostMessage { message: Envelope { kind, id: request.id, payload } },
            crate::reason::Reason::Posted,
        );
    }
}
