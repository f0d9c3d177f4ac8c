//! What every feature may know. Read-only, made anew for each event from the features that own it.

use crate::account::Offer;
use crate::config::Options;
use portico_terms::{ChainId, ConnectorKind, Namespace, Network, Price};
use std::rc::Rc;

/// Shared knowledge.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The host's options, checked.
    pub options: Rc<Options>,
    /// A phone or a tablet.
    pub mobile: bool,
    /// iOS or iPadOS.
    pub ios: bool,
    /// Android.
    pub android: bool,
    /// Safari on iOS, or the webview of Telegram: a visitor who comes back from the wallet finds the page anew (spec 4.4).
    pub pairing_kept: bool,
    /// The webview of Telegram.
    pub telegram: bool,
    /// The page's origin.
    pub origin: Rc<str>,
    /// The page's address without query and fragment.
    pub page: Rc<str>,
    /// The IANA name of the visitor's time zone; empty until the browser told it.
    pub time_zone: Rc<str>,
    /// The namespace in use.
    pub active_namespace: Option<Namespace>,
    /// The network in use, where the host serves it.
    pub active_network: Option<Rc<Network>>,
    /// Whether the wallet stands on a chain that the host does not serve.
    pub unsupported: bool,
    /// The chain of each namespace: see [`crate::network::Networks::chain_of`].
    pub chains: Vec<ChainId>,
    /// The connected account of the active namespace.
    pub account: Option<Rc<ActiveAccount>>,
    /// Whether that account is a smart account (spec 5.11, 8.9).
    pub smart_account: bool,
    /// What one coin of the active network is worth, where a price is known: never zero.
    pub price: Option<Price>,
    /// Whether the wallet in use does several calls on the chain in use together or not at all (EIP-5792 `wallet_sendCalls`).
    pub batches: bool,
    /// What the host's server offers; nothing until it said so.
    pub offer: Rc<Offer>,
    /// The connected account of every namespace that has one.
    pub accounts: Vec<Rc<ActiveAccount>>,
    /// Every namespace with a connected account.
    pub connected: Vec<Namespace>,
    /// Every network of the host, those added later included.
    pub networks: Vec<Rc<Network>>,
    /// Whether the modal is to be seen: open, or embedded.
    pub modal_open: bool,
    /// The name of the view on top; empty where none is to be seen.
    pub view: &'static str,
    /// Whether the visitor sees how an attempt to connect goes.
    pub connecting_shown: bool,
    /// Whether a view is on top that shows a code, or a link to a remote wallet.
    pub pairing_shown: bool,
    /// Whether such a view lies anywhere in the stack.
    pub pairing_held: bool,
    /// Whether the visitor has yet to agree to the legal pages (spec 6.6).
    pub consent_missing: bool,
    /// Whether an attempt to connect is there to be seen.
    pub attempting: bool,
    /// Whether the visitor must sign in and has not (spec 2.25, 6.3).
    pub sign_in_due: bool,
}

/// A connected account.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ActiveAccount {
    /// The namespace.
    pub namespace: Namespace,
    /// The address alone.
    pub address: String,
    /// The connector's id.
    pub connector: String,
    /// The name under which the page keeps the provider.
    pub handle: String,
    /// How the wallet is reached.
    pub kind: ConnectorKind,
    /// The wallet's name.
    pub wallet: String,
}

impl Facts {
    /// The network of an id, where the host serves it.
    pub fn network(&self, chain: &ChainId) -> Option<&Rc<Network>> {
        self.networks.iter().find(|network| network.caip_network_id == *chain)
    }

    /// Whether a namespace is one of the host's.
    pub fn serves(&self, namespace: Namespace) -> bool {
        self.options.adapters.contains(&namespace)
            || self.networks.iter().any(|network| network.chain_namespace == namespace)
    }

    /// Whether an account is connected in any namespace.
    pub fn is_connected(&self) -> bool {
        !self.connected.is_empty()
    }
}
