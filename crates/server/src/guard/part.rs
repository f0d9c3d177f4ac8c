//! Extractors that reject with the server's uniform error format.

use crate::Failure;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// Parameters in the path.
pub(crate) struct InPath<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InPath<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<InPath<T>, Failure> {
        let Path(found) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Failure::parameter("path", "Send the path as UTF-8 text"))?;
        Ok(InPath(found))
    }
}

/// Parameters in the query.
pub(crate) struct InQuery<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for InQuery<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<InQuery<T>, Failure> {
        let Query(found) = Query::try_from_uri(&parts.uri)
            .map_err(|_| Failure::parameter("query", "Send each parameter of the query once, as UTF-8 text"))?;
        Ok(InQuery(found))
    }
}
