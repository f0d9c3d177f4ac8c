//! Rules of the first frame, which the page draws before the core is there: it lists the wallets that announce themselves (EIP-6963), and
//! hands the one that the visitor chooses its request at once. The page reads them as generated constants and adds what it alone can see:
//! wallets that the host brings along, and names that are not plain (`host/draft.ts`). The core finds the request in flight when it asks.

use portico_terms::Namespace;

/// The namespace of such wallets. A host that serves others as well leaves the request to the core.
pub const NAMESPACE: Namespace = Namespace::Eip155;

/// What a wallet is asked first (EIP-1102).
pub const METHOD: &str = "eth_requestAccounts";

/// Options and features that can make the core's list another one, or that put something between the choice of a wallet and its request.
/// Where the host gives one of them, the page waits for the core.
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
