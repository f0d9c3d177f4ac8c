//! Wallet connection: wallet discovery, connection attempts, reconnect after a reload, and disconnect. Dispatches every event and response
//! of the feature.

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
mod feature;
mod groups;
mod link;
mod login;
mod methods;
mod multichain;
mod pairing;
mod platform;
mod reconnect;
mod registry;
mod remote;
mod session;
mod sign_in;
mod sign_out;
#[cfg(test)]
mod tests;
mod waiting;

pub use attempt::{Attempt, Phase};
pub use connection::Connection;
pub use consent::Consent;
pub use directory::{Link, LinkKind, Phase as DirectoryPhase, Question, SEARCH_REST, View as DirectoryView};
pub use event::{Event, Reason};
pub use fault::ConnectFault;
pub use groups::{Group, Item, Wallets, offers_remote};
pub use login::{AUTH, EMBEDDED, EMBEDDED_SOLANA};
pub use methods::methods;
pub use multichain::{ChainChoice, MultiChain};
pub use pairing::{PAIRING_LIFE, PAIRING_MARGIN, Phase as PairingPhase, RelayState, View as PairingView};
pub use platform::Platform;
pub use registry::{Found, IconKind};
pub use sign_out::{LONGEST as LONGEST_SIGN_OUT, MOST as MOST_SIGN_OUTS};

use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::{ActiveAccount, EmbeddedUser};
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use crate::storage::{RecentWallet, Stored, keys};
use portico_json::{Json, Map, Value};
use portico_terms::link::{is_app, is_web};
use portico_terms::rpc::RpcError;
use portico_terms::{Connector, ConnectorKind, Namespace};
use std::rc::Rc;

/// Connector id of every WalletConnect session, and of the list entry that starts one.
pub const WALLET_CONNECT: &str = "walletConnect";

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The wallet is slow to respond; the modal shows it.
    Slow,
    /// Time limit for wallets to reconnect: the stored connection is given up (spec 4.2).
    ReconnectEnd,
    /// Time limit for wallets to end their sessions.
    DisconnectEnd,
    /// The visitor stopped typing: the directory is searched (spec 9.3).
    Search,
    /// One second of the pairing code's countdown has passed (spec 4.5).
    PairingTick,
    /// The relay is slow to respond; the modal shows it.
    PairingSlow,
    /// Time limit for the page to tell the account of a login on Solana, for which a host call waits.
    LoginAccount,
}

/// Connection status of a namespace (spec 4.1).
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "Status")]
pub enum Status {
    /// A wallet was requested to connect.
    Connecting,
    /// The connected wallet lost its chain and is being checked again.
    Reconnecting,
    /// A wallet with an account is connected.
    Connected,
    #[default]
    Disconnected,
}

/// State of the connect feature.
#[derive(Debug, Default)]
pub struct Connect {
    connectors: Vec<Connector>,
    connections: Vec<Connection>,
    statuses: Map<Namespace, Status>,
    choice: choice::Choice,
    attempts: attempt::Attempts,
    reconnect: reconnect::Reconnect,
    /// Namespaces whose account came back with a reload.
    returned: Vec<Namespace>,
    /// Last answers of wallets about their accounts, unparsed: the names in them are read once they are shown.
    told: Map<Namespace, Value>,
    leftover: Leftover,
    recent: Vec<RecentWallet>,
    directory: directory::Directory,
    release: disconnect::Release,
    sign_outs: sign_out::SignOuts,
    /// Counter of changes to the list of wallets.
    revision: u32,
    remote: pairing::Pairings,
    /// The visitor ticked the consent box for the legal pages; lasts as long as the page.
    ticked: bool,
    /// Id of the wallet in the list whose namespace the visitor is about to choose.
    multi_chain: Option<String>,
    /// User of the embedded wallet, once the frame has told.
    user: Option<EmbeddedUser>,
}

/// State of an earlier page that this page only cleans up.
#[derive(Debug, Default)]
struct Leftover {
    connection: Unwanted,
    /// A pairing code is stored.
    code: bool,
}

/// Stored connection of a page whose host turned reconnect off.
#[derive(Debug, Default, Eq, PartialEq)]
enum Unwanted {
    #[default]
    None,
    /// A connection of a wallet in the page.
    Wallet,
    /// A WalletConnect session, which has to be ended.
    Session,
}

/// Attempt and statuses for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ConnectView")]
pub struct View {
    /// Status of each namespace that has one of its own.
    pub statuses: Vec<NamespaceStatus>,
    /// The attempt that waits for its wallet or has failed.
    pub attempt: Option<Attempt>,
    /// Connect methods in display order (spec 2.14).
    pub methods: Vec<crate::config::ConnectMethod>,
    /// The wallet whose namespace the visitor is about to choose.
    pub multi_chain: Option<MultiChain>,
    /// Whether wallet discovery has finished.
    pub discovered: bool,
    /// The visitor's consent to the legal pages (spec 6.6).
    pub consent: Consent,
}

/// Connection status of one namespace.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct NamespaceStatus {
    pub namespace: Namespace,
    pub status: Status,
}

impl Connect {
    /// Initial state from storage: a stored connected status becomes connecting (spec 4.2).
    pub fn new(stored: &Stored, reconnect: bool) -> Connect {
        let mut connect = Connect::default();
        for wallet in stored.recent.iter().rev() {
            groups::remember(&mut connect.recent, wallet.clone());
        }
        connect.remote.link = stored.link.as_deref().filter(|link| is_app(link) || is_web(link)).and_then(link::base);
        connect.remote.stored.unread = stored.pairing.clone();
        connect.leftover.code = stored.waited;
        connect.sign_outs.stored.clone_from(&stored.sign_outs);
        let session = stored.connections.iter().any(|stored| stored.connector == WALLET_CONNECT);
        connect.leftover.connection = match reconnect || stored.connections.is_empty() {
            true => Unwanted::None,
            false if session => Unwanted::Session,
            false => Unwanted::Wallet,
        };
        if reconnect {
            for connection in &stored.connections {
                connect.statuses.insert(connection.namespace, Status::Connecting);
                connect.reconnect.add(connection);
                if connection.connector == WALLET_CONNECT {
                    connect.remote.known.clone_from(&connection.wallet);
                }
            }
        }
        connect
    }

    /// Starts wallet discovery and reconnect.
    pub fn begin(&mut self, cx: &mut Cx) {
        if self.leftover.connection != Unwanted::None {
            self.clear(cx);
            self.store(cx);
        }
        if self.leftover.code && !self.remote.is_stored(cx.now) {
            cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: keys::PAIRING.into() });
        }
        self.resume_sign_outs(cx);
        self.offer_login(cx);
        if self.reconnect.is_trying() {
            cx.start(Alarm::ReconnectEnd, reconnect::PATIENCE);
        }
        // A wallet may have approved while the page was closed, so the relay is needed. A session that the host does not want back is
        // ended, or the wallet would list it for a week; but only once the core runs anyway, so that a page without an opened modal costs
        // nothing.
        let session = self.leftover.connection == Unwanted::Session;
        if session || self.reconnect.waits_for(WALLET_CONNECT) || self.remote.is_stored(cx.now) {
            self.relay_wanted(cx);
        }
        cx.ask(Operation::DiscoverWallets, Reason::Discovered);
    }

    /// Connection of a namespace.
    pub fn connection(&self, namespace: Namespace) -> Option<&Connection> {
        self.connections.iter().find(|connection| connection.namespace == namespace)
    }

    /// Active account of every connection.
    pub fn accounts(&self) -> Vec<Rc<ActiveAccount>> {
        self.connections.iter().map(|connection| Rc::new(connection.active_account())).collect()
    }

    pub fn connected(&self) -> Vec<Namespace> {
        self.connections.iter().map(|connection| connection.namespace).collect()
    }

    /// Connection status of a namespace.
    pub fn status(&self, namespace: Namespace) -> Status {
        self.statuses.get(&namespace).copied().unwrap_or_default()
    }

    /// Whether an attempt is visible: waiting, or failed and not dismissed yet.
    pub fn has_attempt(&self) -> bool {
        self.attempts.current.is_some()
    }

    /// Counter of changes to the result of [`Connect::wallets`].
    pub fn revision(&self) -> u32 {
        self.revision
    }

    fn connector(&self, id: &str) -> Option<&Connector> {
        self.without_duplicates().into_iter().find(|connector| connector.id == id)
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::WalletFound { wallet } => self.found(wallet, cx),
            Event::WalletChosen { .. } | Event::ChainChosen { .. } if cx.facts.consent_missing => {}
            Event::WalletChosen { connector } => self.wallet_chosen(&connector, cx),
            Event::ChainChosen { connector } => self.choose(&connector, None, None, cx),
            Event::WalletSearchTyped { text } => self.search_typed(text, cx),
            Event::MoreWalletsAsked => self.more_asked(cx),
            Event::LegalTicked { ticked } => self.ticked = ticked,
            Event::RetryAsked => self.retry(cx),
            Event::ConnectAsked { connector: Some(connector), namespace, ticket }
                if self.signs_in_first(&connector, namespace.as_deref(), ticket, cx) => {}
            Event::ConnectAsked { connector, namespace, ticket } => {
                self.connect_asked(connector, namespace, ticket, cx)
            }
            Event::AccountsChanged { handle, accounts } => self.accounts_changed(&handle, &accounts, cx),
            Event::WalletDisconnected { handle } => self.lost(&handle, cx),
            Event::DisconnectAsked { namespace, ticket } => self.disconnect(namespace, ticket, cx),
            _ => {}
        }
    }

    /// Dispatches one event about a remote wallet, or about a login.
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
            Event::AccountAsked { namespace, address, ticket } => self.account_asked(&namespace, &address, ticket, cx),
            Event::LoginToldOnSolana { accounts } => self.told_on_solana(&accounts, cx),
            Event::WalletSilent { topic } if self.has_session(&topic) => {
                if cx.facts.account.as_ref().is_some_and(|account| account.handle.ends_with(topic.as_str())) {
                    cx.signal(Signal::WalletSilent);
                }
                cx.say(Variant::Error, Message::WalletSilent);
            }
            _ => {}
        }
    }

    /// Dispatches one response about a remote wallet.
    pub fn remote_answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
            Reason::Relay => self.relay_answered(answer, cx),
            Reason::Pairing(id) => self.pairing_answered(id, answer, cx),
            Reason::UriCopied => self.uri_copied(answer, cx),
            _ => {}
        }
    }

    /// Dispatches one response of a wallet or of the directory.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
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
            Reason::SignedOut(key) => self.signed_out(key, &answer, cx),
            Reason::Directory(question) => self.directory_answered(question, answer, cx),
            _ => {}
        }
    }

    /// Dispatches one alarm.
    #[inline(never)]
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Slow => self.slow(),
            Alarm::ReconnectEnd => self.reconnect_end(cx),
            Alarm::DisconnectEnd => self.release_end(cx),
            Alarm::Search => self.search_rested(cx),
            _ => {}
        }
    }

    pub fn view(&self, facts: &crate::facts::Facts) -> View {
        let statuses = self.statuses.iter();
        View {
            statuses: statuses
                .map(|(namespace, status)| NamespaceStatus { namespace: *namespace, status: *status })
                .collect(),
            attempt: self.attempts.current.clone(),
            methods: methods::offered(facts, &self.connectors),
            multi_chain: self.multi_chain(facts),
            discovered: self.reconnect.is_discovered(),
            consent: self.consent(&facts.options),
        }
    }

    /// Wallets to choose from (spec 2.15).
    #[inline(never)]
    pub fn wallets(&self, facts: &crate::facts::Facts) -> Wallets {
        let without_duplicates = self.without_duplicates();
        let looking = !self.reconnect.is_discovered();
        groups::wallets(&without_duplicates, &self.recent, &self.connections, (&self.directory, looking), facts)
    }

    /// Chains connected through the same mechanism connect and disconnect together (spec 4.8).
    fn shares_mechanism(kind: ConnectorKind) -> bool {
        matches!(kind, ConnectorKind::WalletConnect | ConnectorKind::Auth)
    }
}
