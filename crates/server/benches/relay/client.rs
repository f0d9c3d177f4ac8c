//! Minimal relay clients: ten thousand of them share the machine with the relay.

use futures_util::{SinkExt, StreamExt};
use portico_walletconnect::jwt::ClientKey;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

pub type Socket = WebSocketStream<TcpStream>;

/// Auth tokens of `count` clients, made before the measurement.
pub fn tokens(count: usize) -> Vec<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let token = |number: usize| {
        let mut seed = [7; 32];
        seed[..8].copy_from_slice(&number.to_be_bytes());
        ClientKey::from_seed(&seed).sign(&"5".repeat(64), "ws://localhost", now, 86_400)
    };
    (0..count).map(token).collect()
}

pub fn topic(number: usize) -> String {
    format!("{number:064x}")
}

pub async fn open(address: &str, token: &str) -> Option<Socket> {
    open_from([127, 0, 0, 1], address, token).await
}

/// Connects from this loopback address.
pub async fn open_from(from: [u8; 4], address: &str, token: &str) -> Option<Socket> {
    let socket = TcpSocket::new_v4().ok()?;
    socket.bind((from, 0).into()).ok()?;
    let stream = socket.connect(address.parse().ok()?).await.ok()?;
    stream.set_nodelay(true).ok()?;
    let url = format!("ws://{address}/?auth={token}&projectId=bench&ua=wc-2/bench&useOnCloseEvent=true");
    let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
    Some(client_async_with_config(url.into_client_request().unwrap(), stream, Some(config)).await.ok()?.0)
}

pub fn request(id: u64, method: &str, params: &Value) -> Message {
    let id = 1_700_000_000_000_000 + id;
    Message::text(json!({"id": id, "jsonrpc": "2.0", "method": method, "params": params}).to_string())
}

/// Sends a request and waits for its response, which must be no error; other messages are dropped.
pub async fn ask(socket: &mut Socket, method: &str, params: &Value) -> Option<Value> {
    let heard = exchange(socket, method, params).await?;
    assert!(heard["error"].is_null(), "{heard}");
    Some(heard["result"].clone())
}

/// Like [`ask`]; whether the response is no error.
pub async fn ask_any(socket: &mut Socket, method: &str, params: &Value) -> Option<bool> {
    Some(exchange(socket, method, params).await?["error"].is_null())
}

async fn exchange(socket: &mut Socket, method: &str, params: &Value) -> Option<Value> {
    socket.send(request(1, method, params)).await.ok()?;
    loop {
        if let Message::Text(text) = socket.next().await?.ok()? {
            let heard: Value = serde_json::from_str(&text).ok()?;
            if heard["method"].is_null() {
                return Some(heard);
            }
        }
    }
}

/// Opens a socket and subscribes to one topic.
pub async fn listen(address: &str, token: &str, on: usize) -> Option<Socket> {
    let mut socket = open(address, token).await?;
    ask(&mut socket, "irn_batchSubscribe", &json!({"topics": [topic(on)]})).await?;
    Some(socket)
}
