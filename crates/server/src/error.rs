//! The one shape of every answer that is not a success.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use portico_api::Problem;

/// A status and what its body says. The cause of a 5xx goes to the log, never to the client.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    problem: Problem,
    /// In seconds.
    again_after: Option<u32>,
}

impl Failure {
    /// A failure with one reason; `field` names the part of the request at fault.
    pub fn new(status: StatusCode, field: &str, description: impl Into<String>) -> Failure {
        Failure { status, problem: Problem::new(field, description), again_after: None }
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

    /// The same, telling the client to come again after this many seconds.
    pub(crate) fn again_after(self, seconds: u32) -> Failure {
        Failure { again_after: Some(seconds), ..self }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = json(self.status, portico_json::to_text(&self.problem));
        if let Some(seconds) = self.again_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
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
