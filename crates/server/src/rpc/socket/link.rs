//! WebSocket connection to a node for the subscriptions of clients. A subscription is identified by its parameters.

use super::dialect::Dialect;
use crate::rpc::answer::error;
use crate::rpc::node::Node;
use crate::rpc::question::present;
use crate::rpc::served::Served;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

/// Time limit for connecting to a node.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// Time limit for sending a message to a node, after which the connection is lost.
const SEND_LIMIT: Duration = Duration::from_secs(5);

/// Time limit for a node's response to a subscription. Shorter than the time after which a connection counts as good, so that a
/// node which never responds counts as bad.
const ANSWER_LIMIT: Duration = Duration::from_secs(8);

/// Number of timed-out requests that are remembered, in case the node still accepts them.
const MOST_GIVEN_UP: usize = 1000;

/// Number of events that are remembered because the response with their id may still come.
const MOST_EARLY: usize = 64;

/// Number of rounds through all nodes, and the pause after the first; each further pause is twice as long.
const ROUNDS: u32 = 3;
pub(super) const PAUSE: Duration = Duration::from_millis(500);

/// JSON-RPC 2.0 error code.
const INTERNAL: i64 = -32603;

/// The connection is lost or could not be opened.
#[derive(Debug)]
pub(super) struct Lost;

/// Connection to a node, with the node's subscription ids.
pub(super) struct Link {
    node: Arc<Node>,
    dialect: Dialect,
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    asked: u64,
    /// Parameters and deadline of each subscription without a response, by request id.
    waiting: HashMap<u64, (Arc<str>, Instant)>,
    /// Ids of the latest requests that timed out.
    given_up: BTreeSet<u64>,
    /// Parameters of each subscription, by the id that the node gave it, which is JSON.
    names: HashMap<String, Arc<str>>,
    /// Latest events with ids that no response had yet. A node of Solana may write the event of a transaction that has landed before it
    /// writes the response.
    early: VecDeque<(String, Box<RawValue>)>,
    /// Early event of the subscription that the last message accepted.
    ready: Option<NodeMessage>,
    /// Whether a message arrived since the last ping.
    heard: bool,
}

/// Relevant message from a node.
pub(super) enum NodeMessage {
    /// The node accepted the subscription.
    Taken(Arc<str>),
    /// The node accepted a subscription after its timeout, with this id.
    TakenLate(String),
    /// The node rejected the subscription with this error.
    Refused(Arc<str>, String),
    /// An event of the subscription, with its content.
    Happened(Arc<str>, Box<RawValue>),
    /// No relevant message.
    Nothing,
}

#[derive(Deserialize)]
struct NodeFrame<'a> {
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
    subscription: &'a RawValue,
    #[serde(borrow)]
    result: &'a RawValue,
}

impl Link {
    /// Connects to the best node that can be reached, after `pause`. The node that was just lost is tried last.
    pub(super) async fn open(
        served: Arc<Served>,
        dialect: Dialect,
        lost: Option<Arc<Node>>,
        pause: Option<Duration>,
    ) -> Result<Link, Lost> {
        if let Some(pause) = pause {
            sleep(pause).await;
        }
        for round in 0..ROUNDS {
            let mut nodes = served.socket_nodes();
            // The sort is stable, so the others keep their order.
            nodes.sort_by_key(|node| lost.as_ref().is_some_and(|lost| Arc::ptr_eq(node, lost)));
            for node in nodes {
                if let Ok(link) = Link::to(node.clone(), dialect).await {
                    return Ok(link);
                }
                tracing::warn!(chain = %served.id, node = node.host(), "couldn't open a WebSocket to a node");
                node.failed();
            }
            sleep(PAUSE * 2_u32.pow(round)).await;
        }
        Err(Lost)
    }

    pub(super) async fn to(node: Arc<Node>, dialect: Dialect) -> Result<Link, Lost> {
        let url = node.upstream().ws_url.as_ref().ok_or(Lost)?;
        let most = Some(dialect.message_limit());
        let config = WebSocketConfig::default().max_message_size(most).max_frame_size(most);
        let connected = timeout(CONNECT_LIMIT, connect_async_with_config(url.as_str(), Some(config), true)).await;
        let (stream, _) = connected.map_err(|_| Lost)?.map_err(|_| Lost)?;
        Ok(Link {
            node,
            dialect,
            stream,
            asked: 0,
            waiting: HashMap::new(),
            given_up: BTreeSet::new(),
            names: HashMap::new(),
            early: VecDeque::new(),
            ready: None,
            heard: true,
        })
    }

    pub(super) fn node(&self) -> &Arc<Node> {
        &self.node
    }

    /// Subscribes, unless a request is in flight already: the node would send each event twice.
    pub(super) async fn subscribe(&mut self, params: &Arc<str>) -> Result<(), Lost> {
        if self.waiting.values().any(|(waiting, _)| waiting == params) {
            return Ok(());
        }
        if self.waiting.is_empty() {
            self.early.clear();
        }
        self.asked += 1;
        self.waiting.insert(self.asked, (params.clone(), Instant::now() + ANSWER_LIMIT));
        self.order(self.dialect.subscribe(), params).await
    }

    pub(super) async fn unsubscribe(&mut self, params: &Arc<str>) -> Result<(), Lost> {
        let named = self.names.iter().find(|(_, known)| *known == params).map(|(name, _)| name.clone());
        let Some(name) = named else { return Ok(()) };
        self.names.remove(&name);
        self.unsubscribe_from(&name).await
    }

    /// Unsubscribes by the node's subscription id.
    pub(super) async fn unsubscribe_from(&mut self, name: &str) -> Result<(), Lost> {
        self.asked += 1;
        self.order(self.dialect.unsubscribe(), &format!("[{name}]")).await
    }

    async fn order(&mut self, method: &str, params: &str) -> Result<(), Lost> {
        let id = self.asked;
        self.send(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)).await
    }

    /// Sends a ping. Fails if no message arrived since the last one.
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

    /// Next message from the node. Cancel-safe.
    pub(super) async fn next(&mut self) -> Result<NodeMessage, Lost> {
        if let Some(ready) = self.ready.take() {
            return Ok(ready);
        }
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
            Message::Text(text) => self.read(&text),
            Message::Close(_) => Err(Lost),
            _ => Ok(NodeMessage::Nothing),
        }
    }

    /// The request with the earliest deadline.
    fn first_end(&self) -> Option<(u64, Instant)> {
        // Requests are sent in order and have the same time limit, so the lowest id is first.
        self.waiting.iter().map(|(id, (_, end))| (*id, *end)).min_by_key(|(id, _)| *id)
    }

    fn give_up(&mut self, id: u64) -> NodeMessage {
        self.node.failed();
        self.given_up.insert(id);
        if self.given_up.len() > MOST_GIVEN_UP {
            self.given_up.pop_first();
        }
        let Some((params, _)) = self.waiting.remove(&id) else { return NodeMessage::Nothing };
        let sentence =
            format!("The node didn't accept the subscription within {} seconds. Try again.", ANSWER_LIMIT.as_secs());
        NodeMessage::Refused(params, error(INTERNAL, &sentence))
    }

    fn read(&mut self, text: &str) -> Result<NodeMessage, Lost> {
        // Invalid messages are ignored: the node may still send valid ones.
        let Ok(heard) = serde_json::from_str::<NodeFrame<'_>>(text) else { return Ok(NodeMessage::Nothing) };
        if let Some(Params { subscription, result }) = heard.params {
            return Ok(self.happened(subscription, result).unwrap_or(NodeMessage::Nothing));
        }
        let Some(id) = heard.id else { return Ok(NodeMessage::Nothing) };
        let name = heard.result.and_then(|result| self.dialect.id(result));
        let Some((id, _)) = self.waiting.remove(&id) else {
            let late = name.filter(|_| self.given_up.remove(&id));
            return Ok(late.filter(|name| self.may_leave(name)).map_or(NodeMessage::Nothing, NodeMessage::TakenLate));
        };
        Ok(match (name, heard.error) {
            (Some(name), _) => self.accept(name, id)?,
            (None, Some(said)) if !self.node.is_revealed_by(said.get()) => {
                NodeMessage::Refused(id, said.get().to_owned())
            }
            (None, _) => NodeMessage::Refused(id, error(INTERNAL, "The node refused this call")),
        })
    }

    fn happened(&mut self, subscription: &RawValue, result: &RawValue) -> Option<NodeMessage> {
        let name = self.dialect.id(subscription)?;
        let content = self.dialect.content(result)?;
        let ends = self.dialect.ends_with_event();
        match self.names.get(&name).cloned() {
            Some(params) => {
                if ends {
                    self.names.remove(&name);
                }
                return Some(NodeMessage::Happened(params, content));
            }
            None if ends && !self.waiting.is_empty() => {
                if self.early.len() == MOST_EARLY {
                    self.early.pop_front();
                }
                self.early.push_back((name, content));
            }
            None => {}
        }
        None
    }

    /// Records the id that the node gave the subscription with these parameters.
    fn accept(&mut self, name: String, params: Arc<str>) -> Result<NodeMessage, Lost> {
        let early = self.early.iter().position(|(of, _)| *of == name).and_then(|place| self.early.remove(place));
        if let Some((_, content)) = early {
            self.ready = Some(NodeMessage::Happened(params.clone(), content));
            return Ok(NodeMessage::Taken(params));
        }
        let before = self.names.insert(name, params.clone());
        // The event under this id could be that of either transaction.
        if self.dialect.ends_with_event() && before.is_some_and(|before| before != params) {
            return Err(Lost);
        }
        Ok(NodeMessage::Taken(params))
    }

    /// Whether a subscription that was accepted too late can be cancelled. Nodes of Solana give equal subscriptions one id, and a client
    /// may have subscribed again since; those that stay end with their event.
    fn may_leave(&self, name: &str) -> bool {
        !self.dialect.ends_with_event() || self.waiting.is_empty() && !self.names.contains_key(name)
    }
}
