//! Time in the format of the API.

/// Formats seconds since 1970 as `2025-06-01T00:00:00.000000Z`.
pub(crate) fn rfc3339(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.000000Z", second / 3_600, second / 60 % 60, second % 60)
}

/// Converts days since 1970 to a date, by counting years from March in eras of 400 years.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
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
