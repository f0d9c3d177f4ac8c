//! The last events of the log, for the admin page. Lines about single requests, and those that only help to find faults of the program, such
//! as the statements of the database, are left out: they would push out all others.

use crate::config::ended;
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
pub(crate) const REQUEST: &str = "answered";

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
        // A chatty level comes after its neighbours: `debug` and `trace` are above `info`.
        if *event.metadata().level() > Level::INFO {
            return;
        }
        let mut text = Text::default();
        event.record(&mut text);
        if text.message == REQUEST {
            return;
        }
        let text = text.sentence();
        let end = (0..=text.len().min(LONGEST)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let told = Told { at: SystemTime::now(), level: *event.metadata().level(), text: text[..end].to_owned() };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == MOST {
            all.pop_front();
        }
        all.push_back(told);
    }
}

/// Words of an event.
#[derive(Default)]
pub(crate) struct Text {
    pub(crate) message: String,
    cause: String,
    fields: String,
}

impl Text {
    /// The message, its cause, and the other fields in brackets: "A node failed: it can't be reached (chain eip155:1)". After a message of whole
    /// sentences the cause is a sentence too.
    fn sentence(mut self) -> String {
        let mut letters = self.message.chars();
        self.message = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        self.words()
    }

    /// The same, with the message as it is.
    pub(crate) fn words(self) -> String {
        let mut text = self.message;
        if !self.cause.is_empty() {
            text = match text.ends_with('.') {
                true => format!("{text} Cause: {}", ended(&self.cause)),
                false => format!("{text}: {}", self.cause),
            };
        }
        if self.fields.is_empty() { text } else { format!("{text} ({})", self.fields) }
    }

    fn add(&mut self, name: &str, value: &dyn fmt::Display) {
        // Writing to a String cannot fail.
        let _ = match name {
            "message" => write!(self.message, "{value}"),
            "error" | "cause" | "mistake" => write!(self.cause, "{value}"),
            // A number of chains.
            "chains" => write!(self.fields, "{}", many(value, "chain")),
            name => {
                let comma = if self.fields.is_empty() { "" } else { ", " };
                write!(self.fields, "{comma}{} {value}", name.replace('_', " "))
            }
        };
    }
}

/// A number with its word: "15 chains".
fn many(number: &dyn fmt::Display, word: &str) -> String {
    let number = number.to_string();
    format!("{number} {word}{}", if number == "1" { "" } else { "s" })
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field.name(), &format_args!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field.name(), &value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::layer::SubscriberExt;

    #[test]
    fn an_event_is_told_as_a_sentence() {
        let events = Events::default();
        let log = tracing_subscriber::registry().with(events.clone());
        tracing::subscriber::with_default(log, || {
            let cause = "it can't be reached";
            tracing::warn!(chain = %"eip155:1", node_host = "node.example", cause = %cause, "a node failed");
            tracing::info!("an operator signed in to the admin page");
            tracing::error!(mistake = %"portico.toml, line 3: use a list.", "the chains stay unchanged");
            for chains in [1, 15] {
                tracing::info!(chains, "serving the chains of the new configuration");
            }
            tracing::warn!(cause = "it refuses connections", "Redis isn't responding. This node keeps its own limits.");
        });
        let told: Vec<String> = events.newest_first().into_iter().map(|told| told.text).collect();
        let failed = "A node failed: it can't be reached (chain eip155:1, node host node.example)";
        let redis = "Redis isn't responding. This node keeps its own limits. Cause: it refuses connections.";
        let serving =
            ["15 chains", "1 chain"].map(|many| format!("Serving the chains of the new configuration ({many})"));
        let mistake = "The chains stay unchanged: portico.toml, line 3: use a list.";
        let operator = "An operator signed in to the admin page";
        assert_eq!(told, [redis, &serving[0], &serving[1], mistake, operator, failed]);
    }

    #[test]
    fn the_last_hundred_events_are_there_without_those_of_requests_and_of_the_database() {
        let events = Events::default();
        let log = tracing_subscriber::registry().with(events.clone());
        tracing::subscriber::with_default(log, || {
            for number in 0..150 {
                tracing::info!(status = 200, "answered");
                tracing::debug!(summary = "select id, name from …", "summary");
                tracing::warn!(number, "said");
            }
            tracing::error!(error = "é".repeat(LONGEST), "long");
        });
        let told = events.newest_first();
        assert_eq!((told.len(), told[1].text.as_str(), told[1].level), (MOST, "Said (number 149)", Level::WARN));
        assert!(told[0].text.starts_with("Long: éé") && told[0].text.len() <= LONGEST);
        assert_eq!(told[99].text, "Said (number 51)");
    }
}
