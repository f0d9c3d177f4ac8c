//! Timestamps in the format of the sign-in message.

use portico_json::Write;

/// Epoch seconds as ISO 8601 in UTC, `2023-11-14T22:13:20Z`.
pub(super) fn iso_time(seconds: u64) -> String {
    // Howard Hinnant's civil_from_days: years begin in March, so that a leap day is the last day of its year.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let time = seconds % 86_400;
    let mut out = String::new();
    year.write(&mut out);
    for (mark, part) in [
        ('-', month),
        ('-', day_of_year - (153 * shifted + 2) / 5 + 1),
        ('T', time / 3600),
        (':', time / 60 % 60),
        (':', time % 60),
    ] {
        out.push(mark);
        if part < 10 {
            out.push('0');
        }
        part.write(&mut out);
    }
    out.push('Z');
    out
}

#[cfg(test)]
mod tests {
    use super::iso_time;

    #[test]
    fn times_are_told_as_dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_700_000_000, "2023-11-14T22:13:20Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(iso_time(seconds), text);
        }
    }
}
