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
mod config;
mod database;
mod doctor;
mod first_run;
#[cfg(test)]
mod help;
mod init;
mod log;
mod migrate;
mod port;
mod printed;
mod project;
mod report;
mod root_key;
mod rotate;
mod serve;
mod usage;
mod vault;
mod wallets;

use clap::{Parser, Subcommand};
use config::ConfigCommand;
use database::DatabaseArgs;
use printed::{Printed, tell};
use project::ProjectCommand;
use serve::ServeArgs;
use std::ffi::OsString;
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
    #[command(subcommand, after_help = config::EXAMPLES)]
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
        Command::Serve(args) => serve::run(args).await,
        Command::Init(args) => init::run(&args),
        Command::Config(command) => config::run(&command),
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
