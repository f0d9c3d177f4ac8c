//! The one shape of every answer that is not a success.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use portico_api::Problem;

/// A status and what its body says. The cause of a 5xx goes to the log, never to the client.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    problem: Problem,
}

impl Failure {
    /// A failure with one reason; `field` names the part of the request at fault.
    pub fn new(status: StatusCode, field: &str, description: impl Into<String>) -> Failure {
        Failure { status, problem: Problem::new(field, description) }
    }

    /// 400: a parameter or the body is not what it must be.
    pub fn parameter(field: &str, description: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, field, description)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        json(self.status, portico_json::to_text(&self.problem))
    }
}

/// An answer that is JSON text already.
pub(crate) fn json(status: StatusCode, body: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
