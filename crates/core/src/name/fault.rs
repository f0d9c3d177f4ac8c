//! Errors of a typed name and of name requests.

use portico_json::Json;
use portico_terms::ens_name::LabelError;

/// Error of a typed name (spec 5.1).
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum NameFault {
    /// A character other than a letter, digit or hyphen.
    Character,
    /// Fewer than four characters.
    Short,
    /// Too many characters.
    Long,
    /// A hyphen at the start or end.
    Hyphen,
    /// Hyphens as both third and fourth character.
    Hyphens,
    /// The name is already registered.
    Taken,
    /// The server keeps the name for itself.
    Reserved,
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

/// Errors of name requests to the server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NameError<'a> {
    /// Spec 8.18.
    Resolve,
    /// Spec 8.19.
    Suggestions,
    /// Spec 8.20.
    Reverse,
    /// Spec 8.23.
    Register(&'a str),
}

impl NameError<'_> {
    /// Texts of the contract. Concatenated by hand: formatting code would be larger than the whole feature.
    pub fn text(self) -> String {
        match self {
            NameError::Resolve => "Error resolving name".into(),
            NameError::Suggestions => "Error fetching name suggestions".into(),
            NameError::Reverse => "Error fetching names for address".into(),
            NameError::Register(name) => ["Error registering name ", name].concat(),
        }
    }
}
