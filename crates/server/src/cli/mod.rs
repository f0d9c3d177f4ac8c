//! The command line.

/// Prints a line to the standard output, like `println!`. The reader may close the pipe, as `head` does after its lines; that ends nothing.
macro_rules! say {
    ($($piece:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($piece)*);
    }};
}

/// Prints a line to the standard error, like `eprintln!`, with the same patience.
macro_rules! remark {
    ($($piece:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($piece)*);
    }};
}

mod admin;
mod analytics;
mod auth;
mod backup;
mod doctor;
mod first_run;
#[cfg(test)]
mod help;
mod init;
mod log;
mod migrate;
mod port;
mod project;
mod report;
mod root_key;
mod rotate;
mod serve;
mod usage;
mod vault;
mod wallets;

use crate::cli::port::Running;
use crate::cli::project::ProjectCommand;
use crate::config::{Config, DatabasePlace, FILE_NAME, FILE_VARIABLE, Flags, Mistake, ended};
use crate::db::Database;
use crate::reload::Source;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Start here:
  portico serve                                  try it on this machine; its page shows the code for your site
  portico init                                   answer five questions to write a portico.toml
  portico project add Shop --origin https://shop.example
                                                 let your site use the server
  portico doctor                                 check everything that portico.toml sets up

More examples:
  portico config check                           find mistakes in portico.toml
  portico admin link                             open the admin page: traffic, networks, errors
  PORTICO__RELAY__ENABLED=true portico serve     serve with a relay of your own (WalletConnect), at /relay
  portico vault init                             set up the embedded wallet; see docs/operations/wallet.md
  portico wallets import wallets.json            add your own wallets to the directory
  portico analytics export > events.csv          export the events of widgets
  portico auth sessions list                     show who is signed in with a wallet
  portico backup copy.sqlite                     copy the database while it is in use
  portico migrate                                update the database to this version without serving

A portico.toml to start from:
  listen = \"127.0.0.1:8080\"
  database = \"portico.sqlite\"

  [[chains]]
  id = \"eip155:1\"
  upstreams = [\"https://ethereum-rpc.publicnode.com\"]

  [relay]
  enabled = true

The file can have another name or place: --config FILE, or the environment variable PORTICO_CONFIG for all commands.
Settings can also come from the environment, except for lists of tables such as [[chains]]. The variable is PORTICO__ and the name in
capitals, with two underscores for each dot and commas between the items of a list: PORTICO__LISTEN, PORTICO__LIMITS__CLIENT_BURST.
Secrets can be in files: PORTICO__DATABASE_FILE, PORTICO__REDIS_FILE, PORTICO__SOURCES__ZERION_KEY_FILE.
Flags override the environment, and the environment overrides the file.";

const CONFIG_EXAMPLES: &str = "\
Examples:
  portico config check                           check portico.toml in this folder
  portico config check --config /etc/portico/portico.toml

Each mistake is one line that says where it is. The exit code is 1 if there are any.";

/// Everything behind the Portico widget, in one binary.
#[derive(Parser)]
#[command(name = "portico", version, after_help = EXAMPLES, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server until SIGTERM or Ctrl-C
    #[command(after_help = serve::EXAMPLES)]
    Serve(ServeArgs),
    /// Write a portico.toml from the answers to five questions
    #[command(after_help = init::EXAMPLES)]
    Init(init::InitArgs),
    /// Check the configuration
    #[command(subcommand, after_help = CONFIG_EXAMPLES)]
    Config(ConfigCommand),
    /// Open the admin page: traffic, networks, errors
    #[command(subcommand, after_help = admin::EXAMPLES)]
    Admin(admin::AdminCommand),
    /// Check everything the server needs, and say how to fix problems
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(DatabaseArgs),
    /// Copy the SQLite database while it is in use
    #[command(after_help = backup::EXAMPLES)]
    Backup(backup::BackupArgs),
    /// Export the stored analytics events
    #[command(subcommand, after_help = analytics::EXAMPLES)]
    Analytics(analytics::AnalyticsCommand),
    /// Manage projects: which sites can use this server, and how much
    #[command(subcommand, after_help = project::EXAMPLES)]
    Project(ProjectCommand),
    /// Add your own wallets to the directory
    #[command(subcommand, after_help = wallets::EXAMPLES)]
    Wallets(wallets::WalletsCommand),
    /// Set up and run the vault of the embedded wallet
    #[command(subcommand, after_help = vault::EXAMPLES)]
    Vault(vault::VaultCommand),
    /// Manage the sign-in with wallets: its keys and sessions
    #[command(subcommand, after_help = auth::EXAMPLES)]
    Auth(auth::AuthCommand),
    /// Update the database to this version
    #[command(after_help = migrate::EXAMPLES)]
    Migrate(DatabaseArgs),
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Find mistakes in the configuration
    #[command(after_help = CONFIG_EXAMPLES)]
    Check(CheckArgs),
}

#[derive(Args)]
struct FileArgs {
    /// Configuration file [default: portico.toml in this folder, or built-in settings if there is none]
    #[arg(long, value_name = "FILE", env = FILE_VARIABLE, hide_env_values = true, value_parser = config_file())]
    config: Option<PathBuf>,
}

#[derive(Args)]
struct CheckArgs {
    /// Configuration file
    #[arg(long, value_name = "FILE", env = FILE_VARIABLE, hide_env_values = true, default_value = FILE_NAME, value_parser = config_file())]
    config: PathBuf,
}

/// Parses the path of the configuration file. An empty one is that of an empty variable, which counts as unset.
fn config_file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// The path, unless it is empty.
fn given(path: &Path) -> Option<&Path> {
    Some(path).filter(|path| !path.as_os_str().is_empty())
}

impl FileArgs {
    fn given(&self) -> Option<&Path> {
        self.config.as_deref().and_then(given)
    }

    fn path(&self) -> PathBuf {
        self.given().unwrap_or(Path::new(FILE_NAME)).to_owned()
    }

    /// End of a command that reads the same configuration.
    fn flag(&self) -> String {
        flag_of(&self.path())
    }
}

/// End of a command that reads this configuration: ` --config FILE`, or nothing for the usual file.
fn flag_of(file: &Path) -> String {
    if file == Path::new(FILE_NAME) { String::new() } else { format!(" --config {}", file.display()) }
}

impl CheckArgs {
    fn path(&self) -> &Path {
        given(&self.config).unwrap_or(Path::new(FILE_NAME))
    }
}

/// Database that a command works on.
#[derive(Args)]
struct DatabaseArgs {
    #[command(flatten)]
    file: FileArgs,
    /// SQLite file or postgres:// URL, instead of the one in the configuration
    #[arg(long, visible_alias = "database-url", value_name = "FILE|URL")]
    database: Option<String>,
}

impl DatabaseArgs {
    fn load(&self) -> Result<Config, Printed> {
        load(&self.file, &Flags { database: self.database.clone(), ..Flags::default() })
    }

    /// Loads the configuration, with the public nodes if its running server was started with `--public-nodes`; whether it was.
    fn load_as_running(&self) -> Result<(Config, bool), Printed> {
        let config = self.load()?;
        let ids = |config: &Config| config.chains.iter().map(|chain| chain.id.to_string()).collect::<BTreeSet<_>>();
        let Some(served) = Running::find(&config).filter(Running::is_own).and_then(|running| running.chains()) else {
            return Ok((config, false));
        };
        let public_nodes = Some("true".into());
        let more = load(&self.file, &Flags { database: self.database.clone(), public_nodes, ..Flags::default() })?;
        let asks_public = ids(&more) != ids(&config) && ids(&more).is_subset(&served);
        Ok(if asks_public { (more, true) } else { (config, false) })
    }

    /// Opens the database that is there.
    async fn open(self) -> Result<Database, Printed> {
        open(&self.load()?).await
    }
}

/// Opens the database of a configuration. A file that isn't there is not created: its path may be mistyped.
async fn open(config: &Config) -> Result<Database, Printed> {
    ours(config)?;
    is_there(config).map_err(tell)?;
    migrated(config).await
}

/// Opens the database of a configuration, or creates it as `serve` does.
async fn open_or_create(config: &Config) -> Result<Database, Printed> {
    ours(config)?;
    migrated(config).await
}

/// Opens a database and makes its tables if it has none. One of an older version stays as it is.
async fn migrated(config: &Config) -> Result<Database, Printed> {
    let database = Database::open(&config.database).await.map_err(tell)?;
    if let Some(outdated) = database.outdated().await {
        return Err(tell(format!(
            "{} {outdated}. Make a backup, then run `portico migrate`. There is no way back.",
            config.database
        )));
    }
    database.migrate().await.map_err(tell)?;
    Ok(database)
}

/// Sentence about an SQLite file that isn't there.
fn is_there(config: &Config) -> Result<(), String> {
    let DatabasePlace::Sqlite(file) = &config.database else { return Ok(()) };
    let place = file.display();
    match file.is_file() {
        true => Ok(()),
        false if config.database_by_flag => Err(format!("No database at {place}. Check the path in --database.")),
        false => Err(format!(
            "No database at {place} yet. `portico serve` creates it. If yours is elsewhere, add --database."
        )),
    }
}

/// Checks that a running server of this configuration works on the same database.
fn ours(config: &Config) -> Result<(), Printed> {
    if let DatabasePlace::Sqlite(file) = &config.database
        && !config.database_by_flag
        && let Some(running) = Running::find(config).filter(|running| !running.is_own())
    {
        if port::same_folder(running.at) == Some(true) {
            return Err(tell(format!("The server at {} uses another database. {ADD_DATABASE}", running.at)));
        }
        if file.is_relative() {
            return Err(tell(format!(
                "The server at {} was started from another folder and uses another database. Run this in its folder, or add `--database {}` to use the database of this one.",
                running.at,
                file.display()
            )));
        }
    }
    Ok(())
}

/// Advice where the server of this folder works on another database than a command.
const ADD_DATABASE: &str = "Add `--database` with the one it was started with.";

#[derive(Args)]
struct ServeArgs {
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

/// Runs the command line as a process of its own; the first argument is the name of the program.
pub fn start(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = match parse(args) {
        Ok(command) => command,
        Err(code) => return code,
    };
    match command {
        // Before any other thread, as only threads that start later are confined with this one.
        Command::Vault(vault::VaultCommand::Serve(args)) => match vault::prepare(&args) {
            Ok(prepared) => block_on(async { coded(vault::serve(prepared).await) }),
            Err(printed) => coded(Err(printed)),
        },
        command => block_on(perform(command)),
    }
}

fn block_on(work: impl Future<Output = ExitCode>) -> ExitCode {
    match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime.block_on(work),
        Err(error) => coded(Err(tell(format!("Couldn't start threads: {error}")))),
    }
}

/// Runs the command line in a runtime that is there.
pub async fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    match parse(args) {
        Ok(command) => perform(command).await,
        Err(code) => code,
    }
}

fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Command, ExitCode> {
    usage::parsed(args).map(|cli| cli.command).map_err(usage::told)
}

async fn perform(command: Command) -> ExitCode {
    let done = match command {
        Command::Serve(args) => {
            let flags = Flags {
                listen: args.listen,
                database: args.database,
                redis: args.redis_url,
                static_dir: args.static_dir,
                public_nodes: args.public_nodes.then(|| "true".into()),
                log_format: args.log_format,
            };
            match load(&args.file, &flags) {
                Ok(config) => serve::run(&config, Source { path: args.file.path(), flags }).await,
                Err(failed) => Err(failed),
            }
        }
        Command::Init(args) => init::run(&args),
        Command::Config(ConfigCommand::Check(args)) => load_file(args.path(), &Flags::default()).and_then(|config| {
            if let Some(mistake) = config.wallet.as_ref().and_then(|wallet| wallet.vault.without_folder()) {
                return Err(print(vec![mistake]));
            }
            for warning in &config.warnings {
                remark!("{warning}");
            }
            let chains = match config.chains.len() {
                0 => "no chains yet".into(),
                1 => "1 chain".into(),
                many => format!("{many} chains"),
            };
            let relay = if config.relay.is_some() { ", relay on" } else { "" };
            say!("{} has no mistakes ({chains}{relay}).", args.path().display());
            Ok(())
        }),
        Command::Admin(command) => admin::run(command).await,
        Command::Doctor(args) => doctor::run(&args).await,
        Command::Backup(args) => backup::run(args).await,
        Command::Analytics(command) => analytics::run(command).await,
        Command::Project(command) => project::run(command).await,
        Command::Wallets(command) => wallets::run(command).await,
        Command::Vault(command) => vault::run(command).await,
        Command::Auth(command) => auth::run(command).await,
        Command::Migrate(args) => match args.load() {
            Ok(config) => migrate::run(&config).await,
            Err(failed) => Err(failed),
        },
    };
    coded(done)
}

fn coded(done: Result<(), Printed>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Printed) => ExitCode::FAILURE,
    }
}

/// Error of a command that was already printed.
struct Printed;

/// Loads the named file, or the one in this folder, or the built-in settings.
fn load(args: &FileArgs, flags: &Flags) -> Result<Config, Printed> {
    match args.given() {
        Some(path) => load_file(path, flags),
        None => Config::load_here(flags).map_err(print),
    }
}

fn load_file(path: &Path, flags: &Flags) -> Result<Config, Printed> {
    Config::load(path, flags).map_err(print)
}

fn print(mistakes: Vec<Mistake>) -> Printed {
    for mistake in mistakes {
        remark!("{mistake}");
    }
    Printed
}

/// Sentence about a file to write whose folder is missing.
fn no_folder(file: &Path) -> String {
    let folder = file.parent().unwrap_or(Path::new("."));
    format!("The folder {} doesn't exist. Create it first.", folder.display())
}

/// Sentence that follows no place, so it starts with a capital letter.
fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn tell(sentence: impl Display) -> Printed {
    remark!("{}", ended(&sentence.to_string()));
    Printed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_path_of_the_configuration_counts_as_none() {
        let args = FileArgs { config: Some(PathBuf::new()) };
        assert_eq!((args.given(), args.path()), (None, PathBuf::from(FILE_NAME)));
        assert_eq!(CheckArgs { config: PathBuf::new() }.path(), Path::new(FILE_NAME));
        let args = FileArgs { config: Some("other.toml".into()) };
        assert_eq!(args.given(), Some(Path::new("other.toml")));
        let parsed = Cli::try_parse_from(["portico", "config", "check", "--config", ""]);
        assert!(parsed.is_ok());
    }

    #[tokio::test]
    async fn a_command_on_a_database_that_is_not_there_creates_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("nothere.sqlite");
        let config = folder.path().join("portico.toml");
        std::fs::write(&config, "admin_listen = \"127.0.0.1:1\"\n").unwrap();
        for command in
            [&["project", "list"][..], &["analytics", "export"], &["admin", "link"], &["project", "disable", "shop"]]
        {
            let words = ["portico"].iter().chain(command).map(OsString::from);
            let flags = ["--config".into(), config.clone().into(), "--database".into(), file.clone().into()];
            assert_eq!(run(words.chain(flags)).await, ExitCode::FAILURE);
            assert!(!file.exists(), "{command:?}");
        }
    }
}
