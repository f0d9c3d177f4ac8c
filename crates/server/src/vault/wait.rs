//! Devices that wait for the approval of their login.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::Notify;

/// Waiting requests by the id of their login.
#[derive(Default)]
pub(super) struct Waiting {
    of: Mutex<HashMap<String, Weak<Notify>>>,
}

impl Waiting {
    /// Bell of a login, which rings for all that wait for it.
    pub(super) fn bell(&self, login: &str) -> Arc<Notify> {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        of.retain(|_, bell| bell.strong_count() > 0);
        if let Some(bell) = of.get(login).and_then(Weak::upgrade) {
            return bell;
        }
        let bell = Arc::new(Notify::new());
        of.insert(login.into(), Arc::downgrade(&bell));
        bell
    }

    pub(super) fn ring(&self, login: &str) {
        let bell = self.of.lock().unwrap_or_else(PoisonError::into_inner).get(login).and_then(Weak::upgrade);
        if let Some(bell) = bell {
            bell.notify_waiters();
        }
    }
}
