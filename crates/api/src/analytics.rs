//! Analytics events: `POST /e` for one, `POST /batch` for a list (spec 7.2, 8.54).

use portico_json::{Json, Value};

/// Response of `POST /e` and `POST /batch`.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Taken {
    /// Number of events accepted; 0 if the server collects none, so the client can stop sending.
    pub taken: u32,
}

/// One analytics event.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct AnalyticsEvent {
    /// Unique id: an event that arrives twice counts once.
    pub event_id: String,
    /// URL of the page.
    pub url: String,
    /// Host name of the page.
    pub domain: String,
    /// Time of the event, in epoch milliseconds.
    pub timestamp: u64,
    /// Content of the event.
    pub props: AnalyticsProps,
}

/// Content of an analytics event.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct AnalyticsProps {
    /// Kind of the event: "track".
    #[json(rename = "type")]
    pub kind: String,
    /// Name of the event: "MODAL_OPEN" (spec 8.54).
    pub event: String,
    /// Fields specific to the event.
    pub properties: Option<Value>,
    /// Active address, if an account is connected.
    pub address: Option<String>,
}
