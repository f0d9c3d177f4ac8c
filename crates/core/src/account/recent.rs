//! Cache of reads for accounts and chains that the visitor may return to (spec 3.22).

use portico_terms::ChainId;

/// Chain and address of an account.
pub type Owner = (ChainId, String);

/// Maximum number of cache entries.
const MOST_KEPT: usize = 8;

/// Cached values of inactive accounts, the latest first.
#[derive(Debug)]
pub struct Recent<T>(Vec<(Owner, T)>);

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent(Vec::new())
    }
}

impl<T> Recent<T> {
    /// Adds a cache entry.
    pub fn keep(&mut self, owner: Owner, value: T) {
        self.0.retain(|(other, _)| *other != owner);
        self.0.insert(0, (owner, value));
        self.0.truncate(MOST_KEPT);
    }

    /// Removes and returns an entry whose account is active again.
    pub fn take(&mut self, owner: &Owner) -> Option<T> {
        let at = self.0.iter().position(|(other, _)| other == owner)?;
        Some(self.0.remove(at).1)
    }

    /// Entry of an account that is still inactive, to update it with a late response.
    pub fn get_mut(&mut self, owner: &Owner) -> Option<&mut T> {
        self.0.iter_mut().find(|(other, _)| other == owner).map(|(_, value)| value)
    }

    /// Drops all entries but those for which `stands` is true.
    pub fn retain(&mut self, stands: impl Fn(&T) -> bool) {
        self.0.retain(|(_, value)| stands(value));
    }
}
