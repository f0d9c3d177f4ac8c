//! Routes of the relay: WebSockets at `/relay`, and at `/` for upgrade requests; JSON-RPC by POST to `/relay/rpc` and `/rpc`.

use super::auth::{Refusal, admit};
use super::fetched::Fetched;
use super::id::{MessageId, Topic};
use super::mailbox::Orderer;
use super::perform::{Ask, Caller, Done, hear, perform, refusal};
use super::socket::{self, Session};
use super::{Relay, metrics};
use crate::error::json;
use crate::files::{self, Files};
use crate::guard::body;
use crate::guard::client::Client;
use crate::guard::in_flight::until_sent;
use crate::stop::Seat;
use crate::{AppState, Failure};
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper::body::{Frame, SizeHint};
use portico_api::relay::AttestationKey;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// `Retry-After` in seconds, about the time in which pages are closed.
const AGAIN_AFTER: u32 = 30;

/// Routes of the relay; `files` are served at `/` for requests that are not WebSocket upgrades.
pub(crate) fn router(relay: &Arc<Relay>, files: Option<Files>) -> Router<AppState> {
    let root = {
        let relay = relay.clone();
        get(async move |State(state): State<AppState>, request: Request| open(state, relay, files, request).await)
    };
    let own = {
        let relay = relay.clone();
        get(async move |State(state): State<AppState>, request: Request| open(state, relay, None, request).await)
    };
    let key = {
        let relay = relay.clone();
        get(async move || attestation_key(&relay).await)
    };
    let posted = {
        let relay = relay.clone();
        post(async move |State(state): State<AppState>, request: Request| answer(state, relay, request).await)
    };
    Router::new()
        .route("/", root)
        .route("/relay", own.clone())
        .route("/relay/", own)
        .route("/relay/attestation-key", key)
        .route("/rpc", posted.clone())
        .route("/relay/rpc", posted)
}

async fn open(state: AppState, relay: Arc<Relay>, files: Option<Files>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let Ok(upgrade) = WebSocketUpgrade::from_request_parts(&mut parts, &state).await else {
        let at_root = parts.uri.path() == "/";
        return match files {
            Some(files) => files::serve(State(files), Request::from_parts(parts, body)).await,
            None if at_root => crate::no_such_path().into_response(),
            None => Failure::new(StatusCode::UPGRADE_REQUIRED, "", "Open a WebSocket on this path").into_response(),
        };
    };
    let seat = parts.extensions.get::<Seat>().cloned();
    let address = Client::of(&parts, state.limits()).address();
    // A visitor with all its sockets gets no other, not even one that is closed with a reason.
    let Some(visitor) = relay.visitors.take(address, 1) else {
        metrics::refused(Refusal::crowded().fault.tag());
        let sentence = "You have too many WebSockets open. Close one first.";
        return Failure::new(StatusCode::TOO_MANY_REQUESTS, "", sentence).again_after(AGAIN_AFTER).into_response();
    };
    let long = relay.long.take(address, 1);
    let limit = socket::frame_limit(relay.config.max_message);
    let limit = if long.is_some() { limit } else { limit.min(socket::SHORT_LIMIT) };
    let upgrade = upgrade
        .read_buffer_size(socket::READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(socket::WRITE_BUFFER)
        .max_message_size(limit)
        .max_frame_size(limit);
    // Browsers hide the response to a rejected upgrade from the page, so a rejection accepts the upgrade and then closes.
    match admit(&state, &relay, &mut parts).await {
        Ok(admitted) => {
            let session = Session::new(state, relay, admitted, address);
            upgrade.on_upgrade(async move |opened| {
                session.run(opened).await;
                // Held until here, so that the connection counts against the limits.
                drop((visitor, long, seat));
            })
        }
        // A visitor above its rate is not even upgraded.
        Err(refusal) if refusal.status == StatusCode::TOO_MANY_REQUESTS => {
            metrics::refused(refusal.fault.tag());
            Failure::new(refusal.status, "", refusal.text).again_after(1).into_response()
        }
        Err(refusal) => {
            metrics::refused(refusal.fault.tag());
            upgrade.on_upgrade(async move |opened| {
                socket::refuse(opened, refusal.code, refusal.text).await;
                drop((visitor, long, seat));
            })
        }
    }
}

/// Public key with which wallets verify the relay's attestations.
async fn attestation_key(relay: &Relay) -> Result<Response, Failure> {
    let unavailable =
        |_| Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "Couldn't read the relay's key. Try again.");
    let key = relay.attestation_key().await.map_err(unavailable)?.did();
    Ok(json(StatusCode::OK, portico_json::to_text(&AttestationKey { key })))
}

/// Handles one POST. Messages of topics that it subscribes to are stored until the client opens a WebSocket or fetches.
async fn answer(state: AppState, relay: Arc<Relay>, request: Request) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let refused = |refusal_: Refusal| json(refusal_.status, refusal("0", refusal_.fault));
    let admitted = match admit(&state, &relay, &mut parts).await {
        Ok(admitted) => admitted,
        Err(refusal) => return Ok(refused(refusal)),
    };
    let visitor = Client::of(&parts, state.limits()).address();
    let mut share = state.memory().of(Some(visitor)).share();
    let limit = socket::frame_limit(relay.config.max_message);
    let body = body::read_within(Request::from_parts(parts, body), &mut share, limit).await?;
    let Ok(text) = String::from_utf8(body) else {
        return Ok(json(StatusCode::OK, refusal("0", super::fault::Fault::Serialization)));
    };
    let here = Here { client: relay.client(admitted.client, &admitted.did), relay };
    let caller = Caller {
        client: here.client.clone(),
        visitor,
        payer: admitted.payer,
        origin: admitted.origin,
        inbox: None,
        fetched: Arc::new(Fetched::default()),
    };
    let done = match hear(&text) {
        Ask::Done(done) => done,
        Ask::Perform(asked) => perform(here.relay.clone(), caller.clone(), asked).await,
    };
    let Done { text: Some(text), fetched, .. } = done else { return Ok(StatusCode::ACCEPTED.into_response()) };
    // The answer may be much longer than the request. Messages fetched for one that has no room stay in the mailbox.
    share.reach(text.len())?;
    let response = json(StatusCode::OK, text);
    let by = caller.orderer();
    Ok(response.map(|body| {
        let body = if fetched.is_empty() { body } else { Body::new(Fetching { body, here, by, fetched }) };
        until_sent(body, share)
    }))
}

/// Handle of a client during a POST, released on drop: the connection may end at any moment.
struct Here {
    relay: Arc<Relay>,
    client: Arc<super::Client>,
}

impl Drop for Here {
    fn drop(&mut self) {
        self.relay.leave(&self.client);
    }
}

/// Response body with fetched messages, which are deleted once it is written: a POST gives no later sign that the client has them.
struct Fetching {
    body: Body,
    here: Here,
    by: Orderer,
    fetched: Vec<(Topic, MessageId)>,
}

impl HttpBody for Fetching {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if self.body.is_end_stream() && !self.fetched.is_empty() {
            let fetched = std::mem::take(&mut self.fetched);
            self.here.relay.mailbox().take(self.by, fetched);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::super::id::ClientId;
    use super::*;
    use crate::config::{Config, DatabasePlace, Flags};
    use crate::db::Database;
    use crate::shared::Shared;
    use std::path::Path;

    #[tokio::test]
    async fn a_client_that_posts_and_goes_before_it_is_answered_is_forgotten() {
        let config =
            Config::parse(Path::new("portico.toml"), "[relay]\nenabled = true\n", [], &Flags::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&DatabasePlace::Sqlite(folder.path().join("portico.db"))).await.unwrap();
        let relay = Arc::new(Relay::new(config.relay.unwrap(), None, database, Shared::in_memory()));
        let known = || relay.clients.lock().unwrap().len();
        let mut served = Box::pin(async {
            let _here = Here { client: relay.client(ClientId([1; 32]), "did:key:a"), relay: relay.clone() };
            std::future::pending::<()>().await;
        });
        assert!(futures_util::poll!(&mut served).is_pending());
        assert_eq!(known(), 1);
        drop(served);
        assert_eq!(known(), 0);
    }
}
