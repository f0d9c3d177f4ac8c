//! Languages of mails and of the wallet's pages: those of the widget.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Months in Arabic, January first.
const MONTHS: [&str; 12] =
    ["يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"];

/// Label of a browser that does not say what it is.
pub(crate) const UNKNOWN_BROWSER: &str = "Unknown browser";

/// One of them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Language {
    English,
    Arabic,
}

impl Language {
    /// Language of a BCP 47 tag; English if there are no texts in it.
    pub(crate) fn of(tag: &str) -> Language {
        Language::known(tag).unwrap_or(Language::English)
    }

    /// First language of an `Accept-Language` header in which there are texts (RFC 9110, section 12.5.4).
    pub(crate) fn accepted(header: &str) -> Language {
        let mut ranges: Vec<(f32, &str)> = header.split(',').filter_map(range).collect();
        // Stable, so that of two equal ones the first stays first.
        ranges.sort_by(|one, other| other.0.total_cmp(&one.0));
        ranges.into_iter().find_map(|(_, tag)| Language::known(tag)).unwrap_or(Language::English)
    }

    /// BCP 47 tag.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Arabic => "ar",
        }
    }

    /// Direction of its text, as HTML names it.
    pub(crate) fn direction(self) -> &'static str {
        match self {
            Language::English => "ltr",
            Language::Arabic => "rtl",
        }
    }

    /// Time to the minute: mails and pages of links do not know where their reader is.
    pub(crate) fn time(self, at: i64) -> String {
        let at = Timestamp::from_millisecond(at).unwrap_or_default().to_zoned(TimeZone::UTC);
        match self {
            Language::English => at.strftime("%b %-d, %Y, %H:%M UTC").to_string(),
            Language::Arabic => {
                let month = MONTHS.get(usize::from(at.month().unsigned_abs()) - 1).copied().unwrap_or_default();
                format!("{} {month} {}، {} UTC", at.day(), at.year(), at.strftime("%H:%M"))
            }
        }
    }

    /// Name of a browser and its system, such as "Firefox on Linux", which the web tier writes in English.
    pub(crate) fn browser(self, label: &str) -> String {
        match (self, label.split_once(" on ")) {
            (Language::Arabic, Some((browser, system))) => format!("{browser} على {system}"),
            (Language::Arabic, None) if label == UNKNOWN_BROWSER => "متصفح غير معروف".into(),
            _ => label.into(),
        }
    }

    fn known(tag: &str) -> Option<Language> {
        let primary = tag.split('-').next().unwrap_or_default().trim();
        [Language::English, Language::Arabic].into_iter().find(|language| primary.eq_ignore_ascii_case(language.tag()))
    }
}

/// Weight and tag of a range, unless it is refused.
fn range(text: &str) -> Option<(f32, &str)> {
    let (tag, weight) = match text.split_once(';') {
        Some((tag, weight)) => (tag, weight.trim().strip_prefix("q=")?.parse().ok()?),
        None => (text, 1.0),
    };
    (weight > 0.0).then_some((weight, tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_with_texts_is_taken() {
        for (header, language) in [
            ("", Language::English),
            ("ar", Language::Arabic),
            ("AR-eg, en;q=0.8", Language::Arabic),
            ("de, ar;q=0.7, en;q=0.9", Language::English),
            ("de-DE,de;q=0.9,ar;q=0.5", Language::Arabic),
            ("ar;q=0, de", Language::English),
            ("ar;q=x", Language::English),
            ("*", Language::English),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
        assert_eq!(["ar-EG", "ar", "de", ""].map(Language::of).map(Language::tag), ["ar", "ar", "en", "en"]);
    }

    #[test]
    fn times_and_browsers_are_told_in_the_language() {
        const AT: i64 = 1_764_213_600_000;
        assert_eq!(Language::English.time(AT), "Nov 27, 2025, 03:20 UTC");
        assert_eq!(Language::Arabic.time(AT), "27 نوفمبر 2025، 03:20 UTC");
        assert_eq!(Language::English.browser("Firefox on Linux"), "Firefox on Linux");
        assert_eq!(Language::Arabic.browser("Firefox on Linux"), "Firefox على Linux");
        assert_eq!(Language::Arabic.browser(UNKNOWN_BROWSER), "متصفح غير معروف");
    }
}
