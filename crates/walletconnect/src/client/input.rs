//! What goes into the client.

#[cfg(feature = "wallet")]
use super::types::RpcError;
use crate::namespaces::ProposalNamespaces;
#[cfg(feature = "wallet")]
use crate::namespaces::SessionNamespaces;
use portico_json::{Json, Value};

/// What the client is told. Each command carries a ticket and is answered exactly once, by [`Output::Answered`] or [`Output::Refused`].
#[derive(Clone, Eq, Json, PartialEq)]
#[json(tag = "type", name = "ClientInput")]
pub enum Input {
    /// Dapp: offer a new pairing. Answered at once with `{uri, topic, expiryTimestamp}` (seconds).
    Propose {
        /// Of the command.
        ticket: u32,
        /// What the wallet must allow; many wallets refuse whatever is listed here.
        required_namespaces: Option<ProposalNamespaces>,
        /// What the wallet may allow.
        optional_namespaces: Option<ProposalNamespaces>,
        /// Facts about the whole session.
        session_properties: Option<Value>,
        /// Facts about single scopes.
        scoped_properties: Option<Value>,
    },
    /// Dapp: offer a pairing with a sign-in, and a plain proposal for wallets without it. Answered at once as `propose`.
    #[cfg(feature = "wallet")]
    Authenticate {
        /// Of the command.
        ticket: u32,
        /// CAIP-2, in the order of preference.
        chains: Vec<String>,
        /// Host of the page.
        domain: String,
        /// URI of what is signed in to.
        aud: String,
        /// At least 8 letters and digits.
        nonce: String,
        /// In words.
        statement: Option<String>,
        /// To be authorised by the signature (ERC-5573).
        methods: Option<Vec<String>>,
        /// URIs.
        resources: Option<Vec<String>>,
        /// ISO 8601.
        exp: Option<String>,
        /// ISO 8601.
        nbf: Option<String>,
        /// Of the dapp.
        request_id: Option<String>,
        /// For the plain proposal; made of `chains` and `methods` where none are given.
        optional_namespaces: Option<ProposalNamespaces>,
    },
    /// Dapp: forget a pairing that nobody has answered.
    CancelPairing {
        /// Of the command.
        ticket: u32,
        /// Of the pairing.
        topic: String,
    },
    /// Dapp: ask the wallet. Answered with the wallet's result, refused with its error, or with 8000 when it expired.
    Request {
        /// Of the command.
        ticket: u32,
        /// Of the session.
        topic: String,
        /// CAIP-2.
        chain_id: String,
        /// For instance `personal_sign`.
        method: String,
        /// As the method wants them.
        params: Value,
        /// 300 to 604,800; 300 where it is not given.
        expiry_seconds: Option<u64>,
    },
    /// Wallet: take a pairing's URI. Answered with `{topic}`.
    #[cfg(feature = "wallet")]
    Pair {
        /// Of the command.
        ticket: u32,
        /// `wc:…`
        uri: String,
    },
    /// Wallet: settle a session. Answered with the session.
    #[cfg(feature = "wallet")]
    Approve {
        /// Of the command.
        ticket: u32,
        /// Its id.
        proposal: u64,
        /// What is allowed.
        namespaces: SessionNamespaces,
        /// Facts about the whole session.
        session_properties: Option<Value>,
        /// Facts about single scopes.
        scoped_properties: Option<Value>,
        /// Whether the dapp should not bring the wallet to front for each request.
        disable_deep_link: Option<bool>,
    },
    /// Wallet: refuse a proposal.
    #[cfg(feature = "wallet")]
    Reject {
        /// Of the command.
        ticket: u32,
        /// Its id.
        proposal: u64,
        /// 5000 where it is not given.
        code: Option<i64>,
        /// For people.
        message: Option<String>,
    },
    /// Wallet: answer a request, with a result or an error.
    #[cfg(feature = "wallet")]
    Respond {
        /// Of the command.
        ticket: u32,
        /// Of the session.
        topic: String,
        /// Of the request.
        id: u64,
        /// What the method gives.
        result: Option<Value>,
        /// Why not.
        error: Option<RpcError>,
    },
    /// Wallet: change what is allowed.
    #[cfg(feature = "wallet")]
    Update {
        /// Of the command.
        ticket: u32,
        /// Of the session.
        topic: String,
        /// All that is allowed from now on.
        namespaces: SessionNamespaces,
    },
    /// Wallet: tell an event.
    #[cfg(feature = "wallet")]
    Emit {
        /// Of the command.
        ticket: u32,
        /// Of the session.
        topic: String,
        /// CAIP-2.
        chain_id: String,
        /// For instance `chainChanged`.
        name: String,
        /// As the event has it.
        data: Value,
    },
    /// Wallet: the text that an account has to sign for an authentication. Answered with `{message, payload}`.
    #[cfg(feature = "wallet")]
    AuthenticateMessage {
        /// Of the command.
        ticket: u32,
        /// Of the request.
        id: u64,
        /// `did:pkh:` and a CAIP-10 account.
        issuer: String,
        /// CAIP-2: for which the signature may be used, of those that are asked for. All of them where it is not given.
        chains: Option<Vec<String>>,
        /// What it may authorise, of what is asked for. All of it where it is not given.
        methods: Option<Vec<String>>,
    },
    /// Wallet: answer an authentication with signatures. Answered with the session, or `null` where the signatures authorise none.
    #[cfg(feature = "wallet")]
    ApproveAuthenticate {
        /// Of the command.
        ticket: u32,
        /// Of the request.
        id: u64,
        /// CACAOs (CAIP-74), one a chain.
        cacaos: Vec<Value>,
    },
    /// Wallet: refuse an authentication.
    #[cfg(feature = "wallet")]
    RejectAuthenticate {
        /// Of the command.
        ticket: u32,
        /// Of the request.
        id: u64,
        /// 12001 where it is not given.
        code: Option<i64>,
        /// For people.
        message: Option<String>,
    },
    /// Wallet: let a session live seven more days.
    #[cfg(feature = "wallet")]
    Extend {
        /// Of the command.
        ticket: u32,
        /// Of the session.
        topic: String,
    },
    /// Both: ask whether the peer is there. Answered when it is, refused after 30 s.
    Ping {
        /// Of the command.
        ticket: u32,
        /// Of the session.
        topic: String,
    },
    /// Both: end a session.
    Delete {
        /// Of the command.
        ticket: u32,
        /// Of the session.
        topic: String,
        /// 6000 where it is not given.
        code: Option<i64>,
        /// For people.
        message: Option<String>,
    },
    /// A socket is open.
    Opened {
        /// As in [`Output::Open`].
        socket: u32,
    },
    /// A frame came.
    Message {
        /// As in [`Output::Open`].
        socket: u32,
        /// The frame.
        text: String,
    },
    /// A socket is closed, or could not be opened.
    Closed {
        /// As in [`Output::Open`].
        socket: u32,
        /// Of the close frame.
        code: Option<i64>,
        /// Of the close frame.
        reason: Option<String>,
    },
    /// Online again, visible again, or the clock jumped: what was given up is tried anew.
    Wake,
    /// Another tab stored a record, or removed it.
    Stored {
        /// Of the record.
        key: String,
        /// `null` when it was removed.
        value: Option<String>,
    },
    /// The time that was asked for has come.
    Tick,
}

/// Without a word of it: there are keys in it, and tokens.
impl std::fmt::Debug for Input {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Input")
    }
}
