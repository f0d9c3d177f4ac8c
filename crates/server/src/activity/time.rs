//! Times in the form of the API: RFC 3339, UTC.

use jiff::Timestamp;

/// Time of a number of seconds since 1970; `None` from the year 10000 on.
pub(crate) fn rfc3339(seconds: u64) -> Option<String> {
    Some(Timestamp::from_second(i64::try_from(seconds).ok()?).ok()?.to_string())
}

/// Time of a source, if it is RFC 3339.
pub(crate) fn written(text: &str) -> Option<String> {
    Some(text.parse::<Timestamp>().ok()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_as_rfc_3339_in_utc() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_748_736_000, "2025-06-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds).as_deref(), Some(text));
        }
        assert_eq!((rfc3339(253_402_300_800), rfc3339(u64::MAX)), (None, None));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in ["", "yesterday", "2025-06-01", "2025-06-01T00:00:00<b>", "2025-02-30T00:00:00Z"] {
            assert_eq!(written(text), None, "{text}");
        }
        assert_eq!(written("2025-06-01T02:00:00.000000+02:00").as_deref(), Some("2025-06-01T00:00:00Z"));
    }
}
