//! Storage of a test server: a file, or the services in `PORTICO_TEST_POSTGRES_URL` and `PORTICO_TEST_REDIS_URL`.

use portico_server::config::Flags;
use portico_server::shared::Shared;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection, PgConnection, query};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// SQLite file, or a PostgreSQL schema and a Redis key prefix of its own.
pub struct TestStores {
    /// Value of `--database`.
    pub database: String,
    /// Value of `--redis-url`, if there is one.
    pub redis: Option<String>,
    /// `redis_prefix`
    pub prefix: String,
    postgres: Option<String>,
}

/// Lock held by [`TestStores::hold`].
pub enum WriteLock {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl WriteLock {
    pub async fn end(self) {
        match self {
            WriteLock::Sqlite(connection) => connection.close().await.unwrap(),
            WriteLock::Postgres(connection) => connection.close().await.unwrap(),
        }
    }
}

impl TestStores {
    pub async fn new(folder: &Path) -> TestStores {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros();
        let prefix = format!("t_{}_{since:x}_{count}", std::process::id());
        let postgres = std::env::var("PORTICO_TEST_POSTGRES_URL").ok();
        let database = match &postgres {
            Some(url) => {
                run(url, format!("create schema {prefix}")).await;
                format!("{url}?options[search_path]={prefix}&application_name={prefix}")
            }
            None => folder.join("portico.sqlite").display().to_string(),
        };
        TestStores { database, redis: std::env::var("PORTICO_TEST_REDIS_URL").ok(), prefix, postgres }
    }

    pub fn flags(&self) -> Flags {
        Flags { database: Some(self.database.clone()), ..Flags::default() }
    }

    /// Changes data in ways that no request does, for example to let time pass.
    pub async fn tamper(&self, statement: impl Into<String>) {
        let statement = statement.into();
        if self.postgres.is_some() {
            return run(&self.database, statement).await;
        }
        let file = SqliteConnectOptions::new().filename(&self.database);
        let mut connection = SqliteConnection::connect_with(&file).await.unwrap();
        query(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    }

    /// Blocks all other writes to the relay's tables until the lock ends.
    pub async fn hold(&self) -> WriteLock {
        if self.postgres.is_some() {
            let mut connection = PgConnection::connect(&self.database).await.unwrap();
            query("begin").execute(&mut connection).await.unwrap();
            query("lock table relay_mailbox in exclusive mode").execute(&mut connection).await.unwrap();
            return WriteLock::Postgres(connection);
        }
        let file = SqliteConnectOptions::new().filename(&self.database);
        let mut connection = SqliteConnection::connect_with(&file).await.unwrap();
        query("begin immediate").execute(&mut connection).await.unwrap();
        WriteLock::Sqlite(connection)
    }

    pub fn shared(&self) -> Shared {
        match &self.redis {
            Some(url) => {
                let place = redis::IntoConnectionInfo::into_connection_info(url.as_str()).unwrap();
                Shared::in_redis(place, &self.prefix).unwrap()
            }
            None => Shared::in_memory(),
        }
    }

    /// Configuration lines of a node with this storage.
    pub fn settings(&self) -> String {
        let redis = self.redis.iter().map(|url| format!("redis = {url:?}\nredis_prefix = {:?}\n", self.prefix));
        format!("database = {:?}\n{}", self.database, redis.collect::<String>())
    }
}

impl Drop for TestStores {
    fn drop(&mut self) {
        let Some(url) = self.postgres.take() else { return };
        let prefix = self.prefix.clone();
        // Aborted requests are rolled back only by a running runtime; this test's has stopped, so their connections are terminated.
        let end = format!("select pg_terminate_backend(pid) from pg_stat_activity where application_name = '{prefix}'");
        let drop = format!("drop schema {prefix} cascade");
        // The runtime of the test cannot be awaited in `drop`.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                run(&url, end).await;
                run(&url, drop).await;
            });
        });
        // A failed cleanup must not hide the failure of the test.
        let _ = dropped.join();
    }
}

async fn run(url: &str, statement: String) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    query(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}
