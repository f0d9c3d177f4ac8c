//! `GET /v1/project/{id}/config`: what a project may do here (spec 8.42 to 8.46).

use portico_json::Json;

/// The answer.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct ProjectConfig {
    /// The project.
    pub id: String,
    /// Whether the asking page is on its list of origins.
    pub origin_allowed: bool,
    /// CAIP-2 of the chains it may ask for.
    pub chains: Vec<String>,
    /// What stands behind it: "analytics", "names", "history", "balances" …
    pub features: Vec<String>,
    /// The parent of names that can be registered here, such as "example.eth".
    pub names: Option<String>,
}
