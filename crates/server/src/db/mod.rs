//! The database: one SQLite file in WAL mode, or PostgreSQL, with the migrations included in the binary. The vault has one of its own.
//!
//! Each resource has its SQL statements in its own `table.rs`. They use the SQL that both engines share (parameters are `$1`, times are
//! epoch milliseconds in a `bigint`), and [`on`] runs them on the engine in use.

#![allow(clippy::disallowed_methods, reason = "statements about the database itself")]

mod migrations;
mod open;
mod reason;

use crate::config::DatabasePlace;
use open::{WRITER_WAIT, create_private, look_at, open_file, open_server, unopened};
use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::postgres::PgPool;
use sqlx::query_scalar;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};
use std::path::Path;
use std::time::{Duration, Instant};

/// An open database.
#[derive(Clone)]
pub struct Database {
    engine: Engine,
    schema: Schema,
}

/// Tables of a database.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Schema {
    /// Those of the server.
    Server,
    /// Those of the embedded wallet's vault.
    Vault,
}

/// The supported engines.
#[derive(Clone)]
pub(crate) enum Engine {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Runs the same code with the pool of either engine: `on!(database, |pool| query("…").execute(pool).await)`.
macro_rules! on {
    ($database:expr, |$pool:ident| $work:expr) => {
        match $database.engine() {
            $crate::db::Engine::Sqlite($pool) => $work,
            $crate::db::Engine::Postgres($pool) => $work,
        }
    };
}
pub(crate) use on;

/// Reason why the database cannot be used. Each text is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The file cannot be opened or is not SQLite; or the server cannot be reached or rejects the login.
    #[error("Couldn't open the database {0}: {1}")]
    Open(String, String),
    /// The database cannot be used; the sentence says why, and what to do.
    #[error("{0}")]
    Unusable(String),
    /// The server does not respond in time, or refuses every connection.
    #[error("The database {0} isn't responding. Check that it runs and that the address is right.")]
    Silent(String),
    /// A newer binary has migrated the database.
    #[error("A newer portico wrote this database (migration {0}). Run that version.")]
    Newer(i64),
    /// An applied migration differs from the one in this binary.
    #[error(
        "Migration {0} of the database differs from the one in this portico. Restore a backup or the portico that made it."
    )]
    Changed(i64),
    /// A migration failed and was rolled back.
    #[error("Couldn't migrate the database: {0}")]
    Migrate(String),
}

/// Result of [`Database::migrate`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Migrated {
    /// Version of the last migration in the database.
    pub version: i64,
    /// Number of migrations that this call applied.
    pub applied: usize,
}

/// Time from which the operator is told that the database is slow.
const SLOW: Duration = Duration::from_secs(1);

/// Logs that the database was slow, if it has taken long since `begun`.
pub(crate) fn tell_if_slow(begun: Instant) {
    let took = begun.elapsed();
    if took >= SLOW {
        tracing::warn!("the database is slow: {:.1} s. Check its disk, and what else uses it.", took.as_secs_f64());
    }
}

impl Database {
    /// Opens the database of the server; a missing SQLite file is created.
    pub async fn open(place: &DatabasePlace) -> Result<Database, DatabaseError> {
        Database::with_schema(place, Schema::Server).await
    }

    /// Opens a database of either kind.
    pub async fn with_schema(place: &DatabasePlace, schema: Schema) -> Result<Database, DatabaseError> {
        let begun = Instant::now();
        let engine = match place {
            DatabasePlace::Sqlite(file) => Engine::Sqlite(open_file(file, schema).await?),
            DatabasePlace::Postgres(options) => Engine::Postgres(open_server(options).await?),
        };
        tell_if_slow(begun);
        Ok(Database { engine, schema })
    }

    /// Opens a database to look at it, without creating or changing anything; `None` if the SQLite file isn't there.
    pub async fn look(place: &DatabasePlace, schema: Schema) -> Result<Option<Database>, DatabaseError> {
        match place {
            DatabasePlace::Sqlite(file) if !file.exists() => Ok(None),
            DatabasePlace::Sqlite(file) => Ok(Some(Database { engine: Engine::Sqlite(look_at(file).await?), schema })),
            DatabasePlace::Postgres(_) => Database::with_schema(place, schema).await.map(Some),
        }
    }

    /// Fails if a missing SQLite file can't be created: its folder is missing, or this user can't write there.
    pub fn creatable(place: &DatabasePlace) -> Result<(), DatabaseError> {
        let DatabasePlace::Sqlite(file) = place else { return Ok(()) };
        let mut trial = file.clone().into_os_string();
        trial.push(".trial");
        let trial = Path::new(&trial);
        create_private(trial).map_err(|_| DatabaseError::Unusable(reason::closed(file)))?;
        let _ = std::fs::remove_file(trial);
        Ok(())
    }

    /// A database without tables in memory, for work that needs none.
    pub async fn empty() -> Result<Database, DatabaseError> {
        let options = SqliteConnectOptions::new().in_memory(true);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await;
        let pool = pool.map_err(|error| DatabaseError::Open("in memory".into(), one_line(&error)))?;
        Ok(Database { engine: Engine::Sqlite(pool), schema: Schema::Server })
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Migrates the schema to the version of this binary. If several nodes start at once, one migrates and the others wait.
    pub async fn migrate(&self) -> Result<Migrated, DatabaseError> {
        let begun = Instant::now();
        let before = self.applied().await?;
        let migrator = self.migrator();
        on!(self, |pool| migrator.run(pool).await).map_err(|error| match error {
            MigrateError::VersionMissing(version) => DatabaseError::Newer(version),
            MigrateError::VersionMismatch(version) => DatabaseError::Changed(version),
            MigrateError::Execute(error) => self.unmigrated(&error),
            other => DatabaseError::Migrate(one_line(&other)),
        })?;
        tell_if_slow(begun);
        let all = migrations::of(self.schema);
        let last = all.last().map_or(0, |migration| migration.version);
        Ok(Migrated { version: last, applied: all.len().saturating_sub(before) })
    }

    /// Whether the database responds and is migrated.
    pub async fn answers(&self) -> Result<(), sqlx::Error> {
        on!(self, |pool| query_scalar::<_, i64>("select id from installation").fetch_one(pool).await.map(drop))
    }

    /// Writes a consistent copy of a SQLite database. PostgreSQL has its own tools for that.
    pub async fn copy_to(&self, copy: &Path) -> Result<(), sqlx::Error> {
        let text = copy.to_str().ok_or_else(|| sqlx::Error::Protocol("Use a UTF-8 path for the copy".into()))?;
        match &self.engine {
            Engine::Sqlite(pool) => {
                // SQLite writes into an empty file, and would create one with the permissions of other files.
                create_private(copy).map_err(sqlx::Error::Io)?;
                let copied = sqlx::query("vacuum into $1").bind(text).execute(pool).await;
                if copied.is_err() {
                    let _ = std::fs::remove_file(copy);
                }
                copied.map(drop)
            }
            Engine::Postgres(_) => Err(sqlx::Error::Protocol("Back up PostgreSQL with pg_dump".into())),
        }
    }

    /// Takes deleted rows of the vault out of SQLite's write-ahead log too, unless a reader still needs it; the next call does it then. PostgreSQL
    /// keeps deleted rows until it vacuums, and its own log as long as it is configured.
    pub(crate) async fn forget_deleted(&self) -> Result<(), sqlx::Error> {
        match &self.engine {
            Engine::Sqlite(pool) => sqlx::query("pragma wal_checkpoint(truncate)").fetch_all(pool).await.map(drop),
            Engine::Postgres(_) => Ok(()),
        }
    }

    /// Closes every connection, which also folds SQLite's write-ahead log into its file.
    pub async fn close(&self) {
        on!(self, |pool| pool.close().await);
    }

    /// Whether a command could work with the database: it is that of this version or older, and can be written. A file that isn't there is
    /// not created, and nothing is changed.
    pub async fn usable(place: &DatabasePlace, schema: Schema) -> Result<(), DatabaseError> {
        let database = match place {
            DatabasePlace::Sqlite(file) => {
                let options = SqliteConnectOptions::new().filename(file).busy_timeout(WRITER_WAIT);
                let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await;
                let pool = pool.map_err(|error| unopened(file, &error))?;
                let begun = async {
                    let mut connection = pool.acquire().await?;
                    sqlx::query("begin immediate").execute(&mut *connection).await?;
                    sqlx::query("rollback").execute(&mut *connection).await
                };
                begun.await.map_err(|error| unopened(file, &error))?;
                Database { engine: Engine::Sqlite(pool), schema }
            }
            DatabasePlace::Postgres(_) => Database::with_schema(place, schema).await?,
        };
        let newest = database.version().await;
        let known = database.known_version();
        let able = if newest == Some(known) { Ok(()) } else { database.can_create().await };
        database.close().await;
        match newest {
            Some(version) if version > known => Err(DatabaseError::Newer(version)),
            _ => able,
        }
    }

    /// Version of the last migration in the database; `None` without tables.
    async fn version(&self) -> Option<i64> {
        let newest = "select max(version) from _sqlx_migrations";
        on!(self, |pool| query_scalar::<_, Option<i64>>(newest).fetch_one(pool).await).ok().flatten()
    }

    /// Version of the last migration of this binary.
    fn known_version(&self) -> i64 {
        migrations::of(self.schema).last().map_or(0, |migration| migration.version)
    }

    /// Sentence about a database that an older portico wrote: only `serve` and `migrate` update it, as there is no way back.
    pub async fn outdated(&self) -> Option<String> {
        let (version, known) = (self.version().await?, self.known_version());
        (version < known).then(|| format!("has version {version}, and this portico needs {known}"))
    }

    /// Fails if a user of PostgreSQL may not create the tables that are missing. The trial is rolled back.
    async fn can_create(&self) -> Result<(), DatabaseError> {
        let Engine::Postgres(pool) = &self.engine else { return Ok(()) };
        let tried = async {
            let mut trial = pool.begin().await?;
            sqlx::query("create table portico_trial (id bigint)").execute(&mut *trial).await?;
            trial.rollback().await
        };
        tried.await.map_err(|error| self.unmigrated(&error))
    }

    /// Error of a migration that failed at this statement.
    fn unmigrated(&self, error: &sqlx::Error) -> DatabaseError {
        let reason = match &self.engine {
            Engine::Sqlite(pool) => reason::of_file(pool.connect_options().get_filename(), error),
            Engine::Postgres(pool) => reason::of_server(&pool.connect_options(), error),
        };
        reason.map_or_else(|| DatabaseError::Migrate(one_line(error)), DatabaseError::Unusable)
    }

    async fn applied(&self) -> Result<usize, DatabaseError> {
        let failed = |error: &dyn std::error::Error| DatabaseError::Migrate(one_line(error));
        let refused = |error: MigrateError| match &error {
            MigrateError::Execute(cause) => self.unmigrated(cause),
            other => failed(other),
        };
        let migrator = self.migrator();
        let table = &migrator.table_name;
        on!(self, |pool| {
            let mut connection = pool.acquire().await.map_err(|error| self.unmigrated(&error))?;
            // PostgreSQL fails if two connections create the same table at once, even if it exists already.
            connection.lock().await.map_err(|error| failed(&error))?;
            let made = connection.ensure_migrations_table(table).await;
            let applied = connection.list_applied_migrations(table).await;
            connection.unlock().await.map_err(|error| failed(&error))?;
            made.map_err(refused)?;
            Ok(applied.map_err(refused)?.len())
        })
    }

    fn migrator(&self) -> Migrator {
        match self.engine {
            Engine::Sqlite(_) => migrations::for_sqlite(self.schema),
            Engine::Postgres(_) => migrations::for_postgres(self.schema),
        }
    }
}

fn one_line(error: &dyn std::error::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::ffi::OsString;

    #[tokio::test]
    async fn a_look_at_a_database_leaves_its_folder_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let names = || -> BTreeSet<OsString> {
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect()
        };
        let place = DatabasePlace::Sqlite(folder.path().join("portico.sqlite"));
        assert!(Database::look(&place, Schema::Server).await.unwrap().is_none());
        assert!(names().is_empty());
        let server = Database::open(&place).await.unwrap();
        server.migrate().await.unwrap();
        // Beside a server that has it open, and after it.
        for open in [true, false] {
            if !open {
                server.close().await;
            }
            let before = names();
            let look = Database::look(&place, Schema::Server).await.unwrap().unwrap();
            look.answers().await.unwrap();
            let write = "create table x (id integer)";
            assert!(on!(look, |pool| sqlx::query(write).execute(pool).await.map(drop)).is_err());
            look.close().await;
            assert_eq!(names(), before, "{open}");
        }
    }
}
