//! What every request may reach.

use crate::config::{Chain, Config, Limits, Names, PriceSource, Sources};
use crate::db::Database;
use crate::directory::Live;
use crate::egress::Egress;
use crate::files::Files;
use crate::guard::memory::Memory;
use crate::project::Projects;
use crate::rpc::Resting;
use crate::shared::Shared;
use crate::upstream::Upstreams;
use portico_terms::ChainId;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Shared by all requests; a clone is another handle on the same.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<Inner>,
}

struct Inner {
    chains: Vec<Arc<Chain>>,
    chain_places: HashMap<ChainId, usize>,
    http: reqwest::Client,
    egress: Egress,
    resting: Resting,
    memory: Memory,
    max_connections: usize,
    max_connections_per_client: usize,
    database: Database,
    shared: Shared,
    analytics: bool,
    projects: Projects,
    limits: Limits,
    upstreams: Upstreams,
    directory: Live,
    files: Option<Files>,
    names: Option<Names>,
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
        let chains: Vec<Arc<Chain>> = config.chains.iter().cloned().map(Arc::new).collect();
        let chain_places = chains.iter().enumerate().map(|(place, chain)| (chain.id.clone(), place)).collect();
        let http = http_client(&chains, &config.sources)?;
        let files = config.static_dir.as_deref().map(|folder| Files::new(folder, config.static_csp.clone()));
        let inner = Inner {
            chains,
            chain_places,
            http,
            egress: Egress::new(config.egress.clone()),
            resting: Resting::default(),
            memory: Memory::new(config.max_body_memory_mib),
            max_connections: config.max_connections,
            max_connections_per_client: config.max_connections_per_client,
            database,
            shared,
            analytics: config.analytics,
            projects: Projects::default(),
            limits: config.limits.clone(),
            upstreams: Upstreams::new(&config.sources),
            directory: Live::new(),
            files,
            names: config.names.clone(),
            stopping: watch::Sender::new(false),
        };
        Ok(AppState { inner: Arc::new(inner) })
    }

    /// The chains served, in the order of the configuration.
    pub(crate) fn chains(&self) -> &[Arc<Chain>] {
        &self.inner.chains
    }

    /// One chain.
    pub(crate) fn chain(&self, id: &ChainId) -> Option<Arc<Chain>> {
        self.inner.chain_places.get(id).map(|place| self.inner.chains[*place].clone())
    }

    /// The client for requests to upstreams, which the operator chooses.
    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.inner.http
    }

    /// The client for addresses that visitors or chains choose.
    pub fn egress(&self) -> &Egress {
        &self.inner.egress
    }

    /// The upstreams to ask last.
    pub(crate) fn resting(&self) -> &Resting {
        &self.inner.resting
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

    /// Who answers for accounts.
    pub(crate) fn upstreams(&self) -> &Upstreams {
        &self.inner.upstreams
    }

    /// The names given out, if any.
    pub(crate) fn names(&self) -> Option<&Names> {
        self.inner.names.as_ref()
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

fn http_client(chains: &[Arc<Chain>], sources: &Sources) -> Result<reqwest::Client, NoTrust> {
    let provider = rustls::crypto::ring::default_provider();
    // Fails only where a provider is installed already, which is as good.
    let _ = provider.install_default();
    let builder = reqwest::Client::builder()
        .user_agent(concat!("portico/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_LIMIT)
        // An upstream is named in the configuration; it does not get to name another.
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy();
    let nodes = chains.iter().flat_map(|chain| chain.upstreams.iter().chain(&chain.assets.explorer));
    let https = nodes.chain(sources.urls()).any(|url| url.scheme() == "https") || priced_over_https(chains, sources);
    let builder = if https { builder } else { builder.tls_certs_only([]) };
    builder.build().map_err(|error| NoTrust(innermost(&error)))
}

/// Chains whose coins nobody trades ask nobody for prices.
fn priced_over_https(chains: &[Arc<Chain>], sources: &Sources) -> bool {
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
