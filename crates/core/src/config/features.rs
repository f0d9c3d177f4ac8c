//! Which features the host turned on (spec 6.4 to 6.9).

use portico_json::{Json, Read, Value};
use portico_terms::Namespace;

/// A social login (spec 6.7 gives the default order).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Social {
    /// Google
    Google,
    /// X
    X,
    /// Discord
    Discord,
    /// Farcaster
    Farcaster,
    /// GitHub
    Github,
    /// Apple
    Apple,
    /// Facebook
    Facebook,
}

/// A way to connect (spec 2.14).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum ConnectMethod {
    /// A code by e-mail.
    Email,
    /// A social login.
    Social,
    /// A wallet.
    Wallet,
}

/// A group of wallets, in its default order (spec 2.15).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum ConnectorGroup {
    /// A phone wallet by code.
    WalletConnect,
    /// Used last.
    Recent,
    /// In this browser.
    Injected,
    /// Put first by the host.
    Featured,
    /// Brought by the host as data.
    Custom,
    /// Brought by the host as code.
    External,
    /// From the directory.
    Recommended,
}

/// A button of the account (spec 6.8 gives the default order).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum WalletFeature {
    /// Buy.
    Onramp,
    /// Swap.
    Swaps,
    /// Receive.
    Receive,
    /// Send.
    Send,
}

/// All switches.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Features {
    /// Default on (spec 6.5).
    pub swaps: bool,
    /// Default on.
    pub onramp: bool,
    /// Default on.
    pub receive: bool,
    /// Default on.
    pub send: bool,
    /// Default on.
    pub email: bool,
    /// Default on.
    pub email_show_wallets: bool,
    /// Default on.
    pub history: bool,
    /// Default on; nothing is sent while no sink is named.
    pub analytics: bool,
    /// Default on.
    pub all_wallets: bool,
    /// Default off (spec 6.6).
    pub legal_checkbox: bool,
    /// Default off.
    pub smart_sessions: bool,
    /// Default off.
    pub collapse_wallets: bool,
    /// Empty where the host switched them off.
    pub socials: Vec<Social>,
    /// The order of wallet groups.
    pub connector_type_order: Vec<ConnectorGroup>,
    /// The host's order of methods; empty where it gave none.
    pub connect_methods_order: Vec<ConnectMethod>,
    /// The order of the account's buttons.
    pub wallet_features_order: Vec<WalletFeature>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            swaps: true,
            onramp: true,
            receive: true,
            send: true,
            email: true,
            email_show_wallets: true,
            history: true,
            analytics: true,
            all_wallets: true,
            legal_checkbox: false,
            smart_sessions: false,
            collapse_wallets: false,
            socials: Social::ALL.to_vec(),
            connector_type_order: ConnectorGroup::ALL.to_vec(),
            connect_methods_order: Vec::new(),
            wallet_features_order: WalletFeature::ALL.to_vec(),
        }
    }
}

impl Features {
    /// Takes what the host named; anything unreadable keeps what was.
    pub fn change(&mut self, value: &Value) {
        for (name, switch) in [
            ("swaps", &mut self.swaps),
            ("onramp", &mut self.onramp),
            ("receive", &mut self.receive),
            ("send", &mut self.send),
            ("email", &mut self.email),
            ("emailShowWallets", &mut self.email_show_wallets),
            ("history", &mut self.history),
            ("analytics", &mut self.analytics),
            ("allWallets", &mut self.all_wallets),
            ("legalCheckbox", &mut self.legal_checkbox),
            ("smartSessions", &mut self.smart_sessions),
            ("collapseWallets", &mut self.collapse_wallets),
        ] {
            *switch = value.get(name).as_bool().unwrap_or(*switch);
        }
        if value.get("socials").as_bool() == Some(false) {
            self.socials.clear();
        }
        choose(&mut self.socials, value.get("socials"));
        choose(&mut self.connector_type_order, value.get("connectorTypeOrder"));
        choose(&mut self.connect_methods_order, value.get("connectMethodsOrder"));
        choose(&mut self.wallet_features_order, value.get("walletFeaturesOrder"));
    }
}

/// The readable items of a list, each once.
fn choose<T: Read + PartialEq>(into: &mut Vec<T>, value: &Value) {
    if let Some(items) = value.as_list() {
        into.clear();
        for item in items.iter().filter_map(|item| T::read(item).ok()) {
            if !into.contains(&item) {
                into.push(item);
            }
        }
    }
}

/// The EIP-155 ids of the chains on which one can swap, unless the host's server names others (spec 9.10).
pub const SWAP_CHAINS: [u64; 12] = [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1_313_161_554];

/// A feature that not every namespace has (spec 6.9). `Activity` is asked for; the others wait for the features of their names.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Feature {
    /// Registered names.
    Names,
    /// The list of transactions.
    Activity,
    /// Token balances.
    Balances,
    /// Buying.
    Onramp,
}

/// Whether a feature is there for a namespace (spec 6.9).
pub fn supported_on(feature: Feature, namespace: Namespace) -> bool {
    match feature {
        Feature::Names | Feature::Activity => namespace == Namespace::Eip155,
        Feature::Balances | Feature::Onramp => matches!(namespace, Namespace::Eip155 | Namespace::Solana),
    }
}
