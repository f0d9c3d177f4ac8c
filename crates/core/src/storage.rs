//! Every stored key, and what is read from them. Stored values are hostile: what cannot be read counts as absent.

use crate::boot::StoredEntry;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use portico_json::{Json, Read, Value, parse, to_text};
use portico_terms::{ChainId, Namespace};
use std::fmt;

/// The names of all keys.
pub mod keys {
    /// The version of what is stored.
    pub const VERSION: &str = "@portico/version";
    /// The connections, the most recently used first.
    pub const CONNECTIONS: &str = "@portico/connections";
    /// The active network, CAIP-2.
    pub const ACTIVE_NETWORK: &str = "@portico/active_network";
    /// The wallets used last.
    pub const RECENT_WALLETS: &str = "@portico/recent_wallets";
    /// The names and pictures of addresses (spec 3.23).
    pub const IDENTITIES: &str = "@portico/identity_cache";
    /// The connector used last in this tab (spec 3.31), in the session's storage: for the page; the core goes by the connections.
    pub const RECENT_CONNECTOR: &str = "@portico/recent_connector_id";
    /// The deep link that the visitor chose; its name is fixed by wallets (spec 4.10).
    pub const DEEP_LINK: &str = "WALLETCONNECT_DEEPLINK_CHOICE";
    /// The code that a wallet may have read, or was handed: the page may be gone when it is approved (spec 4.4). While it is there, a page
    /// starts the core at load.
    pub const PAIRING: &str = "@portico/pairing";
    /// What was sent and is not mined yet: the hash follows, in small letters. Tabs share what is stored, and one that wrote the list of all
    /// would undo what another one wrote, or removed; so each transaction is a key.
    pub const PENDING: &str = "@portico/pending/";
    /// Whom an account paid: the account (CAIP-10), a slash and the receiver follow, in small letters; a key each, as above. Not read at boot.
    pub const PAID: &str = "@portico/paid/";
    /// The swaps that are not mined yet.
    pub const PENDING_SWAPS: &str = "@portico/pending_swaps";
    /// Where the visitor is, as far as those who sell coins ask: `DE`, `US-NY`.
    pub const PLACE: &str = "@portico/onramp_place";
    /// The purchase whose page was opened, for the page to which who sells leads back.
    pub const PURCHASE: &str = "@portico/purchase";
    /// The social provider in use (spec 4.10).
    pub const SOCIAL: &str = "@portico/connected_social";

    /// The login of the embedded wallet: the social provider, the session, that an e-mail was used, the chain, the e-mail, the smart-account flags and
    /// the name (spec 3.31). When the last e-mail went out and which kind of account is preferred outlive it (spec 9.11, 4.23).
    pub const LOGIN: [&str; 8] = [
        SOCIAL,
        "@appkit-wallet/SESSION_TOKEN_KEY",
        "@appkit-wallet/EMAIL_LOGIN_USED_KEY",
        "@appkit-wallet/LAST_USED_CHAIN_KEY",
        "@appkit-wallet/EMAIL",
        "@appkit-wallet/SMART_ACCOUNT_ENABLED",
        "@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS",
        "@appkit-wallet/SOCIAL_USERNAME",
    ];

    /// Keys of a host that used AppKit before: read once, then ours count.
    pub const FOREIGN: [&str; 4] = [
        "@appkit/connection_status",
        "@appkit/eip155:connected_connector_id",
        "@appkit/active_caip_network_id",
        "@appkit/recent_wallets",
    ];

    /// All that the shell reads at boot. What ends in a slash stands for every key that begins so.
    pub const ALL: [&str; 15] = [
        VERSION,
        CONNECTIONS,
        ACTIVE_NETWORK,
        RECENT_WALLETS,
        IDENTITIES,
        DEEP_LINK,
        PAIRING,
        PENDING,
        PENDING_SWAPS,
        PLACE,
        PURCHASE,
        FOREIGN[0],
        FOREIGN[1],
        FOREIGN[2],
        FOREIGN[3],
    ];
}

/// The version that this core writes.
pub const VERSION: &str = "1";

/// A connection as it is stored.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct StoredConnection {
    /// The namespace.
    pub namespace: Namespace,
    /// The connector's id.
    pub connector: String,
    /// The directory's id of the wallet behind it, where it is reached through a session and was known.
    pub wallet: Option<String>,
}

/// A recent wallet as it is stored (spec 3.20).
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct RecentWallet {
    /// The connector's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What the directory knew of it, where it is reached through a session; else `null`.
    pub wallet: Value,
}

/// Who an address says it is, as it is stored (spec 3.23).
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct StoredIdentity {
    /// The address.
    pub address: String,
    /// Its name.
    pub name: Option<String>,
    /// Its picture.
    pub avatar: Option<String>,
    /// When it was looked up, epoch milliseconds.
    pub at: u64,
}

/// A transaction that was sent and is not mined yet, as it is stored under its hash.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct StoredTransaction {
    /// On which chain.
    pub chain: ChainId,
    /// From whom.
    pub address: String,
    /// In coins, exact.
    pub amount: String,
    /// Of which coin.
    pub symbol: String,
    /// When it was sent, epoch milliseconds.
    pub since: u64,
    /// What it does ([`crate::pay::replaced::TransactionContent`]), once that is known.
    pub deed: Value,
}

/// What could be read.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Stored {
    /// The most recently used first.
    pub connections: Vec<StoredConnection>,
    /// The active network.
    pub network: Option<ChainId>,
    /// The most recently used first.
    pub recent: Vec<RecentWallet>,
    /// The latest first.
    pub identities: Vec<StoredIdentity>,
    /// What was sent: hashes, each with the [`StoredTransaction`] as it was stored. Sending reads it.
    pub pending: Vec<(String, String)>,
    /// The swaps that were on their way, as they were stored.
    pub swaps: Value,
    /// Where the visitor is, as it was stored.
    pub place: Option<String>,
    /// The purchase that a page began, as it was stored.
    pub purchase: Value,
    /// The link to the wallet of the session, as it was stored.
    pub link: Option<String>,
    /// The code that a page waited for, as it was stored.
    pub pairing: StoredPairing,
    /// There is one, be it nonsense.
    pub waited: bool,
}

/// A code as a page stored it: hostile until read, and as secret as the one on the screen.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct StoredPairing(pub Value);

impl fmt::Debug for StoredPairing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StoredPairing")
    }
}

/// Reads what is ours, or, where nothing of ours was ever written, what AppKit left.
pub fn read(entries: &[StoredEntry]) -> Stored {
    let find = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str());
    let link = find(keys::DEEP_LINK).and_then(|text| parse(text).ok()?.get("href").as_str().map(String::from));
    let stored = match find(keys::VERSION) {
        Some(VERSION) => Stored {
            connections: find(keys::CONNECTIONS).map(list).unwrap_or_default(),
            network: find(keys::ACTIVE_NETWORK).and_then(|text| text.parse().ok()),
            recent: find(keys::RECENT_WALLETS).map(list).unwrap_or_default(),
            identities: find(keys::IDENTITIES).map(list).unwrap_or_default(),
            pending: entries
                .iter()
                .filter_map(|entry| Some((entry.key.strip_prefix(keys::PENDING)?.into(), entry.value.clone())))
                .collect(),
            link: None,
            pairing: StoredPairing::default(),
            swaps: Value::Null,
            place: None,
            purchase: Value::Null,
            waited: false,
        },
        // Another version's values may mean something else: start clean.
        Some(_) => Stored::default(),
        None => read_foreign(find),
    };
    let pairing = StoredPairing(find(keys::PAIRING).and_then(|text| parse(text).ok()).unwrap_or_default());
    let swaps = find(keys::PENDING_SWAPS).and_then(|text| parse(text).ok()).unwrap_or_default();
    let purchase = find(keys::PURCHASE).and_then(|text| parse(text).ok()).unwrap_or_default();
    let place = find(keys::PLACE).map(String::from);
    Stored { link, pairing, swaps, place, purchase, waited: find(keys::PAIRING).is_some(), ..stored }
}

fn read_foreign<'a>(find: impl Fn(&str) -> Option<&'a str>) -> Stored {
    let [status, connector, network, recent] = keys::FOREIGN;
    let connected = find(status) == Some("connected");
    let connector = find(connector).filter(|_| connected);
    let recent = find(recent).and_then(|text| parse(text).ok()).unwrap_or_default();
    let recent = recent.as_list().unwrap_or_default().iter().filter_map(|wallet| {
        // AppKit keeps directory ids; an announced wallet is known by its rdns here.
        let id = wallet.get("rdns").as_str().or(wallet.get("id").as_str())?;
        Some(RecentWallet { id: id.into(), name: wallet.get("name").as_str()?.into(), wallet: Value::Null })
    });
    Stored {
        pending: Vec::new(),
        connections: connector
            .map(|connector| StoredConnection {
                namespace: Namespace::Eip155,
                connector: connector.into(),
                wallet: None,
            })
            .into_iter()
            .collect(),
        network: find(network).and_then(|text| text.parse().ok()),
        recent: recent.collect(),
        identities: Vec::new(),
        link: None,
        pairing: StoredPairing::default(),
        swaps: Value::Null,
        place: None,
        purchase: Value::Null,
        waited: false,
    }
}

/// Stores a text for pages to come.
pub fn keep(key: String, value: String, cx: &mut Cx) {
    for (key, value) in [(keys::VERSION.into(), VERSION.into()), (key, value)] {
        cx.order(Operation::WriteStorage { area: StorageArea::Local, key, value });
    }
}

/// The items of a stored list that can be read; a broken one does not cost the others.
pub fn list<T: Read>(text: &str) -> Vec<T> {
    let value = parse(text).unwrap_or_default();
    value.as_list().unwrap_or_default().iter().filter_map(|item| T::read(item).ok()).collect()
}

/// The text under which a list is stored.
pub fn text<T: portico_json::Write>(items: &Vec<T>) -> String {
    to_text(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(pairs: &[(&str, &str)]) -> Vec<StoredEntry> {
        pairs.iter().map(|(key, value)| StoredEntry { key: (*key).into(), value: (*value).into() }).collect()
    }

    #[test]
    fn what_was_written_is_read_again() {
        let connections =
            vec![StoredConnection { namespace: Namespace::Eip155, connector: "io.example".into(), wallet: None }];
        let stored = read(&entries(&[
            (keys::VERSION, "1"),
            (keys::CONNECTIONS, &text(&connections)),
            (keys::ACTIVE_NETWORK, "eip155:1"),
        ]));
        assert_eq!(stored.connections, connections);
        assert_eq!(stored.network, Some(ChainId::eip155(1)));
    }

    #[test]
    fn hostile_values_count_as_absent_and_do_not_cost_the_good_ones() {
        let list = r#"[{"namespace":"eip155","connector":"good"},{"namespace":"evil","connector":"x"},7,null,{"namespace":"solana"}]"#;
        let stored = read(&entries(&[
            (keys::VERSION, "1"),
            (keys::CONNECTIONS, list),
            (keys::ACTIVE_NETWORK, "__proto__"),
            (keys::RECENT_WALLETS, "{"),
        ]));
        assert_eq!(stored.connections.len(), 1);
        assert_eq!(stored.connections[0].connector, "good");
        assert_eq!((stored.network, stored.recent), (None, vec![]));
    }

    #[test]
    fn every_key_that_the_page_reads_at_boot_is_looked_at() {
        let list = r#"[{"namespace":"eip155","connector":"good","id":"good","name":"Good","address":"0x1","at":1}]"#;
        let ours = [
            (keys::VERSION, "1"),
            (keys::CONNECTIONS, list),
            (keys::ACTIVE_NETWORK, "eip155:1"),
            (keys::RECENT_WALLETS, list),
            (keys::IDENTITIES, list),
            (keys::DEEP_LINK, r#"{"href":"good://","name":"Good"}"#),
            (keys::PENDING, r#"{"chain":"eip155:1","address":"0x","amount":"1","symbol":"E","since":1}"#),
            (keys::PENDING_SWAPS, r#"[{"hash":"0x"}]"#),
            (keys::PLACE, "DE"),
            (keys::PURCHASE, r#"{"provider":"coinbase"}"#),
            (keys::PAIRING, r#"{"topic":"a","uri":"wc:a@2","until":1,"opened":true}"#),
        ];
        let [status, connector, network, recent] = keys::FOREIGN;
        let theirs = [(status, "connected"), (connector, "good"), (network, "eip155:1"), (recent, list)];
        for key in keys::ALL {
            let matters = [ours.as_slice(), &theirs].iter().any(|all| {
                let without: Vec<_> = all.iter().copied().filter(|(other, _)| *other != key).collect();
                read(&entries(&without)) != read(&entries(all))
            });
            assert!(matters, "{key}");
        }
    }

    #[test]
    fn another_version_starts_clean() {
        let list = r#"[{"namespace":"eip155","connector":"good"}]"#;
        assert_eq!(read(&entries(&[(keys::VERSION, "2"), (keys::CONNECTIONS, list)])), Stored::default());
    }

    #[test]
    fn a_visitor_who_was_connected_through_appkit_stays_connected() {
        let foreign = [
            ("@appkit/connection_status", "connected"),
            ("@appkit/eip155:connected_connector_id", "io.metamask"),
            ("@appkit/active_caip_network_id", "eip155:10"),
            ("@appkit/recent_wallets", r#"[{"id":"c57c","name":"MetaMask","rdns":"io.metamask"}]"#),
        ];
        let stored = read(&entries(&foreign));
        assert_eq!(
            stored.connections,
            [StoredConnection { namespace: Namespace::Eip155, connector: "io.metamask".into(), wallet: None }]
        );
        assert_eq!(stored.network, Some(ChainId::eip155(10)));
        assert_eq!(
            stored.recent,
            [RecentWallet { id: "io.metamask".into(), name: "MetaMask".into(), wallet: Value::Null }]
        );
        let mut with_ours = entries(&foreign);
        with_ours.extend(entries(&[(keys::VERSION, "1")]));
        assert_eq!(read(&with_ours), Stored::default());
    }
}
