//! Parsing of the host's options: a missing or invalid option becomes a fault with a message, never a blank modal.

use super::Features;
use super::fields::{
    Fault, account_kinds, adapters, custom_rpc_urls, default_network, embedded_wallet, endpoint, ens_chain, given,
    networks, page, pictures, project_id, read_network, refuse, relays, texts, without_effect,
};
use portico_json::{Json, Map, Value};
use portico_terms::network::NetworkError;
use portico_terms::{AccountKind, ChainId, Connector, Namespace, Network};
use std::ops::Deref;
use std::rc::Rc;

/// Error text for two conflicting sign-in options (spec 1.5, 8.34).
pub const BOTH_SIGN_INS: &str = "Cannot set both siweConfig and siwx options";

/// Colour mode of the theme.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum ThemeMode {
    /// The default (spec 1.6).
    #[default]
    Dark,
    Light,
}

/// The host's options, checked.
#[derive(Clone, Debug)]
pub struct Options {
    /// Networks in the host's order, without duplicates.
    pub networks: Vec<Rc<Network>>,
    /// Network to use when none is stored.
    pub default_network: Option<ChainId>,
    /// Namespaces that an adapter serves.
    pub adapters: Vec<Namespace>,
    /// Feature switches.
    pub features: Features,
    pub theme_mode: ThemeMode,
    /// Faults found in the options.
    pub faults: Vec<Fault>,
    /// The other options, of which none changes without the rest: a copy of all of them would be half a kilobyte of the first module.
    pub fixed: Rc<FixedOptions>,
}

/// Options that only new options replace.
#[derive(Clone, Debug)]
pub struct FixedOptions {
    /// Project id; `None` if missing or malformed, which only turns off the features that need it.
    pub project_id: Option<String>,
    /// Base URL of the host's own server, without a slash at the end.
    pub endpoint: Option<String>,
    /// Address of the embedded wallet's frame, without a slash at the end; `None` turns login by e-mail and socials off.
    pub embedded_wallet: Option<String>,
    /// RPC URLs that take precedence over all others, by CAIP-2 id.
    pub custom_rpc_urls: Map<String, Vec<String>>,
    /// Chain of the ENS registry.
    pub ens_chain: ChainId,
    /// Contracts that swaps may call beside the built-in ones, by CAIP-2 id, unparsed.
    pub swap_contracts: Value,
    /// Directory wallets to list first, by id, rdns or name.
    pub featured: Vec<String>,
    /// The only directory wallets to list, by id, rdns or name.
    pub included: Vec<String>,
    /// Wallets that the host defines by data, unparsed.
    pub custom_wallets: Value,
    /// Whether the list of all wallets is offered: on a desktop, on a phone.
    pub all_wallets: [bool; 2],
    /// Excluded wallets, by id, rdns or name (spec 5.23).
    pub excluded: Vec<String>,
    /// Wallet icon URLs by connector id or rdns.
    pub connector_images: Map<String, String>,
    /// Network icon URLs by chain id or CAIP-2 id.
    pub chain_images: Map<String, String>,
    /// Preferred kinds of account that override those of spec 3.6.
    pub account_kinds: Map<Namespace, AccountKind>,
    /// A sign-in is configured.
    pub siwx: bool,
    /// The sign-in is `siweConfig`, which is of EVM accounts alone.
    pub siwe: bool,
    /// The modal cannot close before the sign-in (spec 6.3).
    pub sign_in_required: bool,
    /// The sign-in ends with the connection.
    pub signs_out: bool,
    /// Whether the modal is embedded in the page.
    pub embedded: bool,
    /// Whether remote wallets can be reached: a relay is configured, and the host did not turn them off.
    pub wallet_connect: bool,
    /// The host pairs by itself, and opens the modal with a pairing URI.
    pub manual_pairing: bool,
    /// Universal links take precedence over an app's own scheme.
    pub universal_links: bool,
    /// `{methods, chains, events}` by namespace, to request of sessions instead of the defaults.
    pub asked: Value,
    /// Basic WalletConnect mode.
    pub basic: bool,
    /// Whether alerts are drawn.
    pub debug: bool,
    /// Whether announced wallets are listed (EIP-6963).
    pub announced: bool,
    /// Whether `window.ethereum` is listed.
    pub injected: bool,
    /// Whether wallets are offered at all.
    pub wallets: bool,
    /// Whether wallets reconnect after a reload.
    pub reconnect: bool,
    /// Whether networks may be switched in the modal.
    pub network_switch: bool,
    /// Whether unsupported chains are allowed, without the UnsupportedChain screen.
    pub allow_unsupported_chain: bool,
    /// "appkit" (spec 1.6).
    pub sdk_type: String,
    /// Client id to send to the host's server (spec 7.9).
    pub client_id: Option<String>,
    /// URL of the terms of service.
    pub terms_url: Option<String>,
    /// URL of the privacy policy.
    pub privacy_url: Option<String>,
}

impl Deref for Options {
    type Target = FixedOptions;

    fn deref(&self) -> &FixedOptions {
        &self.fixed
    }
}

#[cfg(test)]
impl std::ops::DerefMut for Options {
    fn deref_mut(&mut self) -> &mut FixedOptions {
        Rc::make_mut(&mut self.fixed)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::read(&Value::Null)
    }
}

impl Options {
    /// Parses the options. It always succeeds: invalid values are left out and listed in `faults`.
    pub fn read(value: &Value) -> Options {
        let mut faults = Vec::new();
        let flag = |name: &str, default: bool| value.get(name).as_bool().unwrap_or(default);
        let mut features = Features::default();
        features.change(value.get("features"));
        let chain_images = pictures(value.get("chainImages"));
        let networks = networks(value.get("networks"), &chain_images, &mut faults);
        let ens_chain = ens_chain(value.get("ensChain"), &mut faults);
        let custom_rpc_urls = custom_rpc_urls(value.get("customRpcUrls"), &networks, &ens_chain, &mut faults);
        let (siwx, siwe) = (given(value.get("siwx")), given(value.get("siweConfig")));
        let sign_in = |name: &str| {
            let chosen = |option: &str| value.get(option).get(name).as_bool();
            chosen("siwx").or(chosen("siweConfig")).unwrap_or(siwx || siwe)
        };
        if siwx && siwe {
            refuse(BOTH_SIGN_INS, &mut faults);
        }
        without_effect(&features_without_effect(&features), &mut faults);
        let project_id = project_id(value.get("projectId"), &mut faults);
        let project_known = project_id.is_some();
        let relays = relays(value.get("relays"), project_id.is_some(), &mut faults);
        let adapters = adapters(value.get("adapters"), &mut faults);
        let embedded_wallet = embedded_wallet(value, project_known, &mut faults);
        if adapters.is_empty() && !relays && faults.is_empty() {
            refuse("adapters: add one, or set relays", &mut faults);
        }
        let default_network = default_network(value.get("defaultNetwork"), &networks, &mut faults);
        let fixed = FixedOptions {
            project_id,
            endpoint: endpoint(value.get("endpoints"), &mut faults),
            embedded_wallet,
            custom_rpc_urls,
            ens_chain,
            swap_contracts: value.get("swapContracts").clone(),
            featured: texts(value.get("featuredWalletIds")),
            included: texts(value.get("includeWalletIds")),
            custom_wallets: value.get("customWallets").clone(),
            all_wallets: match value.get("allWallets").as_str() {
                Some("HIDE") => [false, false],
                Some("ONLY_MOBILE") => [false, true],
                _ => [true, true],
            },
            excluded: texts(value.get("excludeWalletIds")),
            connector_images: pictures(value.get("connectorImages")),
            chain_images,
            account_kinds: account_kinds(value.get("defaultAccountTypes")),
            siwx: siwx || siwe,
            siwe,
            sign_in_required: sign_in("required"),
            signs_out: sign_in("signsOut"),
            embedded: flag("enableEmbedded", false),
            wallet_connect: relays && flag("enableWalletConnect", true),
            manual_pairing: flag("manualWCControl", false),
            universal_links: flag("experimental_preferUniversalLinks", false),
            asked: value.get("universalProviderConfigOverride").clone(),
            basic: flag("basic", false),
            debug: flag("debug", true),
            announced: flag("enableEIP6963", true),
            injected: flag("enableInjected", true),
            wallets: flag("enableWallets", true),
            reconnect: flag("enableReconnect", true),
            network_switch: flag("enableNetworkSwitch", true),
            allow_unsupported_chain: flag("allowUnsupportedChain", false),
            sdk_type: value.get("sdkType").as_str().unwrap_or("appkit").into(),
            client_id: value.get("clientId").as_str().filter(|id| !id.is_empty()).map(Into::into),
            terms_url: page(value.get("termsConditionsUrl")),
            privacy_url: page(value.get("privacyPolicyUrl")),
        };
        Options {
            default_network,
            networks,
            adapters,
            features,
            theme_mode: value.get("themeMode").as_str().and_then(ThemeMode::from_word).unwrap_or_default(),
            faults,
            fixed: Rc::new(fixed),
        }
    }

    /// Changes some features.
    pub fn change_features(&mut self, value: &Value) {
        self.features.change(value);
        without_effect(&features_without_effect(&self.features), &mut self.faults);
    }

    /// Preferred kind of account (spec 3.6): the host's, if it named one.
    pub fn preferred_kind(&self, namespace: Namespace) -> AccountKind {
        self.account_kinds.get(&namespace).copied().unwrap_or(AccountKind::preferred(namespace))
    }

    /// Whether a namespace has an adapter. If the host gave none, the universal one serves every namespace through a session (spec 2.5).
    pub fn has_adapter(&self, namespace: Namespace) -> bool {
        self.adapters.contains(&namespace) || self.adapters.is_empty() && self.wallet_connect
    }

    /// Whether accounts of a namespace sign in to the site.
    pub fn signs_in(&self, namespace: Namespace) -> bool {
        self.siwx
            && match namespace {
                Namespace::Eip155 => true,
                Namespace::Solana | Namespace::Bip122 | Namespace::Polkadot => !self.siwe,
            }
    }

    /// Network with this CAIP-2 id, if the host configured it.
    pub fn network(&self, chain: &ChainId) -> Option<&Rc<Network>> {
        self.networks.iter().find(|network| network.caip_network_id == *chain)
    }

    /// The host's icon URL for a wallet: by rdns, by id, or by its handle.
    pub fn picture_of(&self, connector: &Connector) -> Option<String> {
        let mut names = connector.rdns.iter().chain([&connector.id, &connector.handle]);
        names.find_map(|name| self.connector_images.get(name)).cloned()
    }

    /// Parses a host's network, with its icon from `chainImages`.
    pub fn read_network(&self, value: &Value) -> Result<Network, NetworkError> {
        read_network(value, &self.chain_images)
    }
}

fn features_without_effect(features: &Features) -> [(bool, &'static str); 2] {
    [
        (features.smart_sessions, "features.smartSessions: has no effect yet"),
        (features.collapse_wallets, "features.collapseWallets: has no effect yet"),
    ]
}
