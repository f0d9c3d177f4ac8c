//! Events of the visitor and of the host's server, and reasons of requests.

use portico_json::Json;
use portico_terms::ChainId;

/// Sending on Solana: events of the visitor, and of the server.
#[derive(Clone, Debug, Json)]
#[json(name = "SolanaEvent")]
pub enum Event {
    /// The visitor typed the amount.
    AmountTyped { text: String },
    /// The visitor typed or pasted the receiver.
    ReceiverTyped { text: String },
    /// The visitor chose the maximum amount.
    MaxAsked,
    /// The visitor typed into the token search.
    TokenSearched { text: String },
    /// The visitor chose a token or the coin.
    TokenChosen {
        /// Address of the mint; `null` is the coin.
        address: Option<String>,
    },
    /// The visitor continues to the preview.
    ReviewAsked,
    /// The visitor confirms; the wallet is asked to sign.
    ConfirmAsked,
    /// A message came through the WebSocket of [`Operation::SendMessage`](crate::effect::Operation::SendMessage).
    MessageReceived {
        url: String,
        /// Untrusted until parsed.
        text: String,
    },
}

/// Reasons of the feature's requests. The number of a round tells answers about another input.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Accounts of the sender and of the receiver, by number of the question.
    Accounts(u32),
    /// Least balance of an account without data, on this chain.
    Rent(ChainId),
    /// Prices of a compute unit on this chain.
    Prices(ChainId),
    /// Number of the current epoch on this chain.
    Epoch(ChainId),
    /// Mint of the token with this selection number.
    Mint(u32),
    /// The account's holdings of the token with this selection number.
    Held(u32),
    /// Simulation of the payment on the form, by round.
    Trial(u32),
    /// Recent block for the payment that the visitor confirmed, by round.
    Block(u32),
    /// Simulation of the bytes that the wallet will be asked to sign, by round.
    Checked(u32),
    /// Number of blocks after the wallet took long to sign, by round.
    Tip(u32),
    /// The wallet signed, by round. With `sends` it also sent.
    Signed { round: u32, sends: bool },
    /// A node took the transaction, or refused it; its state is read anyway.
    Sent,
    /// Stored receivers with this key prefix, which the account paid before.
    Paid(String),
    /// State of the transaction with this signature.
    Status(String),
    /// State of the transaction with this signature, on which two nodes agree.
    Agreed(String),
    /// Number of final blocks, for the transaction with this signature.
    Height(String),
    /// The socket with this number was refused or has ended.
    SocketEnded(u32),
}
