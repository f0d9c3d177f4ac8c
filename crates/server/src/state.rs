//! What every request may reach.

use crate::config::{Chain, Config, Ens, Limits, Names, Onramp, PriceSource, Sources};
use crate::db::Database;
use crate::directory::Live;
use crate::egress::Egress;
use crate::files::Files;
use crate::guard::memory::Memory;
use crate::onramp::Turns;
use crate::picture::Pictures;
use crate::project::Projects;
use crate::relay::Relay;
use crate::rpc::{Chains, Proxy, Served};
use crate::shared::Shared;
use crate::swap::Swaps;
use crate::upstream::Upstreams;
use arc_swap::ArcSwap;
use portico_terms::ChainId;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Shared by all requests; a clone is another handle on the same.
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
    max_connections: usize,
    max_connections_per_client: usize,
    database: Database,
    shared: Shared,
    analytics: bool,
    projects: Projects,
    limits: Limits,
    onramp: Onramp,
    onramp_turns: Turns,
    upstreams: Upstreams,
    swaps: Swaps,
    directory: Live,
    files: Option<Files>,
    names: Option<Names>,
    relay: Option<Arc<Relay>>,
    stopping: watch::Sender<bool>,
}

/// Why there is no client for requests to upstreams.
#[derive(Debug, thiserror::Error)]
#[error(
    "Requests over https need the machine's list of trusted certificates, which cannot be read ({0}): \
     install the package `ca-certificates`"
)]
pub struct NoTrust(String);

/// A node that does not even take the connection is given up early, so that the next one still has time.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);

impl AppState {
    /// The state at the start.
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
            max_connections: config.max_connections,
            max_connections_per_client: config.max_connections_per_client,
            database,
            shared,
            analytics: config.analytics,
            projects: Projects::default(),
            limits: config.limits.clone(),
            onramp: config.onramp.clone(),
            onramp_turns: Turns::new(),
            upstreams: Upstreams::new(&config.sources),
            swaps: Swaps::new(&config.swap),
            directory: Live::new(),
            files,
            names: config.names.clone(),
            relay,
            stopping: watch::Sender::new(false),
        };
        Ok(AppState { inner: Arc::new(inner) })
    }

    /// The chains served at this moment.
    pub(crate) fn chains(&self) -> Arc<Chains> {
        self.inner.chains.load_full()
    }

    /// One chain.
    pub(crate) fn chain(&self, id: &ChainId) -> Option<Arc<Served>> {
        self.inner.chains.load().get(id)
    }

    /// From now on serves these chains. Nodes that were served before in the same way keep what is known of them.
    pub(crate) fn serve_chains(&self, chains: &[Chain]) -> Result<(), NoTrust> {
        let chains = Chains::new(chains, Some(&self.chains()))?;
        self.inner.chains.store(Arc::new(chains));
        Ok(())
    }

    /// What the questions to all chains share.
    pub(crate) fn proxy(&self) -> &Proxy {
        &self.inner.proxy
    }

    /// The client for requests to upstreams, which the operator chooses.
    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.inner.http
    }

    /// The client for addresses that visitors or chains choose.
    pub fn egress(&self) -> &Egress {
        &self.inner.egress
    }

    /// Where names of ENS are looked up, if their chain is served.
    pub(crate) fn ens(&self) -> Option<&Ens> {
        self.inner.ens.as_ref()
    }

    /// What pictures from elsewhere share.
    pub(crate) fn pictures(&self) -> &Pictures {
        &self.inner.pictures
    }

    /// The memory of all bodies together.
    pub(crate) fn memory(&self) -> &Memory {
        &self.inner.memory
    }

    /// How many connections are served at once.
    pub(crate) fn max_connections(&self) -> usize {
        self.inner.max_connections
    }

    /// How many of them one client may have.
    pub(crate) fn max_connections_per_client(&self) -> usize {
        self.inner.max_connections_per_client
    }

    /// The database.
    pub(crate) fn database(&self) -> &Database {
        &self.inner.database
    }

    /// What the nodes of this installation know together.
    pub(crate) fn shared(&self) -> &Shared {
        &self.inner.shared
    }

    /// Whether events of widgets are taken.
    pub(crate) fn analytics(&self) -> bool {
        self.inner.analytics
    }

    /// The projects that were asked for lately.
    pub(crate) fn projects(&self) -> &Projects {
        &self.inner.projects
    }

    /// How much one visitor may ask.
    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// Who sells coins for money.
    pub(crate) fn onramp(&self) -> &Onramp {
        &self.inner.onramp
    }

    /// What those who sell are being asked.
    pub(crate) fn onramp_turns(&self) -> &Turns {
        &self.inner.onramp_turns
    }

    /// Who answers for accounts.
    pub(crate) fn upstreams(&self) -> &Upstreams {
        &self.inner.upstreams
    }

    /// Who swaps tokens.
    pub(crate) fn swaps(&self) -> &Swaps {
        &self.inner.swaps
    }

    /// The names given out, if any.
    pub(crate) fn names(&self) -> Option<&Names> {
        self.inner.names.as_ref()
    }

    /// The relay, if there is one.
    pub(crate) fn relay(&self) -> Option<&Arc<Relay>> {
        self.inner.relay.as_ref()
    }

    /// The wallet directory.
    pub(crate) fn directory(&self) -> &Live {
        &self.inner.directory
    }

    /// The folder of static files, if there is one.
    pub(crate) fn static_files(&self) -> Option<Files> {
        self.inner.files.clone()
    }

    /// From now on `/health/ready` fails.
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

/// Whether providers of the operator's choice are asked over https.
fn needs_tls(chains: &[Chain], sources: &Sources) -> bool {
    let explorers = chains.iter().flat_map(|chain| &chain.assets.explorer);
    explorers.chain(sources.urls()).any(|url| url.scheme() == "https") || priced_over_https(chains, sources)
}

/// A client for requests to upstreams, which asks for the machine's trusted certificates only where it needs them.
pub(crate) fn http_client(tls: bool) -> Result<reqwest::Client, NoTrust> {
    let provider = rustls::crypto::ring::default_provider();
    // Fails only where a provider is installed already, which is as good.
    let _ = provider.install_default();
    let builder = reqwest::Client::builder()
        .user_agent(concat!("portico/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_LIMIT)
        // An upstream is named in the configuration; it does not get to name another.
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy();
    let builder = if tls { builder } else { builder.tls_certs_only([]) };
    builder.build().map_err(|error| NoTrust(innermost(&error)))
}

/// Chains whose coins nobody trades ask nobody for prices.
fn priced_over_https(chains: &[Chain], sources: &Sources) -> bool {
    let asks = matches!(&sources.prices, PriceSource::DefiLlama(url) | PriceSource::CoinGecko { url, .. } if url.scheme() == "https");
    asks && chains.iter().any(|chain| crate::price::market::traded(&chain.id))
}

/// The first cause of an error; what wraps it says no more than that something failed.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
