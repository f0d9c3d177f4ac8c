//! `GET /v1/project/{id}/config`: what a project may do here (spec 8.42 to 8.46), and what other kits ask about it under their own paths.

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
    /// What stands behind it: "analytics", "names", "history", "balances", "swap" …
    pub features: Vec<String>,
    /// The parent of names that can be registered here, such as "example.eth".
    pub names: Option<String>,
    /// Who swaps, and where; null where nobody does.
    pub swap: Option<SwapConfig>,
    /// Who sells coins for money; null where nobody does.
    pub onramp: Option<OnrampConfig>,
    /// How much may be asked.
    pub limits: ProjectLimits,
}

/// See [`ProjectConfig::swap`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapConfig {
    /// "onchain", "lifi", "zerox", "oneinch": those that can be asked.
    pub providers: Vec<String>,
    /// CAIP-2 of the chains on which one of them swaps, of those the project may ask for.
    pub chains: Vec<String>,
}

/// See [`ProjectConfig::onramp`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampConfig {
    /// "coinbase", "meld": those whose keys the server has.
    pub providers: Vec<String>,
}

/// How much may be asked of a project; what is not said is not limited. One call counts as one, a batch as its calls.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct ProjectLimits {
    /// By all of its visitors, on average.
    pub per_second: Option<u32>,
    /// By all of its visitors at once, after a rest.
    pub burst: Option<u32>,
    /// By all of its visitors, from midnight to midnight, UTC.
    pub per_day: Option<u32>,
    /// By one visitor, on average.
    pub client_per_second: Option<u32>,
    /// By one visitor at once, after a rest.
    pub client_burst: Option<u32>,
}

/// The answer of `GET /getAnalyticsConfig`.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct AnalyticsConfig {
    /// Whether events are taken.
    pub is_analytics_enabled: bool,
}

/// The answer of `GET /projects/v1/origins`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct AllowedOrigins {
    /// As the operator wrote them: "https://shop.example", "http://localhost:*", "*".
    pub allowed_origins: Vec<String>,
}

/// The answer of `GET /appkit/v1/config`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct KitConfig {
    /// Every feature that kits know, on or off.
    pub features: Vec<KitFeature>,
}

/// See [`KitConfig::features`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct KitFeature {
    /// "activity", "swap" …
    pub id: String,
    /// Whether this server has it.
    pub is_enabled: bool,
    /// Which kinds of it there are.
    pub config: Vec<String>,
}

/// The answer of `GET /appkit/v1/project-limits`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct KitLimits {
    /// The project's.
    pub plan_limits: PlanLimits,
}

/// See [`KitLimits::plan_limits`].
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PlanLimits {
    /// "self-hosted": there are no plans.
    pub tier: String,
    /// False: whoever has spent the quota gets 429.
    pub is_above_rpc_limit: bool,
    /// False: visitors are not counted.
    pub is_above_mau_limit: bool,
}
