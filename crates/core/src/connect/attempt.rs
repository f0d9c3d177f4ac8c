//! One attempt to connect a wallet, from the click to the account.

use super::accounts::read_accounts;
use super::waiting::Waiting;
use super::{Connect, ConnectFault, Connection, Reason, Status, groups};
use crate::analytics::{Name, Tracked};
use crate::connect::Alarm;
use crate::cx::Cx;
use crate::effect::{HostError, Operation};
use crate::facts::Facts;
use crate::notice::AlertKey;
use crate::signal::Signal;
use crate::storage::RecentWallet;
use crate::wallet;
use portico_json::{Json, Value};
use portico_terms::rpc::{RpcError, RpcErrorKind};
use portico_terms::{ChainId, Connector, ConnectorKind, Namespace};

/// Time after which a wallet without a response counts as slow, in milliseconds; the modal then shows a hint.
const SLOW: u64 = 8_000;

/// Progress of an attempt.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "ConnectPhase")]
pub enum Phase {
    /// The request was sent to the wallet.
    Waiting,
    /// The wallet takes long to respond.
    Slow,
    /// The wallet reports that it already shows a request (-32002).
    Pending,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet failed or sent an invalid response.
    Failed,
}

/// A connection attempt.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Attempt {
    /// Id of the connector.
    pub connector: String,
    /// Name of the wallet.
    pub name: String,
    /// Handle of the wallet's provider and icon in the page.
    pub handle: String,
    /// Whether the icon behind the handle may be drawn.
    pub icon: bool,
    /// URL of the host's icon; takes precedence over the announced one.
    pub image_url: Option<String>,
    pub phase: Phase,
    /// Cause of a failure.
    pub error: Option<RpcError>,
    /// The text of the error is this widget's, about an answer that it could not use. A wallet is not quoted with words it did not say.
    pub own: bool,
    /// Number of the attempt; responses to an older one are ignored.
    pub attempt: u32,
    /// Accounts of the wallet while the chain request is in flight.
    pub accounts: Vec<String>,
}

/// The attempt on the screen, and the calls of the host that wait for one.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    pub current: Option<Attempt>,
    /// Number of the last attempt.
    pub count: u32,
    /// Pending host calls that any wallet the visitor chooses can answer.
    pub waiting: Vec<Waiting>,
    /// Ticket of the host call that named the wallet of the current attempt.
    pub named: Option<u32>,
}

impl Attempt {
    /// Whether the wallet's response is pending.
    pub fn is_waiting(&self) -> bool {
        matches!(self.phase, Phase::Waiting | Phase::Slow | Phase::Pending)
    }
}

impl Connect {
    pub(super) fn begin_attempt(&mut self, connector: &Connector, cx: &mut Cx) {
        self.attempts.count += 1;
        self.attempts.current = Some(Attempt {
            connector: connector.id.clone(),
            name: connector.name.clone(),
            handle: connector.handle.clone(),
            icon: connector.icon,
            image_url: cx.facts.options.picture_of(connector),
            phase: Phase::Waiting,
            error: None,
            own: false,
            attempt: self.attempts.count,
            accounts: Vec::new(),
        });
        if self.connection(connector.chain).is_none() {
            self.statuses.insert(connector.chain, Status::Connecting);
        }
        cx.start(Alarm::Slow, SLOW);
        let request = wallet::accounts(connector.chain, false, host_chain(connector.chain, cx.facts));
        cx.ask(request.to(&connector.handle), Reason::Accounts(self.attempts.count));
    }

    /// Sends the request to the same wallet again.
    pub(super) fn retry(&mut self, cx: &mut Cx) {
        let again = self
            .attempts
            .current
            .as_ref()
            .filter(|attempt| attempt.phase != Phase::Waiting)
            .and_then(|attempt| self.attempted(attempt).cloned());
        if let Some(connector) = again {
            self.begin_attempt(&connector, cx);
        }
    }

    /// The visitor left the waiting screen: later responses are ignored.
    pub fn cancel(&mut self, cx: &mut Cx) {
        self.abandon(cx);
        self.refuse_waiting(&ConnectFault::Cancelled.into(), false, cx);
    }

    /// Cancels the attempt and pending host calls of one namespace, or of all; those of other namespaces go on.
    pub(super) fn cancel_of(&mut self, one: Option<Namespace>, cx: &mut Cx) {
        let attempted = self.attempts.current.as_ref().and_then(|attempt| self.attempted(attempt));
        if one.is_none() || attempted.is_some_and(|connector| Some(connector.chain) == one) {
            if self.attempts.current.is_some() {
                cx.signal(Signal::AttemptDropped);
            }
            return self.cancel(cx);
        }
        self.cancel_waiting(one, cx);
    }

    pub(super) fn abandon(&mut self, cx: &mut Cx) {
        cx.stop(Alarm::Slow);
        if let Some(attempt) = self.attempts.current.take()
            && let Some(namespace) = self.attempted(&attempt).map(|connector| connector.chain)
            && self.connection(namespace).is_none()
        {
            self.statuses.insert(namespace, Status::Disconnected);
        }
    }

    /// The modal closed. A waiting attempt goes on: many wallets ask in a window of their own.
    pub fn modal_closed(&mut self, cx: &mut Cx) {
        // A wallet that reports a request already open (-32002) has answered this attempt; no other response will come.
        let goes_on =
            self.attempts.current.as_ref().is_some_and(|attempt| matches!(attempt.phase, Phase::Waiting | Phase::Slow));
        if std::mem::take(&mut self.remote.target.fresh) {
            self.remote.target.wallet = None;
        }
        if !goes_on {
            // The wallet's last error is more useful to the host than "modal closed".
            let said =
                self.attempts.current.take().filter(|attempt| matches!(attempt.phase, Phase::Refused | Phase::Failed));
            let said = said.and_then(|attempt| attempt.error).map(|error| HostError::from(&error));
            self.refuse_waiting(&said.unwrap_or_else(|| ConnectFault::ModalClosed.into()), true, cx);
        }
    }

    pub(super) fn slow(&mut self) {
        if let Some(attempt) = self.attempts.current.as_mut().filter(|attempt| attempt.phase == Phase::Waiting) {
            attempt.phase = Phase::Slow;
        }
    }

    /// Connector of an attempt, found by handle as well: another wallet may use its id by now.
    pub(super) fn attempted(&self, attempt: &Attempt) -> Option<&Connector> {
        let asked = |known: &&Connector| known.handle == attempt.handle && known.id == attempt.connector;
        self.connectors.iter().find(asked)
    }

    fn current(&self, id: u32) -> Option<Connector> {
        let attempt = self.attempts.current.as_ref().filter(|attempt| attempt.attempt == id && attempt.is_waiting())?;
        self.attempted(attempt).cloned()
    }

    pub(super) fn accounts_answered(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(connector) = self.current(id) else { return };
        let own = answer.is_ok();
        match answer.and_then(|value| read_accounts(connector.chain, &value).map(|accounts| (accounts, value))) {
            Ok((accounts, value)) => {
                self.told.insert(connector.chain, value);
                if let Some(attempt) = &mut self.attempts.current {
                    attempt.accounts = accounts;
                }
                match wallet::chain(connector.chain) {
                    Some(request) => cx.ask(request.to(&connector.handle), Reason::Chain(id)),
                    None => self.chain_known(connector.clone(), host_chain(connector.chain, cx.facts), cx),
                }
            }
            Err(error) => self.attempt_failed(&connector, error, own, cx),
        }
    }

    pub(super) fn chain_answered(&mut self, id: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(connector) = self.current(id) else { return };
        let chain = answer.map(|value| wallet::read_chain(connector.chain, &value));
        match chain {
            Ok(chain) => self.chain_known(connector, chain, cx),
            Err(error) => self.attempt_failed(&connector, error, false, cx),
        }
    }

    /// Last step of an attempt: the wallet's chain is known, or it named none.
    fn chain_known(&mut self, connector: Connector, chain: Option<ChainId>, cx: &mut Cx) {
        match chain {
            Some(chain) => {
                let accounts = self.attempts.current.take().map(|attempt| attempt.accounts).unwrap_or_default();
                cx.stop(Alarm::Slow);
                self.connected_to(connector, accounts, chain, false, cx);
            }
            None => self.attempt_failed(&connector, RpcError::nonsense("Your wallet didn't share a network"), true, cx),
        }
    }

    fn attempt_failed(&mut self, connector: &Connector, error: RpcError, own: bool, cx: &mut Cx) {
        let namespace = connector.chain;
        // Errors of wallets behind a server may mean that the server refuses the project (spec 8.49). Errors of a browser wallet's own
        // servers do not concern the host.
        if matches!(connector.kind, ConnectorKind::WalletConnect | ConnectorKind::Auth)
            && let Some(alert) = AlertKey::of_message(&error.message)
        {
            cx.signal(Signal::Warn(alert, cx.facts.environment.origin.to_string()));
        }
        if self.connection(namespace).is_none() {
            self.statuses.insert(namespace, Status::Disconnected);
        }
        cx.stop(Alarm::Slow);
        let Some(attempt) = &mut self.attempts.current else { return };
        attempt.phase = match error.kind {
            RpcErrorKind::UserRejected => Phase::Refused,
            RpcErrorKind::ResourceUnavailable => Phase::Pending,
            _ => Phase::Failed,
        };
        attempt.error = Some(error.clone());
        attempt.own = own;
        let refused = attempt.phase == Phase::Refused;
        self.track_failure(refused, &error, cx);
        // The visitor can retry only where the connecting view is shown.
        if !cx.facts.connecting_shown {
            self.attempts.current = None;
            self.refuse_waiting(&HostError::from(&error), false, cx);
        }
    }

    pub(super) fn track_failure(&mut self, refused: bool, error: &RpcError, cx: &mut Cx) {
        let name = if refused { Name::UserRejected } else { Name::ConnectError };
        cx.signal(Signal::Track(Tracked::new(name).with("message", error.message.as_str())));
        cx.reject_host(self.attempts.named.take(), HostError::from(error));
    }

    /// Stores and reports a new connection.
    pub(super) fn connected_to(
        &mut self,
        connector: Connector,
        accounts: Vec<String>,
        chain: ChainId,
        reconnect: bool,
        cx: &mut Cx,
    ) {
        if !reconnect {
            let (id, name) = (connector.id.clone(), connector.name.clone());
            groups::remember(&mut self.recent, RecentWallet { id, name, wallet: Value::Null });
        }
        let (namespace, kind, name) = (connector.chain, connector.kind, connector.name.clone());
        let method = method(kind);
        cx.order(Operation::WatchWallet { handle: connector.handle.clone(), link: None, chain: None });
        if let Some(topic) = self.take(
            Connection { namespace, connector, accounts, chosen: false, topic: None, link: None },
            reconnect,
            cx,
        ) {
            cx.signal(Signal::Approved { namespace, chains: None, stands: chain.clone() });
            if !self.has_session(&topic) {
                cx.order(Operation::EndSession { topic });
            }
        }
        self.store(cx);
        cx.signal(Signal::Connected { namespace, chain: Some(chain.clone()), reconnect });
        let rank = self.connection(namespace).and_then(|connection| self.rank_of(&connection.connector, cx.facts));
        self.track_success(method, &name, rank, reconnect, cx);
        self.resolve_waiting(namespace, &chain, reconnect, cx);
        if kind == ConnectorKind::Auth && !reconnect {
            self.await_login(cx);
        }
    }

    /// Puts a connection in the place of the namespace's previous one. Returns the topic of the replaced session unless the new connection
    /// is a session too.
    pub(super) fn take(&mut self, mut connection: Connection, reconnect: bool, cx: &mut Cx) -> Option<String> {
        let namespace = connection.namespace;
        if let Some(old) = self.connection(namespace).filter(|old| old.connector.handle != connection.connector.handle)
        {
            cx.order(Operation::UnwatchWallet { handle: old.connector.handle.clone() });
        }
        let replaced = self.connections.iter().position(|connection| connection.namespace == namespace);
        let replaced = replaced.map(|place| self.connections.remove(place));
        // A replaced session ends, so it cannot come back.
        if let Some(old) = replaced.as_ref().filter(|old| old.topic.is_none()) {
            self.reconnect.replaced(old.stored());
        }
        // In a wallet that is asked anew the visitor has just picked an account.
        if let Some(account) = self.reconnect.chosen(&connection).filter(|_| reconnect) {
            connection.choose(account);
        }
        let replaced = replaced.and_then(|old| old.topic).filter(|_| connection.topic.is_none());
        self.reconnect.succeeded(namespace);
        self.connections.insert(0, connection);
        self.statuses.insert(namespace, Status::Connected);
        self.revision += 1;
        replaced
    }

    pub(super) fn connection_value(&self, namespace: Namespace, cx: &Cx) -> Value {
        match cx.facts.chains.iter().find(|chain| chain.namespace() == namespace) {
            Some(chain) => connection_value_on(self.connection(namespace), chain),
            None => Value::Null,
        }
    }
}

/// Chain of a wallet that has none of its own: the namespace's active network, else the host's first one.
pub(super) fn host_chain(namespace: Namespace, facts: &Facts) -> Option<ChainId> {
    let active = facts.chains.iter().find(|chain| chain.namespace() == namespace);
    let first = || facts.networks.iter().find(|network| network.chain_namespace == namespace);
    active.or_else(|| first().map(|network| &network.caip_network_id)).cloned()
}

/// Analytics value for the connection method.
fn method(kind: ConnectorKind) -> &'static str {
    match kind {
        ConnectorKind::WalletConnect => "qrcode",
        ConnectorKind::Auth | ConnectorKind::IdAuth => "email",
        _ => "browser",
    }
}

/// Value that `connect()` resolves with.
pub(super) fn connection_value_on(connection: Option<&Connection>, chain: &ChainId) -> Value {
    let Some(connection) = connection else { return Value::Null };
    let account = connection.active_account();
    Value::Object(vec![
        ("caipAddress".into(), Value::Text([&chain.to_string(), ":", &account.address].concat())),
        ("address".into(), Value::Text(account.address)),
        ("caipNetworkId".into(), Value::Text(chain.to_string())),
        ("chainNamespace".into(), connection.namespace.word().into()),
        ("connectorId".into(), Value::Text(account.connector)),
        ("accounts".into(), Value::List(connection.accounts.iter().cloned().map(Value::Text).collect())),
    ])
}
