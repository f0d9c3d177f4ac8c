//! `log`: the log level of each target. `log_format`: the form of log lines.

use super::file::Read;
use tracing_subscriber::filter::{LevelFilter, Targets};

const DEFAULT: &str = "info";

/// Form of log lines.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    #[default]
    Auto,
    /// Lines for people.
    Text,
    /// One JSON object a line, for programs.
    Json,
}

impl LogFormat {
    /// Word of the setting.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Text => "text",
            Self::Json => "json",
        }
    }
}

impl Read<'_> {
    pub(super) fn log_format(&mut self) -> Option<LogFormat> {
        let (text, place) = self.text("log_format")?;
        let parsed = match text.as_str() {
            "auto" => Ok(LogFormat::Auto),
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            _ => Err(format!("use auto, text or json as log format, not `{text}`")),
        };
        self.keep(place, parsed)
    }

    pub(super) fn log(&mut self) -> Option<Targets> {
        let (text, place) = self.text_or("log", DEFAULT);
        // A bare word that is no level would be read as a target and silence all others.
        let is_clear =
            |part: &str| part.contains('=') || (!part.is_empty() && part.trim().parse::<LevelFilter>().is_ok());
        let parsed = text.split(',').all(is_clear).then(|| text.parse::<Targets>().ok()).flatten();
        let parsed =
            parsed.ok_or_else(|| format!("use error, warn, info, debug, trace or off as log level, not `{text}`"));
        self.keep(place, parsed.map(|targets| if text.contains("sqlx") { targets } else { without_driver(targets) }))
    }
}

/// Hides lines of the database driver that an operator can't use: that PostgreSQL has a table already, and statements with their SQL. The
/// server has a sentence of its own about a slow database.
fn without_driver(targets: Targets) -> Targets {
    match targets.default_level() {
        None | Some(LevelFilter::OFF | LevelFilter::ERROR) => targets,
        Some(_) => targets
            .with_target("sqlx::postgres::notice", LevelFilter::WARN)
            .with_target("sqlx::query", LevelFilter::ERROR)
            .with_target("sqlx::pool", LevelFilter::ERROR)
            .with_target("sqlx_core", LevelFilter::ERROR),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn the_drivers_warnings_are_hidden_and_its_errors_are_not() {
        for level in ["trace", "debug", "info", "warn"] {
            let targets = without_driver(level.parse().unwrap());
            for target in ["sqlx::query", "sqlx::pool::acquire", "sqlx_core::pool::inner"] {
                assert!(!targets.would_enable(target, &Level::WARN), "{level} {target}");
                assert!(targets.would_enable(target, &Level::ERROR), "{level} {target}");
            }
            assert!(targets.would_enable("portico_server::db", &Level::WARN), "{level}");
        }
        assert!(!without_driver("error".parse().unwrap()).would_enable("sqlx::query", &Level::WARN));
    }
}
