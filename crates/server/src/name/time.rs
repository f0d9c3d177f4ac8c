//! Current time, and its format.

use std::time::{SystemTime, UNIX_EPOCH};

/// Current time in epoch milliseconds.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Epoch milliseconds as RFC 3339, UTC, to the second.
pub(super) fn rfc3339(milliseconds: i64) -> String {
    let seconds = milliseconds.div_euclid(1000);
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, date) = civil(day);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a day since the epoch, in the Gregorian calendar; years begin in March here, so that a leap day comes last.
fn civil(day: i64) -> (i64, i64, i64) {
    const ERA: i64 = 146_097;
    let from_march_0 = day + 719_468;
    let (era, day) = (from_march_0.div_euclid(ERA), from_march_0.rem_euclid(ERA));
    let year = (day - day / 1460 + day / 36_524 - day / (ERA - 1)) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let date = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year + i64::from(month <= 2), month, date)
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
