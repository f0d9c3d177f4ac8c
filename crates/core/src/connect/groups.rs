//! Groups of wallets in the Connect view (spec 2.15 to 2.17, 5.23 to 5.25).

use super::directory::{Directory, Known, installed};
use super::multichain::same_wallet;
use super::{Connection, WALLET_CONNECT};
use crate::config::ConnectorGroup;
use crate::facts::Facts;
use crate::storage::RecentWallet;
use portico_json::Json;
use portico_terms::{Connector, ConnectorKind, Namespace};

/// Maximum number of recent wallets (spec 9.6).
pub const RECENT_WALLETS: usize = 2;

/// One row of the list.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Item {
    /// Id of the connector.
    pub id: String,
    /// Name to display.
    pub name: String,
    /// Handle of the announced icon in the page.
    pub handle: String,
    /// Whether the icon behind the handle may be drawn.
    pub icon: bool,
    /// URL of the host's icon; takes precedence over the announced one.
    pub image_url: Option<String>,
    /// Whether the wallet can be used in this browser now.
    pub installed: bool,
    /// Whether it is one of the recent wallets.
    pub recent: bool,
}

/// One group, never empty (spec 2.16).
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Group {
    pub kind: ConnectorGroup,
    pub items: Vec<Item>,
}

/// Wallet list for views.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct Wallets {
    /// Groups in the order of the host.
    pub groups: Vec<Group>,
    /// Connectors behind the entries of wallets in the page and of recent remote ones, for the host (spec 3.8). A listed wallet that serves
    /// several namespaces has more at the end, of kind `MULTI_CHAIN` (spec 3.9): one for each namespace, the preferred one first, all with
    /// the id of the whole wallet, and each with the handle of the connector that serves its namespace.
    pub connectors: Vec<Connector>,
}

/// Whether the host excluded a wallet by id, rdns, or name, ignoring case (spec 5.23).
fn is_excluded(connector: &Connector, facts: &Facts) -> bool {
    is_named(&facts.options.excluded, &connector.id, connector.rdns.as_ref(), &connector.name)
}

/// Whether a list of the host names a wallet by id, rdns, or name, ignoring case.
pub(super) fn is_named(names: &[String], id: &str, rdns: Option<&String>, name: &str) -> bool {
    names.iter().any(|named| named == id || Some(named) == rdns || named.eq_ignore_ascii_case(name))
}

/// Whether a wallet may be offered now: it is available, and serves the wanted namespace.
pub(super) fn is_offered(connector: &Connector, facts: &Facts) -> bool {
    is_available(connector, facts) && facts.wanted_namespace.is_none_or(|namespace| connector.chain == namespace)
}

/// Whether a wallet may be offered in any list: an adapter serves it, and the host does not exclude it.
pub(super) fn is_available(connector: &Connector, facts: &Facts) -> bool {
    facts.options.adapters.contains(&connector.chain) && !is_excluded(connector, facts) && is_listed(connector, facts)
}

/// Whether an injected wallet may be listed: it needs an rdns or an installed check (spec 5.25), and a known flag counts as one. A wallet
/// with neither is the nameless browser wallet, which is hidden on desktop (spec 5.24).
fn is_listed(connector: &Connector, facts: &Facts) -> bool {
    match connector.kind {
        ConnectorKind::Injected => connector.rdns.is_some() || facts.environment.mobile,
        // The host may have turned EIP-6963 off after the announcement.
        ConnectorKind::Announced => facts.options.announced || connector.chain != Namespace::Eip155,
        _ => true,
    }
}

fn group_of(connector: &Connector) -> Option<ConnectorGroup> {
    match connector.kind {
        ConnectorKind::WalletConnect => Some(ConnectorGroup::WalletConnect),
        ConnectorKind::Injected | ConnectorKind::Announced | ConnectorKind::MultiChain => {
            Some(ConnectorGroup::Injected)
        }
        ConnectorKind::External => Some(ConnectorGroup::External),
        // Logins are methods of their own, not wallets.
        ConnectorKind::Auth | ConnectorKind::IdAuth => None,
    }
}

/// Groups of wallets as displayed.
pub fn wallets(
    connectors: &[&Connector],
    recent: &[RecentWallet],
    connections: &[Connection],
    (directory, looking): (&Directory, bool),
    facts: &Facts,
) -> Wallets {
    let through_wallet_connect =
        connections.iter().any(|connection| connection.connector.kind == ConnectorKind::WalletConnect);
    let rank = |connector: &Connector| recent.iter().position(|wallet| wallet.id == connector.id);
    let offered: Vec<&Connector> =
        connectors.iter().copied().filter(|connector| is_offered(connector, facts)).collect();
    let usable =
        |connector: &&Connector| group_of(connector).is_some_and(|group| group != ConnectorGroup::WalletConnect);
    // While discovery runs, the browser is assumed to have a wallet.
    let usable = looking || offered.iter().any(usable);
    // Recent wallets that were connected through a session.
    let remotes: Vec<Known> = match facts.options.wallet_connect {
        true => recent.iter().filter_map(|wallet| Known::read(&wallet.wallet)).collect(),
        false => Vec::new(),
    };
    let mut behind = directory.identified(connectors, facts);
    let mut groups = Vec::new();
    // A wallet that serves several namespaces has one row, the first.
    let mut listed: Vec<&Connector> = Vec::new();
    for kind in &facts.options.features.connector_type_order {
        let mut found: Vec<&Connector> = offered
            .iter()
            .copied()
            .filter(|connector| {
                let own = group_of(connector);
                match (kind, rank(connector)) {
                    (ConnectorGroup::Recent, rank) => {
                        rank.is_some() && own.is_some() && own != Some(ConnectorGroup::WalletConnect)
                    }
                    // Hidden once connected through it (spec 2.17).
                    (ConnectorGroup::WalletConnect, _) => own == Some(*kind) && !through_wallet_connect,
                    (_, Some(_)) => false,
                    (_, None) => own == Some(*kind),
                }
            })
            .collect();
        if *kind == ConnectorGroup::Recent {
            let of = |wallet: &RecentWallet| {
                found.iter().copied().filter(|connector| connector.id == wallet.id).collect::<Vec<_>>()
            };
            found = recent.iter().flat_map(of).collect();
        }
        found.retain(|connector| {
            let family = same_wallet(&offered, connector);
            let first = !listed.iter().any(|other| family.iter().any(|one| one.id == other.id));
            if first {
                listed.push(connector);
                if let [whole, _, ..] = family.as_slice() {
                    let kind = ConnectorKind::MultiChain;
                    let part = |one: &&Connector| Connector { id: whole.id.clone(), kind, ..(*one).clone() };
                    behind.extend(family.iter().map(part));
                }
            }
            first
        });
        let mut items: Vec<Item> =
            found.into_iter().map(|connector| item(connector, rank(connector).is_some(), facts)).collect();
        match kind {
            ConnectorGroup::WalletConnect if !through_wallet_connect => items.extend(remote_entry(facts)),
            ConnectorGroup::Recent => {
                for known in remotes.iter().filter(|known| installed(known, connectors, facts).is_none()) {
                    let item = Item { recent: true, ..directory.item(known, connectors, facts) };
                    behind.push(remote_connector(known, &item, facts));
                    items.push(item);
                }
            }
            _ => {
                let others = directory.group(*kind, connectors, usable, facts).into_iter();
                items.extend(others.filter(|item| remotes.iter().all(|known| known.id != item.id)));
            }
        }
        if !items.is_empty() {
            groups.push(Group { kind: *kind, items });
        }
    }
    Wallets { groups: if facts.options.wallets { groups } else { Vec::new() }, connectors: behind }
}

/// Whether the list has an entry for any remote wallet.
pub fn offers_remote(facts: &Facts) -> bool {
    let options = &facts.options;
    let serves = facts.active_namespace.is_none_or(|namespace| options.has_adapter(namespace));
    let excluded = is_named(&options.excluded, WALLET_CONNECT, None, WALLET_CONNECT);
    options.wallet_connect
        && options.wallets
        && options.features.connector_type_order.contains(&ConnectorGroup::WalletConnect)
        && serves
        && !excluded
}

/// List entry for any remote wallet.
fn remote_entry(facts: &Facts) -> Option<Item> {
    offers_remote(facts).then(|| Item {
        id: WALLET_CONNECT.into(),
        name: "WalletConnect".into(),
        handle: String::new(),
        icon: false,
        image_url: facts.options.connector_images.get(WALLET_CONNECT).cloned(),
        installed: false,
        recent: false,
    })
}

/// Connector behind the entry of a wallet that is reached through a session.
fn remote_connector(known: &Known, item: &Item, facts: &Facts) -> Connector {
    Connector {
        id: item.id.clone(),
        name: item.name.clone(),
        kind: ConnectorKind::WalletConnect,
        chain: facts.active_namespace.unwrap_or(Namespace::Eip155),
        image_url: item.image_url.clone(),
        image_id: known.image_id.clone(),
        explorer_id: Some(item.id.clone()),
        rdns: known.rdns.clone(),
        handle: item.handle.clone(),
        icon: item.icon,
    }
}

pub(super) fn item(connector: &Connector, recent: bool, facts: &Facts) -> Item {
    Item {
        id: connector.id.clone(),
        name: connector.name.clone(),
        handle: connector.handle.clone(),
        icon: connector.icon,
        image_url: facts.options.picture_of(connector),
        installed: matches!(connector.kind, ConnectorKind::Injected | ConnectorKind::Announced),
        recent,
    }
}

/// Puts a wallet first among the recent ones (spec 3.20, 9.6).
pub fn remember(recent: &mut Vec<RecentWallet>, wallet: RecentWallet) {
    recent.retain(|other| other.id != wallet.id);
    recent.insert(0, wallet);
    recent.truncate(RECENT_WALLETS);
}
