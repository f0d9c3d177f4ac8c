//! Asking the nodes of a chain, one after the other.

use super::answer::{Nonsense, compose};
use super::question::Question;
use crate::AppState;
use crate::config::Chain;
use crate::guard::body::COPIES;
use crate::guard::memory::{Full, Share};
use axum::http::StatusCode;
use portico_api::rpc::TIMEOUT_MILLIS;
use portico_terms::ChainId;
use reqwest::Url;
use reqwest::header::CONTENT_TYPE;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// All nodes together get this long: the client waits no longer (spec 9.16).
const LIMIT: Duration = Duration::from_millis(TIMEOUT_MILLIS);

/// A node that says more than this is not listened to.
const ANSWER_LIMIT: usize = 64 * 1024 * 1024;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Unanswered {
    /// Not within [`LIMIT`].
    InTime,
    /// Not by any node.
    ByAny,
    /// Here is no room for what the node says.
    ForLackOfMemory,
}

impl Unanswered {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Unanswered::InTime => StatusCode::GATEWAY_TIMEOUT,
            Unanswered::ByAny | Unanswered::ForLackOfMemory => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    pub(super) fn sentence(self, chain: &ChainId) -> String {
        match self {
            Unanswered::InTime => format!("The chain {chain} did not answer within {} seconds", LIMIT.as_secs()),
            Unanswered::ByAny => format!("No node of the chain {chain} answers"),
            Unanswered::ForLackOfMemory => format!("There is no room for the answer of the chain {chain}"),
        }
    }
}

/// What the client is told, with the room it takes until it is sent.
pub(super) struct Answer {
    text: Vec<u8>,
    _share: Option<Share>,
}

impl AsRef<[u8]> for Answer {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

/// What is said without a node is short.
impl From<Vec<u8>> for Answer {
    fn from(text: Vec<u8>) -> Answer {
        Answer { text, _share: None }
    }
}

/// The client's answer, from the first node that gives one.
pub(super) async fn ask(state: &AppState, chain: &Chain, question: &Question<'_>) -> Result<Answer, Unanswered> {
    let Some(body) = question.for_upstream() else {
        return compose(question, b"").map(Answer::from).map_err(|Nonsense| Unanswered::ByAny);
    };
    ask_each(state, chain, question, body.into()).await
}

/// Each node has its share of the time that is left, so that a silent one does not use up the time of the others.
async fn ask_each(
    state: &AppState,
    chain: &Chain,
    question: &Question<'_>,
    body: axum::body::Bytes,
) -> Result<Answer, Unanswered> {
    let end = Instant::now() + LIMIT;
    let once = !question.may_be_asked_twice();
    let resting = state.resting();
    let order = resting.order(&chain.upstreams);
    for (nodes_left, upstream) in (1..=order.len()).rev().zip(order) {
        // What no other node may be asked needs to leave no time to others.
        let sharers = if once { 1 } else { u32::try_from(nodes_left).unwrap_or(u32::MAX) };
        let share = end.saturating_duration_since(Instant::now()) / sharers;
        let fault = match timeout(share, ask_one(state, upstream, question, body.clone())).await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(Fault::Full)) => return Err(Unanswered::ForLackOfMemory),
            Ok(Err(fault)) => fault,
            Err(_) => Fault::Silent,
        };
        // The host alone: keys of providers stand in the path.
        let host = upstream.host_str().unwrap_or_default();
        tracing::warn!(chain = %chain.id, host, port = upstream.port(), ?fault, "a node failed");
        if matches!(fault, Fault::Silent | Fault::Unreachable) {
            resting.begin(upstream);
        }
        if fault == Fault::Silent && sharers == 1 {
            return Err(Unanswered::InTime);
        }
        if fault != Fault::Unreachable && once {
            break;
        }
    }
    Err(Unanswered::ByAny)
}

/// What is wrong with one node.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Fault {
    /// It cannot have heard the question.
    Unreachable,
    /// It let its share of the time pass.
    Silent,
    /// The connection broke.
    Broken,
    /// It has no time for us, or is itself broken.
    Status(u16),
    /// Its answer is not JSON-RPC.
    Nonsense,
    /// Its answer is too long.
    TooLong,
    /// It is none of the node's: too many large answers are here already.
    Full,
}

async fn ask_one(
    state: &AppState,
    upstream: &Url,
    question: &Question<'_>,
    body: axum::body::Bytes,
) -> Result<Answer, Fault> {
    let sent = state.http().post(upstream.clone()).header(CONTENT_TYPE, "application/json").body(body).send().await;
    let mut response = sent.map_err(|error| if error.is_connect() { Fault::Unreachable } else { Fault::Broken })?;
    let status = response.status();
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        return Err(Fault::Status(status.as_u16()));
    }
    let mut share = state.memory().share();
    let mut answer = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Fault::Broken)? {
        if answer.len() + chunk.len() > ANSWER_LIMIT {
            return Err(Fault::TooLong);
        }
        share.grow(COPIES * chunk.len()).map_err(|Full| Fault::Full)?;
        answer.extend_from_slice(&chunk);
    }
    // Nodes also refuse in JSON-RPC with a status of 4xx, which is an answer.
    let text = compose(question, &answer).map_err(|Nonsense| Fault::Nonsense)?;
    Ok(Answer { text, _share: Some(share) })
}
