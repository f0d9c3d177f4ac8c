//! Rules of the first frame, which the page draws before the core is loaded: it lists the wallets that announce themselves (EIP-6963), and
//! sends the request to the chosen one at once. The page reads these rules as generated constants and adds what only it can see: wallets
//! that the host brings, and names that need cleaning (`host/draft.ts`). The core finds the request in flight when it sends its own.

use portico_terms::Namespace;

/// Namespace of those wallets. With any other adapter of the host the page leaves the request to the core.
pub const NAMESPACE: Namespace = Namespace::Eip155;

/// First request to a wallet (EIP-1102).
pub const METHOD: &str = "eth_requestAccounts";

/// Options and features that can change the core's list, or that put a step between the choice of a wallet and its request. If the host
/// sets one of them, the page waits for the core.
pub const UNLESS: [&str; 13] = [
    "enableWallets",
    "allWallets",
    "customWallets",
    "featuredWalletIds",
    "excludeWalletIds",
    "enableEIP6963",
    "manualWCControl",
    "connectorImages",
    "connectorTypeOrder",
    "connectMethodsOrder",
    "legalCheckbox",
    "emailShowWallets",
    "collapseWallets",
];
