//! Shares of visitors: one that takes all it can get leaves its neighbours what they need.

mod events;
mod gateway;
mod keyed;
mod pictures;
mod relay;
mod rpc;
mod signatures;
mod sockets;
mod upstreams;

use crate::support;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use futures_util::future::join_all;
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::names::{NAMES, Visitor};
use support::relay::{Peer, RELAY, path};
use support::socket::{Client, Serving};
use support::{RPC, Reply, Server, Upstream, call, status_and_text, text, within};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Behind a proxy that tells the address of each visitor. Only their shares limit them here, not their rates.
const BEHIND_A_PROXY: &str = "trusted_proxies = [\"0.0.0.0\", \"127.0.0.1\"]\nlimits.client_per_second = 0\n";

const ABUSER: &str = "192.0.2.66";
const NEIGHBOUR: &str = "192.0.2.7";
const WALLET: &str = "192.0.2.8";

async fn post(server: &Server, visitor: &str, path: &str, body: impl Into<Body>) -> Response<Body> {
    server.send(Request::post(path).header("x-forwarded-for", visitor).body(body.into()).unwrap()).await
}

async fn rpc(server: &Server, visitor: &str, body: String) -> (StatusCode, String) {
    status_and_text(post(server, visitor, RPC, body).await).await
}

fn chain(upstream: &str) -> String {
    format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{upstream:?}]\n")
}

/// Call with a parameter of this length.
fn large(length: usize) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": ["x".repeat(length)]}).to_string()
}

#[tokio::test]
async fn a_visitor_that_fills_its_memory_leaves_the_neighbours_theirs() {
    let gate = Arc::new(Notify::new());
    let late = gate.clone();
    let mut node = Upstream::start(move |body| match body.len() {
        0..1000 => Reply::Answer(StatusCode::OK, r#"{"jsonrpc":"2.0","id":1,"result":"0x1"}"#.into()),
        _ => Reply::Late(late.clone(), r#"{"jsonrpc":"2.0","id":1,"result":"0x2"}"#.into()),
    })
    .await;
    let server = Server::configured(&format!("max_body_memory_mib = 4\n{BEHIND_A_PROXY}{}", chain(&node.url))).await;
    // Each takes twice its length. Three fit into the quarter of one visitor, twelve would fill the whole.
    let abused: Vec<_> = (0..12)
        .map(|number| {
            let router = server.router.clone();
            let body = large(150_000 + number);
            let request = Request::post(RPC).header("x-forwarded-for", ABUSER).body(Body::from(body)).unwrap();
            tokio::spawn(async move { tower::ServiceExt::oneshot(router, request).await.unwrap().status() })
        })
        .collect();
    for _ in 0..3 {
        node.heard().await;
    }
    assert_eq!(rpc(&server, ABUSER, large(150_000)).await.0, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(rpc(&server, NEIGHBOUR, call(1, "eth_blockNumber").to_string()).await.0, StatusCode::OK);
    for _ in 0..3 {
        gate.notify_one();
    }
    let ended = join_all(abused).await;
    let served = ended.into_iter().filter(|status| matches!(status, Ok(StatusCode::OK))).count();
    assert_eq!(served, 3);
}

#[tokio::test]
async fn a_neighbour_that_asks_the_same_as_a_visitor_without_memory_is_answered() {
    let gate = Arc::new(Notify::new());
    let (late, calls) = (gate.clone(), Arc::new(AtomicUsize::new(0)));
    let asked = calls.clone();
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"result":"0x{}"}}"#, "0".repeat(250_000));
    let answer = long.clone();
    let mut node =
        Upstream::start(move |body| match (body.contains("eth_call"), asked.fetch_add(1, Ordering::Relaxed)) {
            (false, 1) => Reply::Late(late.clone(), answer.clone()),
            (false, _) => Reply::Answer(StatusCode::OK, answer.clone()),
            (true, _) => Reply::Silence,
        })
        .await;
    let server = Server::configured(&format!("max_body_memory_mib = 4\n{BEHIND_A_PROXY}{}", chain(&node.url))).await;
    let (held, same) = (large(450_000), call(1, "eth_getCode").to_string());
    let of = |visitor: &str, body: &str| {
        let (router, body) = (server.router.clone(), Body::from(body.to_owned()));
        let request = Request::post(RPC).header("x-forwarded-for", visitor).body(body).unwrap();
        tokio::spawn(async move { status_and_text(tower::ServiceExt::oneshot(router, request).await.unwrap()).await })
    };
    let hanging = of(ABUSER, &held);
    node.heard().await;
    let poisoned = of(ABUSER, &same);
    node.heard().await;
    let joined = of(NEIGHBOUR, &same);
    // The neighbour has joined the request in flight when it has said so.
    tokio::task::yield_now().await;
    gate.notify_one();
    assert_eq!(within("a refusal", poisoned).await.unwrap().0, StatusCode::TOO_MANY_REQUESTS);
    let (status, said) = within("an answer", joined).await.unwrap();
    assert_eq!((status, said.len()), (StatusCode::OK, long.len()), "{}", said.get(..200).unwrap_or(&said));
    hanging.abort();
}

/// Relay client of a visitor at this address, or the status with which its WebSocket is refused.
async fn opened(serving: &Serving, visitor: &str, key: u8) -> Result<Peer, StatusCode> {
    let mut request = format!("ws://{}{}", serving.address, path(key)).into_client_request().unwrap();
    request.headers_mut().insert("x-forwarded-for", visitor.parse().unwrap());
    match within("a WebSocket to be opened", connect_async(request)).await {
        Ok((client, _)) => Ok(Peer::of(Client(client))),
        Err(tungstenite::Error::Http(refused)) => Err(refused.status()),
        Err(error) => panic!("{error}"),
    }
}

async fn peer(serving: &Serving, visitor: &str, key: u8) -> Peer {
    opened(serving, visitor, key).await.unwrap()
}

#[tokio::test]
async fn requests_in_flight_of_a_visitor_behind_a_proxy_are_as_many_as_its_connections_could_be() {
    let mut node = Upstream::start(|body| match body.contains("eth_call") {
        true => Reply::Silence,
        false => Reply::Answer(StatusCode::OK, r#"{"jsonrpc":"2.0","id":1,"result":"0x1"}"#.into()),
    })
    .await;
    let settings = format!("max_connections_per_client = 3\n{BEHIND_A_PROXY}{}", chain(&node.url));
    let server = Server::configured(&settings).await;
    let mut abused: Vec<_> = (0..3)
        .map(|number| {
            let router = server.router.clone();
            let request = Request::post(RPC).header("x-forwarded-for", ABUSER).body(Body::from(large(number))).unwrap();
            tokio::spawn(async move { tower::ServiceExt::oneshot(router, request).await.unwrap().status() })
        })
        .collect();
    for _ in 0..3 {
        node.heard().await;
    }
    let quick = call(1, "eth_blockNumber").to_string();
    let refused = post(&server, ABUSER, RPC, quick.clone()).await;
    assert_eq!(
        (refused.status(), refused.headers().contains_key("retry-after")),
        (StatusCode::TOO_MANY_REQUESTS, true)
    );
    assert_eq!(refused.headers()["access-control-allow-origin"], "*");
    assert_eq!(rpc(&server, NEIGHBOUR, quick.clone()).await.0, StatusCode::OK);
    // A request that ended, or whose client left, makes room once its answer is sent.
    let ended = abused.pop().unwrap();
    ended.abort();
    assert!(ended.await.is_err());
    let unsent = post(&server, ABUSER, RPC, quick.clone()).await;
    assert_eq!(unsent.status(), StatusCode::OK);
    assert_eq!(rpc(&server, ABUSER, quick.clone()).await.0, StatusCode::TOO_MANY_REQUESTS);
    drop(unsent);
    assert_eq!(rpc(&server, ABUSER, quick).await.0, StatusCode::OK);
    abused.into_iter().for_each(|one| one.abort());
}

#[tokio::test]
async fn websockets_of_a_visitor_behind_a_proxy_count_with_its_requests_and_are_refused_before_they_open() {
    let relay = RELAY.replace("limits.client_per_second = 0\n", "");
    let serving = Serving::configured(&format!("max_connections_per_client = 2\n{BEHIND_A_PROXY}{relay}")).await;
    let (first, _second) = (peer(&serving, ABUSER, 1).await, peer(&serving, ABUSER, 2).await);
    let refused = opened(&serving, ABUSER, 3).await.err();
    assert_eq!(refused, Some(StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(rpc(&serving.server, ABUSER, "{}".into()).await.0, StatusCode::TOO_MANY_REQUESTS);
    peer(&serving, NEIGHBOUR, 4).await;
    drop(first);
    // The server notices the closed socket with a delay.
    within("room for one more", async { while opened(&serving, ABUSER, 3).await.is_err() {} }).await;
}

/// Host of pictures on a loopback port, which never answers for `silent`, nor for more than the head of `held`; tells of each such request.
async fn picture_host() -> (u16, mpsc::UnboundedReceiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, heard) = mpsc::unbounded_channel();
    let mut picture = Cursor::new(Vec::new());
    RgbImage::from_pixel(4, 4, Rgb([9, 8, 7])).write_to(&mut picture, ImageFormat::Png).unwrap();
    let picture = Arc::new(picture.into_inner());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve_picture(stream, tell.clone(), picture.clone()));
        }
    });
    (port, heard)
}

fn get(server: &Server, visitor: &str, path: &str) -> JoinHandle<Response<Body>> {
    let request = Request::get(path).header("x-forwarded-for", visitor).body(Body::empty()).unwrap();
    let router = server.router.clone();
    tokio::spawn(async move { tower::ServiceExt::oneshot(router, request).await.unwrap() })
}

fn image(server: &Server, visitor: &str, port: u16, name: &str) -> JoinHandle<Response<Body>> {
    get(server, visitor, &format!("/v1/image?projectId=demo&url=http%3A%2F%2F127.0.0.1%3A{port}%2F{name}"))
}

#[tokio::test]
async fn pictures_from_a_silent_host_hold_no_slot_of_the_neighbours() {
    let (port, mut heard) = picture_host().await;
    let settings = format!("{BEHIND_A_PROXY}[egress]\nallow = [\"127.0.0.1:{port}\"]\n");
    let server = Server::configured(&settings).await;
    // As many as all visitors together may fetch at once, and more.
    let abused: Vec<_> = (0..80).map(|number| image(&server, ABUSER, port, &format!("silent{number}"))).collect();
    for _ in 0..8 {
        within("a request to the silent host", heard.recv()).await.unwrap();
    }
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
    let shown = within("the neighbour's picture", image(&server, NEIGHBOUR, port, "shown")).await.unwrap();
    // It waited for none of the others to end.
    assert!(abused.iter().all(|one| !one.is_finished()));
    assert_eq!((shown.status(), shown.headers()["content-type"].to_str().unwrap()), (StatusCode::OK, "image/webp"));
    abused.into_iter().for_each(|one| one.abort());
}

#[tokio::test]
async fn a_visitor_that_waits_for_its_own_turns_learns_nothing_about_a_picture_that_its_neighbours_are_told() {
    let (port, mut heard) = picture_host().await;
    let egress =
        format!("[egress]\nallow = [\"127.0.0.1:{port}\"]\n[images]\nipfs_gateway = \"http://127.0.0.1:{port}\"\n");
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{NAMES}{egress}")).await;
    let owner = Visitor::new(1);
    let avatar = "ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/a.png";
    let says = json!({ "name": "alice.portico.eth", "attributes": { "avatar": avatar } });
    assert_eq!(owner.ask(&server, "", says).await.0, StatusCode::OK);
    let identity = format!("/v1/identity/{}?projectId=demo", owner.address());
    let abused: Vec<_> = (0..8).map(|number| image(&server, ABUSER, port, &format!("held{number}"))).collect();
    for _ in 0..8 {
        within("a request to the silent host", heard.recv()).await.unwrap();
    }
    let (waiting, looking) = (image(&server, ABUSER, port, "shown"), get(&server, ABUSER, &identity));
    // The database answers the neighbour, so it has answered the abuser as well.
    support::in_no_time(async {
        for number in 2..22 {
            let other = format!("/v1/identity/{}?projectId=demo", Visitor::new(number).address());
            within("an identity", get(&server, NEIGHBOUR, &other)).await.unwrap();
        }
    })
    .await;
    // The heads of pictures have four seconds, and the pictures that are held eight.
    for _ in 0..9 {
        support::pass(Duration::from_millis(500)).await;
        tokio::task::yield_now().await;
    }
    let busy = within("a refusal", waiting).await.unwrap();
    assert_eq!(busy.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(busy.headers()["retry-after"], "2");
    let avatar = |told: String| serde_json::from_str::<Value>(&told).unwrap()["avatar"].is_string();
    assert!(!avatar(text(within("an identity", looking).await.unwrap()).await));
    let shown = within("the neighbour's picture", image(&server, NEIGHBOUR, port, "shown")).await.unwrap();
    assert_eq!(shown.status(), StatusCode::OK);
    assert!(avatar(text(within("an identity", get(&server, NEIGHBOUR, &identity)).await.unwrap()).await));
    abused.into_iter().for_each(|one| one.abort());
}

/// Answers with the picture, or never.
async fn serve_picture(mut stream: TcpStream, tell: mpsc::UnboundedSender<()>, picture: Arc<Vec<u8>>) {
    let mut head = vec![0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut head).await {
        let head = String::from_utf8_lossy(&head[..read]).into_owned();
        if head.contains("/silent") || head.starts_with("GET /held") {
            tell.send(()).unwrap();
            return std::future::pending().await;
        }
        let mut answer =
            format!("HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: {}\r\n\r\n", picture.len())
                .into_bytes();
        if !head.starts_with("HEAD") {
            answer.extend(picture.iter());
        }
        stream.write_all(&answer).await.unwrap();
    }
}

#[tokio::test]
async fn a_picture_costs_by_its_pixels() {
    let mut large = Cursor::new(Vec::new());
    RgbImage::new(4096, 4096).write_to(&mut large, ImageFormat::Png).unwrap();
    let large = large.into_inner();
    let web = support::web::Web::start(move |_| ([("content-type", "image/png")], large.clone())).await;
    let settings = format!(
        "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1\nclient_burst = 20\n[egress]\nallow = [\"127.0.0.1:{}\"]\n",
        web.port
    );
    let server = Server::configured(&settings).await;
    let image = async |visitor: &str, name: &str| {
        let path = format!("/v1/image?projectId=demo&url=http%3A%2F%2F127.0.0.1%3A{}%2F{name}", web.port);
        let request = Request::get(path).header("x-forwarded-for", visitor).body(Body::empty()).unwrap();
        server.send(request).await.status()
    };
    // Sixteen mebipixels cost sixteen, and the request one.
    assert_eq!(image(ABUSER, "a").await, StatusCode::OK);
    assert_eq!(image(ABUSER, "b").await, StatusCode::TOO_MANY_REQUESTS);
    // A picture that is made already costs the request alone.
    assert_eq!(image(ABUSER, "a").await, StatusCode::OK);
    assert_eq!(image(NEIGHBOUR, "b").await, StatusCode::OK);
}

#[tokio::test]
async fn a_visitor_uses_an_eighth_of_a_projects_rate_and_day_and_the_neighbours_theirs() {
    let node = Upstream::echo().await;
    let server = Server::configured(&format!("{BEHIND_A_PROXY}{}", chain(&node.url))).await;
    server.project(&["add", "--id", "rate", "--any-origin", "--per-second", "8", "--burst", "80"]).await;
    server.project(&["add", "--id", "day", "--any-origin", "--per-day", "80"]).await;
    for (project, name, field) in [("rate", "client", 10), ("day", "client-day", 10)] {
        let path = RPC.replace("demo", project);
        let ask = async |visitor: &str| post(&server, visitor, &path, call(1, "eth_chainId").to_string()).await;
        for _ in 0..10 {
            assert_eq!(ask(ABUSER).await.status(), StatusCode::OK, "{project}");
        }
        let refused = ask(ABUSER).await;
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS, "{project}");
        let policy = refused.headers()["ratelimit-policy"].to_str().unwrap();
        assert!(policy.starts_with(&format!("\"{name}\";q={field};")), "{policy}");
        assert_eq!(ask(NEIGHBOUR).await.status(), StatusCode::OK, "{project}");
    }
}

#[tokio::test]
async fn what_is_refused_before_its_project_is_known_has_a_rate_and_the_neighbours_theirs() {
    let (own, relay) = ("[limits]\nclient_per_second = 1\nclient_burst = 5\n", "[relay]\nenabled = true\n");
    let pages = tempfile::tempdir().unwrap();
    for files in [String::new(), format!("static_dir = {:?}\n", pages.path())] {
        let server = Server::configured(&format!("trusted_proxies = [\"0.0.0.0\"]\n{files}{own}{relay}")).await;
        server.project(&["add", "--id", "listed", "--origin", "https://shop.example"]).await;
        for (number, (path, refused)) in [
            ("/v1/onramp/providers?projectId=nobody", 401),
            ("/v1/onramp/providers?projectId=%20", 401),
            ("/v1/onramp/providers", 401),
            ("/v1/onramp/providers?projectId=listed", 403),
            ("/v1/project/nobody/config", 401),
            ("/v1/no/such/path", 404),
            ("/no/such/file", 404),
            ("/rpc?projectId=demo&auth=wrong", 401),
        ]
        .into_iter()
        .enumerate()
        {
            let (abuser, neighbour) = (format!("192.0.2.{}", 100 + number), format!("198.51.100.{number}"));
            let ask = async |visitor: &str| {
                let method = if path.starts_with("/rpc") { "POST" } else { "GET" };
                let request = Request::builder().method(method).uri(path).header("x-forwarded-for", visitor);
                server.send(request.body(Body::empty()).unwrap()).await.status().as_u16()
            };
            assert_eq!([ask(&abuser).await, ask(&abuser).await], [refused; 2], "{path}");
            let mut asked = 2;
            while ask(&abuser).await != 429 {
                asked += 1;
                assert!(asked < 10, "{path} is refused without end");
            }
            assert_eq!(ask(&neighbour).await, refused, "{path}");
        }
    }
}
