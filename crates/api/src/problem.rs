//! Body of every response that is not a success.

use portico_json::Json;

/// Reasons why the server refused or failed. Clients show `reasons[0].description` (spec 7.3).
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Problem {
    /// Constant word that distinguishes this body from any other.
    pub status: ProblemStatus,
    /// Reasons; never empty.
    pub reasons: Vec<Reason>,
}

/// Value of `status` in a `Problem`.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum ProblemStatus {
    /// The only value: "FAILED".
    #[json(rename = "FAILED")]
    Failed,
}

/// One reason of a `Problem`.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct Reason {
    /// The parameter, header or part of the body at fault; empty if the client's request is not at fault.
    pub field: String,
    /// One sentence for a human reader.
    pub description: String,
}

impl Problem {
    /// Creates a problem with one reason.
    pub fn new(field: &str, description: impl Into<String>) -> Problem {
        Problem {
            status: ProblemStatus::Failed,
            reasons: vec![Reason { field: field.into(), description: description.into() }],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::{Read, parse, to_text};

    #[test]
    fn a_problem_is_read_as_it_was_written() {
        let problem = Problem::new("chainId", "The chain eip155:5 isn't served here");
        let text = to_text(&problem);
        assert_eq!(
            text,
            r#"{"status":"FAILED","reasons":[{"field":"chainId","description":"The chain eip155:5 isn't served here"}]}"#
        );
        assert_eq!(Problem::read(&parse(&text).unwrap()), Ok(problem));
    }
}
