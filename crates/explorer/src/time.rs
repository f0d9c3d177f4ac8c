//! Time in the format of the API.

use jiff::Timestamp;

/// Formats seconds since 1970 as `2025-06-01T00:00:00.000000Z`; the end of the calendar for a time beyond it.
pub(crate) fn rfc3339(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    format!("{:.6}", time.unwrap_or(Timestamp::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_told_across_leap_years_and_centuries() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59.000000Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00.000000Z");
        assert_eq!(rfc3339(1_748_736_000), "2025-06-01T00:00:00.000000Z");
        assert_eq!(rfc3339(4_107_542_400), "2100-03-01T00:00:00.000000Z");
    }
}
