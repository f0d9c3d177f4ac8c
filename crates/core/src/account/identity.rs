use portico_terms::{Namespace, Network};

/// Whether a name and a picture are looked up: not outside of EVM chains and not on test networks (spec 4.40).
pub fn is_looked_up(network: &Network) -> bool {
    network.chain_namespace == Namespace::Eip155 && !network.testnet
}
