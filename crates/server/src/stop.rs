//! Serving until told to stop, and stopping without dropping anyone.

mod clients;
mod socket;

use crate::AppState;
use crate::guard::client::Peer;
use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use axum::serve::Listener;
use clients::Admitted;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket::{Activity, Socket};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tower::{ServiceExt, service_fn};

pub(crate) use clients::Clients;

/// How long requests in flight may take once the server was told to stop.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(30);

/// How long the head of a request may take to arrive, the first as well as the next on the same connection.
pub const HEAD_LIMIT: Duration = Duration::from_secs(10);

/// The longest head of a request, in bytes, and what is read ahead of a body: it is room that each connection takes uncounted.
const HEAD_ROOM: usize = 64 * 1024;

/// How serving ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ended {
    /// Every request in flight was answered.
    Drained,
    /// Some were still running after [`DRAIN_LIMIT`] and were cut.
    Cut,
}

/// The place of a connection, among the extensions of its requests: a WebSocket keeps it beyond the HTTP before it.
#[derive(Clone)]
pub(crate) struct Seat {
    _held: Arc<(Admitted, OwnedSemaphorePermit, mpsc::Sender<()>)>,
}

/// Serves until `stop` is done; then takes no more connections, fails readiness and finishes what is in flight.
pub async fn serve_until(
    stop: impl Future<Output = ()> + Send + 'static,
    mut listener: TcpListener,
    router: Router,
    state: AppState,
) -> io::Result<Ended> {
    let places = Arc::new(Semaphore::new(state.max_connections()));
    let clients = Clients::new(state.max_connections_per_client());
    // Nothing is sent: it closes when the last place is given back.
    let (taken_places, mut all_given_back) = mpsc::channel(1);
    // Dropped at the end, which cuts what is left.
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
            // Listener::accept waits where the process is out of descriptors; TcpListener's own fails.
            let (stream, peer) = Listener::accept(&mut listener).await;
            Ok::<_, io::Error>((place, stream, peer))
        };
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            taken = next => {
                let (place, stream, peer) = taken?;
                // One that has its share already is closed at once: it must not use up the places of the others.
                let Some(admitted) = clients.admit(peer.ip()) else {
                    tracing::warn!("closed a connection of a client that has as many as it may");
                    continue;
                };
                let (router, state) = (router.clone(), state.clone());
                let seat = Seat { _held: Arc::new((admitted, place, taken_places.clone())) };
                connections.spawn(async move { converse(stream, Peer(peer.ip()), seat, router, &state).await });
            }
        }
    }
    drop(listener);
    state.begin_stop();
    drop(taken_places);
    let drained = async {
        while connections.join_next().await.is_some() {}
        all_given_back.recv().await
    };
    let drained = timeout(DRAIN_LIMIT, drained).await;
    Ok(if drained.is_ok() { Ended::Drained } else { Ended::Cut })
}

/// Answers the requests of one connection, one after the other.
async fn converse(stream: TcpStream, peer: Peer, seat: Seat, router: Router, state: &AppState) {
    // Without it small answers wait for the acknowledgement of earlier ones. A failure costs speed alone.
    let _ = stream.set_nodelay(true);
    let activity = Activity::default();
    let answer = service_fn(|mut request: Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(seat.clone());
        let running = activity.begin();
        let answer = router.clone().oneshot(request.map(axum::body::Body::new));
        async move {
            let response: Response = answer.await?;
            Ok::<_, Infallible>(response.map(|body| running.until_sent(body)))
        }
    });
    let socket = TokioIo::new(Socket::new(stream, activity.clone()));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_LIMIT)
        .max_buf_size(HEAD_ROOM)
        .serve_connection(socket, TowerToHyperService::new(answer))
        .with_upgrades();
    let mut connection = pin!(connection);
    // A connection fails where its client breaks off or is too slow: nothing the operator could mend.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = state.stop_begun() => {
            if activity.in_flight() {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
    }
}
