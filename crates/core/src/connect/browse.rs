//! Wallets with a browser of their own: a link opens this page there, where the wallet announces itself. For wallets without pairing links,
//! or whose pairing does not serve the page's namespaces. Binance withdrew its links on 2026-10-30 (developers.binance.com, change log of
//! web3-connect).

use super::directory::Known;
use super::link::component;
use crate::facts::Facts;

/// Reverse domain and name of a wallet, prefix of the page's address, and prefix of its origin.
const BROWSERS: [(&str, &str, &str, Option<&str>); 3] = [
    // docs.phantom.com: deeplinks, browse
    ("app.phantom", "Phantom", "https://phantom.app/ul/browse/", Some("?ref=")),
    // docs.solflare.com: deeplinks, browse
    ("com.solflare", "Solflare", "https://solflare.com/ul/v1/browse/", Some("?ref=")),
    // docs.cdp.coinbase.com: mobile dapp integration, dapp browser
    ("com.coinbase.wallet", "Coinbase Wallet", "https://go.cb-w.com/dapp?cb_url=", None),
];

/// Link that opens this page in the wallet's own browser, if it has one.
pub(super) fn to_browse(known: &Known, facts: &Facts) -> Option<String> {
    let rdns = known.rdns.as_ref().unwrap_or(&known.id);
    let (_, _, before, reference) = BROWSERS.iter().find(|(own, name, ..)| own == rdns || known.is_called(name))?;
    let mut link = [before, component(&facts.environment.page).as_str()].concat();
    if let Some(reference) = reference {
        link.extend([reference, component(&facts.environment.origin).as_str()]);
    }
    Some(link)
}
