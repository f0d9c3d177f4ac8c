//! Projects as the command line shows them.

use crate::digits::grouped;
use crate::project::origin::Pattern;
use crate::project::{Entry, Quota};
use serde_json::{Value, json};

pub(super) fn texts<T: ToString>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

pub(super) fn words<T: ToString>(values: &[T]) -> String {
    texts(values).join(", ")
}

/// Origins of a project; `None` if it has none.
pub(super) fn origins_of(entry: &Entry) -> Option<String> {
    match &entry.origins[..] {
        [] => None,
        origins if origins.contains(&Pattern::Any) => Some("any origin".into()),
        origins => Some(words(origins)),
    }
}

pub(super) fn as_json(entry: &Entry) -> Value {
    json!({
        "id": entry.id.as_str(),
        "name": entry.name,
        "createdAt": entry.created_at,
        "disabledAt": entry.disabled_at,
        "origins": texts(&entry.origins),
        "methods": texts(&entry.methods),
        "chains": texts(&entry.chains),
        "perSecond": entry.quota.per_second,
        "burst": entry.quota.burst,
        "perDay": entry.quota.per_day,
    })
}

/// Project as lines; `parts` is `limits.client_part`.
pub(super) fn as_lines(entry: &Entry, parts: u32) -> String {
    let all_or = |list: String| if list.is_empty() { "all".to_owned() } else { list };
    let origins = origins_of(entry).unwrap_or_else(|| "only this server's own pages".into());
    let state = if entry.disabled_at.is_some() { " (disabled)" } else { "" };
    let visitor = entry.quota.of_visitor(parts).map(|part| format!("; one visitor {part}"));
    format!(
        "{}  {}{state}\n  origins  {origins}\n  methods  {}\n  chains   {}\n  quota    {}{}\n",
        entry.id.as_str(),
        entry.name,
        all_or(words(&entry.methods)),
        all_or(words(&entry.chains)),
        limits(entry.quota),
        visitor.unwrap_or_default(),
    )
}

pub(super) fn limits(quota: Quota) -> String {
    let rate = match quota.rate() {
        Some(rate) => {
            let (second, burst) = (grouped(quota.per_second.unwrap_or_default().into()), grouped(rate.burst.into()));
            let requests = if quota.per_second == Some(1) { "request" } else { "requests" };
            format!("{second} {requests} per second, {burst} at once")
        }
        // Without a rate, `burst` limits nothing.
        None => "no limit per second or at once".into(),
    };
    let day =
        quota.per_day.map_or_else(|| "no limit per day".into(), |most| format!("{} per day", grouped(most.into())));
    format!("{rate}, {day}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_that_are_in_force_are_told() {
        let quota = |burst| Quota { per_second: None, burst, per_day: None };
        for burst in [None, Some(3)] {
            assert_eq!(limits(quota(burst)), "no limit per second or at once, no limit per day");
        }
        let one = Quota { per_second: Some(1), burst: Some(16), per_day: None };
        assert_eq!(limits(one), "1 request per second, 16 at once, no limit per day");
        let whole = Quota { per_second: Some(5_000), burst: None, per_day: Some(1_000_000) };
        assert_eq!(limits(whole), "5,000 requests per second, 50,000 at once, 1,000,000 per day");
        assert_eq!(whole.of_visitor(8).unwrap(), "at most 625 per second, 6,250 at once, 125,000 per day");
    }
}
