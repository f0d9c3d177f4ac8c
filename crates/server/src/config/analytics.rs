//! `[analytics]`

use super::file::Read;

pub(super) const SETTINGS: &[&str] = &["analytics.enabled"];

impl Read<'_> {
    /// Off unless the operator says otherwise.
    pub(super) fn analytics(&mut self) -> Option<bool> {
        self.switch("analytics.enabled", false)
    }
}
