//! Metrics of requests. Label values come from fixed lists (route pattern, HTTP method, status), never from text of a client.

use metrics::{counter, gauge, histogram};
use std::time::{Duration, Instant};

pub(crate) const REQUESTS: &str = "portico_requests_total";
pub(crate) const SECONDS: &str = "portico_request_seconds";
pub(crate) const IN_FLIGHT: &str = "portico_requests_in_flight";

/// Metrics of one request, from [`Counted::begin`] to [`Counted::end`].
pub(crate) struct Counted {
    route: String,
    method: &'static str,
    begun: Instant,
}

impl Counted {
    pub(crate) fn begin(route: &str, method: &axum::http::Method) -> Counted {
        gauge!(IN_FLIGHT).increment(1.0);
        let method = match method.as_str() {
            "GET" => "GET",
            "HEAD" => "HEAD",
            "POST" => "POST",
            "OPTIONS" => "OPTIONS",
            _ => "other",
        };
        Counted { route: route.into(), method, begun: Instant::now() }
    }

    /// Method, as one of five words.
    pub(crate) fn method(&self) -> &'static str {
        self.method
    }

    pub(crate) fn took(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn end(&self, status: u16) {
        counter!(REQUESTS, "route" => self.route.clone(), "method" => self.method, "status" => status.to_string())
            .increment(1);
        histogram!(SECONDS, "route" => self.route.clone()).record(self.took());
    }
}

impl Drop for Counted {
    /// Also runs when the client disconnects before its response.
    fn drop(&mut self) {
        gauge!(IN_FLIGHT).decrement(1.0);
    }
}
