//! What a client subscribes to. Its id stays the same when the node behind it changes.

use crate::rpc::question::present;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A message of a client that is about a subscription.
#[derive(Deserialize)]
pub(super) struct Order<'a> {
    #[serde(borrow)]
    pub(super) jsonrpc: Cow<'a, str>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) method: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) params: Option<&'a RawValue>,
}

pub(super) const SUBSCRIBE: &str = "eth_subscribe";
pub(super) const UNSUBSCRIBE: &str = "eth_unsubscribe";

/// What may be subscribed to.
const KINDS: [&str; 3] = ["newHeads", "logs", "newPendingTransactions"];

/// A subscription of a client.
pub(super) struct Subscription {
    pub(super) params: Box<RawValue>,
    /// The id of the call that asked for it, until that is answered.
    pub(super) asked_by: Option<Box<RawValue>>,
}

impl Subscription {
    /// None where nothing of the kind can be subscribed to.
    pub(super) fn new(order: &Order<'_>) -> Option<Subscription> {
        let params = order.params?;
        let list: Vec<&RawValue> = serde_json::from_str(params.get()).ok()?;
        let kind: Cow<'_, str> = serde_json::from_str(list.first()?.get()).ok()?;
        KINDS
            .contains(&kind.as_ref())
            .then(|| Subscription { params: params.to_owned(), asked_by: order.id.map(ToOwned::to_owned) })
    }
}

/// A new id, which nobody can guess.
pub(super) fn fresh_id() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(alloy_primitives::hex::encode_prefixed(bytes))
}

/// The id that an `eth_unsubscribe` names.
pub(super) fn named(order: &Order<'_>) -> Option<String> {
    let [id]: [String; 1] = serde_json::from_str(order.params?.get()).ok()?;
    Some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subscription(params: &str) -> Option<Subscription> {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":{params}}}"#);
        Subscription::new(&serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn only_heads_logs_and_pending_transactions_can_be_subscribed_to() {
        for params in [r#"["newHeads"]"#, r#"["logs",{"address":"0x1"}]"#, r#"["newPendingTransactions",true]"#] {
            assert_eq!(subscription(params).unwrap().params.get(), params);
        }
        for params in ["[]", "{}", "null", r#"["syncing"]"#, "[1]", r#"[["newHeads"]]"#, r#""newHeads""#] {
            assert!(subscription(params).is_none(), "{params}");
        }
    }
}
