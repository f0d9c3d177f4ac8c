//! What the visitor does, and what was asked of others.

use super::flight::Kind;
use crate::pay::receipt::Question as Look;
use portico_json::Json;
use portico_terms::ChainId;

/// Which of the two tokens.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SwapTarget")]
pub enum Target {
    /// What is paid.
    #[default]
    SourceToken,
    /// What is received.
    ToToken,
}

/// What the visitor does.
#[derive(Clone, Debug, Json)]
#[json(name = "SwapEvent")]
pub enum Event {
    /// The amount to pay was typed.
    AmountTyped {
        /// As typed.
        text: String,
    },
    /// All that can be paid.
    MaxAsked,
    /// What is received is to be paid, and the other way round.
    FlipAsked,
    /// A token is to be chosen.
    SelectAsked {
        /// For which side.
        target: Target,
    },
    /// The search among the tokens was typed.
    SearchTyped {
        /// As typed.
        text: String,
    },
    /// The end of the list came into view.
    MoreAsked,
    /// A token was chosen.
    TokenChosen {
        /// Its address, as it was listed.
        address: String,
    },
    /// Another network is to be chosen.
    NetworksAsked,
    /// The list, or the quote, is to be asked for again.
    RetryAsked,
    /// On to the preview.
    ReviewAsked,
    /// The price moved, and the visitor agrees to the new one.
    PriceAccepted,
    /// The visitor agrees; the wallet is asked.
    ConfirmAsked,
}

/// Why something was asked.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The list of a chain.
    Tokens(ChainId),
    /// A quote, by its number.
    Quote(u32),
    /// The price of gas, for this chain.
    GasPrice(ChainId),
    /// The part of it that goes to whoever makes the block, for this chain.
    GasPriority(ChainId),
    /// What the data of a swap costs beside its gas, for this chain.
    DataFee(ChainId),
    /// How much of the token of this address there is, for the form of this number.
    Balance(u32, String),
    /// How many decimals its contract says that it has.
    Decimals(u32, String),
    /// What the tokens of this form are worth.
    Prices(u32),
    /// The wallet's signature.
    Signed(u32, Kind),
    /// Whether the token would give permission while an older, smaller one stands.
    Tried(u32),
    /// What may be taken, once the approval, or the revocation before it, was mined.
    Allowance(u32, Kind),
    /// The transaction from the server.
    Built(u32),
    /// The chain, about the transaction of this hash.
    Looked(String, Look),
    /// The wallet, about its calls of this name.
    Told(String),
}
