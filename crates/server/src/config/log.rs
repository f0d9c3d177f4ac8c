//! What is logged.

use super::file::Read;
use tracing_subscriber::filter::{LevelFilter, Targets};

const DEFAULT: &str = "info";

impl Read<'_> {
    pub(super) fn log(&mut self) -> Option<Targets> {
        let (text, place) = self.text_or("log", DEFAULT);
        // A bare word that is no level would be a target, and all else be silent.
        let is_clear =
            |part: &str| part.contains('=') || (!part.is_empty() && part.trim().parse::<LevelFilter>().is_ok());
        let parsed = text.split(',').all(is_clear).then(|| text.parse::<Targets>().ok()).flatten();
        let parsed = parsed
            .ok_or_else(|| format!("`{text}` does not say what to log; say error, warn, info, debug, trace or off"));
        self.keep(place, parsed.map(|targets| if text.contains("sqlx") { targets } else { without_notices(targets) }))
    }
}

/// PostgreSQL remarks at each start that what is already there is not made again.
fn without_notices(targets: Targets) -> Targets {
    match targets.default_level() {
        Some(LevelFilter::INFO) => targets.with_target("sqlx::postgres::notice", LevelFilter::WARN),
        _ => targets,
    }
}
