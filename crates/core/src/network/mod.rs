//! Networks: those of the host, the active one, and switching between them.

mod feature;
mod registry;
mod support;
mod switch;
#[cfg(test)]
mod tests;

use registry::Chain;
pub use registry::{ChainState, NetworkFault, NetworkState};
pub use support::needs_unsupported_screen;
pub use switch::{Phase, Switching};

use crate::cx::Cx;
use crate::effect::HostError;
use crate::signal::Signal;
use portico_json::{Json, Map, Value};
use portico_terms::network::current_id;
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace, Network};
use std::rc::Rc;

/// Network: events of visitor, wallet and host.
#[derive(Clone, Debug, Json)]
#[json(name = "NetworkEvent")]
pub enum Event {
    /// The visitor chose a network in the modal.
    NetworkChosen {
        /// CAIP-2 id of the network.
        chain: String,
    },
    /// The visitor retries the switch.
    RetryAsked,
    /// The host requested a switch.
    SwitchAsked {
        /// Network object or CAIP-2 id.
        network: Value,
        /// Ticket of the host call.
        ticket: Option<u32>,
    },
    /// The wallet changed its chain (EIP-1193 `chainChanged`).
    ChainChanged {
        /// Handle of the connector.
        handle: String,
        /// Chain as the wallet sent it.
        chain: Value,
    },
    /// The host adds a network.
    NetworkAdded {
        /// Name of the namespace.
        namespace: String,
        network: Value,
        /// Ticket of the host call.
        ticket: Option<u32>,
    },
    /// The host removes a network.
    NetworkRemoved {
        /// Name of the namespace.
        namespace: String,
        /// Id of the network.
        id: String,
        /// Ticket of the host call.
        ticket: Option<u32>,
    },
    /// The host removes the adapter of a namespace, and its networks with it.
    AdapterRemoved {
        /// Name of the namespace.
        namespace: String,
        /// Ticket of the host call.
        ticket: Option<u32>,
    },
}

impl Event {
    /// Ticket of the host call.
    pub fn ticket(&self) -> Option<u32> {
        match self {
            Event::SwitchAsked { ticket, .. }
            | Event::NetworkAdded { ticket, .. }
            | Event::NetworkRemoved { ticket, .. }
            | Event::AdapterRemoved { ticket, .. } => *ticket,
            _ => None,
        }
    }
}

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The wallet is slow to switch; the modal shows it.
    Slow,
}

/// Reasons of wallet requests, by switch number.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// Switch to the chain.
    Switch(u32),
    /// Adding of the chain, before the switch.
    Add(u32),
    /// The wallet's chain after it reported a switch.
    Stands(u32),
}

/// State of the network feature.
#[derive(Debug, Default)]
pub struct Networks {
    chains: Map<Namespace, Chain>,
    active: Option<Namespace>,
    /// Namespace with an account that was active before the modal was opened for another.
    left: Option<Namespace>,
    switching: Option<Switching>,
    /// Handle of the wallet that was requested to switch.
    asked: String,
    attempts: u32,
    revision: u32,
}

/// Networks for views.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "NetworkView")]
pub struct View {
    pub active_namespace: Option<Namespace>,
    pub active: Option<Network>,
    /// Chain of the wallet, if the host does not serve it (spec 4.21).
    pub unsupported: Option<ChainId>,
    /// Networks of all namespaces (`caipNetworks`, spec 3.1); sent here only.
    pub networks: Vec<Network>,
    /// State of every namespace (spec 3.1, 3.2).
    pub chains: Vec<ChainState>,
    /// A switch that waits for the wallet or has failed.
    pub switching: Option<Switching>,
    /// The pending switch also changes the namespace (spec 4.14).
    pub namespace_switching: bool,
}

impl Networks {
    /// The host's networks; the active one is the stored one, else the default one, else the first.
    pub fn new(options: &crate::config::Options, stored: Option<&ChainId>) -> Networks {
        let mut networks = Networks::default();
        for network in &options.networks {
            let chain = networks.chain_mut(network.chain_namespace);
            chain.add(network.clone());
            chain.adapter = options.has_adapter(network.chain_namespace);
        }
        for namespace in &options.adapters {
            networks.chain_mut(*namespace).adapter = true;
        }
        let stored = stored.map(|chain| current_id(chain.clone(), &options.networks));
        let wanted = [stored.as_ref(), options.default_network.as_ref()];
        let first = wanted.into_iter().flatten().find_map(|chain| options.network(chain)).or(options.networks.first());
        if let Some(network) = first {
            networks.active = Some(network.chain_namespace);
            networks.chain_mut(network.chain_namespace).active = Some(network.caip_network_id.clone());
        }
        networks
    }

    /// Counter of changes to [`Networks::view`]: a host may have hundreds of networks, so they are sent only after a change.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    fn chain_mut(&mut self, namespace: Namespace) -> &mut Chain {
        self.chains.or_insert_with(namespace, || Chain::new(namespace))
    }

    pub fn active_namespace(&self) -> Option<Namespace> {
        self.active
    }

    /// The active network.
    pub fn active(&self) -> Option<&Rc<Network>> {
        self.active_network_of(self.active?)
    }

    /// Active network of a namespace; `None` while its wallet is on a chain that the host does not serve.
    pub fn active_network_of(&self, namespace: Namespace) -> Option<&Rc<Network>> {
        self.chains.get(&namespace)?.active_network()
    }

    /// Whether the wallet is on a chain that the host does not serve.
    pub fn is_unsupported(&self) -> bool {
        self.active.and_then(|namespace| self.chains.get(&namespace)).is_some_and(|chain| chain.unsupported.is_some())
    }

    /// The active chain of a namespace.
    pub fn active_of(&self, namespace: Namespace) -> Option<&ChainId> {
        self.chains.get(&namespace)?.active.as_ref()
    }

    /// Chain of a namespace's wallet, even if the host does not serve it; else its active chain.
    pub fn chain_of(&self, namespace: Namespace) -> Option<&ChainId> {
        self.chains.get(&namespace)?.stands()
    }

    /// Chain of each namespace that has one.
    pub fn chains(&self) -> Vec<ChainId> {
        self.chains.values().filter_map(Chain::stands).cloned().collect()
    }

    /// Every network of the host.
    pub fn all(&self) -> Vec<Rc<Network>> {
        self.chains.values().flat_map(|chain| chain.networks().iter().cloned()).collect()
    }

    /// Network with this id.
    pub fn find(&self, chain: &ChainId) -> Option<&Rc<Network>> {
        self.chains.get(&chain.namespace())?.find(chain)
    }

    /// Activates a namespace (spec 2.3).
    pub fn choose_namespace(&mut self, namespace: Namespace, cx: &mut Cx) {
        if self.active != Some(namespace) && self.chains.contains_key(&namespace) {
            self.revision += 1;
            let is_connected = |namespace: &Namespace| cx.facts.is_connected_in(*namespace);
            self.left = self.active.filter(is_connected).or(self.left).filter(|_| !is_connected(&namespace));
            self.active = Some(namespace);
            if let Some(chain) = self.active_of(namespace).cloned() {
                cx.signal(Signal::NetworkSwitched { chain, asked: false });
            }
        }
    }

    /// The modal closed: if no wallet connected in the namespace that it was opened for, the earlier one is active again, with its account.
    pub fn go_back(&mut self, cx: &mut Cx) {
        if let Some(left) = self.left.take() {
            self.choose_namespace(left, cx);
        }
    }

    /// Follows a wallet to its chain (spec 4.21).
    pub fn follow(&mut self, chain: &ChainId, asked: bool, cx: &mut Cx) {
        self.revision += 1;
        self.left = None;
        let namespace = chain.namespace();
        let was = (self.active, self.active_of(namespace).cloned(), self.chain_mut(namespace).unsupported.take());
        if self.find(chain).is_none() {
            self.chain_mut(namespace).unsupported = Some(chain.clone());
            if was.2.as_ref() != Some(chain) {
                cx.signal(Signal::NetworkUnsupported);
            }
            return;
        }
        self.active = Some(namespace);
        self.chain_mut(namespace).active = Some(chain.clone());
        if was != (self.active, Some(chain.clone()), None) {
            cx.signal(Signal::NetworkSwitched { chain: chain.clone(), asked });
        }
    }

    /// Stores the chains that a session approves (spec 3.2), and follows its wallet.
    pub fn approve(&mut self, namespace: Namespace, chains: Option<Vec<ChainId>>, stands: &ChainId, cx: &mut Cx) {
        self.revision += 1;
        let active = self.active == Some(namespace);
        let chain = self.chain_mut(namespace);
        chain.supports_all = chains.is_none();
        chain.approved = chains.unwrap_or_default();
        if active {
            self.follow(stands, false, cx);
        } else {
            self.note(stands);
        }
    }

    /// Whether the namespace's wallet can use a chain; a session approves only some.
    pub fn is_approved(&self, chain: &ChainId) -> bool {
        let state = self.chains.get(&chain.namespace());
        state.is_some_and(|state| state.supports_all || state.approved.contains(chain))
    }

    /// Resets the wallet's chain and approvals of a namespace (spec 4.9).
    pub fn reset(&mut self, namespace: Namespace) {
        self.revision += 1;
        if let Some(chain) = self.chains.get_mut(&namespace) {
            chain.unsupported = None;
            chain.approved.clear();
            chain.supports_all = true;
        }
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        self.revision += 1;
        match event {
            Event::NetworkChosen { chain } => match chain.parse() {
                Ok(chain) => self.switch(&chain, None, cx),
                Err(_) => cx.signal(Signal::Warn(crate::notice::AlertKey::SwitchNetworkNotFound, chain)),
            },
            Event::SwitchAsked { network, ticket } => match registry::chain_of(&network) {
                Ok(chain) => self.switch(&current_id(chain, &cx.facts.networks), ticket, cx),
                Err(error) => cx.reject_host(ticket, error),
            },
            Event::RetryAsked => self.retry(cx),
            Event::ChainChanged { handle, chain } => {
                let account = cx.facts.accounts.iter().find(|account| account.handle == handle);
                let said = account.and_then(|account| crate::wallet::read_chain(account.namespace, &chain));
                let Some(chain) = said else { return };
                // Only the active wallet may change the active network.
                if self.active == Some(chain.namespace()) {
                    self.arrived(&chain, cx);
                } else {
                    self.note(&chain);
                    cx.signal(Signal::AccountChanged { namespace: chain.namespace() });
                }
            }
            Event::NetworkAdded { namespace, network, ticket } => {
                let added = self.add(&namespace, &network, &cx.facts.options);
                settle(added, ticket, cx);
            }
            Event::NetworkRemoved { namespace, id, ticket } => {
                let removed = self.remove(&namespace, &id, cx);
                settle(removed, ticket, cx);
            }
            Event::AdapterRemoved { namespace, ticket } => {
                let removed = self.remove_adapter(&namespace, cx);
                settle(removed, ticket, cx);
            }
        }
    }

    /// Dispatches one response of the wallet.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.revision += 1;
        match reason {
            Reason::Switch(id) => self.switch_answered(id, answer, cx),
            Reason::Add(id) => self.add_answered(id, answer, cx),
            Reason::Stands(id) => self.stands(id, answer, cx),
        }
    }

    /// Networks for views.
    pub fn view(&self) -> View {
        View {
            active_namespace: self.active,
            active: self.active().map(|network| (**network).clone()),
            unsupported: self.active.and_then(|namespace| self.chains.get(&namespace)?.unsupported.clone()),
            networks: self
                .chains
                .values()
                .flat_map(|chain| chain.networks().iter().map(|network| (**network).clone()))
                .collect(),
            chains: self.chains.values().map(Chain::state).collect(),
            switching: self.switching.clone(),
            namespace_switching: self
                .switching
                .as_ref()
                .is_some_and(|switching| switching.is_waiting() && Some(switching.chain.namespace()) != self.active),
        }
    }
}

fn settle(done: Result<(), HostError>, ticket: Option<u32>, cx: &mut Cx) {
    match done {
        Ok(()) => cx.resolve_host(ticket, Value::Null),
        Err(error) => cx.reject_host(ticket, error),
    }
}
