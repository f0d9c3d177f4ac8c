use crate::effect::HostError;

/// Errors of connecting and disconnecting on our side (spec 8.50, 8.17).
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ConnectFault {
    /// The host does not configure the wallet's chain.
    #[error("Chain not configured")]
    ChainNotConfigured,
    /// This wallet is already connected.
    #[error("Connector already connected")]
    AlreadyConnected,
    #[error("Connector not connected")]
    NotConnected,
    /// The wallet has no such account; the embedded wallet has none of the namespace that the host waits for.
    #[error("Account not found for connector")]
    AccountNotFound,
    /// The wallet is on another chain than the request.
    #[error("Chain mismatch")]
    ChainMismatch,
    /// A wallet is still reconnecting; the call can be retried afterwards.
    #[error("Connector unavailable while reconnecting")]
    UnavailableWhileReconnecting,
    /// The page has no such wallet.
    #[error("Connector not found")]
    ConnectorNotFound,
    /// No wallet that was used before has this account, or it is connected.
    #[error("Connection not found")]
    ConnectionNotFound,
    #[error("The modal was closed before a wallet was connected")]
    ModalClosed,
    /// The visitor went back, or chose another wallet.
    #[error("The connection was canceled")]
    Cancelled,
    /// The active account has to sign in before one of another namespace connects (spec 6.3).
    #[error("Sign in with the connected account first, or wait until the site knows that it is signed in")]
    SignInRequired,
    /// Disconnecting failed (spec 8.17).
    #[error("Failed to disconnect")]
    FailedToDisconnect,
}

impl ConnectFault {
    /// Error reason that hosts branch on.
    pub fn reason(&self) -> &'static str {
        match self {
            ConnectFault::ChainNotConfigured => "chainNotConfigured",
            ConnectFault::AlreadyConnected => "alreadyConnected",
            ConnectFault::NotConnected => "notConnected",
            ConnectFault::AccountNotFound => "accountNotFound",
            ConnectFault::ChainMismatch => "chainMismatch",
            ConnectFault::UnavailableWhileReconnecting => "unavailableWhileReconnecting",
            ConnectFault::ConnectorNotFound => "connectorNotFound",
            ConnectFault::ConnectionNotFound => "connectionNotFound",
            ConnectFault::ModalClosed => "modalClosed",
            ConnectFault::Cancelled => "cancelled",
            ConnectFault::SignInRequired => "signInRequired",
            ConnectFault::FailedToDisconnect => "failedToDisconnect",
        }
    }
}

impl From<ConnectFault> for HostError {
    fn from(fault: ConnectFault) -> HostError {
        HostError::new(fault.reason(), &fault.to_string())
    }
}
