//! Connecting: which wallets there are, an attempt to connect one, coming back after a reload, and letting go. Every
//! event and answer of the feature is handed on from here.

mod accounts;
pub mod ahead;
mod attempt;
mod browse;
mod choice;
mod connection;
mod consent;
mod directory;
mod disconnect;
mod event;
mod fault;
mod groups;
mod link;
mod methods;
mod pairing;
mod platform;
mod reconnect;
mod registry;
mod remote;
mod session;
#[cfg(test)]
mod tests;

pub use attempt::{Attempt, Phase};
pub use connection::Connection;
pub use consent::Consent;
pub use directory::{Link, LinkKind, Phase as DirectoryPhase, Question, SEARCH_REST, View as DirectoryView};
pub use event::{Event, Reason};
pub use fault::ConnectFault;
pub use groups::{Group, Item, Wallets, offers_remote};
pub use methods::methods;
pub use pairing::{PAIRING_LIFE, PAIRING_MARGIN, Phase as PairingPhase, RelayState, View as PairingView};
pub use platform::Platform;
pub use registry::{Found, IconKind};

use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::ActiveAccount;
use crate::notice::{Message, Variant};
use crate::storage::{RecentWallet, Stored, keys};
use crate::timer::Timer;
use portico_json::{Json, Map, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Connector, ConnectorKind, Namespace};
use std::rc::Rc;

/// The id of the connector of every session, and of the entry that leads to one.
pub const WALLET_CONNECT: &str = "walletConnect";

/// Where a namespace stands (spec 4.1).
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "Status")]
pub enum Status {
    /// A wallet was asked.
    Connecting,
    /// A connection lost its chain and is looked for again.
    Reconnecting,
    /// An account is there.
    Connected,
    /// No account.
    #[default]
    Disconnected,
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Connect {
    connectors: Vec<Connector>,
    connections: Vec<Connection>,
    statuses: Map<Namespace, Status>,
    choice: choice::Choice,
    attempt: Option<Attempt>,
    attempts: u32,
    /// Host calls that wait for whichever wallet the visitor chooses, of the namespace that was named.
    waiting: Vec<(u32, Option<Namespace>)>,
    /// The host call that named the wallet of the attempt.
    named: Option<u32>,
    reconnect: reconnect::Reconnect,
    /// A connection is stored that the host does not want back.
    unwanted: bool,
    /// What is stored and not wanted back is, or was, a session.
    left: bool,
    /// A page before this one left a code.
    waited: bool,
    /// Accounts of wallets that came back, while their chain is still asked for.
    reconnect_accounts: Map<Namespace, Vec<String>>,
    recent: Vec<RecentWallet>,
    directory: directory::Directory,
    releasing: Option<disconnect::Releasing>,
    releases: u32,
    revision: u32,
    remote: pairing::Pairings,
    /// The visitor agrees to the legal pages, for as long as the page lives.
    ticked: bool,
}

/// What views read of the attempt and the status.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ConnectView")]
pub struct View {
    /// Each namespace that has a status of its own.
    pub statuses: Vec<NamespaceStatus>,
    /// The attempt that waits for the wallet, or failed.
    pub attempt: Option<Attempt>,
    /// The ways to connect, in their order (spec 2.14).
    pub methods: Vec<crate::config::ConnectMethod>,
    /// Whether wallets had their chance to present themselves.
    pub discovered: bool,
    /// Whether the visitor agrees to the legal pages (spec 6.6).
    pub consent: Consent,
}

/// The status of one namespace.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct NamespaceStatus {
    /// Which.
    pub namespace: Namespace,
    /// Where it stands.
    pub status: Status,
}

impl Connect {
    /// Begins with what was stored: a stored connected status becomes connecting (spec 4.2).
    pub fn new(stored: &Stored, reconnect: bool) -> Connect {
        let mut connect = Connect::default();
        for wallet in stored.recent.iter().rev() {
            groups::remember(&mut connect.recent, wallet.clone());
        }
        connect.remote.link = stored
            .link
            .as_deref()
            .filter(|link| directory::is_app(link) || directory::is_web(link))
            .and_then(link::base);
        connect.remote.stored = stored.pairing.clone();
        connect.waited = stored.waited;
        connect.unwanted = !reconnect && !stored.connections.is_empty();
        connect.left = connect.unwanted && stored.connections.iter().any(|stored| stored.connector == WALLET_CONNECT);
        if reconnect {
            for connection in &stored.connections {
                connect.statuses.insert(connection.namespace, Status::Connecting);
                connect.reconnect.add(connection.namespace, &connection.connector);
                if connection.connector == WALLET_CONNECT {
                    connect.remote.known.clone_from(&connection.wallet);
                }
            }
        }
        connect
    }

    /// Looks for wallets.
    pub fn begin(&mut self, cx: &mut Cx) {
        if self.unwanted {
            self.clear(cx);
            self.store(cx);
        }
        if self.waited && !self.remote.is_stored(cx.now) {
            cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: keys::PAIRING.into() });
        }
        if self.reconnect.is_trying() {
            cx.start(Timer::ReconnectEnd, reconnect::PATIENCE);
        }
        // A wallet may have approved while the page was gone. A session that nobody wants back is ended, or the wallet would show it for a
        // week; not before the core is wanted for something else, for a page in which nobody opens the modal shall cost nothing.
        if self.left || self.reconnect.waits_for(WALLET_CONNECT) || self.remote.is_stored(cx.now) {
            self.relay_wanted(cx);
        }
        cx.ask(Operation::DiscoverWallets, Reason::Discovered);
    }

    /// The connections, by namespace.
    pub fn connection(&self, namespace: Namespace) -> Option<&Connection> {
        self.connections.iter().find(|connection| connection.namespace == namespace)
    }

    /// The account in use of every connection.
    pub fn accounts(&self) -> Vec<Rc<ActiveAccount>> {
        self.connections.iter().map(|connection| Rc::new(connection.active_account())).collect()
    }

    /// Every connected namespace.
    pub fn connected(&self) -> Vec<Namespace> {
        self.connections.iter().map(|connection| connection.namespace).collect()
    }

    /// Where a namespace stands.
    pub fn status(&self, namespace: Namespace) -> Status {
        self.statuses.get(&namespace).copied().unwrap_or_default()
    }

    /// Whether a host's call waits for an account.
    pub fn is_awaited(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether an attempt is there to be seen: waiting, or failed and not left yet.
    pub fn has_attempt(&self) -> bool {
        self.attempt.is_some()
    }

    /// Counts the changes of what [`Connect::wallets`] tells.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    fn connector(&self, id: &str) -> Option<&Connector> {
        self.standing().find(|connector| connector.id == id)
    }

    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::WalletFound { wallet } => self.found(wallet, cx),
            Event::WalletChosen { .. } if cx.facts.consent_missing => {}
            Event::WalletChosen { connector } => self.choose(&connector, None, cx),
            Event::WalletSearchTyped { text } => self.search_typed(text, cx),
            Event::MoreWalletsAsked => self.more_asked(cx),
            Event::LegalTicked { ticked } => self.ticked = ticked,
            Event::RetryAsked => self.retry(cx),
            Event::ConnectAsked { connector, namespace, ticket } => {
                self.connect_asked(connector, namespace, ticket, cx)
            }
            Event::AccountsChanged { handle, accounts } => self.accounts_changed(&handle, &accounts, cx),
            Event::WalletDisconnected { handle } => self.lost(&handle, cx),
            Event::DisconnectAsked { namespace, ticket } => self.disconnect(namespace, ticket, cx),
            _ => {}
        }
    }

    /// One event about a remote wallet.
    pub fn remote_update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::PlatformChosen { platform } => self.platform_chosen(platform, cx),
            Event::LinkAsked => self.link_asked(cx),
            Event::UriCopyAsked => self.copy_asked(cx),
            Event::GetAsked { kind } => self.get_asked(kind, cx),
            Event::PairingRetryAsked => self.pairing_retry(cx),
            Event::SessionSettled { session } => self.session_settled(&session, cx),
            Event::PairingRejected { topic, code, message } => self.pairing_rejected(&topic, code, &message, cx),
            Event::SessionChanged { session } => self.session_changed(&session, cx),
            Event::SessionEnded { topic } => self.session_ended(&topic, cx),
            Event::WalletSilent { topic } if self.has_session(&topic) => {
                cx.say(Variant::Error, Message::WalletSilent);
            }
            _ => {}
        }
    }

    /// One answer about a remote wallet.
    pub fn remote_answered(&mut self, asked: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Reason::Relay => self.relay_answered(answer, cx),
            Reason::Pairing(id) => self.pairing_answered(id, answer, cx),
            Reason::UriCopied => self.uri_copied(answer, cx),
            _ => {}
        }
    }

    /// One answer of a wallet.
    #[inline(never)]
    pub fn answered(&mut self, asked: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Reason::Discovered => {
                self.revision += 1;
                self.discovered(cx);
            }
            Reason::Accounts(id) => self.accounts_answered(id, answer, cx),
            Reason::Chain(id) => self.chain_answered(id, answer, cx),
            Reason::ReconnectAccounts(namespace, handle) => self.reconnect_accounts(namespace, &handle, answer, cx),
            Reason::ReconnectChain(namespace, handle) => self.reconnect_chain(namespace, &handle, answer, cx),
            Reason::Recheck(namespace) => self.rechecked(namespace, answer, cx),
            Reason::Released(id) => self.released(id, answer, cx),
            Reason::Directory(question) => self.directory_answered(question, answer, cx),
            _ => {}
        }
    }

    /// One alarm.
    #[inline(never)]
    pub fn alarm(&mut self, timer: Timer, cx: &mut Cx) {
        match timer {
            Timer::ConnectSlow => self.slow(),
            Timer::ReconnectEnd => self.reconnect_end(cx),
            Timer::DisconnectEnd => self.release_end(cx),
            Timer::WalletSearch => self.search_rested(cx),
            _ => {}
        }
    }

    /// What views read.
    pub fn view(&self, facts: &crate::facts::Facts) -> View {
        let statuses = self.statuses.iter();
        View {
            statuses: statuses
                .map(|(namespace, status)| NamespaceStatus { namespace: *namespace, status: *status })
                .collect(),
            attempt: self.attempt.clone(),
            methods: methods::offered(facts, &self.connectors),
            discovered: self.reconnect.is_discovered(),
            consent: self.consent(&facts.options),
        }
    }

    /// The wallets to choose from (spec 2.15).
    #[inline(never)]
    pub fn wallets(&self, facts: &crate::facts::Facts) -> Wallets {
        let standing: Vec<_> = self.standing().collect();
        let looking = !self.reconnect.is_discovered();
        groups::wallets(&standing, &self.recent, &self.connections, (&self.directory, looking), facts)
    }

    /// Chains that are reached through the same mechanism live and die together (spec 4.8).
    fn shares_mechanism(kind: ConnectorKind) -> bool {
        matches!(kind, ConnectorKind::WalletConnect | ConnectorKind::Auth)
    }
}
