use super::Message;
use portico_json::Json;

/// Delay between closing a snack and showing the next, in milliseconds (spec 2.30, 9.3).
pub const SWITCH_DELAY: u64 = 150;

/// Display time of a snack, in milliseconds: enough to read the longest message twice.
pub const DISPLAY_TIME: u64 = 4_000;

/// Kind of a snack (spec 2.29).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Variant {
    /// Work in progress.
    Loading,
    Success,
    Error,
}

/// A message that disappears by itself.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Snack {
    pub variant: Variant,
    /// The message; `null` if the host gave its own text.
    pub message: Option<Message>,
    /// Text of the host.
    pub text: Option<String>,
    /// Whether the snack closes by itself (spec 2.31). By default all do but a loading one, which stays until its work is done.
    pub auto_close: bool,
}

impl Snack {
    /// Snack with a built-in message.
    pub fn new(variant: Variant, message: Message) -> Snack {
        Snack { variant, message: Some(message), text: None, auto_close: variant != Variant::Loading }
    }

    /// Snack with a text of the host.
    pub fn host(variant: Variant, text: &str) -> Snack {
        Snack { variant, message: None, text: Some(text.into()), auto_close: variant != Variant::Loading }
    }
}
