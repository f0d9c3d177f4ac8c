//! Errors of a typed name and of name requests.

use portico_json::Json;
use portico_terms::coin_type::CoinTypeError;
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

/// Error of the last attempt, by which a view chooses its text.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "NameTrouble")]
pub enum Trouble {
    /// The owner of the name is unknown (spec 8.18).
    Resolve,
    /// No suggestions (spec 8.19).
    Suggestions,
    /// The names of the account are unknown (spec 8.20).
    Reverse,
    /// The registration failed without a reason of the server (spec 8.23).
    Register,
    /// HTTP status 409: the name, or the account, isn't free for a registration.
    Conflict,
    /// HTTP status 429: too many requests.
    Busy,
    /// The server refused for a reason of its own, which is in `problem`.
    Refused,
    /// The network has no coin type (spec 8.29).
    Network,
    /// The visitor declined to sign (spec 8.8).
    Declined,
}

impl Trouble {
    /// Text of the contract, for analytics and hosts. Concatenated by hand: formatting code would be larger than the whole feature.
    pub fn text(self, name: &str) -> String {
        match self {
            Trouble::Resolve => "Error resolving name".into(),
            Trouble::Suggestions => "Error fetching name suggestions".into(),
            Trouble::Reverse => "Error fetching names for address".into(),
            Trouble::Network => CoinTypeError.to_string(),
            _ => ["Error registering name ", name].concat(),
        }
    }
}
