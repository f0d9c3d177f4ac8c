//! A connected account and its wallet.

use crate::facts::ActiveAccount;
use crate::storage::StoredConnection;
use crate::wallet::account_id;
use portico_terms::{AccountKind, Connector, ConnectorKind, Namespace};

/// A connected account and its wallet.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    pub namespace: Namespace,
    /// Connector of the wallet.
    pub connector: Connector,
    /// All addresses that the wallet approved; the first is active. Never empty.
    pub accounts: Vec<String>,
    /// Whether the active account was chosen here. It stays active while the wallet shares it, whatever the wallet's own order.
    pub chosen: bool,
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
            account: self.accounts.first().filter(|_| self.chosen).cloned(),
        }
    }

    /// Makes another of the accounts the active one. Returns false if the wallet does not share it.
    ///
    /// On EVM chains the choice ends with the wallet's next word about its accounts: by EIP-1193 their order tells which one is in use.
    pub fn choose(&mut self, address: &str) -> bool {
        let shared = self.lead(address);
        self.chosen |= shared && self.namespace != Namespace::Eip155;
        shared
    }

    /// Takes over the accounts that the wallet shares now. While the active one is among them it stays active if it was chosen, or with `keep`.
    /// Returns whether another account is active.
    pub fn renew(&mut self, accounts: Vec<String>, keep: bool) -> bool {
        let before = std::mem::replace(&mut self.accounts, accounts).swap_remove(0);
        let kept = (keep || self.chosen) && self.lead(&before);
        self.chosen &= kept;
        self.accounts[0] != before
    }

    /// Puts an account in the first place.
    fn lead(&mut self, address: &str) -> bool {
        let exact = self.accounts.iter().position(|account| account == address);
        // Another network of Polkadot spells each address in another way.
        let place = exact.or_else(|| {
            let id = account_id(address).filter(|_| self.namespace == Namespace::Polkadot)?;
            self.accounts.iter().position(|account| account_id(account).as_ref() == Some(&id))
        });
        if let Some(place) = place {
            self.accounts[..=place].rotate_right(1);
        }
        place.is_some()
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
