//! CORS for the routes of the widget.

use crate::AppState;
use crate::guard::project::is_listed;
use axum::http::{HeaderName, Method, header};
use std::time::Duration;
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

/// Time for which browsers may cache a preflight response; Chromium caps it at two hours.
const MAX_AGE: Duration = Duration::from_secs(7200);

pub(crate) fn layer() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([
            header::CACHE_CONTROL,
            header::CONTENT_TYPE,
            header::USER_AGENT,
            header::REFERER,
            header::ORIGIN,
            HeaderName::from_static("solana-client"),
            HeaderName::from_static("x-project-id"),
            HeaderName::from_static("x-sdk-type"),
            HeaderName::from_static("x-sdk-version"),
        ])
        .expose_headers([header::RETRY_AFTER, super::limits::LEFT, super::limits::POLICY, super::request_id::HEADER])
        .max_age(MAX_AGE)
}

/// CORS layer for resources that only pages on the project's allowlist may read; each origin is allowed by name.
pub(crate) fn listed_layer(state: AppState) -> CorsLayer {
    layer().allow_origin(AllowOrigin::async_predicate(move |_, parts| {
        let state = state.clone();
        let parts = parts.clone();
        async move { is_listed(&parts, &state).await }
    }))
}
