//! The embedded wallet as a connector: there from the start if the host names its frame, and connected after a login (spec 4.35). A page that
//! serves Solana gets its account there too, beside the EVM account of the same login.

use super::accounts::read_accounts;
use super::attempt::host_chain;
use super::{Connect, Connection};
use crate::config::Options;
use crate::connect::Alarm;
use crate::cx::Cx;
use crate::facts::EmbeddedUser;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use portico_json::Value;
use portico_terms::{AccountKind, Connector, ConnectorKind, Namespace};

/// Connector id of the embedded wallet.
pub const AUTH: &str = "AUTH";

/// Handle of its provider in the page.
pub const EMBEDDED: &str = "embedded:eip155";

/// Handle of the provider of its account on Solana.
pub const EMBEDDED_SOLANA: &str = "embedded:solana";

/// The embedded wallet as the connector of an account.
fn connector(chain: Namespace) -> Connector {
    Connector {
        id: AUTH.into(),
        name: "Embedded wallet".into(),
        kind: ConnectorKind::Auth,
        chain,
        image_url: None,
        image_id: None,
        explorer_id: None,
        rdns: None,
        handle: if chain == Namespace::Solana { EMBEDDED_SOLANA } else { EMBEDDED }.into(),
        icon: false,
    }
}

impl Connect {
    /// Adds the connector of the embedded wallet if the host names its frame.
    pub(super) fn offer_login(&mut self, cx: &Cx) {
        let options = &cx.facts.options;
        if options.embedded_wallet.is_none() || !options.adapters.contains(&Namespace::Eip155) {
            return;
        }
        self.connectors.push(connector(Namespace::Eip155));
        self.revision += 1;
    }

    /// Fetches what a social login needs, if the modal offers any.
    pub(super) fn offer_social(&self, cx: &mut Cx) {
        let there = self.connectors.iter().any(|connector| connector.kind == ConnectorKind::Auth);
        if there && !cx.facts.options.features.socials.is_empty() {
            cx.signal(Signal::LoginOffered);
        }
    }

    /// The frame told who is logged in.
    pub fn user_known(&mut self, user: EmbeddedUser) {
        self.user = Some(user);
        self.revision += 1;
    }

    /// The frame told the address of the account on EVM chains: each kind of account may have its own.
    pub fn login_moved(&mut self, address: String, cx: &mut Cx) {
        let connection = self.connections.iter_mut().find(|connection| connection.connector.handle == EMBEDDED);
        if connection.is_some_and(|connection| connection.renew(vec![address], false)) {
            cx.signal(Signal::AccountSwitched { namespace: Namespace::Eip155 });
        }
    }

    /// User behind a connection to the embedded wallet. On Solana there are no smart accounts.
    pub fn user_of(&self, connection: &Connection) -> Option<EmbeddedUser> {
        let embedded = connection.connector.kind == ConnectorKind::Auth;
        let user = embedded.then(|| self.user.clone().unwrap_or_default())?;
        Some(match connection.namespace {
            Namespace::Solana => EmbeddedUser { kind: AccountKind::Eoa, preferred: None, deployed: None, ..user },
            _ => user,
        })
    }

    /// Kind of a connection's account: as the frame told, else as [`Connection::kind`] assumes.
    pub fn kind_of(&self, connection: &Connection, options: &Options) -> AccountKind {
        match self.user_of(connection).filter(|_| self.user.is_some() || connection.namespace == Namespace::Solana) {
            Some(user) => user.kind,
            None => connection.kind(options),
        }
    }

    /// The page has the login's account on Solana, or no longer. It takes neither the place of another Solana wallet nor, unless the
    /// host waits for it, that of the active network.
    pub(super) fn told_on_solana(&mut self, accounts: &Value, cx: &mut Cx) {
        let namespace = Namespace::Solana;
        let present = self.connection(namespace).cloned();
        if present.as_ref().is_some_and(|present| present.connector.handle != EMBEDDED_SOLANA) {
            return;
        }
        let logged_in = self.connections.iter().any(|connection| connection.connector.handle == EMBEDDED);
        let (accounts, chain) = (read_accounts(namespace, accounts), host_chain(namespace, cx.facts));
        match (accounts, chain) {
            (Ok(accounts), _) if present.as_ref().is_some_and(|present| present.accounts == accounts) => {}
            (Ok(accounts), Some(chain)) if logged_in => {
                let connector = connector(namespace);
                self.take(
                    Connection { namespace, connector, accounts, chosen: false, topic: None, link: None },
                    false,
                    cx,
                );
                self.store(cx);
                cx.signal(Signal::Approved { namespace, chains: None, stands: chain.clone() });
                cx.stop(Alarm::LoginAccount);
                if self.resolve_waiting(namespace, &chain, true, cx) {
                    // The host asked for this account: its network becomes active, and the list of wallets closes.
                    cx.signal(Signal::Connected { namespace, chain: Some(chain), reconnect: false });
                } else {
                    cx.signal(Signal::AccountChanged { namespace });
                }
            }
            _ => {
                self.leave_solana(cx);
                self.login_without_solana(cx);
            }
        }
    }

    /// The account on Solana goes, and the login stays.
    pub(super) fn leave_solana(&mut self, cx: &mut Cx) {
        let namespaces = vec![Namespace::Solana];
        if self.connection(Namespace::Solana).is_some_and(|present| present.connector.handle == EMBEDDED_SOLANA) {
            self.forget(&namespaces);
            self.store(cx);
            cx.signal(Signal::Disconnected { namespaces });
        }
    }

    /// The frame ended the session by itself.
    pub fn login_lost(&mut self, cx: &mut Cx) {
        let lost = |connection: &&Connection| connection.connector.kind == ConnectorKind::Auth;
        if let Some(namespace) = self.connections.iter().find(lost).map(|connection| connection.namespace) {
            cx.say(Variant::Error, Message::SessionEnded);
            self.drop_connection(namespace, cx);
        }
    }

    /// The visitor logged in, perhaps by a host call: the embedded wallet connects without another question.
    pub fn logged_in(&mut self, ticket: Option<u32>, cx: &mut Cx) {
        let Some(connector) = self.connectors.iter().find(|connector| connector.kind == ConnectorKind::Auth).cloned()
        else {
            return;
        };
        if self.connection(connector.chain).is_some_and(|connection| connection.connector.id == connector.id) {
            return cx.signal(Signal::AlreadyConnected);
        }
        self.begin_named(ticket, cx);
        self.reconnect.give_up(connector.chain);
        self.begin_attempt(&connector, cx);
    }
}
