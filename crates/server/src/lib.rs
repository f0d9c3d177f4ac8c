//! Server of the widget (binary `portico`), run on the operator's own domain.
//!
//! [`router`] is the whole server as a value: tests call it without a socket, `portico serve` listens with it.

// `println!` panics where the reader closed the pipe; `say!` and `remark!` of cli/mod.rs do not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::any;

mod account;
mod activity;
mod admin;
mod analytics;
pub mod cli;
pub mod config;
pub mod db;
mod digits;
pub mod directory;
pub mod egress;
pub mod ens;
mod error;
mod etag;
mod files;
#[cfg(test)]
mod floors;
mod guard;
mod health;
mod html;
mod identity;
mod language;
mod marks;
mod money;
mod name;
mod near;
mod oauth;
mod onramp;
mod outbound;
mod picture;
mod picture_link;
mod picture_source;
mod price;
mod project;
mod project_config;
mod reference;
mod relay;
pub mod reload;
mod rpc;
pub mod shared;
mod siwx;
mod source;
pub mod state;
pub mod stop;
mod swap;
#[cfg(test)]
mod testing;
mod upstream;
mod user;
pub mod vault;
mod visitors;
mod wallet;
mod welcome;

pub use admin::{Events, router as admin_router};
pub use error::Failure;
use guard::open::Visitor;
use guard::request_id::RequestLog;
pub use state::AppState;
pub use wallet::{FrameError, Wallet, router as wallet_router};

/// Router with all routes and middleware.
pub fn router(state: AppState) -> Router {
    let relay = state.relay().map(|relay| relay::router(relay, state.static_files())).unwrap_or_default();
    let in_flight = from_fn_with_state(state.clone(), guard::in_flight::limit);
    let api = Router::new()
        .merge(name::router())
        .merge(rpc::router())
        .merge(analytics::router())
        .merge(project_config::router())
        .merge(account::router())
        .merge(price::router())
        .merge(swap::router())
        .merge(onramp::router())
        .merge(directory::router())
        .merge(identity::router())
        .merge(picture::router())
        .merge(relay)
        .route("/v1/{*rest}", any(async |_: Visitor| no_such_path()))
        .method_not_allowed_fallback(async |_: Visitor| no_such_method())
        .layer(in_flight.clone())
        .layer(guard::origin::layer());
    let sessions = onramp::session_router()
        .method_not_allowed_fallback(async |_: Visitor| no_such_method())
        .layer(in_flight.clone())
        .layer(guard::origin::listed_layer(state.clone()));
    let signed_in = siwx::router()
        .method_not_allowed_fallback(async |_: Visitor| no_such_method())
        .layer(in_flight.clone())
        .layer(siwx::layer(state.clone()));
    let files = match state.static_files() {
        Some(files) => Router::new().fallback(files::serve).with_state(files),
        None => Router::new().fallback(async || no_such_path()),
    };
    let log = RequestLog::new(state.limits().clone());
    let files = files.layer(from_fn_with_state(state.clone(), guard::open::charge_missing)).layer(in_flight);
    let router = Router::new()
        .merge(health::router())
        .merge(reference::router())
        .merge(api)
        .merge(sessions)
        .merge(signed_in)
        .merge(siwx::open_router())
        .layer(from_fn_with_state(state.clone(), guard::client::name_visitor))
        .with_state(state.clone())
        .merge(files);
    // A layer, because the relay and the files have `/` too.
    let router = match state.welcome().is_some() {
        true => router.layer(from_fn_with_state(state, welcome::answer)),
        false => router,
    };
    router.layer(from_fn_with_state(log, guard::request_id::name_and_log))
}

fn no_such_path() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "", "There is nothing at this path")
}

fn no_such_method() -> Failure {
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "",
        "This HTTP method isn't allowed here. Use one that the header `allow` names.",
    )
}
