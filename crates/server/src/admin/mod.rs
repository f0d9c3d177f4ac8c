//! Admin listener: the admin page, metrics for Prometheus and health, on an address of its own that visitors do not reach.
//!
//! Label values come from fixed lists (route pattern, HTTP method, status), never from text of a client.

mod events;
mod figures;
pub(crate) mod key;
mod page;
mod projects;
mod route;
mod sign_in;
pub(crate) mod table;

use crate::AppState;
use crate::guard::metrics::{IN_FLIGHT, REQUESTS, SECONDS};
use crate::health;
use crate::relay;
use crate::rpc;
use crate::wallet;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics::{describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::future::ready;
use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;

pub use events::Events;
pub(crate) use events::{REQUEST, Text};

/// Histogram buckets in seconds; visitors notice about 0.1 s and more.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

const MEMORY: &str = "portico_resident_memory_bytes";
const STARTED: &str = "portico_start_time_seconds";
const FULL: &str = "portico_full_ratio";
const READY: &str = "portico_ready";

/// Installs the metrics recorder, once per process. Metrics recorded earlier are lost.
pub(crate) fn install() -> Result<PrometheusHandle, BuildError> {
    let handle = recorder()?;
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

/// Installs a recorder without descriptions, as the vault does.
pub(crate) fn recorder() -> Result<PrometheusHandle, BuildError> {
    let builder = PrometheusBuilder::new();
    builder.set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &BUCKETS)?.install_recorder()
}

/// State of the admin listener.
#[derive(Clone)]
struct Admin {
    state: AppState,
    metrics: PrometheusHandle,
    events: Events,
}

/// Router of the admin listener; `metrics` are those of this process, `events` its last events.
pub fn router(state: AppState, metrics: PrometheusHandle, events: Events) -> Router {
    let health = health::router().with_state(state.clone());
    let admin = Admin { state, metrics, events };
    let pages = sign_in::router().layer(from_fn_with_state(admin.clone(), sign_in::only_from_near));
    let paths = Router::new().route("/metrics", get(metrics_text)).merge(pages).with_state(admin).merge(health);
    paths.fallback(|| async { (StatusCode::NOT_FOUND, "Not found. This listener has /admin, /metrics and /health.\n") })
}

/// Serves until the process ends. `public` is the address of the public listener.
pub(crate) async fn serve(
    listener: TcpListener,
    public: SocketAddr,
    state: AppState,
    metrics: PrometheusHandle,
    events: Events,
) {
    let tell = map_response(move |response: Response| ready(health::with_address(response, public)));
    let app = router(state, metrics, events).layer(tell).into_make_service_with_connect_info::<SocketAddr>();
    // Returns only on an error of the listener; broken connections do not end it.
    if let Err(error) = axum::serve(listener, app).await {
        tracing::error!(%error, "the admin listener ended");
    }
}

async fn metrics_text(State(admin): State<Admin>) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], admin.text().await).into_response()
}

impl Admin {
    /// The metrics of this moment as text.
    async fn text(&self) -> String {
        let state = &self.state;
        let ready = !state.stopping() && state.database().answers().await.is_ok();
        gauge!(READY).set(if ready { 1.0 } else { 0.0 });
        if let Some(bytes) = resident_memory() {
            gauge!(MEMORY).set(bytes);
        }
        state.fullness().for_each(|(of, part)| gauge!(FULL, "of" => of).set(part));
        state.chains().iter().for_each(|chain| chain.update_resting_gauges());
        self.metrics.run_upkeep();
        let own = self.metrics.render();
        // The vault is a process of its own, with metrics of its own.
        match state.vault() {
            Some(way) => own + &wallet::vault_metrics(way).await.unwrap_or_default(),
            None => own,
        }
    }
}

/// Resident memory in bytes, from `/proc`; `None` on systems other than Linux.
fn resident_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u32 = line.split_whitespace().next()?.parse().ok()?;
    Some(f64::from(kilobytes) * 1024.0)
}
