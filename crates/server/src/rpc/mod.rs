//! The chain RPC proxy: `POST /v1?chainId&projectId` (spec 7.8, 9.16) and `GET /v1/supported-chains`.

mod answer;
mod ask;
mod blocks;
mod cache;
mod chain;
mod esplora;
pub(crate) mod inside;
mod method;
pub(crate) mod metrics;
mod node;
mod question;
mod refusal;
mod served;
pub(crate) mod socket;

use crate::config::Rpc;
use crate::error::json;
use crate::guard::body;
use crate::guard::project::Project;
use crate::rpc::ask::{Asker, NoResult};
use crate::rpc::chain::AskedChain;
use crate::rpc::question::Question;
use crate::visitors::Visitors;
use crate::{AppState, Failure};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use portico_api::rpc::SupportedChains;
use std::sync::Arc;
use tokio::sync::Semaphore;

pub(crate) use esplora::{CONFIRMED, is_bitcoin_address};
pub(crate) use method::takes;
pub(crate) use served::{Chains, Served};
pub(crate) use socket::outbox;

/// State shared by all RPC requests.
pub(crate) struct Proxy {
    cache: cache::Cache,
    flights: ask::Flights,
    sockets: Visitors,
    hubs: socket::Hubs,
    subscriptions_per_socket: usize,
    /// Places of the subscriptions of all WebSockets.
    subscriptions: Arc<Semaphore>,
    /// Places of each visitor among them.
    subscriptions_of: Visitors,
}

impl Proxy {
    pub(crate) fn new(config: &Rpc) -> Proxy {
        Proxy {
            cache: cache::Cache::new(config.cache_mib),
            flights: ask::Flights::default(),
            sockets: Visitors::new(config.sockets_per_client),
            hubs: socket::Hubs::default(),
            subscriptions_per_socket: config.subscriptions_per_socket,
            subscriptions: Arc::new(Semaphore::new(config.subscriptions_total)),
            subscriptions_of: Visitors::new(socket::MOST_OF_VISITOR.min(config.subscriptions_total.div_ceil(8))),
        }
    }
}

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1", post(proxy).get(socket::open))
        .route("/v1/", post(proxy).get(socket::open))
        .route(socket::ALONE, get(socket::open))
        .route("/v1/supported-chains", get(supported_chains))
}

/// Bodies are JSON whatever their content type says: hosts send `text/plain` to spare the browser's preflight.
async fn proxy(
    State(state): State<AppState>,
    project: Project,
    AskedChain(chain): AskedChain,
    request: Request,
) -> Result<Response, Failure> {
    project.allow_chain(&chain.id)?;
    let fresh = is_fresh(request.headers());
    let mut room = state.memory().of(project.visitor()).share();
    let body = Bytes::from(body::read(request, &mut room).await?);
    let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Send the body as UTF-8 text"))?;
    let mut question = Question::read(text, &chain, project.methods())?;
    let room = Arc::new(room);
    let asker = Asker { state: &state, served: &chain, body: &body, room: &room, fresh };
    asker.part(&mut question).await;
    // Extracting the project already charged one call.
    project.spend(&state, question.cost() - 1).await?;
    let answer = match asker.ask(&question).await {
        Ok(answer) => answer,
        Err(NoResult::ForLackOfMemory) => return Err(room.memory().lack().into()),
        Err(unanswered) => {
            return Err(Failure::new(unanswered.status(), "chainId", unanswered.sentence(&chain.id)));
        }
    };
    // JSON-RPC 2.0: a request that consists only of notifications gets no response body.
    if answer.as_ref().is_empty() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(json(StatusCode::OK, Bytes::from_owner(answer)))
}

/// Whether the client sent `Cache-Control: no-cache` (RFC 9111 5.2.1.4).
fn is_fresh(headers: &HeaderMap) -> bool {
    let said = headers.get(header::CACHE_CONTROL).and_then(|value| value.to_str().ok());
    said.is_some_and(|said| said.split(',').any(|word| word.trim().eq_ignore_ascii_case("no-cache")))
}

async fn supported_chains(State(state): State<AppState>) -> Response {
    let chains = state.chains();
    let http = chains.iter().map(|chain| chain.id.clone()).collect();
    let takes_sockets = |chain: &&Arc<Served>| chain.upstreams.iter().any(|upstream| upstream.ws_url.is_some());
    let ws = chains.iter().filter(takes_sockets).map(|chain| chain.id.clone()).collect();
    json(StatusCode::OK, portico_json::to_text(&SupportedChains { http, ws }))
}
