//! Asking the nodes of a chain, one after the other.

use super::answer::{Nonsense, compose};
use super::question::Question;
use crate::config::Chain;
use axum::http::StatusCode;
use portico_api::rpc::TIMEOUT_MILLIS;
use portico_terms::ChainId;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Url};
use std::time::Duration;
use tokio::time::timeout;

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
}

impl Unanswered {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Unanswered::InTime => StatusCode::GATEWAY_TIMEOUT,
            Unanswered::ByAny => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    pub(super) fn sentence(self, chain: &ChainId) -> String {
        match self {
            Unanswered::InTime => format!("The chain {chain} did not answer within {} seconds", LIMIT.as_secs()),
            Unanswered::ByAny => format!("No node of the chain {chain} answers"),
        }
    }
}

/// The client's answer, from the first node that gives one.
pub(super) async fn ask(http: &Client, chain: &Chain, question: &Question<'_>) -> Result<Vec<u8>, Unanswered> {
    let Some(body) = question.for_upstream() else {
        return compose(question, b"").map_err(|Nonsense| Unanswered::ByAny);
    };
    let answered = timeout(LIMIT, ask_each(http, chain, question, body.into())).await;
    answered.unwrap_or_else(|_| {
        tracing::warn!(chain = %chain.id, "no answer in time");
        Err(Unanswered::InTime)
    })
}

async fn ask_each(
    http: &Client,
    chain: &Chain,
    question: &Question<'_>,
    body: axum::body::Bytes,
) -> Result<Vec<u8>, Unanswered> {
    for upstream in &chain.upstreams {
        match ask_one(http, upstream, question, body.clone()).await {
            Ok(answer) => return Ok(answer),
            Err(fault) => {
                // The host alone: keys of providers stand in the path.
                let host = upstream.host_str().unwrap_or_default();
                tracing::warn!(chain = %chain.id, host, port = upstream.port(), ?fault, "a node failed");
                if fault != Fault::Unreachable && !question.may_be_asked_twice() {
                    break;
                }
            }
        }
    }
    Err(Unanswered::ByAny)
}

/// What is wrong with one node.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Fault {
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
}

async fn ask_one(
    http: &Client,
    upstream: &Url,
    question: &Question<'_>,
    body: axum::body::Bytes,
) -> Result<Vec<u8>, Fault> {
    let sent = http.post(upstream.clone()).header(CONTENT_TYPE, "application/json").body(body).send().await;
    let mut response = sent.map_err(|error| if error.is_connect() { Fault::Unreachable } else { Fault::Broken })?;
    let status = response.status();
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        return Err(Fault::Status(status.as_u16()));
    }
    let mut answer = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Fault::Broken)? {
        if answer.len() + chunk.len() > ANSWER_LIMIT {
            return Err(Fault::TooLong);
        }
        answer.extend_from_slice(&chunk);
    }
    // Nodes also refuse in JSON-RPC with a status of 4xx, which is an answer.
    compose(question, &answer).map_err(|Nonsense| Fault::Nonsense)
}
