//! WalletConnect relay: passes encrypted messages between clients by topic, and stores them for clients that are offline.
//!
//! Off unless configured. A publisher gets `true` once its message is stored; connected subscribers receive it without that wait.
//! The relay sees topics, sizes and times, but never a key. Analytics fields of clients are dropped unread.

mod attest;
mod auth;
mod fan;
mod fault;
mod fetched;
mod flying;
mod hub;
mod id;
mod limits;
mod mailbox;
mod message;
pub(crate) mod metrics;
mod perform;
mod recent;
mod request;
mod room;
mod route;
mod share;
mod socket;
mod sweep;
pub(crate) mod table;
mod unread;
mod writer;

use crate::config;
use crate::db::Database;
use crate::shared::Shared;
use crate::visitors::Visitors;
use hub::Hub;
use id::{ClientId, MessageId, Topic};
use limits::Limits;
use mailbox::Mailbox;
use message::Message;
use portico_walletconnect::jwt::ClientKey;
use share::Payer;
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::OnceCell;

pub(crate) use route::router;

/// State shared by all sockets of the relay.
pub(crate) struct Relay {
    config: config::Relay,
    audiences: Vec<String>,
    database: Database,
    shared: Shared,
    hub: Arc<Hub>,
    limits: Limits,
    /// Clients connected to this node.
    clients: Arc<Mutex<HashMap<ClientId, Weak<Client>>>>,
    /// Number of WebSockets per visitor.
    visitors: Visitors,
    /// Number of WebSockets per visitor that take messages of full length.
    long: Visitors,
    /// Number of topics that the sockets of each visitor listen to on this node.
    joined: Visitors,
    sockets: AtomicUsize,
    /// Random text of this relay, from which its keys are derived.
    secret: OnceCell<String>,
    attestation_key: OnceCell<ClientKey>,
    /// Background tasks, started on first use.
    running: OnceLock<Running>,
}

/// Handles of the background tasks.
struct Running {
    mailbox: Mailbox,
    fan: fan::Fan,
}

/// A client, identified by its key; it may have several sockets.
pub(super) struct Client {
    id: ClientId,
    /// The client's key as did:key.
    did: String,
    /// All subscribed topics, on this node and others, loaded on first use.
    topics: OnceCell<Mutex<HashSet<Topic>>>,
}

impl Relay {
    pub(crate) fn new(config: config::Relay, public_url: Option<&str>, database: Database, shared: Shared) -> Relay {
        let audiences = auth::audiences(&config, public_url);
        let (limits, visitors) = (Limits::new(&config), config.sockets_per_client);
        // A socket that broke may still be there when the client is back.
        let joined = usize::try_from(config.subscriptions_per_visitor).unwrap_or(usize::MAX).saturating_mul(2);
        Relay {
            config,
            audiences,
            database,
            shared,
            hub: Arc::new(Hub::new()),
            limits,
            clients: Arc::default(),
            visitors: Visitors::new(visitors),
            long: Visitors::new(socket::LONG),
            joined: Visitors::new(joined),
            sockets: AtomicUsize::new(0),
            secret: OnceCell::new(),
            attestation_key: OnceCell::new(),
            running: OnceLock::new(),
        }
    }

    /// Starts the background tasks, unless they run already.
    pub(crate) fn start(&self) {
        metrics::begin();
        self.running();
    }

    fn running(&self) -> &Running {
        self.running.get_or_init(|| {
            let most = room::Most {
                messages: self.config.messages_per_topic,
                bytes: self.config.bytes_per_topic,
                subscribers: self.config.subscribers_per_topic,
                total: self.config.bytes_total,
                visitor: self.config.bytes_per_visitor,
                project: self.config.bytes_per_project,
                subscriptions: self.config.subscriptions_total,
                visitor_subscriptions: self.config.subscriptions_per_visitor,
                project_subscriptions: self.config.subscriptions_per_project,
            };
            let (mailbox, write) = Mailbox::new(self.database.clone(), most, self.shared.spans_processes());
            tokio::spawn(write);
            let clients = self.clients.clone();
            let here = move || clients.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect();
            tokio::spawn(mailbox.sweep(self.database.clone(), here));
            let fan = fan::Fan::start(self.shared.clone(), self.hub.clone(), mailbox.clone());
            Running { mailbox, fan }
        })
    }

    fn mailbox(&self) -> &Mailbox {
        &self.running().mailbox
    }

    /// Completes when everything published so far is stored.
    pub(crate) async fn flush(&self) {
        if let Some(running) = self.running.get() {
            // A failure was already reported to the publisher.
            let _ = running.mailbox.settled().await;
        }
    }

    /// Whether published messages can be stored.
    pub(crate) fn is_well(&self) -> bool {
        self.running.get().is_none_or(|running| running.mailbox.is_well())
    }

    /// Used part of the room for messages and for subscriptions, from 0 to 1.
    pub(crate) fn fullness(&self) -> [f64; 2] {
        self.running.get().map_or([0.0; 2], |running| running.mailbox.fullness())
    }

    /// Payer of the orders of this visitor.
    async fn payer(&self, visitor: IpAddr, project: &str) -> Result<Payer, fault::Fault> {
        Ok(Payer::new(self.secret().await?, visitor, project))
    }

    async fn secret(&self) -> Result<&str, fault::Fault> {
        let make = async || {
            let new = crate::project::random_secret().map_err(|_| fault::Fault::Storage)?;
            table::secret(&self.database, &new).await.map_err(failed)
        };
        self.secret.get_or_try_init(make).await.map(String::as_str)
    }

    /// Accepted token audiences; empty if any audience on this machine is accepted.
    pub(crate) fn audiences(&self) -> &[String] {
        &self.audiences
    }

    /// Number of open sockets.
    fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Relaxed)
    }

    /// The client with this key, shared by all its sockets.
    fn client(&self, id: ClientId, did: &str) -> Arc<Client> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&id).and_then(Weak::upgrade) {
            return client;
        }
        // Two handles dropped at the same moment may each miss that they are the last, so stale entries are removed here.
        if clients.len().is_power_of_two() {
            clients.retain(|_, client| client.strong_count() > 0);
        }
        let client = Arc::new(Client { id, did: did.into(), topics: OnceCell::new() });
        clients.insert(id, Arc::downgrade(&client));
        client
    }

    /// Removes the client if this is its last handle.
    fn leave(&self, client: &Arc<Client>) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if Arc::strong_count(client) == 1 {
            clients.remove(&client.id);
        }
    }

    /// Subscribed topics of a client, loaded once while it is connected.
    async fn topics_of<'c>(&self, client: &'c Client) -> Result<&'c Mutex<HashSet<Topic>>, fault::Fault> {
        let read = async || {
            let found = table::topics(&self.database, client.id).await.map_err(failed)?;
            if !found.is_empty() {
                table::seen(&self.database, client.id, now(), sweep::before(sweep::SEEN_EVERY))
                    .await
                    .map_err(failed)?;
            }
            Ok(Mutex::new(found.into_iter().collect()))
        };
        client.topics.get_or_try_init(read).await
    }

    /// Sends a message to all connected subscribers, on this node and the others.
    fn push(&self, message: &Arc<Message>) {
        metrics::pushed(self.hub.deliver(message));
        self.running().fan.deliver(message);
    }
}

fn failed(error: sqlx::Error) -> fault::Fault {
    tracing::error!(%error, "the relay's database failed");
    fault::Fault::Storage
}

/// Current time in epoch milliseconds.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
