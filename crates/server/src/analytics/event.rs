//! Converts an event from a page into its stored form.

use crate::Failure;
use portico_api::analytics::AnalyticsEvent;
use portico_json::{Read, Value, to_text};

/// Maximum length of stored texts, in bytes.
const LONGEST: usize = 2048;
const LONGEST_PROPERTIES: usize = 8 * 1024;

/// Maximum length of all texts of an event together, in bytes.
const LONGEST_EVENT: usize = 10 * 1024;

/// Event as it is stored.
#[derive(Debug, PartialEq)]
pub(super) struct Event {
    pub(super) id: String,
    pub(super) happened_at: i64,
    pub(super) name: String,
    /// Without query and fragment, which may hold private data.
    pub(super) url: String,
    pub(super) domain: String,
    pub(super) address: Option<String>,
    pub(super) properties: String,
}

impl Event {
    pub(super) fn read(value: &Value) -> Result<Event, Failure> {
        let event = AnalyticsEvent::read(value)
            .map_err(|error| Failure::parameter(error.0, format!("Add a valid `{}` to the event", error.0)))?;
        let properties = event.props.properties.filter(|value| !value.is_null()).unwrap_or(Value::Object(Vec::new()));
        let url = event.url.split(['?', '#']).next().unwrap_or_default().to_owned();
        let event = Event {
            id: event.event_id,
            happened_at: i64::try_from(event.timestamp)
                .map_err(|_| Failure::parameter("timestamp", "Use epoch milliseconds as the event's `timestamp`"))?,
            name: event.props.event,
            url,
            domain: event.domain,
            address: event.props.address,
            properties: to_text(&properties),
        };
        event.check()?;
        Ok(event)
    }

    /// Bytes of all its texts.
    pub(super) fn bytes(&self) -> usize {
        let address = self.address.as_deref().unwrap_or_default();
        [&self.id, &self.name, &self.url, &self.domain, address, &self.properties].map(str::len).iter().sum()
    }

    /// Started KiB of its texts.
    pub(super) fn kibibytes(&self) -> usize {
        self.bytes().div_ceil(1024)
    }

    fn check(&self) -> Result<(), Failure> {
        let address = self.address.as_deref().unwrap_or_default();
        let texts = [
            ("eventId", self.id.as_str(), LONGEST),
            ("event", &self.name, LONGEST),
            ("url", &self.url, LONGEST),
            ("domain", &self.domain, LONGEST),
            ("address", address, LONGEST),
            ("properties", &self.properties, LONGEST_PROPERTIES),
        ];
        for (field, text, limit) in texts {
            if text.len() > limit {
                return Err(Failure::parameter(field, format!("Shorten the event's `{field}` to {limit} bytes")));
            }
            // PostgreSQL cannot store NUL.
            if text.contains('\0') {
                return Err(Failure::parameter(field, format!("Remove NUL from the event's `{field}`")));
            }
        }
        if self.bytes() > LONGEST_EVENT {
            return Err(Failure::parameter("body", format!("Shorten each event to {LONGEST_EVENT} bytes")));
        }
        for (field, text) in [("eventId", &self.id), ("event", &self.name)] {
            if text.is_empty() {
                return Err(Failure::parameter(field, format!("Add `{field}` to the event")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Event, Failure> {
        Event::read(&portico_json::parse(text).unwrap())
    }

    fn event(id: &str, url: &str, timestamp: &str, properties: &str) -> String {
        format!(
            r#"{{"eventId":{id},"url":{url},"domain":"a.example","timestamp":{timestamp},"props":{{"type":"track","event":"MODAL_OPEN","properties":{properties},"address":"0xab"}}}}"#
        )
    }

    #[test]
    fn spec_7_2_an_event_keeps_its_id_time_name_page_and_address_but_not_the_query_of_the_page() {
        let read = read(&event("\"1\"", "\"https://a.example/b?token=x#y\"", "7", r#"{"connected":false}"#)).unwrap();
        assert_eq!(
            read,
            Event {
                id: "1".into(),
                happened_at: 7,
                name: "MODAL_OPEN".into(),
                url: "https://a.example/b".into(),
                domain: "a.example".into(),
                address: Some("0xab".into()),
                properties: r#"{"connected":false}"#.into(),
            }
        );
    }

    #[test]
    fn what_is_no_event_is_refused() {
        let fits = format!("\"{}\"", "x".repeat(LONGEST));
        let long = format!("\"{}\"", "x".repeat(LONGEST + 1));
        for text in [
            event("7", "\"\"", "7", "{}"),
            event("\"\"", "\"\"", "7", "{}"),
            event("\"a\\u0000\"", "\"\"", "7", "{}"),
            event("\"a\"", &long, "7", "{}"),
            event("\"a\"", "\"\"", "18446744073709551615", "{}"),
            event("\"a\"", "\"\"", "-1", "{}"),
            event(&fits, &fits, "7", &format!("[\"{}\"]", "x".repeat(8000))),
            event("\"a\"", "\"\"", "7", &format!("[{}]", vec!["1"; LONGEST_PROPERTIES].join(","))),
            "[]".into(),
            "null".into(),
        ] {
            assert!(read(&text).is_err(), "{text:.80}");
        }
        assert_eq!(read(&event("\"a\"", "\"\"", "7", "null")).unwrap().properties, "{}");
    }
}
