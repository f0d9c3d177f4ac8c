//! What a load balancer and an operator ask.

use crate::AppState;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use std::time::Duration;
use tokio::time::timeout;

/// A database that takes longer than this is as good as none.
const DATABASE_LIMIT: Duration = Duration::from_secs(2);

pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/health", get(ready)).route("/health/live", get(live)).route("/health/ready", get(ready))
}

/// The process answers. Says nothing about what it depends on, so that a restart is not asked for in vain.
async fn live() -> &'static str {
    "live\n"
}

/// Requests are welcome here.
async fn ready(State(state): State<AppState>) -> (StatusCode, &'static str) {
    if state.stopping() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match timeout(DATABASE_LIMIT, state.database().answers()).await {
        Ok(Ok(())) if state.relay().is_some_and(|relay| !relay.is_well()) => {
            (StatusCode::SERVICE_UNAVAILABLE, "the relay cannot store\n")
        }
        // Redis is no reason to send visitors elsewhere: all nodes lost it.
        Ok(Ok(())) if !state.shared().whole().await => {
            (StatusCode::OK, "ready; Redis is gone, limits are kept by each node\n")
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
