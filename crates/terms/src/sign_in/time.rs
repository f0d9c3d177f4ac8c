//! Times in texts. Written here because a calendar library is larger than the feature that needs it.

use crate::Amount;

/// Epoch seconds as RFC 3339, UTC, to the second. Years have at least four digits.
pub fn rfc3339(seconds: u64) -> String {
    // Days from the first of March of the year 0: years then end with the leap day, and 400 of them have 146,097 days.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // The lengths of the months from March on repeat every five months, which have 153 days.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let mut text = String::new();
    for (number, width, end) in [
        (era * 400 + year + later, 4, '-'),
        (month, 2, '-'),
        (day, 2, 'T'),
        (seconds / 3_600 % 24, 2, ':'),
        (seconds / 60 % 60, 2, ':'),
        (seconds % 60, 2, 'Z'),
    ] {
        let digits = Amount::from(number).to_digits();
        for _ in digits.len()..width {
            text.push('0');
        }
        text.push_str(&digits);
        text.push(end);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    /// The server compares many more times with those of a calendar library.
    #[test]
    fn a_time_is_written_in_utc_with_leap_days() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (68_169_599, "1972-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(rfc3339(seconds), text);
        }
        assert!(rfc3339(u64::MAX).ends_with('Z'));
    }
}
