//! Inputs of the client.

#[cfg(feature = "wallet")]
use super::types::RpcError;
use crate::namespaces::ProposalNamespaces;
#[cfg(feature = "wallet")]
use crate::namespaces::SessionNamespaces;
use portico_json::{Json, Value};

/// Input to the client: a command or an outside event. Each command carries a ticket and is answered exactly once, by [`Output::Answered`]
/// or [`Output::Refused`].
#[derive(Clone, Eq, Json, PartialEq)]
#[json(tag = "type", name = "ClientInput")]
pub enum Input {
    /// Dapp: offer a new pairing. Answered at once with `{uri, topic, expiryTimestamp}` (seconds).
    Propose {
        /// Ticket of the command.
        ticket: u32,
        /// Namespaces that the wallet must allow; many wallets refuse whatever is listed here.
        required_namespaces: Option<ProposalNamespaces>,
        /// Namespaces that the wallet may allow.
        optional_namespaces: Option<ProposalNamespaces>,
        /// Properties of the whole session.
        session_properties: Option<Value>,
        /// Properties of single scopes.
        scoped_properties: Option<Value>,
    },
    /// Dapp: offer a pairing with a sign-in, and a plain proposal for wallets without sign-in. Answered at once like `propose`.
    #[cfg(feature = "sign-in")]
    Authenticate {
        /// Ticket of the command.
        ticket: u32,
        /// CAIP-2 chains in order of preference.
        chains: Vec<String>,
        /// Host of the page.
        domain: String,
        /// URI of the resource to sign in to.
        aud: String,
        /// Nonce of at least 8 letters and digits.
        nonce: String,
        /// Text for the visitor.
        statement: Option<String>,
        /// Methods that the signature authorises (ERC-5573).
        methods: Option<Vec<String>>,
        /// URIs of further resources.
        resources: Option<Vec<String>>,
        /// End of validity, ISO 8601.
        exp: Option<String>,
        /// Start of validity, ISO 8601.
        nbf: Option<String>,
        /// Request id that the dapp chose.
        request_id: Option<String>,
        /// Namespaces of the plain proposal; by default built from `chains` and `methods`.
        optional_namespaces: Option<ProposalNamespaces>,
    },
    /// Dapp: delete a pairing that no wallet has answered.
    CancelPairing {
        /// Ticket of the command.
        ticket: u32,
        /// Topic of the pairing.
        topic: String,
    },
    /// Dapp: send a request to the wallet. Answered with the wallet's result, refused with its error, or with 8000 when it expired.
    Request {
        /// Ticket of the command.
        ticket: u32,
        /// Topic of the session.
        topic: String,
        /// CAIP-2 chain.
        chain_id: String,
        /// JSON-RPC method, for instance `personal_sign`.
        method: String,
        /// Parameters of the method.
        params: Value,
        /// Lifetime in seconds, 300 to 604,800; 300 by default.
        expiry_seconds: Option<u64>,
    },
    /// Wallet: accept a pairing URI. Answered with `{topic}`.
    #[cfg(feature = "wallet")]
    Pair {
        /// Ticket of the command.
        ticket: u32,
        /// Pairing URI, `wc:…`.
        uri: String,
    },
    /// Wallet: approve a proposal and settle the session. Answered with the session.
    #[cfg(feature = "wallet")]
    Approve {
        /// Ticket of the command.
        ticket: u32,
        /// Id of the proposal.
        proposal: u64,
        /// Namespaces that the wallet allows.
        namespaces: SessionNamespaces,
        /// Properties of the whole session.
        session_properties: Option<Value>,
        /// Properties of single scopes.
        scoped_properties: Option<Value>,
        /// Whether the dapp should not bring the wallet to the front for each request.
        disable_deep_link: Option<bool>,
    },
    /// Wallet: refuse a proposal.
    #[cfg(feature = "wallet")]
    Reject {
        /// Ticket of the command.
        ticket: u32,
        /// Id of the proposal.
        proposal: u64,
        /// Error code, 5000 by default.
        code: Option<i64>,
        /// Message for people.
        message: Option<String>,
    },
    /// Wallet: respond to a request, with a result or an error.
    #[cfg(feature = "wallet")]
    Respond {
        /// Ticket of the command.
        ticket: u32,
        /// Topic of the session.
        topic: String,
        /// Id of the request.
        id: u64,
        /// Result of the method.
        result: Option<Value>,
        /// Error in place of a result.
        error: Option<RpcError>,
    },
    /// Wallet: change the namespaces of a session.
    #[cfg(feature = "wallet")]
    Update {
        /// Ticket of the command.
        ticket: u32,
        /// Topic of the session.
        topic: String,
        /// All namespaces that are allowed from now on.
        namespaces: SessionNamespaces,
    },
    /// Wallet: send an event to the dapp.
    #[cfg(feature = "wallet")]
    Emit {
        /// Ticket of the command.
        ticket: u32,
        /// Topic of the session.
        topic: String,
        /// CAIP-2 chain.
        chain_id: String,
        /// Name of the event, for instance `chainChanged`.
        name: String,
        /// Data of the event.
        data: Value,
    },
    /// Wallet: get the text that an account has to sign for an authentication. Answered with `{message, payload}`.
    #[cfg(feature = "wallet")]
    AuthenticateMessage {
        /// Ticket of the command.
        ticket: u32,
        /// Id of the request.
        id: u64,
        /// Account that signs: `did:pkh:` and a CAIP-10 account.
        issuer: String,
        /// Subset of the requested CAIP-2 chains for which the signature may be used; all of them by default.
        chains: Option<Vec<String>>,
        /// Subset of the requested methods that the signature may authorise; all of them by default.
        methods: Option<Vec<String>>,
    },
    /// Wallet: respond to an authentication with signatures. Answered with the session, or `null` if the signatures authorise none.
    #[cfg(feature = "wallet")]
    ApproveAuthenticate {
        /// Ticket of the command.
        ticket: u32,
        /// Id of the request.
        id: u64,
        /// CACAOs (CAIP-74), one per chain.
        cacaos: Vec<Value>,
    },
    /// Wallet: refuse an authentication.
    #[cfg(feature = "wallet")]
    RejectAuthenticate {
        /// Ticket of the command.
        ticket: u32,
        /// Id of the request.
        id: u64,
        /// Error code, 12001 by default.
        code: Option<i64>,
        /// Message for people.
        message: Option<String>,
    },
    /// Wallet: extend a session to seven days from now.
    #[cfg(feature = "wallet")]
    Extend {
        /// Ticket of the command.
        ticket: u32,
        /// Topic of the session.
        topic: String,
    },
    /// Both: check that the peer responds. Answered when it does, refused after 30 s.
    Ping {
        /// Ticket of the command.
        ticket: u32,
        /// Topic of the session.
        topic: String,
    },
    /// Both: end a session.
    Delete {
        /// Ticket of the command.
        ticket: u32,
        /// Topic of the session.
        topic: String,
        /// Error code, 6000 by default.
        code: Option<i64>,
        /// Message for people.
        message: Option<String>,
    },
    /// A socket is open.
    Opened {
        /// Number of the socket, from [`Output::Open`].
        socket: u32,
    },
    /// A socket received a frame.
    Message {
        /// Number of the socket, from [`Output::Open`].
        socket: u32,
        /// Text of the frame.
        text: String,
    },
    /// A socket was closed, or could not be opened.
    Closed {
        /// Number of the socket, from [`Output::Open`].
        socket: u32,
        /// Code of the close frame.
        code: Option<i64>,
        /// Reason of the close frame.
        reason: Option<String>,
    },
    /// The page is online or visible again, or the clock jumped: failed connections are retried.
    Wake,
    /// Another tab stored or removed a record.
    Stored {
        /// Key of the record.
        key: String,
        /// New value; `null` if the record was removed.
        value: Option<String>,
    },
    /// The time that `next_timeout` returned has come.
    Tick,
}

/// Prints no contents, because inputs hold keys and tokens.
impl std::fmt::Debug for Input {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Input")
    }
}
