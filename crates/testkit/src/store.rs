use portico_core::{Outcome, StorageArea, StoredEntry};
use portico_json::Value;
use std::collections::BTreeMap;

/// Storages of a page.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// Stored values by key.
    pub values: BTreeMap<String, String>,
    /// Whether every write fails, as if storage were full or denied.
    pub refuses: bool,
}

impl Store {
    /// Entries that a boot finds.
    pub fn entries(&self) -> Vec<StoredEntry> {
        self.values.iter().map(|(key, value)| StoredEntry { key: key.clone(), value: value.clone() }).collect()
    }

    /// Keys that begin with this text.
    pub fn keys_of(&self, start: &str) -> Vec<String> {
        self.values.keys().filter(|key| key.starts_with(start)).cloned().collect()
    }

    pub fn write(&mut self, _area: StorageArea, key: &str, value: &str) -> Outcome {
        if self.refuses {
            return Outcome::Failed { error: Value::Text("QuotaExceededError".into()) };
        }
        self.values.insert(key.into(), value.into());
        Outcome::Done
    }

    pub fn remove(&mut self, _area: StorageArea, key: &str) -> Outcome {
        self.values.remove(key);
        Outcome::Done
    }
}
