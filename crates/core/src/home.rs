//! Home, the part of the core that is loaded right after the first module (decision 7): features of a connected visitor, and pairing codes
//! and sessions of remote wallets. The methods of [`Home`] are its only entries: code that is reached only through them is built into its
//! module, and [`Features::home`] returns a `Home` only when that is loaded.

use crate::account::{self, Extent};
use crate::app::Features;
use crate::connect;
use crate::connections::UsedConnection;
use crate::cx::Cx;
use crate::effect::Outcome;
use crate::feature::Feature;
use crate::modal::View;
use crate::network;
use crate::part::{Part, Parts};
use crate::rpc::{Answered, ChainRead};
use crate::storage::Stored;
use crate::table::features;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace};
use std::ops::{Deref, DerefMut};

macro_rules! declare {
    (
        views [ $($views:tt)* ]
        first [ $($first:tt)* ]
        home [ $($Home:ident($home_state:ty) in $home:ident { $($home_rest:tt)* })* ]
        parts [ $($Part:ident($part_state:ty) in $part:ident { $($part_rest:tt)* })* ]
    ) => {
        /// State of the features in home and in the parts.
        #[derive(Debug, Default)]
        pub(crate) struct OwnState {
            $(pub $home: $home_state,)*
            $(pub $part: $part_state,)*
        }

        impl OwnState {
            /// State at the start, with the values that earlier pages stored.
            fn new(stored: &Stored) -> OwnState {
                OwnState {
                    $($home: <$home_state as Feature>::restored(stored),)*
                    $($part: <$part_state as Feature>::restored(stored),)*
                }
            }
        }
    };
}
features!(declare);

/// Loaded parts and, once home is among them, the state of their features.
#[derive(Debug)]
pub(crate) struct Own {
    /// Loaded parts.
    pub here: Parts,
    /// Values that earlier pages stored; empty once home has taken them.
    pub stored: Stored,
    state: Option<Box<OwnState>>,
}

impl Own {
    /// Before home is loaded.
    pub fn new(stored: Stored) -> Own {
        Own { here: Parts::default(), stored, state: None }
    }

    /// State of the features; `None` before home is loaded.
    pub fn state(&self) -> Option<&OwnState> {
        self.state.as_deref()
    }
}

/// State of idle features.
impl Default for Own {
    fn default() -> Own {
        Own { here: Parts::default(), stored: Stored::default(), state: Some(Box::default()) }
    }
}

/// For the code of home and the parts, which runs only once the state exists.
impl Deref for Own {
    type Target = OwnState;

    fn deref(&self) -> &OwnState {
        self.state.as_deref().expect("home is loaded")
    }
}

impl DerefMut for Own {
    fn deref_mut(&mut self) -> &mut OwnState {
        self.state.as_deref_mut().expect("home is loaded")
    }
}

/// Access to the code of home once it is loaded. Events, answers, alarms and views go through the methods in `app/dispatch.rs`.
pub(crate) struct Home<'a>(pub(crate) &'a mut Features);

impl Features {
    /// Entries of home; `None` until it is loaded.
    pub fn home(&mut self) -> Option<Home<'_>> {
        self.own.here.has(Part::Home).then_some(Home(self))
    }
}

/// Each method is an entry: never inlined, so that the build finds it by its name.
impl Home<'_> {
    /// Creates the state of the features, when home was loaded.
    #[inline(never)]
    pub fn begin(self) {
        let own = &mut self.0.own;
        own.state = Some(Box::new(OwnState::new(&std::mem::take(&mut own.stored))));
    }

    /// Sends the chain reads of a turn in batches. Returns those that are answered at once.
    #[inline(never)]
    pub fn send_reads(self, reads: Vec<ChainRead>, cx: &mut Cx) -> Vec<Answered> {
        self.0.rpc.send(reads, cx)
    }

    /// Handles the outcome of a batch of chain reads. Returns the answered ones.
    #[inline(never)]
    pub fn reads_answered(self, batch: u32, outcome: Outcome, cx: &mut Cx) -> Vec<Answered> {
        if self.0.rpc.is_ours(batch, cx.facts) {
            self.0.warned.look(&outcome, cx);
        }
        self.0.rpc.answered(batch, outcome, cx)
    }

    /// Sends chain reads again that failed. Returns those that are given up.
    #[inline(never)]
    pub fn retry_reads(self, cx: &mut Cx) -> Vec<Answered> {
        self.0.rpc.alarm(cx)
    }

    /// Adds holdings, names, tabs and buttons to the view of the accounts.
    #[inline(never)]
    pub fn complete_accounts(self, view: &mut account::View, extent: Extent) {
        self.0.complete_accounts(view, extent);
    }

    /// Handles an event about networks.
    #[inline(never)]
    pub fn network_update(self, event: network::Event, cx: &mut Cx) {
        self.0.network.update(event, cx);
    }

    /// Handles the wallet's answer to a request of a network switch.
    #[inline(never)]
    pub fn network_answered(self, reason: network::Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.0.network.answered(reason, answer, cx);
    }

    /// Called when the wallet takes long to switch.
    #[inline(never)]
    pub fn switch_slow(self) {
        self.0.network.slow();
    }

    /// Handles an event of a remote wallet.
    #[inline(never)]
    pub fn remote_update(self, event: connect::Event, cx: &mut Cx) {
        self.0.connect.remote_update(event, cx);
    }

    /// Handles the answer to a request that concerns a remote wallet.
    #[inline(never)]
    pub fn remote_answered(self, reason: connect::Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.0.connect.remote_answered(reason, answer, cx);
    }

    /// Handles an alarm of the shown pairing code, or of a login.
    #[inline(never)]
    pub fn remote_alarm(self, alarm: connect::Alarm, cx: &mut Cx) {
        self.0.connect.pairing_alarm(alarm, cx);
    }

    /// Called when the view on top shows a pairing code for a remote wallet.
    #[inline(never)]
    pub fn pairing_shown(self, cx: &mut Cx) {
        let uri = self.0.modal.uri().map(String::from);
        self.0.connect.pairing_shown(uri, cx);
    }

    /// Called when the state of the connection to a relay changed.
    #[inline(never)]
    pub fn relay_changed(self, cx: &mut Cx) {
        self.0.connect.relay_changed(cx);
    }

    /// Called when the visitor left a view with a pairing code.
    #[inline(never)]
    pub fn pairing_left(self, cx: &mut Cx) {
        self.0.connect.pairing_left(cx);
    }

    /// Called when the modal closed: leaves the pairing and all forms, whichever was shown.
    #[inline(never)]
    pub fn closed(self, cx: &mut Cx) {
        self.0.connect.pairing_closed(cx);
        let forms = Part::ALL.iter().filter_map(|part| part.form());
        for view in forms.chain([View::RegisterAccountName]) {
            Home(self.0).left(view, cx);
        }
    }

    /// Stores the chains that a session approves (spec 3.2).
    #[inline(never)]
    pub fn approve(self, namespace: Namespace, chains: Option<Vec<ChainId>>, stands: &ChainId, cx: &mut Cx) {
        self.0.network.approve(namespace, chains, stands, cx);
    }

    /// Called when the modal opened.
    #[inline(never)]
    pub fn opened(self, cx: &mut Cx) {
        Home(self.0).shown(cx);
    }

    /// Looks up the names of the wallet's other accounts.
    #[inline(never)]
    pub fn name_others(self, addresses: &[String], cx: &mut Cx) {
        self.0.own.account.name_others(addresses, cx);
    }

    /// Clears the data of other accounts; requests that of the active account while the modal shows it.
    #[inline(never)]
    pub fn shown(self, cx: &mut Cx) {
        let facts = self.0.facts();
        let own = &mut *self.0.own;
        own.account.forget_others(&facts);
        own.activity.changed(&facts);
        if facts.modal_open && facts.account.is_some() {
            let mut fresh = Cx::new(cx.now, &facts);
            if own.account.show(&mut fresh) {
                own.activity.show(&mut fresh);
            }
            Home(self.0).shown_to_features(&mut fresh);
            cx.take_over(fresh);
        }
    }

    /// Called when a namespace has another account, or its account is on another network.
    #[inline(never)]
    pub fn changed(self, namespace: Namespace, cx: &mut Cx) {
        // The connection changed in this turn, so the facts are collected again.
        let facts = self.0.facts();
        let network = self.0.network.active_network_of(namespace).cloned();
        let mut fresh = Cx::new(cx.now, &facts);
        if let Some(connection) = self.0.connect.connection(namespace) {
            let used = UsedConnection {
                namespace,
                connector: connection.connector.id.clone(),
                name: connection.connector.name.clone(),
                chain: self.0.network.chain_of(namespace).cloned(),
                kind: self.0.connect.kind_of(connection, &facts.options),
                accounts: connection.accounts.clone(),
            };
            self.0.own.connections.note(used, &mut fresh);
        }
        self.0.own.account.changed(namespace, network.as_deref(), &mut fresh);
        cx.take_over(fresh);
    }

    /// Resets the account data and forms of disconnected namespaces (spec 4.7, 4.9).
    #[inline(never)]
    pub fn reset(self, namespaces: &[Namespace], cx: &mut Cx) {
        self.0.own.account.reset(namespaces, cx);
        self.reset_forms(cx);
    }

    /// Called when a transaction was sent.
    #[inline(never)]
    pub fn send_started(self, cx: &mut Cx) {
        let own = &mut self.0.own;
        own.account.refresh(cx);
        own.activity.started();
        if let Some(sent) = own.send.last_payment(cx.facts) {
            own.activity.sent(&sent);
        }
    }

    /// Called when a transaction was mined or given up: requests balances and activity again.
    #[inline(never)]
    pub fn send_settled(self, cx: &mut Cx) {
        let sent = self.0.own.send.last_payment(cx.facts);
        self.0.own.activity.spent(sent);
        self.0.own.account.spent(cx);
        self.shown(cx);
    }

    /// Called when the account registered a name.
    #[inline(never)]
    pub fn named(self, address: &str, name: &str, cx: &mut Cx) {
        self.0.own.account.named(address, name, cx);
    }
}
