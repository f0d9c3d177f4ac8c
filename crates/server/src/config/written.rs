//! Settings as they are written, to tell which of them a later version of the file changes.

use std::collections::BTreeMap;
use std::fmt;

/// Settings that take effect while the server runs.
const AT_ONCE: [&str; 1] = ["public_nodes"];

/// Names and values of the settings that are set, except for lists of tables.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Written(BTreeMap<&'static str, Vec<String>>);

impl Written {
    pub(super) fn of<'a>(settings: impl Iterator<Item = (&'static str, &'a [String])>) -> Written {
        let lasting = settings.filter(|(name, _)| !AT_ONCE.contains(name));
        Written(lasting.map(|(name, texts)| (name, texts.to_vec())).collect())
    }

    /// Names of the settings that differ and need a restart.
    pub(crate) fn changed(&self, new: &Written) -> Vec<&'static str> {
        let names = self.0.keys().chain(new.0.keys().filter(|name| !self.0.contains_key(*name)));
        let mut changed: Vec<_> = names.copied().filter(|name| self.0.get(name) != new.0.get(name)).collect();
        changed.sort_unstable();
        changed
    }
}

/// Values may be secrets.
impl fmt::Debug for Written {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}
