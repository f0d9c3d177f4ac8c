//! An account that is there, and the wallet behind it.

use crate::facts::ActiveAccount;
use portico_terms::{AccountKind, Connector, ConnectorKind, Namespace};

/// An account that is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// The namespace.
    pub namespace: Namespace,
    /// Our way to the wallet.
    pub connector: Connector,
    /// All addresses that the wallet shows; the first is in use. Never empty.
    pub accounts: Vec<String>,
    /// The topic of the session through which the wallet is reached.
    pub topic: Option<String>,
    /// What brings the app of that wallet to the front.
    pub link: Option<String>,
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
