//! Reconnect after a reload (spec 4.2, 4.3).

use super::accounts::read_accounts;
use super::attempt::host_chain;
use super::{AUTH, Connect, Connection, EMBEDDED, Reason, Status, WALLET_CONNECT};
use crate::connect::Alarm;
use crate::cx::Cx;
use crate::signal::Signal;
use crate::storage::StoredConnection;
use crate::wallet;
use portico_json::{Map, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Connector, Namespace};

/// Time limit for a wallet to reconnect, in milliseconds.
pub const PATIENCE: u64 = 5_000;

/// Longer time limit for the WalletConnect client and the frame of the embedded wallet, in milliseconds: they may have to be fetched first.
const CLIENT_PATIENCE: u64 = 25_000;

/// Connectors still to be tried, by namespace, the most recently used first.
#[derive(Debug, Default)]
pub struct Reconnect {
    queues: Map<Namespace, Queue>,
    /// Accounts of reconnecting wallets whose chain request is still in flight.
    pub accounts: Map<Namespace, Vec<String>>,
    discovered: bool,
    /// The WalletConnect client or the frame was given its longer time limit.
    late: bool,
    /// Stored connections besides the current ones, the most recently used first: each is tried on the next load (spec 4.3).
    former: Vec<StoredConnection>,
}

/// Maximum number of stored connections.
const MOST_STORED: usize = 8;

#[derive(Debug, Default)]
struct Queue {
    /// Ids of connectors not tried yet, the most recently used first.
    left: Vec<String>,
    /// Handle of the wallet whose response is pending.
    asking: Option<String>,
}

impl Reconnect {
    pub fn add(&mut self, stored: &StoredConnection) {
        self.queues.or_default(stored.namespace).left.push(stored.connector.clone());
        self.former.push(stored.clone());
    }

    /// Remembers a connection that another one of its namespace replaces.
    pub fn replaced(&mut self, old: StoredConnection) {
        self.former.retain(|stored| (stored.namespace, &stored.connector) != (old.namespace, &old.connector));
        self.former.insert(0, old);
    }

    /// Account that was chosen when a wallet was connected before.
    pub fn chosen(&self, connection: &Connection) -> Option<&str> {
        let same = |stored: &&StoredConnection| {
            (stored.namespace, &stored.connector) == (connection.namespace, &connection.connector.id)
        };
        self.former.iter().find(same)?.account.as_deref()
    }

    /// Forgets the stored connections of these namespaces: the visitor or the wallet ended them.
    pub fn forget(&mut self, namespaces: &[Namespace]) {
        self.former.retain(|stored| !namespaces.contains(&stored.namespace));
    }

    /// Connections to store: the current ones, then former ones with other connectors.
    pub fn to_store(&self, mut current: Vec<StoredConnection>) -> Vec<StoredConnection> {
        for former in &self.former {
            let same = |stored: &StoredConnection| {
                (stored.namespace, &stored.connector) == (former.namespace, &former.connector)
            };
            if !current.iter().any(same) {
                current.push(former.clone());
            }
        }
        current.truncate(MOST_STORED);
        current
    }

    /// Whether any namespace is still reconnecting.
    pub fn is_trying(&self) -> bool {
        !self.queues.is_empty()
    }

    /// Whether the WalletConnect client missed the first time limit.
    pub fn is_late(&self) -> bool {
        self.late
    }

    /// Whether wallet discovery has finished.
    pub fn is_discovered(&self) -> bool {
        self.discovered
    }

    /// Whether a stored connection of this connector is still to be tried.
    pub fn waits_for(&self, connector: &str) -> bool {
        self.queues.values().any(|queue| queue.left.iter().any(|id| id == connector))
    }

    /// Namespaces that wait for this connector while no other wallet's response is pending.
    pub fn waiting_for(&self, connector: &str) -> Vec<Namespace> {
        let waits = |queue: &Queue| queue.asking.is_none() && queue.left.iter().any(|id| id == connector);
        self.queues.iter().filter(|(_, queue)| waits(queue)).map(|(namespace, _)| *namespace).collect()
    }

    /// Removes a connector from all queues; returns the namespaces that waited for it.
    pub fn remove_wallet(&mut self, connector: &str) -> Vec<Namespace> {
        let waits = |queue: &&Namespace| {
            self.queues.get(*queue).is_some_and(|queue| queue.left.iter().any(|id| id == connector))
        };
        let struck: Vec<Namespace> = self.queues.keys().filter(waits).copied().collect();
        for namespace in &struck {
            if let Some(queue) = self.queues.get_mut(namespace) {
                queue.left.retain(|id| id != connector);
            }
        }
        struck
    }

    /// Whether a namespace is still reconnecting.
    pub fn tries(&self, namespace: Namespace) -> bool {
        self.queues.contains_key(&namespace)
    }

    /// Stops reconnecting a namespace: the visitor connects anew.
    pub fn give_up(&mut self, namespace: Namespace) {
        self.queues.remove(&namespace);
    }

    /// Stops reconnecting a namespace: it is connected.
    pub fn succeeded(&mut self, namespace: Namespace) {
        self.queues.remove(&namespace);
    }

    /// Whether the response of this wallet is pending.
    pub fn asks(&self, namespace: Namespace, handle: &str) -> bool {
        self.queues.get(&namespace).is_some_and(|queue| queue.asking.as_deref() == Some(handle))
    }
}

impl Connect {
    /// Whether a namespace has an account, or may still get it back after the reload.
    pub fn is_there_or_comes_back(&self, namespace: Namespace) -> bool {
        self.connection(namespace).is_some() || self.reconnect.tries(namespace)
    }

    /// The account of a namespace did not come back: if its network is active, that of a connected namespace becomes active.
    fn did_not_come_back(&self, namespace: Namespace, cx: &mut Cx) {
        let other = self.connections.first().map(|connection| connection.namespace);
        if let Some(other) = other.filter(|_| cx.facts.active_namespace == Some(namespace)) {
            cx.signal(Signal::NamespaceAsked(other));
        }
    }

    /// Wallet discovery has finished: tries the stored connections.
    pub(super) fn discovered(&mut self, cx: &mut Cx) {
        self.reconnect.discovered = true;
        let namespaces: Vec<_> = self.reconnect.queues.keys().copied().collect();
        for namespace in namespaces {
            self.try_next(namespace, cx);
        }
    }

    /// A wallet appeared late; reconnects if it is one of the stored connections.
    pub(super) fn reconnect_with(&mut self, connector: &Connector, cx: &mut Cx) {
        let waited = self
            .reconnect
            .queues
            .get(&connector.chain)
            .is_some_and(|queue| queue.asking.is_none() && queue.left.contains(&connector.id));
        if waited && self.reconnect.discovered {
            self.ask_back(connector, cx);
        }
    }

    /// Sends a request to the first queued wallet that was discovered.
    pub(super) fn try_next(&mut self, namespace: Namespace, cx: &mut Cx) {
        let Some(queue) = self.reconnect.queues.get(&namespace) else { return };
        if queue.asking.is_some() {
            return;
        }
        let known = queue.left.iter().find_map(|id| {
            self.connectors.iter().find(|connector| connector.id == *id && connector.chain == namespace)
        });
        match known.cloned() {
            Some(connector) => self.ask_back(&connector, cx),
            None if queue.left.is_empty() => self.reconnect_failed(namespace, cx),
            // The others may still announce themselves before the time limit.
            None => {}
        }
    }

    fn ask_back(&mut self, connector: &Connector, cx: &mut Cx) {
        if let Some(queue) = self.reconnect.queues.get_mut(&connector.chain) {
            queue.left.retain(|id| *id != connector.id);
            queue.asking = Some(connector.handle.clone());
            let request = wallet::accounts(connector.chain, true, host_chain(connector.chain, cx.facts));
            let reason = Reason::ReconnectAccounts(connector.chain, connector.handle.clone());
            cx.ask(request.to(&connector.handle), reason);
        }
    }

    pub(super) fn reconnect_accounts(
        &mut self,
        namespace: Namespace,
        handle: &str,
        answer: Result<Value, RpcError>,
        cx: &mut Cx,
    ) {
        if !self.reconnect.asks(namespace, handle) {
            return;
        }
        match answer.and_then(|value| read_accounts(namespace, &value).map(|accounts| (accounts, value))) {
            Ok((accounts, value)) => {
                self.told.insert(namespace, value);
                self.reconnect.accounts.insert(namespace, accounts);
                match wallet::chain(namespace) {
                    Some(request) => cx.ask(request.to(handle), Reason::ReconnectChain(namespace, handle.into())),
                    None => self.reconnected(namespace, handle, host_chain(namespace, cx.facts), cx),
                }
            }
            Err(_) => self.try_after_failure(namespace, cx),
        }
    }

    pub(super) fn reconnect_chain(
        &mut self,
        namespace: Namespace,
        handle: &str,
        answer: Result<Value, RpcError>,
        cx: &mut Cx,
    ) {
        if !self.reconnect.asks(namespace, handle) {
            return;
        }
        let chain = answer.ok().and_then(|value| wallet::read_chain(namespace, &value));
        self.reconnected(namespace, handle, chain, cx);
    }

    /// Last step of a reconnect: the wallet's chain is known, or it named none.
    fn reconnected(&mut self, namespace: Namespace, handle: &str, chain: Option<ChainId>, cx: &mut Cx) {
        let accounts = self.reconnect.accounts.remove(&namespace);
        let asked = |connector: &&Connector| connector.handle == handle && connector.chain == namespace;
        match (chain, accounts, self.connectors.iter().find(asked).cloned()) {
            (Some(chain), Some(accounts), Some(connector)) => {
                self.stop_waiting_if_last(namespace, cx);
                self.connected_to(connector, accounts, chain, true, cx);
            }
            _ => self.try_after_failure(namespace, cx),
        }
    }

    /// The wallet is not connected any more.
    fn try_after_failure(&mut self, namespace: Namespace, cx: &mut Cx) {
        let asked = self.reconnect.queues.get_mut(&namespace).and_then(|queue| queue.asking.take());
        let refused = asked.and_then(|handle| self.connectors.iter().find(|connector| connector.handle == handle));
        if let Some(refused) = refused {
            let same = |stored: &StoredConnection| (stored.namespace, &stored.connector) == (namespace, &refused.id);
            self.reconnect.former.retain(|stored| !same(stored));
        }
        self.try_next(namespace, cx);
    }

    fn stop_waiting_if_last(&mut self, namespace: Namespace, cx: &mut Cx) {
        if self.reconnect.queues.keys().all(|other| *other == namespace) {
            cx.stop(Alarm::ReconnectEnd);
        }
    }

    /// Every stored wallet failed: disconnected, with no current connection (spec 4.3).
    fn reconnect_failed(&mut self, namespace: Namespace, cx: &mut Cx) {
        self.stop_waiting_if_last(namespace, cx);
        self.reconnect.queues.remove(&namespace);
        self.reconnect.forget(&[namespace]);
        self.statuses.insert(namespace, Status::Disconnected);
        self.store(cx);
        self.did_not_come_back(namespace, cx);
    }

    /// The time limit has passed: wallets without a response count as gone. The connection of a wallet that never announced itself is
    /// forgotten, so that the next load does not wait for it (spec 4.2); that of a silent one stays stored.
    pub(super) fn reconnect_end(&mut self, cx: &mut Cx) {
        let frame = self.reconnect.asks(Namespace::Eip155, EMBEDDED);
        // The page tells the login's account on Solana only after the login is there.
        let login = frame || self.connections.iter().any(|connection| connection.connector.handle == EMBEDDED);
        let told_later = if login { self.reconnect.waiting_for(AUTH) } else { Vec::new() };
        let opening = self.remote.is_opening() || frame || !told_later.is_empty();
        let later = opening && !std::mem::replace(&mut self.reconnect.late, true);
        for namespace in self.reconnect.queues.keys().copied().collect::<Vec<_>>() {
            let slow = self.reconnect.waiting_for(WALLET_CONNECT).contains(&namespace) && self.remote.is_opening()
                || frame && namespace == Namespace::Eip155
                || told_later.contains(&namespace);
            if !later || !slow {
                let left = self.reconnect.queues.remove(&namespace).map(|queue| queue.left).unwrap_or_default();
                let (former, connectors) = (&mut self.reconnect.former, &self.connectors);
                former.retain(|stored| {
                    let there =
                        |connector: &Connector| connector.id == stored.connector && connector.chain == stored.namespace;
                    stored.namespace != namespace
                        || stored.connector == WALLET_CONNECT
                        || !left.contains(&stored.connector)
                        || connectors.iter().any(there)
                });
                self.statuses.insert(namespace, Status::Disconnected);
                self.store(cx);
                self.did_not_come_back(namespace, cx);
            }
        }
        if later && self.reconnect.is_trying() {
            cx.start(Alarm::ReconnectEnd, CLIENT_PATIENCE);
        }
        let lost: Vec<_> =
            self.connected().into_iter().filter(|namespace| self.status(*namespace) == Status::Reconnecting).collect();
        for namespace in lost {
            self.drop_connection(namespace, cx);
        }
    }
}
