//! Why a host's call is refused for what it says, or is given up, where no one feature's fault says it.

use crate::effect::HostError;

/// The fault of a call.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum CallFault {
    /// `open` with a view that hosts may not name.
    #[error("Unknown view '{0}'")]
    UnknownView(String),
    /// `updateNativeBalance` with an address that is none; the words say why.
    #[error("{0}")]
    InvalidAddress(String),
    /// `open({ view: 'WalletSend' })` with arguments that are no object, or for another namespace than that of the network in use.
    #[error("The arguments of WalletSend cannot be used here")]
    InvalidArgument,
    /// `open` of `WalletSend` or `Swap` with what is no token of the network in use.
    #[error("There is no such token on this network")]
    UnsupportedAsset,
    /// `open` with a view of a feature that the host itself switched off (spec 6.4).
    #[error("This view is switched off by the features option")]
    FeatureOff,
    /// The form that a host opened was left before the wallet had signed.
    #[error("The send was cancelled")]
    SendCancelled,
    /// A call waited too long for a part of the core (decision 7).
    #[error("A part of the wallet widget could not be loaded")]
    HomeUnavailable,
}

impl CallFault {
    /// The word that hosts branch on.
    pub fn reason(&self) -> &'static str {
        match self {
            CallFault::UnknownView(_) => "unknownView",
            CallFault::InvalidAddress(_) => "invalidAddress",
            CallFault::InvalidArgument => "invalidArgument",
            CallFault::UnsupportedAsset => "unsupportedAsset",
            CallFault::FeatureOff => "featureOff",
            CallFault::SendCancelled => "cancelled",
            CallFault::HomeUnavailable => "loadFailed",
        }
    }
}

impl From<CallFault> for HostError {
    fn from(fault: CallFault) -> HostError {
        HostError::new(fault.reason(), &fault.to_string())
    }
}
