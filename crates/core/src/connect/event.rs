//! Events of wallets, visitor and host about connecting, and the reasons of requests.

use super::{Alarm, Found, LinkKind, Platform, Question, RelayState};
use portico_json::{Json, Value};
use portico_terms::Namespace;

/// Connecting: events of wallets, visitor and host.
#[derive(Clone, Debug, Json)]
#[json(name = "ConnectEvent")]
pub enum Event {
    /// A wallet announced itself (EIP-6963) or was found in the page.
    WalletFound {
        /// As discovered: untrusted until parsed.
        wallet: Found,
    },
    WalletChosen {
        /// Id of the connector.
        connector: String,
    },
    /// The visitor chose one of the namespaces that a wallet serves.
    ChainChosen {
        /// Id of the connector of that namespace.
        connector: String,
    },
    /// The visitor ticked or cleared the consent box for the legal pages.
    LegalTicked { ticked: bool },
    /// The visitor typed into the search of all wallets.
    WalletSearchTyped { text: String },
    /// The end of the list of all wallets scrolled into view, or the visitor retries to load more.
    MoreWalletsAsked,
    /// The visitor retries the attempt.
    RetryAsked,
    /// The visitor chose a platform to reach a remote wallet on.
    PlatformChosen { platform: Platform },
    /// The visitor opens the wallet by its link.
    LinkAsked,
    /// The visitor copies the pairing URI.
    UriCopyAsked,
    /// The visitor follows a link to install a wallet.
    GetAsked { kind: LinkKind },
    /// The visitor requests a new code.
    PairingRetryAsked,
    SessionSettled {
        /// Session from the WalletConnect client; untrusted until parsed.
        session: Value,
    },
    /// A wallet rejected a pairing proposal, or could not process it.
    PairingRejected {
        /// Topic of the pairing.
        topic: String,
        /// WalletConnect error code; 5000 if the visitor refused.
        code: i64,
        /// Error message of the wallet.
        message: String,
    },
    /// The state of a relay connection changed.
    RelayTold {
        /// URL of the relay.
        relay: String,
        state: RelayState,
        /// Reason of a disconnect or refusal (spec 8.49).
        reason: Option<String>,
    },
    /// The wallet changed or extended a session.
    SessionChanged {
        /// The whole session as changed.
        session: Value,
    },
    /// The wallet ended a session, or it expired.
    SessionEnded {
        /// Topic of the session.
        topic: String,
    },
    /// The wallet of a session did not acknowledge a request.
    WalletSilent {
        /// Topic of the session.
        topic: String,
    },
    /// The host requested a connection.
    ConnectAsked {
        /// Id of a connector; `null` opens the modal.
        connector: Option<String>,
        /// Name of a namespace.
        namespace: Option<String>,
        /// Ticket of the host call.
        ticket: u32,
    },
    /// The visitor or the host chose another of the accounts that a connected wallet shares.
    AccountAsked {
        /// Name of a namespace.
        namespace: String,
        address: String,
        /// Ticket of the host call, which resolves once the account is active.
        ticket: Option<u32>,
    },
    /// The wallet's accounts changed (EIP-1193 `accountsChanged`).
    AccountsChanged {
        /// Key of the wallet's provider in the page.
        handle: String,
        /// Accounts as the wallet sent them.
        accounts: Value,
    },
    /// The page has the account of the embedded wallet on Solana, or no longer.
    LoginToldOnSolana {
        /// List with its address; empty without one.
        accounts: Value,
    },
    /// The wallet lost its chains (EIP-1193 `disconnect`).
    WalletDisconnected {
        /// Key of the wallet's provider in the page.
        handle: String,
    },
    /// The visitor or the host requested to disconnect.
    DisconnectAsked {
        /// Name of a namespace; `null` means all.
        namespace: Option<String>,
        /// Ticket of the host call.
        ticket: Option<u32>,
    },
}

/// Reasons of the feature's requests.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Wallet discovery.
    Discovered,
    /// Accounts for the attempt of this number.
    Accounts(u32),
    /// Chain for the attempt of this number.
    Chain(u32),
    /// Accounts of a reconnecting wallet, named by its handle.
    ReconnectAccounts(Namespace, String),
    /// Chain of a reconnecting wallet, named by its handle.
    ReconnectChain(Namespace, String),
    /// Check whether the wallet is still connected.
    Recheck(Namespace),
    /// Wallet request of the disconnection of this number.
    Released(u32),
    /// End of the site's session with this storage key.
    SignedOut(String),
    /// Loading of the WalletConnect client.
    Relay,
    /// New pairing code of this number.
    Pairing(u32),
    /// Copying of the pairing URI to the clipboard.
    UriCopied,
    /// Directory request to the host's server.
    Directory(Question),
}

impl Event {
    /// Whether the event concerns a remote wallet, or a login that is done; `home.rs` handles those (decision 7).
    pub fn is_remote(&self) -> bool {
        matches!(
            self,
            Event::PlatformChosen { .. }
                | Event::LinkAsked
                | Event::UriCopyAsked
                | Event::GetAsked { .. }
                | Event::PairingRetryAsked
                | Event::SessionSettled { .. }
                | Event::PairingRejected { .. }
                | Event::SessionChanged { .. }
                | Event::SessionEnded { .. }
                | Event::WalletSilent { .. }
                | Event::LoginToldOnSolana { .. }
                | Event::AccountAsked { .. }
        )
    }
}

impl Reason {
    /// Whether the request concerns a remote wallet.
    pub fn is_remote(&self) -> bool {
        matches!(self, Reason::Relay | Reason::Pairing(_) | Reason::UriCopied)
    }
}

impl From<Question> for crate::app::Reason {
    fn from(question: Question) -> crate::app::Reason {
        Reason::Directory(question).into()
    }
}

impl Alarm {
    /// Whether the alarm concerns a pairing code, or a login that is done; `home.rs` handles those (decision 7).
    pub fn is_remote(self) -> bool {
        matches!(self, Alarm::PairingTick | Alarm::PairingSlow | Alarm::LoginAccount)
    }
}
