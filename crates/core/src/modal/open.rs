use super::View;
use crate::CallFault;
use crate::analytics::{Name, Tracked};
use crate::config::{Feature, Features, supported_on};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::network::needs_unsupported_screen;
use crate::signal::Signal;
use portico_terms::Namespace;

/// Whether the host turned off the feature of a view (spec 2.1, 6.4).
pub fn switched_off(view: View, features: &Features) -> bool {
    !match view {
        View::WalletReceive => features.receive,
        View::Transactions => features.history,
        view => view.part().is_none_or(|part| part.is_wanted(features)),
    }
}

/// Whether a view may be shown now: it needs its feature, and an account if it shows one (spec 6.2).
pub fn allowed(view: View, facts: &Facts) -> bool {
    let there = match view {
        View::Networks => facts.options.network_switch,
        View::SIWXSignMessage => sign_in_fault(None, facts).is_none(),
        view if view.buys() => facts.active_namespace.is_none_or(|namespace| supported_on(Feature::Onramp, namespace)),
        _ => true,
    };
    there && !switched_off(view, &facts.options.features) && (facts.is_connected() || !view.needs_account())
}

/// Why the account of a namespace, or the active one, can't be asked to sign in.
pub fn sign_in_fault(namespace: Option<Namespace>, facts: &Facts) -> Option<CallFault> {
    let options = &facts.options;
    let Some(wanted) = namespace.or(facts.active_namespace) else { return Some(CallFault::NoCaipAddress) };
    if !options.signs_in(wanted) {
        return Some(CallFault::SiwxNotEnabled);
    }
    if !facts.is_connected_in(wanted) {
        let client = options.adapters.is_empty() || options.adapters.contains(&wanted);
        return Some(if client { CallFault::NoCaipAddress } else { CallFault::NoConnectionClient });
    }
    (facts.active_namespace == Some(wanted) && facts.unsupported).then_some(CallFault::NoCaipNetwork)
}

/// View of a form on a namespace: sending is another form on Solana and on Bitcoin.
pub fn on_namespace(view: View, namespace: Option<Namespace>) -> View {
    match (view, namespace) {
        (View::WalletSend | View::SolanaSend | View::BitcoinSend, Some(Namespace::Solana)) => View::SolanaSend,
        (View::WalletSend | View::SolanaSend | View::BitcoinSend, Some(Namespace::Bip122)) => View::BitcoinSend,
        (View::SolanaSend | View::BitcoinSend, _) => View::WalletSend,
        (view, _) => view,
    }
}

/// View of an account that has to sign in. It can't on an unsupported network, which the visitor leaves first.
pub fn sign_in_view(facts: &Facts) -> View {
    if needs_unsupported_screen(facts) { View::UnsupportedChain } else { View::SIWXSignMessage }
}

/// First view of an opening modal (spec 2.4 to 2.6), for the named namespace or for all.
pub fn first_view(explicit: Option<View>, namespace: Option<Namespace>, facts: &Facts) -> View {
    // Another view would be a way around the sign-in (spec 6.3).
    if facts.sign_in_due {
        return sign_in_view(facts);
    }
    let wanted = namespace.or(facts.active_namespace);
    let connected = wanted.map_or(facts.is_connected(), |namespace| facts.is_connected_in(namespace));
    if let Some(view) = explicit
        && allowed(view, facts)
        && (connected || !view.needs_account())
    {
        return view;
    }
    if (facts.options.adapters.is_empty() || facts.options.manual_pairing) && !connected {
        return if facts.environment.mobile { View::AllWallets } else { View::ConnectingWalletConnectBasic };
    }
    if needs_unsupported_screen(facts) {
        return View::UnsupportedChain;
    }
    if connected { View::Account } else { View::Connect }
}

/// Tracks the visitor's way to some views (spec 8.54).
pub fn clicked(view: View, cx: &mut Cx) {
    let name = match view {
        View::AllWallets => Name::ClickAllWallets,
        View::Networks => Name::ClickNetworks,
        View::Swap => Name::ClickConvert,
        View::WhatIsAWallet => Name::ClickWalletHelp,
        View::WhatIsANetwork => Name::ClickNetworkHelp,
        View::OnRampProviders => Name::SelectBuyCrypto,
        View::WhatIsABuy => Name::SelectWhatIsABuy,
        View::Transactions => Name::ClickTransactions,
        View::ChooseAccountName => Name::OpenEnsFlow,
        _ => return,
    };
    let tracked = Tracked::new(name);
    let of_account = view.needs_account() || view == View::WhatIsABuy;
    cx.signal(Signal::Track(if of_account { tracked.flag("isSmartAccount", cx.facts.smart_account) } else { tracked }));
}
