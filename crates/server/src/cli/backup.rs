//! `portico backup`

use super::config::{FileArgs, load};
use super::database::is_there;
use super::printed::{Printed, no_folder, tell};
use crate::config::{DatabasePlace, Flags};
use crate::db::{Database, Schema};
use clap::Args;
use sqlx::postgres::PgConnectOptions;
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  portico backup /var/backups/portico-$(date +%F).sqlite

The copy is consistent even while `portico serve` is running. To restore it, stop the server, replace the database with the copy, delete
the files beside it that end in -wal and -shm, and start the server again.";

#[derive(Args)]
pub(super) struct BackupArgs {
    #[command(flatten)]
    file: FileArgs,
    /// SQLite file, instead of the one in the configuration
    #[arg(long, value_name = "FILE")]
    database: Option<String>,
    /// File to write; it must not exist yet
    #[arg(value_name = "COPY")]
    copy: PathBuf,
}

pub(super) async fn run(args: BackupArgs) -> Result<(), Printed> {
    let config = load(&args.file, &Flags { database: args.database, ..Flags::default() })?;
    copy(&config.database, Schema::Server, &args.copy, || is_there(&config)).await
}

/// Copies a database of SQLite; `is_there` tells if it is missing.
pub(super) async fn copy(
    place: &DatabasePlace,
    schema: Schema,
    copy: &Path,
    is_there: impl Fn() -> Result<(), String>,
) -> Result<(), Printed> {
    let file = match place {
        DatabasePlace::Sqlite(file) => file,
        DatabasePlace::Postgres(options) => {
            remark!("Back up PostgreSQL with its own tool:\n\n  {}", pg_dump(options, copy));
            return Err(Printed);
        }
    };
    is_there().map_err(tell)?;
    if copy.exists() {
        return Err(tell(format!("{} already exists. Choose another name.", copy.display())));
    }
    if copy.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(tell(no_folder(copy)));
    }
    let database = Database::with_schema(place, schema).await.map_err(tell)?;
    let copied = database.copy_to(copy).await;
    database.close().await;
    copied.map_err(|error| tell(format!("Couldn't copy the database: {error}")))?;
    say!("Copied {} to {}.", file.display(), copy.display());
    Ok(())
}

/// Command that copies a database of PostgreSQL. It asks for the password.
fn pg_dump(options: &PgConnectOptions, copy: &Path) -> String {
    let (host, port, user) = (options.get_host(), options.get_port(), options.get_username());
    // Without a name it is the database of the user's name.
    let name = options.get_database().unwrap_or(user);
    format!("pg_dump --format custom --host {host} --port {port} --username {user} --file {} {name}", copy.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_for_postgresql_has_the_port_and_the_user_and_no_password() {
        let options = "postgres://ada:secret@db.example:5433/shop".parse().unwrap();
        let told = "pg_dump --format custom --host db.example --port 5433 --username ada --file copy.dump shop";
        assert_eq!(pg_dump(&options, Path::new("copy.dump")), told);
    }
}
