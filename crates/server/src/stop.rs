//! Serving until a stop signal, and a graceful shutdown.

mod door;
mod socket;

use crate::AppState;
use crate::guard::client::Peer;
pub(crate) use crate::guard::in_flight::Seat;
use crate::guard::in_flight::until_sent;
use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use door::Door;
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
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tower::{ServiceExt, service_fn};

/// Time limit of requests in flight after the stop signal.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(30);

/// Time limit of a request head, for the first request and for later ones on the same connection.
pub const HEAD_LIMIT: Duration = Duration::from_secs(10);

/// Maximum size of a request head, in bytes, and of body data read ahead; every connection may use this much uncounted memory.
const HEAD_ROOM: usize = 64 * 1024;

/// Result of serving.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ended {
    /// Every request in flight was answered.
    Drained,
    /// Some requests still ran after [`DRAIN_LIMIT`] and were cut off.
    Cut,
}

/// Serves until `stop` completes; then accepts no more connections, fails readiness and finishes requests in flight.
pub async fn serve_until(
    stop: impl Future<Output = ()> + Send + 'static,
    listener: TcpListener,
    router: Router,
    state: AppState,
) -> io::Result<Ended> {
    let places = Arc::new(Semaphore::new(state.max_connections()));
    let mut door = Door::new(listener, state.max_connections_per_client())?;
    // Carries no messages: the channel closes when the last slot is released.
    let (taken_places, mut all_given_back) = mpsc::channel(1);
    // Dropped at the end, which cuts remaining connections.
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
            // A proxy connects for all visitors.
            let (stream, peer, admitted) = door.next(|peer| !state.limits().trusts(peer)).await;
            Ok::<_, io::Error>((place, stream, peer, admitted))
        };
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            taken = next => {
                let (place, stream, peer, admitted) = taken?;
                let (router, state) = (router.clone(), state.clone());
                let seat = Seat::new(admitted, place, taken_places.clone());
                connections.spawn(async move { converse(stream, Peer(peer.ip()), seat, router, &state).await });
            }
        }
    }
    drop(door);
    state.begin_stop();
    drop(taken_places);
    let drained = async {
        while connections.join_next().await.is_some() {}
        all_given_back.recv().await
    };
    let drained = timeout(DRAIN_LIMIT, drained).await;
    Ok(if drained.is_ok() { Ended::Drained } else { Ended::Cut })
}

/// Serves the requests of one connection, one after the other.
async fn converse(stream: TcpStream, peer: Peer, seat: Seat, router: Router, state: &AppState) {
    // Without nodelay small responses wait for the acknowledgement of earlier ones. A failure only costs speed.
    let _ = stream.set_nodelay(true);
    let activity = Activity::default();
    let answer = service_fn(|mut request: Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(seat.clone());
        let running = activity.begin();
        let answer = router.clone().oneshot(request.map(axum::body::Body::new));
        async move {
            let response: Response = answer.await?;
            Ok::<_, Infallible>(response.map(|body| until_sent(body, running)))
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
    // Errors come from clients that disconnect or are too slow: nothing an operator could fix.
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
