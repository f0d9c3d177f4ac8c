//! The database: one SQLite file in WAL mode, or PostgreSQL, and the migrations that come with the binary.
//!
//! A resource keeps its statements in its own `table.rs`. They are written once, in the part of SQL that both engines share
//! (parameters are `$1`, times are epoch milliseconds in a `bigint`), and [`on`] runs them on the engine at hand.

mod migrations;

use crate::config::DatabasePlace;
use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::query_scalar;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;

/// An open database.
#[derive(Clone)]
pub struct Database {
    engine: Engine,
}

/// The two that are spoken to.
#[derive(Clone)]
pub(crate) enum Engine {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Does the same with the pool of either engine: `on!(database, |pool| query("…").execute(pool).await)`.
macro_rules! on {
    ($database:expr, |$pool:ident| $work:expr) => {
        match $database.engine() {
            $crate::db::Engine::Sqlite($pool) => $work,
            $crate::db::Engine::Postgres($pool) => $work,
        }
    };
}
pub(crate) use on;

/// Why there is no usable database. Each text is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// Not a file that can be opened, or not SQLite; a server that cannot be reached or does not let us in.
    #[error("The database {0} cannot be opened: {1}")]
    Open(String, String),
    /// A server that says nothing, or refuses every connection.
    #[error("The database {0} does not answer: see whether it runs and whether this is its address")]
    Silent(String),
    /// A newer binary has been here.
    #[error("The database was written by a newer portico (its migration {0} is unknown here): run that version")]
    Newer(i64),
    /// An applied migration differs from the one in this binary.
    #[error(
        "Migration {0} of the database differs from the one in this portico: restore a backup or the binary that made it"
    )]
    Changed(i64),
    /// A migration failed and was rolled back.
    #[error("The database could not be migrated: {0}")]
    Migrate(String),
}

/// What [`Database::migrate`] did.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Migrated {
    /// The last migration of the database now.
    pub version: i64,
    /// How many were applied by this call.
    pub applied: usize,
}

const CONNECTIONS: u32 = 8;
const WRITER_WAIT: Duration = Duration::from_secs(5);
/// A server that does not let us in within this time is told as absent.
const CONNECT_WAIT: Duration = Duration::from_secs(4);
/// How long a request waits for a connection while all are in use.
const ACQUIRE_WAIT: Duration = Duration::from_secs(10);

impl Database {
    /// Opens it; a file that is not there is made.
    pub async fn open(place: &DatabasePlace) -> Result<Database, DatabaseError> {
        let engine = match place {
            DatabasePlace::Sqlite(file) => Engine::Sqlite(open_file(file).await?),
            DatabasePlace::Postgres(options) => Engine::Postgres(open_server(options).await?),
        };
        Ok(Database { engine })
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Brings the schema to that of this binary. Of several nodes that start at once, one does it and the others wait.
    pub async fn migrate(&self) -> Result<Migrated, DatabaseError> {
        let before = self.applied().await?;
        let migrator = self.migrator();
        on!(self, |pool| migrator.run(pool).await).map_err(|error| match error {
            MigrateError::VersionMissing(version) => DatabaseError::Newer(version),
            MigrateError::VersionMismatch(version) => DatabaseError::Changed(version),
            other => DatabaseError::Migrate(one_line(&other)),
        })?;
        let last = migrations::ALL.last().map_or(0, |migration| migration.version);
        Ok(Migrated { version: last, applied: migrations::ALL.len().saturating_sub(before) })
    }

    /// Whether the database answers and its schema is there.
    pub async fn answers(&self) -> Result<(), sqlx::Error> {
        on!(self, |pool| query_scalar::<_, i64>("select id from installation").fetch_one(pool).await.map(drop))
    }

    /// Makes a whole copy of one moment. PostgreSQL has programs of its own for that.
    pub async fn copy_to(&self, copy: &Path) -> Result<(), sqlx::Error> {
        let copy = copy.to_str().ok_or_else(|| sqlx::Error::Protocol("the path of the copy is not UTF-8".into()))?;
        match &self.engine {
            Engine::Sqlite(pool) => sqlx::query("vacuum into $1").bind(copy).execute(pool).await.map(drop),
            Engine::Postgres(_) => Err(sqlx::Error::Protocol("PostgreSQL makes its own backups, by pg_dump".into())),
        }
    }

    /// Closes every connection, which also folds SQLite's write-ahead log into its file.
    pub async fn close(&self) {
        on!(self, |pool| pool.close().await);
    }

    async fn applied(&self) -> Result<usize, DatabaseError> {
        let failed = |error: &dyn std::error::Error| DatabaseError::Migrate(one_line(error));
        let migrator = self.migrator();
        let table = &migrator.table_name;
        on!(self, |pool| {
            let mut connection = pool.acquire().await.map_err(|error| failed(&error))?;
            // PostgreSQL fails where two make the same table at once, even where it need not be made.
            connection.lock().await.map_err(|error| failed(&error))?;
            let made = connection.ensure_migrations_table(table).await;
            let applied = connection.list_applied_migrations(table).await;
            connection.unlock().await.map_err(|error| failed(&error))?;
            made.map_err(|error| failed(&error))?;
            Ok(applied.map_err(|error| failed(&error))?.len())
        })
    }

    fn migrator(&self) -> Migrator {
        match self.engine {
            Engine::Sqlite(_) => migrations::for_sqlite(),
            Engine::Postgres(_) => migrations::for_postgres(),
        }
    }
}

async fn open_file(file: &Path) -> Result<SqlitePool, DatabaseError> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .foreign_keys(true)
        .busy_timeout(WRITER_WAIT);
    let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await;
    pool.map_err(|error| DatabaseError::Open(file.display().to_string(), one_line(&error)))
}

async fn open_server(options: &PgConnectOptions) -> Result<PgPool, DatabaseError> {
    let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(ACQUIRE_WAIT);
    let name = || DatabasePlace::Postgres(Box::new(options.clone())).to_string();
    match timeout(CONNECT_WAIT, pool.connect_with(options.clone())).await {
        Ok(pool) => pool.map_err(|error| DatabaseError::Open(name(), one_line(&error))),
        Err(_) => Err(DatabaseError::Silent(name())),
    }
}

fn one_line(error: &dyn std::error::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
