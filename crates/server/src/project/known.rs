//! The projects that were asked for lately, so that not every request reads the database.

use super::{Entry, ProjectId, table};
use crate::db::Database;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A change by the command line, here or on another node, is seen after this time at the latest.
pub(crate) const LIFETIME: Duration = Duration::from_secs(5);

/// So many are remembered before those that are out of date are let go.
const MOST: usize = 10_000;

/// What was read; ids that are nobody's are not remembered, so that strangers cannot fill the memory with them.
#[derive(Default)]
pub(crate) struct Projects {
    read: Mutex<HashMap<ProjectId, (Instant, Arc<Entry>)>>,
}

impl Projects {
    /// One project, as it stands in the database or stood [`LIFETIME`] ago. While the database fails, as it was seen last.
    pub(crate) async fn get(&self, database: &Database, id: &ProjectId) -> Result<Option<Arc<Entry>>, sqlx::Error> {
        let now = Instant::now();
        let seen = self.read.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        let old = match seen {
            Some((at, entry)) if now < at + LIFETIME => return Ok(Some(entry)),
            seen => seen,
        };
        let found = match (table::read(database, id).await, old) {
            (Ok(found), _) => found.map(Arc::new),
            (Err(error), Some((_, entry))) => {
                tracing::error!(%error, "a project cannot be read; it is taken as it was");
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
