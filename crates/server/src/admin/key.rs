//! Keys to the admin page: one-time links, and the sessions that they open.
//!
//! A key is an id, by which its row is found, and a secret, which only its holder knows: the database has the hash of it. Comparing
//! hashes takes the same time whatever they are, so that an answer's time tells nothing about the stored one.

use super::table::{self, Kind};
use crate::db::Database;
use crate::health::DATABASE_LIMIT;
use crate::project::{hash, random_hex};
use k256::elliptic_curve::subtle::ConstantTimeEq;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::timeout;

/// Time in which a link can be used.
pub(crate) const LINK: Duration = Duration::from_secs(10 * 60);

/// Time after which an operator needs another link.
pub(super) const SESSION: Duration = Duration::from_secs(60 * 60);

const ID_BYTES: usize = 8;
const SECRET_BYTES: usize = 32;

/// Key as its holder has it: `id-secret`, both in hex.
pub(crate) struct Key {
    id: String,
    secret: String,
}

/// Why no key can be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyError {
    #[error("{0}")]
    Random(#[from] getrandom::Error),
    #[error("{0}")]
    Database(#[from] sqlx::Error),
}

impl Key {
    /// Makes and stores a key.
    pub(crate) async fn issue(database: &Database, kind: Kind) -> Result<Key, KeyError> {
        let key = Key { id: random_hex::<ID_BYTES>()?, secret: random_hex::<SECRET_BYTES>()? };
        let lasts = match kind {
            Kind::Link => LINK,
            Kind::Session => SESSION,
        };
        let now = now();
        let ends_at = now.saturating_add(i64::try_from(lasts.as_millis()).unwrap_or(i64::MAX));
        table::insert(database, kind, &key.id, &hash(&key.secret), now, ends_at).await?;
        Ok(key)
    }

    /// Parses a key that somebody shows.
    pub(super) fn parse(text: &str) -> Option<Key> {
        let (id, secret) = text.split_once('-')?;
        let is_hex = |text: &str, bytes: usize| {
            text.len() == 2 * bytes && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        (is_hex(id, ID_BYTES) && is_hex(secret, SECRET_BYTES)).then(|| Key { id: id.into(), secret: secret.into() })
    }

    /// Whether the key is valid now. A database that can't be reached is known sooner than other requests give it up, because a person waits.
    pub(super) async fn opens(&self, database: &Database, kind: Kind) -> Result<bool, sqlx::Error> {
        let read = timeout(DATABASE_LIMIT, table::secret_hash(database, kind, &self.id, now()));
        let stored = read.await.unwrap_or(Err(sqlx::Error::PoolTimedOut))?;
        Ok(stored.is_some_and(|stored| hash(&self.secret).as_bytes().ct_eq(stored.as_bytes()).into()))
    }

    /// Whether the key was valid until now; it is not afterwards.
    pub(super) async fn uses_up(&self, database: &Database, kind: Kind) -> Result<bool, sqlx::Error> {
        Ok(self.opens(database, kind).await? && table::delete(database, kind, &self.id).await?)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.id, self.secret)
    }
}

/// Current time in epoch milliseconds.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::{Instant, pause};

    #[tokio::test]
    async fn the_database_has_the_hash_of_a_secret_and_not_the_secret() {
        let folder = tempfile::tempdir().unwrap();
        let place = crate::config::DatabasePlace::Sqlite(folder.path().join("portico.sqlite"));
        let database = Database::open(&place).await.unwrap();
        database.migrate().await.unwrap();
        for kind in [Kind::Link, Kind::Session] {
            let key = Key::issue(&database, kind).await.unwrap();
            let stored = table::secret_hash(&database, kind, &key.id, now()).await.unwrap().unwrap();
            assert_eq!((stored == hash(&key.secret), stored.contains(&key.secret)), (true, false));
            assert!(key.opens(&database, kind).await.unwrap());
            let other = Key { id: key.id.clone(), secret: "0".repeat(64) };
            assert!(!other.opens(&database, kind).await.unwrap() && !other.uses_up(&database, kind).await.unwrap());
            assert!(key.uses_up(&database, kind).await.unwrap() && !key.opens(&database, kind).await.unwrap());
        }
    }

    #[tokio::test]
    async fn a_database_without_an_answer_is_given_up_within_seconds() {
        let folder = tempfile::tempdir().unwrap();
        let place = crate::config::DatabasePlace::Sqlite(folder.path().join("portico.sqlite"));
        let database = Database::open(&place).await.unwrap();
        database.migrate().await.unwrap();
        let key = Key::issue(&database, Kind::Session).await.unwrap();
        let crate::db::Engine::Sqlite(pool) = database.engine() else { panic!("not SQLite") };
        let mut busy = Vec::new();
        while busy.len() < pool.options().get_max_connections() as usize {
            busy.push(pool.acquire().await.unwrap());
        }
        pause();
        let begun = Instant::now();
        assert!(matches!(key.opens(&database, Kind::Session).await, Err(sqlx::Error::PoolTimedOut)));
        // A request waits 10 seconds for a connection.
        assert!(begun.elapsed() < DATABASE_LIMIT * 2, "{:?}", begun.elapsed());
    }

    #[test]
    fn a_key_is_sixteen_and_sixty_four_hex_digits() {
        let (id, secret) = ("0123456789abcdef", "f".repeat(64));
        assert_eq!(Key::parse(&format!("{id}-{secret}")).unwrap().to_string(), format!("{id}-{secret}"));
        for text in ["", "-", id, &format!("{id}-"), &format!("{id}{secret}"), &format!("{id}-{secret}0")] {
            assert!(Key::parse(text).is_none(), "{text}");
        }
        assert!(Key::parse(&format!("{}-{secret}", id.to_uppercase())).is_none());
    }
}
