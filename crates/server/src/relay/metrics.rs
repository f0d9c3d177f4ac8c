//! Metrics of the relay. Labels are methods and error tags of the protocol.

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use std::time::Duration;

pub(crate) const SOCKETS: &str = "portico_relay_sockets";
pub(crate) const REQUESTS: &str = "portico_relay_requests_total";
pub(crate) const MESSAGES: &str = "portico_relay_messages_total";
pub(crate) const CLOSED: &str = "portico_relay_refused_sockets_total";
const SECONDS: &str = "portico_relay_store_seconds";

/// Registers the description of each metric.
pub(crate) fn describe() {
    describe_gauge!(SOCKETS, "Open WebSockets of the relay");
    describe_counter!(REQUESTS, "Requests to the relay, by method and outcome");
    describe_counter!(MESSAGES, "Messages of the relay, by event");
    describe_counter!(CLOSED, "Rejected WebSockets of the relay, by reason");
    describe_histogram!(SECONDS, "Time that the relay took to store a batch");
}

/// Begins the number of sockets at zero: a dashboard of a relay without clients shows it, too.
pub(super) fn begin() {
    gauge!(SOCKETS).increment(0.0);
}

/// Counts a socket as open until dropped.
pub(super) struct Counted;

impl Counted {
    pub(super) fn begin() -> Counted {
        gauge!(SOCKETS).increment(1.0);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        gauge!(SOCKETS).decrement(1.0);
    }
}

pub(super) fn asked(method: &'static str, outcome: &'static str) {
    counter!(REQUESTS, "method" => method, "outcome" => outcome).increment(1);
}

pub(super) fn published() {
    counter!(MESSAGES, "what" => "published").increment(1);
}

pub(super) fn pushed(messages: usize) {
    counter!(MESSAGES, "what" => "pushed").increment(messages as u64);
}

pub(super) fn acknowledged() {
    counter!(MESSAGES, "what" => "acknowledged").increment(1);
}

pub(super) fn expired(messages: u64) {
    counter!(MESSAGES, "what" => "expired").increment(messages);
}

pub(super) fn refused(why: &'static str) {
    counter!(CLOSED, "why" => why).increment(1);
}

pub(super) fn stored(took: Duration) {
    histogram!(SECONDS).record(took);
}
