//! Routes of accounts: balances, history, NFTs, prices, names and pictures of addresses.

use super::refusal::{NO_PICTURE, SOURCES, UNKNOWN_SOURCE};
use super::{ADDRESS, Answer, CHAIN, CURSOR, NAME, Parameter, ParameterIn, Refusal, Route, json, needed, path, query};
use crate::account::{Balances, History, Nfts};
use crate::identity::Identity;
use crate::price::{CURRENCIES, PriceQuestion, Prices};
use portico_json::{Shape, Shaped};

/// Question for the price of Ether.
const PRICES: &str =
    r#"{"projectId":"demo","currency":"usd","addresses":["eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"]}"#;

/// Returns the routes `/v1/account/*`, `/v1/fungible/price`, `/v1/identity/*`, `/v1/avatar/*` and `/v1/image`.
pub(super) fn routes() -> Vec<Route> {
    let currency = Parameter {
        shape: Shape::Words(CURRENCIES.to_vec()),
        ..query("currency", "Currency of the values; usd by default")
    };
    let sdk = Parameter {
        place: ParameterIn::Header,
        ..query("x-sdk-version", "Version of the SDK; without this header or `sv` in the query, the list is empty")
    };
    let address = || path("address", ADDRESS);
    vec![
        Route::new(
            "get",
            "/v1/account/{address}/balance",
            "Accounts",
            "List the tokens of an account with their values",
            json::<Balances>(),
        ).gives("The tokens that the account holds, with their value where a price is known. `source` names the service that reported them, and `age` says how many seconds ago.").refuses([UNKNOWN_SOURCE, SOURCES])
        .takes([
            address(),
            currency.clone(),
            query("chainId", CHAIN),
            query("forceUpdate", "Any value but `false` bypasses the cache"),
            sdk,
        ]),
        Route::new(
            "get",
            "/v1/account/{address}/history",
            "Accounts",
            "List the transactions of an account, newest first",
            json::<History>(),
        ).gives("One page of transactions. Send `next` as `cursor` for the page after it; it is missing on the last one.").refuses([UNKNOWN_SOURCE, SOURCES])
        .takes([
            address(),
            currency,
            query(
                "chainId",
                "CAIP-2 id of a chain; without it, the response merges the history of up to 16 EVM chains",
            ),
            query("cursor", CURSOR),
            query("cache", "`no-cache` bypasses the cache"),
            query("onramp", "Accepted and ignored"),
        ]),
        Route::new("get", "/v1/account/{address}/nfts", "Accounts", "List the NFTs of an account", json::<Nfts>()).gives("One page of NFTs. Send `next` as `cursor` for the page after it; it is missing on the last one.").refuses([UNKNOWN_SOURCE, SOURCES])
            .takes([address(), query("chainId", CHAIN), query("cursor", CURSOR)]),
        Route::new("post", "/v1/fungible/price", "Accounts", "Get the prices of up to 100 tokens", json::<Prices>()).gives("The prices that are known. Tokens without a price are left out.").refuses([Refusal::new(422, "The body has no currency or no list of addresses, or one of them isn't valid. Correct the `field` of the reason."), SOURCES])
            .body(PriceQuestion::shape())
            .example(PRICES),
        Route::new(
            "get",
            "/v1/identity/{address}",
            "Identity",
            "Get the name and picture of an address",
            json::<Identity>(),
        ).gives("The name and the picture; null where the account has none.").refuses([SOURCES.because("The chain isn't responding, so it isn't known whether the address has a name. Try again after the seconds in `retry-after`.")])
        .takes([address()]),
        Route::new(
            "get",
            "/v1/avatar/{name}",
            "Identity",
            "Get the picture of a name, as WebP up to 256 x 256",
            Answer::Other("image/webp"),
        ).gives("The picture.").refuses([Refusal::new(404, "The name has no picture, or its picture isn't at the address that the name gives. Show a placeholder."), NO_PICTURE, SOURCES.because("The chain isn't responding, or all room for pictures is in use. Try again after the seconds in `retry-after`.")])
        .takes([path("name", NAME)]),
        Route::new(
            "get",
            "/v1/image",
            "Identity",
            "Get another server's picture, as WebP up to 256 x 256",
            Answer::Other("image/webp"),
        ).gives("The picture.").refuses([Refusal::new(404, "There is no picture at this URL, or its server doesn't respond. Show a placeholder."), NO_PICTURE, SOURCES.because("All room for pictures is in use. Try again after the seconds in `retry-after`.")])
        .takes([needed("url", "https, http, ipfs, ipns or data URL")]),
    ]
}
