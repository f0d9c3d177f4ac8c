//! Facts that features tell; `reactions.rs` says what follows.

use crate::notice::{AlertKey, Message, Variant};
use crate::part::Part;
use portico_terms::{ChainId, Namespace};

/// It happened, in one feature, and others may care.
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// An account is there.
    Connected {
        /// The namespace.
        namespace: Namespace,
        /// What the wallet said its chain is; `None` where it said nonsense.
        chain: Option<ChainId>,
        /// Whether it came back after a reload.
        reconnect: bool,
    },
    /// The account in use is another one than before: what is known of it is asked for.
    AccountChanged {
        /// The namespace.
        namespace: Namespace,
    },
    /// The account is, or may be, looked at.
    AccountShown,
    /// The wallet now shows other accounts.
    AccountSwitched {
        /// The namespace.
        namespace: Namespace,
    },
    /// Connections are gone.
    Disconnected {
        /// Of these namespaces.
        namespaces: Vec<Namespace>,
    },
    /// An attempt to connect begins.
    ConnectStarted {
        /// Whether the modal shows it; a host's own button needs no modal.
        shown: bool,
    },
    /// An attempt to connect was dropped by the host.
    AttemptDropped,
    /// A wallet was chosen that is not in this browser, and that no session reaches.
    WalletWanted,
    /// A remote wallet was chosen, or any.
    RemoteChosen {
        /// Whether it is to be found in the list of all wallets first.
        listed: bool,
    },
    /// A code for a remote wallet is shown, or a link to it.
    PairingShown,
    /// What a session approves of a namespace (spec 3.2).
    Approved {
        /// The namespace.
        namespace: Namespace,
        /// Its chains; `None` where no session stands between, and any may do.
        chains: Option<Vec<ChainId>>,
        /// The one on which the wallet stands.
        stands: ChainId,
    },
    /// The list of all wallets is shown.
    AllWalletsShown,
    /// The visitor chose the wallet that is connected.
    AlreadyConnected,
    /// The host wants the visitor to choose a wallet.
    ConnectViewAsked,
    /// Another chain is active.
    NetworkSwitched {
        /// The new one.
        chain: ChainId,
        /// Whether the visitor asked for it in the modal.
        asked: bool,
    },
    /// The wallet is on a chain that the host does not serve (spec 2.24).
    NetworkUnsupported,
    /// A switch waits for the wallet.
    SwitchStarted,
    /// A switch is over, or was not needed: its screens have done their work.
    SwitchSettled,
    /// The modal opened.
    ModalOpened,
    /// The modal closed.
    ModalClosed,
    /// The visitor left a view.
    ViewLeft(crate::modal::View),
    /// A namespace was named when the modal opened (spec 2.3).
    NamespaceAsked(Namespace),
    /// The form of a part is shown, perhaps with arguments of a host.
    FormAsked {
        /// The part.
        part: Part,
        /// The arguments as given.
        arguments: portico_json::Value,
        /// The host's call.
        ticket: Option<u32>,
    },
    /// An earlier page stored work of a part that has to go on.
    Resumed(Part),
    /// The visitor looks at the page again.
    PageShown,
    /// The wallet in use has not confirmed that it got a request.
    WalletSilent,
    /// A token is to be chosen for a swap.
    SwapTokenAsked,
    /// It was chosen.
    SwapTokenChosen,
    /// Another network is to be chosen for a swap.
    SwapNetworkAsked,
    /// The swap form is valid: show what will be signed.
    SwapReviewed,
    /// What was reviewed cannot be swapped any more.
    SwapUnready,
    /// What is to be sent was chosen.
    SendTokenChosen,
    /// What was sent is to be shown, and what becomes of it.
    SendShown,
    /// A name was registered for an address.
    NameRegistered {
        /// Whose it is.
        address: String,
        /// Whole.
        name: String,
    },
    /// The transaction is on its way.
    SendStarted,
    /// The transaction was mined, or given up.
    SendSettled,
    /// The send form is valid: show what will be signed.
    SendReviewed,
    /// What was reviewed cannot be sent any more.
    SendUnready,
    /// A coin or money was chosen from its list.
    OnrampPicked,
    /// The state of a country is to be chosen.
    OnrampStateWanted,
    /// One who sells was chosen.
    OnrampChosen,
    /// One who sells led the visitor back to this page.
    OnrampReturned,
    /// Coins that were bought are there: what the account holds has changed.
    PurchaseSettled,
    /// The visitor is back from buying: what the account holds may have changed.
    Bought,
    /// Say something in passing.
    Say(Variant, Message),
    /// Say something that stays.
    Warn(AlertKey, String),
    /// An option cannot be used: for who made the page, whenever the modal is there.
    OptionFaulted(AlertKey, String),
    /// Something to be tracked (spec 8.54).
    Track(crate::analytics::Tracked),
}
