//! Effects and outcomes: everything through which the core reaches the browser, wallets and servers.

use crate::notice::AlertKey;
use crate::part::Part;
use portico_api::frame::FrameEvent;
use portico_json::{Json, Value};
use portico_terms::ChainId;
use portico_terms::rpc::RpcError;

/// Order to the shell. It is answered exactly once, by its id.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct Effect {
    /// Unique during the life of the core.
    pub id: u32,
    pub operation: Operation,
}

/// Content of an effect: one action of the shell.
#[derive(Clone, Json, PartialEq)]
pub enum Operation {
    /// Load a part of the core, and home with it (decision 7). Answered by `Done` or `Failed`.
    LoadPart { part: Part },
    /// Ask wallets to announce themselves (EIP-6963) and look for injected ones. They arrive as events; answered by `Done`.
    DiscoverWallets,
    /// Send an EIP-1193 request to the provider of a connector. Answered by `Answered` or `Failed`.
    RequestWallet {
        /// Handle of the connector.
        handle: String,
        /// "eth_requestAccounts"
        method: String,
        /// Array of parameters, or `null` for none.
        params: Value,
    },
    /// Listen to the provider's events from now on. WalletConnect sessions have no active chain; so for a session the operation is
    /// ordered again whenever the active chain changes here.
    WatchWallet {
        /// Handle of the connector.
        handle: String,
        /// Link that brings the wallet's app to the front when a request goes through its session: validated, built for this device.
        link: Option<String>,
        /// Active chain of a session's provider from now on, set without a provider event; one of the chains that the session approves.
        /// `null` for a wallet that knows its chain itself.
        chain: Option<ChainId>,
    },
    /// Stop listening to the provider's events.
    UnwatchWallet {
        /// Handle of the connector.
        handle: String,
    },
    /// Call the `disconnect()` of the provider of a host's wallet, if it has one. Answered by `Done` or `Failed`.
    DisconnectWallet {
        /// Handle of the connector.
        handle: String,
    },
    /// Fetch the WalletConnect client, once, and start it. Answered by `Answered` with `{sessions}`, all stored sessions, or `Failed`.
    /// From then on the client reports by the events `sessionSettled`, `pairingRejected`, `relayTold`, `sessionChanged` and
    /// `sessionEnded`, and every approved namespace of a session has a provider under the handle `walletConnect:<namespace>:<topic>`.
    OpenRelay,
    /// Propose a session. Only ordered after `OpenRelay` was answered. Answered synchronously in the caller's stack, before any response of
    /// the relay: by `Answered` with `{uri, topic, expiryTimestamp}`, the time in seconds, or by `Failed`.
    OpenPairing {
        /// Optional namespaces (CAIP-25): `{eip155: {chains, methods, events}}`.
        namespaces: Value,
    },
    /// Withdraw a proposal.
    ClosePairing {
        /// Topic of the pairing.
        topic: String,
    },
    /// End a session. Answered by `Done` or `Failed`.
    EndSession {
        /// Topic of the session.
        topic: String,
    },
    /// Create the frame of the embedded wallet, in place of an earlier one. Answered by `Done` once it has said that it is ready, or by
    /// `Failed`. A frame that loads anew in its place is reported by the event `frameRestarted`.
    OpenFrame {
        /// Chain for the address of the frame.
        chain: Option<String>,
    },
    /// Send a request to the frame. Answered by `Answered` with the payload of its answer, or by `Failed`; `RPC_ABORT` is answered at once.
    /// The page fills in the payload of `SYNC_DAPP_DATA` and `SYNC_THEME`.
    AskFrame {
        event: FrameEvent,
        /// Payload by the name of the request, or `null`.
        payload: Value,
    },
    /// Call a function of the host's sign-in (`siwx` or `siweConfig`). Answered by `Answered` with its result as JSON, or by `Failed`.
    AskSignIn {
        call: SignInCall,
        /// `{chainId, accountAddress}`; for `signMessage` also the message, for `addSession` also the fields of the session, and `others`, which
        /// the wallet signed by the same approval.
        given: Value,
    },
    /// Open a URL, synchronously in the caller's stack so that the browser counts it as an action of the visitor. Never a URL whose
    /// scheme runs code in the page.
    OpenLink { href: String, target: LinkTarget },
    /// Open an empty tab, synchronously in the caller's stack so that the browser counts it as an action of the visitor; `LeadTab` or
    /// `LeadLogin` sets its URL. Answered by `Done`, or by `Failed` if the browser blocks the tab.
    OpenTab {
        /// Whether it is a small window beside the page.
        small: bool,
    },
    /// Navigate the tab of `OpenTab` to the page of a social login, which keeps its opener, or close it. Answered by `Answered` with the
    /// address that a page of `origin` in this window handed over, or by `Failed` if the window was closed before.
    LeadLogin {
        /// URL; `null` closes the window, and the earlier effect fails.
        href: Option<String>,
        /// Origin of the embedded wallet.
        origin: String,
    },
    /// Navigate the tab of `OpenTab` to an https URL, without an opener, or close it. Answered by `Done`, or by `Failed` if the tab was
    /// closed.
    LeadTab {
        /// URL; `null` closes the tab.
        href: Option<String>,
    },
    /// Send an HTTP request (spec 7.9). Answered by `HttpAnswered` or `Failed`.
    SendHttp {
        method: HttpMethod,
        /// Complete URL.
        url: String,
        /// Body as JSON text.
        body: Option<String>,
        /// Timeout in milliseconds.
        timeout: u32,
    },
    /// Send a text through the WebSocket of a URL, which is opened first if it is not open. Answered by `Failed` once the socket is refused
    /// or has ended. Each text that arrives is reported by the event `messageReceived` of Solana.
    SendMessage {
        /// Complete URL in the scheme of HTTP, or a path.
        url: String,
        /// `null` closes the socket instead, and is answered by `Done`.
        text: Option<String>,
    },
    /// Fetch pictures (`WalletImages` of the host's own server) and store each in the page under `image:` and its id. Answered by `Done`
    /// or `Failed`.
    FetchPictures {
        /// Complete URL.
        url: String,
        /// Timeout in milliseconds.
        timeout: u32,
    },
    /// Load a picture, so that it is drawn at once when it is shown. Answered by `Done`, for a slow one after the timeout, or by `Failed`.
    PreloadPicture {
        url: String,
        /// Timeout in milliseconds.
        timeout: u32,
    },
    /// Store a text.
    WriteStorage {
        area: StorageArea,
        /// One of [`crate::storage::keys`].
        key: String,
        value: String,
    },
    /// Remove a key.
    RemoveStorage {
        area: StorageArea,
        /// One of [`crate::storage::keys`].
        key: String,
    },
    /// Read all entries of the local storage whose keys have a prefix. Answered by `Answered` with a list of [`crate::boot::StoredEntry`].
    ReadStorage {
        /// One of the [`crate::storage::keys`] that end in a slash, possibly with more text after it.
        prefix: String,
    },
    /// Put a text on the clipboard.
    CopyText { text: String },
    /// Settle the promise that a host call returned.
    AnswerHost {
        /// Number of the call.
        ticket: u32,
        answer: HostAnswer,
    },
    /// Write an alert to the console and record it for the host (`reportedAlertErrors`), whether or not it is ever drawn.
    TellAlert {
        /// Kind of the alert.
        key: AlertKey,
        /// Option or network in question.
        detail: String,
    },
    /// Write a text to the console for the developer of the page; visitors do not see it.
    TellDeveloper { text: String },
    /// Pass a tracked event to the host's subscribers (spec 8.54). It is not sent over the network.
    PublishEvent {
        /// "MODAL_OPEN"
        event: String,
        /// Fields specific to the event.
        properties: Value,
        /// Active address, if any.
        address: Option<String>,
    },
}

/// Function of the host's sign-in (interface 1.13).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum SignInCall {
    /// Answered with the list of sessions.
    GetSessions,
    /// Answered with `{data, message, signs, name, icon}`: the fields and the text of the message, whether the host signs it by
    /// `signMessage`, and the page's name and icon.
    CreateMessage,
    /// Answered with the signature.
    SignMessage,
    /// Answered with the list of accounts and chains of the sessions saved, if the site took the others with the first one.
    AddSession,
    RevokeSession,
}

impl SignInCall {
    /// Account and chain, as the site's functions get them.
    pub fn subject(chain: &ChainId, address: &str) -> Vec<(String, Value)> {
        vec![("chainId".into(), Value::Text(chain.to_string())), ("accountAddress".into(), address.into())]
    }
}

/// Where a link opens.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum LinkTarget {
    /// In an app of this device; the page stays.
    #[json(rename = "_self")]
    Here,
    /// In a new tab without access to this page (`noopener`).
    #[json(rename = "_blank")]
    Apart,
}

/// Method of an HTTP request (spec 7.9).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum HttpMethod {
    #[json(rename = "GET")]
    Get,
    #[json(rename = "POST")]
    Post,
    #[json(rename = "PUT")]
    Put,
    #[json(rename = "DELETE")]
    Delete,
}

/// Storage of the page.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum StorageArea {
    /// `localStorage`.
    Local,
    /// `sessionStorage`, which ends with the tab.
    Session,
}

/// Answer of the shell to one effect.
#[derive(Clone, Json, PartialEq)]
pub enum Outcome {
    /// Success without a value.
    Done,
    /// Response of a wallet or of the shell, untrusted until parsed.
    Answered {
        /// Any JSON; values without a JSON form are `null`.
        value: Value,
    },
    /// Response of a server, untrusted until parsed.
    HttpAnswered {
        /// HTTP status code.
        status: u16,
        /// Delay that the header Retry-After requests, in milliseconds from now.
        retry_after: Option<u64>,
        body: String,
    },
    /// The operation was refused, threw or timed out.
    Failed {
        /// Thrown value as JSON.
        error: Value,
    },
}

impl Outcome {
    /// Converts the outcome of a wallet request to a result.
    pub fn into_result(self) -> Result<Value, RpcError> {
        match self {
            Outcome::Answered { value } => Ok(value),
            Outcome::Done => Ok(Value::Null),
            Outcome::HttpAnswered { .. } => Err(RpcError::nonsense("")),
            Outcome::Failed { error } => Err(RpcError::from_thrown(&error)),
        }
    }
}

/// Result of a host's call.
#[derive(Clone, Json, PartialEq)]
pub enum HostAnswer {
    /// The promise is resolved.
    Resolved {
        /// Value that the call returns.
        value: Value,
    },
    /// The promise is rejected.
    Rejected { error: HostError },
}

/// Error of a host's call, with a typed reason.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct HostError {
    /// Identifier to branch on: "userRejected", "networkNotFound".
    pub reason: String,
    /// Exact text that the contract defines, or the wallet's own message.
    pub message: String,
    /// EIP-1193 or JSON-RPC code, if a wallet or a node sent one.
    pub code: Option<i64>,
}

impl HostError {
    /// Error that the core itself raises, without a code.
    pub fn new(reason: &str, message: &str) -> HostError {
        HostError { reason: reason.into(), message: message.into(), code: None }
    }
}

impl From<&RpcError> for HostError {
    fn from(error: &RpcError) -> HostError {
        // Wallets throw empty errors; the text makes clear in a log that the message is not lost.
        let message = if error.message.is_empty() { "No reason was given" } else { &error.message };
        HostError { reason: error.kind.word().into(), message: message.into(), code: Some(error.code) }
    }
}
