//! The whole contact with the world, on one page.

use crate::notice::AlertKey;
use crate::part::Part;
use portico_json::{Json, Value};
use portico_terms::ChainId;
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
#[derive(Clone, Json, PartialEq)]
pub enum Operation {
    /// Make a part of the core ready to be called, and home with it (decision 7). Answered by `Done` or `Failed`.
    LoadPart {
        /// Which.
        part: Part,
    },
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
    /// Listen to the provider's events from now on. Of a session, of which the protocol knows no chain that is in use, it is told again
    /// whenever that changes here.
    WatchWallet {
        /// The connector's handle.
        handle: String,
        /// What brings the wallet's app to the front when it is asked something through its session: checked, made for this device.
        link: Option<String>,
        /// Where the provider of a session stands from now on, without an event of it: one of those that the session approves. `null` for a
        /// wallet that knows by itself.
        chain: Option<ChainId>,
    },
    /// Stop listening.
    UnwatchWallet {
        /// The connector's handle.
        handle: String,
    },
    /// Fetch the client of WalletConnect, once, and start it. Answered by `Answered` with `{sessions}`, all that it has, or `Failed`. From
    /// then on it tells what happens by the events `sessionSettled`, `pairingRejected`, `relayTold`, `sessionChanged` and `sessionEnded`,
    /// and every approved namespace of a session has a provider under the handle `walletConnect:<namespace>:<topic>`.
    OpenRelay,
    /// Propose a session. Only asked after `OpenRelay` was answered; answered in the caller's stack, before any relay has: by `Answered` with
    /// `{uri, topic, expiryTimestamp}`, the time in seconds, or by `Failed`.
    OpenPairing {
        /// The optional namespaces (CAIP-25): `{eip155: {chains, methods, events}}`.
        namespaces: Value,
    },
    /// A proposal is for nobody any more.
    ClosePairing {
        /// Its topic.
        topic: String,
    },
    /// End a session. Answered by `Done` or `Failed`.
    EndSession {
        /// Its topic.
        topic: String,
    },
    /// Open an address, in the caller's stack so that the browser takes it for the visitor's own doing. Never one of a scheme that runs
    /// something in the page.
    OpenLink {
        /// The address.
        href: String,
        /// Where.
        target: LinkTarget,
    },
    /// Open an empty tab, in the caller's stack so that the browser takes it for the visitor's own doing; an address follows by `LeadTab`.
    /// Answered by `Done`, or by `Failed` where the browser opens none.
    OpenTab,
    /// Lead the tab of `OpenTab` to an https address, cut off from this page, or close it. Answered by `Done`, or by `Failed` where it is
    /// gone.
    LeadTab {
        /// The address; `null` closes it.
        href: Option<String>,
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
    /// Read all that outlives the tab under keys that begin so. Answered by `Answered` with a list of [`crate::boot::StoredEntry`].
    ReadStorage {
        /// One of [`crate::storage::keys`] that end in a slash, or longer.
        prefix: String,
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

/// Where a link opens.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum LinkTarget {
    /// An app of this device: the page stays.
    #[json(rename = "_self")]
    Here,
    /// A page of its own, which cannot reach back (`noopener`).
    #[json(rename = "_blank")]
    Apart,
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
#[derive(Clone, Json, PartialEq)]
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
#[derive(Clone, Json, PartialEq)]
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
        // Wallets throw empty things, and whoever logs this is to see that it is no mistake of the log.
        let message = if error.message.is_empty() { "No reason was given" } else { &error.message };
        HostError { reason: error.kind.word().into(), message: message.into(), code: Some(error.code) }
    }
}
