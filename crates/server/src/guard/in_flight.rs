//! Share of each visitor in the requests in flight and the WebSockets of all. Behind a proxy it does what the share of connections does for
//! visitors that connect directly.

use super::client::Client;
use crate::visitors::Taken;
use crate::{AppState, Failure};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

/// `Retry-After` in seconds, about the time that requests take.
const AGAIN_AFTER: u32 = 2;

/// Slot of a connection, stored in the extensions of its requests: a WebSocket keeps it after the HTTP upgrade.
#[derive(Clone, Default)]
pub(crate) struct Seat {
    _connection: Option<Arc<Connection>>,
    _in_flight: Option<Arc<Taken>>,
}

/// Part of the visitor's share of connections, a place among those of all, and a sender by which the end of the last one is noticed.
type Connection = (Option<Taken>, OwnedSemaphorePermit, mpsc::Sender<()>);

impl Seat {
    /// Slot of a new connection.
    pub(crate) fn new(of_visitor: Option<Taken>, place: OwnedSemaphorePermit, ends: mpsc::Sender<()>) -> Seat {
        Seat { _connection: Some(Arc::new((of_visitor, place, ends))), _in_flight: None }
    }
}

/// Answers 429 to a visitor that has its share in flight. A request counts until its response is sent, and a WebSocket, by its [`Seat`],
/// until it is closed.
pub(crate) async fn limit(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let visitor = Client::of(&parts, state.limits()).address();
    let Some(taken) = state.in_flight().take(visitor, 1) else {
        let sentence = "You have too many requests and WebSockets open. Wait for one to end.";
        return Failure::new(StatusCode::TOO_MANY_REQUESTS, "", sentence).again_after(AGAIN_AFTER).into_response();
    };
    let taken = Arc::new(taken);
    let seat = parts.extensions.remove::<Seat>().unwrap_or_default();
    parts.extensions.insert(Seat { _in_flight: Some(taken.clone()), ..seat });
    let response = next.run(Request::from_parts(parts, body)).await;
    response.map(|body| until_sent(body, taken))
}

/// Response body that holds a value until it is sent.
pub(crate) fn until_sent<T: Send + Unpin + 'static>(body: Body, held: T) -> Body {
    Body::new(Sent { body, _held: held })
}

struct Sent<T> {
    body: Body,
    _held: T,
}

impl<T: Unpin> HttpBody for Sent<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
