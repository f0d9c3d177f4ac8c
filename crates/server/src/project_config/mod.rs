//! `GET /v1/project/{id}/config`: public configuration of a project (spec 8.42 to 8.46).

mod kit;

use crate::error::json;
use crate::guard::part::InPath;
use crate::guard::project::Asker;
use crate::project::{Entry, ProjectId};
use crate::{AppState, Failure};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use portico_api::project::{OnrampConfig, ProjectConfig, ProjectLimits, SwapConfig};

pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/v1/project/{id}/config", get(config)).merge(kit::router())
}

/// Responds to pages of any origin, since a page uses it to learn whether its origin is on the list.
async fn config(State(state): State<AppState>, InPath(id): InPath<String>, asker: Asker) -> Result<Response, Failure> {
    let (project, origin_allowed) = asker.looks_at(&state, ProjectId::parse(&id)).await?;
    let served = state.chains();
    let chains = served.iter().map(|chain| &chain.id).filter(|chain| project.allows_chain(chain));
    let answer = ProjectConfig {
        id,
        origin_allowed,
        chains: chains.map(ToString::to_string).collect(),
        features: features(&state, &project).into_iter().map(String::from).collect(),
        names: state.names().map(|names| names.parent.clone()),
        swap: swap(&state, &project),
        onramp: onramp(&state),
        socials: state.socials().map(<[_]>::to_vec),
        limits: limits(&state, &project),
    };
    Ok(json(StatusCode::OK, portico_json::to_text(&answer)))
}

/// Available features of a project, by the names of [`ProjectConfig::features`]. Balances and history count if a source knows them on
/// one of the project's chains.
pub(super) fn features(state: &AppState, project: &Entry) -> Vec<&'static str> {
    let served = state.chains();
    let chains: Vec<_> =
        served.iter().filter(|chain| project.allows_chain(&chain.id)).map(|chain| chain.config()).collect();
    let upstreams = state.upstreams();
    let all = [
        ("rpc", !chains.is_empty()),
        ("balances", chains.iter().any(|chain| upstreams.know_balances(chain))),
        ("history", chains.iter().any(|chain| upstreams.know_history(chain))),
        ("onramp", crate::onramp::is_there(state.onramp())),
        ("names", state.names().is_some()),
        ("swap", swap(state, project).is_some()),
        ("analytics", state.analytics().is_some()),
    ];
    all.into_iter().filter(|(_, there)| *there).map(|(word, _)| word).collect()
}

/// Swap providers on the project's chains, and those chains; `None` if there are no providers.
fn swap(state: &AppState, project: &Entry) -> Option<SwapConfig> {
    let mut told = SwapConfig::default();
    for served in state.chains().iter().filter(|chain| project.allows_chain(&chain.id)) {
        let words = state.swaps().words(&served.config());
        if !words.is_empty() {
            told.chains.push(served.id.to_string());
        }
        for word in words {
            if !told.providers.iter().any(|provider| provider == word) {
                told.providers.push(word.into());
            }
        }
    }
    (!told.chains.is_empty()).then_some(told)
}

fn onramp(state: &AppState) -> Option<OnrampConfig> {
    let sellers = &state.onramp().sellers;
    let providers = sellers.iter().map(|seller| seller.word().to_owned()).collect();
    (!sellers.is_empty()).then_some(OnrampConfig { providers })
}

fn limits(state: &AppState, project: &Entry) -> ProjectLimits {
    let client = state.limits().client;
    ProjectLimits {
        per_second: project.quota.per_second,
        burst: project.quota.rate().map(|rate| rate.burst),
        per_day: project.quota.per_day,
        client_per_second: client.map(|rate| rate.per_second as u32),
        client_burst: client.map(|rate| rate.burst),
    }
}
