//! `portico migrate`

use super::{Printed, tell};
use crate::config::Config;
use crate::db::Database;

pub(super) const EXAMPLES: &str = "\
Examples:
  portico migrate                                the database that portico.toml names
  portico migrate --database postgres://portico@db.example/portico

`portico serve` does the same when it starts. Nothing is undone: make a backup before a new version.";

pub(super) async fn run(config: &Config) -> Result<(), Printed> {
    let database = Database::open(&config.database).await.map_err(tell)?;
    let migrated = database.migrate().await.map_err(tell)?;
    database.close().await;
    say!("{} is at migration {}, {} applied now.", config.database, migrated.version, migrated.applied);
    Ok(())
}
