//! The chains: which the host serves, which one is active, and switching between them.

mod feature;
mod registry;
mod support;
mod switch;
#[cfg(test)]
mod tests;

use registry::Chain;
pub use registry::{ChainState, DEFAULT_CHAINS, NetworkFault, NetworkState};
pub use support::needs_unsupported_screen;
pub use switch::{Phase, Switching, wallet_chain};

use crate::cx::Cx;
use crate::effect::HostError;
use crate::signal::Signal;
use portico_json::{Json, Map, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace, Network};
use std::rc::Rc;

/// What visitor, wallet and host do about networks.
#[derive(Clone, Debug, Json)]
#[json(name = "NetworkEvent")]
pub enum Event {
    /// The visitor chose one in the modal.
    NetworkChosen {
        /// CAIP-2.
        chain: String,
    },
    /// The visitor tries the switch again.
    RetryAsked,
    /// The host asked for a switch.
    SwitchAsked {
        /// A network object, or a CAIP-2 id.
        network: Value,
        /// The host's call.
        ticket: Option<u32>,
    },
    /// The wallet says that it is on another chain (EIP-1193 `chainChanged`).
    ChainChanged {
        /// The connector's handle.
        handle: String,
        /// What the wallet sent.
        chain: Value,
    },
    /// The host adds a network.
    NetworkAdded {
        /// The namespace by its name.
        namespace: String,
        /// A network object.
        network: Value,
        /// The host's call.
        ticket: Option<u32>,
    },
    /// The host removes a network.
    NetworkRemoved {
        /// The namespace by its name.
        namespace: String,
        /// The network's id.
        id: String,
        /// The host's call.
        ticket: Option<u32>,
    },
}

/// Alarms of this feature; starting one that runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The wallet has not switched for a while; the modal says so.
    Slow,
}

/// Why the wallet was asked.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// To switch.
    Switch(u32),
    /// To add the chain first.
    Add(u32),
    /// Where it stands after it said that it switched.
    Stands(u32),
}

/// The feature's state.
#[derive(Debug, Default)]
pub struct Networks {
    chains: Map<Namespace, Chain>,
    active: Option<Namespace>,
    switching: Option<Switching>,
    /// The handle of the wallet that was asked to switch.
    asked: String,
    attempts: u32,
    revision: u32,
}

/// What views read.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "NetworkView")]
pub struct View {
    /// The namespace in use.
    pub active_namespace: Option<Namespace>,
    /// The network in use.
    pub active: Option<Network>,
    /// The wallet's chain, where the host does not serve it (spec 4.21).
    pub unsupported: Option<ChainId>,
    /// The caipNetworks of all namespaces (spec 3.1): told here, and nowhere else.
    pub networks: Vec<Network>,
    /// Every namespace with its state (spec 3.1, 3.2).
    pub chains: Vec<ChainState>,
    /// A switch that waits for the wallet, or failed.
    pub switching: Option<Switching>,
    /// The namespace changes once the wallet has switched (spec 4.14).
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
        let wanted = [stored, options.default_network.as_ref()];
        let first = wanted.into_iter().flatten().find_map(|chain| options.network(chain)).or(options.networks.first());
        if let Some(network) = first {
            networks.active = Some(network.chain_namespace);
            networks.chain_mut(network.chain_namespace).active = Some(network.caip_network_id.clone());
        }
        networks
    }

    /// Counts what may have changed [`Networks::view`]: a host may have hundreds of networks, which are only told again then.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    fn chain_mut(&mut self, namespace: Namespace) -> &mut Chain {
        self.chains.or_insert_with(namespace, || Chain::new(namespace))
    }

    /// The namespace in use.
    pub fn active_namespace(&self) -> Option<Namespace> {
        self.active
    }

    /// The network in use.
    pub fn active(&self) -> Option<&Rc<Network>> {
        self.active_network_of(self.active?)
    }

    /// The network in use in a namespace, while its wallet stands on one that the host serves.
    pub fn active_network_of(&self, namespace: Namespace) -> Option<&Rc<Network>> {
        self.chains.get(&namespace)?.active_network()
    }

    /// Whether the wallet stands on a chain that the host does not serve.
    pub fn is_unsupported(&self) -> bool {
        self.active.and_then(|namespace| self.chains.get(&namespace)).is_some_and(|chain| chain.unsupported.is_some())
    }

    /// The active chain of a namespace.
    pub fn active_of(&self, namespace: Namespace) -> Option<&ChainId> {
        self.chains.get(&namespace)?.active.as_ref()
    }

    /// The chain on which a namespace stands: that of its wallet, also where the host does not serve it.
    pub fn chain_of(&self, namespace: Namespace) -> Option<&ChainId> {
        self.chains.get(&namespace)?.stands()
    }

    /// The chain of each namespace that has one.
    pub fn chains(&self) -> Vec<ChainId> {
        self.chains.values().filter_map(Chain::stands).cloned().collect()
    }

    /// Every network of the host.
    pub fn all(&self) -> Vec<Rc<Network>> {
        self.chains.values().flat_map(|chain| chain.networks().iter().cloned()).collect()
    }

    /// The network of an id.
    pub fn find(&self, chain: &ChainId) -> Option<&Rc<Network>> {
        self.chains.get(&chain.namespace())?.find(chain)
    }

    /// Makes a namespace the one in use (spec 2.3).
    pub fn choose_namespace(&mut self, namespace: Namespace, cx: &mut Cx) {
        if self.active != Some(namespace) && self.chains.contains_key(&namespace) {
            self.revision += 1;
            self.active = Some(namespace);
            if let Some(chain) = self.active_of(namespace).cloned() {
                cx.tell(Signal::NetworkSwitched { chain, asked: false });
            }
        }
    }

    /// Takes the chain on which a wallet stands (spec 4.21).
    pub fn follow(&mut self, chain: &ChainId, asked: bool, cx: &mut Cx) {
        self.revision += 1;
        let namespace = chain.namespace();
        let was = (self.active, self.active_of(namespace).cloned(), self.chain_mut(namespace).unsupported.take());
        if self.find(chain).is_none() {
            self.chain_mut(namespace).unsupported = Some(chain.clone());
            if was.2.as_ref() != Some(chain) {
                cx.tell(Signal::NetworkUnsupported);
            }
            return;
        }
        self.active = Some(namespace);
        self.chain_mut(namespace).active = Some(chain.clone());
        if was != (self.active, Some(chain.clone()), None) {
            cx.tell(Signal::NetworkSwitched { chain: chain.clone(), asked });
        }
    }

    /// Takes what a session approves (spec 3.2), and the chain on which its wallet stands.
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

    /// Whether the wallet of its namespace can stand on a chain: a session says which it approves.
    pub fn is_approved(&self, chain: &ChainId) -> bool {
        let state = self.chains.get(&chain.namespace());
        state.is_some_and(|state| state.supports_all || state.approved.contains(chain))
    }

    /// Back to how it was before anybody connected (spec 4.9).
    pub fn reset(&mut self, namespace: Namespace) {
        self.revision += 1;
        if let Some(chain) = self.chains.get_mut(&namespace) {
            chain.unsupported = None;
            chain.approved.clear();
            chain.supports_all = true;
        }
    }

    /// One event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        self.revision += 1;
        match event {
            Event::NetworkChosen { chain } => match chain.parse() {
                Ok(chain) => self.switch(&chain, None, cx),
                Err(_) => cx.tell(Signal::Warn(crate::notice::AlertKey::SwitchNetworkNotFound, chain)),
            },
            Event::SwitchAsked { network, ticket } => match registry::chain_of(&network) {
                Ok(chain) => self.switch(&chain, ticket, cx),
                Err(error) => cx.reject_host(ticket, error),
            },
            Event::RetryAsked => self.retry(cx),
            Event::ChainChanged { handle, chain } => {
                let account = cx.facts.accounts.iter().find(|account| account.handle == handle);
                let said = account.and_then(|account| switch::wallet_chain(account.namespace, &chain));
                let Some(chain) = said else { return };
                // Only the wallet in use may change the network in use.
                if self.active == Some(chain.namespace()) {
                    self.arrived(&chain, cx);
                } else {
                    self.note(&chain);
                    cx.tell(Signal::AccountChanged { namespace: chain.namespace() });
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
        }
    }

    /// One answer of the wallet.
    #[inline(never)]
    pub fn answered(&mut self, asked: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.revision += 1;
        match asked {
            Reason::Switch(id) => self.switch_answered(id, answer, cx),
            Reason::Add(id) => self.add_answered(id, answer, cx),
            Reason::Stands(id) => self.stands(id, answer, cx),
        }
    }

    /// What views read.
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
