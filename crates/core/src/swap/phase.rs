//! Progress of a swap, and reasons for failures.

use portico_json::Json;

/// Progress of a swap, for views.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SwapPhase")]
pub enum Phase {
    /// The visitor fills in the form or reviews it.
    #[default]
    Editing,
    /// The wallet is asked to revoke an older approval, which the token requires before a new one.
    Revoking,
    /// The wallet is asked to approve.
    Approving,
    ApprovalPending,
    /// The server builds the transaction.
    Building,
    /// The wallet is asked to sign the swap.
    Confirming,
    /// A remote wallet has not acknowledged the request. Set in views only.
    Silent,
    /// The price fell below what was shown: the visitor has to agree again.
    Outdated,
    /// The swap loses a large part of what is paid: the visitor has to agree again.
    Costly,
    /// No node could simulate the transaction: the visitor has to agree again.
    Unproven,
    Refused,
    /// The swap failed.
    Failed,
    /// No answer, or one that does not tell whether the wallet sent the transaction.
    Unsure,
    /// The wallet may have sent an earlier request: its page was left, or the answer does not tell. The visitor has to agree again.
    Interrupted,
}

/// Swap support of the active chain.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SwapOffer")]
pub enum Offer {
    /// Its token list is being loaded.
    #[default]
    Loading,
    /// Supported.
    Ready,
    /// Not supported (spec 9.10).
    Unsupported,
    /// The token list could not be loaded.
    Unavailable,
}

/// Reason why there is no quote.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwapQuoteFault")]
pub enum QuoteFault {
    /// No swap provider has a route for this pair and amount.
    NoRoute,
    /// The server did not respond, or its response is invalid.
    Unavailable,
}

/// Cause of a failure that is not the wallet's.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwapFault")]
pub enum Fault {
    /// The approved amount is below the amount to pay.
    ApprovedTooLittle,
    /// The approval was mined, but reverted.
    ApprovalReverted,
    /// The approval was not mined in time.
    ApprovalLate,
    /// The server could not build the transaction.
    NotBuilt,
    /// The built transaction differs from what was shown; no wallet was asked to sign it.
    Mismatch,
    /// The transaction would fail on the chain.
    Fails,
    /// In a simulation the transaction takes or permits something else than was shown, or pays less.
    TakesMore,
}
