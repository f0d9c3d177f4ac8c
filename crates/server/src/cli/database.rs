//! Database that a command works on.

use super::config::{FileArgs, load};
use super::port::{self, Running};
use super::printed::{Printed, tell};
use crate::config::{Config, DatabasePlace, Flags};
use crate::db::Database;
use clap::Args;
use std::collections::BTreeSet;

/// Database that a command works on.
#[derive(Args)]
pub(super) struct DatabaseArgs {
    #[command(flatten)]
    pub(super) file: FileArgs,
    /// SQLite file or postgres:// URL, instead of the one in the configuration
    #[arg(long, visible_alias = "database-url", value_name = "FILE|URL")]
    database: Option<String>,
}

impl DatabaseArgs {
    pub(super) fn load(&self) -> Result<Config, Printed> {
        load(&self.file, &Flags { database: self.database.clone(), ..Flags::default() })
    }

    /// Loads the configuration, with the public nodes if its running server was started with `--public-nodes`; whether it was.
    pub(super) fn load_as_running(&self) -> Result<(Config, bool), Printed> {
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
    pub(super) async fn open(self) -> Result<Database, Printed> {
        open(&self.load()?).await
    }
}

/// Opens the database of a configuration. A file that isn't there is not created: its path may be mistyped.
pub(super) async fn open(config: &Config) -> Result<Database, Printed> {
    ours(config)?;
    is_there(config).map_err(tell)?;
    migrated(config).await
}

/// Opens the database of a configuration, or creates it as `serve` does.
pub(super) async fn open_or_create(config: &Config) -> Result<Database, Printed> {
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
pub(super) fn is_there(config: &Config) -> Result<(), String> {
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
pub(super) const ADD_DATABASE: &str = "Add `--database` with the one it was started with.";

#[cfg(test)]
mod tests {
    use crate::cli::run;
    use std::ffi::OsString;
    use std::process::ExitCode;

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
