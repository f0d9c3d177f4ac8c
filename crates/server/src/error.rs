//! Response body of every failure, in one form.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use portico_api::Problem;

/// Status and body of a failed request. The cause of a 5xx is logged, never sent to the client.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    problem: Problem,
    headers: Vec<(HeaderName, HeaderValue)>,
    refusal: Option<Box<Refusal>>,
}

/// Why a project refused a request, for its line in the log; an extension of the response.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) reason: &'static str,
    /// Id of the project, if the request names one.
    pub(crate) project: Option<String>,
    /// Origin of the page, if the request tells it.
    pub(crate) origin: Option<String>,
}

impl Failure {
    /// Failure with one reason; `field` names the part of the request at fault.
    pub fn new(status: StatusCode, field: &str, description: impl Into<String>) -> Failure {
        Failure { status, problem: Problem::new(field, description), headers: Vec::new(), refusal: None }
    }

    /// 400: a parameter or the body is invalid.
    pub fn parameter(field: &str, description: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, field, description)
    }

    /// 503: the database failed. The cause is logged.
    pub(crate) fn database(error: &sqlx::Error) -> Failure {
        tracing::error!(%error, "the database failed");
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "The server can't reach its database. Try again.")
            .again_after(1)
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// Description of the first reason.
    pub(crate) fn description(&self) -> &str {
        self.problem.reasons.first().map_or("", |reason| &reason.description)
    }

    /// Adds the reason for the log.
    pub(crate) fn because(self, refusal: Refusal) -> Failure {
        Failure { refusal: Some(Box::new(refusal)), ..self }
    }

    /// Adds `Retry-After`, in seconds.
    pub(crate) fn again_after(self, seconds: u32) -> Failure {
        self.with_header(header::RETRY_AFTER, seconds)
    }

    /// Adds a header; an invalid value is ignored.
    pub(crate) fn with_header(mut self, name: HeaderName, value: impl TryInto<HeaderValue>) -> Failure {
        self.headers.extend(value.try_into().ok().map(|value| (name, value)));
        self
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = json(self.status, portico_json::to_text(&self.problem));
        response.headers_mut().extend(self.headers);
        if let Some(refusal) = self.refusal {
            response.extensions_mut().insert(*refusal);
        }
        response
    }
}

/// Response with a body that is already JSON text.
pub(crate) fn json(status: StatusCode, body: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Time for people: seconds up to two minutes, then minutes up to two hours, hours up to two days, days up to two years, then years, each
/// rounded up.
pub(crate) fn in_words(seconds: u32) -> String {
    match seconds {
        0 | 1 => "1 second".into(),
        2..120 => format!("{seconds} seconds"),
        120..7200 => format!("{} minutes", seconds.div_ceil(60)),
        7200..172_800 => format!("{} hours", seconds.div_ceil(3600)),
        172_800..63_072_000 => format!("{} days", seconds.div_ceil(86_400)),
        _ => format!("{} years", seconds.div_ceil(31_536_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_time_is_told_in_large_units() {
        let told = [0, 1, 2, 119, 120, 121, 7_200, 22_668].map(in_words);
        assert_eq!(
            told,
            ["1 second", "1 second", "2 seconds", "119 seconds", "2 minutes", "3 minutes", "2 hours", "7 hours"]
        );
        assert_eq!(
            [172_799, 172_800, 63_071_999, 101_422_800].map(in_words),
            ["48 hours", "2 days", "730 days", "4 years"]
        );
    }
}
