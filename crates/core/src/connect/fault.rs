use crate::effect::HostError;

/// Why connecting or disconnecting failed on our side (spec 8.50, 8.17).
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ConnectFault {
    /// The wallet's chain is none of the host's.
    #[error("Chain not configured")]
    ChainNotConfigured,
    /// This wallet is connected.
    #[error("Connector already connected")]
    AlreadyConnected,
    /// No wallet is connected.
    #[error("Connector not connected")]
    NotConnected,
    /// The wallet shows no such account.
    #[error("Account not found for connector")]
    AccountNotFound,
    /// The wallet stands on another chain than the request.
    #[error("Chain mismatch")]
    ChainMismatch,
    /// Wait until the wallet is back.
    #[error("Connector unavailable while reconnecting")]
    UnavailableWhileReconnecting,
    /// There is no such wallet in this page.
    #[error("Connector not found")]
    ConnectorNotFound,
    /// The visitor closed the modal.
    #[error("The modal was closed before a wallet was connected")]
    ModalClosed,
    /// The visitor went back, or chose another wallet.
    #[error("The connection was cancelled")]
    Cancelled,
    /// Spec 8.17
    #[error("Failed to disconnect")]
    FailedToDisconnect,
}

impl ConnectFault {
    /// The word that hosts branch on.
    pub fn reason(&self) -> &'static str {
        match self {
            ConnectFault::ChainNotConfigured => "chainNotConfigured",
            ConnectFault::AlreadyConnected => "alreadyConnected",
            ConnectFault::NotConnected => "notConnected",
            ConnectFault::AccountNotFound => "accountNotFound",
            ConnectFault::ChainMismatch => "chainMismatch",
            ConnectFault::UnavailableWhileReconnecting => "unavailableWhileReconnecting",
            ConnectFault::ConnectorNotFound => "connectorNotFound",
            ConnectFault::ModalClosed => "modalClosed",
            ConnectFault::Cancelled => "cancelled",
            ConnectFault::FailedToDisconnect => "failedToDisconnect",
        }
    }
}

impl From<ConnectFault> for HostError {
    fn from(fault: ConnectFault) -> HostError {
        HostError::new(fault.reason(), &fault.to_string())
    }
}
