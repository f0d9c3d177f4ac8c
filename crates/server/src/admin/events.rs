//! The last events of the log, for the admin page. Lines about single requests are left out, as they would push out all others.

use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// Number of events that are remembered.
const MOST: usize = 100;

/// Longest text of an event, in bytes.
const LONGEST: usize = 400;

/// Message of the line about a request.
const REQUEST: &str = "answered";

/// One event.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) at: SystemTime,
    pub(super) level: Level,
    pub(super) text: String,
}

/// The last events; clones share them.
#[derive(Clone, Default)]
pub struct Events(Arc<Mutex<VecDeque<Told>>>);

impl Events {
    /// The events, the newest first.
    pub(super) fn newest_first(&self) -> Vec<Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().rev().cloned().collect()
    }
}

impl<S: Subscriber> Layer<S> for Events {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut text = Text::default();
        event.record(&mut text);
        if text.message == REQUEST {
            return;
        }
        let text = text.message + &text.fields;
        let end = (0..=text.len().min(LONGEST)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let told = Told { at: SystemTime::now(), level: *event.metadata().level(), text: text[..end].to_owned() };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == MOST {
            all.pop_front();
        }
        all.push_back(told);
    }
}

#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a String cannot fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::layer::SubscriberExt;

    #[test]
    fn the_last_hundred_events_are_there_without_those_of_requests() {
        let events = Events::default();
        let log = tracing_subscriber::registry().with(events.clone());
        tracing::subscriber::with_default(log, || {
            for number in 0..150 {
                tracing::info!(status = 200, "answered");
                tracing::warn!(number, "said");
            }
            tracing::error!(error = "é".repeat(LONGEST), "long");
        });
        let told = events.newest_first();
        assert_eq!((told.len(), told[1].text.as_str(), told[1].level), (MOST, "said number=149", Level::WARN));
        assert!(told[0].text.starts_with("long error=\"éé") && told[0].text.len() <= LONGEST);
        assert_eq!(told[99].text, "said number=51");
    }
}
