//! Gives each request an id, and logs one line about it. Requests that are refused for their rate can come at any rate, and so can those of
//! routes without a rate limit, such as health: they, and those of a visitor above its share of lines, are logged as a count per minute.
//!
//! The line holds no personal data: the pattern of the route instead of the path, no query, no address of the visitor. A refusal of a project is told
//! with its reason and the origin of the page, because its operator has to find out why a site does not work.

use super::client::Client;
use super::metrics::Counted;
use crate::config::Limits;
use crate::error::Refusal;
use crate::visitors::Pace;
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

/// Name of the route of static files, and of paths where nothing is.
pub(crate) const FILES: &str = "files";

/// Interval of log lines about requests without a line of their own.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// Log lines of one visitor: per second, and at once after a pause.
const LINES: (u64, u64) = (100, 2000);

/// Share of log lines of each visitor, and the number of requests that are in no log line yet.
#[derive(Clone)]
pub(crate) struct RequestLog(Arc<Shares>);

struct Shares {
    limits: Limits,
    lines: Pace,
    unlogged: AtomicU64,
}

impl RequestLog {
    /// A visitor's address is found by these limits.
    pub(crate) fn new(limits: Limits) -> RequestLog {
        let (per_second, burst) = LINES;
        let lines = Pace::new(per_second, burst, Duration::ZERO);
        RequestLog(Arc::new(Shares { limits, lines, unlogged: AtomicU64::new(0) }))
    }

    /// Logs a request, or counts it; the first that is counted has their number logged a minute later.
    fn answered(&self, client: Client, response: &Response, took: Duration) {
        let shares = &self.0;
        let status = response.status();
        if status != StatusCode::TOO_MANY_REQUESTS && shares.lines.admits(client.address()) {
            let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
            let refusal = response.extensions().get::<Refusal>();
            tracing::info!(
                status = status.as_u16(),
                millis,
                reason = refusal.map(|refusal| refusal.reason),
                project = refusal.and_then(|refusal| refusal.project.as_deref()),
                origin = refusal.and_then(|refusal| refusal.origin.as_deref()),
                "answered"
            );
            return;
        }
        if shares.unlogged.fetch_add(1, Ordering::Relaxed) > 0 {
            return;
        }
        let shares = shares.clone();
        tokio::spawn(async move {
            sleep(TOLD_EVERY).await;
            let count = shares.unlogged.swap(0, Ordering::Relaxed);
            tracing::info!(
                count,
                "left out the lines of some requests in the last minute, because they were answered with 429 or their visitor sent more than {} requests per second",
                LINES.0
            );
        });
    }
}

pub(crate) async fn name_and_log(State(log): State<RequestLog>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let client = Client::of(&parts, &log.0.limits);
    let request = Request::from_parts(parts, body);
    let id = given(&request).unwrap_or_else(fresh);
    let route = request.extensions().get::<MatchedPath>().map_or(FILES, MatchedPath::as_str);
    let counted = Counted::begin(route, request.method());
    let id_text = id.to_str().unwrap_or_default();
    let span = tracing::info_span!("request", id = id_text, method = counted.method(), route);
    async {
        let mut response = next.run(request).await;
        let took = counted.took();
        counted.end(response.status().as_u16());
        log.answered(client, &response, took);
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
    use crate::Failure;
    use crate::testing::Log;
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::{any, get};
    use tower::ServiceExt;

    const ABUSER: &str = "192.0.2.66";
    const NEIGHBOUR: &str = "192.0.2.7";

    fn router() -> Router {
        let limits = Limits { trusted_proxies: vec!["0.0.0.0/32".parse().unwrap()], ..Limits::default() };
        Router::new()
            .route("/served", any(async || "served"))
            .route("/refused", get(async || StatusCode::TOO_MANY_REQUESTS))
            .route("/stranger", get(async || stranger()))
            .layer(from_fn_with_state(RequestLog::new(limits), name_and_log))
    }

    fn stranger() -> Failure {
        Failure::new(StatusCode::FORBIDDEN, "origin", "origin not allowed").because(Refusal {
            reason: "origin not allowed",
            project: Some("shop".into()),
            origin: Some("https://other.example".into()),
        })
    }

    /// Sends a request of a visitor, behind a proxy that tells its address.
    async fn ask(router: &Router, visitor: &str, method: &str, path: &str) {
        let request = Request::builder().method(method).uri(path).header("x-forwarded-for", visitor);
        router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    }

    async fn a_minute() {
        tokio::task::yield_now().await;
        tokio::time::advance(TOLD_EVERY).await;
        tokio::task::yield_now().await;
    }

    #[tokio::test(start_paused = true)]
    async fn requests_refused_for_their_rate_are_logged_as_a_count_per_minute() {
        let (log, _logging) = Log::begin();
        let router = router();
        for minute in 1..=2 {
            ask(&router, ABUSER, "GET", "/served").await;
            for _ in 0..20 {
                ask(&router, ABUSER, "GET", "/refused").await;
            }
            a_minute().await;
            let lines = log.text();
            assert_eq!(lines.matches(" answered status=200").count(), minute, "{lines}");
            assert_eq!((lines.lines().count(), lines.matches("count=20").count()), (2 * minute, minute), "{lines}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_visitor_uses_up_its_share_of_log_lines_and_leaves_the_neighbours_theirs() {
        let (log, _logging) = Log::begin();
        let router = router();
        for _ in 0..2500 {
            ask(&router, ABUSER, "GET", "/served").await;
        }
        ask(&router, NEIGHBOUR, "HEAD", "/served").await;
        let lines = log.text();
        let of = |method: &str| lines.matches(&format!("method=\"{method}\"")).count();
        assert_eq!((lines.lines().count(), of("GET"), of("HEAD")), (2001, 2000, 1));
        a_minute().await;
        let told = "or their visitor sent more than 100 requests per second count=500";
        let text = log.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2001..].iter().filter(|line| line.contains(told)).count(), 1);
        ask(&router, ABUSER, "GET", "/served").await;
        assert_eq!(log.text().lines().count(), 2003);
    }

    #[tokio::test]
    async fn a_refusal_of_a_project_is_logged_with_its_reason() {
        let (log, _logging) = Log::begin();
        ask(&router(), NEIGHBOUR, "GET", "/stranger").await;
        ask(&router(), NEIGHBOUR, "GET", "/served").await;
        let text = log.text();
        let (refused, served) = text.trim_end().split_once('\n').unwrap();
        let told = "reason=\"origin not allowed\" project=\"shop\" origin=\"https://other.example\"";
        assert!(refused.contains(told), "{refused}");
        assert!(!served.contains("reason"), "{served}");
    }

    #[tokio::test]
    async fn a_log_line_holds_one_of_five_words_for_the_method() {
        let (log, _logging) = Log::begin();
        let long = "X".repeat(60_000);
        for (method, word) in [("GET", "GET"), ("OPTIONS", "OPTIONS"), ("PROPFIND", "other"), (&long, "other")] {
            let before = log.text().len();
            ask(&router(), NEIGHBOUR, method, "/served").await;
            let line = log.text().split_off(before);
            assert!(line.contains(&format!("method=\"{word}\"")) && line.len() < 300, "{} bytes", line.len());
        }
    }
}
