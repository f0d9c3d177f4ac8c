//! Choice of a wallet: by the visitor from a list, or by the host by its id; and the tracked events about it.

use super::groups::Item;
use super::waiting::Waiting;
use super::{AUTH, Connect, ConnectFault, Status, WALLET_CONNECT};
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View;
use crate::network::NetworkFault;
use crate::signal::Signal;
use portico_terms::{Connector, Namespace};

/// Place where the visitor found the last chosen wallet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {
    /// Name of the view; empty if the host named the wallet.
    view: Option<View>,
    /// Index in the view's list, from 0.
    index: Option<usize>,
}

impl Choice {
    /// Choice of a view itself, not of a list entry.
    pub fn of_view(view: Option<View>) -> Choice {
        Choice { view, index: None }
    }
}

impl Connect {
    /// The host requested a connection.
    pub(super) fn connect_asked(
        &mut self,
        connector: Option<String>,
        namespace: Option<String>,
        ticket: u32,
        cx: &mut Cx,
    ) {
        let named = match namespace.as_deref().map(Namespace::from_word) {
            Some(None) => return cx.reject_host(Some(ticket), NetworkFault::ChainAdapterNotFound.into()),
            named => named.flatten(),
        };
        let namespace = match named {
            Some(namespace) => namespace,
            None => match cx.facts.active_namespace {
                Some(namespace) => namespace,
                None => return cx.reject_host(Some(ticket), NetworkFault::ChainRequiredForConnection.into()),
            },
        };
        if !cx.facts.options.has_adapter(namespace) {
            return cx.reject_host(Some(ticket), NetworkFault::ConnectionClientNotSet.into());
        }
        if cx.facts.networks.iter().all(|network| network.chain_namespace != namespace) {
            return cx.reject_host(Some(ticket), ConnectFault::ChainNotConfigured.into());
        }
        let through_session = self.connection(namespace).is_some_and(|connection| connection.topic.is_some());
        match connector {
            Some(connector) if connector == WALLET_CONNECT && through_session => {
                cx.reject_host(Some(ticket), ConnectFault::AlreadyConnected.into());
            }
            Some(connector) if connector == WALLET_CONNECT && self.reconnect.waits_for(WALLET_CONNECT) => {
                cx.reject_host(Some(ticket), ConnectFault::UnavailableWhileReconnecting.into());
            }
            Some(connector) => self.wallet_named(&connector, named, ticket, cx),
            None if self.connection(namespace).is_some() => {
                let value = self.connection_value(namespace, cx);
                cx.resolve_host(Some(ticket), value);
            }
            None => {
                self.attempts.waiting.push(Waiting::new(ticket, named));
                cx.signal(Signal::NamespaceAsked(namespace));
                cx.signal(Signal::ConnectViewAsked);
            }
        }
    }

    /// Starts connecting the chosen wallet; of the two accounts of the embedded wallet that of the wanted namespace, or else the EVM one.
    pub(super) fn choose(&mut self, id: &str, wanted: Option<Namespace>, ticket: Option<u32>, cx: &mut Cx) {
        self.choice = self.choice_of(id, ticket, cx.facts);
        if id == WALLET_CONNECT && cx.facts.options.wallet_connect {
            return self.choose_remote(None, ticket, cx);
        }
        let Some(connector) = self.connector(id).cloned() else {
            if !self.want(id, ticket, cx) {
                cx.reject_host(ticket, ConnectFault::ConnectorNotFound.into());
            }
            return;
        };
        if !cx.facts.options.adapters.contains(&connector.chain) {
            return cx.reject_host(ticket, NetworkFault::ConnectionClientNotSet.into());
        }
        match (self.connection(connector.chain), self.status(connector.chain)) {
            (Some(connection), Status::Reconnecting) if connection.connector.id == id => {
                return cx.reject_host(ticket, ConnectFault::UnavailableWhileReconnecting.into());
            }
            (Some(connection), _) if connection.connector.id == id => {
                if ticket.is_none() {
                    cx.signal(Signal::AlreadyConnected);
                }
                return cx.reject_host(ticket, ConnectFault::AlreadyConnected.into());
            }
            _ => {}
        }
        if connector.id == AUTH {
            // The visitor logs in first.
            let wanted = wanted.or(Some(connector.chain));
            self.attempts.waiting.extend(ticket.map(|ticket| Waiting::new(ticket, wanted)));
            return cx.signal(Signal::ConnectViewAsked);
        }
        self.begin_named(ticket, cx);
        self.reconnect.give_up(connector.chain);
        self.begin_attempt(&connector, cx);
        cx.signal(Signal::ConnectStarted { shown: ticket.is_none() });
        let rank = self.rank_of(&connector, cx.facts);
        self.track_choice(&connector.name, "browser", rank, cx);
    }

    /// A wallet was chosen: cancels the previous attempt. A host call that named its wallet is rejected rather than given another's
    /// account.
    pub(super) fn begin_named(&mut self, ticket: Option<u32>, cx: &mut Cx) {
        self.abandon(cx);
        if let Some(ticket) = self.attempts.named.take() {
            cx.reject_host(Some(ticket), ConnectFault::Cancelled.into());
        }
        self.attempts.named = ticket;
    }

    fn choice_of(&self, id: &str, ticket: Option<u32>, facts: &Facts) -> Choice {
        if ticket.is_some() {
            return Choice::default();
        }
        let list: Vec<Item> = match facts.view {
            Some(View::AllWallets) => self.directory_items(facts),
            _ => self.wallets(facts).groups.into_iter().flat_map(|group| group.items).collect(),
        };
        Choice { view: facts.view, index: list.iter().position(|item| item.id == id) }
    }

    /// Directory rank of a wallet of this browser.
    pub(super) fn rank_of(&self, connector: &Connector, facts: &Facts) -> Option<u64> {
        self.directory.of(connector, facts).and_then(|known| known.rank)
    }

    pub(super) fn track_choice(&self, name: &str, platform: &str, rank: Option<u64>, cx: &mut Cx) {
        let tracked = Tracked::new(Name::SelectWallet).with("name", name).with("platform", platform);
        let tracked = tracked.number("displayIndex", self.choice.index.map(|index| index as u64));
        cx.signal(Signal::Track(self.placed(tracked, rank)));
    }

    pub(super) fn track_success(&self, method: &str, name: &str, rank: Option<u64>, reconnect: bool, cx: &mut Cx) {
        let tracked =
            Tracked::new(Name::ConnectSuccess).with("method", method).with("name", name).flag("reconnect", reconnect);
        let tracked = if reconnect { tracked.number("walletRank", rank) } else { self.placed(tracked, rank) };
        cx.signal(Signal::Track(tracked));
    }

    fn placed(&self, tracked: Tracked, rank: Option<u64>) -> Tracked {
        let tracked = tracked.number("walletRank", rank);
        match self.choice.view {
            Some(view) => tracked.with("view", view.word()),
            None => tracked,
        }
    }
}
