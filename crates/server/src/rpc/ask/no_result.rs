use super::LIMIT;
use axum::http::StatusCode;
use portico_terms::ChainId;

/// Reason why a call has no result.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::rpc) enum NoResult {
    /// No response within [`LIMIT`].
    InTime,
    /// No node responded.
    ByAny,
    /// The node answered other calls of the batch, but not this one.
    ThisCall,
    /// The server has no memory left for the response.
    ForLackOfMemory,
    /// The rate limits of the nodes are used up, or the visitor's part of them.
    ForLackOfSlots,
}

impl NoResult {
    pub(in crate::rpc) fn status(self) -> StatusCode {
        match self {
            NoResult::InTime => StatusCode::GATEWAY_TIMEOUT,
            NoResult::ByAny | NoResult::ThisCall | NoResult::ForLackOfMemory | NoResult::ForLackOfSlots => {
                StatusCode::SERVICE_UNAVAILABLE
            }
        }
    }

    pub(in crate::rpc) fn sentence(self, chain: &ChainId) -> String {
        match self {
            NoResult::InTime => {
                format!("The chain {chain} didn't respond within {} seconds. Try again.", LIMIT.as_secs())
            }
            NoResult::ByAny | NoResult::ForLackOfSlots => {
                format!("No node of the chain {chain} is responding. Try again.")
            }
            NoResult::ThisCall => "The node didn't respond to this call. Try again.".into(),
            NoResult::ForLackOfMemory => {
                format!("The response of the chain {chain} is too large now. Try again in a few seconds.")
            }
        }
    }
}
