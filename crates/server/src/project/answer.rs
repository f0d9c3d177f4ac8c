//! `GET /v1/project/{id}/config`: what a page can know of its project (spec 8.42 to 8.46).

use super::ProjectId;
use crate::error::json;
use crate::guard::project::Asker;
use crate::{AppState, Failure};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use portico_api::project::ProjectConfig;

pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/v1/project/{id}/config", get(config))
}

/// Answers pages of any origin: that theirs is not on the list is what they ask for.
async fn config(State(state): State<AppState>, Path(id): Path<String>, asker: Asker) -> Result<Response, Failure> {
    let (project, origin_allowed) = asker.looks_at(&state, ProjectId::parse(&id)).await?;
    let served = state.chains();
    let chains = served.iter().map(|chain| &chain.id).filter(|chain| project.allows_chain(chain));
    let answer = ProjectConfig {
        id,
        origin_allowed,
        chains: chains.map(ToString::to_string).collect(),
        features: features(&state).into_iter().map(String::from).collect(),
        names: state.names().map(|names| names.parent.clone()),
    };
    Ok(json(StatusCode::OK, portico_json::to_text(&answer)))
}

/// What stands behind the project here, by the words of [`ProjectConfig::features`].
fn features(state: &AppState) -> Vec<&'static str> {
    let chains = !state.chains().is_empty();
    let all = [
        ("rpc", chains),
        ("balances", chains),
        ("history", chains),
        ("names", state.names().is_some()),
        ("analytics", state.analytics()),
    ];
    all.into_iter().filter(|(_, there)| *there).map(|(word, _)| word).collect()
}
