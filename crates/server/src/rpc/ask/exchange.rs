//! Queries the nodes of a chain until each call has a result: the next node after a failure, a second one beside a slow one.

use super::one::{Asking, Fault, NodeRequest, body};
use super::said::{CallResult, Refusal, refusal, without_words};
use super::{LIMIT, Manner, NoResult, NodeCall};
use crate::AppState;
use crate::guard::memory::Share;
use crate::rpc::cache::{Cache, block_named_in, quantity};
use crate::rpc::node::{Class, Node};
use crate::rpc::served::Served;
use alloy_primitives::{hex, keccak256};
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Calls for the same nodes in the same manner, with the memory reserved for them. Notifications come last. A call of Bitcoin is alone.
pub(super) struct Exchange {
    pub(super) state: AppState,
    pub(super) served: Arc<Served>,
    pub(super) calls: Vec<NodeCall>,
    pub(super) manner: Manner,
    pub(super) class: Class,
    /// Bitmask with one bit per node.
    pub(super) nodes: u64,
    pub(super) room: Arc<Share>,
}

/// A body with more calls than this counts as heavy, as its latency says nothing about single calls.
const MANY: usize = 20;

/// Results so far.
struct Answers {
    said: Vec<Option<CallResult>>,
    /// Errors that are returned only if no other node has a better response.
    refused: Vec<Option<CallResult>>,
}

impl Exchange {
    /// Result of each call; notifications have none.
    pub(super) async fn run(self) -> Arc<Vec<CallResult>> {
        let expected = self.calls.iter().filter(|call| !call.notification).count();
        let mut answers = Answers { said: vec![None; expected], refused: vec![None; expected] };
        let head = self.served.head();
        let from_others = self.ask_shared(&mut answers).await;
        let unanswered = if expected > 0 && answers.missing().next().is_none() {
            NoResult::ByAny
        } else {
            self.ask_nodes(&mut answers).await
        };
        self.keep(&answers, head, &from_others).await;
        let Answers { said, refused } = answers;
        let last = |(said, refused): (Option<CallResult>, Option<CallResult>)| {
            said.or(refused).unwrap_or(CallResult::NoResult(unanswered))
        };
        Arc::new(said.into_iter().zip(refused).map(last).collect())
    }

    fn class(&self) -> Class {
        if self.calls.len() > MANY { Class::Heavy } else { self.class }
    }

    /// Runs until each call has a result or no node is left; returns the reason for those without one.
    async fn ask_nodes(&self, answers: &mut Answers) -> NoResult {
        let order = match self.manner {
            Manner::Bound => self.served.fixed_order(self.nodes),
            Manner::Hedged | Manner::InTurn | Manner::Once => self.served.order(self.nodes, self.class()),
        };
        let mut left = VecDeque::from(order);
        let end = Instant::now() + LIMIT;
        let mut next_at = Instant::now();
        // Set before requests are cancelled because nodes were too slow; a client that disconnects says nothing about the nodes.
        let decided = Arc::new(AtomicBool::new(false));
        let mut running = FuturesUnordered::new();
        let mut asked = 0;
        let (mut timed_out, mut queued) = (false, false);
        let why = loop {
            if Instant::now() >= end {
                break NoResult::InTime;
            }
            if running.is_empty() || Instant::now() >= next_at {
                // Without hedging only one node is queried at a time.
                if self.manner != Manner::Hedged && Instant::now() >= next_at && !left.is_empty() {
                    decided.store(true, Ordering::Relaxed);
                    running.clear();
                    decided.store(false, Ordering::Relaxed);
                }
                let Some(node) = left.pop_front() else {
                    if running.is_empty() {
                        break match self.last_word(answers) {
                            _ if timed_out => NoResult::InTime,
                            NoResult::ByAny if queued => NoResult::ForLackOfSlots,
                            last => last,
                        };
                    }
                    next_at = end;
                    continue;
                };
                let patience = self.patience(end, left.len());
                next_at = Instant::now() + self.delay(patience, asked, left.is_empty());
                asked += 1;
                if !running.is_empty() {
                    self.served.counted().hedges.increment(1);
                }
                running.push(self.ask_one(node, answers.missing().collect(), patience, &decided));
            }
            let ended = tokio::select! {
                Some(ended) = running.next() => ended,
                () = sleep_until(next_at.min(end)) => {
                    timed_out = true;
                    continue;
                }
            };
            timed_out = false;
            match ended {
                (node, Ok(said), places) => {
                    self.take(&node, said, &places, asked > 1, answers);
                    if answers.missing().next().is_none() {
                        break NoResult::ByAny;
                    }
                    if self.manner == Manner::Once {
                        break NoResult::ThisCall;
                    }
                }
                (_, Err(Fault::Full), _) => break NoResult::ForLackOfMemory,
                (_, Err(fault), _) => {
                    queued |= fault == Fault::Queue;
                    if self.manner == Manner::Once && !matches!(fault, Fault::Unreachable(_) | Fault::Queue) {
                        break NoResult::ByAny;
                    }
                }
            }
        };
        decided.store(true, Ordering::Relaxed);
        why
    }

    /// `ThisCall` if the nodes answered other calls of the batch, else `ByAny`.
    fn last_word(&self, answers: &Answers) -> NoResult {
        if answers.said.iter().any(Option::is_some) { NoResult::ThisCall } else { NoResult::ByAny }
    }

    /// Time limit for one node: an equal share of the time left, so that a silent node leaves time for the others. A call that may
    /// go to one node only gets all of it.
    fn patience(&self, end: Instant, others: usize) -> Duration {
        let left = end.saturating_duration_since(Instant::now());
        if self.manner == Manner::Once { left } else { left / u32::try_from(others + 1).unwrap_or(u32::MAX) }
    }

    /// Delay before the next node is queried if this one has not answered.
    fn delay(&self, patience: Duration, asked: usize, last: bool) -> Duration {
        match self.manner {
            Manner::Once => LIMIT,
            Manner::Hedged if asked == 0 && !last => self.served.hedge_delay(self.class()).min(patience),
            Manner::Hedged | Manner::InTurn | Manner::Bound => patience,
        }
    }

    async fn ask_one(
        &self,
        node: Arc<Node>,
        places: Vec<usize>,
        patience: Duration,
        decided: &Arc<AtomicBool>,
    ) -> (Arc<Node>, Result<Vec<Option<CallResult>>, Fault>, Vec<usize>) {
        let request = match self.calls.first().and_then(|call| call.esplora.clone()) {
            Some(call) => NodeRequest::Esplora(call),
            None => {
                let notifications = self.calls.iter().filter(|call| call.notification);
                let body = body(places.iter().map(|place| &self.calls[*place]).chain(notifications));
                NodeRequest::JsonRpc { body, count: places.len() }
            }
        };
        let mut asking = Asking::new(node, self.class(), patience, decided.clone());
        let said = asking.ask(self.served.http(), self.room.memory(), request).await;
        let node = asking.node.clone();
        match &said {
            Ok(_) => {
                node.answered(self.class(), asking.took());
                self.served.answered(self.class(), asking.took());
            }
            Err(Fault::Full | Fault::Queue) => {}
            Err(fault) => {
                tracing::warn!(chain = %self.served.id, node = node.host(), cause = %fault, "a node failed");
                node.judge(Some(fault));
                match fault {
                    Fault::Unreachable(_) => node.gone(),
                    Fault::Status(429) => node.limited(),
                    _ => node.failed(),
                }
            }
        }
        (node, said, places)
    }

    /// Stores the results of a node; errors that another node may not return are stored as fallback.
    fn take(&self, node: &Node, said: Vec<Option<CallResult>>, places: &[usize], again: bool, answers: &mut Answers) {
        let mut limited = false;
        for (place, said) in places.iter().zip(said) {
            let call = &self.calls[*place];
            match said {
                Some(CallResult::Result(text)) => {
                    if let Some(number) = block_in(&call.method, text.text()) {
                        node.saw_block(number);
                    }
                    answers.said[*place] = Some(CallResult::Result(text));
                }
                Some(CallResult::Error(text)) => {
                    let refusal = refusal(text.text());
                    limited |= refusal == Refusal::TooOften;
                    let hidden = node.is_revealed_by(text.text());
                    let text = if hidden { axum::body::Bytes::from(without_words(text.text())).into() } else { text };
                    match (refusal, transaction_hash(call)) {
                        // An earlier attempt of this request already submitted the transaction.
                        (Refusal::KnownTransaction, Some(hash)) if again => {
                            answers.said[*place] = Some(CallResult::Result(axum::body::Bytes::from(hash).into()));
                        }
                        (Refusal::OfCall | Refusal::KnownTransaction, _) => {
                            answers.said[*place] = Some(CallResult::Error(text))
                        }
                        (Refusal::TooOften | Refusal::UnknownMethod | Refusal::Unknown, _) => {
                            answers.refused[*place] = Some(CallResult::Error(text))
                        }
                    }
                }
                Some(CallResult::NoResult(_)) | None => {}
            }
        }
        if limited {
            node.limited();
        }
        node.judge(limited.then_some(&"it limits requests" as &dyn Display));
    }

    /// Looks the calls up in the store that server processes share; returns the places found.
    async fn ask_shared(&self, answers: &mut Answers) -> Vec<usize> {
        let cache = &self.state.proxy().cache;
        let asked = self
            .calls
            .iter()
            .enumerate()
            .filter_map(|(place, call)| Some((place, call.shared_name.as_deref()?, call.key?)));
        let asked =
            asked.map(async |(place, name, key)| (place, cache.get_shared(self.state.shared(), key, name).await));
        let mut found = Vec::new();
        for (place, text) in futures_util::future::join_all(asked).await {
            if let Some(text) = text {
                answers.said[place] = Some(CallResult::Result(text.into()));
                found.push(place);
            }
        }
        found
    }

    async fn keep(&self, answers: &Answers, head: u64, from_others: &[usize]) {
        if !self.served.cache {
            return;
        }
        for (place, (call, said)) in self.calls.iter().zip(&answers.said).enumerate() {
            let (Some(key), Some(CallResult::Result(text))) = (call.key, said) else { continue };
            if from_others.contains(&place) {
                continue;
            }
            // A result that names a newer block is valid until the block after that one.
            let head = block_in(&call.method, text.text()).map_or(head, |number| number.max(head));
            let for_ever = self.state.proxy().cache.put(&self.served, key, call.life, head, text.text()).await;
            if let Some(name) = call.shared_name.as_deref().filter(|_| for_ever) {
                Cache::put_shared(self.state.shared(), name, text.text()).await;
            }
        }
    }
}

impl Answers {
    fn missing(&self) -> impl Iterator<Item = usize> {
        self.said.iter().enumerate().filter(|(_, said)| said.is_none()).map(|(place, _)| place)
    }
}

/// Block number in a result: the head, or the block of a transaction.
fn block_in(method: &str, result: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow)]
        number: Option<Cow<'a, str>>,
    }
    match method {
        "eth_blockNumber" => quantity(result.trim_matches('"')),
        "getblockcount" => result.parse().ok(),
        "eth_getBlockByNumber" => quantity(&serde_json::from_str::<Head<'_>>(result).ok()?.number?),
        "eth_getTransactionReceipt" => block_named_in(result),
        _ => None,
    }
}

/// Hash of the signed transaction that a call submits, as a JSON string.
fn transaction_hash(call: &NodeCall) -> Option<String> {
    if &*call.method != "eth_sendRawTransaction" {
        return None;
    }
    let [raw]: [Cow<'_, str>; 1] = serde_json::from_slice(call.params.as_ref()?).ok()?;
    let bytes = hex::decode(raw.as_ref()).ok()?;
    Some(format!("\"{}\"", keccak256(bytes)))
}
