use super::View;
use crate::facts::Facts;
use crate::network::needs_unsupported_screen;

/// The first view of an opening modal (spec 2.4 to 2.6).
pub fn first_view(explicit: Option<View>, facts: &Facts) -> View {
    let connected = facts.is_connected();
    if let Some(view) = explicit
        && (connected || !view.needs_account())
    {
        return view;
    }
    if facts.options.adapters.is_empty() && !connected {
        return if facts.mobile { View::AllWallets } else { View::ConnectingWalletConnectBasic };
    }
    if needs_unsupported_screen(facts) {
        return View::UnsupportedChain;
    }
    if connected { View::Account } else { View::Connect }
}
