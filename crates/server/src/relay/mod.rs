//! The relay of WalletConnect: hands sealed messages from client to client by topic, and keeps them for who is away.
//!
//! Off unless it is configured. A publisher is told `true` when its message is stored; those who are connected do not wait for that.
//! The relay sees topics, sizes and times, and never a key. What clients tell beside it for analytics is dropped unread.

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
mod socket;
mod sweep;
pub(crate) mod table;
mod unread;
mod writer;

use crate::config;
use crate::db::Database;
use crate::shared::Shared;
use crate::stop::Clients;
use hub::Hub;
use id::{ClientId, Topic};
use limits::Limits;
use mailbox::Mailbox;
use message::Message;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::OnceCell;

pub(crate) use route::router;

/// What all sockets of the relay share.
pub(crate) struct Relay {
    config: config::Relay,
    audiences: Vec<String>,
    database: Database,
    shared: Shared,
    hub: Arc<Hub>,
    limits: Limits,
    /// Clients that are connected here.
    clients: Arc<Mutex<HashMap<ClientId, Weak<Client>>>>,
    /// WebSockets by visitor.
    visitors: Clients,
    sockets: AtomicUsize,
    /// Begun with the first that needs it.
    running: OnceLock<Running>,
}

/// What runs beside the requests.
struct Running {
    mailbox: Mailbox,
    fan: fan::Fan,
}

/// A client, by its key; it may have several sockets.
pub(super) struct Client {
    id: ClientId,
    /// did:key
    did: String,
    /// All that it listens to, here and elsewhere, read when it is first needed.
    topics: OnceCell<Mutex<HashSet<Topic>>>,
}

impl Relay {
    pub(crate) fn new(config: config::Relay, public_url: Option<&str>, database: Database, shared: Shared) -> Relay {
        let audiences = auth::audiences(&config, public_url);
        let (limits, visitors) = (Limits::new(&config), config.sockets_per_client);
        Relay {
            config,
            audiences,
            database,
            shared,
            hub: Arc::new(Hub::new()),
            limits,
            clients: Arc::default(),
            visitors: Clients::new(visitors),
            sockets: AtomicUsize::new(0),
            running: OnceLock::new(),
        }
    }

    /// Begins what runs beside the requests, if it does not run yet.
    pub(crate) fn start(&self) {
        self.running();
    }

    fn running(&self) -> &Running {
        self.running.get_or_init(|| {
            let most = room::Most {
                messages: self.config.messages_per_topic,
                bytes: self.config.bytes_per_topic,
                subscribers: self.config.subscribers_per_topic,
                total: self.config.bytes_total,
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

    /// Done when all that was published until now is stored.
    pub(crate) async fn flush(&self) {
        if let Some(running) = self.running.get() {
            // A failure was told already.
            let _ = running.mailbox.settled().await;
        }
    }

    /// Whether what is published can be stored.
    pub(crate) fn is_well(&self) -> bool {
        self.running.get().is_none_or(|running| running.mailbox.is_well())
    }

    /// The names by which clients may know it; none where any of this machine will do.
    pub(crate) fn audiences(&self) -> &[String] {
        &self.audiences
    }

    /// How many sockets are open.
    fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Relaxed)
    }

    /// The client of this key, shared by all its sockets.
    fn client(&self, id: ClientId, did: &str) -> Arc<Client> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&id).and_then(Weak::upgrade) {
            return client;
        }
        // Two handles that end at the same moment may each take the other for the last one.
        if clients.len().is_power_of_two() {
            clients.retain(|_, client| client.strong_count() > 0);
        }
        let client = Arc::new(Client { id, did: did.into(), topics: OnceCell::new() });
        clients.insert(id, Arc::downgrade(&client));
        client
    }

    /// Forgets it where it was the last handle.
    fn leave(&self, client: &Arc<Client>) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if Arc::strong_count(client) == 1 {
            clients.remove(&client.id);
        }
    }

    /// What a client listens to, read once while it is connected.
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

    /// Hands a message to everyone who is connected, here and on the other nodes.
    fn push(&self, message: &Arc<Message>) {
        metrics::pushed(self.hub.deliver(message));
        self.running().fan.tell(message);
    }
}

fn failed(error: sqlx::Error) -> fault::Fault {
    tracing::error!(%error, "the database of the relay failed");
    fault::Fault::Storage
}

/// In epoch milliseconds.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
