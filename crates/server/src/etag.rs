//! Responses that a client keeps and asks for again by their `ETag` (RFC 9110, 8.8.3 and 13.1.2).

use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

/// Strong `ETag` of a text that needs no quoting.
pub(crate) fn tag(text: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{text}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Adds caching headers; becomes 304 without a body if the client already has this version.
pub(crate) fn kept(asked: &HeaderMap, tag: HeaderValue, keep: HeaderValue, mut response: Response) -> Response {
    let known = asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).any(|tags| {
        tags.split(',').map(|tag| tag.trim().trim_start_matches("W/")).any(|known| known == "*" || tag == known)
    });
    if known {
        response = StatusCode::NOT_MODIFIED.into_response();
    }
    response.headers_mut().insert(ETAG, tag);
    response.headers_mut().insert(CACHE_CONTROL, keep);
    response
}
