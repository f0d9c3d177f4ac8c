//! Shares of visitors: one that takes all it can get leaves its neighbours what they need.

mod gateway;
mod keyed;
mod pictures;
mod relay;
mod rpc;
mod sockets;
mod upstreams;

use crate::support;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use futures_util::future::join_all;
use futures_util::{FutureExt, StreamExt};
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::names::{NAMES, Visitor};
use support::relay::{Peer, RELAY, message, path, topic};
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

#[tokio::test]
async fn an_honest_pairing_succeeds_while_one_address_floods_and_has_filled_all_the_room_it_may() {
    let relay = RELAY.replace("limits.client_per_second = 0\n", "");
    let most = "mib_total = 4\nmib_per_visitor = 1\nsubscriptions_total = 40\nsubscriptions_per_visitor = 10\n";
    let serving = Serving::configured(&format!("{BEHIND_A_PROXY}{relay}{most}")).await;
    let mut refused = Vec::new();
    for key in 10..20 {
        let mut abuser = peer(&serving, ABUSER, key).await;
        for number in 0..5 {
            let topic = topic(1000 * usize::from(key) + number);
            let subscribed = abuser.ask("irn_subscribe", &json!({"topic": topic})).await;
            let sent = abuser.ask("irn_publish", &message(&topic, &format!("{key}{number}").repeat(60_000))).await;
            refused.extend([&subscribed, &sent].map(|answer| answer["error"]["data"].as_str().map(str::to_owned)));
        }
    }
    let count = |why: &str| refused.iter().filter(|refused| refused.as_deref() == Some(why)).count();
    // Of 10 subscriptions and 5 messages, each stored while the first count of the tables goes on counts twice, so at least half have room.
    let refused = (count("SubscriberLimitExceeded"), count("MailboxLimitExceeded"));
    assert!(matches!(refused, (40..=45, 45..=47)), "{refused:?}");
    // The flood goes on during the pairing.
    let sent = Arc::new(AtomicUsize::new(0));
    let floods: Vec<_> = join_all((20..28).map(|key| peer(&serving, ABUSER, key)))
        .await
        .into_iter()
        .enumerate()
        .map(|(abuser, peer)| tokio::spawn(flood(peer, 1_000_000 * (1 + abuser), sent.clone())))
        .collect();
    let flooded = || sent.load(Ordering::Relaxed);
    within("a flood", async {
        while flooded() < 20 {
            tokio::task::yield_now().await
        }
    })
    .await;
    let before = flooded();
    let (mut page, mut wallet) = (peer(&serving, NEIGHBOUR, 1).await, peer(&serving, WALLET, 2).await);
    // The page proposes before the phone has scanned the code.
    page.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    page.done("irn_publish", &message(&topic(1), "proposal")).await;
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    assert_eq!(wallet.takes().await, "proposal");
    wallet.done("irn_publish", &message(&topic(1), "approval")).await;
    assert_eq!(page.takes().await, "approval");
    assert!(flooded() > before, "the flood has ended");
    assert!(floods.iter().all(|flood| !flood.is_finished()));
    floods.into_iter().for_each(|flood| flood.abort());
}

/// Subscribes and publishes without end, to one new topic after the other.
async fn flood(mut peer: Peer, first: usize, sent: Arc<AtomicUsize>) {
    for number in first.. {
        peer.ask("irn_subscribe", &json!({"topic": topic(number)})).await;
        peer.ask("irn_publish", &message(&topic(number), &format!("{number}").repeat(10_000))).await;
        sent.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn a_visitor_with_many_sockets_has_long_messages_on_few_of_them() {
    let relay = RELAY.replace("limits.client_per_second = 0\n", "");
    let serving = Serving::configured(&format!("{BEHIND_A_PROXY}{relay}")).await;
    let long = message(&topic(1), &"x".repeat(100_000));
    let mut sockets = Vec::new();
    for key in 100..132 {
        sockets.push(peer(&serving, ABUSER, key).await);
    }
    let mut further = peer(&serving, ABUSER, 200).await;
    further.done("irn_publish", &message(&topic(1), &"x".repeat(50_000))).await;
    further.say("irn_publish", &long).await;
    assert_eq!(further.client.next().await, Err((1009, "Send a shorter message, as text".into())));
    sockets[31].done("irn_publish", &long).await;
    peer(&serving, NEIGHBOUR, 1).await.done("irn_publish", &long).await;
}

#[tokio::test]
async fn a_client_above_its_rate_is_not_heard_for_a_second_and_its_neighbour_is() {
    let serving = Serving::configured(&format!("{RELAY}publishes_per_second = 1\npublish_burst = 2\n")).await;
    let (mut hasty, mut calm) = (Peer::open(&serving, 1).await, Peer::open(&serving, 2).await);
    // A message of 32 KiB costs two.
    hasty.done("irn_publish", &message(&topic(1), &"x".repeat(32 * 1024))).await;
    assert_eq!(hasty.refused("irn_publish", &message(&topic(1), "y")).await.1, "TooManyRequests");
    let later = hasty.say("irn_subscribe", &json!({"topic": topic(2)})).await;
    for number in 10..15 {
        calm.done("irn_subscribe", &json!({"topic": topic(number)})).await;
    }
    assert!(hasty.client.0.next().now_or_never().is_none());
    support::pass(Duration::from_secs(1)).await;
    assert!(hasty.answer(&later).await["error"].is_null());
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

fn event(number: usize) -> Value {
    json!({"eventId": number.to_string(), "url": "https://a.example", "domain": "a.example", "timestamp": 7,
        "props": {"type": "track", "event": "MODAL_OPEN"}})
}

#[tokio::test]
async fn a_visitor_stores_so_many_events_and_the_neighbours_theirs_until_the_table_has_its_fill() {
    let settings = format!("{BEHIND_A_PROXY}[analytics]\nenabled = true\nmost_events = 320\n");
    let server = Server::configured(&settings).await;
    let send = async |visitor: &str, from: usize, many: usize| {
        let events = Value::from_iter((from..from + many).map(event)).to_string();
        let answer = post(&server, visitor, "/batch?projectId=demo", events).await;
        assert_eq!(answer.status(), StatusCode::ACCEPTED);
        serde_json::from_str::<Value>(&text(answer).await).unwrap()["taken"].as_u64().unwrap()
    };
    let mut stored = 0;
    for batch in 0..40 {
        stored += send(ABUSER, 10 * batch, 10).await;
    }
    assert_eq!(stored, 300);
    assert_eq!(send(NEIGHBOUR, 5000, 20).await, 20);
    assert_eq!(send(NEIGHBOUR, 6000, 1).await, 0);
}

#[tokio::test]
async fn events_count_by_their_bytes_for_their_visitor_and_for_the_table() {
    let settings = format!("{BEHIND_A_PROXY}[analytics]\nenabled = true\nmost_mib = 1\n");
    let server = Server::configured(&settings).await;
    let long = |number: usize| {
        let mut event = event(number);
        event["props"]["properties"] = json!({ "text": "x".repeat(8000) });
        Value::Array(vec![event]).to_string()
    };
    let send = async |visitor: &str, number: usize| {
        let answer = post(&server, visitor, "/batch?projectId=demo", long(number)).await;
        serde_json::from_str::<Value>(&text(answer).await).unwrap()["taken"].as_u64().unwrap()
    };
    // Each has 8 KiB: 37 of them are the 300 of one visitor.
    let mut stored = 0;
    for number in 0..60 {
        stored += send(ABUSER, number).await;
    }
    assert!((37..=38).contains(&stored), "{stored}");
    // Again the same event takes no room of the table.
    for _ in 0..30 {
        assert_eq!(send(NEIGHBOUR, 0).await, 1);
    }
    for number in 0..37 {
        assert_eq!(send(WALLET, 1000 + number).await, 1);
    }
    // 130 of them fill the MiB, whoever sends them.
    let mut others = 0;
    while send(&format!("198.51.100.{others}"), 2000 + others).await == 1 {
        others += 1;
    }
    assert!((stored + 37 + others as u64).abs_diff(129) < 4, "{stored} {others}");
}

#[tokio::test]
async fn events_cost_as_many_requests_as_they_are() {
    let settings = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1\nclient_burst = 50\n[analytics]\nenabled = true\n";
    let server = Server::configured(settings).await;
    let events = |many: usize| Value::from_iter((0..many).map(event)).to_string();
    let send = async |visitor, many| post(&server, visitor, "/batch?projectId=demo", events(many)).await.status();
    assert_eq!(send(ABUSER, 40).await, StatusCode::ACCEPTED);
    assert_eq!(send(ABUSER, 40).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(send(NEIGHBOUR, 40).await, StatusCode::ACCEPTED);
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
