//! Routes for swaps of tokens.

use super::{CHAIN, Parameter, Route, json, needed, query};
use crate::swap::{BuiltSwap, GasPrice, SwapAllowance, SwapApproval, SwapOrder, SwapQuotes, SwapTokens};
use portico_json::{Declarations, Shaped};

/// Returns the routes `/v1/convert/*`.
pub(super) fn routes() -> Vec<Route> {
    let asks = |path, about, answer| Route::new("get", path, "swap", about, answer).refuses(&[404, 422, 502, 503]);
    let amount = || needed("amount", "What is paid, in the smallest unit");
    let user = || needed("userAddress", "CAIP-10, or the address alone, of who pays and receives");
    let from = || needed("from", "CAIP-10 of the token that is paid");
    let to = || needed("to", "CAIP-10 of the token that is received, on the same chain");
    vec![
        asks("/v1/convert/tokens", "What can be swapped on a chain", json::<SwapTokens>())
            .takes([needed("chainId", CHAIN), query("address", "CAIP-10: only this token")]),
        asks("/v1/convert/quotes", "What an amount of a token brings of another", json::<SwapQuotes>()).takes([
            amount(),
            Parameter { required: false, ..user() },
            from(),
            to(),
            query("gasPrice", "Taken and not heeded: quotes are told before what their gas costs"),
        ]),
        asks("/v1/convert/allowance", "How much the contract that swaps may take", json::<SwapAllowance>())
            .takes([needed("tokenAddress", "CAIP-10 of a token"), user()]),
        asks("/v1/convert/gas-price", "What gas costs on a chain", json::<GasPrice>())
            .takes([needed("chainId", CHAIN)]),
        asks("/v1/convert/build-approve", "Makes the permission to take an amount, never more", json::<SwapApproval>())
            .takes([
                user(),
                from(),
                to(),
                amount(),
                query("quoteId", "The quote whose contract gets it; without it that of the best quote"),
            ]),
        Route::new(
            "post",
            "/v1/convert/build-transaction",
            "swap",
            "Makes the transaction that swaps, checked before it is told",
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
