//! The one shape of every answer that is not a success.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use portico_api::Problem;

/// A status and what its body says. The cause of a 5xx goes to the log, never to the client.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    problem: Problem,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Failure {
    /// A failure with one reason; `field` names the part of the request at fault.
    pub fn new(status: StatusCode, field: &str, description: impl Into<String>) -> Failure {
        Failure { status, problem: Problem::new(field, description), headers: Vec::new() }
    }

    /// 400: a parameter or the body is not what it must be.
    pub fn parameter(field: &str, description: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, field, description)
    }

    /// 503: the database did not do it. Why goes to the log.
    pub(crate) fn database(error: &sqlx::Error) -> Failure {
        tracing::error!(%error, "the database failed");
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "The server cannot reach its database").again_after(1)
    }

    /// Its status.
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// What its first reason says.
    pub(crate) fn description(&self) -> &str {
        self.problem.reasons.first().map_or("", |reason| &reason.description)
    }

    /// The same, telling the client to come again after this many seconds.
    pub(crate) fn again_after(self, seconds: u32) -> Failure {
        self.with_header(header::RETRY_AFTER, seconds)
    }

    /// The same with a header. One that no header can carry is left out.
    pub(crate) fn with_header(mut self, name: HeaderName, value: impl TryInto<HeaderValue>) -> Failure {
        self.headers.extend(value.try_into().ok().map(|value| (name, value)));
        self
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = json(self.status, portico_json::to_text(&self.problem));
        response.headers_mut().extend(self.headers);
        response
    }
}

/// An answer that is JSON text already.
pub(crate) fn json(status: StatusCode, body: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
