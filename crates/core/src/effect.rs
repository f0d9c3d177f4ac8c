//! The whole contact with the world, on one page.

use crate::notice::AlertKey;
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;

/// One order to the shell. It is answered exactly once, by its id.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Effect {
    /// Unique in the life of the core.
    pub id: u32,
    /// What to do.
    pub operation: Operation,
}

/// What the shell can do.
#[derive(Clone, Debug, Json, PartialEq)]
pub enum Operation {
    /// Make the second half of the core ready to be called (decision 7). Answered by `Done` or `Failed`.
    LoadHome,
    /// Ask wallets to present themselves (EIP-6963) and look for injected ones. They come as events; the answer is `Done`.
    DiscoverWallets,
    /// An EIP-1193 request to the provider of a connector. Answered by `Answered` or `Failed`.
    RequestWallet {
        /// The connector's handle.
        handle: String,
        /// "eth_requestAccounts"
        method: String,
        /// The params array, or `null` for none.
        params: Value,
    },
    /// Listen to the provider's events from now on.
    WatchWallet {
        /// The connector's handle.
        handle: String,
    },
    /// Stop listening.
    UnwatchWallet {
        /// The connector's handle.
        handle: String,
    },
    /// An HTTP request (spec 7.9). Answered by `HttpAnswered` or `Failed`.
    SendHttp {
        /// Its method.
        method: HttpMethod,
        /// The address, whole.
        url: String,
        /// The body, JSON text.
        body: Option<String>,
        /// Give up after so many milliseconds.
        timeout: u32,
    },
    /// Fetch pictures (`WalletImages` of the host's own server) and keep each in the page under `image:` and its id. Answered by `Done`
    /// or `Failed`.
    FetchPictures {
        /// The address, whole.
        url: String,
        /// Give up after so many milliseconds.
        timeout: u32,
    },
    /// Store a text.
    WriteStorage {
        /// Where.
        area: StorageArea,
        /// One of [`crate::storage::keys`].
        key: String,
        /// The text.
        value: String,
    },
    /// Forget a key.
    RemoveStorage {
        /// Where.
        area: StorageArea,
        /// One of [`crate::storage::keys`].
        key: String,
    },
    /// Put a text on the clipboard.
    CopyText {
        /// The text.
        text: String,
    },
    /// Settle the promise that a host call returned.
    AnswerHost {
        /// The call's number.
        ticket: u32,
        /// How it ended.
        answer: HostAnswer,
    },
    /// Write an alert to the console and note it for the host (`reportedAlertErrors`), whether or not it is ever drawn.
    TellAlert {
        /// What it is about.
        key: AlertKey,
        /// Which option, which network.
        detail: String,
    },
    /// Hand a tracked event to the host's subscribers (spec 8.54). Nothing is sent anywhere.
    PublishEvent {
        /// "MODAL_OPEN"
        event: String,
        /// The event's own fields.
        properties: Value,
        /// The active address, if any.
        address: Option<String>,
    },
}

/// What the client can do (spec 7.9).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum HttpMethod {
    /// Read.
    #[json(rename = "GET")]
    Get,
    /// Tell.
    #[json(rename = "POST")]
    Post,
    /// Set.
    #[json(rename = "PUT")]
    Put,
    /// Remove.
    #[json(rename = "DELETE")]
    Delete,
}

/// The two storages of a page.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum StorageArea {
    /// Stays.
    Local,
    /// Ends with the tab.
    Session,
}

/// How an effect ended.
#[derive(Clone, Debug, Json, PartialEq)]
pub enum Outcome {
    /// It is done and has nothing to tell.
    Done,
    /// What the wallet answered: hostile until parsed.
    Answered {
        /// Any JSON; what has no JSON form came as `null`.
        value: Value,
    },
    /// What the server answered: hostile until parsed.
    HttpAnswered {
        /// The status code.
        status: u16,
        /// What the header Retry-After asks for, in milliseconds from now.
        retry_after: Option<u64>,
        /// The body.
        body: String,
    },
    /// It was refused, threw or timed out.
    Failed {
        /// Whatever was thrown, as JSON.
        error: Value,
    },
}

impl Outcome {
    /// The outcome of a wallet request as a result.
    pub fn into_result(self) -> Result<Value, RpcError> {
        match self {
            Outcome::Answered { value } => Ok(value),
            Outcome::Done => Ok(Value::Null),
            Outcome::HttpAnswered { .. } => Err(RpcError::nonsense("")),
            Outcome::Failed { error } => Err(RpcError::from_thrown(&error)),
        }
    }
}

/// How a host's call ended.
#[derive(Clone, Debug, Json, PartialEq)]
pub enum HostAnswer {
    /// It worked.
    Resolved {
        /// What the call returns.
        value: Value,
    },
    /// It did not.
    Rejected {
        /// Why.
        error: HostError,
    },
}

/// Why a host's call failed: a typed reason.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct HostError {
    /// A word to branch on: "userRejected", "networkNotFound".
    pub reason: String,
    /// The exact text of the contract, or the wallet's own words.
    pub message: String,
    /// The EIP-1193 or JSON-RPC code, where a wallet or a node gave one.
    pub code: Option<i64>,
}

impl HostError {
    /// A reason of ours.
    pub fn new(reason: &str, message: &str) -> HostError {
        HostError { reason: reason.into(), message: message.into(), code: None }
    }
}

impl From<&RpcError> for HostError {
    fn from(error: &RpcError) -> HostError {
        HostError { reason: error.kind.word().into(), message: error.message.clone(), code: Some(error.code) }
    }
}
