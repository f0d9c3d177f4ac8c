//! What comes out of the client.

use super::types::Session;
#[cfg(feature = "wallet")]
use super::types::{AuthenticateRequest, Proposal, SessionRequest};
use portico_json::{Json, Value};

/// What the client orders and tells.
#[derive(Clone, Eq, Json, PartialEq)]
#[json(tag = "type", name = "ClientOutput")]
pub enum Output {
    /// Open a socket and answer with `opened` or `closed`.
    Open {
        /// Its number, never used twice.
        socket: u32,
        /// With the token in it: not for logs.
        url: String,
    },
    /// Send a frame.
    Send {
        /// Its number.
        socket: u32,
        /// The frame.
        text: String,
    },
    /// Close a socket; no `closed` is expected.
    Close {
        /// Its number.
        socket: u32,
    },
    /// Keep a record. Secret: it holds keys.
    Store {
        /// Of the record.
        key: String,
        /// Its text.
        value: String,
    },
    /// Forget a record.
    Remove {
        /// Of the record.
        key: String,
    },
    /// A command succeeded.
    Answered {
        /// Of the command.
        ticket: u32,
        /// As its input says.
        value: Value,
    },
    /// A command failed.
    Refused {
        /// Of the command.
        ticket: u32,
        /// WalletConnect's, or the wallet's own.
        code: i64,
        /// For people.
        message: String,
        /// Whatever the wallet added.
        data: Option<Value>,
    },
    /// Something happened.
    Told {
        /// What.
        event: Box<Event>,
    },
}

/// Without a word of it: there are keys in it, and tokens.
impl std::fmt::Debug for Output {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Output")
    }
}

/// What happened.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(tag = "type", name = "ClientEvent")]
pub enum Event {
    /// First of all: what was stored.
    Started {
        /// That still live.
        sessions: Vec<Session>,
        /// That a wallet has not answered yet.
        #[cfg(feature = "wallet")]
        proposals: Vec<Proposal>,
        /// That a wallet has not answered yet.
        #[cfg(feature = "wallet")]
        requests: Vec<SessionRequest>,
    },
    /// Wallet: a dapp asks for a session.
    #[cfg(feature = "wallet")]
    Proposed {
        /// What it asks for.
        proposal: Proposal,
    },
    /// A session is there.
    Settled {
        /// The session.
        session: Session,
        /// Of the pairing it came from.
        pairing_topic: String,
    },
    /// Dapp: the wallet refused.
    Rejected {
        /// Of the pairing.
        pairing_topic: String,
        /// The wallet's code.
        code: i64,
        /// The wallet's words.
        message: String,
    },
    /// Nobody answered in time.
    ProposalExpired {
        /// Of the pairing.
        pairing_topic: String,
    },
    /// The wallet changed what it allows.
    Updated {
        /// As it is now.
        session: Session,
    },
    /// The session lives longer, or the dapp has confirmed it.
    Extended {
        /// As it is now.
        session: Session,
    },
    /// The session was ended, by either side or another tab.
    Deleted {
        /// Of the session.
        topic: String,
        /// Why.
        code: i64,
        /// For people.
        message: String,
    },
    /// The session is over its time.
    Expired {
        /// Of the session.
        topic: String,
    },
    /// Wallet: a dapp asks for something.
    #[cfg(feature = "wallet")]
    Requested {
        /// What.
        request: SessionRequest,
    },
    /// Wallet: an unanswered request is over its time.
    #[cfg(feature = "wallet")]
    RequestExpired {
        /// Of the session.
        topic: String,
        /// Of the request.
        id: u64,
    },
    /// Dapp: the wallet told an event.
    Emitted {
        /// Of the session.
        topic: String,
        /// CAIP-2.
        chain_id: String,
        /// For instance `accountsChanged`.
        name: String,
        /// As the event has it.
        data: Value,
    },
    /// Wallet: a dapp asks for a sign-in.
    #[cfg(feature = "wallet")]
    AuthenticateAsked {
        /// What is to be signed.
        request: AuthenticateRequest,
    },
    /// Dapp: the wallet signed in. The signatures themselves are to be verified by who uses them.
    #[cfg(feature = "wallet")]
    Authenticated {
        /// Of the pairing.
        pairing_topic: String,
        /// CACAOs (CAIP-74) that fit what was asked. Unverified: whoever relies on one checks that its account has signed it.
        cacaos: Vec<Value>,
        /// The session that the signatures authorise, where they do.
        session: Option<Session>,
    },
    /// A relay's connection.
    Relay {
        /// As configured.
        relay_url: String,
        /// Where it stands.
        state: RelayState,
        /// Of the close frame.
        code: Option<i64>,
        /// Of the close frame.
        reason: Option<String>,
    },
}

/// Where a relay's connection stands.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum RelayState {
    /// A socket is being opened.
    Connecting,
    /// Messages pass.
    Open,
    /// Closed; opened again when needed.
    Closed,
    /// The relay does not want this client, for a reason that waiting does not mend.
    Refused,
}
