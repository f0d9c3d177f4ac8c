//! Flags of `portico serve`.

use crate::cli::config::{FileArgs, load};
use crate::cli::printed::Printed;
use crate::config::{Config, Flags};
use crate::reload::Source;
use clap::Args;

#[derive(Args)]
pub(in crate::cli) struct ServeArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Address to listen on, instead of the one in the configuration; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// SQLite file or postgres:// URL, instead of the one in the configuration
    #[arg(long, visible_alias = "database-url", value_name = "FILE|URL")]
    database: Option<String>,
    /// Redis for several servers, such as redis://127.0.0.1:6379, instead of the one in the configuration
    #[arg(long, value_name = "URL")]
    redis_url: Option<String>,
    /// Folder of static files, instead of the one in the configuration
    #[arg(long = "static", value_name = "DIR")]
    static_dir: Option<String>,
    /// Serve the large networks over public nodes, whose operators see which accounts are looked up
    #[arg(long)]
    public_nodes: bool,
    /// Format of log lines: auto (text on a terminal, otherwise JSON), text or json
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
}

impl ServeArgs {
    /// Loads the configuration. Returns also what to load it from again, when the file changes.
    pub(super) fn load(self) -> Result<(Config, Source), Printed> {
        let path = self.file.path();
        let flags = Flags {
            listen: self.listen,
            database: self.database,
            redis: self.redis_url,
            static_dir: self.static_dir,
            public_nodes: self.public_nodes.then(|| "true".into()),
            log_format: self.log_format,
        };
        Ok((load(&self.file, &flags)?, Source { path, flags }))
    }
}
