//! Signals that features emit; `reactions.rs` defines the consequences.

use crate::notice::{AlertKey, Message, Variant};
use crate::part::Part;
use portico_json::Value;
use portico_terms::{ChainId, Namespace};

/// Fact that one feature states for the others.
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// An account connected.
    Connected {
        namespace: Namespace,
        /// Chain that the wallet reported; `None` if the report was invalid.
        chain: Option<ChainId>,
        /// Whether the connection was restored after a reload.
        reconnect: bool,
    },
    /// The account of a namespace, or its network, changed: its data has to be requested.
    AccountChanged { namespace: Namespace },
    /// The visitor looks at the account, or may do so: its data is requested if outdated.
    AccountShown,
    /// The wallet now offers other accounts.
    AccountSwitched { namespace: Namespace },
    /// Namespaces were disconnected.
    Disconnected { namespaces: Vec<Namespace> },
    /// The site's session of an account on a chain has to end.
    SessionLeft(ChainId, String),
    /// The host removed the adapter of a namespace.
    AdapterRemoved(Namespace),
    /// An attempt to connect started.
    ConnectStarted {
        /// Whether the modal shows the attempt; a host's own button needs no modal.
        shown: bool,
    },
    /// A disconnect request cancelled the attempt to connect.
    AttemptDropped,
    /// The embedded wallet's frame loaded.
    FrameLoaded,
    /// The visitor chose a wallet that is not in this browser and cannot be reached through a session.
    WalletWanted,
    /// A remote wallet, or WalletConnect without a certain wallet, was chosen.
    RemoteChosen,
    /// A pairing code for a remote wallet, or a link to the wallet, is shown.
    PairingShown,
    /// A wallet approved chains of a namespace (spec 3.2).
    Approved {
        namespace: Namespace,
        /// Chains that the session approves; `None` for a wallet without a session, where any chain may work.
        chains: Option<Vec<ChainId>>,
        /// Current chain of the wallet.
        stands: ChainId,
    },
    /// The list of all wallets was opened.
    AllWalletsShown,
    /// The visitor chose the wallet that is already connected.
    AlreadyConnected,
    /// The visitor chose a wallet that serves several namespaces.
    MultiChainChosen,
    /// The host wants the visitor to choose a wallet.
    ConnectViewAsked,
    /// Another chain became active.
    NetworkSwitched {
        /// New active chain.
        chain: ChainId,
        /// Whether a switch of the visitor, the host or the options requested it, rather than the wallet.
        asked: bool,
    },
    /// The wallet is on a chain that the host does not support (spec 2.24).
    NetworkUnsupported,
    /// A network switch is waiting for the wallet.
    SwitchStarted,
    /// A network switch ended or was not needed: its screens close.
    SwitchSettled,
    /// The modal opened.
    ModalOpened,
    /// The modal closed.
    ModalClosed,
    /// The visitor left a view.
    ViewLeft(crate::modal::View),
    /// The host opened the modal for a namespace (spec 2.3).
    NamespaceAsked(Namespace),
    /// The visitor chose a network of a namespace without an account.
    AccountMissing(Namespace),
    /// The modal lists the wallets of one namespace.
    WalletsOffered,
    /// The form of a part is shown, possibly with arguments of the host.
    FormAsked {
        part: Part,
        /// Arguments of the host, unchecked.
        arguments: portico_json::Value,
        /// Number of the host's call.
        ticket: Option<u32>,
    },
    /// An earlier page stored unfinished work of a part.
    Resumed(Part),
    /// The page became visible again, or has a network again.
    PageShown,
    /// The account is read anew on request.
    RefreshAsked,
    /// The active remote wallet has not confirmed that it received a request.
    WalletSilent,
    /// The visitor wants to choose a token for a swap.
    SwapTokenAsked,
    /// A token for a swap was chosen.
    SwapTokenChosen,
    /// The visitor wants to choose another network for a swap.
    SwapNetworkAsked,
    /// The swap form is valid: the preview of the transaction opens.
    SwapReviewed,
    /// The previewed swap is no longer valid: the preview closes.
    SwapUnready,
    /// The token to send was chosen.
    SendTokenChosen,
    /// The view of the sent transaction and its state opens.
    SendShown,
    /// The visitor opened the details of a row.
    DetailAsked(crate::modal::View),
    /// The visitor wants to pay with the token of which the details are shown.
    TokenFormAsked {
        part: Part,
        /// The token, as a host would name it.
        arguments: portico_json::Value,
    },
    /// A name was registered for an address.
    NameRegistered {
        address: String,
        /// Complete name, such as "alice.example.eth".
        name: String,
    },
    /// The embedded wallet ended its session, or had none.
    LoggedOut,
    /// The modal offers a social login: its part has to be there before the visitor chooses one, since only a click opens windows.
    LoginOffered,
    /// The visitor came back from the page of a social login, which took the place of this one (spec 2.27).
    LoginReturned,
    /// A login, or a change of the address, shows its next view.
    LoginStepShown(crate::modal::View),
    /// The settings of the embedded wallet are closed.
    SettingsClosed,
    /// The frame told who is logged in.
    EmbeddedUserKnown {
        user: crate::facts::EmbeddedUser,
        /// Whether the visitor just logged in, so that the account connects.
        entering: bool,
        /// Ticket of the host call that logged the visitor in.
        ticket: Option<u32>,
    },
    /// The account of the embedded wallet holds coins.
    LoginFunded,
    /// The frame ended the session by itself.
    LoginLost,
    /// The frame told the address of the login's account on EVM chains, which may be another than before.
    LoginMoved(String),
    /// The e-mail address was changed.
    EmailUpdated,
    /// A request waits for the visitor's approval in the frame (spec 2.26).
    ApprovalAsked,
    /// The visitor decided about the request, or it was withdrawn.
    ApprovalSettled {
        /// Whether the wallet did what was asked.
        done: bool,
    },
    /// The site has no session of the account: its view is shown (spec 4.25).
    SignInDue,
    /// The host chose another theme, told as the payload of `SYNC_THEME`.
    ThemeChanged(Value),
    /// The embedded wallet may sign the site's message in the same step as its login.
    SignInWithLogin { message: String },
    /// It did, or did not.
    SignedWithLogin { signature: Option<String> },
    /// The code of the sign-in did not load (spec 6.3).
    SignInMissing,
    /// The site has a session already (spec 4.25).
    SignInFound,
    /// There is a session, or none is needed: the view closes (spec 4.26).
    SignInSettled,
    /// The visitor does not sign in, and the site does not require it (spec 4.28).
    SignInCanceled,
    /// The visitor does not sign in on this network, and goes back to one with a session (interface 1.13).
    SignInLeft(ChainId),
    /// The visitor does not sign in although the site requires it, or the site cannot: the account is disconnected (spec 4.28, 8.7).
    SignInRefused,
    /// A method was asked for that the embedded wallet does not accept (spec 4.41).
    MethodRefused,
    /// A transaction was sent.
    SendStarted,
    /// A transaction was mined or given up.
    SendSettled,
    /// A form goes on to its next view.
    FormStep(crate::modal::View),
    /// A view of a form is done, or its content is no longer valid: it closes.
    FormStepLeft(crate::modal::View),
    /// The send form is valid: the preview of the transaction opens.
    SendReviewed,
    /// The previewed transaction can no longer be sent: the preview closes.
    SendUnready,
    /// The visitor mends the form to send: messages about it close.
    SendMended,
    /// The view of the signed swap and its state opens.
    SwapShown,
    /// A coin, currency, country or state was chosen from its list.
    OnrampPicked,
    /// The visitor has to choose a country.
    OnrampCountryWanted,
    /// The visitor has to choose a state of the chosen country.
    OnrampStateWanted,
    /// An on-ramp provider was chosen.
    OnrampChosen,
    /// An on-ramp provider redirected the visitor back to this page.
    OnrampReturned,
    /// Bought coins arrived, so the balances changed.
    PurchaseSettled,
    /// The visitor finished a purchase, so the balances may have changed.
    Bought,
    /// Show a snack, which disappears by itself.
    Say(Variant, Message),
    /// Show an alert, which stays until it is dismissed.
    Warn(AlertKey, String),
    /// An option of the host is invalid: an alert for the developer of the page, shown once the modal is.
    OptionFaulted(AlertKey, String),
    /// Publish an analytics event (spec 8.54).
    Track(crate::analytics::Tracked),
}
