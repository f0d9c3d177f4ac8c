//! Routes for swaps of tokens.

use super::refusal::DATABASE;
use super::{CHAIN, Parameter, Refusal, Route, json, needed, query};
use crate::swap::{BuiltSwap, GasPrice, SwapAllowance, SwapApproval, SwapOrder, SwapQuotes, SwapTokens};
use portico_json::{Declarations, Shaped};

const NO_PROVIDER: Refusal = Refusal::new(404, "No swap provider is set up for this chain. Choose another chain.");
const NO_WAY: Refusal = Refusal::new(
    422,
    "There is no way to swap these tokens for this amount, the transaction would fail, or a value isn't valid. The reason says which.",
);
const UNREADABLE: Refusal = Refusal::new(
    502,
    "The answer of the provider or of the chain isn't what was asked for, so it was refused. Try again.",
);
const SILENT: &str =
    "The providers or the chain aren't responding, or are busy. Try again after the seconds in `retry-after`.";

/// Returns the routes `/v1/convert/*`.
pub(super) fn routes() -> Vec<Route> {
    let asks = |path, about, answer, gives| {
        Route::new("get", path, "Swap", about, answer).gives(gives).refuses([
            NO_PROVIDER,
            NO_WAY,
            UNREADABLE,
            DATABASE.because(SILENT),
        ])
    };
    let amount = || query("amount", "Amount to pay, in the smallest unit of the token; needed without toAmount");
    let to_amount = || {
        query(
            "toAmount",
            "Amount to receive exactly, in the smallest unit of the token, instead of amount: the slippage then bounds what is paid. \
             Possible where GET /v1/convert/tokens says exactOut.",
        )
    };
    let user = || needed("userAddress", "CAIP-10 id or plain address of the account that pays and receives");
    let from = || needed("from", "CAIP-10 id of the token to pay");
    let to = || needed("to", "CAIP-10 id of the token to receive, on the same chain");
    vec![
        asks(
            "/v1/convert/tokens",
            "List the tokens that can be swapped on a chain",
            json::<SwapTokens>(),
            "The tokens, and `exactOut` where an amount to receive can be given.",
        )
        .takes([needed("chainId", CHAIN), query("address", "CAIP-10 id: only this token")]),
        asks(
            "/v1/convert/quotes",
            "Get quotes for a swap",
            json::<SwapQuotes>(),
            "The quotes, the best one first. Send the `id` of one to build its transaction.",
        )
        .takes([
            amount(),
            to_amount(),
            Parameter { required: false, ..user() },
            from(),
            to(),
            query("gasPrice", "Accepted and ignored: quoted amounts do not subtract the cost of gas"),
        ]),
        asks(
            "/v1/convert/allowance",
            "Get the amount of a token that the swap contract may take",
            json::<SwapAllowance>(),
            "The allowance in the smallest unit of the token. Below the amount to pay, an approval is needed first.",
        )
        .takes([needed("tokenAddress", "CAIP-10 id of a token"), user()]),
        asks(
            "/v1/convert/gas-price",
            "Get the gas price of a chain",
            json::<GasPrice>(),
            "The gas price in wei, as the node reports it and with two additions for a faster transaction.",
        )
        .takes([needed("chainId", CHAIN)]),
        asks(
            "/v1/convert/build-approve",
            "Build the approval transaction for the exact cost of a swap",
            json::<SwapApproval>(),
            "The transaction to sign. It approves the amount to pay and no more.",
        )
        .takes([
            user(),
            from(),
            to(),
            amount(),
            to_amount(),
            query("quoteId", "Quote whose contract becomes the spender; the best quote by default"),
        ]),
        Route::new(
            "post",
            "/v1/convert/build-transaction",
            "Swap",
            "Build the transaction of a swap and check it",
            json::<BuiltSwap>(),
        )
        .gives("The transaction to sign, checked and simulated where a node can.")
        .body(SwapOrder::shape())
        .refuses([
            NO_PROVIDER,
            Refusal::new(409, "The quote has expired, or the price has moved. Get a new quote."),
            NO_WAY,
            UNREADABLE,
            DATABASE.because(SILENT),
        ]),
    ]
}

/// Declares the types of the swap routes.
pub(super) fn declare(into: &mut Declarations) {
    SwapTokens::declare(into);
    SwapQuotes::declare(into);
    SwapAllowance::declare(into);
    GasPrice::declare(into);
    SwapApproval::declare(into);
    SwapOrder::declare(into);
    BuiltSwap::declare(into);
}
