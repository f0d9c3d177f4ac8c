//! Graceful shutdown, in virtual time.

use crate::support;
use axum::Router;
use axum::routing::get;
use portico_server::stop::{DRAIN_LIMIT, Ended, serve_until};
use std::io;
use std::net::SocketAddr;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use support::{Server, within};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, pause, timeout};

const LIVE: &[u8] = b"GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n";
const HALF: &[u8] = b"GET /health/live HTTP/1.1\r\nhost: x\r\n";

/// More than the buffers of two sockets hold.
const LARGE: usize = 32 * 1024 * 1024;

/// Server behind a socket, and the signal that stops it.
struct Serving {
    address: SocketAddr,
    stop: Arc<Notify>,
    ended: JoinHandle<io::Result<Ended>>,
    _server: Server,
}

impl Serving {
    async fn configured(toml: &str) -> Serving {
        let server = Server::configured(toml).await;
        let large = Router::new().route("/large", get(async || vec![b'x'; LARGE]));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(Notify::new());
        let told = stop.clone();
        let router = server.router.clone().merge(large);
        let ended =
            tokio::spawn(serve_until(async move { told.notified().await }, listener, router, server.state.clone()));
        Serving { address, stop, ended, _server: server }
    }

    async fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        within("a request to be sent", stream.write_all(bytes)).await.unwrap();
        stream
    }
}

async fn is_answered(stream: &mut TcpStream) {
    let mut answer = Vec::new();
    while !answer.ends_with(b"live\n") {
        assert_ne!(within("an answer", stream.read_buf(&mut answer)).await.unwrap(), 0);
    }
    assert!(answer.starts_with(b"HTTP/1.1 200"));
}

/// Whether the peer closes within these virtual seconds.
async fn closes_within(stream: &mut TcpStream, seconds: Range<u64>) {
    let start = Instant::now();
    let mut rest = Vec::new();
    let closed = timeout(Duration::from_secs(seconds.end), stream.read_to_end(&mut rest)).await;
    assert!(matches!(closed, Ok(Ok(_) | Err(_))), "still open after {} s", seconds.end);
    assert!(start.elapsed() >= Duration::from_secs(seconds.start), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_head_has_10_seconds_to_arrive() {
    let serving = Serving::configured("").await;
    pause();
    for bytes in [b"".as_slice(), b"G", b"PRI * HTTP", HALF] {
        closes_within(&mut serving.send(bytes).await, 9..11).await;
    }
    for next in [HALF, b""] {
        let mut used = serving.send(LIVE).await;
        is_answered(&mut used).await;
        used.write_all(next).await.unwrap();
        closes_within(&mut used, 9..11).await;
    }
}

#[tokio::test]
async fn a_head_may_fill_64_kib_and_no_more() {
    let serving = Serving::configured("").await;
    let mut half = [HALF, b"x: "].concat();
    half.resize(64 * 1024 - 1, b'a');
    let mut stream = serving.send(&half).await;
    stream.write_all(b"a").await.unwrap();
    let mut answer = String::new();
    within("an answer", stream.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    half.truncate(64 * 1024 - 8);
    is_answered(&mut serving.send(&[&half, b"\r\n\r\n".as_slice()].concat()).await).await;
}

#[tokio::test]
async fn half_a_head_does_not_hold_up_the_stop() {
    let serving = Serving::configured("").await;
    let mut fresh = serving.send(HALF).await;
    let mut used = serving.send(&[LIVE, HALF].concat()).await;
    is_answered(&mut used).await;
    pause();
    let start = Instant::now();
    serving.stop.notify_one();
    assert_eq!(within("the end of the server", serving.ended).await.unwrap().unwrap(), Ended::Drained);
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    closes_within(&mut fresh, 0..1).await;
    closes_within(&mut used, 0..1).await;
}

#[tokio::test]
async fn an_answer_being_written_is_finished_before_the_end() {
    let serving = Serving::configured("").await;
    let mut slow = serving.send(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let mut answer = vec![0; 1024];
    within("an answer", slow.read_exact(&mut answer)).await.unwrap();
    serving.stop.notify_one();
    within("the rest of the answer", slow.read_to_end(&mut answer)).await.unwrap();
    assert!(answer.len() > LARGE, "{} bytes", answer.len());
    assert_eq!(within("the end of the server", serving.ended).await.unwrap().unwrap(), Ended::Drained);
}

#[tokio::test]
async fn no_more_connections_are_served_than_configured() {
    let serving = Serving::configured("max_connections = 2\nmax_connections_per_client = 2\n").await;
    let (mut first, mut second) = (serving.send(LIVE).await, serving.send(LIVE).await);
    is_answered(&mut first).await;
    is_answered(&mut second).await;
    let mut third = serving.send(LIVE).await;
    pause();
    assert!(timeout(Duration::from_secs(5), third.readable()).await.is_err());
    drop(first);
    is_answered(&mut third).await;
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answer_loses_its_place_after_30_seconds() {
    let serving = Serving::configured("max_connections = 1\n").await;
    let mut deaf = serving.send(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n").await;
    within("an answer", deaf.read_exact(&mut [0; 1024])).await.unwrap();
    let mut next = serving.send(LIVE).await;
    pause();
    let start = Instant::now();
    timeout(Duration::from_secs(60), is_answered(&mut next)).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(25), "{:?}", start.elapsed());
}

#[tokio::test]
async fn what_is_in_flight_has_30_seconds() {
    let server = Server::configured("").await;
    let (reached, stop) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, told) = (reached.clone(), stop.clone());
    let router = Router::new().route(
        "/",
        get(move || async move {
            tell.notify_one();
            std::future::pending::<&'static str>().await
        }),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let state = server.state.clone();
    let serving = tokio::spawn(serve_until(async move { told.notified().await }, listener, router, state.clone()));
    let mut client = TcpStream::connect(address).await.unwrap();
    client.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    within("the request", reached.notified()).await;
    tokio::time::pause();
    let start = Instant::now();
    stop.notify_one();
    assert_eq!(within("the end of the server", serving).await.unwrap().unwrap(), Ended::Cut);
    assert_eq!(start.elapsed().as_secs(), DRAIN_LIMIT.as_secs());
    assert!(state.stopping());
}

#[tokio::test]
async fn a_connection_that_asks_nothing_does_not_hold_up_the_stop() {
    let server = Server::configured("").await;
    let stop = Arc::new(Notify::new());
    let told = stop.clone();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = server.router.clone();
    let serving =
        tokio::spawn(serve_until(async move { told.notified().await }, listener, router, server.state.clone()));
    let mut idle = TcpStream::connect(address).await.unwrap();
    let mut used = TcpStream::connect(address).await.unwrap();
    used.write_all(b"GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut answer = [0; 12];
    within("an answer", used.read_exact(&mut answer)).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    stop.notify_one();
    assert_eq!(within("the end of the server", serving).await.unwrap().unwrap(), Ended::Drained);
    assert_eq!(within("the end of the connection", idle.read(&mut answer)).await.unwrap(), 0);
}
