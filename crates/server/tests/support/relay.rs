//! Clients of the relay.

use super::socket::{Client, Serving};
use portico_walletconnect::jwt::ClientKey;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::{SystemTime, UNIX_EPOCH};

/// Configuration of a relay without a rate limit per client.
pub const RELAY: &str = "limits.client_per_second = 0\n[relay]\nenabled = true\n";

pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// Auth token of the client with this key.
pub fn token(key: u8, audience: &str) -> String {
    ClientKey::from_seed(&[key; 32]).sign(&"5".repeat(64), audience, now(), 86_400)
}

/// did:key of the client with this key.
pub fn did(key: u8) -> String {
    ClientKey::from_seed(&[key; 32]).did()
}

/// Path of its WebSocket.
pub fn path(key: u8) -> String {
    let auth = token(key, "ws://localhost:5555");
    format!("/?auth={auth}&projectId=demo&ua=wc-2%2Fjs-2.21.8%2Flinux%2Fnode&useOnCloseEvent=true")
}

/// 64 hex digits.
pub fn topic(number: usize) -> String {
    format!("{number:064x}")
}

pub fn message(topic: &str, message: &str) -> Value {
    json!({"topic": topic, "message": message, "ttl": 300, "tag": 1108, "prompt": true})
}

/// Connected client.
pub struct Peer {
    pub client: Client,
    told: VecDeque<Value>,
    next: u64,
}

impl Peer {
    pub async fn open(serving: &Serving, key: u8) -> Peer {
        Peer::of(serving.open(&path(key)).await)
    }

    pub async fn at(address: &str, key: u8) -> Peer {
        Peer::of(Client::at(&format!("ws://{address}{}", path(key))).await)
    }

    pub fn of(client: Client) -> Peer {
        Peer { client, told: VecDeque::new(), next: 1_700_000_000_000_000_000 }
    }

    /// Sends a request and reads its response; messages in between are stored for [`Peer::told`].
    pub async fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.say(method, params).await;
        self.answer(&id).await
    }

    /// Sends a request without reading the response; returns its id.
    pub async fn say(&mut self, method: &str, params: &Value) -> String {
        self.next += 1;
        let id = self.next.to_string();
        self.client.say(&json!({"id": id, "jsonrpc": "2.0", "method": method, "params": params})).await;
        id
    }

    pub async fn answer(&mut self, id: &str) -> Value {
        loop {
            let heard = self.client.next().await.unwrap();
            if heard["method"] == "irn_subscription" {
                self.told.push_back(heard);
                continue;
            }
            assert_eq!(heard["id"], id, "{heard}");
            return heard;
        }
    }

    /// Result of a request that must succeed.
    pub async fn done(&mut self, method: &str, params: &Value) -> Value {
        let answer = self.ask(method, params).await;
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Code and tag of a request that must be refused.
    pub async fn refused(&mut self, method: &str, params: &Value) -> (i64, String) {
        let answer = self.ask(method, params).await;
        let error = &answer["error"];
        assert!(error["message"].is_string(), "{method}: {answer}");
        (error["code"].as_i64().unwrap(), error["data"].as_str().unwrap().to_owned())
    }

    /// Next delivered message, as the raw request.
    pub async fn told(&mut self) -> Value {
        match self.told.pop_front() {
            Some(told) => told,
            None => {
                let told = self.client.next().await.unwrap();
                assert_eq!(told["method"], "irn_subscription", "{told}");
                told
            }
        }
    }

    /// Text of the next message, which it acknowledges.
    pub async fn takes(&mut self) -> String {
        let told = self.told().await;
        self.acknowledge(&told).await;
        told["params"]["data"]["message"].as_str().unwrap().to_owned()
    }

    pub async fn acknowledge(&mut self, told: &Value) {
        self.client.say(&json!({"id": told["id"], "jsonrpc": "2.0", "result": true})).await;
    }

    /// Whether no message has been delivered so far.
    pub async fn is_told_nothing(&mut self) -> bool {
        // Requests are processed in order, so all earlier messages arrive before this response.
        self.ask("irn_nothing", &json!({})).await;
        self.told.is_empty()
    }
}

/// Lets two peers do what the metrics of the relay count: one message from the first to the second, a request with an unknown method, and a
/// socket of an unknown project, which is refused. The peers stay connected.
pub async fn traffic(address: &str) -> (Peer, Peer) {
    let (mut dapp, mut wallet) = (Peer::at(address, 1).await, Peer::at(address, 2).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    dapp.done("irn_publish", &message(&topic(1), "hello")).await;
    assert_eq!(wallet.takes().await, "hello");
    // Requests are processed in order, so earlier ones are done after this response.
    wallet.refused("irn_nothing", &json!({})).await;
    let refused = path(3).replace("projectId=demo", "projectId=stranger");
    let mut stranger = Client::at(&format!("ws://{address}{refused}")).await;
    assert_eq!(stranger.next().await.unwrap_err().0, 3000);
    (dapp, wallet)
}
