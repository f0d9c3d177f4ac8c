//! Concurrent clients: limits of connections and memory, per client and in total.

use crate::support;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, StatusCode};
use hyper::body::Frame;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use support::{RPC, Reply, Server, Upstream, call, pass, reason, text, within};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

const SENTENCE: &str = "You have too many large requests open. Try again in a few seconds.";

/// Nearly half of a visitor's MiB: a body counts when it is received and again when it is sent on.
const LARGE: usize = 400 * 1024;

/// One visitor may use a quarter of the memory.
async fn server_with_one_mebibyte_each(upstreams: &[&str]) -> Server {
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = {upstreams:?}\n");
    Server::configured(&format!("max_body_memory_mib = 4\n{chain}")).await
}

fn large_call() -> String {
    serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": ["x".repeat(LARGE)]}).to_string()
}

/// Maximum size of a body.
const LARGEST: usize = 10 * 1024 * 1024;

/// Body that arrives in chunks sent by the test.
struct Slow(mpsc::UnboundedReceiver<Bytes>);

impl HttpBody for Slow {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|data| data.map(|data| Ok(Frame::data(data))))
    }
}

async fn is_refused_for_now(server: &Server, body: impl Into<Body>) {
    let response = server.post(RPC, body).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(response.headers()["retry-after"], "2");
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    assert_eq!(reason(&text(response).await), (String::new(), SENTENCE.into()));
}

#[tokio::test]
async fn large_bodies_beyond_the_memory_of_their_visitor_are_told_to_come_again() {
    let gate = Arc::new(Notify::new());
    let late = gate.clone();
    let answer = call(1, "eth_call").to_string().replace("method", "result");
    let expected = answer.clone();
    let mut node = Upstream::start(move |_| Reply::Late(late.clone(), answer.clone())).await;
    let server = server_with_one_mebibyte_each(&[&node.url]).await;
    let request = Request::post(RPC).body(Body::from(large_call())).unwrap();
    let first = tokio::spawn(tower::ServiceExt::oneshot(server.router.clone(), request));
    node.heard().await;
    is_refused_for_now(&server, large_call()).await;
    assert_eq!(node.unread(), 0);
    gate.notify_one();
    let response = within("an answer", first).await.unwrap().unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let said: serde_json::Value = serde_json::from_str(&text(response).await).unwrap();
    assert_eq!(said, serde_json::from_str::<serde_json::Value>(&expected).unwrap());
    // All memory is free again.
    gate.notify_one();
    assert_eq!(server.rpc(large_call()).await.0, StatusCode::OK);
}

#[tokio::test]
async fn what_has_not_arrived_takes_no_memory() {
    let node = Upstream::echo().await;
    let server = server_with_one_mebibyte_each(&[&node.url]).await;
    let (send, receive) = mpsc::unbounded_channel();
    let request = Request::post(RPC).header("content-length", 9 * 1024 * 1024).body(Body::new(Slow(receive))).unwrap();
    let promised = tokio::spawn(tower::ServiceExt::oneshot(server.router.clone(), request));
    tokio::task::yield_now().await;
    assert_eq!(server.rpc(large_call()).await.0, StatusCode::OK);
    // Now 800 KiB of it arrive.
    send.send(Bytes::from(vec![b' '; 2 * LARGE])).unwrap();
    assert_eq!(within("an answer", promised).await.unwrap().unwrap().status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(server.rpc(large_call()).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_body_that_stops_arriving_is_refused_after_three_seconds() {
    let node = Upstream::echo().await;
    let server = server_with_one_mebibyte_each(&[&node.url]).await;
    let body = call(1, "eth_chainId").to_string();
    // Caches the project, so that the next request needs no database.
    assert_eq!(server.rpc(body.clone()).await.0, StatusCode::OK);
    let (send, receive) = mpsc::unbounded_channel();
    send.send(Bytes::from(body)).unwrap();
    let request = Request::post(RPC).body(Body::new(Slow(receive))).unwrap();
    let slow = tokio::spawn(tower::ServiceExt::oneshot(server.router.clone(), request));
    tokio::task::yield_now().await;
    pass(Duration::from_millis(2900)).await;
    assert!(!slow.is_finished());
    pass(Duration::from_millis(200)).await;
    let response = within("an answer", slow).await.unwrap().unwrap();
    assert_eq!(response.status(), StatusCode::REQUEST_TIMEOUT);
    assert_eq!(
        reason(&text(response).await),
        ("body".into(), "The body took too long to arrive. Send it again.".into())
    );
    drop(send);
    assert_eq!(node.unread(), 1);
}

#[tokio::test]
async fn an_answer_takes_memory_until_it_is_sent() {
    let result = "x".repeat(LARGE);
    let large = Upstream::says(200, &format!(r#"{{"id":1,"result":"{result}"}}"#)).await;
    let server = server_with_one_mebibyte_each(&[&large.url]).await;
    let ask = || call(1, "eth_call").to_string();
    let unsent = server.post(RPC, ask()).await;
    assert_eq!(unsent.status(), StatusCode::OK);
    is_refused_for_now(&server, ask()).await;
    drop(unsent);
    assert_eq!(server.rpc(ask()).await.0, StatusCode::OK);
    // A batch is refused as a whole, since each of its calls would be refused for the same reason.
    let unsent = server.post(RPC, ask()).await;
    is_refused_for_now(&server, format!("[{}]", ask())).await;
    drop(unsent);
}

#[tokio::test]
async fn lack_of_memory_is_no_fault_of_the_node_and_no_other_is_asked() {
    let too_large = Upstream::says(200, &format!(r#"{{"id":1,"result":"{}"}}"#, "x".repeat(3 * LARGE))).await;
    let other = Upstream::echo().await;
    let server = server_with_one_mebibyte_each(&[&too_large.url, &other.url]).await;
    is_refused_for_now(&server, call(1, "eth_call").to_string()).await;
    assert_eq!(other.unread(), 0);
}

#[tokio::test]
async fn a_long_refusal_is_not_repeated_for_each_call_of_a_batch() {
    let error = "x".repeat(100_000);
    let node = Upstream::says(413, &format!(r#"{{"id":null,"error":{{"code":1,"message":"{error}"}}}}"#)).await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let batch = serde_json::Value::from_iter((0..1000).map(|id| call(id, "eth_blockNumber"))).to_string();
    let (status, answer) = server.rpc(batch).await;
    assert_eq!(status, StatusCode::OK);
    assert!(answer.len() < 200_000 && answer.contains("No node of the chain eip155:31337 is responding. Try again."));
}

#[tokio::test]
async fn a_client_with_as_many_connections_as_it_may_have_gets_no_more() {
    const LIVE: &[u8] = b"GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n";
    let server = Server::configured("max_connections_per_client = 2\n").await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = portico_server::stop::serve_until(
        std::future::pending(),
        listener,
        server.router.clone(),
        server.state.clone(),
    );
    let serving = tokio::spawn(serving);
    let live = || async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        // A connection that is closed at once may fail even here.
        let _ = stream.write_all(LIVE).await;
        let mut answer = [0; 12];
        let read = stream.read_exact(&mut answer).await;
        read.is_ok_and(|_| &answer == b"HTTP/1.1 200").then_some(stream)
    };
    let (first, second) = (live().await.unwrap(), live().await.unwrap());
    assert!(live().await.is_none());
    drop(first);
    // The server notices the closed connection with a delay.
    let third = timeout(Duration::from_secs(10), async {
        loop {
            if let Some(stream) = live().await {
                break stream;
            }
        }
    });
    assert!(third.await.is_ok());
    drop(second);
    serving.abort();
}

/// Status line for a client that announces a body of `length` and sends `sent` bytes of it before it reads.
async fn told_after_sending(toml: &str, length: usize, sent: usize) -> String {
    let server = Server::configured(toml).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = portico_server::stop::serve_until(
        std::future::pending(),
        listener,
        server.router.clone(),
        server.state.clone(),
    );
    let serving = tokio::spawn(serving);
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!("POST {RPC} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n");
    let head = head + if sent == 0 { "expect: 100-continue\r\n\r\n" } else { "\r\n" };
    stream.write_all(head.as_bytes()).await.unwrap();
    within("a body to be sent", stream.write_all(&vec![b' '; sent])).await.unwrap();
    let mut answer = String::new();
    within("an answer", stream.read_to_string(&mut answer)).await.unwrap();
    serving.abort();
    answer.lines().next().unwrap_or_default().into()
}

#[tokio::test]
async fn a_client_that_sends_too_much_still_reads_why_it_was_refused() {
    let chain = "[[chains]]\nid = \"eip155:31337\"\nupstreams = [\"http://127.0.0.1:9\"]\n";
    for length in [LARGEST + 1, 2 * LARGEST] {
        assert_eq!(told_after_sending(chain, length, length).await, "HTTP/1.1 413 Payload Too Large");
    }
    let little = format!("max_body_memory_mib = 4\n{chain}");
    assert_eq!(told_after_sending(&little, LARGEST, LARGEST).await, "HTTP/1.1 429 Too Many Requests");
    // A client that waits for `100 Continue` does not get it.
    assert_eq!(told_after_sending(chain, LARGEST + 1, 0).await, "HTTP/1.1 413 Payload Too Large");
}
