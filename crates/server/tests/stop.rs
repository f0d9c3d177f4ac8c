//! Stopping, in virtual time.

mod support;

use axum::Router;
use axum::routing::get;
use portico_server::stop::{DRAIN_LIMIT, Ended, serve_until};
use std::sync::Arc;
use support::Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::Instant;

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
    reached.notified().await;
    tokio::time::pause();
    let start = Instant::now();
    stop.notify_one();
    assert_eq!(serving.await.unwrap().unwrap(), Ended::Cut);
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
    used.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    stop.notify_one();
    assert_eq!(serving.await.unwrap().unwrap(), Ended::Drained);
    assert_eq!(idle.read(&mut answer).await.unwrap(), 0);
}
