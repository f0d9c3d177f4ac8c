//! Meaning of a relay's error and close texts.

use crate::relay::RelayError;
use crate::search::{find, split};

/// Seconds by which the relay's clock is ahead. A relay that finds a token too new or too old states its own time in the reason.
pub(super) fn skew(reason: &str, seconds: u64) -> Option<i64> {
    let number = |mark: &str| {
        let rest = split(reason, mark)?.1;
        rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse::<i64>().ok()
    };
    let theirs = match (number("now + time_leeway: "), number("now - time_leeway: "), number(", time_leeway: ")) {
        (Some(limit), _, Some(leeway)) => limit.checked_sub(leeway),
        (_, Some(limit), Some(leeway)) => limit.checked_add(leeway),
        _ => None,
    };
    theirs.and_then(|time| time.checked_sub_unsigned(seconds))
}

/// Whether a close reason is one that a retry cannot change (spec 8.49).
pub(super) fn will_not_mend(reason: &str) -> bool {
    let reason = reason.to_ascii_lowercase();
    ["key", "project", "origin", "country", "audience"].iter().any(|word| find(&reason, word).is_some())
}

/// Whether the relay will refuse the same message again.
pub(super) fn will_not_take(error: &RelayError) -> bool {
    error.code == -32600 || matches!(error.data.as_deref(), Some("TtlTooShort" | "TtlTooLong"))
}
