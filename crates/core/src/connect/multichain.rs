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

/// Connectors of one wallet, at most one for each namespace. A wallet announces itself in each namespace by a standard of its own; these share
/// no id, so its name decides. Of several wallets of that name in one namespace the first belongs to the first in each other one, and so on:
/// a second wallet that takes a name has a row of its own.
pub(super) fn same_wallet<'a>(all: &[&'a Connector], of: &Connector) -> Vec<&'a Connector> {
    let in_page = |connector: &Connector| {
        matches!(connector.kind, ConnectorKind::Announced | ConnectorKind::Injected | ConnectorKind::External)
    };
    let named = |connector: &Connector| in_page(connector) && connector.name.eq_ignore_ascii_case(&of.name);
    let nth = |connector: &Connector| {
        let before = all.iter().take_while(|other| other.id != connector.id);
        before.filter(|other| other.chain == connector.chain && named(other)).count()
    };
    if !in_page(of) {
        return Vec::new();
    }
    let own = nth(of);
    all.iter().copied().filter(|other| named(other) && nth(other) == own).collect()
}

impl Connect {
    /// Connectors of the wallet in the list, one for each namespace that is offered.
    fn chains_of(&self, connector: &Connector, facts: &Facts) -> Vec<&Connector> {
        let offered: Vec<_> = self.without_duplicates().into_iter().filter(|other| is_offered(other, facts)).collect();
        same_wallet(&offered, connector)
    }

    /// The visitor chose a wallet of the list: one that serves several namespaces is connected once they chose one.
    pub(super) fn wallet_chosen(&mut self, id: &str, cx: &mut Cx) {
        let chosen = self.connector(id).filter(|chosen| self.chains_of(chosen, cx.facts).len() > 1);
        match chosen.map(|chosen| chosen.id.clone()) {
            None => self.choose(id, None, None, cx),
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
