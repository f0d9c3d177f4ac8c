//! Health checks for load balancers and operators.

use crate::AppState;
use crate::config::folder_mark;
use crate::db::tell_if_slow;
use crate::shared::Refusal;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// Request header with the mark of a database, and the response header that says whether it is the server's.
pub(crate) const MARK: &str = "x-portico-database";
pub(crate) const SAME: &str = "x-portico-same-database";

/// Request header with the mark of a folder, and the response header that says whether the server was started there.
pub(crate) const FOLDER: &str = "x-portico-folder";
pub(crate) const SAME_FOLDER: &str = "x-portico-same-folder";

/// Response header with the address of the public listener.
pub(crate) const LISTEN: &str = "x-portico-listen";

/// Time limit of the database check.
pub(crate) const DATABASE_LIMIT: Duration = Duration::from_secs(2);

/// Part of what all visitors share from which an operator should know.
const NEARLY_FULL: f64 = 0.9;

pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/health", get(ready)).route("/health/live", get(live)).route("/health/ready", get(ready))
}

/// Liveness: independent of the database and other services, so that their failure does not cause a useless restart.
///
/// A command on the same machine asks whether this server works on its database, by the mark of the database, and whether it was started in
/// the same folder, by the mark of the folder. Headers tell it, so that only those who know a database or folder already hear about it.
async fn live(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let mut response = "live\n".into_response();
    let mut tell = |name: &'static str, same: bool| {
        response.headers_mut().insert(name, HeaderValue::from_static(if same { "yes" } else { "no" }));
    };
    if let Some(mark) = headers.get(MARK) {
        tell(SAME, mark == state.mark());
    }
    if let Some(mark) = headers.get(FOLDER) {
        tell(SAME_FOLDER, folder_mark().is_some_and(|own| *mark == own));
    }
    response
}

/// Adds the address of the public listener to the response to a command that works on the same database. Only the admin listener does so: a flag
/// may have moved the public listener to a port that the command can't know.
pub(crate) fn with_address(mut response: Response, public: SocketAddr) -> Response {
    let same = response.headers().get(SAME).is_some_and(|same| same == "yes");
    if let (true, Ok(address)) = (same, HeaderValue::from_str(&public.to_string())) {
        response.headers_mut().insert(LISTEN, address);
    }
    response
}

/// Whether this node can serve requests, and what limits it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Readiness {
    Stopping,
    /// The database isn't responding.
    NoDatabase,
    /// The relay can't store messages.
    NoRelay,
    /// Redis isn't responding. It fails for all nodes at once, so sending visitors to another node would not help.
    NoRedis,
    /// Redis refuses the name or password.
    RedisRefuses,
    /// Redis doesn't have the configured database.
    RedisLacksDatabase,
    /// Little is left of what all visitors share.
    NearlyFull,
    Ready,
}

impl Readiness {
    /// State of this moment.
    pub(crate) async fn of(state: &AppState) -> Readiness {
        if state.stopping() {
            return Readiness::Stopping;
        }
        let found = state.checks().next(state).await;
        match found {
            Found { database: false, .. } => Readiness::NoDatabase,
            _ if state.relay().is_some_and(|relay| !relay.is_well()) => Readiness::NoRelay,
            Found { redis: false, .. } => match state.shared().refusal() {
                Some(Refusal::Login) => Readiness::RedisRefuses,
                Some(Refusal::NoDatabase) => Readiness::RedisLacksDatabase,
                None => Readiness::NoRedis,
            },
            _ if state.fullness().any(|(_, part)| part > NEARLY_FULL) => Readiness::NearlyFull,
            _ => Readiness::Ready,
        }
    }
}

/// Readiness for load balancers: whether this node can serve requests.
async fn ready(State(state): State<AppState>) -> (StatusCode, &'static str) {
    match Readiness::of(&state).await {
        Readiness::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "stopping\n"),
        Readiness::NoDatabase => (StatusCode::SERVICE_UNAVAILABLE, "the database isn't responding\n"),
        Readiness::NoRelay => (StatusCode::SERVICE_UNAVAILABLE, "the relay can't store\n"),
        Readiness::NoRedis => {
            (StatusCode::OK, "ready, but Redis isn't responding and each node keeps its own limits\n")
        }
        Readiness::RedisRefuses => {
            (StatusCode::OK, "ready, but Redis refuses the name or password and each node keeps its own limits\n")
        }
        Readiness::RedisLacksDatabase => {
            (StatusCode::OK, "ready, but Redis has no database of this number and each node keeps its own limits\n")
        }
        Readiness::NearlyFull => {
            (StatusCode::OK, "ready, but little room is left. See portico_full_ratio in the metrics.\n")
        }
        Readiness::Ready => (StatusCode::OK, "ready\n"),
    }
}

/// Checks of the database and of Redis, one at a time. Requests that arrive during a check share the next one, as they have no rate limit.
#[derive(Default)]
pub(crate) struct Checks {
    /// Number of checks that have begun.
    begun: AtomicU64,
    /// Number and result of the last check that has ended.
    last: Mutex<Option<(u64, Found)>>,
}

/// Result of a check.
#[derive(Clone, Copy)]
struct Found {
    database: bool,
    /// Also true without Redis.
    redis: bool,
}

impl Checks {
    /// Result of a check that begins after this call.
    async fn next(&self, state: &AppState) -> Found {
        let before = self.begun.load(Ordering::SeqCst);
        let mut last = self.last.lock().await;
        if let Some((_, found)) = last.filter(|(number, _)| *number > before) {
            return found;
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let begun = Instant::now();
        let answered = timeout(DATABASE_LIMIT, state.database().answers()).await;
        let database = matches!(answered, Ok(Ok(())));
        let was = last.is_none_or(|(_, found)| found.database);
        // A database that refuses at once is checked as often as health is asked for.
        match answered {
            Ok(Err(error)) if was => tracing::error!(%error, "the database isn't responding"),
            Err(_) if was => tracing::error!("the database isn't responding in time"),
            Ok(Ok(())) if !was => tracing::info!("the database is responding again"),
            Ok(Ok(())) => tell_if_slow(begun),
            _ => {}
        }
        let found = Found { database, redis: database && state.shared().whole().await };
        *last = Some((number, found));
        found
    }
}
