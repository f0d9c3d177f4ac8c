//! The connection to a node that tells what clients have subscribed to. A subscription is known by its parameters.

use super::subscription::{SUBSCRIBE, UNSUBSCRIBE};
use crate::rpc::answer::error;
use crate::rpc::node::Node;
use crate::rpc::question::present;
use crate::rpc::served::Served;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

/// A node that takes longer to be reached is passed over.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// A node that takes nothing for so long is gone.
const SEND_LIMIT: Duration = Duration::from_secs(5);

/// A node that does not say in this time whether it takes a subscription does not take it. Less than what makes a connection good, so
/// that one which only ever keeps silent counts as bad.
const ANSWER_LIMIT: Duration = Duration::from_secs(8);

/// So many that were given up are known, should the node take them after all.
const MOST_GIVEN_UP: usize = 1000;

/// The longest message of a node.
const MESSAGE_LIMIT: usize = 4 * 1024 * 1024;

/// How often all nodes are tried, and how long the first pause between is; each further one is twice as long.
const ROUNDS: u32 = 3;
pub(super) const PAUSE: Duration = Duration::from_millis(500);

/// JSON-RPC 2.0.
const INTERNAL: i64 = -32603;

/// A connection is gone, or never came about.
#[derive(Debug)]
pub(super) struct Lost;

/// A node, and what it calls the subscriptions.
pub(super) struct Link {
    node: Arc<Node>,
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    asked: u64,
    /// Who waits for the answer to the question of this id, and until when.
    waiting: HashMap<u64, (Arc<str>, Instant)>,
    /// The last questions whose time was up.
    given_up: BTreeSet<u64>,
    /// What it is by the node's id.
    names: HashMap<String, Arc<str>>,
    /// Whether anything came since the last ping.
    heard: bool,
}

/// What a node says that is of interest.
pub(super) enum Told {
    /// It took the subscription.
    Taken(Arc<str>),
    /// It took one that was given up, under this name.
    TakenLate(String),
    /// It refused it, with this error.
    Refused(Arc<str>, String),
    /// Something happened: of which subscription and what.
    Happened(Arc<str>, Box<RawValue>),
    /// Nothing.
    Nothing,
}

#[derive(Deserialize)]
struct Heard<'a> {
    id: Option<u64>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    subscription: Cow<'a, str>,
    #[serde(borrow)]
    result: &'a RawValue,
}

impl Link {
    /// To the best node that can be reached after a pause, but to the one that was just lost only where there is no other.
    pub(super) async fn open(
        served: Arc<Served>,
        lost: Option<Arc<Node>>,
        pause: Option<Duration>,
    ) -> Result<Link, Lost> {
        if let Some(pause) = pause {
            sleep(pause).await;
        }
        for round in 0..ROUNDS {
            let mut nodes = served.socket_nodes();
            // Stable: the others stay in their order.
            nodes.sort_by_key(|node| lost.as_ref().is_some_and(|lost| Arc::ptr_eq(node, lost)));
            for node in nodes {
                if let Ok(link) = Link::to(node.clone()).await {
                    return Ok(link);
                }
                tracing::warn!(chain = %served.id, node = node.host(), "a node takes no WebSocket");
                node.failed();
            }
            sleep(PAUSE * 2_u32.pow(round)).await;
        }
        Err(Lost)
    }

    async fn to(node: Arc<Node>) -> Result<Link, Lost> {
        let url = node.upstream().ws_url.as_ref().ok_or(Lost)?;
        let config =
            WebSocketConfig::default().max_message_size(Some(MESSAGE_LIMIT)).max_frame_size(Some(MESSAGE_LIMIT));
        let connected = timeout(CONNECT_LIMIT, connect_async_with_config(url.as_str(), Some(config), true)).await;
        let (stream, _) = connected.map_err(|_| Lost)?.map_err(|_| Lost)?;
        Ok(Link {
            node,
            stream,
            asked: 0,
            waiting: HashMap::new(),
            given_up: BTreeSet::new(),
            names: HashMap::new(),
            heard: true,
        })
    }

    pub(super) fn node(&self) -> &Arc<Node> {
        &self.node
    }

    /// Asks for what these parameters say, where the node was not asked already: it would tell everything as often as it was asked.
    pub(super) async fn subscribe(&mut self, params: &Arc<str>) -> Result<(), Lost> {
        if self.waiting.values().any(|(waiting, _)| waiting == params) {
            return Ok(());
        }
        self.asked += 1;
        self.waiting.insert(self.asked, (params.clone(), Instant::now() + ANSWER_LIMIT));
        let number = self.asked;
        self.send(format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"{SUBSCRIBE}","params":{params}}}"#)).await
    }

    pub(super) async fn unsubscribe(&mut self, params: &Arc<str>) -> Result<(), Lost> {
        let named = self.names.iter().find(|(_, known)| *known == params).map(|(name, _)| name.clone());
        let Some(name) = named else { return Ok(()) };
        self.names.remove(&name);
        self.unsubscribe_from(&name).await
    }

    /// From what the node calls by this name.
    pub(super) async fn unsubscribe_from(&mut self, name: &str) -> Result<(), Lost> {
        self.asked += 1;
        let order = json!({ "jsonrpc": "2.0", "id": self.asked, "method": UNSUBSCRIBE, "params": [name] });
        self.send(order.to_string()).await
    }

    /// Lost where the node said nothing since the last time.
    pub(super) async fn ping(&mut self) -> Result<(), Lost> {
        if !std::mem::take(&mut self.heard) {
            return Err(Lost);
        }
        let sent = timeout(SEND_LIMIT, self.stream.send(Message::Ping(Default::default()))).await;
        sent.map_err(|_| Lost)?.map_err(|_| Lost)
    }

    async fn send(&mut self, text: String) -> Result<(), Lost> {
        let sent = timeout(SEND_LIMIT, self.stream.send(Message::text(text))).await;
        sent.map_err(|_| Lost)?.map_err(|_| Lost)
    }

    /// The next that the node says. May be dropped and called again.
    pub(super) async fn next(&mut self) -> Result<Told, Lost> {
        let message = match self.first_end() {
            None => self.stream.next().await,
            Some((id, end)) => match timeout_at(end, self.stream.next()).await {
                Ok(message) => message,
                Err(_) => return Ok(self.give_up(id)),
            },
        };
        let message = message.ok_or(Lost)?.map_err(|_| Lost)?;
        self.heard = true;
        match message {
            Message::Text(text) => Ok(self.read(&text)),
            Message::Close(_) => Err(Lost),
            _ => Ok(Told::Nothing),
        }
    }

    /// The question whose time is up first.
    fn first_end(&self) -> Option<(u64, Instant)> {
        // They are asked one after the other, and all have the same time.
        self.waiting.iter().map(|(id, (_, end))| (*id, *end)).min_by_key(|(id, _)| *id)
    }

    fn give_up(&mut self, id: u64) -> Told {
        self.node.failed();
        self.given_up.insert(id);
        if self.given_up.len() > MOST_GIVEN_UP {
            self.given_up.pop_first();
        }
        let Some((params, _)) = self.waiting.remove(&id) else { return Told::Nothing };
        let sentence = format!("The node did not take the subscription within {} seconds", ANSWER_LIMIT.as_secs());
        Told::Refused(params, error(INTERNAL, &sentence))
    }

    fn read(&mut self, text: &str) -> Told {
        // Nonsense is passed over: the node may still tell what was asked for.
        let Ok(heard) = serde_json::from_str::<Heard<'_>>(text) else { return Told::Nothing };
        if let Some(Params { subscription, result }) = heard.params {
            return match self.names.get(subscription.as_ref()) {
                Some(id) => Told::Happened(id.clone(), result.to_owned()),
                None => Told::Nothing,
            };
        }
        let Some(id) = heard.id else { return Told::Nothing };
        let name = heard.result.and_then(|result| serde_json::from_str::<String>(result.get()).ok());
        let Some((id, _)) = self.waiting.remove(&id) else {
            let late = name.filter(|_| self.given_up.remove(&id));
            return late.map_or(Told::Nothing, Told::TakenLate);
        };
        match (name, heard.error) {
            (Some(name), _) => {
                self.names.insert(name, id.clone());
                Told::Taken(id)
            }
            (None, Some(said)) if !self.node.is_told_by(said.get()) => Told::Refused(id, said.get().to_owned()),
            (None, _) => Told::Refused(id, error(INTERNAL, "The node refused this call")),
        }
    }
}
