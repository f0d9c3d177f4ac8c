//! Static files: the widget, the host page, and other files of the operator.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::path::Path;
use tower::ServiceExt;
use tower_http::services::ServeDir;

/// Folder of files to serve, and the content security policy of its pages.
#[derive(Clone)]
pub struct Files {
    folder: ServeDir,
    csp: Option<HeaderValue>,
}

/// Path of files that carry a content hash in their name.
const HASHED: &str = "/assets/";

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_EACH_TIME: HeaderValue = HeaderValue::from_static("no-cache");

impl Files {
    /// Serves `folder`. A file with a `.br` next to it is sent compressed to clients that accept Brotli. A folder serves its
    /// `index.html`, and a path without extension that is no file serves the page `<path>.html`: links from outside, such as
    /// `/wallet/wc?uri=…`, have no extension.
    pub fn new(folder: &Path, csp: Option<HeaderValue>) -> Files {
        let folder = ServeDir::new(folder).html_as_default_extension(true).precompressed_br();
        Files { folder, csp }
    }
}

pub(crate) async fn serve(State(files): State<Files>, request: Request) -> Response {
    // A folder redirects to itself with a trailing slash; with two leading slashes that would be another host.
    if is_hidden(request.uri().path()) || request.uri().path().starts_with("//") {
        return crate::no_such_path().into_response();
    }
    let hashed = request.uri().path().starts_with(HASHED);
    let Ok(response) = files.folder.oneshot(request).await;
    match response.status() {
        StatusCode::NOT_FOUND => return crate::no_such_path().into_response(),
        StatusCode::METHOD_NOT_ALLOWED => return crate::no_such_method().into_response(),
        _ => {}
    }
    let mut response = response.into_response();
    let found = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    if found {
        headers.insert(header::CACHE_CONTROL, if hashed { FOR_EVER } else { ASK_EACH_TIME });
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let html = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if let (true, Some(csp)) = (html, files.csp) {
        headers.insert(HeaderName::from_static("content-security-policy"), csp);
    }
    response
}

/// `.env`, `.git` and the like end up in served folders by mistake; `.well-known` is meant to be served (RFC 8615).
fn is_hidden(path: &str) -> bool {
    // ServeDir decodes the path, so an encoded slash separates names like a plain one.
    let decoded: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
    let mut parts = decoded.split(|byte| matches!(byte, b'/' | b'\\'));
    parts.any(|part| part.starts_with(b".") && part != b".well-known")
}
