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
    let text = is_text(config.log_format, io::stderr().is_terminal());
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

/// Whether lines are text; by default if standard error is a terminal.
fn is_text(format: LogFormat, terminal: bool) -> bool {
    match format {
        LogFormat::Auto => terminal,
        LogFormat::Text => true,
        LogFormat::Json => false,
    }
}

/// Time of day, UTC.
struct Clock;

impl FormatTime for Clock {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{}", Timestamp::now().strftime("%H:%M:%S"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_text_at_a_terminal_unless_a_format_is_set() {
        let of = |format| [true, false].map(|terminal| is_text(format, terminal));
        assert_eq!(of(LogFormat::Auto), [true, false]);
        assert_eq!((of(LogFormat::Text), of(LogFormat::Json)), ([true; 2], [false; 2]));
    }
}
