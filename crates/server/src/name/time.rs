//! Current time, and its format.

use jiff::Timestamp;
use std::time::{SystemTime, UNIX_EPOCH};

/// Current time in epoch milliseconds.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Epoch milliseconds as RFC 3339, UTC, to the second; the end of the calendar for a time beyond it.
pub(super) fn rfc3339(milliseconds: i64) -> String {
    Timestamp::from_second(milliseconds.div_euclid(1000)).unwrap_or(Timestamp::MAX).to_string()
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn a_time_is_written_as_rfc_3339_in_utc() {
        for (milliseconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(milliseconds), text);
        }
    }
}
