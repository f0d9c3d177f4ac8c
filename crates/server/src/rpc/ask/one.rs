//! One request to one node.

use super::NodeCall;
use super::said::{CallResult, Nonsense, read};
use crate::guard::memory::{Memory, Share};
use crate::outbound::ConnectFault;
use crate::rpc::esplora::{self, EsploraCall, Said, Unread};
use crate::rpc::node::{Class, Node, Slot};
use axum::body::Bytes;
use axum::http::StatusCode;
use reqwest::header::CONTENT_TYPE;
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Size limit of a node's response, in bytes.
const ANSWER_LIMIT: usize = 64 * 1024 * 1024;

/// Longest wait for a free slot in a node's rate limit.
const LONGEST_QUEUE: Duration = Duration::from_secs(2);

/// A node that was slower than another by less than this gets no penalty.
const SHORTEST_DEFEAT: Duration = Duration::from_millis(50);

/// Failure of one node. The texts are for the log.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(super) enum Fault {
    /// The connection could not be opened, so the node cannot have received the request.
    #[error("{0}")]
    Unreachable(ConnectFault),
    /// The connection broke during the request.
    #[error("the connection broke")]
    Broken,
    /// An HTTP status that means overload, a rate limit, a rejected key or a server error.
    #[error("it answered with status {0}")]
    Status(u16),
    /// The response is not valid JSON-RPC.
    #[error("its response isn't JSON-RPC")]
    Nonsense,
    /// The response is not what an Esplora answers.
    #[error("its response isn't that of an Esplora")]
    NoEsplora,
    /// The response is too long.
    #[error("its response is too long")]
    TooLong,
    /// The node's configured rate limit is used up.
    #[error("its `rps` is used up")]
    Queue,
    /// Not the node's fault: this server has no memory left for the response.
    #[error("this server has no memory left for the response")]
    Full,
}

/// Request to one node.
pub(super) enum NodeRequest {
    /// Calls in one body, and the number of those that get a response.
    JsonRpc { body: Bytes, count: usize },
    /// One call of Bitcoin.
    Esplora(EsploraCall),
}

/// A request in flight to one node. Dropped before its end once the call is decided, it records that the node was too slow.
pub(super) struct Asking {
    pub(super) node: Arc<Node>,
    class: Class,
    /// Time without a response after which the node counts as silent.
    patience: Duration,
    since: Instant,
    ended: bool,
    decided: Arc<AtomicBool>,
}

impl Asking {
    pub(super) fn new(node: Arc<Node>, class: Class, patience: Duration, decided: Arc<AtomicBool>) -> Asking {
        Asking { node, class, patience, since: Instant::now(), ended: false, decided }
    }

    /// Sends the request and parses the results of its calls.
    pub(super) async fn ask(
        &mut self,
        http: &reqwest::Client,
        memory: &Memory,
        request: NodeRequest,
    ) -> Result<Vec<Option<CallResult>>, Fault> {
        let end = Instant::now() + LONGEST_QUEUE;
        loop {
            match self.node.ask(memory.visitor(), LONGEST_QUEUE) {
                Slot::Taken(Duration::ZERO) => break,
                Slot::Taken(wait) => {
                    sleep(wait).await;
                    break;
                }
                Slot::Busy(wait) if Instant::now() + wait <= end => sleep(wait).await,
                Slot::Busy(_) | Slot::None => {
                    self.ended = true;
                    return Err(Fault::Queue);
                }
            }
        }
        self.since = Instant::now();
        let asked = match request {
            NodeRequest::JsonRpc { body, count } => by_json_rpc(http, memory, &self.node, body, count).await,
            NodeRequest::Esplora(call) => by_rest(http, memory, &self.node, &call).await,
        };
        self.ended = true;
        asked
    }

    /// Time since the request was sent.
    pub(super) fn took(&self) -> Duration {
        self.since.elapsed()
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let waited = self.since.elapsed();
        if self.ended || !self.decided.load(Ordering::Relaxed) {
            return;
        }
        if waited >= self.patience {
            tracing::warn!(node = self.node.host(), "a node didn't respond in time");
            self.node.judge(Some(&"it didn't respond in time"));
            self.node.gone();
        } else if waited >= SHORTEST_DEFEAT {
            self.node.overtaken(self.class, waited);
        }
    }
}

async fn by_json_rpc(
    http: &reqwest::Client,
    memory: &Memory,
    node: &Node,
    body: Bytes,
    count: usize,
) -> Result<Vec<Option<CallResult>>, Fault> {
    let request = http.post(node.upstream().url.clone()).header(CONTENT_TYPE, "application/json").body(body);
    let (_, answer, share) = send(request, memory, ANSWER_LIMIT).await?;
    // Notifications get no response.
    if count == 0 {
        return Ok(Vec::new());
    }
    // Nodes also send JSON-RPC errors with a 4xx status, which are valid responses.
    read(&answer, share, count).map_err(|Nonsense| Fault::Nonsense)
}

async fn by_rest(
    http: &reqwest::Client,
    memory: &Memory,
    node: &Node,
    call: &EsploraCall,
) -> Result<Vec<Option<CallResult>>, Fault> {
    let (method, url, body) = call.request(&node.upstream().url).ok_or(Fault::Nonsense)?;
    let request = http.request(method, url).header(CONTENT_TYPE, "text/plain").body(body);
    let (status, answer, share) = send(request, memory, esplora::ANSWER_LIMIT).await?;
    Ok(vec![Some(match call.answer(status, &answer) {
        Ok(Said::Result(text)) => CallResult::Result((Bytes::from(text), share).into()),
        Ok(Said::Error(text)) => CallResult::Error(Bytes::from(text).into()),
        Err(Unread::Nonsense) => return Err(Fault::NoEsplora),
        Err(Unread::Status) => return Err(Fault::Status(status.as_u16())),
    })])
}

/// Status and body of a node's response, with the memory reserved for it.
async fn send(
    request: reqwest::RequestBuilder,
    memory: &Memory,
    limit: usize,
) -> Result<(StatusCode, Bytes, Share), Fault> {
    let mut response = request.send().await.map_err(|error| match error.is_connect() {
        true => Fault::Unreachable(ConnectFault::of(&error)),
        false => Fault::Broken,
    })?;
    let status = response.status();
    // An expired or rejected API key is treated as a failure of the node, not of the client.
    let refused = [StatusCode::UNAUTHORIZED, StatusCode::PAYMENT_REQUIRED, StatusCode::FORBIDDEN];
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS || refused.contains(&status) {
        return Err(Fault::Status(status.as_u16()));
    }
    let mut share = memory.share();
    let mut answer = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Fault::Broken)? {
        if answer.len() + chunk.len() > limit {
            return Err(Fault::TooLong);
        }
        share.grow(chunk.len()).map_err(|_| Fault::Full)?;
        answer.extend_from_slice(&chunk);
    }
    Ok((status, answer.into(), share))
}

#[derive(Serialize)]
struct Outgoing<'a> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'a RawValue>,
}

/// Request body for these calls. They get new ids, as a client may use one id twice: counted from 1, as some servers treat 0 as
/// missing. Notifications have none and come last.
pub(super) fn body<'a>(calls: impl Iterator<Item = &'a NodeCall>) -> Bytes {
    let outgoing = |(place, call): (usize, &'a NodeCall)| Outgoing {
        jsonrpc: "2.0",
        id: (!call.notification).then_some(place + 1),
        method: &call.method,
        params: call.params.as_ref().and_then(|params| serde_json::from_slice(params).ok()),
    };
    let calls: Vec<Outgoing<'_>> = calls.enumerate().map(outgoing).collect();
    let body = match calls.as_slice() {
        [call] => serde_json::to_vec(call),
        calls => serde_json::to_vec(calls),
    };
    // Serializing strings and numbers into memory cannot fail.
    body.unwrap_or_default().into()
}
