//! Rules of the first frame, which the page draws before the core is loaded: it lists the wallets that announce themselves (EIP-6963), and
//! sends the request to the chosen one at once. The page reads these rules as generated constants and adds what only it can see: wallets
//! that the host brings, and names that need cleaning (`host/draft.ts`). The core finds the request in flight when it sends its own.

use crate::wallet::eip155;
use portico_terms::Namespace;

/// Namespace of those wallets. With any other adapter of the host the page leaves the request to the core.
pub const NAMESPACE: Namespace = Namespace::Eip155;

/// First request to a wallet (EIP-1102).
pub const METHOD: &str = eip155::CONNECT;

/// Options and features that neither change the core's list nor put a step between the choice of a wallet and its request, and those that
/// the draft reads itself. If the host sets any other one, the page waits for the core: options that few hosts set are left out, because
/// each name is downloaded before the click.
pub const UNDERSTOOD: [&str; 38] = [
    "projectId",
    "networks",
    "adapters",
    "connectors",
    "defaultNetwork",
    "metadata",
    "themeMode",
    "themeVariables",
    "features",
    "siwx",
    "siweConfig",
    "endpoints",
    "customRpcUrls",
    "swapContracts",
    "ensChain",
    "chainImages",
    "locale",
    "messages",
    "preload",
    "termsConditionsUrl",
    "privacyPolicyUrl",
    "wasmUrl",
    "enableReconnect",
    "enableNetworkSwitch",
    "enableWalletConnect",
    "allowUnsupportedChain",
    "debug",
    "logLevel",
    "relays",
    "includeWalletIds",
    // Features.
    "swaps",
    "send",
    "receive",
    "onramp",
    "history",
    "analytics",
    "email",
    "socials",
];
