//! The SQLite file over the lifetime of an installation.

use portico_server::config::DatabasePlace;
use portico_server::db::{Database, DatabaseError, Migrated};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use std::path::Path;

async fn plain(file: &Path) -> SqlitePool {
    SqlitePool::connect_with(SqliteConnectOptions::new().filename(file)).await.unwrap()
}

#[tokio::test]
async fn migrations_are_applied_once_and_the_journal_is_a_write_ahead_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("portico.sqlite");
    let database = Database::open(&DatabasePlace::Sqlite(file.clone())).await.unwrap();
    assert!(database.answers().await.is_err());
    let Migrated { version, applied } = database.migrate().await.unwrap();
    assert!(version >= 5 && applied >= 3, "{version}, {applied}");
    assert_eq!(database.migrate().await.unwrap(), Migrated { version, applied: 0 });
    database.answers().await.unwrap();
    database.close().await;
    let mode: String = sqlx::query_scalar("pragma journal_mode").fetch_one(&plain(&file).await).await.unwrap();
    assert_eq!(mode, "wal");
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_of_a_new_database_are_readable_by_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&DatabasePlace::Sqlite(folder.path().join("portico.sqlite"))).await.unwrap();
    database.migrate().await.unwrap();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{name}");
        names.push(name);
    }
    assert!(names.len() > 1, "the journal is beside the file: {names:?}");
    database.close().await;
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("portico.sqlite");
    let database = Database::open(&DatabasePlace::Sqlite(file.clone())).await.unwrap();
    database.migrate().await.unwrap();
    let insert = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                  values (999, 'of tomorrow', true, x'00', 0)";
    sqlx::query(insert).execute(&plain(&file).await).await.unwrap();
    assert!(matches!(database.migrate().await, Err(DatabaseError::Newer(999))));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("portico.sqlite");
    std::fs::write(&file, "this is a letter to my aunt, and by no means a database").unwrap();
    let error = Database::open(&DatabasePlace::Sqlite(file.clone())).await.err().unwrap().to_string();
    assert_eq!(error, format!("{} isn't an SQLite database. Name another file in `database`.", file.display()));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_not_there_is_told_as_that() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("postgres://portico:secret@{free}/portico");
    let place = DatabasePlace::Postgres(Box::new(url.parse().unwrap()));
    let start = tokio::time::Instant::now();
    let error = Database::open(&place).await.err().unwrap();
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(
        error.to_string(),
        "The database portico on 127.0.0.1 isn't responding. Check that it runs and that the address is right."
    );
}
