//! The embedded wallet as a connector: there from the start if the host names its frame, and connected after a login (spec 4.35).

use super::{Connect, Connection};
use crate::config::Options;
use crate::cx::Cx;
use crate::facts::EmbeddedUser;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use portico_terms::{AccountKind, Connector, ConnectorKind, Namespace};

/// Connector id of the embedded wallet.
pub const AUTH: &str = "AUTH";

/// Handle of its provider in the page.
pub const EMBEDDED: &str = "embedded:eip155";

impl Connect {
    /// Adds the connector of the embedded wallet if the host names its frame.
    pub(super) fn offer_login(&mut self, cx: &Cx) {
        let options = &cx.facts.options;
        if options.embedded_wallet.is_none() || !options.adapters.contains(&Namespace::Eip155) {
            return;
        }
        self.connectors.push(Connector {
            id: AUTH.into(),
            name: "Embedded wallet".into(),
            kind: ConnectorKind::Auth,
            chain: Namespace::Eip155,
            image_url: None,
            image_id: None,
            explorer_id: None,
            rdns: None,
            handle: EMBEDDED.into(),
            icon: false,
        });
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

    /// User behind a connection to the embedded wallet.
    pub fn user_of(&self, connection: &Connection) -> Option<EmbeddedUser> {
        let embedded = connection.connector.kind == ConnectorKind::Auth;
        embedded.then(|| self.user.clone().unwrap_or_default())
    }

    /// Kind of a connection's account: as the frame told, else as [`Connection::kind`] assumes.
    pub fn kind_of(&self, connection: &Connection, options: &Options) -> AccountKind {
        let told = self.user.as_ref().filter(|_| connection.connector.kind == ConnectorKind::Auth);
        told.map_or_else(|| connection.kind(options), |user| user.kind)
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
