//! Parses a client's request: one JSON-RPC 2.0 call or a batch of them.

use super::esplora::EsploraCall;
use super::method::{Passage, passage};
use super::refusal::{Refusal, is_too_deep};
use crate::Failure;
use crate::config::{Chain, Method};
use axum::body::Bytes;
use portico_api::rpc::BATCH_LIMIT;
use portico_terms::Namespace;
use portico_terms::rpc::calls_are_well_formed;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A parsed request body.
pub(super) struct Question<'a> {
    items: Vec<Item<'a>>,
    batch: bool,
}

/// One entry of a batch.
pub(super) enum Item<'a> {
    /// A call to be forwarded.
    Call(RpcCall<'a>),
    /// Not a valid call; answered here with an error.
    Wrong {
        /// The id of the entry, if it has a valid one.
        id: Option<&'a RawValue>,
    },
    /// A call to be forwarded in parts, with the parameters of each part.
    Parted(RpcCall<'a>, Vec<Bytes>),
    /// A call that is not forwarded; answered here with an error.
    Refused(RpcCall<'a>, Refusal),
}

/// Request to a wallet to send several calls (EIP-5792). Forwarded only if the operator's configuration allows it.
const SEND_CALLS: &str = "wallet_sendCalls";

/// One call. Parameters stay in their original text.
pub(super) struct RpcCall<'a> {
    /// `None` for a notification.
    pub(super) id: Option<&'a RawValue>,
    pub(super) method: Cow<'a, str>,
    pub(super) params: Option<&'a RawValue>,
    /// Rule for forwarding.
    pub(super) passage: Passage,
    /// The call as a Bitcoin node gets it; `None` on other chains.
    pub(super) esplora: Option<EsploraCall>,
}

impl<'a> Question<'a> {
    /// Only `methods` are forwarded; an empty list allows every method that the chain forwards.
    pub(super) fn read(text: &'a str, chain: &Chain, methods: &[Method]) -> Result<Question<'a>, Failure> {
        let malformed = || Failure::parameter("body", "Send the body as JSON");
        if !text.trim_ascii_start().starts_with('[') {
            let raw: &RawValue = serde_json::from_str(text).map_err(|_| malformed())?;
            return match item(raw, chain, methods) {
                Item::Wrong { .. } => Err(Failure::parameter("body", "Send the body as a JSON-RPC 2.0 call")),
                item => Ok(Question { items: vec![item], batch: false }),
            };
        }
        let batch: Batch<'a> = serde_json::from_str(text).map_err(|_| malformed())?;
        match batch.count {
            0 => Err(Failure::parameter("body", "Add a call to the batch")),
            count if count > BATCH_LIMIT => {
                Err(Failure::parameter("body", format!("Send at most {BATCH_LIMIT} calls at once, not {count}")))
            }
            _ => {
                let items = batch.kept.into_iter().map(|raw| item(raw, chain, methods)).collect();
                Ok(Question { items, batch: true })
            }
        }
    }

    pub(super) fn is_batch(&self) -> bool {
        self.batch
    }

    pub(super) fn items(&self) -> &[Item<'a>] {
        &self.items
    }

    pub(super) fn items_mut(&mut self) -> &mut [Item<'a>] {
        &mut self.items
    }

    /// Number of calls to charge: each part counts as one. At least 1.
    pub(super) fn cost(&self) -> usize {
        let cost = |item: &Item<'_>| if let Item::Parted(_, parts) = item { parts.len() } else { 1 };
        self.items.iter().map(cost).sum::<usize>().max(1)
    }
}

impl Item<'_> {
    /// Splits a call into these parts.
    pub(super) fn part(&mut self, parts: Vec<Bytes>) {
        self.turn(|call| Item::Parted(call, parts));
    }

    /// Rejects a call without forwarding it.
    pub(super) fn refuse(&mut self, refusal: Refusal) {
        self.turn(|call| Item::Refused(call, refusal));
    }
}

impl<'a> Item<'a> {
    fn turn(&mut self, into: impl FnOnce(RpcCall<'a>) -> Item<'a>) {
        match std::mem::replace(self, Item::Wrong { id: None }) {
            Item::Call(call) => *self = into(call),
            other => *self = other,
        }
    }
}

#[derive(Deserialize)]
struct Incoming<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct IdAlone<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
}

/// Deserializes a field that is present, even as `null`, to `Some`.
pub(super) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Parses a JSON object. Serde alone would also accept an array of the fields in order.
pub(super) fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    if text.trim_ascii_start().starts_with('{') { serde_json::from_str(text).ok() } else { None }
}

fn item<'a>(raw: &'a RawValue, chain: &Chain, methods: &[Method]) -> Item<'a> {
    match object::<Incoming<'_>>(raw.get()) {
        Some(call) if call.jsonrpc == "2.0" && call.id.is_none_or(is_id) => {
            let passage = passage(chain, &call.method);
            let Incoming { id, method, params, .. } = call;
            let mut call = RpcCall { id, method, params, passage, esplora: None };
            if let Some(refusal) = refusal(&call, methods) {
                return Item::Refused(call, refusal);
            }
            if chain.id.namespace() == Namespace::Bip122 {
                match EsploraCall::read(&chain.id, &call.method, params) {
                    Ok(esplora) => call.esplora = Some(esplora),
                    Err(sentence) => return Item::Refused(call, Refusal::Params(sentence)),
                }
            }
            Item::Call(call)
        }
        _ => {
            let id = object::<IdAlone<'_>>(raw.get()).and_then(|found| found.id);
            Item::Wrong { id: id.filter(|id| is_id(id)) }
        }
    }
}

fn refusal(call: &RpcCall<'_>, methods: &[Method]) -> Option<Refusal> {
    let params = call.params.map_or("", RawValue::get);
    let allowed = || methods.is_empty() || methods.iter().any(|method| method.covers(&call.method));
    let well_formed = || portico_json::parse(params).is_ok_and(|params| calls_are_well_formed(&params));
    match call.passage {
        Passage::Refused => Some(Refusal::ByServer),
        _ if !allowed() => Some(Refusal::ByProject),
        _ if is_too_deep(params) => Some(Refusal::TooDeep),
        _ if call.method == SEND_CALLS && !well_formed() => Some(Refusal::Entry),
        _ => None,
    }
}

/// JSON-RPC 2.0: an id is a string, a number or null.
pub(super) fn is_id(id: &RawValue) -> bool {
    !id.get().starts_with(['{', '[', 't', 'f'])
}

/// The items of an array: stored up to the limit, only counted beyond it.
pub(super) struct Batch<'a> {
    pub(super) kept: Vec<&'a RawValue>,
    pub(super) count: usize,
}

impl<'de> Deserialize<'de> for Batch<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Batch<'de>, D::Error> {
        deserializer.deserialize_seq(BatchVisitor)
    }
}

struct BatchVisitor;

impl<'de> Visitor<'de> for BatchVisitor {
    type Value = Batch<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Batch<'de>, A::Error> {
        let mut kept = Vec::new();
        while kept.len() < BATCH_LIMIT {
            match sequence.next_element::<&RawValue>()? {
                Some(item) => kept.push(item),
                None => return Ok(Batch { count: kept.len(), kept }),
            }
        }
        let mut count = kept.len();
        while sequence.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Batch { kept, count })
    }
}
