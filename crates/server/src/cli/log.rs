//! Log lines on standard error: text for people at a terminal, JSON for programs.

use crate::admin::Events;
use crate::config::{Config, LogFormat};
use jiff::Timestamp;
use std::fmt;
use std::io::{self, IsTerminal};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Begins to log, and returns the last events of the log.
pub(super) fn begin(config: &Config) -> Events {
    let text = match config.log_format {
        LogFormat::Auto => io::stderr().is_terminal(),
        LogFormat::Text => true,
        LogFormat::Json => false,
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let lines = match text {
        true => lines.compact().with_ansi(false).with_target(false).with_timer(Clock).boxed(),
        false => lines.json().flatten_event(true).with_span_list(false).boxed(),
    };
    // Fails only if a logger is already installed, as in a test.
    let events = Events::default();
    let remembered = events.clone().with_filter(config.log.clone());
    let _ = tracing_subscriber::registry().with(lines.with_filter(config.log.clone())).with(remembered).try_init();
    events
}

/// Time of day, UTC.
struct Clock;

impl FormatTime for Clock {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{}", Timestamp::now().strftime("%H:%M:%S"))
    }
}
