//! Serving until told to stop, and stopping without dropping anyone.

use crate::AppState;
use axum::Router;
use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::sleep;

/// How long requests in flight may take once the server was told to stop.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(30);

/// How serving ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ended {
    /// Every request in flight was answered.
    Drained,
    /// Some were still running after [`DRAIN_LIMIT`] and were cut.
    Cut,
}

/// Serves until `stop` is done; then takes no more connections, fails readiness and finishes what is in flight.
pub async fn serve_until(
    stop: impl Future<Output = ()> + Send + 'static,
    listener: TcpListener,
    router: Router,
    state: AppState,
) -> io::Result<Ended> {
    let begin = state.clone();
    let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
        stop.await;
        begin.begin_stop();
    });
    let too_long = async {
        state.stop_begun().await;
        sleep(DRAIN_LIMIT).await;
    };
    tokio::select! {
        done = serving.into_future() => done.map(|()| Ended::Drained),
        () = too_long => Ok(Ended::Cut),
    }
}
