//! One question to one node.

use super::NodeCall;
use super::said::{Nonsense, Said, read};
use crate::guard::memory::{Full, Memory};
use crate::rpc::node::{Class, Node};
use axum::body::Bytes;
use axum::http::StatusCode;
use reqwest::header::CONTENT_TYPE;
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// A node that says more than this is not listened to.
const ANSWER_LIMIT: usize = 64 * 1024 * 1024;

/// A question does not wait longer than this for a node that may be asked only so often.
const LONGEST_QUEUE: Duration = Duration::from_secs(2);

/// Another node that was quicker by less than this says nothing about this one.
const SHORTEST_DEFEAT: Duration = Duration::from_millis(50);

/// What is wrong with one node.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fault {
    /// It cannot have heard the question.
    Unreachable,
    /// The connection broke.
    Broken,
    /// It has no time for us, or is itself broken.
    Status(u16),
    /// Its answer is not JSON-RPC.
    Nonsense,
    /// Its answer is too long.
    TooLong,
    /// Our own limit: it was asked as often as it may be.
    Queue,
    /// It is none of the node's: too many large answers are here already.
    Full,
}

/// A node that is being asked. Dropping this before its end, when the question is decided, tells its score that it was too slow.
pub(super) struct Asking {
    pub(super) node: Arc<Node>,
    class: Class,
    /// After this time without an answer it counts as silent.
    patience: Duration,
    since: Instant,
    ended: bool,
    decided: Arc<AtomicBool>,
}

impl Asking {
    pub(super) fn new(node: Arc<Node>, class: Class, patience: Duration, decided: Arc<AtomicBool>) -> Asking {
        Asking { node, class, patience, since: Instant::now(), ended: false, decided }
    }

    /// Sends the body and reads the answers to so many calls.
    pub(super) async fn ask(
        &mut self,
        http: &reqwest::Client,
        memory: &Memory,
        body: Bytes,
        count: usize,
    ) -> Result<Vec<Option<Said>>, Fault> {
        let Some(wait) = self.node.ask(LONGEST_QUEUE) else {
            self.ended = true;
            return Err(Fault::Queue);
        };
        if !wait.is_zero() {
            sleep(wait).await;
        }
        self.since = Instant::now();
        let asked = exchange(http, memory, &self.node, body, count).await;
        self.ended = true;
        asked
    }

    /// How long it took.
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
            tracing::warn!(node = self.node.host(), "a node kept silent");
            self.node.gone();
        } else if waited >= SHORTEST_DEFEAT {
            self.node.overtaken(self.class, waited);
        }
    }
}

async fn exchange(
    http: &reqwest::Client,
    memory: &Memory,
    node: &Node,
    body: Bytes,
    count: usize,
) -> Result<Vec<Option<Said>>, Fault> {
    let url = node.upstream().url.clone();
    let sent = http.post(url).header(CONTENT_TYPE, "application/json").body(body).send().await;
    let mut response = sent.map_err(|error| if error.is_connect() { Fault::Unreachable } else { Fault::Broken })?;
    let status = response.status();
    // A key that has run out is the node's fault to the client.
    let refused = [StatusCode::UNAUTHORIZED, StatusCode::PAYMENT_REQUIRED, StatusCode::FORBIDDEN];
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS || refused.contains(&status) {
        return Err(Fault::Status(status.as_u16()));
    }
    let mut share = memory.share();
    let mut answer = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Fault::Broken)? {
        if answer.len() + chunk.len() > ANSWER_LIMIT {
            return Err(Fault::TooLong);
        }
        share.grow(chunk.len()).map_err(|Full| Fault::Full)?;
        answer.extend_from_slice(&chunk);
    }
    // Notifications are not answered.
    if count == 0 {
        return Ok(Vec::new());
    }
    // Nodes also refuse in JSON-RPC with a status of 4xx, which is an answer.
    read(&answer.into(), share, count).map_err(|Nonsense| Fault::Nonsense)
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

/// The body that asks these calls. They get ids of ours, as a client may use one id twice: counted from 1, as careless servers take 0
/// for none. Notifications have none and come last.
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
    // Writing texts and numbers into memory cannot fail.
    body.unwrap_or_default().into()
}
