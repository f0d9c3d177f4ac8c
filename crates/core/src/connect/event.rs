//! What wallets, visitor and host do about connecting, and why a wallet was asked.

use super::{Found, LinkKind, Platform, Question, RelayState};
use portico_json::{Json, Value};
use portico_terms::Namespace;

/// What wallets, visitor and host do about connecting.
#[derive(Clone, Debug, Json)]
#[json(name = "ConnectEvent")]
pub enum Event {
    /// A wallet presented itself (EIP-6963) or was found.
    WalletFound {
        /// As it presented itself: hostile until parsed.
        wallet: Found,
    },
    /// The visitor chose a wallet.
    WalletChosen {
        /// The connector's id.
        connector: String,
    },
    /// The box under which the host's legal pages are named was ticked, or the tick taken away.
    LegalTicked {
        /// Whether it is ticked now.
        ticked: bool,
    },
    /// The visitor searches all wallets.
    WalletSearchTyped {
        /// As typed.
        text: String,
    },
    /// The end of the list of all wallets came into sight, or the visitor tries again to get it.
    MoreWalletsAsked,
    /// The visitor tries again.
    RetryAsked,
    /// The visitor chose a way to reach a remote wallet.
    PlatformChosen {
        /// Which.
        platform: Platform,
    },
    /// The visitor opens the wallet by its link.
    LinkAsked,
    /// The visitor copies the address of the pairing.
    UriCopyAsked,
    /// The visitor follows a link to where a wallet is to be had.
    GetAsked {
        /// Which.
        kind: LinkKind,
    },
    /// The visitor wants another code.
    PairingRetryAsked,
    /// A wallet approved a session.
    SessionSettled {
        /// As the client of WalletConnect tells it: hostile until parsed.
        session: Value,
    },
    /// A wallet refused what was proposed to it, or could not take it.
    PairingRejected {
        /// The topic of the pairing.
        topic: String,
        /// A code of WalletConnect: 5000 where the visitor refused.
        code: i64,
        /// The wallet's words.
        message: String,
    },
    /// What stands between us and a relay.
    RelayTold {
        /// Its address.
        relay: String,
        /// How it stands.
        state: RelayState,
        /// Why it closed or refused (spec 8.49).
        reason: Option<String>,
    },
    /// The wallet changed what it approves, or prolonged it.
    SessionChanged {
        /// Whole.
        session: Value,
    },
    /// The wallet ended a session, or its time is over.
    SessionEnded {
        /// The topic of the session.
        topic: String,
    },
    /// The wallet of a session was asked something, and does not say that it is there.
    WalletSilent {
        /// The topic of the session.
        topic: String,
    },
    /// The host asked for a connection.
    ConnectAsked {
        /// A connector's id; `null` opens the modal.
        connector: Option<String>,
        /// A namespace by its name.
        namespace: Option<String>,
        /// The host's call.
        ticket: u32,
    },
    /// The wallet shows other accounts (EIP-1193 `accountsChanged`).
    AccountsChanged {
        /// The connector's handle.
        handle: String,
        /// What the wallet sent.
        accounts: Value,
    },
    /// The wallet lost its chains (EIP-1193 `disconnect`).
    WalletDisconnected {
        /// The connector's handle.
        handle: String,
    },
    /// The visitor or the host asked to disconnect.
    DisconnectAsked {
        /// A namespace by its name; `null` means all.
        namespace: Option<String>,
        /// The host's call.
        ticket: Option<u32>,
    },
}

/// Why a wallet was asked.
#[derive(Clone, Debug)]
pub enum Reason {
    /// All wallets had their chance to present themselves.
    Discovered,
    /// For accounts, in an attempt.
    Accounts(u32),
    /// For its chain, in an attempt.
    Chain(u32),
    /// For accounts, coming back; the wallet by its handle.
    ReconnectAccounts(Namespace, String),
    /// For its chain, coming back; the wallet by its handle.
    ReconnectChain(Namespace, String),
    /// Whether it is still there.
    Recheck(Namespace),
    /// To let go, in a disconnection.
    Released(u32),
    /// The client of WalletConnect, to be there.
    Relay,
    /// It, for a code.
    Pairing(u32),
    /// The clipboard, to take the address of the pairing.
    UriCopied,
    /// The host's server, for wallets of the directory.
    Directory(Question),
}

impl Event {
    /// Whether it is about a remote wallet: that is the business of `home.rs` (decision 7).
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
        )
    }
}

impl Reason {
    /// The same, for what was asked.
    pub fn is_remote(&self) -> bool {
        matches!(self, Reason::Relay | Reason::Pairing(_) | Reason::UriCopied)
    }
}

impl From<Question> for crate::app::Reason {
    fn from(question: Question) -> crate::app::Reason {
        Reason::Directory(question).into()
    }
}
