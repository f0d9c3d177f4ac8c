//! Opening of either engine: an SQLite file that its owner alone may read, or a PostgreSQL server that must respond in time.

use super::{DatabaseError, Schema, one_line, reason};
use crate::config::DatabasePlace;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;

const CONNECTIONS: u32 = 8;
/// Time limit of a wait for another writer of the file.
pub(super) const WRITER_WAIT: Duration = Duration::from_secs(5);
/// Time limit for connecting to a PostgreSQL server.
const CONNECT_WAIT: Duration = Duration::from_secs(4);
/// Time limit of a request's wait for a connection while all are in use.
const ACQUIRE_WAIT: Duration = Duration::from_secs(10);

pub(super) async fn open_file(file: &Path, schema: Schema) -> Result<SqlitePool, DatabaseError> {
    // An error is that of opening the database.
    let _ = create_private(file);
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .foreign_keys(true)
        .busy_timeout(WRITER_WAIT);
    // A slot that its visitor removed must not be found in unused pages.
    let options = if schema == Schema::Vault { options.pragma("secure_delete", "on") } else { options };
    // The vault writes in nearly every request. Of several connections all but one would wait for the writer, and read its pages again.
    let connections = if schema == Schema::Vault { 1 } else { CONNECTIONS };
    let pool = SqlitePoolOptions::new().max_connections(connections).connect_with(options).await;
    let pool = pool.map_err(|error| unopened(file, &error))?;
    // A file that isn't a database was refused before: its permissions are none of ours.
    if others_may_read(file) {
        let file = quoted(file);
        tracing::warn!(
            "other users of this machine can read or write the database. Stop that with `chmod go= {file}`."
        );
    }
    Ok(pool)
}

/// Path as a word of a shell.
fn quoted(file: &Path) -> String {
    let text = file.display().to_string();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:@%".contains(letter);
    // A name that starts with a hyphen would be an option.
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    match text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

pub(super) async fn look_at(file: &Path) -> Result<SqlitePool, DatabaseError> {
    let beside = |end: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        Path::new(&name).exists()
    };
    // While a server has the database open, both files are there. Without them SQLite would create them for a reader too.
    let open = beside("-wal") && beside("-shm");
    let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(!open).busy_timeout(WRITER_WAIT);
    let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await;
    pool.map_err(|error| unopened(file, &error))
}

pub(super) fn unopened(file: &Path, error: &sqlx::Error) -> DatabaseError {
    let reason = reason::of_file(file, error).map(DatabaseError::Unusable);
    reason.unwrap_or_else(|| DatabaseError::Open(file.display().to_string(), one_line(error)))
}

/// Creates a missing file that its owner alone may read and write; SQLite gives its journal the same permissions.
pub(super) fn create_private(file: &Path) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}

/// Whether other users than the owner have permissions on the file.
#[cfg(unix)]
fn others_may_read(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).is_ok_and(|file| file.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn others_may_read(_: &Path) -> bool {
    false
}

pub(super) async fn open_server(options: &PgConnectOptions) -> Result<PgPool, DatabaseError> {
    let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(ACQUIRE_WAIT);
    let name = || DatabasePlace::Postgres(Box::new(options.clone())).to_string();
    match timeout(CONNECT_WAIT, pool.connect_with(options.clone())).await {
        Ok(pool) => pool.map_err(|error| match reason::of_server(options, &error) {
            Some(reason) => DatabaseError::Unusable(reason),
            None => DatabaseError::Open(name(), one_line(&error)),
        }),
        Err(_) => Err(DatabaseError::Silent(name())),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        let words = ["a/b.sqlite", "my file", "it's", "-rf"].map(|path| quoted(Path::new(path)));
        assert_eq!(words, ["a/b.sqlite", "'my file'", r"'it'\''s'", "./-rf"]);
    }

    #[test]
    fn a_file_that_others_may_read_is_told_from_one_that_its_owner_alone_may() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("portico.sqlite");
        create_private(&file).unwrap();
        assert!(!others_may_read(&file) && create_private(&file).is_err());
        for mode in [0o640, 0o604, 0o620] {
            set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            assert!(others_may_read(&file), "{mode:o}");
        }
    }
}
