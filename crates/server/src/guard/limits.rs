//! Rate limits and quotas of a project and of each of its visitors.

use super::client::Client;
use crate::error::in_words;
use crate::project::Entry;
use crate::shared::{Bucket, Limit, Over, Rate};
use crate::{AppState, Failure};
use axum::http::{HeaderName, StatusCode};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::sleep;

/// Headers of draft-ietf-httpapi-ratelimit-headers-10: the limit, and the amount left.
pub(crate) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
pub(crate) const LEFT: HeaderName = HeaderName::from_static("ratelimit");

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A visitor above its own limit hears so after this time: one that comes back at once then takes less of the processor.
const REFUSED_AFTER: Duration = Duration::from_millis(100);

/// Kind of limit.
#[derive(Clone, Copy)]
enum LimitKind {
    Client,
    ClientDay,
    Project,
    Day,
}

/// Charges every limit that applies, or none. Answers 429 if one of them has too little left.
pub(crate) async fn spend(
    state: &AppState,
    entry: &Entry,
    client: Option<&Client>,
    cost: usize,
) -> Result<(), Failure> {
    let id = entry.id.as_str();
    let mut of = Vec::new();
    let mut buckets = Vec::new();
    let mut add = |kind, key, limit| {
        of.push(kind);
        buckets.push(Bucket { key, limit });
    };
    if let Some(client) = client {
        if let Some(rate) = state.limits().client {
            add(LimitKind::Client, format!("client:{id}:{client}"), Limit::Rate(rate));
        }
        let part = state.limits().client_part;
        if let Some(rate) = entry.quota.rate().filter(|_| part > 1) {
            add(LimitKind::Client, format!("part:{id}:{client}"), Limit::Rate(part_of(rate, part)));
        }
        if let Some(most) = entry.quota.per_day.filter(|_| part > 1) {
            // Rounded up before the rate is made of it, so that it refills within a day also where it is one request.
            let most = most.div_ceil(part);
            let day = Rate { per_second: f64::from(most) / DAY.as_secs_f64(), burst: most };
            add(LimitKind::ClientDay, format!("part-day:{id}:{client}"), Limit::Rate(day));
        }
    }
    if let Some(rate) = entry.quota.rate() {
        add(LimitKind::Project, format!("project:{id}"), Limit::Rate(rate));
    }
    // Counted without a limit too, for the admin page.
    let (day, ends_in) = today(SystemTime::now());
    let most = entry.quota.per_day.unwrap_or(u32::MAX);
    add(LimitKind::Day, day_of(id, day), Limit::Window { most, ends_in });
    if cost == 0 {
        return Ok(());
    }
    let cost = u32::try_from(cost).unwrap_or(u32::MAX);
    let mut spent = state.shared().spend_each(&buckets, cost).await;
    if let Err(Over { place, .. }) = &spent
        && matches!(of[*place], LimitKind::Day)
        && entry.quota.per_day.is_none()
    {
        // The counter is full, which is no limit.
        buckets.truncate(*place);
        spent = match buckets.is_empty() {
            true => Ok(()),
            false => state.shared().spend_each(&buckets, cost).await,
        };
    }
    state.projects().count(&entry.id, cost, spent.is_ok());
    match spent {
        Ok(()) => Ok(()),
        Err(Over { place, spent }) => {
            if matches!(of[place], LimitKind::Client | LimitKind::ClientDay) {
                sleep(REFUSED_AFTER).await;
            }
            Err(refusal(of[place], buckets[place].limit, spent.seconds))
        }
    }
}

/// Requests that each of these projects has spent of its quota of this day.
pub(crate) async fn spent_today(state: &AppState, projects: &[Entry]) -> Vec<u32> {
    let (day, _) = today(SystemTime::now());
    let windows: Vec<String> = projects.iter().map(|project| day_of(project.id.as_str(), day)).collect();
    state.shared().spent_of(&windows).await
}

/// Name of the window of a project's quota of one day.
fn day_of(id: &str, day: u64) -> String {
    format!("day:{id}:{day}")
}

/// Charges the rate limit of a visitor without a project. Answers 429 if it has too little left.
pub(crate) async fn spend_open(state: &AppState, client: Client, cost: usize) -> Result<(), Failure> {
    let Some(rate) = state.limits().client.filter(|_| cost > 0) else { return Ok(()) };
    let limit = Limit::Rate(rate);
    let cost = u32::try_from(cost).unwrap_or(u32::MAX);
    let spent = state.shared().spend_each(&[Bucket { key: format!("open:{client}"), limit }], cost).await;
    match spent {
        Ok(()) => Ok(()),
        Err(Over { spent, .. }) => {
            sleep(REFUSED_AFTER).await;
            Err(refusal(LimitKind::Client, limit, spent.seconds))
        }
    }
}

/// One of equal parts of a rate, with a burst of at least one request.
fn part_of(rate: Rate, parts: u32) -> Rate {
    Rate { per_second: rate.per_second / f64::from(parts), burst: rate.burst.div_ceil(parts) }
}

/// Number of days since 1970, and the time left of the current one.
fn today(now: SystemTime) -> (u64, Duration) {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let day = since.as_secs() / DAY.as_secs();
    let ends = Duration::from_secs((day + 1) * DAY.as_secs());
    (day, ends.saturating_sub(since))
}

fn refusal(of: LimitKind, limit: Limit, seconds: u32) -> Failure {
    let (name, field, sentence) = match of {
        LimitKind::Client => ("client", "", "Too many requests at once from here"),
        LimitKind::ClientDay => ("client-day", "", "Too many requests from here today"),
        LimitKind::Project => ("project", "projectId", "This project has too many requests at once"),
        LimitKind::Day => ("day", "projectId", "This project has used its requests for today"),
    };
    let (most, window) = match limit {
        Limit::Rate(rate) => (rate.burst, (f64::from(rate.burst) / rate.per_second).ceil().max(1.0)),
        Limit::Window { most, .. } => (most, DAY.as_secs_f64()),
    };
    let sentence = format!("{sentence}. Try again in {}.", in_words(seconds));
    Failure::new(StatusCode::TOO_MANY_REQUESTS, field, sentence)
        .again_after(seconds)
        .with_header(POLICY, format!("\"{name}\";q={most};w={window}"))
        .with_header(LEFT, format!("\"{name}\";r=0;t={seconds}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_that_of_utc() {
        let at = |seconds: u64| today(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), (0, DAY));
        assert_eq!(at(86_399), (0, Duration::from_secs(1)));
        assert_eq!(at(86_400), (1, DAY));
    }
}
