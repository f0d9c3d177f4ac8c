//! Admin listener: metrics for Prometheus and health, on an address of its own that visitors do not reach.
//!
//! Label values come from fixed lists (route pattern, HTTP method, status), never from text of a client.

use crate::AppState;
use crate::guard::metrics::{IN_FLIGHT, REQUESTS, SECONDS};
use crate::health;
use crate::relay;
use crate::rpc;
use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics::{describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;

/// Histogram buckets in seconds; visitors notice about 0.1 s and more.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

const MEMORY: &str = "portico_resident_memory_bytes";
const STARTED: &str = "portico_start_time_seconds";
const FULL: &str = "portico_full_ratio";
const READY: &str = "portico_ready";

/// Installs the metrics recorder, once per process. Metrics recorded earlier are lost.
pub(crate) fn install() -> Result<PrometheusHandle, BuildError> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &BUCKETS)?
        .install_recorder()?;
    describe_counter!(REQUESTS, "Requests answered, by route, method and status");
    describe_histogram!(SECONDS, "Duration of requests in seconds, by route");
    describe_gauge!(IN_FLIGHT, "Requests in flight");
    describe_gauge!(MEMORY, "Memory of the process");
    describe_gauge!(STARTED, "When the process started, in epoch seconds");
    describe_gauge!(FULL, "Used part of what all visitors share, from 0 to 1");
    describe_gauge!(READY, "1 while requests can be served");
    rpc::metrics::describe();
    relay::metrics::describe();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    gauge!(STARTED).set(now.as_secs_f64());
    Ok(handle)
}

/// Serves until the process ends.
pub(crate) async fn serve(listener: TcpListener, state: AppState, handle: PrometheusHandle) {
    let app = Router::new()
        .route("/metrics", get(metrics))
        .with_state((state.clone(), handle))
        .merge(health::router().with_state(state));
    // Returns only on an error of the listener; broken connections do not end it.
    if let Err(error) = axum::serve(listener, app).await {
        tracing::error!(%error, "the admin listener ended");
    }
}

async fn metrics(State((state, handle)): State<(AppState, PrometheusHandle)>) -> Response {
    let ready = !state.stopping() && state.database().answers().await.is_ok();
    gauge!(READY).set(if ready { 1.0 } else { 0.0 });
    if let Some(bytes) = resident_memory() {
        gauge!(MEMORY).set(bytes);
    }
    state.fullness().for_each(|(of, part)| gauge!(FULL, "of" => of).set(part));
    state.chains().iter().for_each(|chain| chain.update_resting_gauges());
    handle.run_upkeep();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], handle.render()).into_response()
}

/// Resident memory in bytes, from `/proc`; `None` on systems other than Linux.
fn resident_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u32 = line.split_whitespace().next()?.parse().ok()?;
    Some(f64::from(kilobytes) * 1024.0)
}
