//! The visitor's consent to the host's legal pages, if the host requires it (`legalCheckbox`, spec 6.6).

use super::Connect;
use crate::config::Options;
use portico_json::Json;

/// State of the consent. While missing, no wallet can be chosen in the modal; a host that connects one itself asks in its own way.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum Consent {
    /// The host requires none, or has no legal page.
    Unasked,
    /// The box is not ticked.
    Missing,
    Given,
}

impl Connect {
    /// State of the visitor's consent.
    pub fn consent(&self, options: &Options) -> Consent {
        let asked = options.features.legal_checkbox && (options.terms_url.is_some() || options.privacy_url.is_some());
        match (asked, self.ticked) {
            (false, _) => Consent::Unasked,
            (true, false) => Consent::Missing,
            (true, true) => Consent::Given,
        }
    }
}
