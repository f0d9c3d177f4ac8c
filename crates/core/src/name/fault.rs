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
    /// The words of the contract. Put together by hand: formatting would weigh more than the whole feature.
    pub fn text(self) -> String {
        match self {
            NameError::Resolve => "Error resolving name".into(),
            NameError::Suggestions => "Error fetching name suggestions".into(),
            NameError::Reverse => "Error fetching names for address".into(),
            NameError::Register(name) => ["Error registering name ", name].concat(),
        }
    }
}
