//! Events of the visitor, and reasons of requests.

use super::asset::Question;
use crate::pay::receipt;
use portico_json::Json;
use portico_terms::ChainId;

/// Send: events of the visitor.
#[derive(Clone, Debug, Json)]
#[json(name = "SendEvent")]
pub enum Event {
    /// The visitor typed the amount.
    AmountTyped { text: String },
    /// The visitor typed the value of the amount in US dollars.
    ValueTyped { text: String },
    /// The visitor switched between typing the amount and typing its value.
    UnitSwitched,
    /// The visitor typed or pasted the receiver.
    ReceiverTyped { text: String },
    /// The visitor chose the maximum amount.
    MaxAsked,
    /// The visitor typed into the token search.
    TokenSearched { text: String },
    /// The end of the token list scrolled into view, and there are more.
    MoreAsked,
    /// The visitor opened or closed the row of hidden tokens.
    HiddenAsked,
    /// The visitor chose a token or the coin.
    TokenChosen {
        /// Address of the contract; `null` is the coin.
        address: Option<String>,
    },
    /// The visitor continues to the preview.
    ReviewAsked,
    /// The visitor confirms; the wallet is asked to sign.
    ConfirmAsked,
}

/// Reasons of the feature's requests.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Chain of the nodes of this chain.
    Chain(ChainId),
    /// Gas price on this chain.
    GasPrice(ChainId),
    /// Priority fee on this chain.
    GasPriority(ChainId),
    /// Data fee of a rollup: the cost of the calldata on top of gas, on this chain.
    DataFee(ChainId),
    /// Fees of the last blocks on this chain.
    FeeHistory(ChainId),
    /// Balance for "max", by the number of the token's selection; none is the coin.
    Whole(Option<u32>),
    /// Gas estimate of the transfer, by attempt number.
    GasLimit(u32),
    /// Wallet signature, by attempt number.
    Sent(u32),
    /// Number of the account's mined transactions, by number of the form's last change.
    Nonce(u32),
    /// Trial call of the transfer, by attempt number.
    Trial(u32),
    /// Read from a token's contract, by selection number.
    Token(u32, Question),
    /// Record of this name at the host's server.
    Name(String),
    /// Answer of the contract that resolves this name, by step.
    Resolved(String, u32),
    /// Answer of a gateway of this name, by step and number of the query.
    Gateway(String, u32, usize),
    /// Name and avatar of this address.
    Identity(String),
    /// Code at this address.
    Code(String),
    /// Transaction history of this account.
    Past(String),
    /// Transaction of the history, by its receiver and hash.
    Payment(String, String),
    /// Stored addresses that the account paid before, by their key prefix.
    Paid(String),
    /// Whether the transaction of this hash is still in storage.
    Kept(String),
    /// Chain read about the transaction of this hash.
    Receipt(String, receipt::Question),
}
