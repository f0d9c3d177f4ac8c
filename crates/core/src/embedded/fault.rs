//! Failures of the embedded wallet, as views and callers get them.

use crate::effect::HostError;
use portico_json::Json;
use portico_terms::rpc::RpcError;

/// Failure of a login, or of a change of the address.
#[derive(Clone, Debug, Eq, Json, PartialEq, thiserror::Error)]
#[json(name = "EmbeddedFault", tag = "type")]
pub enum Fault {
    /// The text is no e-mail address (spec 5.26).
    #[error("Use a valid email address")]
    Email,
    /// The last mail was sent a moment ago (spec 8.35).
    #[error("Please try again after {seconds} seconds")]
    Cooldown { seconds: u32 },
    /// The frame did not answer in time (spec 8.38).
    #[error("Something went wrong")]
    Late,
    /// The frame failed without a reason (spec 8.39).
    #[error("An error occurred")]
    Unknown,
    /// The frame did not load (spec 8.40).
    #[error("Unable to load email login dependency")]
    Unloadable,
    /// The visitor closed the window of a social login.
    #[error("The window was closed")]
    Closed,
    /// Message of the frame.
    #[error("{words}")]
    Said { words: String },
}

impl Fault {
    /// Failure that the frame reported.
    pub(super) fn of(error: &RpcError) -> Fault {
        match error.message.trim() {
            "" => Fault::Unknown,
            words => match seconds_of(words) {
                Some(seconds) => Fault::Cooldown { seconds },
                None => Fault::Said { words: words.into() },
            },
        }
    }

    /// English text; for failures of the contract its exact text.
    pub(super) fn text(&self) -> String {
        self.to_string()
    }
}

/// Longest cooldown that is counted down, in seconds: a day.
const LONGEST: u32 = 86_400;

/// Seconds of a cooldown that the frame told (spec 8.35).
fn seconds_of(words: &str) -> Option<u32> {
    let seconds = words.strip_prefix("Please try again after ")?.strip_suffix(" seconds")?.parse().ok()?;
    (1..=LONGEST).contains(&seconds).then_some(seconds)
}

/// Failure of a request to the embedded wallet.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum RequestFault {
    /// The method is not one of those that are accepted (spec 5.29, 8.36).
    #[error("Requested RPC call is not allowed")]
    NotAllowed,
    /// The request was cancelled (spec 8.37).
    #[error("Request was aborted")]
    Aborted,
    /// The frame did not answer in time (spec 8.38).
    #[error("Something went wrong")]
    Late,
    /// The frame did not load (spec 8.40).
    #[error("Unable to load email login dependency")]
    Unloadable,
    /// The chain is not one of the host's, or cannot be added (spec 8.41).
    #[error("Chain is not supported")]
    ChainNotSupported,
    /// Nobody is logged in.
    #[error("Not logged in. Log in first.")]
    LoggedOut,
    /// A method about an account, without one (spec 8.22).
    #[error("Address or auth connector not found")]
    NoAccount,
    /// A step of a login, or of a change of the address, before those that come first.
    #[error("Finish the previous step first")]
    NotBegun,
    /// The account of a login is there already.
    #[error("Embedded wallet already connected")]
    Connected,
    /// The visitor already decides about another request.
    #[error("Finish the open request first")]
    Busy,
    /// The visitor began a login or a change of the address in the modal, in place of the host's.
    #[error("The visitor began this in the modal")]
    Replaced,
    /// Parameters that the method does not take, or too many of them.
    #[error("Check the parameters of this request")]
    Params,
}

impl RequestFault {
    /// Code of EIP-1193, EIP-1474 or EIP-3326.
    fn code(self) -> i64 {
        match self {
            RequestFault::NotAllowed => 4200,
            RequestFault::Aborted | RequestFault::Replaced => 4001,
            RequestFault::Late | RequestFault::Unloadable => 4900,
            RequestFault::ChainNotSupported => 4902,
            RequestFault::LoggedOut | RequestFault::NoAccount => 4100,
            RequestFault::NotBegun => -32600,
            RequestFault::Connected | RequestFault::Busy => -32002,
            RequestFault::Params => -32602,
        }
    }
}

impl From<&Fault> for HostError {
    fn from(fault: &Fault) -> HostError {
        let code = match fault {
            Fault::Email => -32602,
            Fault::Cooldown { .. } => -32005,
            Fault::Late | Fault::Unloadable => 4900,
            Fault::Closed => 4001,
            Fault::Unknown | Fault::Said { .. } => 5000,
        };
        HostError::from(&RpcError::new(code, &fault.text()))
    }
}

impl From<RequestFault> for HostError {
    fn from(fault: RequestFault) -> HostError {
        HostError::from(&RpcError::new(fault.code(), &fault.to_string()))
    }
}
