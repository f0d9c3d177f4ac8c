//! Disconnect (spec 4.6 to 4.12). The state is reset at once; the wallets' responses are collected and reported afterwards.

use super::{Connect, ConnectFault, Reason, Status};
use crate::analytics::{Name, Tracked};
use crate::connect::Alarm;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::ActiveAccount;
use crate::network::NetworkFault;
use crate::signal::Signal;
use crate::storage::{self, keys};
use crate::wallet;
use portico_json::Value;
use portico_terms::rpc::{RpcError, RpcErrorKind};
use portico_terms::{Connector, ConnectorKind, Namespace};

/// Time limit for the wallets' responses, in milliseconds.
const PATIENCE: u64 = 3_000;

/// A disconnection whose wallet responses are pending.
#[derive(Debug)]
pub struct Releasing {
    left: usize,
    /// Whether the embedded wallet still ends its session. A page that is left before that finds the session again.
    login: bool,
    failures: Vec<String>,
    namespace: Option<Namespace>,
    ticket: Option<u32>,
}

/// The latest disconnection.
#[derive(Debug, Default)]
pub(super) struct Release {
    pub current: Option<Releasing>,
    /// Number of the last disconnection.
    pub count: u32,
    /// Accounts that were just disconnected.
    pub gone: Vec<ActiveAccount>,
}

impl Connect {
    /// Disconnects one namespace, or all.
    pub(super) fn disconnect(&mut self, namespace: Option<String>, ticket: Option<u32>, cx: &mut Cx) {
        let one = match namespace.as_deref().map(Namespace::from_word) {
            Some(None) => return cx.reject_host(ticket, NetworkFault::ChainAdapterNotFound.into()),
            Some(Some(namespace)) => Some(namespace),
            None => None,
        };
        let namespaces = self.together(one);
        self.cancel_of(one, cx);
        if namespaces.is_empty() {
            return cx.resolve_host(ticket, Value::Null);
        }
        let login = self.connections.iter().any(|connection| {
            connection.connector.kind == ConnectorKind::Auth && namespaces.contains(&connection.namespace)
        });
        let released: Vec<_> = self
            .connections
            .iter()
            .filter(|connection| namespaces.contains(&connection.namespace))
            .map(|connection| {
                let Connector { kind, handle, .. } = &connection.connector;
                (*kind, connection.namespace, handle.clone(), connection.topic.clone())
            })
            .collect();
        self.forget(&namespaces);
        let mut left = 0;
        let mut ended: Vec<String> = Vec::new();
        if released.iter().any(|(_, _, _, topic)| topic.is_some()) {
            self.remote.others.retain(|other| released.iter().all(|(_, _, _, topic)| topic.as_ref() != Some(other)));
            self.end_others(cx);
        }
        for (kind, namespace, handle, topic) in released {
            if let Some(topic) = topic.filter(|topic| !ended.contains(topic)) {
                left += 1;
                ended.push(topic.clone());
                cx.ask(Operation::EndSession { topic }, Reason::Released(self.release.count + 1));
            }
            cx.order(Operation::UnwatchWallet { handle: handle.clone() });
            let releases = matches!(kind, ConnectorKind::External | ConnectorKind::Injected | ConnectorKind::Announced);
            if releases {
                left += 1;
                cx.ask(wallet::release(namespace).to(&handle), Reason::Released(self.release.count + 1));
            }
            // A wallet of the host may hold a connection of its own, which no request of its namespace ends.
            if kind == ConnectorKind::External {
                left += 1;
                cx.ask(Operation::DisconnectWallet { handle }, Reason::Released(self.release.count + 1));
            }
        }
        self.clear(cx);
        self.store(cx);
        cx.signal(Signal::Disconnected { namespaces });
        self.release_end(cx);
        self.release.count += 1;
        self.release.current = Some(Releasing { left, login, failures: Vec::new(), namespace: one, ticket });
        cx.start(Alarm::DisconnectEnd, PATIENCE);
        self.release_settled(cx);
    }

    /// The account does not sign in to the site.
    pub fn sign_in_refused(&mut self, cx: &mut Cx) {
        let namespace = cx.facts.active_namespace.unwrap_or(Namespace::Eip155);
        self.disconnect(Some(namespace.word().into()), None, cx);
    }

    /// The embedded wallet ended its session, or had none.
    pub fn logged_out(&mut self, cx: &mut Cx) {
        if let Some(releasing) = &mut self.release.current {
            releasing.login = false;
            self.release_settled(cx);
        }
    }

    fn release_settled(&mut self, cx: &mut Cx) {
        if self.release.current.as_ref().is_some_and(|releasing| releasing.left == 0 && !releasing.login) {
            self.release_end(cx);
        }
    }

    /// The host removed the adapter of a namespace: its wallets are disconnected and not offered any more.
    pub fn adapter_removed(&mut self, namespace: Namespace, cx: &mut Cx) {
        self.reconnect.give_up(namespace);
        // A login does not end with one of its namespaces.
        if namespace == Namespace::Solana {
            self.leave_solana(cx);
        }
        self.disconnect(Some(namespace.word().into()), None, cx);
        self.revision += 1;
    }

    /// Deletes stored data of a mechanism after its last connection (spec 4.10): the deep link of WalletConnect; the social provider and
    /// the login of the embedded wallet (spec 4.37), for whose account no call waits any more.
    pub(super) fn clear(&mut self, cx: &mut Cx) {
        for (kind, keys) in
            [(ConnectorKind::WalletConnect, &[keys::DEEP_LINK][..]), (ConnectorKind::Auth, &keys::LOGIN[..])]
        {
            let kept = self.connections.iter().any(|connection| connection.connector.kind == kind);
            for key in keys.iter().filter(|_| !kept) {
                cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: (*key).into() });
            }
            if kind == ConnectorKind::Auth && !kept {
                self.refuse_login(cx);
            }
        }
    }

    /// Namespaces to disconnect together: those connected through the same mechanism (spec 4.8).
    pub(super) fn together(&self, one: Option<Namespace>) -> Vec<Namespace> {
        let Some(one) = one else { return self.connected() };
        let Some(connection) = self.connection(one) else { return Vec::new() };
        let kind = connection.connector.kind;
        let others = self.connections.iter().filter(|other| {
            other.namespace == one || (Connect::shares_mechanism(kind) && other.connector.kind == kind)
        });
        others.map(|other| other.namespace).collect()
    }

    /// Resets the state of namespaces (spec 4.9, 4.12); returns the handles that were in use.
    pub(super) fn forget(&mut self, namespaces: &[Namespace]) -> Vec<String> {
        self.reconnect.forget(namespaces);
        let gone = self.connections.extract_if(.., |connection| namespaces.contains(&connection.namespace));
        let gone: Vec<_> = gone.map(|connection| connection.active_account()).collect();
        let handles = gone.iter().map(|account| account.handle.clone()).collect();
        self.release.gone.extend(gone);
        for namespace in namespaces {
            self.told.remove(namespace);
        }
        for namespace in namespaces {
            // Another wallet of the namespace may be connecting.
            let attempt = self.attempts.current.as_ref().filter(|attempt| attempt.is_waiting());
            let attempted = attempt.and_then(|attempt| self.attempted(attempt));
            let coming = attempted.is_some_and(|connector| connector.chain == *namespace);
            self.statuses.insert(*namespace, if coming { Status::Connecting } else { Status::Disconnected });
            self.reconnect.give_up(*namespace);
        }
        self.revision += 1;
        handles
    }

    pub(super) fn released(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(releasing) = self.release.current.as_mut().filter(|_| id == self.release.count) else { return };
        releasing.left = releasing.left.saturating_sub(1);
        // Many wallets cannot revoke, and one that is disconnected meanwhile answers so; neither is a failure.
        if let Err(error) = answer
            && !matches!(
                error.kind,
                RpcErrorKind::UnsupportedMethod
                    | RpcErrorKind::MethodNotFound
                    | RpcErrorKind::MethodNotSupported
                    | RpcErrorKind::Unauthorized
                    | RpcErrorKind::Disconnected
            )
        {
            releasing.failures.push(error.message);
        }
        self.release_settled(cx);
    }

    /// Reports the result (spec 4.11). A wallet that has not answered by then may still be connected to the page; the embedded wallet is
    /// logged out here in any case.
    pub(super) fn release_end(&mut self, cx: &mut Cx) {
        let Some(mut releasing) = self.release.current.take() else { return };
        if releasing.left > 0 {
            releasing.failures.push("The wallet did not answer".into());
        }
        cx.stop(Alarm::DisconnectEnd);
        if releasing.failures.is_empty() {
            let scope = releasing.namespace.map_or("all", |namespace| namespace.word());
            cx.signal(Signal::Track(Tracked::new(Name::DisconnectSuccess).with("namespace", scope)));
            cx.resolve_host(releasing.ticket, Value::Null);
        } else {
            cx.signal(Signal::Track(
                Tracked::new(Name::DisconnectError).with("message", releasing.failures.join("; ")),
            ));
            cx.reject_host(releasing.ticket, ConnectFault::FailedToDisconnect.into());
        }
    }

    /// Stores the connections for the next page load.
    pub(super) fn store(&self, cx: &mut Cx) {
        let connections = self.reconnect.to_store(self.connections.iter().map(super::Connection::stored).collect());
        let write = |area, key: &str, value: String| Operation::WriteStorage { area, key: key.into(), value };
        cx.order(write(StorageArea::Local, keys::VERSION, storage::VERSION.into()));
        if connections.is_empty() {
            cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: keys::CONNECTIONS.into() });
            cx.order(Operation::RemoveStorage { area: StorageArea::Session, key: keys::RECENT_CONNECTOR.into() });
        } else {
            cx.order(write(StorageArea::Session, keys::RECENT_CONNECTOR, connections[0].connector.clone()));
            cx.order(write(StorageArea::Local, keys::CONNECTIONS, storage::text(&connections)));
        }
        cx.order(write(StorageArea::Local, keys::RECENT_WALLETS, storage::text(&self.recent)));
    }
}
