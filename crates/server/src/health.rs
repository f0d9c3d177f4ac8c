//! Health checks for load balancers and operators.

use crate::AppState;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use std::time::Duration;
use tokio::time::timeout;

/// Time limit of the database check.
const DATABASE_LIMIT: Duration = Duration::from_secs(2);

/// Part of what all visitors share from which an operator should know.
const NEARLY_FULL: f64 = 0.9;

pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/health", get(ready)).route("/health/live", get(live)).route("/health/ready", get(ready))
}

/// Liveness: independent of the database and other services, so that their failure does not cause a useless restart.
async fn live() -> &'static str {
    "live\n"
}

/// Readiness: whether this node can serve requests.
async fn ready(State(state): State<AppState>) -> (StatusCode, &'static str) {
    if state.stopping() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match timeout(DATABASE_LIMIT, state.database().answers()).await {
        Ok(Ok(())) if state.relay().is_some_and(|relay| !relay.is_well()) => {
            (StatusCode::SERVICE_UNAVAILABLE, "the relay cannot store\n")
        }
        // Redis fails for all nodes at once, so sending visitors to another node would not help.
        Ok(Ok(())) if !state.shared().whole().await => {
            (StatusCode::OK, "ready; Redis is gone, limits are kept by each node\n")
        }
        Ok(Ok(())) if state.fullness().any(|(_, part)| part > NEARLY_FULL) => {
            (StatusCode::OK, "ready; little room is left, portico_full_ratio of the metrics says where\n")
        }
        Ok(Ok(())) => (StatusCode::OK, "ready\n"),
        Ok(Err(error)) => {
            tracing::error!(%error, "the database does not answer");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
        Err(_) => {
            tracing::error!("the database does not answer in time");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
    }
}
