//! Log lines on standard error: text for people at a terminal, JSON for programs.

use crate::admin::{Events, REQUEST, Text};
use crate::config::{Config, LogFormat};
use jiff::Timestamp;
use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::fmt::format::{FormatFields, Writer, debug_fn};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormattedFields, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

/// Variable that turns colours off: <https://no-color.org>.
const NO_COLOR: &str = "NO_COLOR";

/// Begins to log, and returns the last events of the log.
pub(super) fn begin(config: &Config) -> Events {
    let terminal = io::stderr().is_terminal();
    let plain = Config::environment().any(|(name, value)| name == NO_COLOR && !value.is_empty());
    let colored = terminal && !plain;
    let lines = match is_text(config.log_format, terminal) {
        true => people(io::stderr, colored).boxed(),
        false => {
            let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
            lines.json().flatten_event(true).with_span_list(false).boxed()
        }
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

/// Lines for people.
fn people<S, W>(writer: W, colored: bool) -> impl Layer<S> + Send + Sync
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let bare = debug_fn(|writer: &mut Writer<'_>, _: &Field, value: &dyn fmt::Debug| write!(writer, "{value:?}"));
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_ansi(false);
    lines.fmt_fields(bare.delimited(" ")).event_format(People { colored })
}

/// Line of an event: time of day in UTC, level, words, and the request that it belongs to. A request's own line begins with its method and
/// route: "18:05:02 INFO  GET /v1 200 in 5 ms".
struct People {
    colored: bool,
}

impl<S, N> FormatEvent<S, N> for People
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let request = context.event_scope().and_then(|mut spans| spans.find(|span| span.name() == "request"));
        let fields = request.and_then(|span| Some(span.extensions().get::<FormattedFields<N>>()?.fields.clone()));
        // The span has an id, a method and a route, none of which has a space.
        let fields = fields.unwrap_or_default();
        let fields: Vec<&str> = fields.split(' ').map(|field| field.trim_matches('"')).collect();
        let level = *event.metadata().level();
        self.dim(&mut writer, Timestamp::now().strftime("%H:%M:%S"))?;
        self.level(&mut writer, level)?;
        let mut said = Said::default();
        event.record(&mut said);
        match fields.as_slice() {
            [id, method, route] if said.text.message == REQUEST => {
                let Said { status, millis, mut text } = said;
                text.message = format!("{method} {route} {status} in {millis} ms");
                write!(writer, "{}", Plain(&text.words()))?;
                self.dim(&mut writer, format_args!("  {}", Plain(id)))?;
            }
            [id, method, route] => {
                write!(writer, "{}", Plain(&said.text.words()))?;
                self.dim(&mut writer, format_args!("  {} {} {}", Plain(method), Plain(route), Plain(id)))?;
            }
            _ => write!(writer, "{}", Plain(&said.text.words()))?,
        }
        writeln!(writer)
    }
}

impl People {
    fn dim(&self, writer: &mut Writer<'_>, text: impl fmt::Display) -> fmt::Result {
        if self.colored { write!(writer, "\x1b[2m{text}\x1b[0m") } else { write!(writer, "{text}") }
    }

    fn level(&self, writer: &mut Writer<'_>, level: Level) -> fmt::Result {
        let color = match level {
            Level::ERROR => 31,
            Level::WARN => 33,
            Level::INFO => 32,
            _ => 34,
        };
        let level = level.as_str();
        if self.colored { write!(writer, " \x1b[{color}m{level:<5}\x1b[0m ") } else { write!(writer, " {level:<5} ") }
    }
}

/// Words of an event. Status and duration of a request have a place of their own.
#[derive(Default)]
struct Said {
    text: Text,
    status: u64,
    millis: u64,
}

impl Visit for Said {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.text.record_debug(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.text.record_str(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "status" => self.status = value,
            "millis" => self.millis = value,
            _ => self.text.record_debug(field, &value),
        }
    }
}

/// Text in one line without control characters, which could disguise a line or command the terminal.
struct Plain<'a>(&'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter.is_control() {
                true => write!(formatter, "{}", letter.escape_default())?,
                false => formatter.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Log;

    #[test]
    fn lines_are_text_at_a_terminal_unless_a_format_is_set() {
        let of = |format| [true, false].map(|terminal| is_text(format, terminal));
        assert_eq!(of(LogFormat::Auto), [true, false]);
        assert_eq!((of(LogFormat::Text), of(LogFormat::Json)), ([true; 2], [false; 2]));
    }

    /// Lines without their times.
    fn lines(colored: bool) -> Vec<String> {
        let log = Log::default();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(people(log.clone(), colored)), || {
            tracing::info!("stopped");
            let request = tracing::info_span!("request", id = "64a-1", method = "GET", route = "/v1/{*rest}");
            request.in_scope(|| {
                tracing::warn!(chain = %"eip155:1", cause = "it said \u{1b}[2J\nno", "a node failed");
                let reason = Some("origin not allowed");
                tracing::info!(status = 403_u16, millis = 5_u64, reason, project = None::<&str>, "answered");
            });
        });
        let clock = |line: &str| line.get(if colored { 16.. } else { 8.. }).unwrap().to_owned();
        log.text().lines().map(clock).collect()
    }

    #[test]
    fn a_line_for_people_begins_with_what_happened_and_a_request_with_its_route() {
        assert_eq!(
            lines(false),
            [
                " INFO  stopped",
                " WARN  a node failed: it said \\u{1b}[2J\\nno (chain eip155:1)  GET /v1/{*rest} 64a-1",
                " INFO  GET /v1/{*rest} 403 in 5 ms (reason origin not allowed)  64a-1",
            ]
        );
        let colored = lines(true);
        assert_eq!(colored[0], " \u{1b}[32mINFO \u{1b}[0m stopped");
        assert!(colored[1].starts_with(" \u{1b}[33mWARN \u{1b}[0m a node failed"), "{colored:?}");
    }
}
