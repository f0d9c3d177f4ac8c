//! `portico migrate`

use super::printed::{Printed, tell};
use crate::config::{Config, DatabasePlace};
use crate::db::Database;

pub(super) const EXAMPLES: &str = "\
Examples:
  portico migrate                                update the database set in portico.toml
  portico migrate --database postgres://portico@db.example/portico

`portico serve` does the same when it starts. There is no way back, so make a backup before you update.";

pub(super) async fn run(config: &Config) -> Result<(), Printed> {
    let is_new = matches!(&config.database, DatabasePlace::Sqlite(file) if !file.exists());
    let database = Database::open(&config.database).await.map_err(tell)?;
    let migrated = database.migrate().await.map_err(tell)?;
    database.close().await;
    match migrated.applied {
        _ if is_new => say!("Made the new database {} (version {}).", config.database, migrated.version),
        0 => say!("{} was already up to date (version {}).", config.database, migrated.version),
        _ => say!("Updated {} to version {}.", config.database, migrated.version),
    }
    Ok(())
}
