//! What a relay's words mean.

use crate::relay::RelayError;
use crate::search::{find, split};

/// Seconds by which the relay's clock is ahead: one that finds a token too new or too old tells its own time in doing so.
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

/// Reasons of a close that another attempt cannot change (spec 8.49).
pub(super) fn will_not_mend(reason: &str) -> bool {
    let reason = reason.to_ascii_lowercase();
    ["key", "project", "origin", "country", "audience"].iter().any(|word| find(&reason, word).is_some())
}

/// A payload that the relay will refuse again.
pub(super) fn will_not_take(error: &RelayError) -> bool {
    error.code == -32600 || matches!(error.data.as_deref(), Some("TtlTooShort" | "TtlTooLong"))
}
