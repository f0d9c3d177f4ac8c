//! A connected account and its wallet.

use crate::facts::ActiveAccount;
use crate::storage::StoredConnection;
use portico_terms::{AccountKind, Connector, ConnectorKind, Namespace};

/// A connected account and its wallet.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    pub namespace: Namespace,
    /// Connector of the wallet.
    pub connector: Connector,
    /// All addresses that the wallet approved; the first is active. Never empty.
    pub accounts: Vec<String>,
    /// Topic of the session with the wallet.
    pub topic: Option<String>,
    /// Link that brings the wallet's app to the front.
    pub link: Option<String>,
}

impl Connection {
    /// Kind of the account: plain key for a browser wallet, as nothing else is detectable; payment address for Bitcoin, whose first address
    /// is one; the preferred kind for an embedded wallet (spec 3.5, 3.6).
    pub fn kind(&self, options: &crate::config::Options) -> AccountKind {
        match (self.connector.kind, self.namespace) {
            (ConnectorKind::Auth, namespace) => options.preferred_kind(namespace),
            (_, Namespace::Bip122) => AccountKind::Payment,
            _ => AccountKind::Eoa,
        }
    }

    /// Form that is stored for the next page load.
    pub fn stored(&self) -> StoredConnection {
        StoredConnection {
            namespace: self.namespace,
            connector: self.connector.id.clone(),
            wallet: self.connector.explorer_id.clone().filter(|_| self.topic.is_some()),
        }
    }

    /// Facts about the connection for other features.
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
