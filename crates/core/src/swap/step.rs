//! Step of a confirmation, with the data that only this step has.

use super::calls::Call;
use super::flight::Kind;
use super::{Fault, Phase};
use portico_calldata::Address;
use portico_terms::rpc::RpcError;

/// Calls that the wallet will be asked to sign, once the chain has confirmed what they do.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Candidate {
    pub kind: Kind,
    pub calls: Vec<Call>,
    /// 0x Settler that has to be in 0x's registry; `None` if there is none, or it is confirmed.
    pub settler: Option<Address>,
    /// The simulation shows what was promised, or the visitor goes on without one.
    pub proven: bool,
}

/// Step from the form to the signed swap.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Step {
    /// The visitor fills in the form or reviews it.
    #[default]
    Editing,
    /// A fresh quote, a trial approval or the transaction is requested. `revokes_first`: the older allowance has to be revoked.
    Building { revokes_first: bool },
    /// The transaction is built, and the chain is asked what it would do.
    Checking(Candidate),
    /// The wallet is asked to sign.
    Asking(Kind),
    /// The approval or revocation is sent and not mined yet.
    ApprovalPending,
    /// The price fell below what was shown: the visitor has to agree again.
    Outdated,
    /// The swap loses a large part of what is paid: the visitor has to agree again.
    Costly,
    /// No node could simulate the transaction: the visitor has to agree again.
    Unproven,
    /// The wallet may have sent an earlier request: the visitor has to agree again.
    Interrupted,
    /// The visitor refused in the wallet.
    Refused(RpcError),
    /// The wallet failed before it sent the transaction.
    WalletFailed(RpcError),
    /// The wallet may have sent the transaction.
    Unsure(RpcError),
    /// The swap failed before or beside the wallet; the error is the server's reason.
    Failed(Fault, Option<RpcError>),
}

impl Step {
    /// Whether the swap proceeds without the visitor, or only needs the wallet.
    pub fn is_busy(&self) -> bool {
        matches!(self, Step::Building { .. } | Step::Checking(_) | Step::Asking(_) | Step::ApprovalPending)
    }

    pub fn is_building(&self) -> bool {
        matches!(self, Step::Building { .. })
    }

    /// Whether the wallet's response is pending.
    pub fn asks_wallet(&self) -> bool {
        matches!(self, Step::Asking(_))
    }

    /// Whether the visitor is asked to agree again.
    pub fn asks_visitor(&self) -> bool {
        matches!(self, Step::Outdated | Step::Costly | Step::Unproven | Step::Interrupted)
    }

    /// Step for views.
    pub fn phase(&self) -> Phase {
        match self {
            Step::Editing => Phase::Editing,
            Step::Building { .. } | Step::Checking(_) => Phase::Building,
            Step::Asking(Kind::Revocation) => Phase::Revoking,
            Step::Asking(Kind::Approval) => Phase::Approving,
            Step::Asking(Kind::Swap | Kind::Batch) => Phase::Confirming,
            Step::ApprovalPending => Phase::ApprovalPending,
            Step::Outdated => Phase::Outdated,
            Step::Costly => Phase::Costly,
            Step::Unproven => Phase::Unproven,
            Step::Interrupted => Phase::Interrupted,
            Step::Refused(_) => Phase::Refused,
            Step::WalletFailed(_) | Step::Failed(..) => Phase::Failed,
            Step::Unsure(_) => Phase::Unsure,
        }
    }

    /// Cause of a failure that is not the wallet's.
    pub fn fault(&self) -> Option<Fault> {
        match self {
            Step::Failed(fault, _) => Some(*fault),
            _ => None,
        }
    }

    /// Error of the wallet, or the server's reason.
    pub fn error(&self) -> Option<&RpcError> {
        match self {
            Step::Refused(error) | Step::WalletFailed(error) | Step::Unsure(error) => Some(error),
            Step::Failed(_, error) => error.as_ref(),
            _ => None,
        }
    }
}
