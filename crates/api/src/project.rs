//! Features and limits of a project: `GET /v1/project/{id}/config` (spec 8.42 to 8.46), and the paths where other kits expect them.

use portico_json::Json;

/// Response of `GET /v1/project/{id}/config`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct ProjectConfig {
    /// Project id.
    pub id: String,
    /// Whether the origin of the requesting page is on the project's allowlist.
    pub origin_allowed: bool,
    /// CAIP-2 ids of the chains that the project may use.
    pub chains: Vec<String>,
    /// Enabled features: "analytics", "names", "history", "balances", "swap" …
    pub features: Vec<String>,
    /// Parent of the names that can be registered on this server, such as "example.eth".
    pub names: Option<String>,
    /// Swap providers and chains; null if the server offers no swaps.
    pub swap: Option<SwapConfig>,
    /// On-ramp providers; null if the server has none.
    pub onramp: Option<OnrampConfig>,
    /// Services at which visitors log in to the embedded wallet; null if the server has none.
    pub socials: Option<Vec<SocialService>>,
    /// Rate limits and quota of the project.
    pub limits: ProjectLimits,
}

/// Swap providers and chains of a project.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SwapConfig {
    /// Available swap providers: "onchain", "lifi", "zerox", "oneinch".
    pub providers: Vec<String>,
    /// CAIP-2 ids of the project's chains that at least one of the providers supports.
    pub chains: Vec<String>,
}

/// On-ramp providers of a project.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct OnrampConfig {
    /// On-ramp providers for which the server has API keys: "coinbase", "meld".
    pub providers: Vec<String>,
}

/// Service at which visitors log in.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct SocialService {
    /// "google", "x", "discord", "farcaster", "github", "apple", "facebook", or "openid".
    pub id: String,
    /// Name that the operator gave it; only of "openid".
    pub name: Option<String>,
}

/// Rate limits and quota of a project; absent values are unlimited. A single call counts as one, a batch as its number of calls.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct ProjectLimits {
    /// Average calls per second of all visitors together.
    pub per_second: Option<u32>,
    /// Calls of all visitors together that may arrive at once after a pause.
    pub burst: Option<u32>,
    /// Calls of all visitors together per day, from midnight to midnight UTC.
    pub per_day: Option<u32>,
    /// Average calls per second of one visitor.
    pub client_per_second: Option<u32>,
    /// Calls of one visitor that may arrive at once after a pause.
    pub client_burst: Option<u32>,
}

/// Response of `GET /getAnalyticsConfig`.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub struct AnalyticsConfig {
    /// Whether the server accepts analytics events.
    pub is_analytics_enabled: bool,
}

/// Response of `GET /projects/v1/origins`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct AllowedOrigins {
    /// Origins as the operator wrote them: "https://shop.example", "http://localhost:*", "*".
    pub allowed_origins: Vec<String>,
}

/// Response of `GET /appkit/v1/config`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct KitConfig {
    /// Every feature that kits know, enabled or not.
    pub features: Vec<KitFeature>,
}

/// Feature that kits know.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct KitFeature {
    /// Identifier: "activity", "swap" …
    pub id: String,
    /// Whether this server offers the feature.
    pub is_enabled: bool,
    /// Providers of the feature, such as those of "onramp"; empty for most features.
    pub config: Vec<String>,
}

/// Response of `GET /appkit/v1/project-limits`.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct KitLimits {
    /// Limits of the project's plan.
    pub plan_limits: PlanLimits,
}

/// Limits of a plan; a self-hosted server has no plans, so the values are constant.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct PlanLimits {
    /// Always "self-hosted".
    pub tier: String,
    /// Always false: a project over its quota receives 429 instead.
    pub is_above_rpc_limit: bool,
    /// Always false: visitors are not counted.
    pub is_above_mau_limit: bool,
}
