//! What was read of an account on a chain, kept for when the visitor comes back to it (spec 3.22).

use portico_terms::ChainId;

/// An address on a chain.
pub type Owner = (ChainId, String);

/// So many are remembered.
const MOST_KEPT: usize = 8;

/// What is not in use now, the latest first.
#[derive(Debug)]
pub struct Recent<T>(Vec<(Owner, T)>);

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent(Vec::new())
    }
}

impl<T> Recent<T> {
    /// Remembers what was in use.
    pub fn keep(&mut self, owner: Owner, value: T) {
        self.0.retain(|(other, _)| *other != owner);
        self.0.insert(0, (owner, value));
        self.0.truncate(MOST_KEPT);
    }

    /// It comes into use again.
    pub fn take(&mut self, owner: &Owner) -> Option<T> {
        let at = self.0.iter().position(|(other, _)| other == owner)?;
        Some(self.0.remove(at).1)
    }

    /// It is still not in use, and an answer came for it.
    pub fn get_mut(&mut self, owner: &Owner) -> Option<&mut T> {
        self.0.iter_mut().find(|(other, _)| other == owner).map(|(_, value)| value)
    }

    /// What happened may have changed all but these.
    pub fn retain(&mut self, stands: impl Fn(&T) -> bool) {
        self.0.retain(|(_, value)| stands(value));
    }
}
