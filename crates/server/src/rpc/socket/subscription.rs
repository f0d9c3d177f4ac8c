//! Subscription of a client. Its id stays the same when another node takes over.

use super::dialect::Dialect;
use crate::guard::memory::{Full, Share};
use crate::rpc::question::{is_id, present};
use crate::visitors::Taken;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

/// A client's message to subscribe or unsubscribe.
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

impl Order<'_> {
    /// Whether the id is missing or valid in JSON-RPC 2.0.
    pub(super) fn has_usable_id(&self) -> bool {
        self.id.is_none_or(is_id)
    }
}

/// Size limit of parameters, in bytes: they are sent to nodes again whenever one is lost.
pub(super) const LONGEST: usize = 16 * 1024;

/// Lifetime of a subscription that ends with its event. A transaction of Solana expires after 150 blocks, about 90 seconds, and no node
/// tells that it never landed.
pub(super) const LIFETIME: Duration = Duration::from_secs(300);

/// A subscription of a client.
pub(super) struct Subscription {
    /// Normalized JSON, so that equal subscriptions have the same text.
    pub(super) params: Arc<str>,
    /// Id of the call that subscribes, until that is answered.
    pub(super) asked_by: Option<Box<RawValue>>,
    /// Time at which the subscription ends without an event.
    pub(super) ends: Option<Instant>,
    /// Memory reserved for the texts of this subscription, and its places among those of its visitor and of all WebSockets.
    _held: (Share, Option<Places>),
}

/// Places among the subscriptions of a visitor, unless a host's own server subscribes, and of all WebSockets.
pub(super) type Places = (Option<Taken>, OwnedSemaphorePermit);

/// Reason why a subscription is not created.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum NoSubscription {
    /// The parameters name nothing that can be subscribed to; the sentence says what can.
    OfNoKind(&'static str),
    /// The parameters are longer than [`LONGEST`].
    TooLong,
    /// The server has no memory left for its parameters.
    Full,
}

impl From<Full> for NoSubscription {
    fn from(_: Full) -> NoSubscription {
        NoSubscription::Full
    }
}

impl Subscription {
    /// Creates the subscription of an order; `share` is still empty.
    pub(super) fn new(dialect: Dialect, order: &Order<'_>, mut share: Share) -> Result<Subscription, NoSubscription> {
        if order.params.is_some_and(|params| params.get().len() > LONGEST) {
            return Err(NoSubscription::TooLong);
        }
        let params = dialect.params(order.params).map_err(NoSubscription::OfNoKind)?;
        share.grow(params.len() + order.id.map_or(0, |id| id.get().len()))?;
        let ends = dialect.ends_with_event().then(|| Instant::now() + LIFETIME);
        Ok(Subscription {
            params: params.into(),
            asked_by: order.id.map(ToOwned::to_owned),
            ends,
            _held: (share, None),
        })
    }

    /// The subscription, in these places.
    pub(super) fn at(self, places: Places) -> Subscription {
        Subscription { _held: (self._held.0, Some(places)), ..self }
    }
}

/// Id in the parameters of an order to unsubscribe, as normalized JSON.
pub(super) fn named(dialect: Dialect, order: &Order<'_>) -> Option<String> {
    let [id]: [&RawValue; 1] = serde_json::from_str(order.params?.get()).ok()?;
    dialect.id(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::memory::Memory;

    const KINDS: &str = "Subscribe to newHeads, logs or newPendingTransactions";

    fn subscription(params: &str) -> Result<Subscription, NoSubscription> {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":{params}}}"#);
        Subscription::new(Dialect::Eip155, &serde_json::from_str(&text).unwrap(), Memory::new(1).share())
    }

    #[test]
    fn only_heads_logs_and_pending_transactions_can_be_subscribed_to() {
        for params in [r#"["newHeads"]"#, r#"["logs",{"address":"0x1"}]"#, r#"["newPendingTransactions",true]"#] {
            assert_eq!(&*subscription(params).unwrap().params, params);
        }
        let spaced = r#"[ "logs" , {"topics" : [], "address":"0x1"}]"#;
        assert_eq!(&*subscription(spaced).unwrap().params, r#"["logs",{"address":"0x1","topics":[]}]"#);
        let deep = format!(r#"["logs",{}{}]"#, "[".repeat(64), "]".repeat(64));
        for params in ["[]", "{}", "null", r#"["syncing"]"#, "[1]", r#"[["newHeads"]]"#, r#""newHeads""#, &deep] {
            assert_eq!(subscription(params).err(), Some(NoSubscription::OfNoKind(KINDS)), "{params}");
        }
    }

    #[test]
    fn a_subscription_takes_room_and_is_refused_where_there_is_none() {
        let long = |letters| format!(r#"["logs",{{"topics":["{}"]}}]"#, "0".repeat(letters));
        assert!(subscription(&long(LONGEST - 100)).is_ok());
        assert_eq!(subscription(&long(LONGEST)).err(), Some(NoSubscription::TooLong));
        let memory = Memory::new(1);
        let mut held = memory.share();
        assert!(held.grow(1024 * 1024 - LONGEST).is_ok());
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":{}}}"#, long(LONGEST - 100));
        let order: Order<'_> = serde_json::from_str(&text).unwrap();
        assert!(Subscription::new(Dialect::Eip155, &order, memory.share()).is_ok());
        assert!(held.grow(LONGEST / 2).is_ok());
        assert_eq!(Subscription::new(Dialect::Eip155, &order, memory.share()).err(), Some(NoSubscription::Full));
    }

    #[test]
    fn an_order_has_an_id_that_json_rpc_knows() {
        let order = |id: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"eth_subscribe"}}"#);
            serde_json::from_str::<Order<'_>>(&text).unwrap().has_usable_id()
        };
        assert!(["1", "-1.5", "\"a\"", "null"].into_iter().all(order));
        assert!(!["{}", "[]", "true", "false", "[[1]]"].into_iter().any(order));
    }
}
