use portico_json::Json;

/// What a snack says. The words are in the text catalogue, so that every language has its own; `text` is the English.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Message {
    /// Spec 8.1
    TokenBalanceUnavailable,
    /// Spec 8.2
    TransactionStarted,
    /// Spec 8.3
    SomethingWentWrong,
    /// Spec 8.4
    EnterValidAmountAndReceiver,
    /// Spec 8.5
    FailedToSendTransaction,
    /// Spec 8.6
    FailedToFetchTransactions,
    /// Spec 8.7
    AuthenticationProblem,
    /// Spec 8.8
    SignatureDeclined,
    /// Spec 8.9
    SmartAccountsUnsupported,
    /// Spec 8.10
    Authenticating,
    /// The address is on the clipboard.
    AddressCopied,
    /// The browser did not let us.
    CopyFailed,
    /// The transaction was mined.
    TransactionConfirmed,
    /// No receipt came in time.
    TransactionPending,
    /// The visitor refused to sign the transaction.
    TransactionDeclined,
}

impl Message {
    /// The English words; for those of the contract, its exact text.
    pub fn text(self) -> &'static str {
        match self {
            Message::TokenBalanceUnavailable => "Token Balance Unavailable",
            Message::TransactionStarted => "Transaction started",
            Message::SomethingWentWrong => "Something went wrong",
            Message::EnterValidAmountAndReceiver => "Please enter a valid amount and receiver address",
            Message::FailedToSendTransaction => "Failed to send transaction. Please try again.",
            Message::FailedToFetchTransactions => "Failed to fetch transactions",
            Message::AuthenticationProblem => "A problem occurred while trying initialize authentication",
            Message::SignatureDeclined => "Signature declined",
            Message::SmartAccountsUnsupported => "This application might not support Smart Accounts",
            Message::Authenticating => "Authenticating...",
            Message::AddressCopied => "Address copied",
            Message::CopyFailed => "Copying was refused by the browser",
            Message::TransactionConfirmed => "Transaction confirmed",
            Message::TransactionPending => "Transaction is still pending",
            Message::TransactionDeclined => "Transaction declined",
        }
    }

    /// What to say when a signature was declined: smart accounts may be the cause (spec 8.8, 8.9).
    pub fn declined(smart_account: bool) -> Message {
        if smart_account { Message::SmartAccountsUnsupported } else { Message::SignatureDeclined }
    }
}
