//! Splits `eth_getLogs` calls whose block range is too wide for the nodes, and joins the results of the parts.

use super::exchange::Exchange;
use super::{Asker, CallResult, LIMIT, Manner, NoResult, NodeCall};
use crate::rpc::answer::error;
use crate::rpc::blocks::{Blocks, GET_LOGS, Limits};
use crate::rpc::cache::Life;
use crate::rpc::method::Passage;
use crate::rpc::node::Class;
use crate::rpc::question::{Item, Question};
use crate::rpc::refusal::Refusal;
use axum::body::Bytes;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use futures_util::stream::{StreamExt, iter};
use portico_api::rpc::BATCH_LIMIT;
use std::collections::HashMap;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

/// Number of parts of one request that are in flight at the same time.
const AT_ONCE: usize = 8;

/// Size limit of a joined result, in bytes.
const LONGEST: usize = 64 * 1024 * 1024;

/// JSON-RPC 2.0 error code.
const INTERNAL: i64 = -32603;

impl Asker<'_> {
    /// Splits calls whose block range is too wide for one request, and rejects those above the limits.
    pub(in crate::rpc) async fn part(&self, question: &mut Question<'_>) {
        let Some(mut limits) = Limits::of(self.served) else { return };
        // A request that must be sent only once goes to one node in a single batch, so it is not split.
        if question.items().iter().any(|item| matches!(item, Item::Call(call) if call.passage == Passage::Once)) {
            limits.at_once = None;
        }
        let mut head = None;
        let mut left = BATCH_LIMIT;
        for item in question.items_mut() {
            let Item::Call(call) = &item else { continue };
            if call.method != GET_LOGS || call.id.is_none() {
                continue;
            }
            let Some(blocks) = Blocks::read(call.params).filter(|blocks| !blocks.are_few(limits)) else { continue };
            let newest = match head {
                Some(newest) => newest,
                None => *head.insert(self.newest_block().await),
            };
            let mut parts = blocks.parts(limits, newest);
            if let (Err(Refusal::TooWide(..)), Some(told)) = (&parts, newest)
                && let Some(confirmed) = self.confirmed(told).await
            {
                head = Some(Some(confirmed));
                parts = blocks.parts(limits, Some(confirmed));
            }
            match parts {
                Ok(None) => {}
                Ok(Some(parts)) if parts.len() > left => item.refuse(Refusal::TooManyParts),
                Ok(Some(parts)) => {
                    left -= parts.len();
                    item.part(parts);
                }
                Err(refusal) => item.refuse(refusal),
            }
        }
    }

    /// Results of the split calls, by their place in the request.
    pub(super) async fn hear_parts(&self, question: &Question<'_>) -> HashMap<usize, CallResult> {
        let turns = Semaphore::new(AT_ONCE);
        let end = Instant::now() + LIMIT;
        let mut places = Vec::new();
        let mut asked: Vec<BoxFuture<'_, CallResult>> = Vec::new();
        for (place, item) in question.items().iter().enumerate() {
            if let Item::Parted(_, parts) = item {
                places.push(place);
                asked.push(self.join(parts, &turns, end).boxed());
            }
        }
        places.into_iter().zip(join_all(asked).await).collect()
    }

    async fn join(&self, parts: &[Bytes], turns: &Semaphore, end: Instant) -> CallResult {
        let said = timeout_at(end, self.join_all(parts, turns)).await;
        said.unwrap_or(CallResult::NoResult(NoResult::InTime))
    }

    /// Joins the lists of all parts. The first failure is the result, and no further parts are requested.
    async fn join_all(&self, parts: &[Bytes], turns: &Semaphore) -> CallResult {
        let mut asked: Vec<BoxFuture<'_, CallResult>> = Vec::with_capacity(parts.len());
        for part in parts {
            asked.push(self.ask_in_turn(part, turns).boxed());
        }
        let mut heard = iter(asked).buffered(AT_ONCE);
        let mut share = self.room.memory().share();
        let mut joined = vec![b'['];
        while let Some(said) = heard.next().await {
            let text = match said {
                CallResult::Result(text) => text,
                failed => return failed,
            };
            let Some(items) = items(text.bytes()) else {
                return failure("Couldn't read the logs of a node. Try again.");
            };
            if joined.len() + items.len() > LONGEST {
                return failure("The logs of this block range are too long for one response. Ask for fewer blocks.");
            }
            if share.grow(items.len() + 1).is_err() {
                return CallResult::NoResult(NoResult::ForLackOfMemory);
            }
            if joined.len() > 1 && !items.is_empty() {
                joined.push(b',');
            }
            joined.extend_from_slice(items);
        }
        joined.push(b']');
        CallResult::Result((Bytes::from(joined), share).into())
    }

    async fn ask_in_turn(&self, part: &Bytes, turns: &Semaphore) -> CallResult {
        // Never fails, as the semaphore is never closed.
        let _turn = turns.acquire().await;
        self.served.counted().parts.increment(1);
        self.ask_alone(GET_LOGS, part).await
    }

    async fn newest_block(&self) -> Option<u64> {
        let said = self.ask_alone("eth_blockNumber", &Bytes::from_static(b"[]")).await;
        let told = match &said {
            CallResult::Result(text) => serde_json::from_slice::<String>(text.bytes()).ok(),
            CallResult::Error(_) | CallResult::NoResult(_) => None,
        };
        let told = told.and_then(|text| crate::rpc::cache::quantity(&text));
        told.or_else(|| Some(self.served.head()).filter(|head| *head > 0))
    }

    /// Head according to the other nodes, if only one node reported a head near `told`; `None` if theirs is not lower.
    async fn confirmed(&self, told: u64) -> Option<u64> {
        let nodes = self.served.others_than_at(told)?;
        let call = NodeCall {
            method: "eth_blockNumber".into(),
            params: Some(Bytes::from_static(b"[]")),
            notification: false,
            key: None,
            life: Life::None,
            shared_name: None,
            esplora: None,
        };
        let exchange = Exchange {
            state: self.state.clone(),
            served: self.served.clone(),
            calls: vec![call],
            manner: Manner::Hedged,
            class: Class::Light,
            nodes,
            room: self.room.clone(),
        };
        // The exchange records each node's head as a side effect.
        exchange.run().await;
        Some(self.served.head()).filter(|head| *head < told)
    }

    /// Sends one call of the server's own as a separate request.
    fn ask_alone<'a>(&'a self, method: &'a str, params: &'a Bytes) -> BoxFuture<'a, CallResult> {
        async move {
            let head = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":"#);
            let body = Bytes::from([head.as_bytes(), params, b"}"].concat());
            let question = std::str::from_utf8(&body).ok().and_then(|text| Question::read(text, self.served, &[]).ok());
            let Some(question) = question else { return CallResult::NoResult(NoResult::ByAny) };
            let Asker { state, served, room, fresh, .. } = *self;
            let asker = Asker { state, served, body: &body, room, fresh };
            asker.hear(&question).await.at(0).cloned().unwrap_or(CallResult::NoResult(NoResult::ByAny))
        }
        .boxed()
    }
}

/// Content between the brackets of a JSON list.
fn items(list: &[u8]) -> Option<&[u8]> {
    Some(list.strip_prefix(b"[")?.strip_suffix(b"]")?.trim_ascii())
}

fn failure(sentence: &str) -> CallResult {
    CallResult::Error(Bytes::from(error(INTERNAL, sentence)).into())
}
