//! State that every request shares.

use crate::analytics;
use crate::config::{Chain, Commands, Config, Ens, Limits, Names, Onramp, PriceSource, Sources, Wallet};
use crate::db::Database;
use crate::directory::Live;
use crate::egress::Egress;
use crate::files::Files;
use crate::guard::memory::Memory;
use crate::health::Checks;
use crate::onramp::Turns;
use crate::outbound::{NoTrust, http_client};
use crate::picture::Pictures;
use crate::project::Projects;
use crate::project::origin::Origin;
use crate::relay::Relay;
use crate::rpc::{Chains, Proxy, Served};
use crate::shared::Shared;
use crate::siwx::RevokedLists;
use crate::swap::Swaps;
use crate::upstream::Upstreams;
use crate::vault::Way;
use crate::visitors::Visitors;
use arc_swap::ArcSwap;
use ipnet::IpNet;
use portico_api::project::SocialService;
use portico_terms::ChainId;
use reqwest::Url;
use std::sync::Arc;
use tokio::sync::watch;

/// Cheap to clone: all clones share one state.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<Inner>,
}

struct Inner {
    chains: ArcSwap<Chains>,
    proxy: Proxy,
    http: reqwest::Client,
    egress: Egress,
    ens: Option<Ens>,
    pictures: Pictures,
    memory: Memory,
    mark: String,
    max_connections: usize,
    max_connections_per_client: usize,
    in_flight: Visitors,
    database: Database,
    checks: Checks,
    shared: Shared,
    /// Maximum size of the stored analytics events; `None` if none are stored.
    analytics: Option<analytics::Most>,
    projects: Projects,
    limits: Limits,
    onramp: Onramp,
    onramp_turns: Turns,
    upstreams: Upstreams,
    swaps: Swaps,
    directory: Live,
    files: Option<Files>,
    welcome: bool,
    /// Commands of a server without a configuration file.
    commands: Option<Commands>,
    admin_from: Vec<IpNet>,
    names: Option<Names>,
    issuer: String,
    revoked: RevokedLists,
    public_origin: Option<Origin>,
    relay: Option<Arc<Relay>>,
    vault: Option<Way>,
    wallet_origin: Option<String>,
    socials: Option<Vec<SocialService>>,
    stopping: watch::Sender<bool>,
}

impl AppState {
    /// State at startup.
    pub fn new(config: &Config, database: Database, shared: Shared) -> Result<AppState, NoTrust> {
        let chains = Chains::new(&config.chains, None)?;
        let sold = config.onramp.sellers.iter().any(|seller| seller.url().scheme() == "https");
        let tls = sold || config.swap.urls().any(|url| url.scheme() == "https");
        let http = http_client(tls || needs_tls(&config.chains, &config.sources))?;
        let files = config.static_dir.as_deref().map(|folder| Files::new(folder, config.static_csp.clone()));
        let relay = config
            .relay
            .clone()
            .map(|relay| Arc::new(Relay::new(relay, config.public_url.as_deref(), database.clone(), shared.clone())));
        let inner = Inner {
            chains: ArcSwap::from_pointee(chains),
            proxy: Proxy::new(&config.rpc),
            http,
            egress: Egress::new(config.egress.clone()),
            ens: config.ens.clone(),
            pictures: Pictures::new(config.ipfs_gateway.clone(), config.public_url.clone()),
            memory: Memory::new(config.max_body_memory_mib),
            mark: config.database.mark(),
            max_connections: config.max_connections,
            max_connections_per_client: config.max_connections_per_client,
            in_flight: Visitors::new(config.max_connections_per_client),
            database,
            checks: Checks::default(),
            shared,
            analytics: config.analytics.then_some(analytics::Most {
                events: config.analytics_most_events,
                bytes: config.analytics_most_mib.saturating_mul(1024 * 1024),
            }),
            projects: Projects::default(),
            limits: config.limits.clone(),
            onramp: config.onramp.clone(),
            onramp_turns: Turns::new(),
            upstreams: Upstreams::new(&config.sources),
            swaps: Swaps::new(&config.swap),
            directory: Live::new(),
            welcome: config.is_first_run() && files.is_none(),
            commands: config.built_in.then(|| config.commands.clone()),
            admin_from: config.admin_from.clone(),
            files,
            names: config.names.clone(),
            public_origin: config.public_url.as_deref().and_then(|url| Origin::of(&Url::parse(url).ok()?)),
            issuer: config.public_url.clone().unwrap_or_else(|| "portico".into()),
            revoked: RevokedLists::new(),
            relay,
            socials: config.wallet.as_ref().map(Wallet::services),
            vault: config.wallet.as_ref().map(|wallet| Way::new(&wallet.vault)),
            wallet_origin: config.wallet.as_ref().map(|wallet| wallet.origin.clone()),
            stopping: watch::Sender::new(false),
        };
        Ok(AppState { inner: Arc::new(inner) })
    }

    /// Origin of the public URL.
    pub(crate) fn public_origin(&self) -> Option<&Origin> {
        self.inner.public_origin.as_ref()
    }

    /// Mark of the database.
    pub(crate) fn mark(&self) -> &str {
        &self.inner.mark
    }

    /// Chains served at this moment.
    pub(crate) fn chains(&self) -> Arc<Chains> {
        self.inner.chains.load_full()
    }

    pub(crate) fn chain(&self, id: &ChainId) -> Option<Arc<Served>> {
        self.inner.chains.load().get(id)
    }

    /// Replaces the served chains. Unchanged nodes keep their measurements.
    pub(crate) fn serve_chains(&self, chains: &[Chain]) -> Result<(), NoTrust> {
        let chains = Chains::new(chains, Some(&self.chains()))?;
        self.inner.chains.store(Arc::new(chains));
        Ok(())
    }

    /// State that JSON-RPC requests of all chains share.
    pub(crate) fn proxy(&self) -> &Proxy {
        &self.inner.proxy
    }

    /// HTTP client for upstreams, which the operator chooses.
    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.inner.http
    }

    /// HTTP client for addresses that visitors or chains choose.
    pub fn egress(&self) -> &Egress {
        &self.inner.egress
    }

    /// ENS lookups, if their chain is served.
    pub(crate) fn ens(&self) -> Option<&Ens> {
        self.inner.ens.as_ref()
    }

    /// Shared state of the image proxy.
    pub(crate) fn pictures(&self) -> &Pictures {
        &self.inner.pictures
    }

    /// Memory budget of all request bodies.
    pub(crate) fn memory(&self) -> &Memory {
        &self.inner.memory
    }

    /// Maximum number of connections at once.
    pub(crate) fn max_connections(&self) -> usize {
        self.inner.max_connections
    }

    /// Maximum number of connections per client.
    pub(crate) fn max_connections_per_client(&self) -> usize {
        self.inner.max_connections_per_client
    }

    /// Requests in flight and WebSockets of each visitor.
    pub(crate) fn in_flight(&self) -> &Visitors {
        &self.inner.in_flight
    }

    pub(crate) fn database(&self) -> &Database {
        &self.inner.database
    }

    /// Checks of the database and of Redis for health.
    pub(crate) fn checks(&self) -> &Checks {
        &self.inner.checks
    }

    /// Data that the nodes of this installation share.
    pub(crate) fn shared(&self) -> &Shared {
        &self.inner.shared
    }

    /// Used part, from 0 to 1, of what all visitors share, by name.
    pub(crate) fn fullness(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let bodies = [("bodies", self.memory().fullness())];
        let relay = self.relay().map(|relay| relay.fullness());
        let relay =
            relay.map(|[bytes, subscriptions]| [("relay_messages", bytes), ("relay_subscriptions", subscriptions)]);
        bodies.into_iter().chain(relay.into_iter().flatten())
    }

    /// Maximum size of the stored analytics events; `None` if none are stored.
    pub(crate) fn analytics(&self) -> Option<analytics::Most> {
        self.inner.analytics
    }

    /// Cache of projects.
    pub(crate) fn projects(&self) -> &Projects {
        &self.inner.projects
    }

    /// Rate limits per visitor.
    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// On-ramp providers.
    pub(crate) fn onramp(&self) -> &Onramp {
        &self.inner.onramp
    }

    /// Concurrency limits of requests to on-ramp providers.
    pub(crate) fn onramp_turns(&self) -> &Turns {
        &self.inner.onramp_turns
    }

    /// Sources of account data.
    pub(crate) fn upstreams(&self) -> &Upstreams {
        &self.inner.upstreams
    }

    /// Swap providers.
    pub(crate) fn swaps(&self) -> &Swaps {
        &self.inner.swaps
    }

    /// Names that this server registers, if any.
    pub(crate) fn names(&self) -> Option<&Names> {
        self.inner.names.as_ref()
    }

    /// Issuer of the sessions of sign-ins: the public URL of this server.
    pub(crate) fn issuer(&self) -> &str {
        &self.inner.issuer
    }

    /// Cache of the lists of ended sessions.
    pub(crate) fn revoked(&self) -> &RevokedLists {
        &self.inner.revoked
    }

    /// WalletConnect relay, if enabled.
    pub(crate) fn relay(&self) -> Option<&Arc<Relay>> {
        self.inner.relay.as_ref()
    }

    /// Way to the embedded wallet's vault, if there is one.
    pub(crate) fn vault(&self) -> Option<&Way> {
        self.inner.vault.as_ref()
    }

    /// Origin of the embedded wallet's page, if there is one.
    pub(crate) fn wallet_origin(&self) -> Option<&str> {
        self.inner.wallet_origin.as_deref()
    }

    /// Services at which visitors log in to the embedded wallet, if there is one.
    pub(crate) fn socials(&self) -> Option<&[SocialService]> {
        self.inner.socials.as_deref()
    }

    /// Wallet directory.
    pub(crate) fn directory(&self) -> &Live {
        &self.inner.directory
    }

    /// Folder of static files, if configured.
    pub(crate) fn static_files(&self) -> Option<Files> {
        self.inner.files.clone()
    }

    /// Networks from which the admin page can be opened, besides this machine.
    pub(crate) fn admin_from(&self) -> &[IpNet] {
        &self.inner.admin_from
    }

    /// Commands of the page at `/` for the first look at a server without a configuration, if there is that page.
    pub(crate) fn welcome(&self) -> Option<&Commands> {
        self.commands().filter(|_| self.inner.welcome)
    }

    /// Commands for the operator of a server without a configuration file.
    pub(crate) fn commands(&self) -> Option<&Commands> {
        self.inner.commands.as_ref()
    }

    /// Begins to stop: from now on `/health/ready` fails.
    pub fn begin_stop(&self) {
        self.inner.stopping.send_replace(true);
    }

    /// Whether [`AppState::begin_stop`] was called.
    pub fn stopping(&self) -> bool {
        *self.inner.stopping.borrow()
    }

    /// Waits for [`AppState::begin_stop`].
    pub async fn stop_begun(&self) {
        // The sender lives in `self`, so waiting cannot fail.
        let _ = self.inner.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }
}

/// Whether an explorer or another source is reached over https.
fn needs_tls(chains: &[Chain], sources: &Sources) -> bool {
    let explorers = chains.iter().flat_map(|chain| &chain.assets.explorer);
    explorers.chain(sources.urls()).any(|url| url.scheme() == "https") || priced_over_https(chains, sources)
}

/// Whether prices are fetched over https; chains without traded coins need no prices.
fn priced_over_https(chains: &[Chain], sources: &Sources) -> bool {
    let asks = matches!(&sources.prices, PriceSource::DefiLlama(url) | PriceSource::CoinGecko { url, .. } if url.scheme() == "https");
    asks && chains.iter().any(|chain| crate::price::market::traded(&chain.id))
}
