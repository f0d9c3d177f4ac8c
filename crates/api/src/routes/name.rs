//! Routes of names: lookup, signed changes, and the gateway (EIP-3668).

use super::refusal::{DATABASE, LIMIT, NO_GATEWAY, NO_NAME, NO_NAMES, PROJECT, SOURCES, TOO_LARGE};
use super::{ADDRESS, Answer, COIN_TYPE, NAME, Refusal, Route, json, path, query};
use crate::name::{NameRecord, Nonce, SignedName, Suggestions};
use portico_json::{Shape, Shaped};

/// Call of `resolve(bytes,bytes)` (ENSIP-10) for `addr(bytes32)` of alice.example.eth, from any contract.
const LOOKUP: &str = concat!(
    r#"{"sender":"0x0000000000000000000000000000000000000001","data":"0x9061b923"#,
    "0000000000000000000000000000000000000000000000000000000000000040",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0000000000000000000000000000000000000000000000000000000000000013",
    "05616c696365076578616d706c65036574680000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000024",
    "3b3b57de594292d13cb48cb4f2305946e57136f789bade16ef3ce8e878e5decd",
    "e81b72f500000000000000000000000000000000000000000000000000000000",
    r#""}"#,
);

/// Returns the routes `/v1/profile/*` and `/v1/ens`.
pub(super) fn routes() -> Vec<Route> {
    let version = || query("apiVersion", "`2`: an empty list instead of 404 if nothing is found");
    let signed = |path, about| {
        Route::new("post", path, "Names", about, json::<NameRecord>())
            .body(SignedName::shape())
            .gives("The name as it is now.")
            .refuses([
                PROJECT.because(
                    "The account that owns the name didn't make this signature, or the project id is missing, unknown or disabled. \
                     Sign with the owner's account.",
                ),
                NO_NAME.because("The name isn't registered, or names aren't set up on this server. Check its spelling, and its parent."),
                Refusal::new(409, "The name is taken or was changed meanwhile. Load it again, or choose another."),
                Refusal::new(422, "A part of the message isn't valid. Correct the `field` of the reason and sign again."),
                DATABASE.because(
                    "The database isn't responding, or the chain of a smart account, which verifies its signature. Try again.",
                ),
            ])
    };
    vec![
        Route::new(
            "get",
            "/v1/profile/account/{name}",
            "Names",
            "Get the addresses and attributes of a name",
            json::<NameRecord>(),
        ).gives("The name with its addresses and attributes.").refuses([NO_NAME, SOURCES.because("The chain or the database isn't responding. Try again.")])
        .takes([path("name", NAME), version(), query("coinType", COIN_TYPE)]),
        Route::new(
            "get",
            "/v1/profile/reverse/{address}",
            "Names",
            "List the names of an address",
            Answer::Json(Shape::Any),
        ).gives("The names of the address, each with its addresses and attributes.").refuses([NO_NAME.because("The address has no name, or names aren't set up on this server. With `apiVersion=2` the first is an empty list.")])
        .takes([path("address", ADDRESS), version()]),
        Route::new(
            "get",
            "/v1/profile/reverse/{coin_type}/{address}",
            "Names",
            "List the names of an address on one chain",
            Answer::Json(Shape::Any),
        ).gives("The names that have this address for the coin type, each with its addresses and attributes.").refuses([NO_NAME.because("The address has no name for this coin type, or names aren't set up on this server. With `apiVersion=2` the first is an empty list.")])
        .takes([path("coin_type", "SLIP-44 or ENSIP-11 coin type"), path("address", ADDRESS), version()]),
        Route::new(
            "get",
            "/v1/profile/suggestions/{name}",
            "Names",
            "Suggest names and mark the taken ones",
            json::<Suggestions>(),
        ).gives("The name and similar ones. `registered` says which can't be registered.").refuses([NO_NAMES])
        .takes([
            path("name", "Beginning of a name"),
            query("zone", "Ignored: all names are registered under one parent, which is in the response"),
        ]),
        Route::new("get", "/v1/profile/nonce", "Names", "Get the nonce for the next message to sign", json::<Nonce>()).gives("A nonce. Put it into the message that the account signs.").refuses([NO_NAMES]),
        signed("/v1/profile/account", "Register a name for the account that signs"),
        signed("/v1/profile/account/{name}/attributes", "Change the attributes of a name").takes([path("name", NAME)]),
        signed("/v1/profile/account/{name}/address", "Change an address of a name").takes([path("name", NAME)]),
        signed("/v1/profile/account/{name}/transfer", "Transfer a name to another account").takes([path("name", NAME)]),
        signed("/v1/profile/account/{name}/release", "Release a name").takes([path("name", NAME)]),
        Route::new(
            "get",
            "/v1/ens/{sender}/{data}",
            "Names",
            "Resolve a name with CCIP-Read (EIP-3668)",
            Answer::Json(Shape::Any),
        ).gives("The signed response, as `data` in hex. Pass it to the callback of the contract.").refuses([NO_GATEWAY, LIMIT])
        .takes([
            path("sender", "Address of the requesting contract"),
            path("data", "Calldata in hex with the prefix 0x, optionally followed by `.json`"),
        ])
        .open(),
        Route::new("post", "/v1/ens", "Names", "Resolve a name with CCIP-Read, by POST", Answer::Json(Shape::Any)).gives("The signed response, as `data` in hex. Pass it to the callback of the contract.").refuses([NO_GATEWAY, TOO_LARGE.because("The call is longer than 16 KiB. Ask for fewer records at once."), LIMIT])
            .body(Shape::Any)
            .example(LOOKUP)
            .open(),
    ]
}
