//! The analytics sink: `POST /e`, and `POST /batch` with a list of the same (spec 7.2, 8.54).

use portico_json::{Json, Value};

/// The answer to both.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Taken {
    /// How many events; 0 where the server takes none, and then no more need be sent.
    pub taken: u32,
}

/// One event.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct AnalyticsEvent {
    /// Unique: an event that comes twice counts once.
    pub event_id: String,
    /// The page.
    pub url: String,
    /// Its host name.
    pub domain: String,
    /// Epoch milliseconds.
    pub timestamp: u64,
    /// What happened.
    pub props: AnalyticsProps,
}

/// See [`AnalyticsEvent::props`].
#[derive(Clone, Debug, Json, PartialEq)]
pub struct AnalyticsProps {
    /// "track"
    #[json(rename = "type")]
    pub kind: String,
    /// "MODAL_OPEN" (spec 8.54).
    pub event: String,
    /// The event's own fields.
    pub properties: Option<Value>,
    /// The active address, where one is connected.
    pub address: Option<String>,
}
