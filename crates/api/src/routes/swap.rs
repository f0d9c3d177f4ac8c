//! Routes for swaps of tokens.

use super::{CHAIN, Parameter, Route, json, needed, query};
use crate::swap::{BuiltSwap, GasPrice, SwapAllowance, SwapApproval, SwapOrder, SwapQuotes, SwapTokens};
use portico_json::{Declarations, Shaped};

/// Returns the routes `/v1/convert/*`.
pub(super) fn routes() -> Vec<Route> {
    let asks = |path, about, answer| Route::new("get", path, "Swap", about, answer).refuses(&[404, 422, 502, 503]);
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
        asks("/v1/convert/tokens", "List the tokens that can be swapped on a chain", json::<SwapTokens>())
            .takes([needed("chainId", CHAIN), query("address", "CAIP-10 id: only this token")]),
        asks("/v1/convert/quotes", "Get quotes for a swap", json::<SwapQuotes>()).takes([
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
        )
        .takes([needed("tokenAddress", "CAIP-10 id of a token"), user()]),
        asks("/v1/convert/gas-price", "Get the gas price of a chain", json::<GasPrice>())
            .takes([needed("chainId", CHAIN)]),
        asks(
            "/v1/convert/build-approve",
            "Build the approval transaction for the exact cost of a swap",
            json::<SwapApproval>(),
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
        .body(SwapOrder::shape())
        .refuses(&[404, 409, 413, 422, 502, 503]),
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
