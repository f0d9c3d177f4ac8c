//! The visitor's agreement to the host's legal pages, where the host asks for it first (`legalCheckbox`, spec 6.6).

use super::Connect;
use crate::config::Options;
use portico_json::Json;

/// Whether the visitor agrees. Until then no wallet can be chosen in the modal; a host that connects one itself has its own way of asking.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Consent {
    /// The host does not ask, or has no page to agree to.
    Unasked,
    /// Not yet.
    Missing,
    /// The box is ticked.
    Given,
}

impl Connect {
    /// Where the visitor's agreement stands.
    pub fn consent(&self, options: &Options) -> Consent {
        let asked = options.features.legal_checkbox && (options.terms_url.is_some() || options.privacy_url.is_some());
        match (asked, self.ticked) {
            (false, _) => Consent::Unasked,
            (true, false) => Consent::Missing,
            (true, true) => Consent::Given,
        }
    }
}
