//! Gives each request an id, and logs one line about it.
//!
//! The line holds no personal data: the pattern of the route instead of the path, no query, no address of the visitor.

use super::metrics::Counted;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use tracing::Instrument;

/// Header with the request id, in requests and responses.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

pub(crate) async fn name_and_log(request: Request, next: Next) -> Response {
    let id = given(&request).unwrap_or_else(fresh);
    let route = request.extensions().get::<MatchedPath>().map_or("files", MatchedPath::as_str);
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default(), method = %request.method(), route);
    let counted = Counted::begin(route, request.method());
    async {
        let mut response = next.run(request).await;
        let millis = u64::try_from(counted.took().as_millis()).unwrap_or(u64::MAX);
        counted.end(response.status().as_u16());
        tracing::info!(status = response.status().as_u16(), millis, "answered");
        response.headers_mut().insert(HEADER, id);
        response
    }
    .instrument(span)
    .await
}

/// The id from a proxy in front, if it is safe to log.
fn given(request: &Request) -> Option<HeaderValue> {
    let id = request.headers().get(HEADER)?;
    let fits = (1..=64).contains(&id.len())
        && id.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    fits.then(|| id.clone())
}

/// A new id. Unique among the nodes of an installation if their start times differ by a microsecond.
fn fresh() -> HeaderValue {
    static START: LazyLock<u128> =
        LazyLock::new(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros()));
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let id = format!("{:x}-{:x}", *START, COUNT.fetch_add(1, Ordering::Relaxed));
    HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("unnamed"))
}
