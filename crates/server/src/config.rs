//! Configuration: one TOML file, overridden by environment variables, overridden by command-line flags.
//!
//! Everything is validated here, so that a server that starts can run. A mistake is one sentence and its location.

mod analytics;
mod cdp_key;
mod chains;
mod commands;
mod duplicate;
mod egress;
mod ens;
mod file;
mod folder;
mod grammar;
mod images;
mod jwt;
mod known;
mod limits;
mod log;
mod method;
mod mistake;
mod names;
mod number;
mod onramp;
mod open_list;
mod parser;
mod relay;
mod rpc;
mod social;
mod sources;
mod statics;
mod swap;
mod tokens;
mod upstreams;
pub(crate) mod vault_link;
mod vault_place;
mod wallet;
mod written;

use crate::config::file::Read;
use crate::egress::Allowed;
use crate::user::this_user;
use axum::http::HeaderValue;
use ipnet::IpNet;
use k256::sha2::{Digest, Sha256};
use portico_terms::ChainId;
use reqwest::Url;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tracing_subscriber::filter::Targets;

pub use cdp_key::CdpKey;
pub(crate) use chains::{checked, meant};
pub use commands::Commands;
pub(crate) use commands::typed_program;
pub use ens::Ens;
pub use file::Flags;
pub use jwt::{JwtIssuer, JwtKeys};
pub use limits::{ForwardedHeader, Limits};
pub use log::LogFormat;
pub use method::Method;
pub use mistake::{Mistake, SettingSource};
pub(crate) use mistake::{ended, named};
pub use names::{Gateway, Layout, Names, SignerKey};
pub use onramp::{Onramp, Seller};
pub use relay::Relay;
pub use rpc::Rpc;
pub use social::{Farcaster, Social, SocialSecret};
pub(crate) use social::{apple_pair, may_be_http};
pub use sources::{Assets, Keyed, PriceSource, Secret, Sources, Vendor};
pub(crate) use swap::FEE_TIERS;
pub use swap::{Exchange, Swap, SwapProvider, V3};
pub use tokens::Token;
pub use vault_link::{LinkSide, VaultLink};
pub use vault_place::VaultPlace;
pub(crate) use wallet::NO_FRAME;
pub use wallet::{MailWay, SmtpUrl, Wallet};
pub use written::Written;

/// Name of the configuration file in the current folder.
pub const FILE_NAME: &str = "portico.toml";

/// Environment variable with the path of the configuration file.
pub const FILE_VARIABLE: &str = "PORTICO_CONFIG";

/// Admin listener of a server without a configuration file.
pub const ADMIN_LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 9464);

/// Validated configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether there is no configuration file, so that built-in settings apply.
    pub built_in: bool,
    /// Commands for the operator of a server with built-in settings.
    pub commands: Commands,
    /// Address and port of the public listener.
    pub listen: SocketAddr,
    /// Whether a flag names it.
    pub listen_by_flag: bool,
    /// Address and port of the operator's listener for metrics and health.
    pub admin_listen: Option<SocketAddr>,
    /// Networks from which the admin page can be opened; loopback addresses always can.
    pub admin_from: Vec<IpNet>,
    /// Location of the database.
    pub database: DatabasePlace,
    /// Whether a flag names the database.
    pub database_by_flag: bool,
    /// Redis, in which several server instances share limits and caches.
    pub redis: Option<redis::ConnectionInfo>,
    /// Prefix of all keys in Redis.
    pub redis_prefix: String,
    /// Folder of static files.
    pub static_dir: Option<PathBuf>,
    /// Content security policy of pages in `static_dir`.
    pub static_csp: Option<HeaderValue>,
    /// Log level of each target.
    pub log: Targets,
    /// Form of log lines.
    pub log_format: LogFormat,
    /// Maximum number of open connections.
    pub max_connections: usize,
    /// Maximum number of open connections per client.
    pub max_connections_per_client: usize,
    /// Memory limit, in MiB, for the bodies of all in-flight RPC requests and their responses together.
    pub max_body_memory_mib: usize,
    /// Addresses outside the public internet that URLs chosen by visitors or chains may reach.
    pub egress: Vec<Allowed>,
    /// Resolver of ENS names; `None` if its chain is not served.
    pub ens: Option<Ens>,
    /// Gateway for IPFS files.
    pub ipfs_gateway: Option<Url>,
    /// Public URL of this server, without a trailing slash.
    pub public_url: Option<String>,
    /// Whether analytics events of widgets are accepted and stored.
    pub analytics: bool,
    /// Retention of analytics events in days; `None` deletes none, and is possible only where none are stored.
    pub analytics_keep_days: Option<u32>,
    /// Maximum number of stored events; further ones are not taken.
    pub analytics_most_events: usize,
    /// Maximum size of the texts of stored analytics events, in MiB.
    pub analytics_most_mib: usize,
    /// Rate limits of visitors.
    pub limits: Limits,
    /// Sources of account data and prices.
    pub sources: Sources,
    /// Swap providers.
    pub swap: Swap,
    /// On-ramp providers.
    pub onramp: Onramp,
    /// Limits of the RPC proxy.
    pub rpc: Rpc,
    /// Chains that the RPC proxy serves.
    pub chains: Vec<Chain>,
    /// Whether all of them come from `public_nodes`, so that the configuration names no node.
    pub only_public_nodes: bool,
    /// Names that this server registers, if it does.
    pub names: Option<Names>,
    /// WalletConnect relay, if enabled.
    pub relay: Option<Relay>,
    /// Embedded wallet, if enabled.
    pub wallet: Option<Wallet>,
    /// The settings as they are written.
    pub written: Written,
    /// Settings that have no effect, most likely by mistake. The server starts all the same.
    pub warnings: Vec<Mistake>,
}

/// Location of the database.
#[derive(Clone, Debug)]
pub enum DatabasePlace {
    /// Path of the SQLite file.
    Sqlite(PathBuf),
    /// PostgreSQL server, which several server instances may share.
    Postgres(Box<sqlx::postgres::PgConnectOptions>),
}

impl DatabasePlace {
    /// Mark by which two processes of one machine see whether they work on the same database.
    pub(crate) fn mark(&self) -> String {
        let place = match self {
            DatabasePlace::Sqlite(file) => {
                // The file may not be there yet, its folder is.
                let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
                let file = folder.join(file.file_name().unwrap_or_default());
                file.canonicalize().unwrap_or(file).display().to_string()
            }
            DatabasePlace::Postgres(options) => {
                format!("{}:{}/{}", options.get_host(), options.get_port(), options.get_database().unwrap_or_default())
            }
        };
        format!("{:x}", Sha256::digest(place))
    }
}

/// Mark by which two processes of one machine see whether relative paths mean the same files to both; `None` if the folder was removed.
pub(crate) fn folder_mark() -> Option<String> {
    let folder = std::env::current_dir().ok()?.canonicalize().ok()?;
    Some(format!("{:x}", Sha256::digest(folder.as_os_str().as_encoded_bytes())))
}

impl fmt::Display for DatabasePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabasePlace::Sqlite(file) => write!(formatter, "{}", file.display()),
            // Omits user and password.
            DatabasePlace::Postgres(options) => {
                write!(formatter, "{} on {}", options.get_database().unwrap_or("of the user"), options.get_host())
            }
        }
    }
}

/// Chain with its nodes, the preferred one first.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Chain {
    /// CAIP-2 id.
    pub id: ChainId,
    /// Name for people, if it has one.
    pub name: Option<String>,
    /// Nodes of the chain, from 1 to 64.
    pub upstreams: Vec<Upstream>,
    /// Methods forwarded in addition to those that are safe on every chain.
    pub methods: Vec<Method>,
    /// Native coin, tokens and where to look them up.
    pub assets: Assets,
    /// Time between blocks; if unknown, no response that a new block may change is cached.
    pub block_time: Option<Duration>,
    /// Number of blocks on top of a block after which it counts as final.
    pub finality_depth: u64,
    /// Whether responses are cached at all.
    pub cache: bool,
    /// Maximum block range of one `eth_getLogs` request.
    pub max_logs_range: Option<u64>,
}

impl Chain {
    /// Name and id for people: "Ethereum (eip155:1)".
    pub(crate) fn title(&self) -> String {
        match &self.name {
            Some(name) => format!("{name} ({})", self.id),
            None => self.id.to_string(),
        }
    }

    /// Largest block range for logs that every node with `eth_getLogs` accepts; `None` if no node has a limit.
    pub(crate) fn log_range(&self) -> Option<u64> {
        let told = |upstream: &&Upstream| {
            upstream.methods.is_empty() || upstream.methods.iter().any(|method| method.covers("eth_getLogs"))
        };
        self.upstreams.iter().filter(told).filter_map(|upstream| upstream.max_block_range).min()
    }
}

/// Node, or node provider.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Upstream {
    /// http or https. May contain a provider's API key, so it must never be shown or logged.
    pub url: Url,
    /// ws or wss URL for subscriptions.
    pub ws_url: Option<Url>,
    /// Priority: nodes of a higher tier are queried only if those of the lower tiers fail.
    pub tier: u8,
    /// Maximum requests per second; a batch counts as one.
    pub rps: Option<u32>,
    /// Allowlist of methods for this node; empty allows all.
    pub methods: Vec<Method>,
    /// Whether this is an archive node, with the state of all past blocks.
    pub archive: bool,
    /// Maximum block range of one `eth_getLogs` request to this node.
    pub max_block_range: Option<u64>,
}

impl Config {
    /// Loads the file at `path` with the environment of the process.
    pub fn load(path: &Path, flags: &Flags) -> Result<Config, Vec<Mistake>> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let sentence = match error.kind() {
                std::io::ErrorKind::NotFound => {
                    let path = path.display();
                    match path.to_string() == FILE_NAME {
                        true => "no such file. Name yours with --config FILE, or write one with `portico init`".into(),
                        false => {
                            format!("no such file. Check the path, or write it with `portico init --config {path}`")
                        }
                    }
                }
                std::io::ErrorKind::InvalidData => "save the file as UTF-8 text".to_owned(),
                std::io::ErrorKind::IsADirectory => "this is a folder. Name the file in it".to_owned(),
                std::io::ErrorKind::PermissionDenied => {
                    format!("this user ({}) can't read it. Change its permissions, or those of its folder", this_user())
                }
                _ => format!("couldn't read the file ({error})"),
            };
            vec![Mistake::new(SettingSource::File(path.into()), sentence)]
        })?;
        Config::with_environment(path, &text, flags)
    }

    /// Loads [`FILE_NAME`] from the current folder; without such a file, built-in settings apply.
    pub fn load_here(flags: &Flags) -> Result<Config, Vec<Mistake>> {
        let path = Path::new(FILE_NAME);
        // A file that is there and cannot be read is a mistake; so is a link that leads nowhere.
        if path.symlink_metadata().is_ok() {
            return Config::load(path, flags);
        }
        let mut config = Config::with_environment(path, "", flags)?;
        config.built_in = true;
        config.commands = Commands::new(flags, Config::environment());
        config.admin_listen.get_or_insert(ADMIN_LISTEN);
        Ok(config)
    }

    /// The configuration of a server that listens at this address.
    pub(crate) fn at(&self, address: SocketAddr) -> Config {
        let mut config = self.clone();
        config.commands.took(address);
        config
    }

    /// Another server has the port of the admin page.
    pub(crate) fn lose_admin(&mut self) {
        self.commands.lost_admin(&self.database);
    }

    /// Whether this is a first look at the server on one's own machine: there is no file, and no other machine can connect.
    pub fn is_first_run(&self) -> bool {
        self.built_in && self.listen.ip().is_loopback()
    }

    fn with_environment(path: &Path, text: &str, flags: &Flags) -> Result<Config, Vec<Mistake>> {
        Config::parse(path, text, Config::environment(), flags)
    }

    /// Variables of this process. A name that is not UTF-8 is never one of ours; a value that is not UTF-8 is refused like any other bad value.
    pub fn environment() -> impl Iterator<Item = (String, String)> {
        #[allow(clippy::disallowed_methods, reason = "the one place that reads the environment")]
        std::env::vars_os().map(|(name, value)| (name.to_string_lossy().into(), value.to_string_lossy().into()))
    }

    /// Parses the text of a file with the given environment.
    pub fn parse(
        path: &Path,
        text: &str,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: &Flags,
    ) -> Result<Config, Vec<Mistake>> {
        let mut read = Read::new(path, text, environment, flags)?;
        let written = read.written();
        let listen = read.listen().unwrap_or(file::NOWHERE);
        let database = read.database().unwrap_or(DatabasePlace::Sqlite(PathBuf::new()));
        let analytics = read.analytics().unwrap_or_default();
        let max_connections = read.max_connections().unwrap_or(1);
        let admin_listen = read.admin_listen(listen);
        let wallet = read.wallet(listen, admin_listen, &database);
        let mut config = Config {
            built_in: false,
            commands: Commands::default(),
            listen,
            listen_by_flag: flags.listen.is_some(),
            admin_listen,
            admin_from: read.admin_from(admin_listen.is_some()),
            static_dir: read.static_dir(&database),
            database,
            database_by_flag: flags.database.is_some(),
            redis: read.redis(),
            redis_prefix: read.redis_prefix(),
            static_csp: read.static_csp(),
            log: read.log().unwrap_or_default(),
            log_format: read.log_format().unwrap_or_default(),
            max_connections,
            max_connections_per_client: read.max_connections_per_client(max_connections).unwrap_or(1),
            max_body_memory_mib: read.max_body_memory_mib().unwrap_or(1),
            egress: read.egress(),
            ens: None,
            ipfs_gateway: read.ipfs_gateway(),
            public_url: read.public_url(),
            analytics,
            analytics_keep_days: read.analytics_keep_days(analytics),
            analytics_most_events: read.analytics_most_events().unwrap_or_default(),
            analytics_most_mib: read.analytics_most_mib().unwrap_or_default(),
            limits: read.limits(),
            sources: read.sources(),
            swap: Swap::default(),
            onramp: read.onramp(),
            rpc: read.rpc().unwrap_or_default(),
            only_public_nodes: read.chains.is_empty(),
            chains: read.chains(),
            names: read.names(),
            relay: read.relay(),
            wallet,
            written,
            warnings: std::mem::take(&mut read.warnings),
        };
        config.ens = read.ens(&config.chains);
        config.swap = read.swap(&config.chains);
        read.finish(config)
    }
}
