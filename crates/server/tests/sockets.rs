//! JSON-RPC over WebSocket.

mod support;

use axum::Router;
use axum::extract::ws::{Message as Heard, WebSocket, WebSocketUpgrade};
use axum::routing::any;
use futures_util::{SinkExt, StreamExt};
use portico_server::stop::{Ended, serve_until};
use serde_json::{Value, json};
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use support::{RPC, Server, Upstream, call, reason, status_and_text};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::sync::{Notify, broadcast, mpsc};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A node that takes WebSockets: it takes every subscription, says what it is told to, and hangs up when it is told to.
struct Node {
    url: String,
    heard: mpsc::UnboundedReceiver<Value>,
    tell: broadcast::Sender<Option<String>>,
}

impl Node {
    async fn start(name: &'static str) -> Node {
        let (tell, _) = broadcast::channel(64);
        let (hear, heard) = mpsc::unbounded_channel();
        let told = tell.clone();
        let router = Router::new().fallback(any(async move |upgrade: WebSocketUpgrade| {
            let told = told.subscribe();
            upgrade.on_upgrade(move |socket| Node::converse(socket, name, hear, told))
        }));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Node { url, heard, tell }
    }

    async fn converse(
        mut socket: WebSocket,
        name: &'static str,
        hear: mpsc::UnboundedSender<Value>,
        mut told: broadcast::Receiver<Option<String>>,
    ) {
        loop {
            tokio::select! {
                message = socket.recv() => {
                    let Some(Ok(Heard::Text(text))) = message else { return };
                    let call: Value = serde_json::from_str(&text).unwrap();
                    let kind = call["params"][0].as_str().unwrap();
                    let mut answer = json!({"jsonrpc": "2.0", "id": call["id"], "result": format!("{name}-{kind}")});
                    if call["params"][1]["refuse"] == true {
                        answer = json!({"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32000, "message": "no such filter"}});
                    }
                    socket.send(Heard::text(answer.to_string())).await.unwrap();
                    hear.send(call).unwrap();
                }
                said = told.recv() => match said {
                    Ok(Some(text)) => socket.send(Heard::text(text)).await.unwrap(),
                    _ => return,
                },
            }
        }
    }

    fn happens(&self, subscription: &str, result: &Value) {
        let params = json!({"subscription": subscription, "result": result});
        let text = json!({"jsonrpc": "2.0", "method": "eth_subscription", "params": params}).to_string();
        self.tell.send(Some(text)).unwrap();
    }

    fn hangs_up(&self) {
        self.tell.send(None).unwrap();
    }
}

/// A server behind a socket.
struct Serving {
    address: SocketAddr,
    stop: Arc<Notify>,
    ended: JoinHandle<io::Result<Ended>>,
    _server: Server,
}

impl Serving {
    async fn configured(toml: &str) -> Serving {
        let server = Server::configured(toml).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(Notify::new());
        let told = stop.clone();
        let stopped = async move { told.notified().await };
        let ended = tokio::spawn(serve_until(stopped, listener, server.router.clone(), server.state.clone()));
        Serving { address, stop, ended, _server: server }
    }

    /// One chain whose calls go to `http` and whose subscriptions to these nodes in turn.
    async fn with(more: &str, http: &Upstream, sockets: &[&str]) -> Serving {
        let upstream = |url: &&str| format!("{{ url = {:?}, ws_url = {url:?} }}", http.url);
        let list = sockets.iter().map(upstream).collect::<Vec<_>>().join(", ");
        Serving::configured(&format!("{more}[[chains]]\nid = \"eip155:31337\"\nupstreams = [{list}]\n")).await
    }

    async fn open(&self, path: &str) -> Client {
        let (stream, _) = connect_async(format!("ws://{}{path}", self.address)).await.unwrap();
        Client(stream)
    }
}

struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

const SOCKET: &str = "/v1/ws?chainId=eip155:31337&projectId=demo";

impl Client {
    async fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    /// The next text, or the close code and reason.
    async fn next(&mut self) -> Result<Value, (u16, String)> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(Some(frame)))) => return Err((frame.code.into(), frame.reason.to_string())),
                Some(Ok(_)) => {}
                ended => panic!("{ended:?}"),
            }
        }
    }

    async fn subscribe(&mut self, params: &Value) -> String {
        self.say(&json!({"jsonrpc": "2.0", "id": "s", "method": "eth_subscribe", "params": params})).await;
        let answer = self.next().await.unwrap();
        assert_eq!(answer["id"], "s", "{answer}");
        answer["result"].as_str().unwrap().to_owned()
    }
}

fn event(id: &str, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "eth_subscription", "params": {"subscription": id, "result": result}})
}

#[tokio::test]
async fn what_is_not_a_websocket_or_not_allowed_is_refused() {
    let server = Server::with_upstreams(&[&Upstream::absent().await]).await;
    let (status, answer) = status_and_text(server.get(SOCKET).await).await;
    assert_eq!((status.as_u16(), reason(&answer).1.as_str()), (426, "This path takes WebSockets only"));
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    for path in ["/v1/ws?projectId=demo", "/v1/ws?chainId=eip155:31337", "/v1/ws?chainId=eip155:5&projectId=demo"] {
        assert!(connect_async(format!("ws://{}{path}", serving.address)).await.is_err(), "{path}");
    }
}

#[tokio::test]
async fn calls_are_answered_as_if_they_were_posted() {
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    for path in [SOCKET, RPC] {
        let mut client = serving.open(path).await;
        client.say(&call(7, "eth_chainId")).await;
        assert_eq!(client.next().await, Ok(json!({"jsonrpc": "2.0", "id": 7, "result": "eth_chainId"})));
        client.say(&json!([call(1, "evm_mine"), call(2, "eth_call")])).await;
        let answer = client.next().await.unwrap();
        assert_eq!((&answer[0]["error"]["code"], &answer[1]["result"]), (&json!(-32601), &json!("eth_call")));
        client.0.send(Message::text("{")).await.unwrap();
        let answer = client.next().await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(null), &json!(-32700)));
    }
}

#[tokio::test]
async fn what_happens_reaches_who_subscribed_under_an_id_of_ours() {
    let (http, mut node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("", &http, &[&node.url]).await;
    let mut client = serving.open(SOCKET).await;
    let heads = client.subscribe(&json!(["newHeads"])).await;
    let logs = client.subscribe(&json!(["logs", {"address": "0x1"}])).await;
    assert!(heads != logs && !heads.contains("a-"), "{heads} {logs}");
    assert_eq!(node.heard.recv().await.unwrap()["params"], json!(["newHeads"]));
    assert_eq!(node.heard.recv().await.unwrap()["params"], json!(["logs", {"address": "0x1"}]));
    node.happens("a-logs", &json!({"data": "0x"}));
    assert_eq!(client.next().await, Ok(event(&logs, &json!({"data": "0x"}))));
    // What nobody asked for goes nowhere.
    node.happens("a-other", &json!(1));
    node.happens("a-newHeads", &json!({"number": "0x1"}));
    assert_eq!(client.next().await, Ok(event(&heads, &json!({"number": "0x1"}))));
    // A subscription that was given up is not heard of again.
    let unsubscribe = json!({"jsonrpc": "2.0", "id": 9, "method": "eth_unsubscribe", "params": [logs]});
    for known in [true, false] {
        client.say(&unsubscribe).await;
        assert_eq!(client.next().await, Ok(json!({"jsonrpc": "2.0", "id": 9, "result": known})));
    }
    assert_eq!(node.heard.recv().await.unwrap()["params"], json!(["a-logs"]));
    node.happens("a-logs", &json!(2));
    node.happens("a-newHeads", &json!(3));
    assert_eq!(client.next().await, Ok(event(&heads, &json!(3))));
}

#[tokio::test]
async fn when_the_node_is_lost_another_tells_the_same_under_the_same_ids() {
    let (http, mut first, mut second) = (Upstream::echo().await, Node::start("a").await, Node::start("b").await);
    let serving = Serving::with("", &http, &[&first.url, &second.url]).await;
    let mut client = serving.open(SOCKET).await;
    let heads = client.subscribe(&json!(["newHeads"])).await;
    let pending = client.subscribe(&json!(["newPendingTransactions"])).await;
    first.heard.recv().await.unwrap();
    first.hangs_up();
    for _ in 0..2 {
        second.heard.recv().await.unwrap();
    }
    second.happens("b-newHeads", &json!(1));
    second.happens("b-newPendingTransactions", &json!("0x2"));
    assert_eq!(client.next().await, Ok(event(&heads, &json!(1))));
    assert_eq!(client.next().await, Ok(event(&pending, &json!("0x2"))));
}

#[tokio::test]
async fn what_many_clients_of_a_chain_subscribe_to_is_asked_of_its_node_once() {
    let (http, mut node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("", &http, &[&node.url]).await;
    let (mut one, mut two) = (serving.open(SOCKET).await, serving.open(SOCKET).await);
    let ids = [
        one.subscribe(&json!(["newHeads"])).await,
        two.subscribe(&json!(["newHeads"])).await,
        two.subscribe(&json!(["newHeads"])).await,
    ];
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
    let logs = one.subscribe(&json!(["logs", {"topics": [], "address": "0x1"}])).await;
    node.happens("a-newHeads", &json!({"number": "0x1"}));
    assert_eq!(one.next().await, Ok(event(&ids[0], &json!({"number": "0x1"}))));
    for id in &ids[1..] {
        assert_eq!(two.next().await, Ok(event(id, &json!({"number": "0x1"}))));
    }
    // Two orders, and both over one connection.
    let heard = [node.heard.recv().await.unwrap(), node.heard.recv().await.unwrap()];
    assert_eq!(heard.map(|order| order["id"].clone()), [json!(1), json!(2)]);
    assert!(node.heard.try_recv().is_err());
    assert_eq!(node.tell.receiver_count(), 1);
    // Whoever leaves, the others stay; with the last one the subscription ends.
    drop(one);
    assert_eq!(node.heard.recv().await.unwrap()["params"], json!(["a-logs"]));
    node.happens("a-logs", &json!(logs));
    for (place, left) in [(1, 2), (2, 1)] {
        node.happens("a-newHeads", &json!(left));
        for id in &ids[place..] {
            assert_eq!(two.next().await, Ok(event(id, &json!(left))));
        }
        two.say(&json!({"jsonrpc": "2.0", "id": 9, "method": "eth_unsubscribe", "params": [ids[place]]})).await;
        assert_eq!(two.next().await.unwrap()["result"], true);
    }
    assert_eq!(node.heard.recv().await.unwrap()["params"], json!(["a-newHeads"]));
    // The next one begins anew.
    two.subscribe(&json!(["newHeads"])).await;
    assert_eq!(node.heard.recv().await.unwrap()["id"], 1);
}

#[tokio::test]
async fn a_subscription_that_the_node_refuses_is_refused_to_each_who_asked_and_the_others_stay() {
    let http = Upstream::echo().await;
    let mut node = Node::start("a").await;
    let serving = Serving::with("", &http, &[&node.url]).await;
    let (mut one, mut two) = (serving.open(SOCKET).await, serving.open(SOCKET).await);
    let heads = one.subscribe(&json!(["newHeads"])).await;
    for client in [&mut one, &mut two] {
        client
            .say(&json!({"jsonrpc": "2.0", "id": 5, "method": "eth_subscribe", "params": ["logs", {"refuse": true}]}))
            .await;
        let answer = client.next().await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["message"]), (&json!(5), &json!("no such filter")));
    }
    node.happens("a-newHeads", &json!(1));
    assert_eq!(one.next().await, Ok(event(&heads, &json!(1))));
    for _ in 0..3 {
        node.heard.recv().await.unwrap();
    }
}

#[tokio::test]
async fn who_reads_too_slowly_is_closed_and_holds_up_nobody_else() {
    let (http, node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("", &http, &[&node.url]).await;
    let (mut slow, mut quick) = (serving.open(SOCKET).await, serving.open(SOCKET).await);
    slow.subscribe(&json!(["newHeads"])).await;
    let id = quick.subscribe(&json!(["newHeads"])).await;
    // More than may wait and the buffers of two sockets hold together.
    let large = json!("x".repeat(1024 * 1024));
    for _ in 0..48 {
        node.happens("a-newHeads", &large);
        assert_eq!(quick.next().await.unwrap()["params"]["subscription"], json!(id));
    }
    let mut taken = 0;
    let closed = loop {
        match slow.next().await {
            Ok(_) => taken += 1,
            Err(closed) => break closed,
        }
    };
    assert_eq!(closed, (1008, "You read too slowly; at most 8 MiB wait for you".into()));
    assert!(taken < 40, "{taken}");
    let mut next = serving.open(SOCKET).await;
    next.say(&call(7, "eth_chainId")).await;
    assert_eq!(next.next().await.unwrap()["result"], "eth_chainId");
}

#[tokio::test]
async fn a_client_that_asks_nothing_for_ten_minutes_is_closed_though_it_is_there() {
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&call(7, "eth_chainId")).await;
    client.next().await.unwrap();
    for _ in 0..19 {
        support::pass(Duration::from_secs(30)).await;
        assert!(matches!(client.0.next().await, Some(Ok(Message::Ping(_)))));
        // What answers this has heard the answer to that before.
        client.0.send(Message::Ping(Default::default())).await.unwrap();
        assert!(matches!(client.0.next().await, Some(Ok(Message::Pong(_)))));
    }
    support::pass(Duration::from_secs(31)).await;
    assert_eq!(client.next().await, Err((1000, "You asked nothing for ten minutes".into())));
}

#[tokio::test]
async fn when_no_node_is_left_the_client_is_told_to_come_again() {
    let (http, mut node) = (Upstream::echo().await, Node::start("a").await);
    let gone = Upstream::absent().await.replace("http", "ws");
    let serving = Serving::with("", &http, &[&gone]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": ["newHeads"]})).await;
    let expected = Err((1012, "No node of the chain eip155:31337 takes subscriptions".to_owned()));
    assert_eq!(client.next().await, expected);
    assert!(node.heard.try_recv().is_err());
}

#[tokio::test]
async fn what_cannot_be_subscribed_to_is_an_error_and_the_connection_stays() {
    let (http, node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("rpc.subscriptions_per_socket = 1\n", &http, &[&node.url]).await;
    let mut client = serving.open(SOCKET).await;
    for (params, code) in [(json!(["syncing"]), -32602), (json!([]), -32602), (json!(null), -32602)] {
        client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": params})).await;
        assert_eq!(client.next().await.unwrap()["error"]["code"], code, "{params}");
    }
    client.subscribe(&json!(["newHeads"])).await;
    client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": ["logs", {}]})).await;
    assert_eq!(client.next().await.unwrap()["error"]["code"], -32005);
    let plain =
        Serving::configured(&format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", http.url)).await;
    let mut client = plain.open(SOCKET).await;
    client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": ["newHeads"]})).await;
    assert_eq!(client.next().await.unwrap()["error"]["code"], -32603);
}

#[tokio::test]
async fn an_order_whose_id_json_rpc_does_not_know_is_no_order() {
    let (http, node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("", &http, &[&node.url]).await;
    let mut client = serving.open(SOCKET).await;
    for method in ["eth_subscribe", "eth_unsubscribe"] {
        client.say(&json!({"jsonrpc": "2.0", "id": {"a": 1}, "method": method, "params": ["newHeads"]})).await;
        let answer = client.next().await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(null), &json!(-32700)), "{answer}");
    }
}

#[tokio::test]
async fn an_answer_too_long_for_a_websocket_is_an_error_for_each_of_its_calls() {
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{}"}}"#, "a".repeat(5 * 1024 * 1024));
    let http = Upstream::says(200, &long).await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&call(7, "eth_call")).await;
    let answer = client.next().await.unwrap();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32603)), "{answer}");
    client.say(&json!([call(1, "eth_call"), call(2, "evm_mine")])).await;
    let answer = client.next().await.unwrap();
    let codes = (&answer[0]["error"]["code"], &answer[1]["error"]["code"]);
    assert_eq!(codes, (&json!(-32603), &json!(-32601)), "{answer}");
}

#[tokio::test]
async fn a_client_has_no_more_websockets_than_it_may_and_none_takes_a_message_too_long() {
    let http = Upstream::echo().await;
    let serving = Serving::with("rpc.sockets_per_client = 1\n", &http, &["ws://127.0.0.1:1"]).await;
    let mut client = serving.open(SOCKET).await;
    let refused = connect_async(format!("ws://{}{SOCKET}", serving.address)).await.unwrap_err();
    assert!(refused.to_string().contains("429"), "{refused}");
    client.0.send(Message::text(" ".repeat(1024 * 1024 + 1))).await.unwrap();
    let ended = client.0.next().await;
    assert!(!matches!(ended, Some(Ok(Message::Text(_)))), "{ended:?}");
}

#[tokio::test]
async fn a_stop_closes_with_1001_and_waits_for_nobody() {
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&call(7, "eth_chainId")).await;
    client.next().await.unwrap();
    serving.stop.notify_one();
    assert_eq!(client.next().await, Err((1001, "The server stops; connect again".into())));
    drop(client);
    assert_eq!(serving.ended.await.unwrap().unwrap(), Ended::Drained);
}

#[tokio::test]
async fn a_client_that_does_not_answer_a_ping_is_given_up() {
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    let mut deaf = TcpStream::connect(serving.address).await.unwrap();
    let upgrade = "host: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
    deaf.write_all(format!("GET {SOCKET} HTTP/1.1\r\n{upgrade}\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        assert_ne!(deaf.read_buf(&mut answer).await.unwrap(), 0);
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"));
    tokio::time::pause();
    let start = tokio::time::Instant::now();
    let mut rest = Vec::new();
    deaf.read_to_end(&mut rest).await.unwrap();
    // RFC 6455 5.5.2: a ping without a word.
    assert_eq!(rest, [0x89, 0]);
    assert!((55..65).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

/// A real chain, which `npm ci` brought.
async fn anvil() -> (Child, String) {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../node_modules");
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let processor = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    let binary = modules.join(format!("@foundry-rs/anvil-{system}-{processor}/bin/anvil"));
    let mut command = Command::new(binary);
    command.args(["--port", "0"]).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().expect("`npm ci` brings the chain");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    loop {
        let line = lines.next_line().await.unwrap().unwrap();
        if let Some(address) = line.trim().strip_prefix("Listening on ") {
            return (child, address.to_owned());
        }
    }
}

#[tokio::test]
async fn a_real_chain_tells_of_its_blocks() {
    let (_chain, address) = anvil().await;
    let upstream = format!("{{ url = \"http://{address}\", ws_url = \"ws://{address}\" }}");
    let methods = "methods = [\"evm_mine\"]";
    let serving =
        Serving::configured(&format!("[[chains]]\nid = \"eip155:31337\"\n{methods}\nupstreams = [{upstream}]\n")).await;
    let mut client = serving.open(SOCKET).await;
    let heads = client.subscribe(&json!(["newHeads"])).await;
    let mine = json!({"jsonrpc": "2.0", "id": 1, "method": "evm_mine", "params": []});
    client.say(&mine).await;
    let mut told = [client.next().await.unwrap(), client.next().await.unwrap()];
    // Which comes first nobody promises.
    told.sort_by_key(|told| told["method"].is_null());
    assert_eq!(
        (&told[0]["params"]["subscription"], &told[0]["params"]["result"]["number"]),
        (&json!(heads), &json!("0x1"))
    );
    assert_eq!(told[1]["id"], 1);
}
