//! Read-only knowledge that many features need, collected again for each step from the features that own it.

use crate::account::Offer;
use crate::boot::Environment;
use crate::config::Options;
use crate::modal::View;
use crate::part::Parts;
use portico_terms::{AccountKind, ChainId, ConnectorKind, Namespace, Network, Price};
use std::rc::Rc;

/// Read-only knowledge of all features.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Validated options of the host.
    pub options: Rc<Options>,
    /// Device, browser and address of the page.
    pub environment: Rc<Environment>,
    /// IANA name of the visitor's time zone; empty until the browser reports it.
    pub time_zone: Rc<str>,
    /// Active namespace.
    pub active_namespace: Option<Namespace>,
    /// Namespace that wallets are wanted of: the modal was opened for it, or a host call waits for it. Otherwise those of all are offered.
    pub wanted_namespace: Option<Namespace>,
    /// Active network, if it is one of the host's.
    pub active_network: Option<Rc<Network>>,
    /// Whether the wallet is on a chain that the host does not support.
    pub unsupported: bool,
    /// Chain of each namespace: see [`crate::network::Networks::chain_of`].
    pub chains: Vec<ChainId>,
    /// Connected account of the active namespace.
    pub account: Option<Rc<ActiveAccount>>,
    /// Whether the active account is a smart account (spec 5.11, 8.9).
    pub smart_account: bool,
    /// Price of one coin of the active network, if known; never zero.
    pub price: Option<Price>,
    /// Whether the active wallet executes batches of calls atomically on the active chain (EIP-5792 `wallet_sendCalls`).
    pub batches: bool,
    /// Features of the host's server; empty until the server responded.
    pub offer: Rc<Offer>,
    /// Connected account of each namespace that has one.
    pub accounts: Vec<Rc<ActiveAccount>>,
    /// All networks of the host, including those added later.
    pub networks: Vec<Rc<Network>>,
    /// Whether the modal is visible: open or embedded.
    pub modal_open: bool,
    /// View on top of the visible modal.
    pub view: Option<View>,
    /// Whether the modal shows the progress of an attempt to connect.
    pub connecting_shown: bool,
    /// Whether a view with a pairing code is anywhere in the stack of the visible modal.
    pub pairing_held: bool,
    /// Whether the visitor has not yet accepted the legal pages (spec 6.6).
    pub consent_missing: bool,
    /// Whether there is an attempt to connect.
    pub attempting: bool,
    /// Parts of the core that are loaded.
    pub(crate) parts: Parts,
    /// Whether the visitor must sign in and the site is not known to have a session (spec 2.25, 6.3).
    pub sign_in_due: bool,
    /// Whether the active account came back with a reload: the visitor did not connect it on this page.
    pub came_back: bool,
}

/// Connected account with its wallet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ActiveAccount {
    pub namespace: Namespace,
    /// Address without a CAIP-10 prefix.
    pub address: String,
    /// Id of the connector.
    pub connector: String,
    /// Name under which the page stores the provider.
    pub handle: String,
    /// Kind of the connector.
    pub kind: ConnectorKind,
    /// Name of the wallet.
    pub wallet: String,
}

/// User of the embedded wallet (spec 3.4).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EmbeddedUser {
    /// Verified address.
    pub email: Option<String>,
    /// Name at the provider of a social login.
    pub name: Option<String>,
    /// Provider of a social login; `None` for a login by e-mail.
    pub provider: Option<String>,
    /// Kind of the account.
    pub kind: AccountKind,
    /// Kind that was chosen; `None` stands for the host's (spec 3.6).
    pub preferred: Option<AccountKind>,
    /// Whether the smart account's contract is deployed.
    pub deployed: Option<bool>,
}

impl Default for EmbeddedUser {
    fn default() -> EmbeddedUser {
        EmbeddedUser {
            email: None,
            name: None,
            provider: None,
            kind: AccountKind::Eoa,
            preferred: None,
            deployed: None,
        }
    }
}

impl Facts {
    /// Network of a CAIP-2 id, if it is one of the host's.
    pub fn network(&self, chain: &ChainId) -> Option<&Rc<Network>> {
        self.networks.iter().find(|network| network.caip_network_id == *chain)
    }

    /// Whether the host supports a namespace, by an adapter or a network.
    pub fn serves(&self, namespace: Namespace) -> bool {
        self.options.adapters.contains(&namespace)
            || self.networks.iter().any(|network| network.chain_namespace == namespace)
    }

    /// Whether an account of a namespace is connected.
    pub fn is_connected_in(&self, namespace: Namespace) -> bool {
        self.accounts.iter().any(|account| account.namespace == namespace)
    }

    /// Whether the view on top shows a pairing code, or a link to a remote wallet.
    pub fn shows_pairing(&self) -> bool {
        self.view.is_some_and(View::pairs)
    }

    /// Whether an account is connected in any namespace.
    pub fn is_connected(&self) -> bool {
        !self.accounts.is_empty()
    }
}
