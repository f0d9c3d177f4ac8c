//! JSON-RPC over WebSocket: `GET /v1/ws?chainId&projectId`, and an upgrade on `/v1`.

mod dialect;
mod events;
mod hub;
mod link;
pub(crate) mod outbox;
mod session;
mod signature;
mod subscription;
mod work;

use super::chain::AskedChain;
use crate::guard::client::Client;
use crate::guard::project::Project;
use crate::stop::Seat;
use crate::{AppState, Failure, visitors};
use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use dialect::Dialect;
use futures_util::future::join_all;
use link::Link;
use portico_terms::ChainId;
use session::Session;

pub(super) use hub::{Hubs, MOST_OF_VISITOR};

/// Path that accepts only WebSockets.
pub(super) const ALONE: &str = "/v1/ws";

/// Size limit of a client's message, in bytes.
const MESSAGE_LIMIT: usize = 1024 * 1024;

/// `Retry-After` in seconds, about the time in which pages are closed.
const AGAIN_AFTER: u32 = 30;

/// Whether each node of a chain that has a WebSocket URL accepts a connection there.
pub(crate) async fn opens(state: &AppState, chain: &ChainId) -> bool {
    let nodes = state.chain(chain).map(|served| served.socket_nodes()).unwrap_or_default();
    let Some(dialect) = Dialect::of(chain) else { return nodes.is_empty() };
    let links = nodes.into_iter().map(|node| Link::to(node, dialect));
    join_all(links).await.iter().all(Result::is_ok)
}

/// Opens a WebSocket at `/v1/ws`, or at `/v1`, which also accepts POST requests.
pub(super) async fn open(
    State(state): State<AppState>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    project: Result<Project, Failure>,
    chain: Result<AskedChain, Failure>,
    seat: Option<Extension<Seat>>,
    parts: Parts,
) -> Result<Response, Failure> {
    let upgrade = upgrade.map_err(|_| match parts.uri.path() {
        ALONE => Failure::new(StatusCode::UPGRADE_REQUIRED, "", "Open a WebSocket on this path"),
        _ => Failure::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "",
            "Send requests with POST, or open a WebSocket, on this path",
        ),
    })?;
    let (project, AskedChain(chain)) = (project?, chain?);
    project.allow_chain(&chain.id)?;
    let client = Client::of(&parts, state.limits());
    let Some(admitted) = state.proxy().sockets.take(client.address(), 1) else {
        let sentence = "You have too many WebSockets open. Close one first.";
        return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "", sentence).again_after(AGAIN_AFTER));
    };
    let visitor = project.visitor();
    let session = Session::new(state, project, chain.id.clone());
    let upgrade =
        upgrade.max_message_size(MESSAGE_LIMIT).max_frame_size(MESSAGE_LIMIT).max_write_buffer_size(outbox::MOST);
    Ok(upgrade.on_upgrade(async move |socket| {
        visitors::with(visitor, session.run(socket)).await;
        // Held until here, so that the connection counts against the limits.
        drop((admitted, seat));
    }))
}
