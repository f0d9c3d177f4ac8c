//! Current directory: the bundled wallets, overridden by those of the operator.

use super::table::Stored;
use super::{Directory, DirectoryError, Wallet, picture, table};
use crate::db::Database;
use crate::marks;
use arc_swap::ArcSwap;
use axum::body::Bytes;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// Age after which a request checks the database for changes.
const STALE: Duration = Duration::from_secs(2);
/// Timeout of the database, after which the previous directory stays in use.
const PATIENCE: Duration = Duration::from_millis(250);

/// Directory that follows changes in the database.
pub(crate) struct Live {
    known: ArcSwap<Known>,
    /// Start of the last check of the database.
    looked: Mutex<Option<Instant>>,
}

/// Directory of one version.
pub(crate) struct Known {
    /// Version in the database; `None` before the first read.
    version: Option<i64>,
    pub(super) directory: Directory,
    pictures: HashMap<String, Bytes>,
}

impl Known {
    /// WebP picture with this id.
    pub(super) fn picture(&self, id: &str) -> Option<Bytes> {
        let own = self.pictures.get(id).cloned();
        own.or_else(|| picture::bundled(id).or_else(|| marks::bundled(id)).map(|bytes| Bytes::from(bytes.into_owned())))
    }
}

impl Live {
    pub(crate) fn new() -> Live {
        let known = Known { version: None, directory: Directory::bundled(), pictures: HashMap::new() };
        Live { known: ArcSwap::from_pointee(known), looked: Mutex::new(None) }
    }

    /// Current directory, a few seconds old at most while the database responds.
    pub(super) async fn now(&self, database: &Database) -> Arc<Known> {
        let known = self.known.load_full();
        // During a check other requests use the old directory; only the first check makes them wait.
        let looked = match known.version {
            None => Some(self.looked.lock().await),
            Some(_) => self.looked.try_lock().ok(),
        };
        let Some(mut looked) = looked.filter(|looked| looked.is_none_or(|at| at.elapsed() >= STALE)) else {
            return self.known.load_full();
        };
        *looked = Some(Instant::now());
        match timeout(PATIENCE, read(database, &known)).await {
            Ok(Ok(Some(newer))) => self.known.store(Arc::new(newer)),
            Ok(Ok(None)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "couldn't read the imported wallets"),
            Err(_) => tracing::warn!("the database is slow, so the wallet directory wasn't updated"),
        }
        self.known.load_full()
    }
}

/// Reads the directory from the database, if its version is not that of `known`.
async fn read(database: &Database, known: &Known) -> Result<Option<Known>, sqlx::Error> {
    let version = Some(table::version(database).await?);
    if version == known.version {
        return Ok(None);
    }
    let wallets = table::wallets(database).await?;
    let pictures = table::pictures(database).await?;
    let directory = merged(wallets).unwrap_or_else(|error| {
        tracing::warn!(%error, "the imported wallets are left out");
        Directory::bundled()
    });
    let pictures = pictures.into_iter().map(|(id, webp)| (id, Bytes::from(webp))).collect();
    Ok(Some(Known { version, directory, pictures }))
}

/// Merges the wallets: those of the operator replace bundled ones with the same id, and precede others with the same `order`.
fn merged(stored: Vec<Stored>) -> Result<Directory, DirectoryError> {
    let bundled = Directory::bundled();
    let mut wallets: Vec<Wallet> = Vec::new();
    let mut own: HashSet<String> = HashSet::new();
    for stored in stored {
        // The record was validated on import, but this version of the server may be stricter.
        let Ok(mut wallet) = serde_json::from_str::<Wallet>(&stored.record) else {
            tracing::warn!(id = stored.id, "left out an imported wallet that this version can't read");
            continue;
        };
        let replaced = bundled.wallets().iter().find(|other| other.id.eq_ignore_ascii_case(&wallet.id));
        wallet.order = stored.place.or(replaced.map(|other| other.order)).unwrap_or(0);
        wallet.image_id = stored.image_id.or_else(|| replaced.and_then(|other| other.image_id.clone()));
        own.insert(stored.id);
        wallets.push(wallet);
    }
    wallets.extend(bundled.wallets().iter().filter(|wallet| !own.contains(&wallet.id.to_lowercase())).cloned());
    Directory::new(wallets)
}
