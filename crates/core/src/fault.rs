//! Errors of the host's calls that belong to no single feature: invalid arguments, and parts that could not be loaded in time.

use crate::effect::HostError;

/// Error of a host's call.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum CallFault {
    /// `open` with a view that is unknown or not open to hosts.
    #[error("Unknown view '{0}'")]
    UnknownView(String),
    /// A host's call with an invalid address; the text gives the reason.
    #[error("{0}")]
    InvalidAddress(String),
    /// `open({ view: 'WalletSend' })` with arguments that are not an object, or for another namespace than that of the active network.
    #[error("Can't open WalletSend with these arguments. Use the active network.")]
    InvalidArgument,
    /// `open` of `WalletSend` or `Swap` with a token that the active network does not have.
    #[error("Token not found on this network. Check its address.")]
    UnsupportedAsset,
    /// `open` with a view of a feature that the host switched off (spec 6.4).
    #[error("Can't open this view. Turn it on in the features option.")]
    FeatureOff,
    /// `open` of the sign-in on a page without one (spec 8.25).
    #[error("SIWX is not enabled")]
    SiwxNotEnabled,
    /// `open` of the sign-in without a connected account (spec 8.26).
    #[error("No ActiveCaipAddress found")]
    NoCaipAddress,
    /// `open` of the sign-in while the wallet is on a network that the host doesn't have (spec 8.27).
    #[error("No ActiveCaipNetwork or client found")]
    NoCaipNetwork,
    /// `open` of the sign-in for a namespace without an adapter (spec 8.28).
    #[error("No ConnectionController client found")]
    NoConnectionClient,
    /// The visitor left the form that the host had opened before the wallet signed.
    #[error("The send was canceled")]
    SendCancelled,
    /// A part of the core was not loaded within the time limit of the call (decision 7).
    #[error("Couldn't load part of the wallet widget. Try again.")]
    HomeUnavailable,
}

impl CallFault {
    /// Identifier that hosts branch on.
    pub fn reason(&self) -> &'static str {
        match self {
            CallFault::UnknownView(_) => "unknownView",
            CallFault::InvalidAddress(_) => "invalidAddress",
            CallFault::InvalidArgument => "invalidArgument",
            CallFault::UnsupportedAsset => "unsupportedAsset",
            CallFault::FeatureOff => "featureOff",
            CallFault::SiwxNotEnabled => "siwxNotEnabled",
            CallFault::NoCaipAddress => "notConnected",
            CallFault::NoCaipNetwork => "caipNetworkNotFound",
            CallFault::NoConnectionClient => "connectionClientNotSet",
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
