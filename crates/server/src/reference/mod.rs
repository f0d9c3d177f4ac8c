//! OpenAPI 3.1 description of every route, and a page to read and try them.

use crate::AppState;
use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// Generated from the types and the route table by `cargo xtask gen`.
const DESCRIPTION: &str = include_str!("../../../../docs/openapi.json");

/// The page connects to this server only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

const STYLE: &str = concat!(include_str!("../html/colors.css"), include_str!("page.css"));

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/openapi.json", get(|| text("application/json", DESCRIPTION)))
        .route("/docs", get(|| text("text/html; charset=utf-8", include_str!("page.html"))))
        .route("/docs/page.js", get(|| text("text/javascript; charset=utf-8", include_str!("page.js"))))
        .route("/docs/page.css", get(|| text("text/css; charset=utf-8", STYLE)))
}

async fn text(kind: &'static str, text: &'static str) -> Response {
    let head = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "max-age=300"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (head, text).into_response()
}
