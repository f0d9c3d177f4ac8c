//! Table of all routes of the server; its OpenAPI 3.1 description is generated from this table and the types. A table stays in
//! one file, so that a route is found by reading down.

mod onramp;
mod swap;

use crate::account::{Balances, History, Nfts};
use crate::analytics::{AnalyticsEvent, Taken};
use crate::directory::{WalletImages, WalletPage};
use crate::identity::Identity;
use crate::name::{NameRecord, Nonce, SignedName, Suggestions};
use crate::price::{CURRENCIES, PriceQuestion, Prices};
use crate::problem::Problem;
use crate::project::{AllowedOrigins, AnalyticsConfig, KitConfig, KitLimits, ProjectConfig};
use crate::rpc::SupportedChains;
use crate::siwx::{KeySet, SessionAccount, SessionToken, SignedMessage, SiwxNonce};
use portico_json::{Declarations, Shape, Shaped};

/// Route: one method on one path.
#[derive(Clone, Debug)]
pub struct Route {
    /// HTTP method in lower case: "get".
    pub method: &'static str,
    /// Path template: "/v1/identity/{address}".
    pub path: &'static str,
    /// Description, one sentence.
    pub about: &'static str,
    /// Name of its group in the reference, such as "Swap".
    pub tag: &'static str,
    /// Whether the route requires a project id.
    pub project: bool,
    /// Parameters in the path, the query and the headers.
    pub parameters: Vec<Parameter>,
    /// Shape of the JSON body, if the route takes one.
    pub body: Option<Shape>,
    /// Response on success.
    pub answer: Answer,
    /// Error statuses besides 400 and, if a project id is required, 401, 403 and 429.
    pub refusals: &'static [u16],
}

/// Location of a parameter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ParameterIn {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In the headers.
    Header,
}

/// Parameter of a route; path parameters are always required.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Name as it appears in the request.
    pub name: &'static str,
    /// Location of the parameter.
    pub place: ParameterIn,
    /// Whether the request must carry the parameter.
    pub required: bool,
    /// Description, one sentence.
    pub about: &'static str,
    /// Shape of the value.
    pub shape: Shape,
}

/// Response on success.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Status 200 with a JSON body.
    Json(Shape),
    /// Status 202 with a JSON body.
    Accepted(Shape),
    /// Status 200 with a body of this media type.
    Other(&'static str),
    /// This status without a body.
    Empty(u16),
}

fn path(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, place: ParameterIn::Path, required: true, about, shape: Shape::Text }
}

fn query(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, place: ParameterIn::Query, required: false, about, shape: Shape::Text }
}

fn needed(name: &'static str, about: &'static str) -> Parameter {
    Parameter { required: true, ..query(name, about) }
}

fn whole(name: &'static str, about: &'static str) -> Parameter {
    Parameter { shape: Shape::Whole, ..query(name, about) }
}

const ADDRESS: &str = "Address in the notation of its chain";
const CHAIN: &str = "CAIP-2 id of a chain, such as eip155:1";
const COIN_TYPE: &str = "ENS names only: ENSIP-11 coin type of a chain whose address is added to the response";
const NAME: &str = "Complete name, such as alice.example.eth";
const CURSOR: &str = "`next` of the previous page";

impl Route {
    fn new(method: &'static str, path: &'static str, tag: &'static str, about: &'static str, answer: Answer) -> Route {
        Route { method, path, about, tag, project: true, parameters: Vec::new(), body: None, answer, refusals: &[] }
    }

    fn takes(mut self, parameters: impl IntoIterator<Item = Parameter>) -> Route {
        self.parameters.extend(parameters);
        self
    }

    fn body(self, shape: Shape) -> Route {
        Route { body: Some(shape), ..self }
    }

    fn refuses(self, refusals: &'static [u16]) -> Route {
        Route { refusals, ..self }
    }

    fn open(self) -> Route {
        Route { project: false, ..self }
    }
}

fn json<T: Shaped>() -> Answer {
    Answer::Json(T::shape())
}

/// Returns all routes of the server.
pub fn routes() -> Vec<Route> {
    [rpc(), account(), swap::routes(), names(), directory(), onramp::routes(), sign_in(), rest()]
        .into_iter()
        .flatten()
        .collect()
}

fn rpc() -> Vec<Route> {
    let ask = |path, about| {
        Route::new("post", path, "JSON-RPC", about, Answer::Json(Shape::Any))
            .takes([needed("chainId", CHAIN)])
            .body(Shape::Any)
            .refuses(&[413, 503, 504])
    };
    vec![
        ask("/v1", "Call a chain with JSON-RPC 2.0, up to 1000 calls at once"),
        ask("/v1/", "Call a chain, for clients that add a slash to the path"),
        Route::new(
            "get",
            "/v1/supported-chains",
            "JSON-RPC",
            "List the chains that this server serves",
            json::<SupportedChains>(),
        )
        .open(),
        Route::new("get", "/v1/ws", "JSON-RPC", "Open a WebSocket for JSON-RPC and subscriptions", Answer::Empty(101))
            .takes([needed("chainId", CHAIN)])
            .refuses(&[426, 503]),
    ]
}

fn account() -> Vec<Route> {
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
        )
        .takes([
            address(),
            currency.clone(),
            query("chainId", CHAIN),
            query("forceUpdate", "Any value but `false` bypasses the cache"),
            sdk,
        ])
        .refuses(&[501, 503]),
        Route::new(
            "get",
            "/v1/account/{address}/history",
            "Accounts",
            "List the transactions of an account, newest first",
            json::<History>(),
        )
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
        ])
        .refuses(&[501, 503]),
        Route::new("get", "/v1/account/{address}/nfts", "Accounts", "List the NFTs of an account", json::<Nfts>())
            .takes([address(), query("chainId", CHAIN), query("cursor", CURSOR)])
            .refuses(&[501, 503]),
        Route::new("post", "/v1/fungible/price", "Accounts", "Get the prices of up to 100 tokens", json::<Prices>())
            .body(PriceQuestion::shape())
            .refuses(&[422, 503]),
        Route::new(
            "get",
            "/v1/identity/{address}",
            "Identity",
            "Get the name and picture of an address",
            json::<Identity>(),
        )
        .takes([address()])
        .refuses(&[503]),
        Route::new(
            "get",
            "/v1/avatar/{name}",
            "Identity",
            "Get the picture of a name, as WebP up to 256 x 256",
            Answer::Other("image/webp"),
        )
        .takes([path("name", NAME)])
        .refuses(&[404, 415, 503]),
        Route::new(
            "get",
            "/v1/image",
            "Identity",
            "Get another server's picture, as WebP up to 256 x 256",
            Answer::Other("image/webp"),
        )
        .takes([needed("url", "https, http, ipfs, ipns or data URL")])
        .refuses(&[404, 415]),
    ]
}

fn names() -> Vec<Route> {
    let version = || query("apiVersion", "`2`: an empty list instead of 404 if nothing is found");
    let signed = |path, about| {
        Route::new("post", path, "Names", about, json::<NameRecord>())
            .body(SignedName::shape())
            .refuses(&[404, 409, 422, 503])
    };
    vec![
        Route::new(
            "get",
            "/v1/profile/account/{name}",
            "Names",
            "Get the addresses and attributes of a name",
            json::<NameRecord>(),
        )
        .takes([path("name", NAME), version(), query("coinType", COIN_TYPE)])
        .refuses(&[404, 503]),
        Route::new(
            "get",
            "/v1/profile/reverse/{address}",
            "Names",
            "List the names of an address",
            Answer::Json(Shape::Any),
        )
        .takes([path("address", ADDRESS), version()])
        .refuses(&[404]),
        Route::new(
            "get",
            "/v1/profile/reverse/{coin_type}/{address}",
            "Names",
            "List the names of an address on one chain",
            Answer::Json(Shape::Any),
        )
        .takes([path("coin_type", "SLIP-44 or ENSIP-11 coin type"), path("address", ADDRESS), version()])
        .refuses(&[404]),
        Route::new(
            "get",
            "/v1/profile/suggestions/{name}",
            "Names",
            "Suggest names and mark the taken ones",
            json::<Suggestions>(),
        )
        .takes([
            path("name", "Beginning of a name"),
            query("zone", "Ignored: all names are registered under one parent, which is in the response"),
        ])
        .refuses(&[404]),
        Route::new("get", "/v1/profile/nonce", "Names", "Get the nonce for the next message to sign", json::<Nonce>())
            .refuses(&[404]),
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
        )
        .takes([
            path("sender", "Address of the requesting contract"),
            path("data", "Calldata in hex with the prefix 0x, optionally followed by `.json`"),
        ])
        .refuses(&[404, 429])
        .open(),
        Route::new("post", "/v1/ens", "Names", "Resolve a name with CCIP-Read, by POST", Answer::Json(Shape::Any))
            .body(Shape::Any)
            .refuses(&[404, 413, 429])
            .open(),
    ]
}

fn directory() -> Vec<Route> {
    vec![
        Route::new("get", "/getWallets", "Wallet directory", "Search the list of wallets", json::<WalletPage>()).takes([
            whole("page", "Page number, from 1"),
            whole("entries", "Number of wallets per page, 1 to 100"),
            query("search", "Search text"),
            query("include", "Comma-separated ids: only these wallets"),
            query("exclude", "Comma-separated ids: all but these wallets"),
            query("chains", "Comma-separated CAIP-2 ids: wallets that support any of these chains"),
            query("rdns", "Comma-separated reverse domain names: only wallets with one of them"),
            query("names", "Comma-separated names: only wallets with one of them"),
            query("sort", "Accepted and ignored: the order is always that of the directory"),
            Parameter {
                shape: Shape::Words(vec!["ios", "android"]),
                ..query("platform", "Mobile platform that the wallets support")
            },
        ]),
        Route::new(
            "get",
            "/getWalletImage/{image_id}",
            "Wallet directory",
            "Get the picture of a wallet",
            Answer::Other("image/webp"),
        )
        .takes([path("image_id", "`image_id` of a wallet")])
        .refuses(&[404, 429])
        .open(),
        Route::new(
            "get",
            "/public/getAssetImage/{image_id}",
            "Wallet directory",
            "Get the picture of a network, a connector or a token",
            Answer::Other("image/webp"),
        )
        .takes([path("image_id", "`imageId` from the host's options or from a wallet, or the name of a network such as `eip155-25` or of a connector")])
        .refuses(&[404, 429])
        .open(),
        Route::new(
            "get",
            "/getWalletImages",
            "Wallet directory",
            "Get the pictures of several wallets at once",
            json::<WalletImages>(),
        )
        .takes([needed("ids", "Up to 100 comma-separated ids")])
        .refuses(&[429])
        .open(),
    ]
}

fn sign_in() -> Vec<Route> {
    let token = || Parameter {
        place: ParameterIn::Header,
        ..query("authorization", "`Bearer` and the token of the session; without it, the cookie of the session counts")
    };
    vec![
        Route::new("get", "/auth/v1/nonce", "Sign-in", "Get a nonce for a sign-in", json::<SiwxNonce>())
            .refuses(&[503]),
        Route::new(
            "post",
            "/auth/v1/authenticate",
            "Sign-in",
            "Sign in with a signed message, for the token of a session",
            json::<SessionToken>(),
        )
        .body(SignedMessage::shape())
        .refuses(&[413, 422, 503]),
        Route::new("get", "/auth/v1/me", "Sign-in", "Get the account of a session", json::<SessionAccount>())
            .takes([token()])
            .refuses(&[503]),
        Route::new("post", "/auth/v1/sign-out", "Sign-in", "End a session", Answer::Empty(204))
            .takes([token()])
            .refuses(&[503]),
        Route::new(
            "get",
            "/.well-known/jwks.json",
            "Sign-in",
            "Get the public keys of session tokens (RFC 7517)",
            json::<KeySet>(),
        )
        .refuses(&[429, 503])
        .open(),
    ]
}

fn rest() -> Vec<Route> {
    let event = AnalyticsEvent::shape();
    vec![
        Route::new(
            "get",
            "/v1/project/{id}/config",
            "Projects",
            "Get the chains, features and limits of a project",
            json::<ProjectConfig>(),
        )
        .takes([path("id", "Project id")])
        .refuses(&[401, 429])
        .open(),
        Route::new(
            "get",
            "/getAnalyticsConfig",
            "Projects",
            "Check whether analytics events are stored",
            json::<AnalyticsConfig>(),
        ),
        Route::new(
            "get",
            "/projects/v1/origins",
            "Projects",
            "List the origins whose pages may use a project",
            json::<AllowedOrigins>(),
        ),
        Route::new(
            "get",
            "/appkit/v1/config",
            "Projects",
            "List the features of AppKit clients, each on or off",
            json::<KitConfig>(),
        ),
        Route::new(
            "get",
            "/appkit/v1/project-limits",
            "Projects",
            "Get the plan limits that AppKit clients ask for",
            json::<KitLimits>(),
        ),
        Route::new("post", "/e", "Analytics", "Send an analytics event", Answer::Accepted(Taken::shape()))
            .body(event.clone())
            .refuses(&[413, 503]),
        Route::new("post", "/batch", "Analytics", "Send up to 100 analytics events", Answer::Accepted(Taken::shape()))
            .body(Shape::List(Box::new(event)))
            .refuses(&[413, 503]),
        Route::new(
            "get",
            "/health",
            "Operations",
            "Check whether the server is ready, like /health/ready",
            Answer::Other("text/plain"),
        )
        .refuses(&[503])
        .open(),
        Route::new("get", "/health/live", "Operations", "Check whether the process runs", Answer::Other("text/plain"))
            .open(),
        Route::new(
            "get",
            "/health/ready",
            "Operations",
            "Check whether the server can serve requests now",
            Answer::Other("text/plain"),
        )
        .refuses(&[503])
        .open(),
        Route::new("get", "/openapi.json", "Operations", "Get this description of the API", Answer::Json(Shape::Any))
            .open(),
        Route::new(
            "get",
            "/docs",
            "Operations",
            "Open this page to read and try the routes",
            Answer::Other("text/html"),
        )
        .open(),
    ]
}

/// Declares the types that the routes refer to.
pub fn declarations() -> Declarations {
    let mut into = Declarations::new();
    SupportedChains::declare(&mut into);
    Balances::declare(&mut into);
    History::declare(&mut into);
    Nfts::declare(&mut into);
    PriceQuestion::declare(&mut into);
    Prices::declare(&mut into);
    swap::declare(&mut into);
    Identity::declare(&mut into);
    NameRecord::declare(&mut into);
    Suggestions::declare(&mut into);
    Nonce::declare(&mut into);
    SignedName::declare(&mut into);
    SiwxNonce::declare(&mut into);
    SignedMessage::declare(&mut into);
    SessionToken::declare(&mut into);
    SessionAccount::declare(&mut into);
    KeySet::declare(&mut into);
    WalletPage::declare(&mut into);
    WalletImages::declare(&mut into);
    onramp::declare(&mut into);
    ProjectConfig::declare(&mut into);
    AnalyticsConfig::declare(&mut into);
    AllowedOrigins::declare(&mut into);
    KitConfig::declare(&mut into);
    KitLimits::declare(&mut into);
    AnalyticsEvent::declare(&mut into);
    Taken::declare(&mut into);
    Problem::declare(&mut into);
    into
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Verbs that summaries begin with.
    const VERBS: [&str; 16] = [
        "Build", "Call", "Change", "Check", "End", "Get", "List", "Open", "Register", "Release", "Resolve", "Search",
        "Send", "Sign", "Suggest", "Transfer",
    ];

    #[test]
    fn each_summary_is_short_and_unique_and_begins_with_a_verb() {
        let mut seen = HashSet::new();
        for route in routes() {
            let (about, path) = (route.about, route.path);
            assert!(VERBS.contains(&about.split(' ').next().unwrap()), "{path}: {about}");
            assert!(about.chars().count() <= 60 && !about.ends_with('.'), "{path}: {about}");
            assert!(seen.insert(about), "{path}: {about} stands twice");
        }
    }
}
