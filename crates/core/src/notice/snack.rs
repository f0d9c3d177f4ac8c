use super::Message;
use portico_json::Json;

/// A new message shows so long after the old one was closed (spec 2.30, 9.3).
pub const SWITCH_DELAY: u64 = 150;

/// Long enough to read the longest message twice.
pub const DISPLAY_TIME: u64 = 4_000;

/// The kind of a snack (spec 2.29).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Variant {
    /// Something goes on.
    Loading,
    /// It worked.
    Success,
    /// It did not.
    Error,
}

/// A message in passing.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Snack {
    /// Its kind.
    pub variant: Variant,
    /// What it says; `null` where the host has its own words.
    pub message: Option<Message>,
    /// The host's own words.
    pub text: Option<String>,
    /// Whether it goes by itself (spec 2.31). Whoever says it may set this; the constructors let all go but a loading one, which stays
    /// until its work is over.
    pub auto_close: bool,
}

impl Snack {
    /// A message of ours.
    pub fn new(variant: Variant, message: Message) -> Snack {
        Snack { variant, message: Some(message), text: None, auto_close: variant != Variant::Loading }
    }

    /// The host's own words.
    pub fn host(variant: Variant, text: &str) -> Snack {
        Snack { variant, message: None, text: Some(text.into()), auto_close: variant != Variant::Loading }
    }
}
