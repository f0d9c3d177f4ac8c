//! The host's networks by namespace (spec 3.1, 3.2, 4.18 to 4.22).

use super::Networks;
use crate::config::Options;
use crate::cx::Cx;
use crate::effect::HostError;
use crate::signal::Signal;
use portico_json::{Json, Value};
use portico_terms::coin_type::CoinTypeError;
use portico_terms::network::NetworkError;
use portico_terms::{ChainId, Namespace, Network};
use std::rc::Rc;

/// Errors of calls about networks. The texts are those of the contract.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NetworkFault {
    /// Spec 8.11
    #[error("Chain is required to update chain account data")]
    ChainRequired,
    /// Spec 8.12
    #[error("Chain adapter not found")]
    ChainAdapterNotFound,
    /// Spec 8.13: there is a connection, but no wallet that could switch.
    #[error("NetworkController client not set")]
    NetworkClientNotSet,
    /// Spec 8.14
    #[error("Chain is required to get connection controller client")]
    ChainRequiredForConnection,
    /// Spec 8.15
    #[error("ConnectionController client not set")]
    ConnectionClientNotSet,
    /// Spec 8.16
    #[error("Unsupported chain")]
    UnsupportedChain,
    /// Spec 8.21
    #[error("Network not found")]
    NetworkNotFound,
    /// Spec 8.32
    #[error("Adapter not found")]
    AdapterNotFound,
    /// Spec 8.33
    #[error("CaipNetwork not found")]
    CaipNetworkNotFound,
    /// Spec 4.22, with the namespace as the host wrote it.
    #[error("The adapter for namespace '{0}' does not exist")]
    NoAdapter(String),
    /// An invalid network; the text names the invalid part.
    #[error("{0}")]
    InvalidNetwork(String),
    /// The argument is neither a network nor a CAIP-2 id (spec 8.31).
    #[error("Invalid CAIP-2 network id")]
    InvalidNetworkId,
    /// The id of an EVM network is no number of a chain (spec 8.29).
    #[error("{CoinTypeError}")]
    InvalidChainId,
    /// A newer switch replaced this one.
    #[error("A later switch replaced this one")]
    Superseded,
    /// The visitor left the switch.
    #[error("The switch was canceled")]
    SwitchCancelled,
}

impl NetworkFault {
    /// Error reason that hosts branch on.
    pub fn reason(&self) -> &'static str {
        match self {
            NetworkFault::ChainRequired => "chainRequired",
            NetworkFault::ChainAdapterNotFound => "chainAdapterNotFound",
            NetworkFault::NetworkClientNotSet => "networkClientNotSet",
            NetworkFault::ChainRequiredForConnection => "chainRequired",
            NetworkFault::ConnectionClientNotSet => "connectionClientNotSet",
            NetworkFault::UnsupportedChain => "unsupportedChain",
            NetworkFault::NetworkNotFound => "networkNotFound",
            NetworkFault::AdapterNotFound => "adapterNotFound",
            NetworkFault::CaipNetworkNotFound => "caipNetworkNotFound",
            NetworkFault::NoAdapter(_) => "adapterNotFound",
            NetworkFault::InvalidNetwork(_) => "invalidNetwork",
            NetworkFault::InvalidNetworkId | NetworkFault::InvalidChainId => "invalidChainId",
            NetworkFault::Superseded => "superseded",
            NetworkFault::SwitchCancelled => "cancelled",
        }
    }
}

impl From<NetworkFault> for HostError {
    fn from(fault: NetworkFault) -> HostError {
        HostError::new(fault.reason(), &fault.to_string())
    }
}

/// One namespace: its networks, and the chain of its wallet.
#[derive(Debug)]
pub struct Chain {
    pub namespace: Namespace,
    /// Id of the active network.
    pub active: Option<ChainId>,
    /// Chain of the wallet, if the host does not serve it.
    pub unsupported: Option<ChainId>,
    /// Whether the wallet may be on any chain; a remote session approves only some.
    pub supports_all: bool,
    /// Chains that a remote session approved.
    pub approved: Vec<ChainId>,
    /// EIP-155 chain numbers on which the embedded wallet has smart accounts.
    pub smart_account_enabled_networks: Vec<u64>,
    /// Whether an adapter serves the namespace.
    pub adapter: bool,
    networks: Vec<Rc<Network>>,
}

/// State of one namespace for views and hosts (spec 3.1). Its networks are in [`super::View::networks`], once for all namespaces; its
/// accountState is the entry of this namespace in the account view; its client is the provider under that account's handle, which stays in
/// the page.
#[derive(Clone, Debug, PartialEq, Json)]
pub struct ChainState {
    pub namespace: Namespace,
    /// Whether an adapter serves the namespace.
    pub adapter: bool,
    pub network_state: NetworkState,
}

/// The networkState of a namespace (spec 3.2). Networks are given by id, because the networks themselves are long and sent once.
#[derive(Clone, Debug, PartialEq, Json)]
pub struct NetworkState {
    /// Id of the active network.
    pub caip_network: Option<ChainId>,
    /// Whether the wallet may be on any chain; a remote session approves only some.
    pub supports_all_networks: bool,
    /// EIP-155 chain numbers on which the embedded wallet has smart accounts.
    pub smart_account_enabled_networks: Vec<u64>,
    /// Chains that a remote session approved.
    pub approved_caip_network_ids: Vec<ChainId>,
    /// Networks that the host requests.
    pub requested_caip_networks: Vec<ChainId>,
}

impl Chain {
    /// A namespace without networks.
    pub fn new(namespace: Namespace) -> Chain {
        Chain {
            namespace,
            active: None,
            unsupported: None,
            supports_all: true,
            approved: Vec::new(),
            smart_account_enabled_networks: Vec::new(),
            adapter: false,
            networks: Vec::new(),
        }
    }

    /// The host's networks of the namespace.
    pub fn networks(&self) -> &[Rc<Network>] {
        &self.networks
    }

    /// Network with this id.
    pub fn find(&self, chain: &ChainId) -> Option<&Rc<Network>> {
        self.networks.iter().find(|network| network.caip_network_id == *chain)
    }

    /// The active network; `None` while the wallet is on a chain that the host does not serve.
    pub fn active_network(&self) -> Option<&Rc<Network>> {
        if self.unsupported.is_some() { None } else { self.find(self.active.as_ref()?) }
    }

    /// Chain of the wallet, even if the host does not serve it; else the active one.
    pub fn stands(&self) -> Option<&ChainId> {
        self.unsupported.as_ref().or(self.active.as_ref())
    }

    /// Adds a network unless it is already present (spec 4.20).
    pub fn add(&mut self, network: Rc<Network>) {
        if self.find(&network.caip_network_id).is_none() {
            self.networks.push(network);
        }
    }

    fn remove(&mut self, chain: &ChainId) {
        self.networks.retain(|network| network.caip_network_id != *chain);
    }

    /// State for views.
    pub fn state(&self) -> ChainState {
        ChainState {
            namespace: self.namespace,
            adapter: self.adapter,
            network_state: NetworkState {
                caip_network: self.active.clone(),
                supports_all_networks: self.supports_all,
                smart_account_enabled_networks: self.smart_account_enabled_networks.clone(),
                approved_caip_network_ids: self.approved.clone(),
                requested_caip_networks: self.networks.iter().map(|network| network.caip_network_id.clone()).collect(),
            },
        }
    }
}

/// Chain of a host's network object or CAIP-2 id.
pub fn chain_of(network: &Value) -> Result<ChainId, HostError> {
    let parsed = match network {
        Value::Text(text) => text.parse().map_err(|_| NetworkError::Id),
        other => Network::chain_from_host(other),
    };
    parsed.map_err(|error| match error {
        NetworkError::ChainId => NetworkFault::InvalidChainId.into(),
        _ => NetworkFault::InvalidNetworkId.into(),
    })
}

impl Networks {
    /// Namespace whose networks the host may change: it needs an adapter (spec 4.22).
    fn adapted(&mut self, namespace: &str) -> Result<&mut Chain, HostError> {
        let known = Namespace::from_word(namespace).and_then(|namespace| self.chains.get_mut(&namespace));
        known.filter(|chain| chain.adapter).ok_or_else(|| NetworkFault::NoAdapter(namespace.into()).into())
    }

    /// Adds a network of the host (spec 4.20, 4.22).
    pub fn add(&mut self, namespace: &str, network: &Value, options: &Options) -> Result<(), HostError> {
        let chain = self.adapted(namespace)?;
        let network = options.read_network(network).map_err(|error| NetworkFault::InvalidNetwork(error.to_string()))?;
        if network.chain_namespace != chain.namespace {
            return Err(NetworkFault::UnsupportedChain.into());
        }
        chain.add(Rc::new(network));
        Ok(())
    }

    /// Removes a network of the host; if it was active, the first remaining one becomes active (spec 4.18, 4.22).
    pub fn remove(&mut self, namespace: &str, id: &str, cx: &mut Cx) -> Result<(), HostError> {
        let chain = self.adapted(namespace)?;
        let found = chain.networks().iter().find(|network| network.is_named(id));
        let gone = found.ok_or(NetworkFault::NetworkNotFound)?.caip_network_id.clone();
        chain.remove(&gone);
        if chain.active.as_ref() == Some(&gone) {
            let namespace = chain.namespace;
            chain.active = None;
            // A connected wallet is on a chain that the host no longer serves, until it has switched.
            if cx.facts.is_connected_in(namespace) {
                chain.unsupported = Some(gone);
                cx.signal(Signal::NetworkUnsupported);
            }
            let first = chain.networks().first().map(|network| network.caip_network_id.clone());
            match first {
                Some(first) if self.active == Some(namespace) => self.switch(&first, None, cx),
                // The namespace is not active, so no wallet is asked to switch.
                Some(first) => self.chain_mut(namespace).active = Some(first),
                None => self.leave(namespace, cx),
            }
        }
        Ok(())
    }

    /// Removes the adapter of a namespace with its networks (spec 4.19, 4.22).
    pub fn remove_adapter(&mut self, namespace: &str, cx: &mut Cx) -> Result<(), HostError> {
        let namespace = self.adapted(namespace)?.namespace;
        self.chains.remove(&namespace);
        cx.signal(Signal::AdapterRemoved(namespace));
        self.leave(namespace, cx);
        if self.active == Some(namespace) {
            self.active = None;
        }
        Ok(())
    }

    /// The namespace has no network left: the first network of another one becomes active (spec 4.19).
    fn leave(&mut self, namespace: Namespace, cx: &mut Cx) {
        if self.active == Some(namespace) {
            let other = self.chains.values().find_map(|chain| Some(chain.networks().first()?.caip_network_id.clone()));
            if let Some(chain) = other {
                // A wallet that is connected there may refuse the first network.
                self.choose_namespace(chain.namespace(), cx);
                self.switch(&chain, None, cx);
            }
        }
    }
}
