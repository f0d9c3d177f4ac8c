//! Times in the form of the API.

/// Seconds since 1970 as RFC 3339, UTC; `None` from the year 10000 on.
pub(crate) fn rfc3339(seconds: u64) -> Option<String> {
    (seconds < END_OF_TIME).then(|| iso_8601(seconds))
}

/// Start of the year 10000.
const END_OF_TIME: u64 = 253_402_300_800;

fn iso_8601(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// Calendar date of days since 1970, in eras of 400 years that begin in March, so that a leap day is the last of its year.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// Time of a source, if it is RFC 3339.
pub(crate) fn written(text: &str) -> Option<String> {
    let form = b"dddd-dd-ddTdd:dd:dd";
    let fits = (20..=35).contains(&text.len())
        && text.bytes().zip(form).all(|(byte, form)| match form {
            b'd' => byte.is_ascii_digit(),
            form => byte == *form,
        })
        && text.bytes().skip(form.len()).all(|byte| byte.is_ascii_digit() || b".Z+-:".contains(&byte));
    fits.then(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_told_across_leap_years_and_centuries() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_748_736_000, "2025-06-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds).as_deref(), Some(text));
        }
        assert_eq!(rfc3339(END_OF_TIME - 1).as_deref(), Some("9999-12-31T23:59:59Z"));
        assert_eq!((rfc3339(END_OF_TIME), rfc3339(u64::MAX)), (None, None));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in
            ["", "yesterday", "2025-06-01", "2025-06-01 00:00:00Z", "2025-06-01T00:00:00<b>", "2025-06-01T00:00:0éZ"]
        {
            assert_eq!(written(text), None, "{text}");
        }
        assert!(written("2025-06-01T00:00:00.000000Z").is_some());
    }
}
