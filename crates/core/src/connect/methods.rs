//! Connect methods and their order (spec 2.14).

use crate::config::{ConnectMethod, Features};
use crate::facts::Facts;
use portico_terms::{Connector, ConnectorKind, Namespace};

/// Order of methods: the host's; else wallets first if one is usable in this browser; else e-mail first.
pub fn methods(features: &Features, usable_wallet: bool) -> Vec<ConnectMethod> {
    if !features.connect_methods_order.is_empty() {
        return features.connect_methods_order.clone();
    }
    if usable_wallet {
        vec![ConnectMethod::Wallet, ConnectMethod::Email, ConnectMethod::Social]
    } else {
        vec![ConnectMethod::Email, ConnectMethod::Social, ConnectMethod::Wallet]
    }
}

/// Methods available now: e-mail and social need the embedded wallet, and a namespace in which it has accounts.
pub fn offered(facts: &Facts, connectors: &[Connector]) -> Vec<ConnectMethod> {
    let features = &facts.options.features;
    let usable =
        connectors.iter().any(|connector| matches!(connector.kind, ConnectorKind::Injected | ConnectorKind::Announced));
    let has_accounts = |namespace| matches!(namespace, Namespace::Eip155 | Namespace::Solana);
    let embedded = connectors.iter().any(|connector| connector.kind == ConnectorKind::Auth)
        && facts.wanted_namespace.is_none_or(has_accounts);
    let mut methods = methods(features, usable);
    methods.retain(|method| match method {
        ConnectMethod::Email => embedded && features.email,
        ConnectMethod::Social => embedded && !features.socials.is_empty(),
        ConnectMethod::Wallet => {
            facts.options.wallets && (features.email_show_wallets || !(embedded && features.email))
        }
    });
    // Falls back to wallets when none of the host's methods is available.
    if methods.is_empty() && facts.options.wallets {
        methods.push(ConnectMethod::Wallet);
    }
    methods
}
