//! A node of Solana with a WebSocket, which a test drives by hand, and what clients say and hear.

use super::socket::{Client, Serving};
use super::within;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, accept_async};

pub const CHAIN: &str = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
pub const SIGNATURE_SOCKET: &str = "/v1/ws?chainId=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp&projectId=demo";

/// Signature of 64 bytes, another one for each number.
pub fn signature(number: u8) -> String {
    portico_encoding::base58::encode(&[number; 64])
}

/// Parameters with which the server subscribes to this signature.
pub fn confirmed(number: u8) -> Value {
    json!([signature(number), {"commitment": "confirmed"}])
}

/// Order of a client to subscribe to this signature.
pub fn subscribe(number: u8) -> Value {
    json!({"jsonrpc": "2.0", "id": "s", "method": "signatureSubscribe", "params": confirmed(number)})
}

pub fn unsubscribe(id: u64) -> Value {
    json!({"jsonrpc": "2.0", "id": "u", "method": "signatureUnsubscribe", "params": [id]})
}

/// Content of an event as a client gets it.
pub fn outcome(slot: u64, error: &Value) -> Value {
    json!({"context": {"slot": slot}, "value": {"err": error}})
}

/// Event as a client gets it, under this id.
pub fn event(id: u64, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "signatureNotification", "params": {"result": result, "subscription": id}})
}

/// Listens as a node.
pub struct SolanaNode {
    listener: TcpListener,
    pub url: String,
}

impl SolanaNode {
    pub async fn start() -> SolanaNode {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        SolanaNode { listener, url }
    }

    /// Next connection of the server.
    pub async fn connection(&self) -> Connection {
        let accepted = within("a connection to the node", self.listener.accept()).await;
        Connection(accept_async(accepted.unwrap().0).await.unwrap())
    }
}

/// The node's end of a connection.
pub struct Connection(pub WebSocketStream<TcpStream>);

impl Connection {
    /// Next order of the server.
    pub async fn order(&mut self) -> Value {
        within("a request to the node", async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).unwrap(),
                    Some(Ok(Message::Ping(_))) => {}
                    ended => panic!("{ended:?}"),
                }
            }
        })
        .await
    }

    /// Accepts the next subscription under this id, and returns its parameters.
    pub async fn accept(&mut self, name: u64) -> Value {
        let order = self.order().await;
        assert_eq!(order["method"], "signatureSubscribe", "{order}");
        self.say(&json!({"jsonrpc": "2.0", "id": order["id"], "result": name})).await;
        order["params"].clone()
    }

    pub async fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    /// Tells an event under the node's id.
    pub async fn tell(&mut self, name: u64, result: &Value) {
        self.say(&event(name, result)).await;
    }

    /// Next order, which has to end the subscription with this id of the node.
    pub async fn ends(&mut self, name: u64) {
        let order = self.order().await;
        assert_eq!((&order["method"], &order["params"]), (&json!("signatureUnsubscribe"), &json!([name])));
    }
}

/// Serves Solana with subscriptions to these nodes in turn.
pub async fn serving(more: &str, nodes: &[&SolanaNode]) -> Serving {
    let upstream = |node: &&SolanaNode| format!("{{ url = \"http://127.0.0.1:9\", ws_url = {:?} }}", node.url);
    let list = nodes.iter().map(upstream).collect::<Vec<_>>().join(", ");
    Serving::configured(&format!("{more}[[chains]]\nid = {CHAIN:?}\nupstreams = [{list}]\n")).await
}

/// Answer to this client's subscription, which a node has accepted.
pub async fn accepted(client: &mut Client) -> u64 {
    let answer = client.next().await.unwrap();
    assert_eq!(answer["id"], "s", "{answer}");
    answer["result"].as_u64().unwrap()
}
