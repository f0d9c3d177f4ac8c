//! Lifecycle of a WalletConnect session: approval, changes, end, and restoring after a reload.

use super::directory::Known;
use super::groups;
use super::groups::Item;
use super::pairing::Phase;
use super::session::{self, Approved, Session};
use super::{Connect, Connection, Status, WALLET_CONNECT, link};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use crate::storage::{RecentWallet, keys};
use portico_json::Value;
use portico_terms::{ChainId, Connector, ConnectorKind, Namespace};
use std::rc::Rc;

/// Maximum number of remembered sessions that no page shows.
const MOST_SESSIONS: usize = 20;

impl Connect {
    pub(super) fn directory_item(&self, known: &Known, facts: &Facts) -> Item {
        self.directory.item(known, &[], facts)
    }

    /// A wallet approved a session. One for a withdrawn code is ended; one for an unknown code belongs to another client in this page or to
    /// another tab, and is left alone.
    pub(super) fn session_settled(&mut self, value: &Value, cx: &mut Cx) {
        let pairing = value.get("pairingTopic").as_str().unwrap_or_default();
        let topic = value.get("topic").as_str().unwrap_or_default();
        if self.has_session(topic) {
            return;
        }
        // A session for another tab's code is used here too, unless it would replace a connection.
        let ours = self.remote.is_ours(pairing) && (self.connections.is_empty() || !self.remote.is_shared(pairing));
        let read = session::read(value, cx.facts);
        match read {
            Ok(session) if ours => return self.connect_session(&session, pairing, cx),
            _ if !ours && !self.remote.was_closed(pairing) => return,
            _ if topic.is_empty() => {}
            _ => cx.order(Operation::EndSession { topic: topic.into() }),
        }
        if let (Err(error), true) = (read, ours) {
            self.pairing_failed(Phase::Failed, error, cx);
        }
    }

    pub(super) fn has_session(&self, topic: &str) -> bool {
        self.connections.iter().any(|connection| connection.topic.as_deref() == Some(topic))
    }

    fn connect_session(&mut self, session: &Session, pairing: &str, cx: &mut Cx) {
        let wallet = self.remote.target.wallet.take().or_else(|| self.directory.named(&session.name, cx.facts));
        let opened = self.remote.target.linked.take().is_some_and(|linked| linked == pairing);
        let method = if opened { "mobile" } else { "qrcode" };
        // A wallet on another device has no app link here.
        self.remote.link = self.remote.link.take().filter(|_| opened);
        if self.remote.link.is_none() {
            cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: keys::DEEP_LINK.into() });
        }
        self.leave_sessions(session, cx);
        if let Some(known) = &wallet {
            let (id, name, wallet) = (known.id.clone(), known.name.clone(), known.kept());
            groups::remember(&mut self.recent, RecentWallet { id, name, wallet });
        }
        self.join(session, wallet.as_ref(), |_| true, false, cx);
        self.track_success(method, name_of(session, wallet.as_ref()), rank_of(wallet.as_ref()), false, cx);
        self.remote.settle(pairing, cx);
        self.mark(Status::Disconnected, cx);
        for one in &session.approved {
            self.resolve_waiting(one.namespace, &one.stands, false, cx);
        }
    }

    /// Ends the previous sessions and drops the connections of namespaces that the new session does not approve.
    fn leave_sessions(&mut self, session: &Session, cx: &mut Cx) {
        let mut ended: Vec<String> = Vec::new();
        for topic in self.connections.iter().filter_map(|connection| connection.topic.clone()) {
            if topic != session.topic && !ended.contains(&topic) {
                ended.push(topic);
            }
        }
        let approves = |namespace| session.approved.iter().any(|one| one.namespace == namespace);
        let lost = |connection: &&Connection| connection.topic.is_some() && !approves(connection.namespace);
        let lost: Vec<Namespace> =
            self.connections.iter().filter(lost).map(|connection| connection.namespace).collect();
        for topic in ended {
            cx.order(Operation::EndSession { topic });
        }
        self.lose(lost, cx);
    }

    /// Drops the connections of these namespaces; others stay.
    fn lose(&mut self, namespaces: Vec<Namespace>, cx: &mut Cx) {
        if namespaces.is_empty() {
            return;
        }
        for handle in self.forget(&namespaces) {
            cx.order(Operation::UnwatchWallet { handle });
        }
        self.clear(cx);
        self.store(cx);
        cx.signal(Signal::Disconnected { namespaces });
    }

    /// Connects each approved namespace that passes `wanted`.
    fn join(
        &mut self,
        session: &Session,
        wallet: Option<&Rc<Known>>,
        wanted: impl Fn(Namespace) -> bool,
        reconnect: bool,
        cx: &mut Cx,
    ) {
        let link = self.remote.link.as_ref().filter(|_| !session.no_link);
        let link = link.map(|base| link::to_session(base, &session.topic));
        let joined: Vec<&Approved> = session.approved.iter().filter(|one| wanted(one.namespace)).collect();
        for (index, one) in joined.iter().enumerate() {
            let namespace = one.namespace;
            let connector = self.session_connector(session, namespace, wallet, cx.facts);
            let topic = Some(session.topic.clone());
            let (accounts, link) = (one.accounts.clone(), link.clone());
            let connection = Connection { namespace, connector, accounts, chosen: false, topic, link };
            watch(&connection, &one.stands, cx);
            self.take(connection, reconnect, cx);
            cx.signal(Signal::Approved { namespace, chains: Some(one.chains.clone()), stands: one.stands.clone() });
            let last = index + 1 == joined.len();
            let chain = (last && !reconnect).then(|| one.stands.clone());
            cx.signal(Signal::Connected { namespace, chain, reconnect });
        }
        self.store(cx);
    }

    fn session_connector(
        &self,
        session: &Session,
        namespace: Namespace,
        wallet: Option<&Rc<Known>>,
        facts: &Facts,
    ) -> Connector {
        let item = wallet.map(|known| self.directory_item(known, facts));
        Connector {
            id: WALLET_CONNECT.into(),
            name: name_of(session, wallet).into(),
            kind: ConnectorKind::WalletConnect,
            chain: namespace,
            image_url: item.as_ref().and_then(|item| item.image_url.clone()),
            image_id: wallet.and_then(|known| known.image_id.clone()),
            explorer_id: wallet.map(|known| known.id.clone()),
            rdns: None,
            handle: [WALLET_CONNECT, ":", namespace.word(), ":", &session.topic].concat(),
            icon: item.is_some_and(|item| item.icon),
        }
    }

    /// The wallet changed what the session approves.
    pub(super) fn session_changed(&mut self, value: &Value, cx: &mut Cx) {
        let topic = value.get("topic").as_str().unwrap_or_default();
        if !self.has_session(topic) {
            return;
        }
        let Ok(session) = session::read(value, cx.facts) else {
            cx.order(Operation::EndSession { topic: topic.into() });
            return self.session_ended(topic, cx);
        };
        let approved = |namespace| session.approved.iter().find(|one| one.namespace == namespace);
        let of_it = |connection: &&Connection| connection.topic.as_deref() == Some(topic);
        let lost = self.connections.iter().filter(of_it).map(|connection| connection.namespace);
        let lost: Vec<_> = lost.filter(|namespace| approved(*namespace).is_none()).collect();
        self.lose(lost, cx);
        for connection in self.connections.iter_mut().filter(|connection| connection.topic.as_deref() == Some(topic)) {
            let Some(one) = approved(connection.namespace) else { continue };
            let namespace = one.namespace;
            // The active address stays active while it is approved.
            if connection.renew(one.accounts.clone(), true) {
                cx.signal(Signal::AccountSwitched { namespace });
            }
            watch(connection, &one.stands, cx);
            cx.signal(Signal::Approved { namespace, chains: Some(one.chains.clone()), stands: one.stands.clone() });
        }
        let free: Vec<Namespace> =
            Namespace::ALL.iter().copied().filter(|namespace| self.connection(*namespace).is_none()).collect();
        if session.approved.iter().any(|one| free.contains(&one.namespace)) {
            let wallet = self.wallet_of(&session, cx.facts);
            self.join(&session, wallet.as_ref(), |namespace| free.contains(&namespace), true, cx);
        }
    }

    /// Directory entry of the wallet of an earlier session: the one chosen for it, else one with the same name.
    fn wallet_of(&self, session: &Session, facts: &Facts) -> Option<Rc<Known>> {
        let recent = || self.recent.iter().filter_map(|recent| Known::read(&recent.wallet));
        let chosen = self.connections.iter().find(|connection| connection.topic.as_deref() == Some(&session.topic));
        let chosen = chosen.map_or(self.remote.known.as_ref(), |connection| connection.connector.explorer_id.as_ref());
        let chosen = recent().find(|known| Some(&known.id) == chosen);
        let named = || recent().find(|known| known.is_called(&session.name)).map(Rc::new);
        chosen.map(Rc::new).or_else(named).or_else(|| self.directory.named(&session.name, facts))
    }

    /// The wallet announced that it is gone. Its session is ended too, so that the wallet does not list a dead connection.
    pub(super) fn permission_revoked(&mut self, namespace: Namespace, cx: &mut Cx) {
        if self.connection(namespace).is_some_and(|connection| connection.topic.is_some()) {
            cx.say(Variant::Error, Message::SessionEnded);
        }
        self.left(namespace, cx);
    }

    /// The host ended a session outside the modal, and the provider reports it: no notice for the visitor. When the wallet ends a session,
    /// [`Connect::session_ended`] runs instead.
    pub(super) fn left(&mut self, namespace: Namespace, cx: &mut Cx) {
        if let Some(topic) = self.connection(namespace).and_then(|connection| connection.topic.clone()) {
            cx.order(Operation::EndSession { topic });
        }
        self.drop_connection(namespace, cx);
    }

    /// The wallet ended the session.
    pub(super) fn session_ended(&mut self, topic: &str, cx: &mut Cx) {
        let ended = self.connections.iter().find(|connection| connection.topic.as_deref() == Some(topic));
        if let Some(namespace) = ended.map(|connection| connection.namespace) {
            self.drop_connection(namespace, cx);
            cx.say(Variant::Error, Message::SessionEnded);
        }
    }

    /// Restores a session that outlived the page (spec 4.2, 4.3): the latest one that serves a namespace still reconnecting.
    pub(super) fn sessions_back(&mut self, sessions: &Value, cx: &mut Cx) {
        let waiting = self.reconnect.waiting_for(WALLET_CONNECT);
        let list = sessions.as_list().unwrap_or_default();
        let back = list
            .iter()
            .filter_map(|session| session::read(session, cx.facts).ok())
            .filter(|session| session.expiry.saturating_mul(1_000) > cx.now)
            .filter(|session| session.approved.iter().any(|one| waiting.contains(&one.namespace)))
            .max_by_key(|session| session.expiry);
        let topic = back.as_ref().map(|session| session.topic.as_str());
        let topics = list.iter().filter_map(|session| session.get("topic").as_str());
        self.remote.others =
            topics.filter(|other| Some(*other) != topic).take(MOST_SESSIONS).map(String::from).collect();
        if let Some(session) = &back {
            let wallet = self.wallet_of(session, cx.facts);
            self.join(session, wallet.as_ref(), |namespace| waiting.contains(&namespace), true, cx);
            self.track_success("qrcode", name_of(session, wallet.as_ref()), rank_of(wallet.as_ref()), true, cx);
        }
        let gone = self.reconnect.remove_wallet(WALLET_CONNECT);
        if !gone.is_empty() {
            cx.say(Variant::Error, Message::SessionEnded);
        }
        for namespace in gone {
            self.try_next(namespace, cx);
        }
        // Sessions that a wallet approved while the page was closed.
        for session in list {
            if self.remote.is_ours(session.get("pairingTopic").as_str().unwrap_or_default()) {
                self.session_settled(session, cx);
            }
        }
    }
}

impl Connect {
    /// Called when no other page uses a session. With nothing connected or in progress, the newest session is used: a wallet approved it
    /// after its page was closed, and lists this site as connected. The others end.
    pub(super) fn adopt_session(&mut self, sessions: &Value, cx: &mut Cx) {
        let options = &cx.facts.options;
        if !options.reconnect {
            return self.end_others(cx);
        }
        let busy = self.reconnect.is_trying() || self.reconnect.is_late() || self.attempts.current.is_some();
        if busy || !self.connections.is_empty() || options.manual_pairing {
            return;
        }
        let sessions = sessions.as_list().unwrap_or_default();
        let sessions = sessions.iter().filter_map(|session| session::read(session, cx.facts).ok());
        let lives = |session: &Session| session.expiry.saturating_mul(1_000) > cx.now;
        let Some(session) = sessions.filter(lives).max_by_key(|session| session.expiry) else { return };
        let wallet = self.wallet_of(&session, cx.facts);
        self.join(&session, wallet.as_ref(), |_| true, true, cx);
        self.track_success("qrcode", name_of(&session, wallet.as_ref()), rank_of(wallet.as_ref()), true, cx);
        self.end_others(cx);
    }

    /// Ends the sessions that no page shows; else the wallet would list them until they expire.
    pub(super) fn end_others(&mut self, cx: &mut Cx) {
        for topic in std::mem::take(&mut self.remote.others) {
            if !self.has_session(&topic) {
                cx.order(Operation::EndSession { topic });
            }
        }
    }

    /// The active chain changed: moves the provider of a session to it.
    pub fn stand(&self, chain: &ChainId, cx: &mut Cx) {
        if let Some(connection) = self.connection(chain.namespace()).filter(|connection| connection.topic.is_some()) {
            watch(connection, chain, cx);
        }
    }
}

/// Starts watching a session's provider on the active chain.
fn watch(connection: &Connection, chain: &ChainId, cx: &mut Cx) {
    let (handle, link) = (connection.connector.handle.clone(), connection.link.clone());
    cx.order(Operation::WatchWallet { handle, link, chain: Some(chain.clone()) });
}

/// Name of a session's wallet: its own, else that of the chosen wallet.
fn name_of<'a>(session: &'a Session, wallet: Option<&'a Rc<Known>>) -> &'a str {
    match (session.name.as_str(), wallet) {
        ("", Some(wallet)) => &wallet.name,
        ("", None) => "WalletConnect",
        (name, _) => name,
    }
}

fn rank_of(wallet: Option<&Rc<Known>>) -> Option<u64> {
    wallet.and_then(|wallet| wallet.rank)
}
