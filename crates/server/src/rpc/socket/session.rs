//! One client's WebSocket, from its opening to its end.

use super::link::{Link, Lost, Told};
use super::subscription::{NoSubscription, Order, SUBSCRIBE, Subscription, UNSUBSCRIBE, fresh_id, named};
use crate::AppState;
use crate::guard::project::Project;
use crate::rpc::answer::{Answer, compose, error};
use crate::rpc::ask::{Asker, Said, Unanswered};
use crate::rpc::node::Node;
use crate::rpc::question::{Question, object};
use crate::rpc::served::Served;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use portico_terms::{ChainId, Namespace};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};

/// How often both sides are asked whether they are still there.
const PING: Duration = Duration::from_secs(30);

/// So many messages of one client are answered at once; more wait.
const MOST_AT_ONCE: usize = 32;

/// A byte takes room twice: as it came and as it goes on.
const COPIES: usize = 2;

/// The longest answer, in bytes. A socket keeps a buffer of its longest message, and moves all that is left of a message at each piece
/// that a client takes.
const ANSWER_LIMIT: usize = 4 * 1024 * 1024;

const NO_ROOM: &str = "The server has too many large requests at the moment; ask again in a few seconds";

/// RFC 6455 7.4 and its registry: come again, to another node of this server perhaps.
const SERVICE_RESTART: u16 = 1012;

/// JSON-RPC 2.0 and EIP-1474.
const PARSE: i64 = -32700;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL: i64 = -32603;
const LIMIT_EXCEEDED: i64 = -32005;

pub(super) struct Session {
    state: AppState,
    project: Arc<Project>,
    chain: ChainId,
    subscriptions: HashMap<String, Subscription>,
    upstream: Upstream,
}

/// Where what the client has subscribed to comes from.
enum Upstream {
    /// It has subscribed to nothing.
    None,
    Opening(BoxFuture<'static, Result<Link, Lost>>),
    Open(Box<Link>),
}

/// What ends a session.
enum End {
    /// The client is gone.
    Gone,
    Close(u16, String),
}

/// The client takes nothing any more.
struct Deaf;

impl From<Deaf> for End {
    fn from(Deaf: Deaf) -> End {
        End::Gone
    }
}

impl From<Lost> for End {
    fn from(Lost: Lost) -> End {
        End::Gone
    }
}

impl Session {
    pub(super) fn new(state: AppState, project: Project, chain: ChainId) -> Session {
        let project = Arc::new(project);
        Session { state, project, chain, subscriptions: HashMap::new(), upstream: Upstream::None }
    }

    pub(super) async fn run(mut self, mut socket: WebSocket) {
        if let End::Close(code, reason) = self.converse(&mut socket).await {
            // A client that is gone by now needs no goodbye.
            let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
        }
    }

    async fn converse(&mut self, socket: &mut WebSocket) -> End {
        let state = self.state.clone();
        let mut stop = std::pin::pin!(state.stop_begun());
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ping.reset();
        let mut there = true;
        let mut answers: FuturesUnordered<BoxFuture<'static, Option<Answer>>> = FuturesUnordered::new();
        loop {
            let done = tokio::select! {
                () = &mut stop => return End::Close(close_code::AWAY, "The server stops; connect again".into()),
                message = socket.recv(), if answers.len() < MOST_AT_ONCE => {
                    there = true;
                    match message {
                        Some(Ok(Message::Text(text))) => self.hear(socket, text.into(), &mut answers).await,
                        Some(Ok(Message::Binary(bytes))) => self.hear(socket, bytes, &mut answers).await,
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return End::Gone,
                    }
                }
                Some(answer) = answers.next() => match answer {
                    Some(answer) => say(socket, answer).await.map_err(End::from),
                    None => Ok(()),
                },
                told = self.upstream.next() => self.tell(socket, told).await,
                _ = ping.tick() => {
                    if !std::mem::take(&mut there) {
                        return End::Gone;
                    }
                    if let Upstream::Open(link) = &mut self.upstream && link.ping().await.is_err() {
                        self.relink();
                    }
                    socket.send(Message::Ping(Bytes::new())).await.map_err(|_| End::Gone)
                }
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    async fn hear(
        &mut self,
        socket: &mut WebSocket,
        body: Bytes,
        answers: &mut FuturesUnordered<BoxFuture<'static, Option<Answer>>>,
    ) -> Result<(), End> {
        let Some(served) = self.state.chain(&self.chain) else {
            return Err(End::Close(SERVICE_RESTART, format!("The chain {} is not served here any more", self.chain)));
        };
        let order = std::str::from_utf8(&body).ok().filter(|text| text.contains("subscribe")).and_then(object);
        if let Some(order) = order.filter(|order| self.takes(order)) {
            let answer = self.order(&served, &order).await;
            return match (order.id, answer) {
                (Some(id), Some((field, value))) => say(socket, written(id, field, &value)).await.map_err(End::from),
                _ => Ok(()),
            };
        }
        answers.push(answer(self.state.clone(), self.project.clone(), served, body).boxed());
        Ok(())
    }

    /// Whether it is about a subscription, of a chain and a project that may have some.
    fn takes(&self, order: &Order<'_>) -> bool {
        let allowed = self.project.methods();
        order.jsonrpc == "2.0"
            && order.has_usable_id()
            && self.chain.namespace() == Namespace::Eip155
            && [SUBSCRIBE, UNSUBSCRIBE].contains(&order.method.as_ref())
            && (allowed.is_empty() || allowed.iter().any(|method| method.covers(SUBSCRIBE)))
    }

    /// What is answered at once.
    async fn order(&mut self, served: &Arc<Served>, order: &Order<'_>) -> Option<(&'static str, String)> {
        let refused = |code, sentence: &str| Some(("error", error(code, sentence)));
        if let Err(failure) = self.project.spend(&self.state, 1).await {
            return refused(LIMIT_EXCEEDED, failure.description());
        }
        if order.method == UNSUBSCRIBE {
            let id = named(order).filter(|id| self.subscriptions.remove(id).is_some());
            if let (Some(id), Upstream::Open(link)) = (&id, &mut self.upstream)
                && link.unsubscribe(id).await.is_err()
            {
                self.relink();
            }
            if self.subscriptions.is_empty() {
                self.upstream = Upstream::None;
            }
            return Some(("result", id.is_some().to_string()));
        }
        let most = self.state.proxy().subscriptions_per_socket;
        if self.subscriptions.len() >= most {
            return refused(
                LIMIT_EXCEEDED,
                &format!("This WebSocket has as many subscriptions as it may, which is {most}"),
            );
        }
        if served.socket_nodes().is_empty() {
            return refused(INTERNAL, &format!("No node of the chain {} takes subscriptions", self.chain));
        }
        let subscription = match Subscription::new(order, self.state.memory().share()) {
            Ok(subscription) => subscription,
            Err(NoSubscription::OfNoKind) => {
                return refused(INVALID_PARAMS, "One can subscribe to newHeads, logs and newPendingTransactions");
            }
            Err(NoSubscription::Full) => return refused(LIMIT_EXCEEDED, NO_ROOM),
        };
        let Some(id) = fresh_id() else { return refused(INTERNAL, "No id can be made") };
        match &mut self.upstream {
            Upstream::None => self.upstream = Upstream::Opening(Link::open(served.clone(), None).boxed()),
            // It is asked for when there is a node to ask.
            Upstream::Opening(_) => {}
            Upstream::Open(link) => {
                if link.subscribe(&id, &subscription).await.is_err() {
                    self.relink();
                }
            }
        }
        self.subscriptions.insert(id, subscription);
        None
    }

    /// Looks for another node to tell the client the same.
    fn relink(&mut self) {
        let lost: Option<Arc<Node>> = match &self.upstream {
            Upstream::Open(link) => Some(link.node().clone()),
            Upstream::None | Upstream::Opening(_) => None,
        };
        if let Some(lost) = &lost {
            tracing::warn!(chain = %self.chain, node = lost.host(), "a node broke its WebSocket");
            lost.failed();
        }
        self.upstream = match self.state.chain(&self.chain).filter(|_| !self.subscriptions.is_empty()) {
            Some(served) => Upstream::Opening(Link::open(served, lost).boxed()),
            None => Upstream::None,
        };
    }

    /// Passes on what comes from the node.
    async fn tell(&mut self, socket: &mut WebSocket, told: Result<Heard, Lost>) -> Result<(), End> {
        let no_node =
            || End::Close(SERVICE_RESTART, format!("No node of the chain {} takes subscriptions", self.chain));
        match told {
            Ok(Heard::Opened(mut link)) => {
                for (id, subscription) in &self.subscriptions {
                    if link.subscribe(id, subscription).await.is_err() {
                        break;
                    }
                }
                self.upstream = Upstream::Open(link);
                Ok(())
            }
            Ok(Heard::Told(told)) => self.told(socket, told).await,
            Err(Lost) if matches!(self.upstream, Upstream::Opening(_)) => Err(no_node()),
            Err(Lost) => {
                self.relink();
                Ok(())
            }
        }
    }

    async fn told(&mut self, socket: &mut WebSocket, told: Told) -> Result<(), End> {
        match told {
            Told::Taken(id) => {
                let asked_by = self.subscriptions.get_mut(&id).and_then(|subscription| subscription.asked_by.take());
                let Some(asked_by) = asked_by else { return Ok(()) };
                Ok(say(socket, written(&asked_by, "result", &format!("\"{id}\""))).await?)
            }
            Told::Refused(id, error) => match self.subscriptions.get_mut(&id).map(|found| found.asked_by.take()) {
                Some(Some(asked_by)) => {
                    self.subscriptions.remove(&id);
                    Ok(say(socket, written(&asked_by, "error", &error)).await?)
                }
                // The node before took it: another may again.
                Some(None) => {
                    self.relink();
                    Ok(())
                }
                None => Ok(()),
            },
            Told::Happened(id, result) => {
                if let Upstream::Open(link) = &self.upstream
                    && let Some(number) = head(&result)
                {
                    link.node().saw_block(number);
                }
                let text = format!(
                    r#"{{"jsonrpc":"2.0","method":"eth_subscription","params":{{"subscription":"{id}","result":{result}}}}}"#
                );
                Ok(say(socket, text.into_bytes()).await?)
            }
            Told::Nothing => Ok(()),
        }
    }
}

/// From the other side.
enum Heard {
    Opened(Box<Link>),
    Told(Told),
}

impl Upstream {
    /// May be dropped and called again.
    async fn next(&mut self) -> Result<Heard, Lost> {
        match self {
            Upstream::None => std::future::pending().await,
            Upstream::Opening(opening) => opening.await.map(|link| Heard::Opened(Box::new(link))),
            Upstream::Open(link) => link.next().await.map(Heard::Told),
        }
    }
}

/// The same as for a body that was posted; none where no answer is due.
async fn answer(state: AppState, project: Arc<Project>, served: Arc<Served>, body: Bytes) -> Option<Answer> {
    let refused = |code, sentence: &str| Some(written(RawValue::NULL, "error", &error(code, sentence)).into());
    let mut room = state.memory().share();
    if room.grow(COPIES * body.len()).is_err() {
        return refused(LIMIT_EXCEEDED, NO_ROOM);
    }
    let Ok(text) = std::str::from_utf8(&body) else { return refused(PARSE, "The message is not UTF-8 text") };
    let mut question = match Question::read(text, &served, project.methods()) {
        Ok(question) => question,
        Err(failure) => return refused(PARSE, failure.description()),
    };
    let room = Arc::new(room);
    let asker = Asker { state: &state, served: &served, body: &body, room: &room, fresh: false };
    asker.part(&mut question).await;
    if let Err(failure) = project.spend(&state, question.cost()).await {
        return refused(LIMIT_EXCEEDED, failure.description());
    }
    let say_of_all = |said: Said| compose(&question, &served.id, |_| Some(&said), state.memory().share()).ok();
    let answer = match asker.ask(&question).await {
        Ok(answer) if answer.as_ref().len() > ANSWER_LIMIT => {
            let sentence = "The answer is longer than 4 MiB, which is too long for a WebSocket; post the call instead";
            say_of_all(Said::Error(Bytes::from(error(INTERNAL, sentence)).into()))?
        }
        Ok(answer) => answer,
        Err(Unanswered::ForLackOfMemory) => return refused(LIMIT_EXCEEDED, "There is no room for the answer"),
        Err(unanswered) => say_of_all(Said::Unanswered(unanswered))?,
    };
    (!answer.as_ref().is_empty()).then_some(answer)
}

/// The room of the answer is taken until a client who reads slowly has read it.
async fn say(socket: &mut WebSocket, answer: impl Into<Answer>) -> Result<(), Deaf> {
    let (text, _share) = answer.into().into_parts();
    let text = String::from_utf8(text).map_err(|_| Deaf)?;
    socket.send(Message::Text(text.into())).await.map_err(|_| Deaf)
}

fn written(id: &RawValue, field: &str, value: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"{field}":{value}}}"#).into_bytes()
}

/// The number of a new head.
fn head(result: &RawValue) -> Option<u64> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Head<'a> {
        #[serde(borrow)]
        number: Cow<'a, str>,
        #[serde(borrow, rename = "parentHash")]
        _parent: Cow<'a, str>,
    }
    let head: Head<'_> = object(result.get())?;
    crate::rpc::cache::quantity(&head.number)
}
