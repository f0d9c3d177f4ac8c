//! Table of all routes of the server; its OpenAPI 3.1 description is generated from this table and the types.

mod onramp;
mod swap;

use crate::account::{Balances, History, Nfts};
use crate::analytics::{AnalyticsEvent, Taken};
use crate::directory::{WalletImages, WalletPage};
use crate::identity::Identity;
use crate::name::{NameRecord, Nonce, SignedMessage, Suggestions};
use crate::price::{CURRENCIES, PriceQuestion, Prices};
use crate::problem::Problem;
use crate::project::{AllowedOrigins, AnalyticsConfig, KitConfig, KitLimits, ProjectConfig};
use crate::rpc::SupportedChains;
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
    /// Area of the server, such as "swap".
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

const ADDRESS: &str = "An address, as its chain writes it";
const CHAIN: &str = "CAIP-2 id of a chain, such as eip155:1";
const COIN_TYPE: &str = "Of a name of ENS: also its address on the chain of this coin type (ENSIP-11)";
const NAME: &str = "A whole name, such as alice.example.eth";
const CURSOR: &str = "`next` of the page before";

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
    [rpc(), account(), swap::routes(), names(), directory(), onramp::routes(), rest()].into_iter().flatten().collect()
}

fn rpc() -> Vec<Route> {
    let ask = |path| {
        Route::new(
            "post",
            path,
            "rpc",
            "Asks a chain: one JSON-RPC 2.0 call, or up to 1000 in an array",
            Answer::Json(Shape::Any),
        )
        .takes([needed("chainId", CHAIN)])
        .body(Shape::Any)
        .refuses(&[413, 503, 504])
    };
    vec![
        ask("/v1"),
        ask("/v1/"),
        Route::new("get", "/v1/supported-chains", "rpc", "The chains that are served", json::<SupportedChains>())
            .open(),
        Route::new("get", "/v1/ws", "rpc", "JSON-RPC over a WebSocket, with subscriptions", Answer::Empty(101))
            .takes([needed("chainId", CHAIN)])
            .refuses(&[426, 503]),
    ]
}

fn account() -> Vec<Route> {
    let currency = Parameter {
        shape: Shape::Words(CURRENCIES.to_vec()),
        ..query("currency", "What values are told in; usd where it is missing")
    };
    let sdk = Parameter {
        place: ParameterIn::Header,
        ..query("x-sdk-version", "Without it, or `sv` in the query, the list is empty")
    };
    let address = || path("address", ADDRESS);
    vec![
        Route::new("get", "/v1/account/{address}/balance", "account", "What an account holds", json::<Balances>())
            .takes([
                address(),
                currency.clone(),
                query("chainId", CHAIN),
                query("forceUpdate", "Anything: do not answer from the cache"),
                sdk,
            ])
            .refuses(&[503]),
        Route::new(
            "get",
            "/v1/account/{address}/history",
            "account",
            "What an account did, the newest first",
            json::<History>(),
        )
        .takes([
            address(),
            currency,
            query("chainId", "CAIP-2 id of a chain; without it the history of all EVM chains, up to 16, is one list"),
            query("cursor", CURSOR),
            query("cache", "no-cache: do not answer from the cache"),
            query("onramp", "Taken and not heeded"),
        ])
        .refuses(&[503]),
        Route::new("get", "/v1/account/{address}/nfts", "account", "What an account owns by piece", json::<Nfts>())
            .takes([address(), query("chainId", CHAIN), query("cursor", CURSOR)])
            .refuses(&[503]),
        Route::new("post", "/v1/fungible/price", "account", "What tokens are worth", json::<Prices>())
            .body(PriceQuestion::shape())
            .refuses(&[422, 503]),
        Route::new(
            "get",
            "/v1/identity/{address}",
            "identity",
            "The name and the picture of an address",
            json::<Identity>(),
        )
        .takes([address()])
        .refuses(&[503]),
        Route::new(
            "get",
            "/v1/avatar/{name}",
            "identity",
            "The picture of a name, made anew",
            Answer::Other("image/webp"),
        )
        .takes([path("name", NAME)])
        .refuses(&[404, 415, 503]),
        Route::new("get", "/v1/image", "identity", "A picture from elsewhere, made anew", Answer::Other("image/webp"))
            .takes([needed("url", "An https, http, ipfs, ipns or data address")])
            .refuses(&[404, 415]),
    ]
}

fn names() -> Vec<Route> {
    let version = || query("apiVersion", "2: an empty list where there is nothing, instead of 404");
    let signed = |path, about| {
        Route::new("post", path, "names", about, json::<NameRecord>())
            .body(SignedMessage::shape())
            .refuses(&[404, 409, 422, 503])
    };
    vec![
        Route::new(
            "get",
            "/v1/profile/account/{name}",
            "names",
            "A registered name, or one of ENS",
            json::<NameRecord>(),
        )
        .takes([path("name", NAME), version(), query("coinType", COIN_TYPE)])
        .refuses(&[404, 503]),
        Route::new(
            "get",
            "/v1/profile/reverse/{address}",
            "names",
            "The names of an address",
            Answer::Json(Shape::Any),
        )
        .takes([path("address", ADDRESS), version()])
        .refuses(&[404]),
        Route::new(
            "get",
            "/v1/profile/reverse/{coin_type}/{address}",
            "names",
            "The names of an address of one coin type",
            Answer::Json(Shape::Any),
        )
        .takes([path("coin_type", "SLIP-44 or ENSIP-11"), path("address", ADDRESS), version()])
        .refuses(&[404]),
        Route::new("get", "/v1/profile/suggestions/{name}", "names", "Names that are like one", json::<Suggestions>())
            .takes([
                path("name", "The beginning of a name"),
                query("zone", "Not heeded: names are given out below one parent, which is in the answer"),
            ])
            .refuses(&[404]),
        Route::new("get", "/v1/profile/nonce", "names", "What the next signed message must carry", json::<Nonce>())
            .takes([query("name", "The name that the message will change, where the message does not say it")])
            .refuses(&[404]),
        signed("/v1/profile/account", "Registers a name"),
        signed("/v1/profile/account/{name}/attributes", "Sets what a name says of itself").takes([path("name", NAME)]),
        signed("/v1/profile/account/{name}/address", "Sets an address of a name").takes([path("name", NAME)]),
        signed("/v1/profile/account/{name}/transfer", "Gives a name to another account").takes([path("name", NAME)]),
        signed("/v1/profile/account/{name}/release", "Gives a name up").takes([path("name", NAME)]),
        Route::new("get", "/v1/ens/{sender}/{data}", "names", "The gateway of EIP-3668", Answer::Json(Shape::Any))
            .takes([path("sender", "The contract that asks"), path("data", "0x and hex, perhaps with `.json`")])
            .refuses(&[404, 429])
            .open(),
        Route::new("post", "/v1/ens", "names", "The gateway of EIP-3668", Answer::Json(Shape::Any))
            .body(Shape::Any)
            .refuses(&[404, 413, 429])
            .open(),
    ]
}

fn directory() -> Vec<Route> {
    vec![
        Route::new("get", "/getWallets", "directory", "Wallets that the directory knows", json::<WalletPage>()).takes(
            [
                whole("page", "From 1"),
                whole("entries", "1 to 100"),
                query("search", "What the visitor typed"),
                query("include", "Ids, parted by commas: only these"),
                query("exclude", "Ids, parted by commas: not these"),
                query("chains", "CAIP-2 ids, parted by commas: wallets for any of them"),
                query("rdns", "Reverse domain names, parted by commas"),
                query("names", "Names, parted by commas"),
                query("sort", "Taken and not heeded: there is one order, the directory's"),
                Parameter {
                    shape: Shape::Words(vec!["ios", "android"]),
                    ..query("platform", "Wallets for this phone")
                },
            ],
        ),
        Route::new(
            "get",
            "/getWalletImage/{image_id}",
            "directory",
            "The picture of a wallet",
            Answer::Other("image/webp"),
        )
        .takes([path("image_id", "From a wallet")])
        .refuses(&[404, 429])
        .open(),
        Route::new(
            "get",
            "/public/getAssetImage/{image_id}",
            "directory",
            "The picture of a network, a connector or a token, by its id in the same store",
            Answer::Other("image/webp"),
        )
        .takes([path("image_id", "From a host's or a wallet's `imageId`")])
        .refuses(&[404, 429])
        .open(),
        Route::new(
            "get",
            "/getWalletImages",
            "directory",
            "The pictures of a screen of wallets",
            json::<WalletImages>(),
        )
        .takes([needed("ids", "Up to 100, parted by commas")])
        .refuses(&[429])
        .open(),
    ]
}

fn rest() -> Vec<Route> {
    let event = AnalyticsEvent::shape();
    vec![
        Route::new("get", "/v1/project/{id}/config", "project", "What a project may do here", json::<ProjectConfig>())
            .takes([path("id", "The project id")])
            .refuses(&[401, 429])
            .open(),
        Route::new("get", "/getAnalyticsConfig", "project", "Whether events are taken", json::<AnalyticsConfig>()),
        Route::new(
            "get",
            "/projects/v1/origins",
            "project",
            "From which pages a project may be used, told to any",
            json::<AllowedOrigins>(),
        ),
        Route::new("get", "/appkit/v1/config", "project", "The features that kits know", json::<KitConfig>()),
        Route::new("get", "/appkit/v1/project-limits", "project", "What is left of a plan", json::<KitLimits>()),
        Route::new("post", "/e", "analytics", "Takes an event", Answer::Accepted(Taken::shape()))
            .body(event.clone())
            .refuses(&[413, 503]),
        Route::new("post", "/batch", "analytics", "Takes up to 100 events", Answer::Accepted(Taken::shape()))
            .body(Shape::List(Box::new(event)))
            .refuses(&[413, 503]),
        Route::new("get", "/health", "operations", "The same as /health/ready", Answer::Other("text/plain"))
            .refuses(&[503])
            .open(),
        Route::new("get", "/health/live", "operations", "Whether the process runs", Answer::Other("text/plain")).open(),
        Route::new("get", "/health/ready", "operations", "Whether it can serve", Answer::Other("text/plain"))
            .refuses(&[503])
            .open(),
        Route::new("get", "/openapi.json", "operations", "This description", Answer::Json(Shape::Any)).open(),
        Route::new("get", "/docs", "operations", "A page to read it and to try the routes", Answer::Other("text/html"))
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
    SignedMessage::declare(&mut into);
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
