//! Work on the messages of a client, beside its session.

use crate::guard::memory::Share;
use crate::guard::project::Project;
use crate::rpc::answer::{Answer, compose, error};
use crate::rpc::ask::{Asker, CallResult, NoResult};
use crate::rpc::question::Question;
use crate::rpc::served::Served;
use crate::{AppState, Failure};
use axum::body::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use serde_json::value::RawValue;
use std::sync::Arc;

/// A message needs memory twice: as received and as forwarded.
const COPIES: usize = 2;

/// Size limit of a response, in bytes. A socket keeps a buffer of its longest message, and moves the rest of a message for each
/// piece that a client reads.
const ANSWER_LIMIT: usize = 4 * 1024 * 1024;

pub(super) const NO_ROOM: &str = "The server has too many large requests open. Try again in a few seconds.";

/// Error codes of JSON-RPC 2.0 and EIP-1474.
const PARSE: i64 = -32700;
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
pub(super) const INVALID_PARAMS: i64 = -32602;
pub(super) const INTERNAL: i64 = -32603;
pub(super) const LIMIT_EXCEEDED: i64 = -32005;

/// Result of the work on a message.
pub(super) enum Done {
    /// The response, if one is due.
    Answered(Option<Answer>),
    /// The message is about a subscription and was charged.
    Charged(Bytes, Result<Share, Failure>),
}

/// Work in progress. The session waits for none of it: its events must not pile up.
pub(super) type Working = FuturesUnordered<BoxFuture<'static, Done>>;

/// Charges a message about a subscription. A visitor above its rate hears so after a while.
pub(super) async fn charge(state: AppState, project: Arc<Project>, body: Bytes) -> Done {
    let mut room = state.memory().of(project.visitor()).share();
    let charged = async {
        room.grow(body.len())?;
        room.memory().arrived(body.len()).await?;
        project.spend(&state, 1).await
    };
    let charged = charged.await;
    Done::Charged(body, charged.map(|()| room))
}

/// Answers a message like a POST body.
pub(super) async fn answer(state: AppState, project: Arc<Project>, served: Arc<Served>, body: Bytes) -> Done {
    Done::Answered(answer_to(&state, &project, &served, &body).await)
}

async fn answer_to(state: &AppState, project: &Project, served: &Arc<Served>, body: &Bytes) -> Option<Answer> {
    let refused = |code, sentence: &str| Some(written(RawValue::NULL, "error", &error(code, sentence)).into());
    let mut room = state.memory().of(project.visitor()).share();
    if room.grow(COPIES * body.len()).is_err() {
        return refused(LIMIT_EXCEEDED, NO_ROOM);
    }
    if let Err(behind) = room.memory().arrived(body.len()).await {
        return refused(LIMIT_EXCEEDED, Failure::from(behind).description());
    }
    let Ok(text) = std::str::from_utf8(body) else { return refused(PARSE, "Send the message as UTF-8 text") };
    let mut question = match Question::read(text, served, project.methods()) {
        Ok(question) => question,
        Err(failure) => return refused(PARSE, failure.description()),
    };
    let room = Arc::new(room);
    let asker = Asker { state, served, body, room: &room, fresh: false };
    asker.part(&mut question).await;
    if let Err(failure) = project.spend(state, question.cost()).await {
        return refused(LIMIT_EXCEEDED, failure.description());
    }
    let say_of_all = |said: CallResult| compose(&question, &served.id, |_| Some(&said), room.memory().share()).ok();
    let answer = match asker.ask(&question).await {
        Ok(answer) if answer.as_ref().len() > ANSWER_LIMIT => {
            let sentence = "The answer is longer than 4 MiB. Send the call by POST instead.";
            say_of_all(CallResult::Error(Bytes::from(error(INTERNAL, sentence)).into()))?
        }
        Ok(answer) => answer,
        Err(NoResult::ForLackOfMemory) => {
            return refused(LIMIT_EXCEEDED, "The response is too large now. Try again in a few seconds.");
        }
        Err(unanswered) => say_of_all(CallResult::NoResult(unanswered))?,
    };
    (!answer.as_ref().is_empty()).then_some(answer)
}

/// A response as text.
pub(super) fn written(id: &RawValue, field: &str, value: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"{field}":{value}}}"#).into_bytes()
}
