//! `portico migrate`

use super::{Told, tell};
use crate::config::Config;
use crate::db::Database;

pub(super) async fn run(config: &Config) -> Result<(), Told> {
    let database = Database::open(&config.database).await.map_err(tell)?;
    let migrated = database.migrate().await.map_err(tell)?;
    database.close().await;
    println!("{} is at migration {}; {} applied now.", config.database, migrated.version, migrated.applied);
    Ok(())
}
