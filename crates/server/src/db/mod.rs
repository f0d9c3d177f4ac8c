//! The database: one SQLite file in WAL mode, and the migrations that come with the binary.

use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use sqlx::{SqlSafeStr, query_scalar};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An open database.
#[derive(Clone)]
pub struct Database {
    pool: SqlitePool,
}

/// Why there is no usable database. Each text is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// Not a file that can be opened, or not SQLite.
    #[error("The database {0} cannot be opened: {1}")]
    Open(PathBuf, String),
    /// A newer binary has been here.
    #[error("The database was written by a newer portico (its migration {0} is unknown here): run that version")]
    Newer(i64),
    /// An applied migration differs from the one in this binary.
    #[error(
        "Migration {0} of the database differs from the one in this portico: restore a backup or the binary that made it"
    )]
    Changed(i64),
    /// A migration failed; SQLite has rolled it back.
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

/// Every migration in its order. An applied one is never edited: a change is a new file.
const MIGRATIONS: [(i64, &str, &str); 1] =
    [(1, "installation", include_str!("../../migrations/sqlite/0001_installation.sql"))];

const CONNECTIONS: u32 = 8;
const WRITER_WAIT: Duration = Duration::from_secs(5);

impl Database {
    /// Opens the file, or makes it.
    pub async fn open(file: &Path) -> Result<Database, DatabaseError> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .foreign_keys(true)
            .busy_timeout(WRITER_WAIT);
        let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).connect_with(options).await;
        let pool = pool.map_err(|error| DatabaseError::Open(file.into(), one_line(&error)))?;
        Ok(Database { pool })
    }

    /// Brings the schema to that of this binary.
    pub async fn migrate(&self) -> Result<Migrated, DatabaseError> {
        let before = self.applied().await?;
        migrator().run(&self.pool).await.map_err(|error| match error {
            MigrateError::VersionMissing(version) => DatabaseError::Newer(version),
            MigrateError::VersionMismatch(version) => DatabaseError::Changed(version),
            other => DatabaseError::Migrate(one_line(&other)),
        })?;
        let version = MIGRATIONS.last().map_or(0, |(version, ..)| *version);
        Ok(Migrated { version, applied: MIGRATIONS.len().saturating_sub(before) })
    }

    /// Whether the database answers and its schema is there.
    pub async fn answers(&self) -> Result<(), sqlx::Error> {
        query_scalar::<_, i64>("select id from installation").fetch_one(&self.pool).await.map(|_| ())
    }

    /// Closes every connection, which also folds the write-ahead log into the file.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    async fn applied(&self) -> Result<usize, DatabaseError> {
        let failed = |error: &dyn std::error::Error| DatabaseError::Migrate(one_line(error));
        let mut connection = self.pool.acquire().await.map_err(|error| failed(&error))?;
        let table = &migrator().table_name;
        connection.ensure_migrations_table(table).await.map_err(|error| failed(&error))?;
        let applied = connection.list_applied_migrations(table).await.map_err(|error| failed(&error))?;
        Ok(applied.len())
    }
}

fn migrator() -> Migrator {
    let migrations = MIGRATIONS.iter().map(|(version, name, sql)| {
        Migration::new(*version, (*name).into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.collect())
}

fn one_line(error: &dyn std::error::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
