//! Which project a request belongs to.

use crate::Failure;
use axum::extract::{FromRequestParts, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::Deserialize;

/// A well-formed project id. Extracting it answers 401 where there is none.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct ProjectId(String);

const LONGEST: usize = 64;

impl ProjectId {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn parse(text: &str) -> Option<ProjectId> {
        let fits = (1..=LONGEST).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        fits.then(|| ProjectId(text.into()))
    }
}

#[derive(Deserialize)]
struct Asked {
    #[serde(rename = "projectId")]
    project_id: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for ProjectId {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<ProjectId, Failure> {
        let refuse = |description: &str| Failure::new(StatusCode::UNAUTHORIZED, "projectId", description);
        let malformed = "The project id must be 1 to 64 letters, digits, hyphens or underscores";
        let Query(asked) = Query::<Asked>::try_from_uri(&parts.uri).map_err(|_| refuse(malformed))?;
        let text = asked.project_id.ok_or_else(|| refuse("The query must carry a projectId"))?;
        ProjectId::parse(&text).ok_or_else(|| refuse(malformed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_id_is_1_to_64_letters_digits_hyphens_and_underscores() {
        for text in ["a", "demo-1_X", &"f".repeat(64)] {
            assert_eq!(ProjectId::parse(text), Some(ProjectId(text.into())));
        }
        for text in ["", " ", "a b", "é", "a.b", "../x", &"f".repeat(65)] {
            assert_eq!(ProjectId::parse(text), None, "{text}");
        }
    }
}
