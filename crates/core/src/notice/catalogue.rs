use portico_json::Json;

/// Message of a snack. The texts are in the text catalogue for all languages; `text` is the English one.
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
    /// The site's session of the visitor ended.
    SignInEnded,
    /// The pairing URI was copied.
    LinkCopied,
    /// The wallet ended the session, or it expired.
    SessionEnded,
    /// The wallet of a session did not acknowledge a request.
    WalletSilent,
    /// A request to the wallet of a session timed out.
    RequestExpired,
    /// The browser refused to copy.
    CopyFailed,
    /// The transaction was mined.
    TransactionConfirmed,
    /// No receipt within the time limit.
    TransactionPending,
    /// The visitor refused to sign the transaction.
    TransactionDeclined,
    /// The visitor went back while the wallet was asked to send.
    MayStillSend,
    /// The name of the receiver has another address than the visitor confirmed.
    NameMoved,
    /// Another transaction was mined in the place of this one.
    TransactionReplaced,
    /// The wallet answered with the hash of another transaction.
    TransactionForeign,
    /// The transaction is too old to be mined any more.
    TransactionExpired,
    /// A swap was mined.
    SwapDone,
    /// A swap failed.
    SwapFailed,
    /// The approval for a swap was mined after the visitor had left the form.
    SwapUnfinished,
    /// Purchased coins were sent.
    PurchaseDone,
    /// A purchase failed.
    PurchaseFailed,
    /// The swap form was reset by a change of network.
    SwapReset,
    /// Another form was reset by a change of network.
    FormReset,
    /// Spec 8.36
    ActionNotAllowed,
    /// The e-mail address of the embedded wallet was changed.
    EmailUpdated,
    /// The embedded wallet is frozen.
    WalletFrozen,
    /// The visitor blocked the page's requests in the embedded wallet.
    SiteBlocked,
    /// The server of the embedded wallet cannot be reached.
    WalletUnreachable,
    /// The embedded wallet signed a transaction, and no node said whether it took it.
    TransactionUnsure,
    /// A node refused a transaction of the embedded wallet.
    NetworkRefused,
    /// The embedded wallet could not do what was asked.
    RequestFailed,
}

impl Message {
    /// English text; for messages of the contract, its exact text.
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
            Message::SignInEnded => "You're signed out. Sign in again.",
            Message::LinkCopied => "Link copied",
            Message::SessionEnded => "Your wallet session ended. Connect again.",
            Message::WalletSilent => "Your wallet isn't responding. Open it or disconnect.",
            Message::RequestExpired => "Your wallet didn't answer in time. Check it before you try again.",
            Message::CopyFailed => "Your browser blocked copying",
            Message::TransactionConfirmed => "Transaction confirmed",
            Message::TransactionPending => "Transaction still pending",
            Message::TransactionDeclined => "Transaction declined",
            Message::NameMoved => "This name now has a different address. Check it and confirm again.",
            Message::MayStillSend => "Your wallet may still send it. Decline it there.",
            Message::TransactionForeign => {
                "Your wallet reported another transaction. Check your activity before you try again."
            }
            Message::TransactionReplaced => "Replaced by another transaction. Check it before you try again.",
            Message::TransactionExpired => "Transaction expired. Nothing was sent. You can try again.",
            Message::SwapDone => "Swap confirmed",
            Message::SwapFailed => "Swap failed. Try again.",
            Message::SwapUnfinished => "Your swap isn't finished. Open Swap to continue.",
            Message::PurchaseDone => "Purchase complete",
            Message::PurchaseFailed => "Purchase didn't go through",
            Message::SwapReset => "Network changed. The swap was reset.",
            Message::FormReset => "Network changed. The form was reset.",
            Message::ActionNotAllowed => "Action not allowed",
            Message::EmailUpdated => "Email updated",
            Message::WalletFrozen => "Your wallet is frozen. Unfreeze it in its settings.",
            Message::SiteBlocked => portico_api::frame::BLOCKED,
            Message::WalletUnreachable => "Couldn't reach your wallet. Check your connection and try again.",
            Message::TransactionUnsure => {
                "Couldn't confirm that the network received the transaction. Check your activity before you try again."
            }
            Message::NetworkRefused => "The network refused the transaction. Check amount and fee, then try again.",
            Message::RequestFailed => "Your wallet couldn't do this. Try again, or contact the site.",
        }
    }

    /// Message for a declined signature: smart accounts may be the cause (spec 8.8, 8.9).
    pub fn declined(smart_account: bool) -> Message {
        if smart_account { Message::SmartAccountsUnsupported } else { Message::SignatureDeclined }
    }
}
