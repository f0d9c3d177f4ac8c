//! Connections that the visitor used in this browser, for hosts that offer several wallets (`features.multiWallet`). The current ones are
//! among them; hosts read those from the account, and only the others from here.

mod feature;

use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::{ActiveAccount, Facts};
use crate::notice::AlertKey;
use crate::shown::clean;
use crate::signal::Signal;
use crate::storage::{self, Stored, keys};
use portico_json::{Json, Value};
use portico_terms::address::read_address;
use portico_terms::{AccountKind, ChainId, Namespace};
use std::rc::Rc;

/// Maximum number of stored connections, the least recently used are left out.
const MOST: usize = 8;

/// Maximum number of stored accounts of a connection.
const MOST_ACCOUNTS: usize = 100;

/// Events of the host about connections that were used before.
#[derive(Clone, Debug, Json)]
#[json(name = "ConnectionsEvent")]
pub enum Event {
    /// The host reads the connections from now on; the part home is loaded for it.
    ReadAsked,
    /// The host requested to forget an account of a wallet that is not connected.
    DeleteAsked {
        /// Id of the connector.
        connector: String,
        /// Address of the account.
        address: String,
        /// Name of a namespace; `null` means any.
        namespace: Option<String>,
        /// Ticket of the host call, which resolves with whether it was the wallet's last account.
        ticket: u32,
    },
}

/// Connection that was used in this browser; also its stored form.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct UsedConnection {
    pub namespace: Namespace,
    /// Id of the connector.
    pub connector: String,
    /// Name of the wallet.
    pub name: String,
    /// Chain that it was used on last.
    pub chain: Option<ChainId>,
    /// Kind of its accounts.
    pub kind: AccountKind,
    /// Addresses that the wallet shared; the first was active.
    pub accounts: Vec<String>,
}

/// State of the feature.
#[derive(Debug, Default)]
pub struct Connections {
    /// The most recently used first.
    used: Vec<UsedConnection>,
}

impl UsedConnection {
    fn is_same(&self, other: &UsedConnection) -> bool {
        (self.namespace, &self.connector) == (other.namespace, &other.connector)
    }

    /// Parses a stored connection; `None` without a usable account.
    fn parsed(mut self) -> Option<UsedConnection> {
        let accounts = std::mem::take(&mut self.accounts);
        self.accounts = accounts.iter().filter_map(|address| read_address(self.namespace, address)).collect();
        self.accounts.truncate(MOST_ACCOUNTS);
        self.name = clean(&self.name);
        self.chain = self.chain.filter(|chain| chain.namespace() == self.namespace);
        (!self.accounts.is_empty()).then_some(self)
    }

    fn is_connected(&self, facts: &Facts) -> bool {
        let same = |one: &Rc<ActiveAccount>| one.namespace == self.namespace && one.connector == self.connector;
        facts.accounts.iter().any(same)
    }
}

impl Connections {
    /// State from storage, whose values are untrusted.
    fn new(stored: &Stored) -> Connections {
        let list: Vec<UsedConnection> = stored.used.as_deref().map(storage::list).unwrap_or_default();
        let mut used: Vec<UsedConnection> = Vec::new();
        for one in list.into_iter().filter_map(UsedConnection::parsed).take(MOST) {
            if !used.iter().any(|other| other.is_same(&one)) {
                used.push(one);
            }
        }
        Connections { used }
    }

    /// Notes a current connection, whenever its account or its chain changed.
    pub fn note(&mut self, mut connection: UsedConnection, cx: &mut Cx) {
        if !cx.facts.options.features.multi_wallet || self.used.first() == Some(&connection) {
            return;
        }
        connection.accounts.truncate(MOST_ACCOUNTS);
        self.used.retain(|other| !other.is_same(&connection));
        self.used.insert(0, connection);
        self.used.truncate(MOST);
        self.store(cx);
    }

    fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::ReadAsked if cx.facts.options.features.multi_wallet => {}
            Event::ReadAsked => {
                let detail = "features.multiWallet: turn it on to use several wallets";
                cx.signal(Signal::Warn(AlertKey::InvalidOptions, detail.into()));
            }
            Event::DeleteAsked { connector, address, namespace, ticket } => {
                let chosen = |one: &UsedConnection| {
                    one.connector == connector
                        && namespace.as_deref().is_none_or(|word| word == one.namespace.word())
                        && !one.is_connected(cx.facts)
                        && read_address(one.namespace, &address).is_some_and(|address| one.accounts.contains(&address))
                };
                let Some(place) = self.used.iter().position(chosen) else {
                    return cx.reject_host(Some(ticket), ConnectFault::ConnectionNotFound.into());
                };
                let one = &mut self.used[place];
                let address = read_address(one.namespace, &address);
                one.accounts.retain(|account| Some(account) != address.as_ref());
                let whole = one.accounts.is_empty();
                if whole {
                    self.used.remove(place);
                }
                self.store(cx);
                cx.resolve_host(Some(ticket), Value::Bool(whole));
            }
        }
    }

    fn store(&self, cx: &mut Cx) {
        if self.used.is_empty() {
            cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: keys::USED_CONNECTIONS.into() });
        } else {
            storage::keep(keys::USED_CONNECTIONS.into(), storage::text(&self.used), cx);
        }
    }

    /// Connections of wallets that are not connected now, the most recently used first.
    fn recent(&self, facts: &Facts) -> Vec<UsedConnection> {
        if !facts.options.features.multi_wallet {
            return Vec::new();
        }
        self.used.iter().filter(|one| !one.is_connected(facts)).cloned().collect()
    }
}
