//! Outputs of the client.

use super::types::Session;
#[cfg(feature = "wallet")]
use super::types::{AuthenticateRequest, Proposal, SessionRequest};
use portico_json::{Json, Value};

/// Output of the client: an order to the driver, the answer to a command, or an event.
#[derive(Clone, Eq, Json, PartialEq)]
#[json(tag = "type", name = "ClientOutput")]
pub enum Output {
    /// Open a socket and answer with `opened` or `closed`.
    Open {
        /// Number of the socket, never used twice.
        socket: u32,
        /// URL with the token in it: not for logs.
        url: String,
    },
    /// Send a frame.
    Send {
        /// Number of the socket.
        socket: u32,
        /// Text of the frame.
        text: String,
    },
    /// Close a socket; no `closed` is expected.
    Close {
        /// Number of the socket.
        socket: u32,
    },
    /// Store a record. Secret: it holds keys.
    Store {
        /// Key of the record.
        key: String,
        /// Text of the record.
        value: String,
    },
    /// Remove a record.
    Remove {
        /// Key of the record.
        key: String,
    },
    /// A command succeeded.
    Answered {
        /// Ticket of the command.
        ticket: u32,
        /// Result, as documented at the command in `Input`.
        value: Value,
    },
    /// A command failed.
    Refused {
        /// Ticket of the command.
        ticket: u32,
        /// Code of WalletConnect, or of the wallet.
        code: i64,
        /// Message for people.
        message: String,
        /// Data that the wallet added.
        data: Option<Value>,
    },
    /// Report an event.
    Told {
        /// Event to report.
        event: Box<Event>,
    },
}

/// Prints no contents, because outputs hold keys and tokens.
impl std::fmt::Debug for Output {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Output")
    }
}

/// Event that the client reports.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(tag = "type", name = "ClientEvent")]
pub enum Event {
    /// First event: sessions, proposals and requests from storage.
    Started {
        /// Sessions that have not expired.
        sessions: Vec<Session>,
        /// Proposals that the wallet has not answered yet.
        #[cfg(feature = "wallet")]
        proposals: Vec<Proposal>,
        /// Requests that the wallet has not answered yet.
        #[cfg(feature = "wallet")]
        requests: Vec<SessionRequest>,
    },
    /// Wallet: a dapp proposes a session.
    #[cfg(feature = "wallet")]
    Proposed {
        /// Namespaces and metadata of the dapp.
        proposal: Proposal,
    },
    /// A session was settled.
    Settled {
        /// Settled session.
        session: Session,
        /// Topic of the pairing that led to the session.
        pairing_topic: String,
    },
    /// Dapp: the wallet rejected the proposal or the sign-in.
    Rejected {
        /// Topic of the pairing.
        pairing_topic: String,
        /// Error code of the wallet.
        code: i64,
        /// Error message of the wallet.
        message: String,
    },
    /// A proposal ended without an answer: it expired, the dapp withdrew it, or another tab answered it.
    ProposalExpired {
        /// Topic of the pairing.
        pairing_topic: String,
    },
    /// The namespaces or the expiry of the session changed.
    Updated {
        /// Session after the change.
        session: Session,
    },
    /// Dapp: the wallet extended the session.
    Extended {
        /// Session with its new expiry.
        session: Session,
    },
    /// The session was ended, by either side or another tab.
    Deleted {
        /// Topic of the session.
        topic: String,
        /// Error code of the reason.
        code: i64,
        /// Message for people.
        message: String,
    },
    /// The session has expired.
    Expired {
        /// Topic of the session.
        topic: String,
    },
    /// Wallet: a dapp sent a request.
    #[cfg(feature = "wallet")]
    Requested {
        /// Request to show and answer.
        request: SessionRequest,
    },
    /// Wallet: a request expired unanswered, or another tab answered it.
    #[cfg(feature = "wallet")]
    RequestExpired {
        /// Topic of the session.
        topic: String,
        /// Id of the request.
        id: u64,
    },
    /// Dapp: the wallet sent an event.
    Emitted {
        /// Topic of the session.
        topic: String,
        /// CAIP-2 chain.
        chain_id: String,
        /// Name of the event, for instance `accountsChanged`.
        name: String,
        /// Data of the event.
        data: Value,
    },
    /// Wallet: a dapp requests a sign-in.
    #[cfg(feature = "wallet")]
    AuthenticateAsked {
        /// Payload to sign, and the dapp that requests it.
        request: AuthenticateRequest,
    },
    /// Dapp: the wallet signed in. The signatures are not verified.
    #[cfg(feature = "sign-in")]
    Authenticated {
        /// Topic of the pairing.
        pairing_topic: String,
        /// CACAOs (CAIP-74) that match the request. Unverified: whoever relies on one checks that its account has signed it.
        cacaos: Vec<Value>,
        /// Text that the account of each CACAO has signed if its signature is valid.
        messages: Vec<String>,
        /// Session that the signatures authorise, if any.
        session: Option<Session>,
    },
    /// The connection to a relay changed its state.
    Relay {
        /// URL of the relay, as configured or as a session has it.
        relay_url: String,
        /// New state.
        state: RelayState,
        /// Code of the close frame.
        code: Option<i64>,
        /// Reason of the close frame.
        reason: Option<String>,
    },
}

/// State of the connection to a relay.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum RelayState {
    /// A socket is being opened.
    Connecting,
    /// The socket is open.
    Open,
    /// Closed; opened again when needed.
    Closed,
    /// The relay refuses this client for a reason that waiting does not change.
    Refused,
}
