//! `[analytics]`: whether events of widgets are stored, and for how long.

use super::file::Read;

pub(super) const SETTINGS: &[&str] =
    &["analytics.enabled", "analytics.keep_days", "analytics.most_events", "analytics.most_mib"];

/// A year and a month, so that a month can be compared with that of the year before.
const DEFAULT_KEEP_DAYS: &str = "395";

const MOST_DAYS: u32 = 36_500;

const MOST_EVENTS: usize = 1_000_000_000_000;
const MOST_MIB: usize = 1_000_000_000;

impl Read<'_> {
    /// Whether events are stored; off by default.
    pub(super) fn analytics(&mut self) -> Option<bool> {
        self.switch("analytics.enabled", false)
    }

    /// Maximum number of stored events.
    pub(super) fn analytics_most_events(&mut self) -> Option<usize> {
        self.number("analytics.most_events", "50000000", MOST_EVENTS, "events")
    }

    /// Maximum size of the texts of stored events, in MiB.
    pub(super) fn analytics_most_mib(&mut self) -> Option<usize> {
        self.number("analytics.most_mib", "51200", MOST_MIB, "mebibytes")
    }

    /// Retention of events in days. 0 is refused where events are stored, because it reads both as "none" and as "forever".
    pub(super) fn analytics_keep_days(&mut self, stored: bool) -> Option<u32> {
        let (text, place) = self.text_or("analytics.keep_days", DEFAULT_KEEP_DAYS);
        let parsed = match text.parse() {
            Ok(0) if stored => {
                Err(format!("use 1 to {MOST_DAYS} days, not 0. To store no events, set `analytics.enabled = false`."))
            }
            Ok(days) if days <= MOST_DAYS => Ok(days),
            _ => Err(format!("use 1 to {MOST_DAYS} days, not `{text}`")),
        };
        self.keep(place, parsed).filter(|days| *days > 0)
    }
}
