//! What React draws: one field a feature. Only features that changed cross the bridge.

use crate::{account, activity, config, connect, modal, name, network, notice, send};
use portico_json::Json;

/// The whole state that views read.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Snapshot {
    /// The host's options, checked.
    pub config: config::View,
    /// The overlay and its stack of views.
    pub modal: modal::Picture,
    /// The snack and the alert.
    pub notice: notice::View,
    /// Status, attempt and methods.
    pub connect: connect::View,
    /// The wallets to choose from.
    pub wallets: connect::Wallets,
    /// The wallets of the directory; `null` before a list of wallets was shown.
    pub directory: Option<connect::DirectoryView>,
    /// The chains.
    pub network: network::View,
    /// The accounts.
    pub account: account::View,
    /// What the account owns by piece; `null` where nobody asks for it.
    pub nfts: Option<account::NftsView>,
    /// What the account did; `null` where nobody asks for it.
    pub activity: Option<activity::View>,
    /// The registration of a name.
    pub name: name::View,
    /// The send form.
    pub send: send::View,
}
