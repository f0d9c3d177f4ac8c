//! Wallets that announced themselves or were found in the page (spec 3.8, 5.25).

use super::{AUTH, Connect, WALLET_CONNECT};
use crate::cx::Cx;
use crate::shown::clean;
use portico_json::Json;
use portico_terms::{Connector, ConnectorKind, Namespace};

/// Address kind of a wallet's icon. Any address but a `data:` URI would cause a request to a third party.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum IconKind {
    /// `data:image/…` (EIP-6963).
    Data,
    /// Any other address, or no icon.
    Other,
}

/// Wallet as discovered by the page; untrusted until parsed.
#[derive(Clone, Debug, Json)]
pub struct Found {
    /// Kind of discovery.
    pub kind: ConnectorKind,
    /// Name of the namespace it serves.
    pub namespace: String,
    /// Key of its provider in the page; for an announced wallet its uuid.
    pub handle: String,
    /// Name that the wallet gives itself.
    pub name: String,
    /// Reverse domain name of the wallet.
    pub rdns: Option<String>,
    /// Address kind of its icon.
    pub icon: IconKind,
    /// For an injected wallet: the flags found on it, such as `isMetaMask`.
    pub flags: Vec<String>,
}

/// Injected wallets that are known by a flag: the installed check of spec 5.25. More specific flags come first: several wallets set
/// `isMetaMask` beside their own flag.
const FLAGS: [(&str, &str, &str); 14] = [
    ("isRabby", "Rabby Wallet", "io.rabby"),
    ("isBraveWallet", "Brave Wallet", "com.brave.wallet"),
    ("isCoinbaseWallet", "Coinbase Wallet", "com.coinbase.wallet"),
    ("isTrust", "Trust Wallet", "com.trustwallet.app"),
    ("isTrustWallet", "Trust Wallet", "com.trustwallet.app"),
    ("isOkxWallet", "OKX Wallet", "com.okex.wallet"),
    ("isPhantom", "Phantom", "app.phantom"),
    ("isRainbow", "Rainbow", "me.rainbow"),
    ("isZerion", "Zerion", "io.zerion.wallet"),
    ("isFrame", "Frame", "sh.frame"),
    ("isTally", "Taho", "xyz.taho"),
    ("isExodus", "Exodus", "com.exodus.web3-wallet"),
    ("isBitKeep", "Bitget Wallet", "com.bitget.web3"),
    ("isMetaMask", "MetaMask", "io.metamask"),
];

fn is_rdns(text: &str) -> bool {
    text.len() <= 128
        && text.contains('.')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
}

impl Connect {
    /// Registers a discovered wallet, once.
    pub(super) fn found(&mut self, found: Found, cx: &mut Cx) {
        let options = &cx.facts.options;
        let wanted = match found.kind {
            ConnectorKind::Announced => options.announced || found.namespace != Namespace::Eip155.word(),
            ConnectorKind::Injected => options.injected,
            _ => true,
        };
        let Some(connector) = wanted.then(|| parse(&found)).flatten() else { return };
        if self.connectors.iter().any(|known| known.handle == connector.handle && known.chain == connector.chain) {
            return;
        }
        // Wallets respond to the discovery event first and are found as `window.ethereum` afterwards; they are listed once.
        let announced = |known: &Connector| {
            known.kind == ConnectorKind::Announced && known.rdns.is_some() && known.rdns == connector.rdns
        };
        if connector.kind == ConnectorKind::Injected && self.connectors.iter().any(announced) {
            return;
        }
        let connector = self.with_own_id(connector);
        // A wallet whose uuid equals another wallet's id is not listed.
        if self.is_taken(&connector) {
            return;
        }
        self.retire_double(&connector);
        self.reconnect_with(&connector, cx);
        self.connectors.push(connector);
        self.revision += 1;
    }

    /// The rdns is the id, so that a wallet keeps it across reloads; a second wallet with the same rdns uses its uuid.
    fn with_own_id(&self, mut connector: Connector) -> Connector {
        if self.is_taken(&connector) {
            connector.id = connector.handle.clone();
        }
        connector
    }

    fn is_taken(&self, connector: &Connector) -> bool {
        self.connectors.iter().any(|known| known.id == connector.id && !is_double(known, connector))
    }

    /// Removes the injected duplicate of a wallet that announced itself. A duplicate in use stays until it is disconnected: approvals of
    /// one provider do not hold for the other.
    fn retire_double(&mut self, connector: &Connector) {
        let double = |known: &Connector| is_double(known, connector) && !self.is_used(known);
        if let Some(index) = self.connectors.iter().position(double) {
            self.connectors.remove(index);
        }
    }

    fn is_used(&self, connector: &Connector) -> bool {
        self.attempts.current.as_ref().is_some_and(|attempt| attempt.handle == connector.handle)
            || self.connections.iter().any(|connection| connection.connector.handle == connector.handle)
            || self.reconnect.asks(connector.chain, &connector.handle)
    }

    /// Registered wallets without duplicates: of two with one id the one in use, else the announced one. There may be hundreds, so the few
    /// injected ones are collected first.
    #[inline(never)]
    pub(super) fn without_duplicates(&self) -> Vec<&Connector> {
        let (used, idle): (Vec<_>, Vec<_>) = self
            .connectors
            .iter()
            .filter(|known| known.kind == ConnectorKind::Injected)
            .partition(|known| self.is_used(known));
        let hidden_by = move |announced: &Connector| used.iter().any(|known| is_double(known, announced));
        let hidden: Vec<_> = idle
            .into_iter()
            .filter(|known| self.connectors.iter().any(|other| is_double(known, other)))
            .map(|known| known.handle.as_str())
            .collect();
        let shown = |connector: &&Connector| match connector.kind {
            ConnectorKind::Injected => !hidden.contains(&connector.handle.as_str()),
            ConnectorKind::Announced => !hidden_by(connector),
            _ => true,
        };
        self.connectors.iter().filter(shown).collect()
    }
}

/// Whether an injected wallet is the same as an announced one.
fn is_double(one: &Connector, announced: &Connector) -> bool {
    one.kind == ConnectorKind::Injected
        && announced.kind == ConnectorKind::Announced
        && one.chain == announced.chain
        && one.id == announced.id
}

fn parse(found: &Found) -> Option<Connector> {
    let namespace = Namespace::from_word(&found.namespace)?;
    let flagged = FLAGS.iter().find(|(flag, _, _)| found.flags.iter().any(|given| given == flag));
    let (name, rdns) = match (found.kind, flagged) {
        (ConnectorKind::Injected, Some((_, name, rdns))) => (String::from(*name), Some(String::from(*rdns))),
        _ => (clean(&found.name), found.rdns.clone().filter(|rdns| is_rdns(rdns))),
    };
    let id = rdns.clone().unwrap_or_else(|| found.handle.clone());
    // The ids of the WalletConnect entry and of the embedded wallet are reserved: no wallet of the page may use them.
    if name.is_empty()
        || id.is_empty()
        || [WALLET_CONNECT, AUTH].contains(&id.as_str())
        || found.handle.is_empty()
        || found.handle.len() > 128
    {
        return None;
    }
    Some(Connector {
        id,
        name,
        kind: found.kind,
        chain: namespace,
        image_url: None,
        image_id: None,
        explorer_id: None,
        rdns,
        handle: found.handle.clone(),
        icon: found.icon == IconKind::Data,
    })
}
