//! Features that the host turned on or off (spec 6.4 to 6.9).

use portico_json::{Json, Read, Value};
use portico_terms::Namespace;

/// A social login (spec 6.7 gives the default order).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Social {
    Google,
    X,
    Discord,
    Farcaster,
    Github,
    Apple,
    Facebook,
    /// Any other OpenID provider that the operator set up; offered only where the host lists it.
    Openid,
}

impl Social {
    /// Default logins, in their order (spec 6.7).
    pub const DEFAULT: [Social; 7] = [
        Social::Google,
        Social::X,
        Social::Discord,
        Social::Farcaster,
        Social::Github,
        Social::Apple,
        Social::Facebook,
    ];
}

/// A connect method (spec 2.14).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum ConnectMethod {
    /// Code by e-mail.
    Email,
    Social,
    Wallet,
}

/// Groups of wallets, in their default order (spec 2.15).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum ConnectorGroup {
    /// Remote wallets, by pairing code.
    WalletConnect,
    /// Recently used wallets.
    Recent,
    /// Wallets in this browser.
    Injected,
    /// Directory wallets that the host puts first.
    Featured,
    /// Wallets that the host defines by data.
    Custom,
    /// Wallets that the host connects by its own code.
    External,
    /// Recommended wallets of the directory.
    Recommended,
}

/// A button of the account (spec 6.8 gives the default order).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum WalletFeature {
    /// Buy coins.
    Onramp,
    Swaps,
    Receive,
    Send,
}

/// Feature switches of the host.
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
    /// Default on; events are only sent if a server is configured.
    pub analytics: bool,
    /// Default on.
    pub all_wallets: bool,
    /// Default off (spec 6.6).
    pub legal_checkbox: bool,
    /// Default off.
    pub smart_sessions: bool,
    /// Default off.
    pub collapse_wallets: bool,
    /// Several wallets in a namespace: connections that were used are stored with their addresses, and offered to the host. Default off.
    pub multi_wallet: bool,
    /// Social logins; empty if the host turned them off.
    pub socials: Vec<Social>,
    /// Order of wallet groups.
    pub connector_type_order: Vec<ConnectorGroup>,
    /// The host's order of connect methods; empty if it gave none.
    pub connect_methods_order: Vec<ConnectMethod>,
    /// Order of the account's buttons.
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
            multi_wallet: false,
            socials: Social::DEFAULT.to_vec(),
            connector_type_order: ConnectorGroup::ALL.to_vec(),
            connect_methods_order: Vec::new(),
            wallet_features_order: WalletFeature::ALL.to_vec(),
        }
    }
}

impl Features {
    /// Applies the features that the host gave; invalid values are ignored.
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
            ("multiWallet", &mut self.multi_wallet),
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

/// Replaces a list with the valid items of a value, without duplicates.
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

/// EIP-155 chain numbers with swaps, unless the host's server names others (spec 9.10).
pub const SWAP_CHAINS: [u64; 12] = [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1_313_161_554];

/// A feature that not every namespace has (spec 6.9).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Feature {
    /// Registered names.
    Names,
    /// The list of transactions.
    Activity,
    /// Token balances.
    Balances,
    /// Buying coins.
    Onramp,
}

/// Whether a namespace has a feature (spec 6.9).
pub fn supported_on(feature: Feature, namespace: Namespace) -> bool {
    match feature {
        Feature::Names => namespace == Namespace::Eip155,
        // The contract has activity for EVM alone: docs/decisions/0022 adds Solana and Bitcoin.
        Feature::Activity => namespace != Namespace::Polkadot,
        Feature::Balances | Feature::Onramp => matches!(namespace, Namespace::Eip155 | Namespace::Solana),
    }
}
