//! What React draws: one field a feature. Only features that changed cross the bridge.

use crate::{account, activity, config, connect, modal, name, network, notice, onramp, send, swap};
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
    /// The remote wallet that is being connected; `null` where none is, or where none can be.
    pub pairing: Option<connect::PairingView>,
    /// The seconds that the code on the screen still lives; `null` where there is none. Apart from the code, which does not change with it.
    pub countdown: Option<u32>,
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
    /// What somebody needs to send something to the account; `null` where nobody looks.
    pub receive: Option<account::ReceiveView>,
    /// The send form.
    pub send: send::View,
    /// Buying coins with money.
    pub onramp: onramp::View,
    /// The swap form.
    pub swap: swap::View,
    /// The tokens that can be swapped; `null` where there are none. Apart from the form, for they are many.
    pub swap_tokens: Option<swap::TokensView>,
    /// The tokens that can be sent; `null` while nobody looks at them.
    pub send_tokens: Option<send::Choices>,
}
