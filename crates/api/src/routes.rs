//! Table of all routes of the server; its OpenAPI 3.1 description is generated from this table and the types: the rows of
//! JSON-RPC, projects, analytics and operations here, those of other groups in a file each.

mod account;
mod directory;
mod name;
mod onramp;
mod refusal;
mod relay;
mod sign_in;
mod swap;

use crate::account::{Balances, History, Nfts};
use crate::analytics::{AnalyticsEvent, Taken};
use crate::directory::{WalletImages, WalletPage};
use crate::identity::Identity;
use crate::name::{NameRecord, Nonce, SignedName, Suggestions};
use crate::price::{PriceQuestion, Prices};
use crate::problem::Problem;
use crate::project::{AllowedOrigins, AnalyticsConfig, KitConfig, KitLimits, ProjectConfig};
use crate::rpc::SupportedChains;
use crate::siwx::{KeySet, RevokedSessions, SessionAccount, SessionToken, SignedMessage, SiwxNonce};
use portico_json::{Declarations, Shape, Shaped};
use refusal::{
    DATABASE, EVENTS, INVALID_BODY, INVALID_PARAMETER, LATE_BODY, LIMIT, NOT_READY, ORIGIN, PROJECT, SOURCES,
    TOO_LARGE, UPGRADE,
};

pub use refusal::Refusal;

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
    /// JSON text of an example body, where the shape alone gives none that works.
    pub example: Option<&'static str>,
    /// Response on success.
    pub answer: Answer,
    /// Description of the response on success, in sentences.
    pub gives: &'static str,
    /// Status of a success without a body, if there is one besides `answer`, with its description.
    pub or: Option<(u16, &'static str)>,
    /// Refusals of this route alone; [`Route::refusals`] adds those that many routes have.
    own: Vec<Refusal>,
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

const ADDRESS: &str = "Address in the format of its chain";
const CHAIN: &str = "CAIP-2 id of a chain, such as eip155:1";
const COIN_TYPE: &str = "ENS names only: ENSIP-11 coin type of a chain whose address is added to the response";
const NAME: &str = "Complete name, such as alice.example.eth";
const CURSOR: &str = "`next` of the previous page";

/// JSON-RPC call that every EVM chain answers.
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}"#;

impl Route {
    fn new(method: &'static str, path: &'static str, tag: &'static str, about: &'static str, answer: Answer) -> Route {
        Route {
            method,
            path,
            about,
            tag,
            project: true,
            parameters: Vec::new(),
            body: None,
            example: None,
            answer,
            gives: "",
            or: None,
            own: Vec::new(),
        }
    }

    fn gives(self, gives: &'static str) -> Route {
        Route { gives, ..self }
    }

    fn or(self, status: u16, gives: &'static str) -> Route {
        Route { or: Some((status, gives)), ..self }
    }

    fn takes(mut self, parameters: impl IntoIterator<Item = Parameter>) -> Route {
        self.parameters.extend(parameters);
        self
    }

    fn body(self, shape: Shape) -> Route {
        Route { body: Some(shape), ..self }
    }

    fn example(self, example: &'static str) -> Route {
        Route { example: Some(example), ..self }
    }

    fn refuses(mut self, refusals: impl IntoIterator<Item = Refusal>) -> Route {
        self.own.extend(refusals);
        self
    }

    fn open(self) -> Route {
        Route { project: false, ..self }
    }

    /// All refusals by status, each status once: those of the route, then those that follow from its project, its parameters and its
    /// body.
    pub fn refusals(&self) -> Vec<Refusal> {
        let mut all = self.own.clone();
        if self.project {
            all.extend([PROJECT, ORIGIN, LIMIT, DATABASE]);
        }
        if self.body.is_some() {
            all.extend([INVALID_BODY, LATE_BODY, TOO_LARGE]);
        }
        // A picture that is asked for by an invalid id is not found.
        let checked = |parameter: &Parameter| parameter.place != ParameterIn::Header && parameter.name != "image_id";
        if self.parameters.iter().any(checked) {
            all.push(INVALID_PARAMETER);
        }
        all.sort_by_key(|refusal| refusal.status);
        all.dedup_by_key(|refusal| refusal.status);
        all
    }
}

fn json<T: Shaped>() -> Answer {
    Answer::Json(T::shape())
}

/// Returns all routes of the server.
pub fn routes() -> Vec<Route> {
    [
        rpc(),
        account::routes(),
        swap::routes(),
        name::routes(),
        directory::routes(),
        onramp::routes(),
        sign_in::routes(),
        relay::routes(),
        rest(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn rpc() -> Vec<Route> {
    let ask = |path, about| {
        Route::new("post", path, "JSON-RPC", about, Answer::Json(Shape::Any))
            .gives("The answer of the chain. A call that failed has an `error` in its answer; the others of a batch aren't affected.")
            .or(204, "The body had notifications only, which get no answer.")
            .takes([needed("chainId", CHAIN)])
            .body(Shape::Any)
            .example(CALL)
            .refuses([
                TOO_LARGE.because("The body is larger than 10 MiB. Send fewer calls at once."),
                SOURCES.because("None of the chain's nodes could answer, or the memory for large requests is in use. Try again."),
                Refusal::new(504, "None of the chain's nodes answered within ten seconds. Try again."),
            ])
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
        ).gives("The CAIP-2 ids of the chains, by HTTP and by WebSocket.")
        .open(),
        Route::new("get", "/v1/ws", "JSON-RPC", "Open a WebSocket for JSON-RPC and subscriptions", Answer::Empty(101)).gives("The WebSocket is open. Send each JSON-RPC 2.0 call, or a batch of them, as one text message.").refuses([UPGRADE, LIMIT.because("The visitor has too many WebSockets open, or the limit of requests is reached. Close one, or try again after the seconds in `retry-after`.")])
            .takes([needed("chainId", CHAIN)]),
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
        .gives("What the project may use. `originAllowed` says whether the requesting page is on its list.")
        .refuses([PROJECT.because("There is no such project, or it is disabled. Check the id."), LIMIT, DATABASE])
        .takes([path("id", "Project id")])
        .open(),
        Route::new(
            "get",
            "/getAnalyticsConfig",
            "Projects",
            "Check whether analytics events are stored",
            json::<AnalyticsConfig>(),
        )
        .gives("Whether to send events."),
        Route::new(
            "get",
            "/projects/v1/origins",
            "Projects",
            "List the origins whose pages may use a project",
            json::<AllowedOrigins>(),
        )
        .gives("The origins on the project's list."),
        Route::new(
            "get",
            "/appkit/v1/config",
            "Projects",
            "List the features of AppKit clients, each on or off",
            json::<KitConfig>(),
        )
        .gives("The features, each on or off."),
        Route::new(
            "get",
            "/appkit/v1/project-limits",
            "Projects",
            "Get the plan limits that AppKit clients ask for",
            json::<KitLimits>(),
        )
        .gives("The limits of the plan, which is always self-hosted. None is ever reached."),
        Route::new("post", "/e", "Analytics", "Send an analytics event", Answer::Accepted(Taken::shape()))
            .gives("`taken` is the number of stored events. 0 means that none are stored: stop sending.")
            .refuses([EVENTS])
            .body(event.clone()),
        Route::new("post", "/batch", "Analytics", "Send up to 100 analytics events", Answer::Accepted(Taken::shape()))
            .gives("`taken` is the number of stored events. 0 means that none are stored: stop sending.")
            .refuses([EVENTS])
            .body(Shape::List(Box::new(event))),
        Route::new(
            "get",
            "/health",
            "Operations",
            "Check whether the server is ready, like /health/ready",
            Answer::Other("text/plain"),
        )
        .gives("The server is ready. The text says if Redis isn't responding or little room is left.")
        .refuses([NOT_READY])
        .open(),
        Route::new("get", "/health/live", "Operations", "Check whether the process runs", Answer::Other("text/plain"))
            .gives("The process runs.")
            .open(),
        Route::new(
            "get",
            "/health/ready",
            "Operations",
            "Check whether the server can serve requests now",
            Answer::Other("text/plain"),
        )
        .gives("The server is ready. The text says if Redis isn't responding or little room is left.")
        .refuses([NOT_READY])
        .open(),
        Route::new("get", "/openapi.json", "Operations", "Get this description of the API", Answer::Json(Shape::Any))
            .gives("This description, OpenAPI 3.1.")
            .open(),
        Route::new(
            "get",
            "/docs",
            "Operations",
            "Open this page to read and try the routes",
            Answer::Other("text/html"),
        )
        .gives("The page, as HTML.")
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
    RevokedSessions::declare(&mut into);
    WalletPage::declare(&mut into);
    WalletImages::declare(&mut into);
    onramp::declare(&mut into);
    ProjectConfig::declare(&mut into);
    AnalyticsConfig::declare(&mut into);
    AllowedOrigins::declare(&mut into);
    KitConfig::declare(&mut into);
    KitLimits::declare(&mut into);
    AnalyticsEvent::declare(&mut into);
    relay::declare(&mut into);
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
    fn each_response_says_in_sentences_what_it_means() {
        for route in routes() {
            let (method, path) = (route.method, route.path);
            let mut seen = HashSet::from([match route.answer {
                Answer::Json(_) | Answer::Other(_) => 200,
                Answer::Accepted(_) => 202,
                Answer::Empty(status) => status,
            }]);
            let refusals = route.refusals();
            let others = refusals.iter().map(|refusal| (refusal.status, refusal.about));
            for (status, about) in route.or.into_iter().chain(others) {
                assert!(about.ends_with('.'), "{method} {path} {status}: {about}");
                assert!(seen.insert(status), "{method} {path} has two responses {status}");
            }
            assert!(route.gives.ends_with('.'), "{method} {path}: {}", route.gives);
            let tells = |status| refusals.iter().find(|refusal| refusal.status == status);
            // A refusal says what to do besides what went wrong.
            for refusal in &refusals {
                assert!(refusal.about.contains(". "), "{method} {path} {}: {}", refusal.status, refusal.about);
            }
            assert_eq!(tells(408).is_some(), route.body.is_some(), "{method} {path}");
            assert!(!route.project || [401, 403, 429, 503].iter().all(|status| tells(*status).is_some()), "{path}");
        }
    }

    #[test]
    fn a_body_of_any_shape_has_an_example() {
        for route in routes() {
            assert!(!matches!(route.body, Some(Shape::Any)) || route.example.is_some(), "{}", route.path);
        }
    }

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
