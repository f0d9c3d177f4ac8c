//! Cache of projects, so that not every request reads the database.

use super::{Entry, ProjectId, table};
use crate::db::Database;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// Lifetime of an entry: a change by the command line, here or on another node, is visible after this time.
pub(crate) const LIFETIME: Duration = Duration::from_secs(5);

/// Time limit of a read while there is a cached entry: a database that hangs must not hold up every request.
const PATIENCE: Duration = Duration::from_secs(1);

/// Number of entries from which expired ones are removed.
const MOST: usize = 10_000;

/// Cached projects; unknown ids are not cached, so that strangers cannot fill the memory with them.
#[derive(Default)]
pub(crate) struct Projects {
    read: Mutex<HashMap<ProjectId, (Instant, Arc<Entry>)>>,
    used: Mutex<HashMap<ProjectId, Used>>,
}

/// Requests of a project to this process since it started.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Used {
    /// Charged requests.
    pub(crate) taken: u64,
    /// Requests above a limit.
    pub(crate) over: u64,
    /// Requests of pages that aren't on the project's list of origins.
    pub(crate) strangers: u64,
}

impl Projects {
    /// Project as read from the database at most [`LIFETIME`] ago.
    pub(crate) fn cached(&self, id: &ProjectId) -> Option<Arc<Entry>> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.get(id).filter(|(at, _)| Instant::now() < *at + LIFETIME).map(|(_, entry)| entry.clone())
    }

    /// Counts requests of a project that exists.
    pub(crate) fn count(&self, id: &ProjectId, cost: u32, taken: bool) {
        self.add(id, cost, |used| if taken { &mut used.taken } else { &mut used.over });
    }

    /// Counts a request of a page that isn't on the list of a project that exists.
    pub(crate) fn count_stranger(&self, id: &ProjectId) {
        self.add(id, 1, |used| &mut used.strangers);
    }

    fn add(&self, id: &ProjectId, cost: u32, which: impl FnOnce(&mut Used) -> &mut u64) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let count = which(match used.get_mut(id) {
            Some(known) => known,
            None => used.entry(id.clone()).or_default(),
        });
        *count = count.saturating_add(cost.into());
    }

    /// Requests of a project so far.
    pub(crate) fn used(&self, id: &ProjectId) -> Used {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied().unwrap_or_default()
    }

    /// Project as in the database at most [`LIFETIME`] ago. While the database fails, as last read.
    pub(crate) async fn get(&self, database: &Database, id: &ProjectId) -> Result<Option<Arc<Entry>>, sqlx::Error> {
        if let Some(entry) = self.cached(id) {
            return Ok(Some(entry));
        }
        let old = self.read.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        let mut now = Instant::now();
        let reading = table::read(database, id);
        let read = match &old {
            Some(_) => timeout(PATIENCE, reading).await.unwrap_or(Err(sqlx::Error::PoolTimedOut)),
            None => reading.await,
        };
        let found = match (read, old) {
            (Ok(found), _) => found.map(Arc::new),
            (Err(error), Some((_, entry))) => {
                tracing::error!(%error, "couldn't read a project, so its cached state is used");
                // The next requests use it without a wait.
                now = Instant::now();
                Some(entry)
            }
            (Err(error), None) => return Err(error),
        };
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.len() >= MOST {
            read.retain(|_, (at, _)| now < *at + LIFETIME);
        }
        match &found {
            Some(entry) => read.insert(id.clone(), (now, entry.clone())),
            None => read.remove(id),
        };
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Engine;

    #[tokio::test]
    async fn a_database_that_hangs_holds_up_one_request_for_a_second_and_not_those_after_it() {
        let database = Database::empty().await.unwrap();
        database.migrate().await.unwrap();
        let (projects, id) = (Projects::default(), ProjectId::parse("shop").unwrap());
        let entry = Entry {
            id: id.clone(),
            name: "Shop".into(),
            created_at: 0,
            disabled_at: None,
            quota: Default::default(),
            origins: Vec::new(),
            methods: Vec::new(),
            chains: Vec::new(),
            secret_hash: String::new(),
        };
        assert!(table::insert(&database, &entry).await.unwrap());
        assert!(projects.get(&database, &id).await.unwrap().is_some());
        let Engine::Sqlite(pool) = database.engine() else { panic!("not SQLite") };
        let _held = pool.acquire().await.unwrap();
        let age = LIFETIME + PATIENCE;
        projects.read.lock().unwrap().values_mut().for_each(|(at, _)| *at -= age);
        let begun = Instant::now();
        assert_eq!(projects.get(&database, &id).await.unwrap().as_deref(), Some(&entry));
        assert!(begun.elapsed() >= PATIENCE && begun.elapsed() < LIFETIME, "{:?}", begun.elapsed());
        assert!(projects.cached(&id).is_some());
    }
}
