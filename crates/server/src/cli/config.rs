//! `portico config`, and the configuration file that commands read.

use super::printed::{Printed, print};
use crate::config::{Config, FILE_NAME, FILE_VARIABLE, Flags};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  portico config check                           check portico.toml in this folder
  portico config check --config /etc/portico/portico.toml

Each mistake is one line that says where it is. The exit code is 1 if there are any.";

#[derive(Subcommand)]
pub(super) enum ConfigCommand {
    /// Find mistakes in the configuration
    #[command(after_help = EXAMPLES)]
    Check(CheckArgs),
}

pub(super) fn run(command: &ConfigCommand) -> Result<(), Printed> {
    let ConfigCommand::Check(args) = command;
    let config = load_file(args.path(), &Flags::default())?;
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
}

#[derive(Args)]
pub(super) struct FileArgs {
    /// Configuration file [default: portico.toml in this folder, or built-in settings if there is none]
    #[arg(long, value_name = "FILE", env = FILE_VARIABLE, hide_env_values = true, value_parser = config_file())]
    config: Option<PathBuf>,
}

#[derive(Args)]
pub(super) struct CheckArgs {
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

    pub(super) fn path(&self) -> PathBuf {
        self.given().unwrap_or(Path::new(FILE_NAME)).to_owned()
    }

    /// End of a command that reads the same configuration.
    pub(super) fn flag(&self) -> String {
        flag_of(&self.path())
    }
}

/// End of a command that reads this configuration: ` --config FILE`, or nothing for the usual file.
pub(super) fn flag_of(file: &Path) -> String {
    if file == Path::new(FILE_NAME) { String::new() } else { format!(" --config {}", file.display()) }
}

impl CheckArgs {
    fn path(&self) -> &Path {
        given(&self.config).unwrap_or(Path::new(FILE_NAME))
    }
}

/// Loads the named file, or the one in this folder, or the built-in settings.
pub(super) fn load(args: &FileArgs, flags: &Flags) -> Result<Config, Printed> {
    match args.given() {
        Some(path) => load_file(path, flags),
        None => Config::load_here(flags).map_err(print),
    }
}

fn load_file(path: &Path, flags: &Flags) -> Result<Config, Printed> {
    Config::load(path, flags).map_err(print)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::Parser;

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
}
