//! The configuration: one TOML file, the environment over it, the flags over both.
//!
//! Everything is checked here, so that what starts can run. A mistake is one sentence and the place it stands at.

mod analytics;
mod cdp_key;
mod chains;
mod egress;
mod ens;
mod file;
mod images;
mod limits;
mod log;
mod method;
mod mistake;
mod names;
mod onramp;
mod relay;
mod rpc;
mod sources;
mod statics;
mod swap;
mod tokens;
mod upstreams;

use crate::config::file::Read;
use crate::egress::Allowed;
use axum::http::HeaderValue;
use portico_terms::ChainId;
use reqwest::Url;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tracing_subscriber::filter::Targets;

pub use cdp_key::CdpKey;
pub use ens::Ens;
pub use file::Flags;
pub use limits::{ForwardedHeader, Limits};
pub use method::Method;
pub use mistake::{Mistake, SettingSource};
pub use names::{Gateway, Layout, Names, SignerKey};
pub use onramp::{Onramp, Seller};
pub use relay::Relay;
pub use rpc::Rpc;
pub use sources::{Assets, Keyed, PriceSource, Secret, Sources, Vendor};
pub(crate) use swap::FEE_TIERS;
pub use swap::{Exchange, Swap, SwapProvider, V3};
pub use tokens::Token;

/// A checked configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where to tell metrics and health to those who run the server.
    pub admin_listen: Option<SocketAddr>,
    /// Where the database is.
    pub database: DatabasePlace,
    /// Redis, where several nodes share limits and caches.
    pub redis: Option<redis::ConnectionInfo>,
    /// What the keys in it begin with.
    pub redis_prefix: String,
    /// The folder of static files.
    pub static_dir: Option<PathBuf>,
    /// The content security policy of its pages.
    pub static_csp: Option<HeaderValue>,
    /// What is logged.
    pub log: Targets,
    /// How many connections are served at once.
    pub max_connections: usize,
    /// How many of them one client may have.
    pub max_connections_per_client: usize,
    /// How much memory, in MiB, the bodies of all RPC requests in flight and of their answers may take together.
    pub max_body_memory_mib: usize,
    /// Where addresses that visitors or chains choose may lead beside the public internet.
    pub egress: Vec<Allowed>,
    /// Where names of ENS are looked up; none where their chain is not served.
    pub ens: Option<Ens>,
    /// By which server files of IPFS are fetched.
    pub ipfs_gateway: Option<Url>,
    /// The address under which pages reach this server, without a slash at its end.
    pub public_url: Option<String>,
    /// Whether events of widgets are taken and stored.
    pub analytics: bool,
    /// For how many days they are kept; none for ever.
    pub analytics_keep_days: Option<u32>,
    /// How much one visitor may ask.
    pub limits: Limits,
    /// What answers for accounts beside the chains.
    pub sources: Sources,
    /// Who swaps tokens.
    pub swap: Swap,
    /// Who sells coins for money.
    pub onramp: Onramp,
    /// What the RPC proxy may keep and take.
    pub rpc: Rpc,
    /// The chains behind the RPC proxy.
    pub chains: Vec<Chain>,
    /// The names given out, if any.
    pub names: Option<Names>,
    /// The relay of WalletConnect, if there is one.
    pub relay: Option<Relay>,
}

/// Where the database is.
#[derive(Clone, Debug)]
pub enum DatabasePlace {
    /// A file.
    Sqlite(PathBuf),
    /// A server, which several nodes may share.
    Postgres(Box<sqlx::postgres::PgConnectOptions>),
}

impl fmt::Display for DatabasePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabasePlace::Sqlite(file) => write!(formatter, "{}", file.display()),
            // Neither user nor password.
            DatabasePlace::Postgres(options) => {
                write!(formatter, "{} on {}", options.get_database().unwrap_or("of the user"), options.get_host())
            }
        }
    }
}

/// A chain and the nodes that answer for it, the preferred one first.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Chain {
    /// Its CAIP-2 id.
    pub id: ChainId,
    /// From 1 to 64.
    pub upstreams: Vec<Upstream>,
    /// What is passed on beside the methods that are safe to pass on everywhere.
    pub methods: Vec<Method>,
    /// Its coin, its tokens and where to look them up.
    pub assets: Assets,
    /// How often a block comes; where it is not known, nothing that a new block may change is kept.
    pub block_time: Option<Duration>,
    /// A block with so many on top of it stays.
    pub finality_depth: u64,
    /// Whether answers are kept at all.
    pub cache: bool,
    /// The logs of how many blocks one call may ask for.
    pub max_logs_range: Option<u64>,
}

impl Chain {
    /// The logs of how many blocks every node that is asked for logs tells at once; none where none of them has a limit.
    pub(crate) fn log_range(&self) -> Option<u64> {
        let told = |upstream: &&Upstream| {
            upstream.methods.is_empty() || upstream.methods.iter().any(|method| method.covers("eth_getLogs"))
        };
        self.upstreams.iter().filter(told).filter_map(|upstream| upstream.max_block_range).min()
    }
}

/// A node, or a provider of nodes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Upstream {
    /// http or https. Keys of providers stand in it: it is told to nobody.
    pub url: Url,
    /// ws or wss, for subscriptions.
    pub ws_url: Option<Url>,
    /// The lowest is asked first; the others only where those fail.
    pub tier: u8,
    /// How many requests a second it may be sent, a batch being one.
    pub rps: Option<u32>,
    /// The only methods it is asked; all where none is named.
    pub methods: Vec<Method>,
    /// Whether it knows the state of all blocks of the past.
    pub archive: bool,
    /// The logs of how many blocks it tells at once.
    pub max_block_range: Option<u64>,
}

impl Config {
    /// Reads the file at `path` with the environment of the process.
    pub fn load(path: &Path, flags: &Flags) -> Result<Config, Vec<Mistake>> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let sentence = match error.kind() {
                std::io::ErrorKind::NotFound => {
                    "there is no such file; name yours with --config FILE, or write one: `portico --help` shows an example"
                        .to_owned()
                }
                std::io::ErrorKind::InvalidData => "the file is not UTF-8 text".to_owned(),
                _ => format!("the file cannot be read ({error})"),
            };
            vec![Mistake::new(SettingSource::File(path.into()), sentence)]
        })?;
        // A variable that is not UTF-8 cannot be one of ours by name; by value it is refused as any other bad value.
        let environment =
            std::env::vars_os().map(|(name, value)| (name.to_string_lossy().into(), value.to_string_lossy().into()));
        Config::parse(path, &text, environment, flags)
    }

    /// Checks a text with the given environment.
    pub fn parse(
        path: &Path,
        text: &str,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: &Flags,
    ) -> Result<Config, Vec<Mistake>> {
        let mut read = Read::new(path, text, environment, flags)?;
        let listen = read.listen().unwrap_or(file::NOWHERE);
        let database = read.database().unwrap_or(DatabasePlace::Sqlite(PathBuf::new()));
        let max_connections = read.max_connections().unwrap_or(1);
        let mut config = Config {
            listen,
            admin_listen: read.admin_listen(),
            static_dir: read.static_dir(&database),
            database,
            redis: read.redis(),
            redis_prefix: read.redis_prefix(),
            static_csp: read.static_csp(),
            log: read.log().unwrap_or_default(),
            max_connections,
            max_connections_per_client: read.max_connections_per_client(max_connections).unwrap_or(1),
            max_body_memory_mib: read.max_body_memory_mib().unwrap_or(1),
            egress: read.egress(),
            ens: None,
            ipfs_gateway: read.ipfs_gateway(),
            public_url: read.public_url(),
            analytics: read.analytics().unwrap_or_default(),
            analytics_keep_days: read.analytics_keep_days(),
            limits: read.limits(),
            sources: read.sources(),
            swap: Swap::default(),
            onramp: read.onramp(),
            rpc: read.rpc().unwrap_or_default(),
            chains: read.chains(),
            names: read.names(),
            relay: read.relay(),
        };
        config.ens = read.ens(&config.chains);
        config.swap = read.swap(&config.chains);
        read.finish(config)
    }
}
