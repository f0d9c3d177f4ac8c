//! Wallets that serve several namespaces: one row of the list, then a choice of the namespace.

use super::groups::{is_available, is_offered};
use super::waiting::Waiting;
use super::{Connect, ConnectFault, Item, groups};
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

/// Connectors of one wallet, at most one for each namespace, the preferred namespace first. A wallet announces itself in each namespace by a
/// standard of its own; these share no id, so its name decides. Of several wallets of that name in one namespace the first belongs to the first
/// in each other one, and so on: a second wallet that takes a name has a row of its own.
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
    let mut family: Vec<_> = all.iter().copied().filter(|other| named(other) && nth(other) == own).collect();
    family.sort_by_key(|connector| connector.chain);
    family
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

    /// The host named a wallet by the id of a connector. Of a wallet that serves several namespaces the one of `wanted` is connected. Without
    /// that the first one's id stands for the whole wallet, and the visitor chooses; any other id stands for its own namespace.
    pub(super) fn wallet_named(&mut self, id: &str, wanted: Option<Namespace>, ticket: u32, cx: &mut Cx) {
        // A list for one namespace, which is open meanwhile, does not change what the host's id stands for.
        let mut available = self.without_duplicates();
        available.retain(|connector| is_available(connector, cx.facts));
        let named = available.iter().copied().find(|connector| connector.id == id);
        let family = named.map(|named| same_wallet(&available, named)).filter(|family| family.len() > 1);
        let family = family.unwrap_or_default();
        let wallet = family.iter().map(|connector| connector.handle.clone()).collect();
        let chosen = match (family.as_slice(), wanted) {
            ([], _) => Some(id.to_owned()),
            (family, Some(wanted)) => match family.iter().find(|connector| connector.chain == wanted) {
                Some(connector) => Some(connector.id.clone()),
                None => return cx.reject_host(Some(ticket), ConnectFault::ConnectorNotFound.into()),
            },
            ([first, ..], None) => (first.id != id).then(|| id.to_owned()),
        };
        if let Some(chosen) = chosen {
            return self.choose(&chosen, wanted, Some(ticket), cx);
        }
        self.attempts.waiting.push(Waiting::for_wallet(ticket, wallet));
        cx.signal(Signal::ConnectViewAsked);
        // Without consent the list stays: it has the box for it.
        if !cx.facts.consent_missing && !cx.facts.sign_in_due {
            self.multi_chain = Some(id.to_owned());
            cx.signal(Signal::MultiChainChosen);
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
