//! How far a swap is, and why it does not go on.

use portico_json::Json;

/// How far a swap is.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SwapPhase")]
pub enum Phase {
    /// The form is being filled in, or looked through.
    #[default]
    Editing,
    /// The wallet was asked to take an older approval back, which the token wants first.
    Revoking,
    /// The wallet was asked to approve.
    Approving,
    /// The approval is not mined yet.
    ApprovalPending,
    /// The transaction is being built.
    Building,
    /// The wallet was asked to sign the swap.
    Confirming,
    /// The wallet was asked, but it is elsewhere and does not say that it is there. Only told.
    Silent,
    /// The price got worse than what was shown: the visitor is asked again.
    Outdated,
    /// The visitor refused in the wallet.
    Refused,
    /// It could not be done.
    Failed,
}

impl Phase {
    /// Whether it goes on without the visitor, or with the wallet alone.
    pub(super) fn is_busy(self) -> bool {
        self.asks_wallet() || matches!(self, Phase::ApprovalPending | Phase::Building)
    }

    /// Whether the wallet is to answer.
    pub(super) fn asks_wallet(self) -> bool {
        matches!(self, Phase::Revoking | Phase::Approving | Phase::Confirming)
    }
}

/// Whether the chain in use can swap.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SwapOffer")]
pub enum Offer {
    /// Its list is asked for.
    #[default]
    Loading,
    /// It can.
    Ready,
    /// It cannot (spec 9.10).
    Unsupported,
    /// The list could not be had.
    Unavailable,
}

/// Why there is no quote.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwapQuoteFault")]
pub enum QuoteFault {
    /// Nobody swaps this pair, or not so much of it.
    NoRoute,
    /// The server does not answer, or says nonsense.
    Unavailable,
}

/// Why a swap failed, where it was not the wallet that said so.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SwapFault")]
pub enum Fault {
    /// The approval in the wallet was for less than is paid.
    ApprovedTooLittle,
    /// The approval was mined, and did nothing.
    ApprovalReverted,
    /// The approval did not come in time.
    ApprovalLate,
    /// The server could not build it.
    NotBuilt,
    /// What the server built is not what was shown. Nobody was asked to sign it.
    Mismatch,
}
