//! Connecting: which wallets there are, an attempt to connect one, coming back after a reload, and letting go.

mod accounts;
mod attempt;
mod consent;
mod directory;
mod disconnect;
mod fault;
mod groups;
mod methods;
mod reconnect;
mod registry;
#[cfg(test)]
mod tests;

pub use attempt::{Attempt, Phase};
pub use consent::Consent;
pub use directory::{Link, LinkKind, Phase as DirectoryPhase, Question, SEARCH_REST, View as DirectoryView};
pub use fault::ConnectFault;
pub use groups::{Group, Item, Wallets};
pub use methods::methods;
pub use registry::{Found, IconKind};

use crate::cx::Cx;
use crate::effect::Operation;
use crate::facts::ActiveAccount;
use crate::storage::{RecentWallet, Stored};
use crate::timer::Timer;
use portico_json::{Json, Map, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{AccountKind, Connector, ConnectorKind, Namespace};
use std::rc::Rc;

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

/// What wallets, visitor and host do about connecting.
#[derive(Clone, Debug, Json)]
#[json(name = "ConnectEvent")]
pub enum Event {
    /// A wallet presented itself (EIP-6963) or was found.
    WalletFound {
        /// As it presented itself: hostile until parsed.
        wallet: Found,
    },
    /// The visitor chose a wallet.
    WalletChosen {
        /// The connector's id.
        connector: String,
    },
    /// The box under which the host's legal pages are named was ticked, or the tick taken away.
    LegalTicked {
        /// Whether it is ticked now.
        ticked: bool,
    },
    /// The visitor searches all wallets.
    WalletSearchTyped {
        /// As typed.
        text: String,
    },
    /// The end of the list of all wallets came into sight, or the visitor tries again to get it.
    MoreWalletsAsked,
    /// The visitor tries again.
    RetryAsked,
    /// The host asked for a connection.
    ConnectAsked {
        /// A connector's id; `null` opens the modal.
        connector: Option<String>,
        /// A namespace by its name.
        namespace: Option<String>,
        /// The host's call.
        ticket: u32,
    },
    /// The wallet shows other accounts (EIP-1193 `accountsChanged`).
    AccountsChanged {
        /// The connector's handle.
        handle: String,
        /// What the wallet sent.
        accounts: Value,
    },
    /// The wallet lost its chains (EIP-1193 `disconnect`).
    WalletDisconnected {
        /// The connector's handle.
        handle: String,
    },
    /// The visitor or the host asked to disconnect.
    DisconnectAsked {
        /// A namespace by its name; `null` means all.
        namespace: Option<String>,
        /// The host's call.
        ticket: Option<u32>,
    },
}

/// Why a wallet was asked.
#[derive(Clone, Debug)]
pub enum Asked {
    /// All wallets had their chance to present themselves.
    Discovered,
    /// For accounts, in an attempt.
    Accounts(u32),
    /// For its chain, in an attempt.
    Chain(u32),
    /// For accounts, coming back; the wallet by its handle.
    ReconnectAccounts(Namespace, String),
    /// For its chain, coming back; the wallet by its handle.
    ReconnectChain(Namespace, String),
    /// Whether it is still there.
    Recheck(Namespace),
    /// To let go, in a disconnection.
    Released(u32),
    /// The host's server, for wallets of the directory.
    Directory(Question),
}

impl From<Question> for crate::app::Asked {
    fn from(question: Question) -> crate::app::Asked {
        Asked::Directory(question).into()
    }
}

/// An account that is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// The namespace.
    pub namespace: Namespace,
    /// Our way to the wallet.
    pub connector: Connector,
    /// All addresses that the wallet shows; the first is in use. Never empty.
    pub accounts: Vec<String>,
}

impl Connection {
    /// The kind of its accounts: a browser wallet's are plain keys as far as anybody can tell, Bitcoin's first is the payment
    /// address, and an embedded wallet's are of the preferred kind (spec 3.5, 3.6).
    pub fn kind(&self, options: &crate::config::Options) -> AccountKind {
        match (self.connector.kind, self.namespace) {
            (ConnectorKind::Auth, namespace) => options.preferred_kind(namespace),
            (_, Namespace::Bip122) => AccountKind::Payment,
            _ => AccountKind::Eoa,
        }
    }

    /// What every feature may know of it.
    pub fn active_account(&self) -> ActiveAccount {
        ActiveAccount {
            namespace: self.namespace,
            address: self.accounts.first().cloned().unwrap_or_default(),
            connector: self.connector.id.clone(),
            handle: self.connector.handle.clone(),
            kind: self.connector.kind,
            wallet: self.connector.name.clone(),
        }
    }
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Connect {
    connectors: Vec<Connector>,
    connections: Vec<Connection>,
    statuses: Map<Namespace, Status>,
    attempt: Option<Attempt>,
    attempts: u32,
    /// Host calls that wait for whichever wallet the visitor chooses, of the namespace that was named.
    waiting: Vec<(u32, Option<Namespace>)>,
    /// The host call that named the wallet of the attempt.
    named: Option<u32>,
    reconnect: reconnect::Reconnect,
    /// A connection is stored that the host does not want back.
    unwanted: bool,
    /// Accounts of wallets that came back, while their chain is still asked for.
    reconnect_accounts: Map<Namespace, Vec<String>>,
    recent: Vec<RecentWallet>,
    directory: directory::Directory,
    releasing: Option<disconnect::Releasing>,
    releases: u32,
    revision: u32,
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
            groups::remember(&mut connect.recent, &wallet.id, &wallet.name);
        }
        connect.unwanted = !reconnect && !stored.connections.is_empty();
        if reconnect {
            for connection in &stored.connections {
                connect.statuses.insert(connection.namespace, Status::Connecting);
                connect.reconnect.add(connection.namespace, &connection.connector);
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
        if self.reconnect.is_trying() {
            cx.start(Timer::ReconnectEnd, reconnect::PATIENCE);
        }
        cx.ask(Operation::DiscoverWallets, Asked::Discovered);
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
            Event::WalletChosen { .. } if self.consent(cx.facts) == Consent::Missing => {}
            Event::WalletChosen { connector } => {
                if self.connector(&connector).is_some() || !self.want(&connector, cx) {
                    self.choose(&connector, None, cx);
                }
            }
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
        }
    }

    /// One answer of a wallet.
    #[inline(never)]
    pub fn answered(&mut self, asked: Asked, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match asked {
            Asked::Discovered => {
                self.revision += 1;
                self.discovered(cx);
            }
            Asked::Accounts(id) => self.accounts_answered(id, answer, cx),
            Asked::Chain(id) => self.chain_answered(id, answer, cx),
            Asked::ReconnectAccounts(namespace, handle) => self.reconnect_accounts(namespace, &handle, answer, cx),
            Asked::ReconnectChain(namespace, handle) => self.reconnect_chain(namespace, &handle, answer, cx),
            Asked::Recheck(namespace) => self.rechecked(namespace, answer, cx),
            Asked::Released(id) => self.released(id, answer, cx),
            Asked::Directory(question) => self.directory_answered(question, answer, cx),
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
            consent: self.consent(facts),
        }
    }

    /// The wallets to choose from (spec 2.15).
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
