//! What can be wrong with a name and with asking about it.

use portico_json::Json;
use portico_terms::ens_name::LabelError;

/// What is wrong with what was typed (spec 5.1).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum NameFault {
    /// A character that is no letter, digit or hyphen.
    Character,
    /// Fewer than four.
    Short,
    /// More than fit.
    Long,
    /// A hyphen where none may be.
    Hyphen,
    /// Somebody has it.
    Taken,
}

impl From<LabelError> for NameFault {
    fn from(error: LabelError) -> NameFault {
        match error {
            LabelError::Character => NameFault::Character,
            LabelError::Short => NameFault::Short,
            LabelError::Long => NameFault::Long,
            LabelError::Hyphen => NameFault::Hyphen,
        }
    }
}

/// Why the server could not be asked or did not do it.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NameError {
    /// Spec 8.18.
    #[error("Error resolving name")]
    Resolve,
    /// Spec 8.19.
    #[error("Error fetching name suggestions")]
    Suggestions,
    /// Spec 8.20.
    #[error("Error fetching names for address")]
    Reverse,
    /// Spec 8.23.
    #[error("Error registering name {0}")]
    Register(String),
}
