//! Project routes under the paths that SDKs of others use. Their further routes are in docs/decisions/0008.

use super::features;
use crate::error::json;
use crate::guard::project::{Asker, Project};
use crate::{AppState, Failure};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use portico_api::project::{AllowedOrigins, AnalyticsConfig, KitConfig, KitFeature, KitLimits, PlanLimits};
use portico_json::{Write, to_text};

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/getAnalyticsConfig", get(analytics))
        .route("/projects/v1/origins", get(origins))
        .route("/appkit/v1/config", get(config))
        .route("/appkit/v1/project-limits", get(limits))
}

async fn analytics(State(state): State<AppState>, _project: Project) -> Response {
    answered(&AnalyticsConfig { is_analytics_enabled: state.analytics().is_some() })
}

/// Responds to pages of any origin: a page compares its own origin with the list.
async fn origins(State(state): State<AppState>, asker: Asker) -> Result<Response, Failure> {
    let project = asker.looks_at_named(&state).await?;
    Ok(answered(&AllowedOrigins { allowed_origins: project.origins.iter().map(ToString::to_string).collect() }))
}

/// Features under the ids that SDKs know. Features that this server lacks are off.
async fn config(State(state): State<AppState>, project: Project) -> Response {
    let there = features(&state, project.entry());
    let feature = |id: &str, is_enabled| KitFeature { id: id.into(), is_enabled, config: Vec::new() };
    let off = ["reown_branding", "multi_wallet", "email_capture"];
    let off = off.into_iter().chain(["fund_from_exchange", "payments", "reown_authentication"]);
    let sellers = state.onramp().sellers.iter().map(|seller| seller.word().to_owned()).collect();
    let socials: Vec<_> = state.socials().unwrap_or_default().iter().map(|social| social.id.clone()).collect();
    let mut features = vec![
        KitFeature { config: socials.clone(), ..feature("social_login", !socials.is_empty()) },
        feature("activity", there.contains(&"history")),
        feature("swap", there.contains(&"swap")),
        KitFeature { config: sellers, ..feature("onramp", there.contains(&"onramp")) },
        feature("headless", true),
    ];
    features.extend(off.map(|id| feature(id, false)));
    answered(&KitConfig { features })
}

/// Plan limits: there are no plans here, and a spent quota responds with 429 as on any route.
async fn limits(_project: Project) -> Response {
    let plan_limits = PlanLimits { tier: "self-hosted".into(), is_above_rpc_limit: false, is_above_mau_limit: false };
    answered(&KitLimits { plan_limits })
}

fn answered(answer: &impl Write) -> Response {
    json(StatusCode::OK, to_text(answer))
}
