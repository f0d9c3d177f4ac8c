//! Stored keys, and parsing of their values at boot. Stored values are untrusted: unreadable ones count as absent.

use crate::boot::StoredEntry;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use portico_json::{Json, Read, Value, parse, to_text};
use portico_terms::{AccountKind, ChainId, Namespace, is_email};
use std::fmt;

/// Names of all stored keys.
pub mod keys {
    /// Version of the stored format.
    pub const VERSION: &str = "@portico/version";
    /// Connections, the most recently used first.
    pub const CONNECTIONS: &str = "@portico/connections";
    /// CAIP-2 id of the active network.
    pub const ACTIVE_NETWORK: &str = "@portico/active_network";
    /// Recently used wallets.
    pub const RECENT_WALLETS: &str = "@portico/recent_wallets";
    /// Connections that were used, with their addresses; only with `features.multiWallet`.
    pub const USED_CONNECTIONS: &str = "@portico/used_connections";
    /// Cached names and pictures of addresses (spec 3.23).
    pub const IDENTITIES: &str = "@portico/identity_cache";
    /// Connector used last in this tab (spec 3.31), in `sessionStorage`. Only for the page: the core reads the connections instead.
    pub const RECENT_CONNECTOR: &str = "@portico/recent_connector_id";
    /// Deep link to the wallet that the visitor chose; wallets prescribe the name of the key (spec 4.10).
    pub const DEEP_LINK: &str = "WALLETCONNECT_DEEPLINK_CHOICE";
    /// Pairing that a wallet may have received: the page may be gone when the wallet approves it (spec 4.4). While the key exists, a page
    /// starts the core at load.
    pub const PAIRING: &str = "@portico/pairing";
    /// Prefix of the pending transactions; the hash follows in lower case, or on other chains than those of EVM the namespace, a slash and the
    /// id. Each transaction has its own key because tabs share the storage: a tab that writes a list of all would undo the changes of another
    /// tab.
    pub const PENDING: &str = "@portico/pending/";
    /// Prefix of the receivers that an account paid; the account (CAIP-10), a slash and the receiver follow in lower case. Each has its own
    /// key, like [`PENDING`]. Not read at boot.
    pub const PAID: &str = "@portico/paid/";
    /// Pending swaps.
    pub const PENDING_SWAPS: &str = "@portico/pending_swaps";
    /// Prefix of the payments that a wallet is asked to sign, while it has not answered, by feature; the time of the request follows. Each has its
    /// own key, like [`PENDING`].
    pub const ASKED_TO_SEND: &str = "@portico/asked_to_send/";
    /// See [`ASKED_TO_SEND`]; of a wallet of Solana that sends by itself.
    pub const ASKED_TO_SEND_ON_SOLANA: &str = "@portico/asked_to_send_on_solana/";
    /// See [`ASKED_TO_SEND`].
    pub const ASKED_TO_SWAP: &str = "@portico/asked_to_swap/";
    /// Prefix of the sessions of the site that ended with their account, while the site has not confirmed it; see [`super::sign_out`]. Each has
    /// its own key, like [`PENDING`].
    pub const SIGN_OUT: &str = "@portico/sign_out/";
    /// Slippage tolerance of swaps, in percent. Not read at boot.
    pub const SLIPPAGE: &str = "@portico/swap_slippage";
    /// Whether a passkey of the embedded wallet is offered: "due" or "over". Not read at boot.
    pub const PASSKEY_OFFER: &str = "@portico/passkey_offer";
    /// Country of the visitor, with the state if on-ramp providers need it: `DE`, `US-NY`.
    pub const PLACE: &str = "@portico/onramp_place";
    /// Purchase whose page was opened, for the page to which the on-ramp provider redirects the visitor.
    pub const PURCHASE: &str = "@portico/purchase";
    /// Active social login provider (spec 4.10).
    pub const SOCIAL: &str = "@portico/connected_social";

    /// Use of a login by e-mail: the frame is created at the start of the next page (spec 4.33).
    pub const EMAIL_USED: &str = "@appkit-wallet/EMAIL_LOGIN_USED_KEY";
    /// E-mail address of the login.
    pub const EMAIL: &str = "@appkit-wallet/EMAIL";
    /// Chain that the embedded wallet used last.
    pub const LAST_CHAIN: &str = "@appkit-wallet/LAST_USED_CHAIN_KEY";
    /// Name at the provider of a social login.
    pub const SOCIAL_NAME: &str = "@appkit-wallet/SOCIAL_USERNAME";
    /// Time of the last mail, in epoch milliseconds (spec 9.11).
    pub const EMAIL_TIME: &str = "@appkit-wallet/LAST_EMAIL_LOGIN_TIME";

    /// Kind of account that was chosen for the embedded wallet (spec 4.23).
    pub const PREFERRED_KIND: &str = "@appkit-wallet/PREFERRED_ACCOUNT_TYPE";

    /// Keys of the embedded wallet's login: social provider, session, use of an e-mail, chain, e-mail address, smart-account flags and name
    /// (spec 3.31). Not among them: the time of the last e-mail and the preferred kind of account, which outlive a login (spec 9.11, 4.23).
    pub const LOGIN: [&str; 8] = [
        SOCIAL,
        "@appkit-wallet/SESSION_TOKEN_KEY",
        EMAIL_USED,
        LAST_CHAIN,
        EMAIL,
        "@appkit-wallet/SMART_ACCOUNT_ENABLED",
        "@appkit-wallet/SMART_ACCOUNT_ENABLED_NETWORKS",
        SOCIAL_NAME,
    ];

    /// Keys of AppKit, for a host that used it before: status, network, recent wallets, and the connector of each namespace. Read only
    /// until the widget has written its own version.
    pub const FOREIGN: [&str; 7] = [
        "@appkit/connection_status",
        "@appkit/active_caip_network_id",
        "@appkit/recent_wallets",
        "@appkit/eip155:connected_connector_id",
        "@appkit/solana:connected_connector_id",
        "@appkit/bip122:connected_connector_id",
        "@appkit/polkadot:connected_connector_id",
    ];

    /// Keys that the shell reads at boot. One that ends in a slash stands for all keys with this prefix.
    pub const ALL: [&str; 28] = [
        VERSION,
        CONNECTIONS,
        ACTIVE_NETWORK,
        RECENT_WALLETS,
        USED_CONNECTIONS,
        IDENTITIES,
        DEEP_LINK,
        PAIRING,
        PENDING,
        PENDING_SWAPS,
        ASKED_TO_SEND,
        ASKED_TO_SEND_ON_SOLANA,
        ASKED_TO_SWAP,
        SIGN_OUT,
        PLACE,
        PURCHASE,
        EMAIL_USED,
        EMAIL,
        LAST_CHAIN,
        EMAIL_TIME,
        PREFERRED_KIND,
        FOREIGN[0],
        FOREIGN[1],
        FOREIGN[2],
        FOREIGN[3],
        FOREIGN[4],
        FOREIGN[5],
        FOREIGN[6],
    ];
}

/// Version of the stored format that this core writes.
pub const VERSION: &str = "1";

/// Stored form of a connection.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct StoredConnection {
    pub namespace: Namespace,
    /// Id of the connector.
    pub connector: String,
    /// Directory id of the wallet, if the connection is a session and the wallet was known.
    pub wallet: Option<String>,
    /// Account that was chosen among those that the wallet shares; without one the wallet's first is in use.
    pub account: Option<String>,
}

/// Stored form of a recently used wallet (spec 3.20).
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct RecentWallet {
    /// Id of the connector.
    pub id: String,
    pub name: String,
    /// Directory entry of the wallet, if it is reached through a session; else `null`.
    pub wallet: Value,
}

/// Stored form of the name and picture of an address (spec 3.23).
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct StoredIdentity {
    pub address: String,
    pub name: Option<String>,
    /// URL of the picture.
    pub avatar: Option<String>,
    /// Time of the lookup, in epoch milliseconds.
    pub at: u64,
}

/// Stored form of a pending transaction; its hash or id is part of the key.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct StoredTransaction {
    pub chain: ChainId,
    /// Address of the sender.
    pub address: String,
    /// Exact amount in coins, as a decimal number.
    pub amount: String,
    /// Symbol of the coin or token.
    pub symbol: String,
    /// Time of sending, in epoch milliseconds.
    pub since: u64,
    /// Data by which the payment is followed on its chain; on EVM chains the content of the transaction
    /// ([`crate::pay::replaced::TransactionContent`]), once known.
    pub deed: Value,
}

/// Stored form of a payment that a wallet is asked to sign.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct StoredRequest {
    pub chain: ChainId,
    /// Address of the sender.
    pub address: String,
    /// Time of the request, in epoch milliseconds.
    pub since: u64,
}

/// Values read from the storage at boot.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Stored {
    /// Connections, the most recently used first.
    pub connections: Vec<StoredConnection>,
    pub network: Option<ChainId>,
    /// Recent wallets, the most recently used first.
    pub recent: Vec<RecentWallet>,
    /// Connections that were used, as stored.
    pub used: Option<String>,
    /// Names and pictures of addresses, the latest first.
    pub identities: Vec<StoredIdentity>,
    /// Pending transactions: the key after its prefix, and the [`StoredTransaction`] as unparsed text, which their features parse.
    pub pending: Vec<(String, String)>,
    /// Pending swaps as stored.
    pub swaps: Value,
    /// Payments of earlier pages and other tabs that a wallet has not answered, of send, of swap and on Solana: the key after its prefix, and the
    /// [`StoredRequest`] as text.
    pub asked: [Vec<(String, String)>; 3],
    /// Sessions of the site that earlier pages and other tabs could not end: the key after its prefix, and the text.
    pub sign_outs: Vec<(String, String)>,
    /// Country and state of the visitor as stored.
    pub place: Option<String>,
    /// Purchase that an earlier page started, as stored.
    pub purchase: Value,
    /// Deep link to the wallet of the session, as stored.
    pub link: Option<String>,
    /// Pairing that an earlier page waited for, as stored.
    pub pairing: StoredPairing,
    /// Whether a pairing is stored, even an unreadable one.
    pub waited: bool,
    pub login: StoredLogin,
}

impl Stored {
    /// Pending transactions of a namespace: the id, and the unparsed text. What names no other namespace counts as one of EVM.
    #[inline(never)]
    pub fn pending_of(&self, namespace: Namespace) -> Vec<(String, String)> {
        let own = |(name, text): &(String, String)| {
            let named = name.split_once('/').and_then(|(word, id)| Some((Namespace::from_word(word)?, id)));
            let (of, id) = named.unwrap_or((Namespace::Eip155, name));
            (of == namespace).then(|| (id.into(), text.clone()))
        };
        self.pending.iter().filter_map(own).collect()
    }
}

/// Stored data of the embedded wallet's login (spec 3.31).
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct StoredLogin {
    /// Whether an earlier page logged in.
    pub used: bool,
    /// E-mail address.
    pub email: Option<String>,
    /// Chain that was used last: a CAIP-2 id or the number of an EVM chain.
    pub chain: Option<ChainId>,
    /// Time of the last mail, in epoch milliseconds.
    pub mailed: Option<u64>,
    /// Kind of account that was chosen.
    pub preferred: Option<AccountKind>,
}

/// Pairing as stored: untrusted until parsed, and secret because it contains the key of the pairing.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct StoredPairing(pub Value);

impl fmt::Debug for StoredPairing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StoredPairing")
    }
}

/// Reads the widget's own entries, or those of AppKit if the widget never stored anything.
pub fn read(entries: &[StoredEntry]) -> Stored {
    let find = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str());
    let link = find(keys::DEEP_LINK).and_then(|text| parse(text).ok()?.get("href").as_str().map(String::from));
    let stored = match find(keys::VERSION) {
        Some(VERSION) => Stored {
            connections: find(keys::CONNECTIONS).map(list).unwrap_or_default(),
            network: find(keys::ACTIVE_NETWORK).and_then(|text| text.parse().ok()),
            recent: find(keys::RECENT_WALLETS).map(list).unwrap_or_default(),
            used: find(keys::USED_CONNECTIONS).map(String::from),
            identities: find(keys::IDENTITIES).map(list).unwrap_or_default(),
            pending: named(entries, keys::PENDING),
            link: None,
            pairing: StoredPairing::default(),
            swaps: Value::Null,
            asked: Default::default(),
            sign_outs: Vec::new(),
            place: None,
            purchase: Value::Null,
            waited: false,
            login: StoredLogin::default(),
        },
        // Another version's values may mean something else: start clean.
        Some(_) => Stored::default(),
        None => read_foreign(find),
    };
    let pairing = StoredPairing(find(keys::PAIRING).and_then(|text| parse(text).ok()).unwrap_or_default());
    let swaps = find(keys::PENDING_SWAPS).and_then(|text| parse(text).ok()).unwrap_or_default();
    let purchase = find(keys::PURCHASE).and_then(|text| parse(text).ok()).unwrap_or_default();
    let place = find(keys::PLACE).map(String::from);
    let asked =
        [keys::ASKED_TO_SEND, keys::ASKED_TO_SWAP, keys::ASKED_TO_SEND_ON_SOLANA].map(|prefix| named(entries, prefix));
    let sign_outs = named(entries, keys::SIGN_OUT);
    let login = StoredLogin {
        used: find(keys::EMAIL_USED) == Some("true"),
        email: find(keys::EMAIL).filter(|email| is_email(email)).map(String::from),
        chain: find(keys::LAST_CHAIN).and_then(|text| text.parse().or_else(|_| text.parse().map(ChainId::eip155)).ok()),
        mailed: find(keys::EMAIL_TIME).and_then(|text| text.parse().ok()),
        preferred: find(keys::PREFERRED_KIND).and_then(AccountKind::from_word),
    };
    let waited = find(keys::PAIRING).is_some();
    Stored { link, pairing, swaps, asked, sign_outs, place, purchase, waited, login, ..stored }
}

/// Entries with a prefix: the key after it, and the text.
fn named(entries: &[StoredEntry], prefix: &str) -> Vec<(String, String)> {
    let named = |entry: &StoredEntry| Some((entry.key.strip_prefix(prefix)?.into(), entry.value.clone()));
    entries.iter().filter_map(named).collect()
}

/// Connectors of AppKit that cannot come back here: their sessions, or the SDKs that they stand for, belong to AppKit.
const GONE: [&str; 10] = [
    "AUTH",
    "ID_AUTH",
    "announced",
    "baseAccount",
    "coinbaseWallet",
    "coinbaseWalletSDK",
    "eip6963",
    "ledger",
    "safe",
    "walletConnect",
];

fn read_foreign<'a>(find: impl Fn(&str) -> Option<&'a str>) -> Stored {
    let [status, network, recent, connectors @ ..] = keys::FOREIGN;
    let connected = find(status) == Some("connected");
    let connections = connectors.into_iter().filter(|_| connected).filter_map(|key| {
        let namespace = Namespace::from_word(key.strip_prefix("@appkit/")?.split(':').next()?)?;
        let connector = find(key).filter(|id| !GONE.contains(id))?;
        Some(StoredConnection { namespace, connector: connector.into(), wallet: None, account: None })
    });
    let connections = connections.collect();
    let recent = find(recent).and_then(|text| parse(text).ok()).unwrap_or_default();
    let recent = recent.as_list().unwrap_or_default().iter().filter_map(|wallet| {
        // AppKit stores directory ids; here an announced wallet is identified by its rdns.
        let id = wallet.get("rdns").as_str().or(wallet.get("id").as_str())?;
        Some(RecentWallet { id: id.into(), name: wallet.get("name").as_str()?.into(), wallet: Value::Null })
    });
    Stored {
        pending: Vec::new(),
        connections,
        network: find(network).and_then(|text| text.parse().ok()),
        recent: recent.collect(),
        used: None,
        identities: Vec::new(),
        link: None,
        pairing: StoredPairing::default(),
        swaps: Value::Null,
        asked: Default::default(),
        sign_outs: Vec::new(),
        place: None,
        purchase: Value::Null,
        waited: false,
        login: StoredLogin::default(),
    }
}

/// Stores a text in `localStorage`, and the version with it.
pub fn keep(key: String, value: String, cx: &mut Cx) {
    for (key, value) in [(keys::VERSION.into(), VERSION.into()), (key, value)] {
        cx.order(Operation::WriteStorage { area: StorageArea::Local, key, value });
    }
}

/// Storage key of a session of the site that is to end. A `siweConfig` has one session at a time, whatever its account.
pub fn sign_out(siwe: bool, chain: &ChainId, address: &str) -> String {
    let one = if siwe { "siwe" } else { &[&chain.to_string(), ":", address].concat() };
    [keys::SIGN_OUT, one].concat()
}

/// Parses a stored list; malformed items are left out.
pub fn list<T: Read>(text: &str) -> Vec<T> {
    let value = parse(text).unwrap_or_default();
    value.as_list().unwrap_or_default().iter().filter_map(|item| T::read(item).ok()).collect()
}

/// Serializes a list for the storage.
pub fn text<T: portico_json::Write>(items: &Vec<T>) -> String {
    to_text(items)
}

#[cfg(test)]
mod tests;
