//! Gives each request an id, and logs one line about it. Requests that are refused for their rate can come at any rate, so they are logged as
//! a count per minute.
//!
//! The line holds no personal data: the pattern of the route instead of the path, no query, no address of the visitor.

use super::metrics::Counted;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::sleep;
use tracing::Instrument;

/// Header with the request id, in requests and responses.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Interval of log lines about requests that were refused for their rate.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// Number of requests that were answered 429 and are in no log line yet.
#[derive(Clone, Default)]
pub(crate) struct Refusals(Arc<AtomicU64>);

impl Refusals {
    /// Counts one; the first of a minute has their number logged at the end of it.
    fn count(&self) {
        if self.0.fetch_add(1, Ordering::Relaxed) > 0 {
            return;
        }
        let refusals = self.0.clone();
        tokio::spawn(async move {
            sleep(TOLD_EVERY).await;
            let count = refusals.swap(0, Ordering::Relaxed);
            tracing::info!(
                count,
                "requests of the last minute were answered 429, as their rate or number exceeded a limit"
            );
        });
    }
}

pub(crate) async fn name_and_log(State(refusals): State<Refusals>, request: Request, next: Next) -> Response {
    let id = given(&request).unwrap_or_else(fresh);
    let route = request.extensions().get::<MatchedPath>().map_or("files", MatchedPath::as_str);
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default(), method = %request.method(), route);
    let counted = Counted::begin(route, request.method());
    async {
        let mut response = next.run(request).await;
        let millis = u64::try_from(counted.took().as_millis()).unwrap_or(u64::MAX);
        counted.end(response.status().as_u16());
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            refusals.count();
        } else {
            tracing::info!(status = response.status().as_u16(), millis, "answered");
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use std::io;
    use std::sync::{Mutex, PoisonError};
    use tower::ServiceExt;
    use tracing_subscriber::fmt::MakeWriter;

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<String>>);

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(&String::from_utf8_lossy(bytes));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl MakeWriter<'_> for Log {
        type Writer = Log;

        fn make_writer(&self) -> Log {
            self.clone()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn requests_refused_for_their_rate_are_logged_as_a_count_per_minute() {
        let log = Log::default();
        let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).finish();
        let _logging = tracing::subscriber::set_default(subscriber);
        let router = Router::new()
            .route("/served", get(async || "served"))
            .route("/refused", get(async || StatusCode::TOO_MANY_REQUESTS))
            .layer(from_fn_with_state(Refusals::default(), name_and_log));
        let ask = async |path: &str| {
            router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
        };
        for minute in 1..=2 {
            ask("/served").await;
            for _ in 0..20 {
                ask("/refused").await;
            }
            tokio::task::yield_now().await;
            tokio::time::advance(TOLD_EVERY).await;
            tokio::task::yield_now().await;
            let lines = log.0.lock().unwrap().clone();
            assert_eq!(lines.matches("answered ").count() - lines.matches("were answered").count(), minute, "{lines}");
            assert_eq!((lines.lines().count(), lines.matches("count=20").count()), (2 * minute, minute), "{lines}");
        }
    }
}
