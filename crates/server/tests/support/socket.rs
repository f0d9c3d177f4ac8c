//! WebSocket clients, a server for them, and a node with subscriptions.

use super::{Server, Upstream, within};
use axum::Router;
use axum::extract::ws::{Message as Heard, WebSocket, WebSocketUpgrade};
use axum::routing::any;
use futures_util::{SinkExt, StreamExt};
use portico_server::stop::{Ended, serve_until};
use serde_json::{Value, json};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Notify, broadcast, mpsc};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async, connect_async};

/// Node with a WebSocket: it confirms every subscription that is not marked otherwise (`refuse`, `refuse_later` on further connections,
/// `silent`), sends the test's messages, and disconnects on request.
pub struct Node {
    pub url: String,
    pub heard: mpsc::UnboundedReceiver<Value>,
    pub tell: broadcast::Sender<Option<String>>,
}

impl Node {
    pub async fn start(name: &'static str) -> Node {
        let (tell, _) = broadcast::channel(64);
        let (hear, heard) = mpsc::unbounded_channel();
        let told = tell.clone();
        let connections = Arc::new(AtomicUsize::new(0));
        let router = Router::new().fallback(any(async move |upgrade: WebSocketUpgrade| {
            let told = told.subscribe();
            let again = connections.fetch_add(1, Ordering::Relaxed) > 0;
            upgrade.on_upgrade(move |socket| Node::converse(socket, name, again, hear, told))
        }));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Node { url, heard, tell }
    }

    async fn converse(
        mut socket: WebSocket,
        name: &'static str,
        again: bool,
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
                    let marked = |mark: &str| call["params"][1][mark] == true;
                    if marked("refuse") || again && marked("refuse_later") {
                        answer = json!({"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32000, "message": "no such filter"}});
                    }
                    if !marked("silent") {
                        socket.send(Heard::text(answer.to_string())).await.unwrap();
                    }
                    hear.send(call).unwrap();
                }
                said = told.recv() => match said {
                    Ok(Some(text)) => socket.send(Heard::text(text)).await.unwrap(),
                    _ => return,
                },
            }
        }
    }

    /// Next request that the node received.
    pub async fn heard(&mut self) -> Value {
        within("a request to the node", self.heard.recv()).await.unwrap()
    }

    pub fn happens(&self, subscription: &str, result: &Value) {
        let params = json!({"subscription": subscription, "result": result});
        let text = json!({"jsonrpc": "2.0", "method": "eth_subscription", "params": params}).to_string();
        self.tell.send(Some(text)).unwrap();
    }

    pub fn hangs_up(&self) {
        self.tell.send(None).unwrap();
    }
}

/// Server behind a socket.
pub struct Serving {
    pub address: SocketAddr,
    pub stop: Arc<Notify>,
    pub ended: JoinHandle<io::Result<Ended>>,
    pub server: Server,
}

impl Serving {
    pub async fn configured(toml: &str) -> Serving {
        let server = Server::configured(toml).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(Notify::new());
        let told = stop.clone();
        let stopped = async move { told.notified().await };
        let ended = tokio::spawn(serve_until(stopped, listener, server.router.clone(), server.state.clone()));
        Serving { address, stop, ended, server }
    }

    /// Serves one chain with calls to `http` and subscriptions to these nodes in turn.
    pub async fn with(more: &str, http: &Upstream, sockets: &[&str]) -> Serving {
        let upstream = |url: &&str| format!("{{ url = {:?}, ws_url = {url:?} }}", http.url);
        let list = sockets.iter().map(upstream).collect::<Vec<_>>().join(", ");
        Serving::configured(&format!("{more}[[chains]]\nid = \"eip155:31337\"\nupstreams = [{list}]\n")).await
    }

    /// Changes data in ways that no request does.
    pub async fn tamper(&self, statement: &'static str) {
        self.server.place.tamper(statement).await;
    }

    /// Client with a small receive buffer.
    pub async fn open_narrow(&self, path: &str) -> Client {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(256 * 1024).unwrap();
        let stream = MaybeTlsStream::Plain(socket.connect(self.address).await.unwrap());
        let opened = client_async(format!("ws://{}{path}", self.address), stream);
        Client(within("a WebSocket to be opened", opened).await.unwrap().0)
    }

    pub async fn open(&self, path: &str) -> Client {
        self.open_with(path, &[]).await
    }

    pub async fn open_with(&self, path: &str, headers: &[(&'static str, &str)]) -> Client {
        let mut request = format!("ws://{}{path}", self.address).into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        Client(within("a WebSocket to be opened", connect_async(request)).await.unwrap().0)
    }
}

pub struct Client(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

pub const SOCKET: &str = "/v1/ws?chainId=eip155:31337&projectId=demo";

impl Client {
    pub async fn at(url: &str) -> Client {
        Client(within("a WebSocket to be opened", connect_async(url)).await.unwrap().0)
    }

    pub async fn say(&mut self, message: &Value) {
        within("a frame to be sent", self.0.send(Message::text(message.to_string()))).await.unwrap();
    }

    /// Next frame of any kind.
    pub async fn frame(&mut self) -> Option<Result<Message, tungstenite::Error>> {
        within("a frame", self.0.next()).await
    }

    /// Next text, or close code and reason.
    pub async fn next(&mut self) -> Result<Value, (u16, String)> {
        // One time limit for all frames, since pings never end.
        within("a text", async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                    Some(Ok(Message::Close(Some(frame)))) => return Err((frame.code.into(), frame.reason.to_string())),
                    Some(Ok(_)) => {}
                    ended => panic!("{ended:?}"),
                }
            }
        })
        .await
    }

    pub async fn subscribe(&mut self, params: &Value) -> String {
        self.say(&json!({"jsonrpc": "2.0", "id": "s", "method": "eth_subscribe", "params": params})).await;
        let answer = self.next().await.unwrap();
        assert_eq!(answer["id"], "s", "{answer}");
        answer["result"].as_str().unwrap().to_owned()
    }
}

pub fn event(id: &str, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "eth_subscription", "params": {"subscription": id, "result": result}})
}

/// Raw WebSocket connection without a client library, so nothing is answered automatically.
pub async fn raw(serving: &Serving, path: &str) -> TcpStream {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = TcpStream::connect(serving.address).await.unwrap();
    let upgrade = "host: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
    stream.write_all(format!("GET {path} HTTP/1.1\r\n{upgrade}\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        assert_ne!(within("an upgrade", stream.read_buf(&mut answer)).await.unwrap(), 0);
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"));
    stream
}
