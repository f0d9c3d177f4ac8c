//! Events of the visitor, and reasons of requests.

use super::flight::Kind;
use crate::pay::receipt::Question as Look;
use portico_json::Json;
use portico_terms::ChainId;

/// One of the two tokens.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SwapTarget")]
pub enum Target {
    /// Token to pay.
    #[default]
    SourceToken,
    /// Token to receive.
    ToToken,
}

/// Swap: events of the visitor.
#[derive(Clone, Debug, Json)]
#[json(name = "SwapEvent")]
pub enum Event {
    /// The visitor typed the amount to pay.
    AmountTyped { text: String },
    /// The visitor typed the amount to receive.
    ToAmountTyped { text: String },
    /// The visitor chose the maximum amount.
    MaxAsked,
    /// The visitor flipped the two tokens.
    FlipAsked,
    /// The visitor opened the token list.
    SelectAsked {
        /// Side to choose a token for.
        target: Target,
    },
    /// The visitor typed into the token search.
    SearchTyped { text: String },
    /// The end of the list scrolled into view.
    MoreAsked,
    /// The visitor opened or closed the row of hidden tokens.
    HiddenAsked,
    TokenChosen {
        /// Address of the token as listed.
        address: String,
    },
    /// The visitor opened the network list.
    NetworksAsked,
    /// The visitor retries the token list or the quote.
    RetryAsked,
    /// The visitor continues to the preview.
    ReviewAsked,
    /// The visitor agrees to the changed price.
    PriceAccepted,
    /// The visitor confirms; the wallet is asked to sign.
    ConfirmAsked,
    /// The visitor chose one of the offered slippage tolerances.
    SlippageChosen {
        /// In per cent: "0.5".
        percent: String,
    },
    /// The visitor typed a slippage tolerance, in percent.
    SlippageTyped { text: String },
}

/// Age of a Settler of 0x.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Age {
    Current,
    /// The one before, which stays in use for some time.
    Previous,
}

/// Occasion on which the chain is asked what a swap would do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Trial {
    /// The preview opens, and shows what would leave and what would come.
    Preview,
    /// The visitor confirmed, and the wallet is about to be asked.
    Confirmation,
}

/// Reasons of the feature's requests.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Token list of a chain.
    Tokens(ChainId),
    /// Quote of this request number.
    Quote(u32),
    /// Chain of the nodes of this chain.
    Chain(ChainId),
    /// Gas price on this chain.
    GasPrice(ChainId),
    /// Priority fee on this chain.
    GasPriority(ChainId),
    /// Fees of the last blocks on this chain.
    FeeHistory(ChainId),
    /// Data fee of a rollup: the cost of the calldata on top of gas, on this chain.
    DataFee(ChainId),
    /// Token balance by form number and token address.
    Balance(u32, String),
    /// Balance for "max", by form number and token address.
    Whole(u32, String),
    /// Decimals from the token's contract, by form number and token address.
    Decimals(u32, String),
    /// Token prices by form number.
    Prices(u32),
    /// Wallet signature by confirmation number.
    Signed(u32, Kind),
    /// Number of the account's mined transactions, by form number.
    Nonce(u32),
    /// Trial approval over an older, smaller allowance, by confirmation number.
    ApprovalTried(u32),
    /// Allowance after the approval or revocation was mined, by confirmation number.
    Allowance(u32, Kind),
    /// Allowance of this spender on the chain, by form number.
    Permitted(u32, String),
    /// Transaction built by the server, by number of the trial.
    Built(Trial, u32),
    /// 0x's registered Settler, the current or the previous one, by confirmation number.
    Settler(u32, Age),
    /// Simulation of the calls, by number of the trial.
    Simulated(Trial, u32),
    /// Balances before and after the calls, from a node that cannot simulate, by number of the trial.
    Probed(Trial, u32),
    /// Chain read about the transaction of this hash.
    Receipt(String, Look),
    /// Wallet status of the batch of this id.
    BatchStatus(String),
    /// Receipt of the transaction in which a batch was mined.
    BatchReceipt(String),
    /// Stored slippage tolerance.
    Slippage,
}
