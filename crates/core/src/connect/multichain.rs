//! Wallets that serve several namespaces: one row of the list, then a choice of the namespace.

use super::groups::is_offered;
use super::{Connect, Item, groups};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::signal::Signal;
use portico_json::Json;
use portico_terms::{Connector, ConnectorKind, Namespace};

/// Wallet whose namespace the visitor is about to choose.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct MultiChain {
    /// Row of the list that was chosen.
    pub wallet: Item,
    pub chains: Vec<ChainChoice>,
}

/// Namespace that a wallet serves.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct ChainChoice {
    pub namespace: Namespace,
    /// Id of the connector that serves it.
    pub connector: String,
}

/// Whether two connectors are one wallet in two namespaces. A wallet announces itself in each namespace by a standard of its own; these share
/// no id, so its name decides.
pub(super) fn is_same_wallet(one: &Connector, other: &Connector) -> bool {
    let in_page = |connector: &Connector| {
        matches!(connector.kind, ConnectorKind::Announced | ConnectorKind::Injected | ConnectorKind::External)
    };
    one.chain != other.chain && in_page(one) && in_page(other) && one.name.eq_ignore_ascii_case(&other.name)
}

impl Connect {
    /// Connectors of a wallet, one for each namespace, if it is offered in more than one; otherwise empty.
    fn chains_of(&self, connector: &Connector, facts: &Facts) -> Vec<&Connector> {
        let own: Vec<&Connector> = self
            .without_duplicates()
            .into_iter()
            .filter(|other| other.id == connector.id || is_same_wallet(connector, other))
            .filter(|other| is_offered(other, facts))
            .collect();
        if own.len() > 1 { own } else { Vec::new() }
    }

    /// The visitor chose a wallet of the list: one that serves several namespaces is connected once they chose one.
    pub(super) fn wallet_chosen(&mut self, id: &str, cx: &mut Cx) {
        let chosen = self.connector(id).filter(|chosen| !self.chains_of(chosen, cx.facts).is_empty());
        match chosen.map(|chosen| chosen.id.clone()) {
            None => self.choose(id, None, cx),
            Some(id) => {
                self.multi_chain = Some(id);
                cx.signal(Signal::MultiChainChosen);
            }
        }
    }

    /// Choice of a namespace for views. A namespace that is withdrawn meanwhile, such as by a wallet that was turned off, leaves it.
    pub(super) fn multi_chain(&self, facts: &Facts) -> Option<MultiChain> {
        let shown = facts.view == Some(View::ConnectingMultiChain);
        let connector = self.connector(self.multi_chain.as_deref().filter(|_| shown)?)?;
        let chains = self.chains_of(connector, facts).into_iter();
        let chains = chains.map(|one| ChainChoice { namespace: one.chain, connector: one.id.clone() }).collect();
        Some(MultiChain { wallet: groups::item(connector, false, facts), chains })
    }
}
