//! Subscriptions of EVM chains and of Solana: their methods, parameters, ids and notifications.

use super::signature;
use crate::rpc::refusal::is_too_deep;
use portico_terms::{ChainId, Namespace};
use serde_json::Value;
use serde_json::value::RawValue;

/// Size limit of a node's message on EVM chains, where events have logs and pending transactions, in bytes.
const EVENT_LIMIT: usize = 4 * 1024 * 1024;

/// Subscription types of EVM chains.
const KINDS: [&str; 3] = ["newHeads", "logs", "newPendingTransactions"];

/// Kind of subscriptions of a chain.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Dialect {
    /// `eth_subscribe`: many events under an id that is a string.
    Eip155,
    /// `signatureSubscribe`: one event under an id that is a number, after which the subscription has ended.
    Solana,
}

impl Dialect {
    const ALL: [Dialect; 2] = [Dialect::Eip155, Dialect::Solana];

    /// `None` for chains without subscriptions.
    pub(super) fn of(chain: &ChainId) -> Option<Dialect> {
        match chain.namespace() {
            Namespace::Eip155 => Some(Dialect::Eip155),
            Namespace::Solana => Some(Dialect::Solana),
            Namespace::Bip122 | Namespace::Polkadot => None,
        }
    }

    pub(super) fn subscribe(self) -> &'static str {
        match self {
            Dialect::Eip155 => "eth_subscribe",
            Dialect::Solana => "signatureSubscribe",
        }
    }

    pub(super) fn unsubscribe(self) -> &'static str {
        match self {
            Dialect::Eip155 => "eth_unsubscribe",
            Dialect::Solana => "signatureUnsubscribe",
        }
    }

    fn notification(self) -> &'static str {
        match self {
            Dialect::Eip155 => "eth_subscription",
            Dialect::Solana => "signatureNotification",
        }
    }

    /// This dialect's method for a subscription method of any dialect; `None` for other methods.
    pub(super) fn own_method(self, method: &str) -> Option<&'static str> {
        let any = |name: fn(Dialect) -> &'static str| Dialect::ALL.into_iter().any(|dialect| name(dialect) == method);
        match () {
            () if any(Dialect::subscribe) => Some(self.subscribe()),
            () if any(Dialect::unsubscribe) => Some(self.unsubscribe()),
            () => None,
        }
    }

    /// Whether a subscription ends with its first event.
    pub(super) fn ends_with_event(self) -> bool {
        self == Dialect::Solana
    }

    /// Size limit of a node's message, in bytes.
    pub(super) fn message_limit(self) -> usize {
        match self {
            Dialect::Eip155 => EVENT_LIMIT,
            Dialect::Solana => signature::MESSAGE_LIMIT,
        }
    }

    /// Parameters as normalized JSON, so that equal subscriptions have the same text; or a sentence about what is wrong.
    pub(super) fn params(self, params: Option<&RawValue>) -> Result<String, &'static str> {
        match self {
            Dialect::Eip155 => {
                params.and_then(of_a_kind).ok_or("Subscribe to newHeads, logs or newPendingTransactions")
            }
            Dialect::Solana => signature::params(params),
        }
    }

    /// A subscription id of a client or a node as normalized JSON.
    pub(super) fn id(self, raw: &RawValue) -> Option<String> {
        match self {
            Dialect::Eip155 => serde_json::from_str(raw.get()).ok().map(|id: String| Value::from(id).to_string()),
            Dialect::Solana => serde_json::from_str(raw.get()).ok().map(|id: u64| id.to_string()),
        }
    }

    /// Content of a node's event, as it is passed on.
    pub(super) fn content(self, result: &RawValue) -> Option<Box<RawValue>> {
        match self {
            Dialect::Eip155 => Some(result.to_owned()),
            Dialect::Solana => signature::content(result),
        }
    }

    /// Notification to a client; `id` is JSON.
    pub(super) fn notify(self, id: &str, result: &RawValue) -> String {
        // Each in the order in which nodes write it.
        let params = match self {
            Dialect::Eip155 => format!(r#"{{"subscription":{id},"result":{result}}}"#),
            Dialect::Solana => format!(r#"{{"result":{result},"subscription":{id}}}"#),
        };
        format!(r#"{{"jsonrpc":"2.0","method":"{}","params":{params}}}"#, self.notification())
    }
}

fn of_a_kind(params: &RawValue) -> Option<String> {
    if is_too_deep(params.get()) {
        return None;
    }
    let list: Vec<Value> = serde_json::from_str(params.get()).ok()?;
    let kind = list.first()?.as_str()?;
    KINDS.contains(&kind).then(|| Value::from(list.clone()).to_string())
}
